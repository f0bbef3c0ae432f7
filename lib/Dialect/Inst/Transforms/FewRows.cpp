//===- FewRows.cpp - products of pieces that may have few rows ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register of tiles takes as long for one row as for all that it holds. How
// many rows there are is known at run time only, so there are two products with
// the same output, one of which has no rows then.
//
//===----------------------------------------------------------------------===//
#include "MapBuilder.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Interpreter/Tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Threading.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FEWROWS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {
/// A product of pieces with an open number of rows.
class OpenProduct {
public:
  /// Nothing if it never has few rows, or not that form.
  static std::optional<OpenProduct> of(MatMulOp op, const Accesses &accesses);
  ConstantOp rhs() { return op.getRhs().getDefiningOp<ConstantOp>(); }
  /// What the pieces of packed weights add up to.
  FailureOr<Tensor> makeWeights();
  /// Leaves many rows to the product and has few multiplied by `weights`.
  void expand(Value weights);

  /// What takes the left-hand side apart, if what it reads is still there; else
  /// null.
  MapOp source;
  /// Leaves many rows to an instruction.
  void limitToMany(Operation *op);
  /// Whether both leave the same rows to others.
  bool divides(const OpenProduct &other) const {
    return rows == other.rows && few == other.few && axis == other.axis;
  }

private:
  explicit OpenProduct(MatMulOp op) : op(op), builder(op) {}
  void findSource(const Accesses &accesses);
  Value firstRows(Value buffer);
  Value addPieces(ArrayRef<AffineExpr> limits);
  /// Columns in a panel for vectors, which read those of two tile registers at
  /// a time.
  int64_t panelWidth();

  MatMulOp op;
  OpBuilder builder;
  /// The innermost axis of rows whose extent is open, and how much of it there
  /// is if there are few rows.
  size_t axis = 0;
  int64_t most = 0;
  SmallVector<AffineExpr> extents;
  unsigned numSymbols = 0;
  /// How many rows there are, of which fewer than that are few.
  AffineExpr rows;
  int64_t few = 0;
};

struct FewRows : public inst::impl::FewRowsBase<FewRows> {
  using FewRowsBase::FewRowsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      if (failed(run(block)))
        return signalPassFailure();
  }

private:
  LogicalResult run(Block &block);
};
} // namespace

/// What is not needed where all that read it have few rows.
static void limitSources(ArrayRef<OpenProduct> products,
                         const Accesses &accesses) {
  DenseMap<Operation *, SmallVector<const OpenProduct *>> readers;
  for (const OpenProduct &product : products)
    if (product.source)
      readers[product.source].push_back(&product);
  for (OpenProduct product : products) {
    ArrayRef<const OpenProduct *> all = readers[product.source];
    if (all.empty() || !llvm::all_of(all, [&](const OpenProduct *other) {
          return other->divides(product);
        }))
      continue;
    Value pieces = rootBuffer(product.source.getOutputs().front());
    size_t reads = llvm::count_if(
        accesses.of(pieces), [](const Access &access) { return access.reads; });
    if (reads == all.size())
      product.limitToMany(product.source);
    readers.erase(product.source);
  }
}

LogicalResult FewRows::run(Block &block) {
  Accesses accesses(block);
  std::vector<OpenProduct> products;
  for (auto op : block.getOps<MatMulOp>())
    if (auto product = OpenProduct::of(op, accesses))
      products.push_back(*product);
  limitSources(products, accesses);
  DenseMap<Operation *, Value> known;
  for (OpenProduct &product : products) {
    ConstantOp rhs = product.rhs();
    Value &weights = known[rhs];
    if (!weights) {
      FailureOr<Tensor> made = product.makeWeights();
      if (failed(made))
        return failure();
      OpBuilder builder(rhs);
      weights = ConstantOp::create(
          builder, rhs.getLoc(),
          MemRefType::get(made->getShape(), made->getElementType()),
          made->toAttribute());
    }
    product.expand(weights);
  }
  return success();
}

