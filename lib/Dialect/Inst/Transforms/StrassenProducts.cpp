//===- StrassenProducts.cpp - seven products for eight --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds products of many rows with constant weights and has those computed by
// Strassen's algorithm that then take less time.
//
//===----------------------------------------------------------------------===//
#include "MatrixViews.h"
#include "StrassenProduct.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Support/ConstantScope.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_STRASSENPRODUCTS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using mlir::glow::KernelTarget;
using mlir::glow::Tensor;

namespace {
struct StrassenProducts
    : public mlir::glow::inst::impl::StrassenProductsBase<StrassenProducts> {
  using StrassenProductsBase::StrassenProductsBase;

  void runOnOperation() override;

  glow::ConstantScope *scope = nullptr;
};
} // namespace

static bool isF32(Value buffer) {
  return typeOf(buffer).getElementType().isF32();
}

/// A convolution that is a product of a matrix of pixels.
static bool isPointwise(ConvOp conv) {
  auto are = [](ArrayRef<int64_t> values, int64_t wanted) {
    return llvm::all_of(values, [&](int64_t value) { return value == wanted; });
  };
  return conv.isChannelsLast() && conv.getGroup() == 1 && !conv.getWinograd() &&
         are(conv.getKernelShape(), 1) && are(conv.getStrides(), 1) &&
         are(conv.getPads(), 0);
}

template <typename Op> static bool isPlain(Op op) {
  return op.getPacked() && !op.getPieces() && op.getFurther().empty();
}

/// A product of f32 whose constant weights all rows share.
bool StrassenProduct::findOperands() {
  if (auto matmul = dyn_cast<MatMulOp>(op)) {
    if (!isPlain(matmul) || matmul.getAccumulator() || matmul.getBackwards())
      return false;
    lhsBuffer = matmul.getLhs();
    rhsBuffer = matmul.getRhs();
    output = matmul.getOutput();
    inputs = matmul.getEpilogueInputs();
    epilogue = &matmul.getEpilogue();
    packed = *matmul.getPacked();
  } else if (auto conv = dyn_cast<ConvOp>(op)) {
    if (!isPlain(conv) || !isPointwise(conv))
      return false;
    lhsBuffer = conv.getInput();
    rhsBuffer = conv.getFilter();
    output = conv.getOutput();
    inputs = conv.getEpilogueInputs();
    epilogue = &conv.getEpilogue();
    packed = *conv.getPacked();
  } else {
    return false;
  }
  auto constant = rhsBuffer.getDefiningOp<ConstantOp>();
  MemRefType rhs = typeOf(rhsBuffer);
  if (!constant || rhs.getRank() != 3 || rhs.getDimSize(2) != packed ||
      !llvm::all_of(op->getOperands(), isF32) ||
      llvm::any_of(op->getOperands(), [](Value buffer) {
        return typeOf(buffer).getMemorySpace();
      }))
    return false;
  if (!epilogue->empty() && !epilogue->front().getArgument(0).getType().isF32())
    return false;
  depth = rhs.getDimSize(1);
  return inst::limitsOf(op) ? findOpenRows() : findRows() && findLines();
}

bool StrassenProduct::findRows() {
  lhs = asMatrix(lhsBuffer);
  result = asRows(output);
  if (!lhs || !result || lhs.getDimSize(1) != depth)
    return false;
  width = result.getShape().back();
  height = result.getNumElements() / std::max<int64_t>(width, 1);
  // Rows that several batches share are fewer.
  if (lhs.getDimSize(0) != height)
    return false;
  return findInputs(asRows);
}

bool StrassenProduct::findInputs(MemRefType (*asWhole)(Value)) {
  for (Value input : inputs)
    inputTypes.push_back(asEpilogueInput(input, output, asWhole));
  return !llvm::is_contained(inputTypes, MemRefType());
}

