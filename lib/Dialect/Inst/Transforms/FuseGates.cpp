//===- FuseGates.cpp - products whose columns a map combines --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gates of a recurrent cell are columns of one product, a group for each
// gate, and the cell's state is made of one column of each group. A loop over
// the columns of a group leaves all of a unit's gates to one thread: they never
// go from core to core, and a step is one instruction.
//
//===----------------------------------------------------------------------===//
#include "LoopOperand.h"
#include "LoopPoints.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEGATES
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;

/// Fewer rows need tiles that are wider than a panel, since each sum waits for
/// the one before; more are worth a loop over rows.
static constexpr int64_t kLeastRows = 4, kMostRows = 16;
/// Loops of more points would leave each too little to do, and so would points
/// of fewer panels, unless there are few.
static constexpr int64_t kMostPoints = 16, kPanels = 2;
/// Smaller matrices are read faster than another thread is started; of more
/// second-level caches, each step only waits for the matrix.
static constexpr int64_t kLeastBytes = 256 << 10, kMostCaches = 2;

namespace {
/// A product, the map behind it, and the loop that they become.
class GatedProduct {
public:
  /// Nothing if they do not have that form.
  static std::optional<GatedProduct>
  of(MatMulOp product, const Accesses &accesses, int64_t cacheBytes);
  void emit();

private:
  bool hasForm();
  bool isPrivate(const Accesses &accesses);
  bool isSafe();
  bool choosePoints();
  bool isGate(Value input) { return rootBuffer(input) == product.getOutput(); }
  /// Which group of columns a gate of the map is; nothing if it is none.
  std::optional<int64_t> groupOf(Value gate);
  void collectOperands(OpBuilder &builder);
  LoopOperand operandOf(Value whole, MemRefType window, int64_t step);
  LoopOperand columnsOf(OpBuilder &builder, Value buffer, int64_t group = 0);
  LoopOperand panelsOf(OpBuilder &builder, int64_t group);
  template <typename Op> Op cloneFor(OpBuilder &body, Op op);
  Value emitGate(OpBuilder &body, ValueRange operands);

  MatMulOp product;
  MapOp map;
  /// Columns of a group, and how many of them a point of the loop has.
  int64_t units = 0, width = 0;
  /// The left-hand side, panels and epilogue of each gate in `gates`, what else
  /// the map reads, and what it writes.
  SmallVector<LoopOperand> operands;
  llvm::SmallSetVector<int64_t, 4> gates;
};

struct FuseGates : public mlir::glow::inst::impl::FuseGatesBase<FuseGates> {
  using FuseGatesBase::FuseGatesBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      Accesses accesses(block);
      SmallVector<std::optional<GatedProduct>> found;
      for (auto product : block.getOps<MatMulOp>())
        found.push_back(GatedProduct::of(product, accesses, target.l2Bytes));
      for (std::optional<GatedProduct> &gated : found)
        if (gated)
          gated->emit();
    }
  }
};
} // namespace

/// Whether all of an instruction is computed, or all columns of some rows.
static bool hasAllColumns(Operation *op, int64_t columns) {
  if (unitOf(op))
    return false;
  AffineMap limits = limitsOf(op);
  if (!limits)
    return !op->hasAttr(InstDialect::kExtentsAttrName);
  return limits.getNumResults() > 1 &&
         limits.getResult(1) ==
             getAffineConstantExpr(columns, op->getContext());
}

bool GatedProduct::hasForm() {
  MemRefType rhs = typeOf(product.getRhs()), out = typeOf(product.getOutput());
  auto isSimple = [](Value buffer) {
    return isFixed(buffer) && typeOf(buffer).getRank() <= 2 &&
           !typeOf(buffer).getMemorySpace();
  };
  auto isResult = [&](Value output) {
    return isSimple(output) && typeOf(output).getShape() ==
                                   ArrayRef<int64_t>{out.getDimSize(0), units};
  };
  auto isInput = [&](Value input) {
    return isGate(input) ? groupOf(input).has_value() : isSimple(input);
  };
  return hasAllColumns(product, out.getDimSize(1)) &&
         hasAllColumns(map, units) && product.getPacked() &&
         !product.getPieces() && product.getFurther().empty() &&
         rhs.getRank() == 3 && isDense(rhs) && !rhs.getMemorySpace() &&
         isSimple(product.getLhs()) &&
         llvm::all_of(product.getEpilogueInputs(), isSimple) &&
         llvm::all_of(map.getOutputs(), isResult) &&
         llvm::all_of(map.getInputs(), isInput) &&
         llvm::any_of(map.getInputs(), [&](Value in) { return isGate(in); });
}

