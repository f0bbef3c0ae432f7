//===- CompactArguments.cpp - arrays of open extents without padding ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperandAxes.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Inst/Analysis/ExtentOrder.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interfaces/Kernel.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_COMPACTARGUMENTS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {
/// The rows of an argument, which are as long as its open axis and lie one
/// behind the other in the caller's array.
struct Rows {
  /// In elements, with room for the largest extent.
  int64_t padded;
  UnitCount compact;
  /// Whose value a unit is; nothing if there is one row, which has no stride.
  std::optional<unsigned> symbol;
  /// The elements of a row, and the rows, at run time.
  AffineExpr length, count;

  static std::optional<Rows> of(BlockArgument argument, AffineMap extents,
                                size_t symbols);
};

/// An axis along which an access moves, and where it stops.
struct Reach {
  int64_t size, stride;
  AffineExpr limit;
};

/// Everything that touches one argument.
class ArgumentUses {
public:
  ArgumentUses(Rows rows, ExtentOrder &order, Value symbols,
               const KernelTarget &target)
      : rows(rows), order(order), symbols(symbols), target(target) {}

  /// Whether every access through `buffer` stays within the rows.
  bool add(Value buffer);
  struct Use {
    Operation *op;
    unsigned operand;
    int64_t place; // see Pitch
  };
  /// By instructions and loops.
  ArrayRef<Use> all() const { return uses; }

private:
  bool add(ForallOp loop, unsigned operand);
  bool addInstruction(Operation *op, unsigned operand);
  bool staysWithin(ArrayRef<Reach> axes, int64_t start, AffineExpr end);

  Rows rows;
  ExtentOrder &order;
  Value symbols;
  const KernelTarget &target;
  SmallVector<Use> uses;
};

struct CompactArguments
    : public inst::impl::CompactArgumentsBase<CompactArguments> {
  using CompactArgumentsBase::CompactArgumentsBase;

  void runOnOperation() override;
};
} // namespace

// -- Rows ---------------------------------------------------------------------

/// `extent` as so many times one symbol and a rest.
static std::optional<std::pair<unsigned, UnitCount>> asUnits(AffineExpr extent,
                                                             size_t symbols) {
  MLIRContext *context = extent.getContext();
  for (unsigned i = 0; i < symbols; ++i) {
    AffineExpr symbol = getAffineSymbolExpr(i, context);
    if (!extent.isFunctionOfSymbol(i))
      continue;
    auto at = [&](int64_t value) {
      auto number = dyn_cast<AffineConstantExpr>(
          extent.replace(symbol, getAffineConstantExpr(value, context)));
      return number ? std::optional(number.getValue()) : std::nullopt;
    };
    auto rest = at(0), next = at(1);
    if (!rest || !next || extent != symbol * (*next - *rest) + *rest)
      return std::nullopt;
    return std::pair(i, UnitCount{*next - *rest, *rest});
  }
  return std::nullopt;
}

std::optional<Rows> Rows::of(BlockArgument argument, AffineMap extents,
                             size_t symbols) {
  auto type = cast<MemRefType>(argument.getType());
  MLIRContext *context = type.getContext();
  size_t rank = type.getRank(), first = 0;
  while (first < rank && type.getDimSize(first) == 1)
    ++first;
  auto isOpen = [&](size_t axis) {
    return !isa<AffineConstantExpr>(extents.getResult(axis));
  };
  // Before the first axis there are no rows.
  size_t axis = rank;
  for (size_t i = first + 1; i < rank; ++i)
    if (isOpen(i)) {
      if (axis != rank)
        return std::nullopt;
      axis = i;
    }
  bool hasRows = axis != rank;
  if (!isDense(type) || type.getNumElements() == 0 ||
      (!hasRows && (first == rank || !isOpen(first))))
    return std::nullopt;
  auto product = [&](size_t from, size_t to) {
    return ShapedType::getNumElements(type.getShape().slice(from, to - from));
  };
  Rows rows;
  if (!hasRows) {
    rows.padded = type.getNumElements();
    rows.length = extents.getResult(first) * product(first + 1, rank);
    rows.count = getAffineConstantExpr(1, context);
    return rows;
  }
  int64_t place = product(axis + 1, rank);
  auto extent = asUnits(extents.getResult(axis), symbols);
  if (!extent)
    return std::nullopt;
  rows.symbol = extent->first;
  rows.compact = {extent->second.units * place, extent->second.rest * place};
  rows.padded = type.getDimSize(axis) * place;
  rows.length = extents.getResult(axis) * place;
  rows.count = extents.getResult(first) * product(first + 1, axis);
  // Strides of all rows are within what an integer says.
  int64_t most = type.getNumElements() / rows.padded;
  bool isSmall = rows.compact.units > 0 &&
                 rows.compact.units <= UnitCount::kMostUnits / most &&
                 std::abs(rows.compact.rest) < UnitCount::kUnit / 2 / most;
  return isSmall ? std::optional(rows) : std::nullopt;
}