std::optional<OpenProduct> OpenProduct::of(MatMulOp op,
                                           const Accesses &accesses) {
  AffineMap limits = limitsOf(op);
  MemRefType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs()),
             out = typeOf(op.getOutput());
  auto function = op->getParentOfType<func::FuncOp>();
  size_t last = out.getRank() - 1;
  OpenProduct product(op);
  if (!op.getFewRows() || !limits || limits.getNumDims() != 0 ||
      limits.getNumResults() != last + 1 || !product.rhs() ||
      rhs.getRank() != 3 ||
      rhs.getDimSize(1) % static_cast<int64_t>(*op.getPieces()) != 0 ||
      !isFixed(op.getLhs()) ||
      lhs.getShape().drop_back() != out.getShape().drop_back())
    return std::nullopt;
  product.extents = llvm::to_vector(limits.getResults());
  product.numSymbols = limits.getNumSymbols();
  // Lines have tiles of their own, so rows of each are what counts, if open.
  AffineExpr rows = getAffineConstantExpr(1, op.getContext());
  int64_t known = 1;
  product.axis = last;
  for (size_t i = last; i-- > 0 && product.axis == last;) {
    rows = rows * product.extents[i];
    if (auto constant = dyn_cast<AffineConstantExpr>(product.extents[i]))
      known *= constant.getValue();
    else
      product.axis = i;
  }
  int64_t few = *op.getFewRows();
  auto range = rangeOf(rows, symbolsOf(function));
  // A product that has been expanded already may have less than no rows.
  if (product.axis == last || !range || range->lower < 0 ||
      range->lower >= few || known >= few)
    return std::nullopt;
  product.most = std::min(out.getDimSize(product.axis), (few - 1) / known);
  // Kernels have no axis where there is one place, so nothing would limit it.
  if (product.most < 2)
    return std::nullopt;
  product.rows = rows;
  product.few = few;
  product.findSource(accesses);
  return product;
}

void OpenProduct::findSource(const Accesses &accesses) {
  MapOp map;
  for (const Access &access : accesses.of(rootBuffer(op.getLhs()))) {
    if (!access.writes)
      continue;
    if (map && access.op != map)
      return;
    map = dyn_cast<MapOp>(access.op);
    if (!map)
      return;
  }
  size_t pieces = *op.getPieces();
  if (!map || map.getInputs().size() != 1 || map.getOutputs().size() != pieces)
    return;
  Value input = map.getInputs().front();
  auto first = map.getBody().front().getTerminator()->getOperand(0);
  auto rounded = first.getDefiningOp<arith::TruncFOp>();
  ArrayRef<int64_t> shape = typeOf(input).getShape(),
                    all = typeOf(op.getLhs()).getShape();
  if (!typeOf(input).getElementType().isF32() || !isFixed(input) || !rounded ||
      rounded.getIn() != map.getBody().getArgument(0) ||
      shape.drop_back() != all.drop_back() ||
      shape.back() * static_cast<int64_t>(pieces) != all.back())
    return;
  // What was taken apart and is not needed any more may be the result's place.
  auto isInPlace = [&](Value output) {
    return rootBuffer(output) == rootBuffer(input);
  };
  if (isInPlace(op.getOutput()) || llvm::any_of(op.getFurther(), isInPlace))
    return;
  int64_t begin = accesses.position(map), end = accesses.position(op);
  if (llvm::none_of(accesses.of(rootBuffer(input)), [&](const Access &access) {
        return access.writes && access.position > begin &&
               access.position < end;
      }))
    source = map;
}

void OpenProduct::limitToMany(Operation *op) {
  AffineMap limits = limitsOf(op);
  if (!limits || limits.getNumDims() != 0 || axis >= limits.getNumResults())
    return;
  SmallVector<AffineExpr> many(limits.getResults());
  many[axis] = many[axis] + ifAtLeast(rows, few);
  setLimits(op, many, numSymbols);
}

int64_t OpenProduct::panelWidth() {
  int64_t width = *op.getPacked();
  return width == TileRows::kMost ? TileRows::kSide * width : width;
}