std::optional<int64_t> GatedProduct::groupOf(Value gate) {
  StridedLayout layout = layoutOf(gate), whole = layoutOf(product.getOutput());
  MemRefType out = typeOf(product.getOutput());
  int64_t rows = out.getDimSize(0);
  bool isGroup = isFixed(gate) &&
                 typeOf(gate).getShape() == ArrayRef<int64_t>{rows, units} &&
                 layout.strides[1] == whole.strides[1] &&
                 (rows == 1 || layout.strides[0] == whole.strides[0]) &&
                 layout.offset % units == 0 &&
                 layout.offset < out.getDimSize(1);
  return isGroup ? std::optional(layout.offset / units) : std::nullopt;
}

/// Nothing else needs the product's result.
bool GatedProduct::isPrivate(const Accesses &accesses) {
  return product.getOutput().getDefiningOp<AllocOp>() &&
         llvm::all_of(accesses.of(product.getOutput()), [&](auto &access) {
           return access.op == product || access.op == map;
         });
}

/// No point of the loop writes what another one reads.
bool GatedProduct::isSafe() {
  return llvm::all_of(map.getOutputs(), [&](Value output) {
    return llvm::all_of(
               product->getOperands(),
               [&](Value operand) { return !mayMeet(operand, output); }) &&
           llvm::all_of(map.getInputs(), [&](Value input) {
             return !mayMeet(input, output) || areSame(input, output);
           });
  });
}

bool GatedProduct::choosePoints() {
  int64_t packed = *product.getPacked(), panels = units / packed;
  if (units % packed != 0)
    return false;
  int64_t most = std::max(panels / kPanels, kLeastPoints);
  int64_t points = std::min({panels, most, kMostPoints});
  while (points > 0 && panels % points != 0)
    --points;
  // Five panels, or seven, are points of their own.
  if (points < kLeastPoints && panels <= kMostPoints)
    points = panels;
  width = points ? units / points : 0;
  return points >= kLeastPoints;
}

std::optional<GatedProduct> GatedProduct::of(MatMulOp product,
                                             const Accesses &accesses,
                                             int64_t cacheBytes) {
  GatedProduct gated;
  gated.product = product;
  gated.map = dyn_cast_if_present<MapOp>(nextInstruction(product));
  MemRefType out = typeOf(product.getOutput()), rhs = typeOf(product.getRhs());
  int64_t bytes = bytesOf(rhs);
  int64_t rows = out.getRank() == 2 ? out.getDimSize(0) : 0;
  if (!gated.map || rows < kLeastRows || rows > kMostRows ||
      bytes < kLeastBytes || bytes > kMostCaches * cacheBytes)
    return std::nullopt;
  MemRefType result = typeOf(gated.map.getOutputs().front());
  gated.units = result.getRank() == 2 ? result.getDimSize(1) : 0;
  // More groups than one, or columns are divided already.
  if (!gated.units || out.getDimSize(1) % gated.units != 0 ||
      out.getDimSize(1) == gated.units || !gated.hasForm() ||
      !gated.isPrivate(accesses) || !gated.isSafe() || !gated.choosePoints())
    return std::nullopt;
  return gated;
}

LoopOperand GatedProduct::operandOf(Value whole, MemRefType window,
                                    int64_t step) {
  OpBuilder builder(product.getContext());
  return {whole, window, builder.getDenseI64ArrayAttr(step)};
}

/// What a point needs of a buffer with one element for each column, of all
/// groups or of one, or with one for all.
LoopOperand GatedProduct::columnsOf(OpBuilder &builder, Value buffer,
                                    int64_t group) {
  MemRefType type = typeOf(buffer);
  StridedLayout layout = layoutOf(buffer);
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty() || shape.back() == 1)
    return operandOf(buffer, withoutOffset(type), 0);
  int64_t stride = layout.strides.back();
  shape.back() = units;
  MemRefType own = viewType(type, shape, layout.strides,
                            layout.offset + group * units * stride);
  Value whole = own == type ? buffer
                            : ViewOp::create(builder, map.getLoc(), own,
                                             rootBuffer(buffer));
  shape.back() = width;
  return operandOf(whole, viewType(type, shape, layout.strides, 0),
                   width * stride);
}

