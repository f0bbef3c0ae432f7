//===- StrassenProducts.cpp - seven products for eight --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which products of many rows with constant weights are computed by
// Strassen's algorithm, and in which blocks. docs/Rationale/Kernels.md has the
// measurements behind the costs.
//
//===----------------------------------------------------------------------===//
#include "LoopPoints.h"
#include "MatrixViews.h"
#include "StrassenProduct.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Support/ConstantScope.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_STRASSENPRODUCTS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::KernelTarget;
using mlir::glow::Tensor;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

namespace {
/// Costs in vector operations, of which a core does about one per cycle.
struct CostModel {
  const KernelTarget &target;

  /// A product reaches this part of the peak rate of products.
  static constexpr double kProductRate = 0.93;
  /// For each vector of a quarter: what it takes to scale and add up four of
  /// the left-hand side, to add up those of the result, and to add the sums of
  /// one part of the depth to those of another.
  static constexpr double kLeftCost = 28, kResultCost = 30, kPartCost = 7 * 2;
  /// Starting the loops of a group.
  static constexpr double kLoopCost = 6000;
  /// Of the time that more weights take from memory, what products do not hide.
  static constexpr double kExposed = 0.3;
  /// What must be gained at least, since all this is rough.
  static constexpr double kMargin = 1.05;

  double vectors(double elements) const {
    return elements / (target.vectorBits / 32.0);
  }
  double product(double rows, double depth, double columns) const {
    return vectors(rows * depth * columns) / kProductRate;
  }
  bool pays(double rows, double depth, double columns, double parts,
            double groups) const {
    double weights = sizeof(float) * depth * columns * (kProducts / 4.0 - 1);
    double more =
        vectors(rows * depth / 4) * kLeftCost +
        vectors(rows * columns / 4) * (kResultCost + (parts - 1) * kPartCost) +
        groups * kLoopCost + kExposed * weights / target.memoryBytes;
    double direct = product(rows, depth, columns);
    return (direct * kProducts / 8 + more) * kMargin < direct;
  }
};

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
  lhs = asMatrix(lhsBuffer);
  result = asMatrix(output);
  // Rows that several batches share are fewer.
  if (!lhs || !result || lhs.getDimSize(0) != result.getDimSize(0) ||
      rhs.getDimSize(1) != lhs.getDimSize(1))
    return false;
  for (Value input : inputs) {
    inputTypes.push_back(asEpilogueInput(input, output));
    if (!inputTypes.back())
      return false;
  }
  height = result.getDimSize(0);
  width = result.getDimSize(1);
  depth = lhs.getDimSize(1);
  return true;
}

/// The products of a block, in seven matrices, stay beside what they are made
/// from if they take this part of the second-level cache.
static constexpr double kProductsPart = 0.2;
/// Sums of quarters of the left-hand side are made for as many blocks of rows
/// as take this part of a core's share of the last cache.
static constexpr double kLeftSumsPart = 0.25;
/// Fewer rows than that in a half do not fill tiles.
static constexpr int64_t kLeastRows = 32;
/// Sums of that many products are added up apart, and of a quarter's depth from
/// the second number on, results are as accurate as one sum of all products.
static constexpr int64_t kSumDepth = 128, kLeastDepth = 256;
/// Points for several threads, as far as they have so many panels: kernels do
/// not ask for the panels ahead where all of a part are few.
static constexpr int64_t kEnoughPoints = 6, kLeastPanels = 2;

/// Loops that follow each other in a program, and bytes of weights.
static constexpr int64_t kMostGroups = 64, kMostBytes = int64_t(1) << 32;

bool StrassenProduct::chooseBlocks(const KernelTarget &target) {
  halfRows = divideCeil(height, 2);
  halfDepth = depth / 2;
  int64_t pairs = width / packed / 2;
  if (depth % 2 != 0 || pairs == 0 || halfRows < kLeastRows ||
      halfDepth < kLeastDepth)
    return false;
  // About as many rows as columns read least.
  double most = kProductsPart * target.l2Bytes / (kProducts * sizeof(float));
  int64_t side = std::max<int64_t>(std::sqrt(most), packed);
  int64_t bands = halfRows <= side * 3 / 2 ? 1 : divideCeil(halfRows, side);
  int64_t rows = divideCeil(halfRows, bands);
  int64_t blockBytes = kProducts * rows * halfDepth * sizeof(float);
  auto together =
      static_cast<int64_t>(kLeftSumsPart * target.l3Bytes / blockBytes);
  together =
      std::clamp<int64_t>(together, divideCeil(bands, kMostGroups), bands);
  int64_t mostPanels = std::max<int64_t>(most / (rows * packed), 1);
  int64_t wanted = divideCeil(kEnoughPoints, together);
  int64_t atOnce =
      std::min({mostPanels, pairs, std::max(pairs / wanted, kLeastPanels)});
  // Columns that are in no block are few.
  while (atOnce > 1 && pairs % atOnce * 8 > pairs)
    --atOnce;
  panels = {0, pairs / atOnce, atOnce};
  together =
      std::max<int64_t>(together, divideCeil(kLeastPoints, panels.count));
  if (together > bands ||
      kProducts * panels.total() * halfDepth * packed * sizeof(float) >
          kMostBytes)
    return false;
  chooseRows(rows, together);
  partDepth = divideCeil(halfDepth, divideCeil(halfDepth, kSumDepth));
  double parts = divideCeil(halfDepth, partDepth);
  return CostModel{target}.pays(height, depth, 2 * halfColumns(), parts,
                                blocks.size());
}

/// Groups of blocks of `rows` rows. The last block has all that is left, and
/// more than the middle row.
void StrassenProduct::chooseRows(int64_t rows, int64_t together) {
  int64_t whole = halfRows / rows, rest = halfRows % rows;
  if (rest == 1 || (rest == 0 && height % 2 != 0)) {
    --whole;
    rest += rows;
  }
  // The last group takes what would be less than one.
  for (int64_t i = 0, count; i < whole; i += count) {
    count = i + 2 * together > whole ? whole - i : together;
    blocks.push_back({i * rows, count, rows});
  }
  if (rest)
    blocks.push_back({whole * rows, 1, rest});
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
  // Rows that are padding would be multiplied too.
  if (glow::symbolsArgument(getOperation()))
    return;
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
