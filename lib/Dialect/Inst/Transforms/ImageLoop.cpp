//===- ImageLoop.cpp - make the loop over images --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ImageChain.h"
#include "LoopOperand.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::glow::inst;

namespace {
/// Makes the loop step by step: its operands, its body's buffers, its body.
class ImageLoop {
public:
  explicit ImageLoop(const ImageChain &chain)
      : chain(chain), builder(chain.getMembers().back()->op),
        loc(fusedLocation(
            builder,
            llvm::map_range(chain.getMembers(), [](const ImageMember *member) {
              return member->op;
            }))) {}

  void emit();

private:
  /// What an operand of the loop is: a buffer and where in it an image is.
  using Key = std::tuple<Value, Type, Type, int64_t>;

  static Key keyOf(const ImageMember &member, unsigned operand);
  void add(const ImageMember &member, unsigned operand,
           SmallVector<LoopOperand> &operands, DenseMap<Key, size_t> &places);
  void collectOperands();
  void allocateScratch(OpBuilder &body);
  Value bodyValue(OpBuilder &body, const ImageMember &member, unsigned operand);

  const ImageChain &chain;
  OpBuilder builder;
  Location loc;
  SmallVector<LoopOperand> inputs, outputs;
  DenseMap<Key, size_t> inputOf, outputOf;
  DenseMap<Value, Value> scratch;
  Block *block = nullptr;
};
} // namespace

ImageLoop::Key ImageLoop::keyOf(const ImageMember &member, unsigned operand) {
  Value buffer = member.op->getOperand(operand);
  return {rootBuffer(buffer), buffer.getType(),
          member.uses.part(buffer, operand), member.uses.step(buffer, operand)};
}

void ImageLoop::add(const ImageMember &member, unsigned operand,
                    SmallVector<LoopOperand> &operands,
                    DenseMap<Key, size_t> &places) {
  auto [place, isNew] =
      places.try_emplace(keyOf(member, operand), operands.size());
  if (!isNew)
    return;
  Value buffer = member.op->getOperand(operand);
  operands.push_back(
      {buffer, withoutOffset(member.uses.part(buffer, operand)),
       builder.getDenseI64ArrayAttr({member.uses.step(buffer, operand)})});
}

/// Results first: what reads them again reads them there.
void ImageLoop::collectOperands() {
  for (bool areWrites : {true, false})
    for (const ImageMember *member : chain.getMembers())
      for (const ImageAccess &access : member->accesses) {
        if (chain.isPrivate(access.root))
          continue;
        if (access.writes && areWrites)
          add(*member, access.operand, outputs, outputOf);
        else if (!access.writes && !areWrites &&
                 !outputOf.contains(keyOf(*member, access.operand)))
          add(*member, access.operand, inputs, inputOf);
      }
}

void ImageLoop::allocateScratch(OpBuilder &body) {
  for (auto &[value, root] : chain.getRoots()) {
    if (!chain.isPrivate(value))
      continue;
    auto type = cast<MemRefType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.front() /= chain.numImages();
    scratch[value] = AllocOp::create(
        body, value.getLoc(), MemRefType::get(shape, type.getElementType()),
        IntegerAttr());
  }
}

/// What the copy of a member in the body has for an operand.
Value ImageLoop::bodyValue(OpBuilder &body, const ImageMember &member,
                           unsigned operand) {
  Value buffer = member.op->getOperand(operand);
  if (Value whole = scratch.lookup(rootBuffer(buffer)))
    return viewOrRoot(body, member.op->getLoc(), whole,
                      member.uses.part(buffer, operand));
  Key key = keyOf(member, operand);
  auto output = outputOf.find(key);
  return block->getArgument(output == outputOf.end()
                                ? inputOf.lookup(key)
                                : inputs.size() + output->second);
}

void ImageLoop::emit() {
  collectOperands();
  SmallVector<LoopOperand> operands(inputs);
  llvm::append_range(operands, outputs);
  block =
      &createForall(builder, loc, chain.numImages(), operands, outputs.size());
  OpBuilder body = OpBuilder::atBlockEnd(block);
  allocateScratch(body);
  for (const ImageMember *member : chain.getMembers()) {
    SmallVector<Value> own;
    for (unsigned i = 0; i < member->op->getNumOperands(); ++i)
      own.push_back(bodyValue(body, *member, i));
    member->uses.cloneFor(body, member->op, own);
  }
  // Points are long.
  cast<ForallOp>(block->getParentOp()).setShared(true);
}

void ImageChain::emit() const {
  ImageLoop(*this).emit();
  for (const ImageMember *member : members)
    member->op->erase();
  for (auto &[value, root] : roots)
    eraseIfUnused(value);
}