/// The panels of a group's columns.
LoopOperand GatedProduct::panelsOf(OpBuilder &builder, int64_t group) {
  MemRefType type = typeOf(product.getRhs());
  SmallVector<int64_t> shape(type.getShape());
  StridedLayout layout = layoutOf(product.getRhs());
  int64_t packed = *product.getPacked();
  shape[0] = units / packed;
  Value whole = ViewOp::create(
      builder, map.getLoc(),
      viewType(type, shape, layout.strides,
               layout.offset + group * shape[0] * layout.strides[0]),
      rootBuffer(product.getRhs()));
  shape[0] = width / packed;
  return operandOf(whole, viewType(type, shape, layout.strides, 0),
                   shape[0] * layout.strides[0]);
}

/// In the order in which the body takes them.
void GatedProduct::collectOperands(OpBuilder &builder) {
  operands.push_back(
      operandOf(product.getLhs(), withoutOffset(typeOf(product.getLhs())), 0));
  for (Value input : map.getInputs())
    if (isGate(input))
      gates.insert(*groupOf(input));
  for (int64_t group : gates) {
    operands.push_back(panelsOf(builder, group));
    for (Value input : product.getEpilogueInputs())
      operands.push_back(columnsOf(builder, input, group));
  }
  // What is updated in place is the output's window.
  for (Value input : map.getInputs())
    if (!isGate(input) && !llvm::is_contained(map.getOutputs(), input))
      operands.push_back(columnsOf(builder, input));
  for (Value output : map.getOutputs())
    operands.push_back(columnsOf(builder, output));
}

/// A copy of the product or the map, for the columns of one point.
template <typename Op> Op GatedProduct::cloneFor(OpBuilder &body, Op op) {
  auto part = cast<Op>(body.clone(*op));
  if (AffineMap limits = limitsOf(op)) {
    SmallVector<AffineExpr> extents(limits.getResults());
    extents[1] = body.getAffineConstantExpr(width);
    setLimits(part, extents, limits.getNumSymbols());
  }
  return part;
}

/// The product for one gate, in scratch memory.
Value GatedProduct::emitGate(OpBuilder &body, ValueRange operands) {
  MemRefType out = typeOf(product.getOutput());
  auto gate = AllocOp::create(
      body, product.getLoc(),
      MemRefType::get({out.getDimSize(0), width}, out.getElementType()),
      IntegerAttr());
  MatMulOp part = cloneFor(body, product);
  part.getLhsMutable().assign(body.getBlock()->getArgument(0));
  part.getRhsMutable().assign(operands.front());
  part.getEpilogueInputsMutable().assign(operands.drop_front());
  part.getOutputMutable().assign(gate);
  return gate;
}

static void passSymbols(ForallOp loop) {
  auto function = loop->getParentOfType<func::FuncOp>();
  passWhole(loop, function.getArgument(*glow::symbolsArgument(function)));
}

void GatedProduct::emit() {
  OpBuilder builder(map);
  Location loc = builder.getFusedLoc({product.getLoc(), map.getLoc()});
  collectOperands(builder);
  size_t numOutputs = map.getOutputs().size();
  Block &block =
      createForall(builder, loc, units / width, operands, numOutputs);
  // Columns are those of points now.
  cast<ForallOp>(block.getParentOp()).setBackwards(product.getBackwards());
  product.setBackwards(false);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  ValueRange left = ValueRange(block.getArguments()).drop_front();
  auto take = [&](size_t count) {
    ValueRange taken = left.take_front(count);
    left = left.drop_front(count);
    return taken;
  };
  SmallVector<Value> results;
  for (size_t i = 0; i < gates.size(); ++i)
    results.push_back(
        emitGate(body, take(1 + product.getEpilogueInputs().size())));
  ValueRange outputs = ValueRange(block.getArguments()).take_back(numOutputs);
  SmallVector<Value> inputs;
  for (Value input : map.getInputs()) {
    auto written = llvm::find(map.getOutputs(), input);
    if (isGate(input))
      inputs.push_back(
          results[llvm::find(gates, *groupOf(input)) - gates.begin()]);
    else if (written != map.getOutputs().end())
      inputs.push_back(outputs[written - map.getOutputs().begin()]);
    else
      llvm::append_range(inputs, take(1));
  }
  MapOp clone = cloneFor(body, map);
  clone.getInputsMutable().assign(inputs);
  clone.getOutputsMutable().assign(outputs);
  if (limitsOf(product) || limitsOf(map))
    passSymbols(cast<ForallOp>(block.getParentOp()));
  Value whole = product.getOutput();
  map.erase();
  product.erase();
  eraseIfUnused(whole);
}