// -- Accesses -----------------------------------------------------------------

/// The axis with the largest stride, null if there is none, and how far the
/// others reach.
static std::pair<const Reach *, int64_t> outermostOf(ArrayRef<Reach> axes) {
  const Reach *outermost = nullptr;
  int64_t reach = 0;
  for (const Reach &axis : axes) {
    reach += (axis.size - 1) * axis.stride;
    if (!outermost || axis.stride > outermost->stride)
      outermost = &axis;
  }
  if (outermost)
    reach -= (outermost->size - 1) * outermost->stride;
  return {outermost, reach};
}

/// Whether no element from `end` on is reached: an axis with the largest stride
/// stops before it, and the others stay within that stride.
bool ArgumentUses::staysWithin(ArrayRef<Reach> axes, int64_t start,
                               AffineExpr end) {
  auto [outermost, within] = outermostOf(axes);
  if (!outermost)
    return order.isAtLeast(end,
                           getAffineConstantExpr(start + 1, end.getContext()));
  AffineExpr reached = outermost->limit * outermost->stride + start;
  return within < outermost->stride && !outermost->limit.isFunctionOfDim(0) &&
         order.isAtLeast(end, reached);
}

/// Where an instruction stops along an axis of an operand.
static AffineExpr limitAlong(const OperandAxes &known, AffineMap limits,
                             size_t input, bool isOutput, int64_t axis) {
  auto limitAt = [&](size_t place) {
    return limits && place < limits.getNumResults() ? limits.getResult(place)
                                                    : AffineExpr();
  };
  if (isOutput)
    return limitAt(axis);
  for (auto [place, axes] : llvm::enumerate(known.axes))
    if (axes[input] == axis)
      return limitAt(place);
  for (auto [place, axes] : llvm::enumerate(known.reducedAxes))
    if (axes[input] == axis)
      return limitAt(known.axes.size() + place);
  return {};
}

/// The elements of a place of the rows; 0 if no axis has them.
static int64_t placeOf(ArrayRef<Reach> within) {
  auto [places, rest] = outermostOf(within);
  return places && rest < places->stride ? places->stride : 0;
}

