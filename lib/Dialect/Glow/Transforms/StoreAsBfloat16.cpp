//===- StoreAsBfloat16.cpp - activations and weights of 16 bits -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What products read is rounded to bf16 where it is written: in the map or
// epilogue that computes it, or for weights when the model is compiled. All
// regions and sums go on in f32.
//
//===----------------------------------------------------------------------===//
#include "CoarseFunctions.h"
#include "TapRows.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::glow {
#define GEN_PASS_DEF_STOREASBFLOAT16
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

static bool isSingle(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

/// An f32 tensor that is not known at compile time.
static bool isActivation(Value value) {
  return isSingle(value) && !matchPattern(value, m_Constant());
}

/// Its operands of f32 and its result hold the same numbers.
static bool isMove(Operation *op) {
  if (auto resize = dyn_cast<ResizeOp>(op))
    return resize.getMode() == "nearest";
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == ReduceKind::Max ||
           reduce.getKind() == ReduceKind::Min;
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, FlattenOp, TransposeOp,
             ConcatOp, SliceOp, PadOp, ExpandOp, TileOp, GatherOp,
             GatherElementsOp, GatherNDOp, PoolOp>(op);
}

static MutableArrayRef<OpOperand> movedOperands(Operation *op) {
  // The scales of a resize are numbers of another kind.
  return isa<ResizeOp>(op) ? op->getOpOperands().take_front(1)
                           : op->getOpOperands();
}

namespace {
/// Which products have factors of bf16.
struct Products {
  const KernelTarget &target;

  /// Dense convolutions, those in groups that share vectors, and products of
  /// matrices; others have too few products for each element to gain.
  bool multipliesBfloat16(Operation *op) const {
    if (!isa<ConvOp, MatMulOp>(op) || !isSingle(op->getOperand(0)) ||
        !isSingle(op->getOperand(1)) || staysSingle(op))
      return false;
    auto conv = dyn_cast<ConvOp>(op);
    return !conv || conv.getGroup() == 1 || sharesVectors(conv);
  }

  /// Its groups have as many channels of input as of output, a few, which pairs
  /// of factors divide, where vectors multiply such.
  bool sharesVectors(ConvOp conv) const {
    auto narrow = BFloat16Type::get(conv.getContext());
    ArrayRef<int64_t> filter = dimsOf(conv.getFilter());
    int64_t group = conv.getGroup(), step = target.depthGroup(narrow);
    if (step == 1 || target.tileDepth(narrow) || !conv.isChannelsLast() ||
        conv.getPacked())
      return false;
    int64_t width = filter[filter.size() - 2];
    return filter.back() == group * width && width % step == 0 &&
           llvm::isPowerOf2_64(width) &&
           2 * width <= target.lanes(Float32Type::get(conv.getContext()));
  }

  /// Rounding the factors would take more time than it saves.
  bool staysSingle(Operation *op) const {
    return isShallow(op) || multipliesRarely(op) || widensOneByOne(op);
  }

  /// In groups of a few channels that do not share vectors, each input is
  /// loaded alone, and would be widened.
  bool widensOneByOne(Operation *op) const {
    auto conv = dyn_cast<ConvOp>(op);
    return conv && conv.getGroup() > 1 && conv.isChannelsLast() &&
           !conv.getPacked() && dimsOf(conv.getFilter()).end()[-2] > 1 &&
           !sharesVectors(conv);
  }

  /// Few rows, as of scores, which read each key as often, and rounded it would
  /// be read, written and read.
  bool multipliesRarely(Operation *op) const {
    constexpr int64_t kFewTimes = 8;
    auto product = dyn_cast<MatMulOp>(op);
    if (!product)
      return false;
    Value factors[] = {product.getLhs(), product.getRhs()};
    auto sizeOf = [](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      return type.hasStaticShape() ? type.getNumElements() : 0;
    };
    int64_t larger = std::max(sizeOf(factors[0]), sizeOf(factors[1]));
    ArrayRef<int64_t> dims = dimsOf(factors[0]);
    return llvm::all_of(factors, isActivation) && !dims.empty() &&
           sizeOf(product) * dims.back() <= kFewTimes * larger;
  }

  /// Processors with tile registers multiply bf16 in vectors more slowly than
  /// f32, and such a depth does not fill a register.
  bool isShallow(Operation *op) const {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    if (!target.tileDepth(BFloat16Type::get(op->getContext())))
      return false;
    auto conv = dyn_cast<ConvOp>(op);
    if (conv && conv.getGroup() != 1)
      return false;
    int64_t axis = conv && !conv.isChannelsLast() ? 1 : type.getRank() - 1;
    int64_t depth = axis < type.getRank() ? type.getDimSize(axis) : 1;
    if (conv && conv.isChannelsLast() && !ShapedType::isDynamic(depth))
      depth = tapRowDepth(
          conv, depth, target.depthGroup(BFloat16Type::get(op->getContext())));
    return !ShapedType::isDynamic(depth) && depth < TileRows::kLeastDepth;
  }
};

/// Tensors between which elements only move: they have one type.
struct Tensors {
  bool isProduct = true; ///< All of them are results of products.
  bool isFactor = false; ///< A product reads one of them.
  bool isKept = false;   ///< Something else reads or writes one.
  /// What maps and epilogues compute from them.
  SmallVector<Value> computed;
};

/// Decides which tensors are stored as bf16.
class Selection {
public:
  Selection(func::FuncOp function, const Products &products)
      : products(products) {
    function.walk([&](Operation *op) {
      if (isMove(op))
        link(op);
    });
    function.walk([&](Operation *op) {
      llvm::for_each(op->getOpOperands(), [&](OpOperand &use) { read(use); });
      llvm::for_each(op->getResults(), [&](Value v) { written(v); });
    });
    for (BlockArgument argument : function.getArguments())
      written(argument);
  }

  bool contains(Value value) const {
    const Tensors &group = find(value);
    if (group.isKept || group.isFactor)
      return !group.isKept;
    // Not on the way to a result of f32, or to another sum.
    return group.isProduct && llvm::all_of(group.computed, [&](Value next) {
             return isActivation(next) && find(next).isFactor &&
                    !find(next).isKept;
           });
  }

private:
  void link(Operation *op) {
    Value result = op->getResult(0);
    if (!isSingle(result))
      return;
    for (OpOperand &use : movedOperands(op))
      if (isActivation(use.get()))
        classes.unionSets(use.get().getAsOpaquePointer(),
                          result.getAsOpaquePointer());
  }

  const Tensors &find(Value value) const {
    return tensors.find(classes.getLeaderValue(value.getAsOpaquePointer()))
        ->second;
  }
  Tensors &groupOf(Value value) {
    return tensors[classes.getOrInsertLeaderValue(value.getAsOpaquePointer())];
  }

  void read(OpOperand &use) {
    if (!isActivation(use.get()))
      return;
    Operation *reader = use.getOwner();
    Tensors &group = groupOf(use.get());
    if (isa<ConvOp, MatMulOp>(reader) && use.getOperandNumber() < 2)
      (products.staysSingle(reader) ? group.isKept : group.isFactor) = true;
    else if (!isa<MapOp, ConvOp, MatMulOp>(reader) &&
             !(isMove(reader) && isSingle(reader->getResult(0))))
      group.isKept = true;
    else if (!isMove(reader))
      group.computed.push_back(reader->getResult(0));
  }

  void written(Value value) {
    if (!isActivation(value))
      return;
    Operation *writer = value.getDefiningOp();
    Tensors &group = groupOf(value);
    if (!writer || !(isa<MapOp, ConvOp, MatMulOp>(writer) || isMove(writer)))
      group.isKept = true;
    else if (!isa<ConvOp, MatMulOp>(writer) && !isMove(writer))
      group.isProduct = false;
  }

  Products products;
  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseMap<void *, Tensors> tensors;
};

struct StoreAsBfloat16 : glow::impl::StoreAsBfloat16Base<StoreAsBfloat16> {
  using StoreAsBfloat16Base::StoreAsBfloat16Base;

  void runOnOperation() override {
    narrow = BFloat16Type::get(&getContext());
    Products products{target.getValue()};
    Selection selection(getOperation(), products);
    SmallVector<Operation *> ops;
    llvm::SmallPtrSet<Operation *, 16> multiplying;
    SmallVector<Value> stored;
    getOperation().walk([&](Operation *op) {
      ops.push_back(op);
      if (products.multipliesBfloat16(op))
        multiplying.insert(op);
      for (Value result : op->getResults())
        if (isActivation(result) && selection.contains(result))
          stored.push_back(result);
    });
    for (Value value : stored)
      value.setType(cast<RankedTensorType>(value.getType()).clone(narrow));
    for (Operation *op : ops) {
      if (multiplying.contains(op))
        for (OpOperand &use : op->getOpOperands().take_front(2))
          convert(use);
      if (isMove(op) && elementType(op->getResult(0)) == narrow)
        for (OpOperand &use : movedOperands(op))
          convert(use);
      if (auto map = dyn_cast<MapOp>(op)) {
        convertRegion(map.getBody().front(), map.getInputs(),
                      elementType(map.getResult()));
        map.setElementType(elementType(map.getResult()));
      } else if (auto conv = dyn_cast<ConvOp>(op)) {
        convertEpilogue(conv);
      } else if (auto matmul = dyn_cast<MatMulOp>(op)) {
        convertEpilogue(matmul);
      }
    }
  }

  /// Makes an operand of f32 one of bf16.
  void convert(OpOperand &use) {
    Value value = use.get();
    if (!isSingle(value))
      return;
    OpBuilder builder(use.getOwner());
    Location loc = use.getOwner()->getLoc();
    if (!isActivation(value)) {
      use.set(CastOp::create(builder, loc, value, narrow));
      return;
    }
    Type type = cast<RankedTensorType>(value.getType()).clone(narrow);
    auto map = MapOp::create(builder, loc, type, value, narrow);
    Block &body = map.getBody().emplaceBlock();
    body.addArgument(builder.getF32Type(), loc);
    builder.setInsertionPointToEnd(&body);
    YieldOp::create(builder, loc,
                    roundToBfloat16(builder, loc, body.getArgument(0)));
    use.set(map.getResult());
  }

  /// Converts what a region takes from `inputs`, its last arguments, and what
  /// it yields for a tensor of `result`.
  void convertRegion(Block &block, ValueRange inputs, Type result) {
    auto builder = OpBuilder::atBlockBegin(&block);
    size_t first = block.getNumArguments() - inputs.size();
    for (auto [i, input] : llvm::enumerate(inputs)) {
      BlockArgument element = block.getArgument(first + i);
      if (elementType(input) != narrow || element.getType() == narrow)
        continue;
      element.setType(narrow);
      auto wide = arith::ExtFOp::create(builder, element.getLoc(),
                                        builder.getF32Type(), element);
      element.replaceAllUsesExcept(wide, wide);
    }
    Operation *yield = block.getTerminator();
    Value value = yield->getOperand(0);
    if (result != narrow || value.getType() == narrow)
      return;
    builder.setInsertionPoint(yield);
    yield->setOperand(0, roundToBfloat16(builder, yield->getLoc(), value));
    permitCoarseFunctions(block);
  }

  template <typename Op> void convertEpilogue(Op op) {
    Type result = elementType(op.getResult());
    bool sumsInSingle =
        llvm::any_of(op->getOperands().take_front(2), [&](Value factor) {
          return elementType(factor) == narrow;
        });
    if (sumsInSingle || result == narrow)
      epilogueOf(op, op.getEpilogue());
    if (!op.getEpilogue().empty())
      convertRegion(op.getEpilogue().front(), op.getEpilogueInputs(), result);
  }

  Type narrow;
};

} // namespace
