//===- FuseImages.cpp - chains of instructions as loops over images -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ImageCosts.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include <set>

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEIMAGES
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Chains are tried from each instruction on.
static constexpr size_t kMostMembers = 128;

/// Whether no extents are open but, in all arguments alike, that of the images:
/// the work of loops in loops is not limited to what is needed.
static bool hasOnlyOpenImages(func::FuncOp function) {
  size_t symbols = symbolsOf(function).size();
  if (symbols == 0)
    return true;
  if (symbols > 1 || !computedSymbolsOf(function).empty())
    return false;
  AffineExpr images = getAffineSymbolExpr(0, function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (AffineMap extents = extentsOfArgument(function, i))
      for (auto [axis, extent] : llvm::enumerate(extents.getResults()))
        if (!isa<AffineConstantExpr>(extent) && (axis > 0 || extent != images))
          return false;
  return true;
}

namespace {
struct FuseImages : public inst::impl::FuseImagesBase<FuseImages> {
  using FuseImagesBase::FuseImagesBase;

  void runOnOperation() override {
    if (!hasOnlyOpenImages(getOperation()))
      return;
    for (Block &block : getOperation().getBody()) {
      dropPlan(block);
      for (int64_t images : batches(block))
        run(block, images);
    }
  }

private:
  std::set<int64_t> batches(Block &block);
  void run(Block &block, int64_t images);
};

/// The chains of a block that save most.
class ChainChoice {
public:
  ChainChoice(Block &block, int64_t images, const KernelTarget &target,
              bool strassen);

  std::vector<ImageChain> best();

private:
  struct Instruction {
    std::optional<ImageMember> member; ///< If it can be one.
    std::optional<ImageMemberCosts> costs;
    /// What can be saved from here on, and how many members the first chain
    /// has; 0: none begins here.
    double gain = 0;
    size_t members = 0;
  };

  void choose(size_t first);
  double gainFrom(size_t i) const {
    return i < instructions.size() ? instructions[i].gain : 0;
  }

  Accesses accesses;
  ImageClashes clashes;
  int64_t images;
  const KernelTarget &target;
  std::vector<Instruction> instructions;
};
} // namespace

ChainChoice::ChainChoice(Block &block, int64_t images,
                         const KernelTarget &target, bool strassen)
    : accesses(block), images(images), target(target) {
  for (Operation &op : block) {
    if (namesBuffer(&op))
      continue;
    Instruction &added = instructions.emplace_back();
    added.member = ImageMember::of(&op, images, accesses);
    if (added.member)
      added.costs.emplace(*added.member, target, strassen);
  }
}

/// The best chain that begins here, if one is better than none.
void ChainChoice::choose(size_t first) {
  Instruction &seed = instructions[first];
  seed.gain = gainFrom(first + 1);
  ImageChain chain(images, accesses, clashes);
  ImageCosts costs(target);
  for (size_t i = first, end = std::min(instructions.size(), i + kMostMembers);
       i < end; ++i) {
    const Instruction &next = instructions[i];
    if (!next.member || !chain.join(*next.member))
      return;
    costs.add(chain, *next.costs);
    std::optional<double> own = costs.gain(images);
    if (!own || *own + gainFrom(i + 1) <= seed.gain || !chain.isComplete())
      continue;
    seed.gain = *own + gainFrom(i + 1);
    seed.members = chain.getMembers().size();
  }
}

std::vector<ImageChain> ChainChoice::best() {
  for (size_t i = instructions.size(); i-- > 0;)
    choose(i);
  std::vector<ImageChain> chains;
  for (size_t i = 0; i < instructions.size();) {
    size_t members = instructions[i].members;
    if (members == 0) {
      ++i;
      continue;
    }
    ImageChain &chain = chains.emplace_back(images, accesses, clashes);
    for (size_t end = i + members; i < end; ++i)
      chain.join(*instructions[i].member);
  }
  return chains;
}

/// How many images the convolutions of a block have, also those of loops over
/// images and bands, of each once. A loop with one axis has bands of one image.
std::set<int64_t> FuseImages::batches(Block &block) {
  std::set<int64_t> batches;
  for (Operation &op : block)
    if (auto conv = dyn_cast<ConvOp>(op))
      batches.insert(
          cast<MemRefType>(conv.getOutput().getType()).getDimSize(0));
    else if (auto loop = dyn_cast<ForallOp>(op);
             loop && loop.getExtents().size() > 1 &&
             !loop.getBody().getOps<ConvOp>().empty())
      batches.insert(loop.getExtents().front());
  // Threads share those that do not go round.
  batches.erase(batches.begin(), batches.lower_bound(2));
  // Of those that are open, the most.
  for (const ShapeSymbol &symbol : symbolsOf(getOperation()))
    batches = batches.count(symbol.upper) ? std::set{symbol.upper}
                                          : std::set<int64_t>();
  return batches;
}

void FuseImages::run(Block &block, int64_t images) {
  ChainChoice choice(block, images, target, strassen);
  for (const ImageChain &chain : choice.best())
    chain.emit();
}