bool ArgumentUses::addInstruction(Operation *op, unsigned operand) {
  std::optional<OperandAxes> known = OperandAxes::of(op);
  auto kernel = dyn_cast<KernelOpInterface>(op);
  if (!known || !kernel || !kernel.staysWithinLimits(operand, target))
    return false;
  Value buffer = op->getOperand(operand);
  AffineMap limits = limitsOf(op);
  bool isOutput = operand >= known->inputs.size();
  AddressSpace space = AddressSpace::of(buffer);
  SmallVector<Reach> within, between;
  bool isRegular = space.offset >= 0;
  auto note = [&](int64_t size, int64_t stride, AffineExpr limit) {
    if (size == 1 || stride == 0)
      return;
    if (!limit)
      limit = getAffineConstantExpr(size, op->getContext());
    isRegular &=
        stride > 0 && (stride < rows.padded || stride % rows.padded == 0);
    if (stride < rows.padded)
      within.push_back({size, stride, limit});
    else
      between.push_back({size, stride / rows.padded, limit});
  };
  for (auto [axis, size] : llvm::enumerate(space.shape))
    note(size, space.strides[axis],
         limitAlong(*known, limits, operand, isOutput, axis));
  size_t ownWithin = within.size();
  if (auto window = dyn_cast<BlockArgument>(rootBuffer(buffer)))
    if (auto loop = dyn_cast<ForallOp>(window.getOwner()->getParentOp())) {
      unsigned number = window.getArgNumber();
      space.offset += layoutOf(loop->getOperand(number)).offset;
      AffineMap points = limitsOf(loop);
      for (auto [axis, step] : llvm::enumerate(loop.getStepsOf(number)))
        note(loop.getExtents()[axis], step,
             points ? points.getResult(axis) : AffineExpr());
    }
  // Each row by itself, then the rows.
  int64_t last = space.offset;
  for (const Reach &axis : within)
    last += (axis.size - 1) * axis.stride;
  if (!isRegular || last >= rows.padded || !staysWithin(between, 0, rows.count))
    return false;
  int64_t place = 0;
  if (!staysWithin(within, space.offset, rows.length)) {
    place = placeOf(within);
    // A point of a loop whose rows are blocks does not know where they end.
    if (!rows.symbol || place == 0 || space.offset != 0 ||
        within.size() > ownWithin || rows.compact.units % place != 0 ||
        rows.compact.rest % place != 0 ||
        !kernel.canEndEarly(operand, place, target))
      return false;
  }
  uses.push_back({op, operand, place});
  return true;
}

bool ArgumentUses::add(ForallOp loop, unsigned operand) {
  bool isRegular = llvm::all_of(loop.getStepsOf(operand), [&](int64_t step) {
    return step < rows.padded || step % rows.padded == 0;
  });
  if (!isRegular || !passesSymbols(loop, symbols))
    return false;
  uses.push_back({loop, operand, 0});
  return add(loop.getBody().getArgument(operand));
}

bool ArgumentUses::add(Value buffer) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<ViewOp>(op))
      return add(op->getResult(0));
    if (auto loop = dyn_cast<ForallOp>(op))
      return add(loop, use.getOperandNumber());
    return addInstruction(op, use.getOperandNumber());
  });
}

void CompactArguments::runOnOperation() {
  func::FuncOp function = getOperation();
  std::optional<unsigned> number = symbolsArgument(function);
  // What a loop's body gets is the function's around it.
  if (!number || !function.getBody().hasOneBlock() || isLoopBody(function))
    return;
  Value symbols = function.getArgument(*number);
  SmallVector<ShapeSymbol> ranges = symbolsOf(function);
  ExtentOrder order(ranges);
  // An instruction has one unit.
  DenseMap<Operation *, unsigned> units;
  for (BlockArgument argument : function.getArguments()) {
    AffineMap extents = extentsOfArgument(function, argument.getArgNumber());
    // Others have symbols that the function computes.
    if (!extents || extents.getNumSymbols() != ranges.size())
      continue;
    auto rows = Rows::of(argument, extents, ranges.size());
    if (!rows)
      continue;
    ArgumentUses uses(*rows, order, symbols, target);
    if (!uses.add(argument))
      continue;
    if (rows->symbol) {
      auto isOther = [&](const ArgumentUses::Use &use) {
        auto unit = units.find(use.op);
        return unit != units.end() && unit->second != *rows->symbol;
      };
      if (llvm::any_of(uses.all(), isOther))
        continue;
      for (auto [op, operand, place] : uses.all()) {
        units[op] = *rows->symbol;
        addPitch(op, {operand, rows->padded, rows->compact, place},
                 *rows->symbol, ranges.size());
      }
    }
    function.setArgAttr(argument.getArgNumber(), InstDialect::kCompactAttrName,
                        UnitAttr::get(&getContext()));
  }
}
