//===- SplitDepth.cpp - deep products as loops over blocks ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neither all rows nor the panels of the right-hand side stay in the
// second-level cache, each panel brings all rows from memory anew. A block of
// rows with a part of the depth stays there, and so do the block's sums.
//
//===----------------------------------------------------------------------===//
#include "LoopOperand.h"
#include "LoopPoints.h"
#include "MatrixViews.h"
#include "PartialSums.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SPLITDEPTH
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::KernelTarget;

/// The depth of a part: long enough that sums rarely go to memory and back.
static constexpr int64_t kPartDepth = 1024;
/// Parts are multiples of it, as long as sums are that start anew.
static constexpr int64_t kPartUnit = 256;
/// Rows of fewer second-level caches than that do not come from far.
static constexpr int64_t kLeastCaches = 2;
/// The part of the second-level cache for a block's rows, and for its sums.
static constexpr double kRowsPart = 0.3, kSumsPart = 0.3;
/// Fewer rows are not worth the panels, which come from memory for each block.
static constexpr int64_t kLeastRows = 16;

namespace {
/// A product and how it is cut.
class DeepProduct {
public:
  /// Nothing if it is not worth a loop, or cannot be one.
  static std::optional<DeepProduct> of(MatMulOp op, const KernelTarget &target);
  void split();

private:
  bool findOperands();
  bool chooseBlocks(const KernelTarget &target);
  LoopOperand operandOf(OpBuilder &builder, Value buffer, MemRefType view,
                        bool isCutRight);
  void emitLoop(OpBuilder &builder);
  void emitParts(OpBuilder &body, Block &block);
  void emitRest(OpBuilder &builder);

  MatMulOp op;
  MemRefType lhs, output;
  SmallVector<MemRefType> epilogue;
  int64_t height, depth, width, packed;
  int64_t blockRows = 0, blockColumns = 0, partDepth = 0;
};

struct SplitDepth : public mlir::glow::inst::impl::SplitDepthBase<SplitDepth> {
  using SplitDepthBase::SplitDepthBase;

  void runOnOperation() override {
    splitProducts<DeepProduct, MatMulOp>(getOperation(), target);
  }
};
} // namespace

/// A product of f32, in vectors, whose matrix all rows share.
static bool isPlain(MatMulOp op) {
  MemRefType rhs = typeOf(op.getRhs());
  return hasPlainSums(op, op.getLhs(), op.getRhs()) && !op.getAccumulator() &&
         !op.getBackwards() && rhs.getRank() == 3 &&
         rhs.getDimSize(2) == int64_t(*op.getPacked());
}

bool DeepProduct::findOperands() {
  lhs = asMatrix(op.getLhs());
  output = asMatrix(op.getOutput());
  // Rows that several batches share are fewer.
  if (!lhs || !output || lhs.getDimSize(0) != output.getDimSize(0))
    return false;
  for (Value input : op.getEpilogueInputs()) {
    epilogue.push_back(asEpilogueInput(input, op.getOutput()));
    if (!epilogue.back() || epilogue.back().getRank() > 2)
      return false;
  }
  packed = *op.getPacked();
  height = output.getDimSize(0);
  width = output.getDimSize(1);
  depth = lhs.getDimSize(1);
  return true;
}

bool DeepProduct::chooseBlocks(const KernelTarget &target) {
  constexpr int64_t kBytes = sizeof(float);
  int64_t cache = target.l2Bytes;
  auto parts =
      static_cast<int64_t>(divideCeil(depth - kPartDepth / 2, kPartDepth));
  // Panels that stay, or rows that do, or few columns, need no blocks.
  if (depth * packed * kBytes <= cache / 8 || parts < 2 ||
      height * depth * kBytes <= kLeastCaches * cache ||
      depth * width * kBytes <= cache / 2)
    return false;
  partDepth = llvm::alignTo(divideCeil(depth, parts), kPartUnit);
  auto most = static_cast<int64_t>(kRowsPart * cache / (partDepth * kBytes));
  int64_t count = divideCeil(height, std::max<int64_t>(most, 1));
  // Blocks without a rest, if they are not much smaller.
  for (int64_t i = count; i <= count * 3 / 2; ++i)
    if (height % i == 0) {
      count = i;
      break;
    }
  blockRows = divideCeil(height, count);
  auto mostSums = static_cast<int64_t>(kSumsPart * cache / kBytes);
  auto chosen = chooseBlockColumns(width, packed, count, mostSums / blockRows);
  if (!chosen)
    return false;
  blockColumns = *chosen;
  return blockRows >= kLeastRows &&
         height / blockRows * (width / blockColumns) >= kLeastPoints;
}