bool StrassenProduct::findOpenRows() {
  AffineMap limits = inst::limitsOf(op);
  auto function = op->getParentOfType<func::FuncOp>();
  std::optional<unsigned> symbols = glow::symbolsArgument(function);
  lhs = asImages(lhsBuffer);
  result = asImages(output);
  if (!symbols || !lhs || !result || limits.getNumDims() != 0 ||
      limits.getNumResults() != typeOf(output).getRank())
    return false;
  images = result.getDimSize(0);
  height = result.getDimSize(1);
  width = result.getDimSize(2);
  if (lhs.getShape() != ArrayRef<int64_t>{images, height, depth} ||
      limits.getResults().back() != number(width))
    return false;
  if (!findInputs(asImages))
    return false;
  ArrayRef<AffineExpr> axes = limits.getResults().drop_back();
  auto range = glow::rangeOf(axes.back(), glow::symbolsOf(function));
  if (range && range->upper < kLeastOpenRows)
    return false;
  open = {axes.size() > 1 ? axes[axes.size() - 2] : number(1), axes.back(),
          function.getArgument(*symbols)};
  return true;
}

/// Finds what blocks of rows must be whole of, so that windows of all operands
/// can describe them.
bool StrassenProduct::findLines() {
  SmallVector<MemRefType> types{result};
  llvm::append_range(types, inputTypes);
  for (MemRefType type : types) {
    if (type.getRank() < 3)
      continue;
    ArrayRef<int64_t> rows = type.getShape().drop_back();
    int64_t own = rows.back(), all = rows.size() == 3 ? own * rows[1] : 0;
    if (rows.size() > 3 || (line > 1 && line != own) ||
        (image && all && image != all))
      return false;
    line = own;
    image = std::max(image, all);
  }
  return line == 1 || (image ? image : height) % (2 * line) == 0;
}

std::optional<StrassenProduct> StrassenProduct::of(Operation *op,
                                                   const KernelTarget &target) {
  StrassenProduct product(op);
  if (!product.findOperands() || !product.chooseBlocks(target))
    return std::nullopt;
  return product;
}

FailureOr<StrassenConstants> StrassenProduct::makeWeights() {
  FailureOr<Tensor> value = Tensor::fromAttribute(loc, rhs().getValue());
  if (failed(value))
    return failure();
  auto made = strassenWeights(loc, *value, panels.total());
  if (failed(made))
    return failure();
  if (!*made)
    return StrassenConstants();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(rhs());
  return StrassenConstants{*value, constant((*made)->depthScales),
                           constant((*made)->columnScales),
                           constant((*made)->matrices)};
}

void StrassenProducts::runOnOperation() {
  std::vector<StrassenProduct> products;
  for (Block &block : getOperation().getBody())
    for (Operation &op : block)
      if (auto product = StrassenProduct::of(&op, target))
        products.push_back(*product);
  // Other functions may have the same constants.
  bool isAlone = llvm::hasSingleElement(
      getOperation()->getBlock()->getOps<func::FuncOp>());
  DenseMap<Attribute, unsigned> users;
  getOperation().walk(
      [&](ConstantOp constant) { ++users[constant.getValue()]; });
  DenseMap<std::pair<Operation *, int64_t>, StrassenConstants> known;
  for (StrassenProduct &product : products) {
    auto [place, isNew] = known.try_emplace(product.key());
    if (isNew) {
      FailureOr<StrassenConstants> made = product.makeWeights();
      if (failed(made))
        return signalPassFailure();
      place->second = *made;
    }
    ConstantOp rhs = product.rhs();
    if (!place->second.matrices)
      continue;
    product.expand(place->second);
    if (!rhs->use_empty())
      continue;
    ElementsAttr value = rhs.getValue();
    known.erase(place);
    rhs.erase();
    if (--users[value] == 0 && isAlone && scope)
      scope->release(value);
  }
}

std::unique_ptr<Pass>
mlir::glow::inst::createStrassenProducts(StrassenProductsOptions options,
                                         glow::ConstantScope *scope) {
  auto pass = std::make_unique<StrassenProducts>(options);
  pass->scope = scope;
  return pass;
}