FailureOr<Tensor> OpenProduct::makeWeights() {
  FailureOr<Tensor> packed =
      Tensor::fromAttribute(op.getLoc(), rhs().getValue());
  if (failed(packed))
    return failure();
  int64_t pieces = *op.getPieces(), width = *op.getPacked();
  int64_t panels = packed->getDim(0), group = packed->getDim(2) / width;
  int64_t depth = packed->getDim(1) * group / pieces, wide = panelWidth();
  int64_t widePanels = llvm::divideCeil(panels * width, wide);
  auto sums = Tensor::allocate(op.getLoc(), builder.getF32Type(),
                               {widePanels, depth, wide});
  if (failed(sums))
    return failure();
  // Each piece is filled up to whole registers, so to whole groups.
  int64_t groups = depth / group, panelSize = depth * width;
  auto *bits = reinterpret_cast<const uint16_t *>(packed->bytes());
  auto *all = reinterpret_cast<float *>(sums->mutableBytes());
  parallelFor(op.getContext(), 0, panels, [&](size_t panel) {
    const uint16_t *from = bits + panel * pieces * panelSize;
    int64_t first = panel * width;
    for (int64_t piece = 0; piece < pieces; ++piece) {
      float *sum = all + first / wide * wide * depth + first % wide;
      for (int64_t i = 0; i < groups; ++i, sum += group * wide)
        for (int64_t column = 0; column < width; ++column)
          for (int64_t row = 0; row < group; ++row)
            sum[row * wide + column] +=
                llvm::bit_cast<float>(uint32_t(*from++) << 16);
    }
  });
  return sums;
}

/// What few rows need of a buffer with the output's axes, the last ones of
/// those, or 1 in place of some.
Value OpenProduct::firstRows(Value buffer) {
  int64_t missing = typeOf(op.getOutput()).getRank() - typeOf(buffer).getRank();
  int64_t own = static_cast<int64_t>(axis) - missing;
  if (own < 0 || typeOf(buffer).getDimSize(own) == 1)
    return buffer;
  return sliceView(builder, op.getLoc(), buffer, own, 0, most);
}

/// The left-hand side's few rows in single precision.
Value OpenProduct::addPieces(ArrayRef<AffineExpr> limits) {
  if (source)
    return firstRows(source.getInputs().front());
  Value lhs = op.getLhs();
  StridedLayout layout = layoutOf(lhs);
  SmallVector<int64_t> shape(typeOf(lhs).getShape());
  int64_t pieces = *op.getPieces(), depth = shape.back() / pieces;
  shape[axis] = most;
  shape.back() = depth;
  SmallVector<Value> parts;
  for (int64_t piece = 0; piece < pieces; ++piece)
    parts.push_back(viewOrRoot(
        builder, op.getLoc(), lhs,
        viewType(typeOf(lhs), shape, layout.strides,
                 layout.offset + piece * depth * layout.strides.back())));
  Value sums = AllocOp::create(builder, op.getLoc(),
                               MemRefType::get(shape, builder.getF32Type()),
                               IntegerAttr());
  auto map = createMap(
      builder, op.getLoc(), parts, sums,
      [&](OpBuilder &body, ValueRange values) {
        Value sum;
        for (Value piece : llvm::reverse(values)) {
          Value wide = arith::ExtFOp::create(body, op.getLoc(),
                                             body.getF32Type(), piece);
          sum =
              sum ? arith::AddFOp::create(body, op.getLoc(), sum, wide) : wide;
        }
        return SmallVector<Value>{sum};
      });
  SmallVector<AffineExpr> own(limits);
  own.back() = builder.getAffineConstantExpr(depth);
  setLimits(map, own, numSymbols);
  return sums;
}

void OpenProduct::expand(Value weights) {
  SmallVector<AffineExpr> own(extents);
  own[axis] = own[axis] + ifLess(rows, few);
  auto firstRowsOf = [&](ValueRange buffers) {
    return llvm::map_to_vector(buffers,
                               [&](Value buffer) { return firstRows(buffer); });
  };
  auto product = inst::MatMulOp::create(
      builder, op.getLoc(), addPieces(own), weights,
      firstRowsOf(op.getEpilogueInputs()), firstRowsOf(op.getFurther()),
      firstRows(op.getOutput()), builder.getI64IntegerAttr(panelWidth()),
      op.getAccumulatorAttr(),
      /*pieces=*/IntegerAttr(), /*few_rows=*/IntegerAttr());
  IRMapping mapping;
  op.getEpilogue().cloneInto(&product.getEpilogue(), mapping);
  setLimits(product, own, numSymbols);
  limitToMany(op);
}