std::optional<DeepProduct> DeepProduct::of(MatMulOp op,
                                           const KernelTarget &target) {
  DeepProduct product;
  product.op = op;
  bool isDeep =
      isPlain(op) && product.findOperands() && product.chooseBlocks(target);
  return isDeep ? std::optional(product) : std::nullopt;
}

/// `count` rows of an operand, or the elements of all columns.
static Value rowsOf(OpBuilder &builder, Value buffer, MemRefType view,
                    int64_t first, int64_t count) {
  auto [strides, offset] = view.getStridesAndOffset();
  SmallVector<int64_t> shape(view.getShape());
  if (shape.size() > 1) {
    offset += first * strides[0];
    shape[0] = count;
  }
  return viewOrRoot(builder, buffer.getLoc(), buffer,
                    viewType(view, shape, strides, offset));
}

/// An operand and the part of it that a block sees.
LoopOperand DeepProduct::operandOf(OpBuilder &builder, Value buffer,
                                   MemRefType view, bool isCutRight) {
  auto [strides, offset] = view.getStridesAndOffset();
  SmallVector<int64_t> window(view.getShape());
  int64_t down = 0, right = 0;
  if (window.size() > 1) {
    window[0] = blockRows;
    down = blockRows * strides[0];
  }
  if (isCutRight && window.back() > 1) {
    window.back() = blockColumns;
    right = blockColumns * strides.back();
  }
  return {rowsOf(builder, buffer, view, 0, height - height % blockRows),
          viewType(view, window, strides, 0),
          builder.getDenseI64ArrayAttr({down, right})};
}

/// The parts of one block, one after the other.
void DeepProduct::emitParts(OpBuilder &body, Block &block) {
  Location loc = op.getLoc();
  Value left = block.getArgument(0), right = block.getArgument(1);
  PartialSums<MatMulOp> sums(body, op, block);
  for (int64_t start = 0; start < depth; start += partDepth) {
    int64_t length = std::min(partDepth, depth - start);
    Value a = sliceView(body, loc, left, 1, start, length),
          b = sliceView(body, loc, right, 1, start, length);
    auto part = cast<MatMulOp>(body.clone(*op));
    part.getLhsMutable().assign(a);
    part.getRhsMutable().assign(b);
    sums.take(part, start == 0, start + length == depth);
  }
}

void DeepProduct::emitLoop(OpBuilder &builder) {
  SmallVector<LoopOperand> operands{
      operandOf(builder, op.getLhs(), lhs, /*isCutRight=*/false)};
  MemRefType panels = typeOf(op.getRhs());
  int64_t count = divideCeil(blockColumns, packed);
  operands.push_back(
      {op.getRhs(),
       viewType(panels, {count, depth, packed}, {depth * packed, packed, 1}, 0),
       builder.getDenseI64ArrayAttr({0, count * depth * packed})});
  for (auto [input, view] : llvm::zip(op.getEpilogueInputs(), epilogue))
    if (!areSame(input, op.getOutput()))
      operands.push_back(operandOf(builder, input, view, true));
  operands.push_back(operandOf(builder, op.getOutput(), output, true));
  Block &block =
      createForall(builder, op.getLoc(),
                   {height / blockRows, width / blockColumns}, operands);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  emitParts(body, block);
}

/// Rows that are no block stay a product.
void DeepProduct::emitRest(OpBuilder &builder) {
  int64_t rest = height % blockRows, first = height - rest;
  Value left = rowsOf(builder, op.getLhs(), lhs, first, rest),
        result = rowsOf(builder, op.getOutput(), output, first, rest);
  SmallVector<Value> inputs;
  for (auto [input, view] : llvm::zip(op.getEpilogueInputs(), epilogue))
    inputs.push_back(areSame(input, op.getOutput())
                         ? result
                         : rowsOf(builder, input, view, first, rest));
  auto part = cast<MatMulOp>(builder.clone(*op));
  part.getLhsMutable().assign(left);
  part.getEpilogueInputsMutable().assign(inputs);
  part.getOutputMutable().assign(result);
}

void DeepProduct::split() {
  OpBuilder builder(op);
  emitLoop(builder);
  if (height % blockRows != 0)
    emitRest(builder);
  op.erase();
}
