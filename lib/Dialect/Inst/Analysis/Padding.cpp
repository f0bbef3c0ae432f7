//===- Padding.cpp - where buffers hold nothing that matters --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

// -- Scalars ------------------------------------------------------------------

/// The extent that operands have in common; null if they differ.
static AffineExpr commonExtent(ArrayRef<AxisContents> operands, bool &differ) {
  AffineExpr extent;
  for (const AxisContents &operand : operands) {
    differ |= extent && operand.extent && extent != operand.extent;
    if (!extent)
      extent = operand.extent;
  }
  return extent;
}

AxisContents inst::combine(ArrayRef<AxisContents> operands) {
  AxisContents result;
  bool differ = false;
  result.extent = commonExtent(operands, differ);
  for (const AxisContents &operand : operands) {
    result.along = std::max(result.along, operand.along);
    result.isSymbolic |= operand.isSymbolic;
  }
  // Positions against a symbol, for example.
  if (result.along == Along::Values && result.isSymbolic)
    result.along = Along::Chosen;
  if (differ) {
    result.extent = {};
    if (result.along == Along::Padding)
      result.along = result.isSymbolic ? Along::Chosen : Along::Values;
  }
  // What is computed from the number behind a mask is as good as any other.
  bool areMasked = llvm::any_of(operands, std::mem_fn(&AxisContents::isMasked));
  if (result.along == Along::Chosen && areMasked)
    result.extent = {};
  return result;
}

static bool isTrue(Attribute truth) {
  auto number = dyn_cast<IntegerAttr>(truth);
  return number && !number.getValue().isZero();
}

/// A condition that symbols decide on replaces padding. Any other one chooses
/// between elements that may both be padding.
static AxisContents select(AxisContents condition,
                           ArrayRef<AxisContents> cases) {
  AxisContents chosen = combine(cases);
  chosen.isSymbolic |= condition.isSymbolic;
  if (condition.along == Along::Padding)
    return combine({condition, chosen});
  bool isAlwaysPadding = llvm::all_of(cases, [](const AxisContents &value) {
    return value.along == Along::Padding;
  });
  // At points of a loop that it decides on, all of a block is replaced.
  bool isBlock = chosen.extent && chosen.extent.isFunctionOfDim(0);
  if ((condition.along == Along::Chosen || (condition.isSymbolic && isBlock)) &&
      !isAlwaysPadding)
    chosen.along = Along::Chosen;
  if (chosen.along == Along::Constant)
    chosen.along = condition.along;
  return chosen;
}

/// What the values of a scalar region hold.
static DenseMap<Value, AxisContents>
contentsOfValues(Block &body, ArrayRef<AxisContents> arguments,
                 bool areTerms = false) {
  DenseMap<Value, AxisContents> known;
  for (auto [argument, contents] :
       llvm::zip_equal(body.getArguments(), arguments))
    known[argument] = contents;
  for (Operation &op : body.without_terminator()) {
    SmallVector<AxisContents> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    AxisContents result;
    if (isa<arith::SelectOp>(op)) {
      result = select(operands[0], ArrayRef(operands).drop_front());
    } else {
      result = combine(operands);
      // Truths and indices are masked by arithmetic too.
      bool isMasked = llvm::any_of(operands, [](const AxisContents &operand) {
        return operand.along == Along::Chosen;
      });
      if (result.along == Along::Padding && isMasked &&
          op.getResult(0).getType().isInteger())
        result.along = Along::Chosen;
    }
    followMask(op, operands, result, areTerms);
    for (Value value : op.getResults())
      known[value] = result;
  }
  return known;
}

SmallVector<AxisContents>
inst::contentsOfYields(Block &body, ArrayRef<AxisContents> arguments,
                       bool areTerms) {
  auto known = contentsOfValues(body, arguments, areTerms);
  SmallVector<AxisContents> yields;
  for (Value value : body.getTerminator()->getOperands())
    yields.push_back(known.lookup(value));
  return yields;
}

/// Adds the digits of a sum, `scale` times; false if a part of it is none.
static bool addDigits(Value value, int64_t scale,
                      const DenseMap<Value, AxisContents> &known,
                      IndexDigits &digits) {
  auto numberOf = [&](Value number) {
    return known.lookup(number).value.expression;
  };
  auto constantOf = [&](Value number) {
    auto constant = dyn_cast_or_null<AffineConstantExpr>(numberOf(number));
    return constant ? std::optional(constant.getValue()) : std::nullopt;
  };
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return addDigits(sum.getLhs(), scale, known, digits) &&
           addDigits(sum.getRhs(), scale, known, digits);
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    auto factor = constantOf(product.getRhs());
    int64_t stride = 0;
    return factor && *factor > 0 &&
           !llvm::MulOverflow(scale, *factor, stride) &&
           addDigits(product.getLhs(), stride, known, digits);
  }
  // A sum that is not negative anyway.
  if (auto above = value.getDefiningOp<arith::MaxSIOp>())
    return constantOf(above.getRhs()) == 0 &&
           addDigits(above.getLhs(), scale, known, digits);
  auto below = value.getDefiningOp<arith::MinSIOp>();
  auto above =
      below ? below.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  AffineExpr most = below ? numberOf(below.getRhs()) : AffineExpr();
  if (!above || !most || constantOf(above.getRhs()).value_or(-1) < 0)
    return false;
  digits.push_back({scale, most});
  return true;
}

SmallVector<IndexDigits>
inst::digitsOfYields(Block &body, ArrayRef<AxisContents> arguments) {
  auto yields = body.getTerminator()->getOperands();
  SmallVector<IndexDigits> all(yields.size());
  // Most regions compute no integers.
  if (llvm::none_of(yields.getTypes(), llvm::IsaPred<IntegerType>))
    return all;
  auto known = contentsOfValues(body, arguments);
  for (auto [value, digits] : llvm::zip_equal(yields, all)) {
    if (!addDigits(value, 1, known, digits))
      digits.clear();
    llvm::sort(digits, [](const IndexDigit &a, const IndexDigit &b) {
      return a.stride < b.stride;
    });
  }
  return all;
}

/// The same for one of the numbers, of what all values hold.
static SmallVector<AffineExpr>
droppedFor(Value yield, Block &body,
           const DenseMap<Value, AxisContents> &known) {
  // Of what it is made of, from where on no use needs it.
  DenseMap<Value, AffineExpr> dropped{{yield, AffineExpr()}};
  auto use = [&](Value value, AffineExpr extent) {
    auto [entry, isNew] = dropped.try_emplace(value, extent);
    if (!isNew && entry->second != extent)
      entry->second = {};
  };
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return dropped.contains(result); }))
      continue;
    AffineExpr own;
    if (op.getNumResults() == 1)
      own = dropped.lookup(op.getResult(0));
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      AffineExpr extent = own;
      if (auto select = dyn_cast<arith::SelectOp>(op); select && i > 0) {
        AxisContents condition = known.lookup(select.getCondition());
        size_t left = condition.isMasked() && isTrue(condition.beyond) ? 2 : 1;
        if (condition.isMasked() && i == left && !extent)
          extent = condition.extent;
      }
      use(operand, extent);
    }
  }
  return llvm::map_to_vector(body.getArguments(), [&](Value argument) {
    auto entry = dropped.find(argument);
    return entry == dropped.end() ? getAffineConstantExpr(0, yield.getContext())
                                  : entry->second;
  });
}

SmallVector<SmallVector<AffineExpr>>
inst::droppedArguments(Block &body, ArrayRef<AxisContents> arguments) {
  auto known = contentsOfValues(body, arguments);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value yield) { return droppedFor(yield, body, known); });
}

// -- Addresses ----------------------------------------------------------------

AddressSpace AddressSpace::of(Value buffer) {
  StridedLayout layout = layoutOf(buffer);
  auto type = cast<MemRefType>(buffer.getType());
  bool slides = buffer.getDefiningOp<SlideOp>() != nullptr;
  return {llvm::to_vector(type.getShape()), layout.strides,
          slides ? -1 : layout.offset};
}

AddressSpace AddressSpace::of(ForallOp loop, BlockArgument window) {
  AddressSpace space = of(window);
  space.offset = layoutOf(loop->getOperand(window.getArgNumber())).offset;
  llvm::append_range(space.shape, loop.getExtents());
  llvm::append_range(space.strides, loop.getStepsOf(window.getArgNumber()));
  return space;
}

PaddedPlaces AddressSpace::placesAlong(size_t axis,
                                       const AxisContents &contents) const {
  int64_t step = strides[axis], row = step * shape[axis], around = 0;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    if (size > 1 && stride >= row && (around == 0 || stride < around))
      around = stride;
  if (row <= 0 || around % row == 0 || around % step != 0)
    return {step, shape[axis], contents};
  return {step, around / step, contents, /*areOfPart=*/false, shape[axis]};
}

AffineExpr AddressSpace::extentAlong(size_t axis,
                                     const PaddedPlaces &places) const {
  int64_t step = strides[axis], extent = shape[axis];
  int64_t period = places.stride * places.count;
  // What a mask has chosen lies in the rows alone.
  if (places.known && places.contents.along != Along::Padding &&
      extent * step > places.known * places.stride)
    return {};
  // Steps within a place, or over several of them.
  bool isWithin = step > 0 && places.stride % step == 0;
  bool isOver = step > 0 && step % places.stride == 0;
  if ((!isWithin && !isOver) || extent * step > period || offset < 0 ||
      offset / places.stride % places.count != 0)
    return {};
  int64_t reach = offset % places.stride;
  for (size_t other = 0; other < shape.size(); ++other) {
    if (other == axis || shape[other] == 1 || strides[other] == 0)
      continue;
    if (strides[other] < 0 ||
        (strides[other] >= step && strides[other] % period != 0))
      return {};
    if (strides[other] < step)
      reach += (shape[other] - 1) * strides[other];
  }
  if (reach >= step)
    return {};
  // A mask may end within a position.
  if (places.contents.beyond && !isWithin && step != places.stride)
    return {};
  return isWithin ? places.contents.extent * (places.stride / step)
                  : places.contents.extent.ceilDiv(step / places.stride);
}

AffineExpr AddressSpace::extentOfBlock(size_t axis, size_t loopAxis,
                                       const PaddedPlaces &places) const {
  if (strides[axis] != places.stride || strides[loopAxis] == 0 ||
      strides[loopAxis] % places.stride != 0)
    return {};
  int64_t distance = strides[loopAxis] / places.stride;
  // All blocks as one axis.
  AddressSpace all = *this;
  all.shape[axis] += (shape[loopAxis] - 1) * distance;
  all.shape[loopAxis] = 1;
  AffineExpr extent = all.extentAlong(axis, places);
  return extent ? extent - getAffineDimExpr(0, extent.getContext()) * distance
                : AffineExpr();
}

std::optional<int64_t>
AddressSpace::lastPlace(const PaddedPlaces &places) const {
  int64_t period = places.stride * places.count, last = offset % period;
  if (offset < 0)
    return std::nullopt;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    if (size == 1 || stride % period == 0)
      continue;
    if (stride < 0)
      return std::nullopt;
    last += (size - 1) * stride;
  }
  return last < period ? std::optional(last / places.stride) : std::nullopt;
}

std::optional<PaddedPlaces> PaddedPlaces::joined(const AddressSpace &next,
                                                 Fallback fallback,
                                                 int64_t elements) const {
  std::optional<int64_t> last = next.lastPlace(*this);
  if (!fallback || fallback.number != contents.beyond || !last ||
      *last != next.offset / stride % count || *last != known ||
      ShapedType::getNumElements(next.shape) * count != elements ||
      fallback.unless + *last != contents.extent)
    return std::nullopt;
  PaddedPlaces all = *this;
  all.known = *last + 1 == count ? 0 : *last + 1;
  return all;
}

/// Whether an expression of symbols, which are not negative, cannot be.
static bool isNotNegative(AffineExpr expression) {
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return number.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  return !binary ||
         (isNotNegative(binary.getLHS()) && isNotNegative(binary.getRHS()));
}

AffineExpr AddressSpace::extentFrom(size_t axis,
                                    const PaddedPlaces &places) const {
  int64_t first = offset / places.stride % places.count;
  auto sum = dyn_cast<AffineBinaryOpExpr>(places.contents.extent);
  bool isSum = sum && sum.getKind() == AffineExprKind::Add;
  auto added =
      isSum ? dyn_cast<AffineConstantExpr>(sum.getRHS()) : AffineConstantExpr();
  if (offset < 0 || first == 0 || !added || added.getValue() < first ||
      !isNotNegative(sum.getLHS()) || strides[axis] != places.stride ||
      first + shape[axis] > places.count || places.known ||
      places.contents.along != Along::Padding)
    return {};
  AddressSpace whole = *this;
  whole.offset -= first * places.stride;
  AffineExpr extent = whole.extentAlong(axis, places);
  return extent ? extent - first : AffineExpr();
}

AxisContents PaddedBuffer::along(const AddressSpace &space, size_t axis) const {
  AxisContents result;
  result.isSymbolic = isSymbolic;
  if (space.shape[axis] == 1 || space.strides[axis] == 0)
    return result;
  result.along = isSymbolic ? Along::Chosen : Along::Values;
  for (const PaddedPlaces &known : places) {
    AffineExpr extent = space.extentAlong(axis, known);
    if (!extent)
      extent = space.extentFrom(axis, known);
    if (extent) {
      result = known.contents;
      result.isSymbolic = isSymbolic;
      result.extent = extent;
      break;
    }
  }
  return result;
}

void PaddedBuffer::forget() {
  places.clear();
  parts.clear();
  values.clear();
  digits.clear();
}

bool PaddedBuffer::isWhole(const AddressSpace &space, int64_t elements) const {
  return ShapedType::getNumElements(space.shape) == elements ||
         (parts.size() == 1 && parts.front() == space && space.offset >= 0);
}

bool PaddedBuffer::keepsAny(const AddressSpace &space, int64_t elements) const {
  return isWritten && !isWhole(space, elements);
}

void PaddedBuffer::write(const AddressSpace &space,
                         ArrayRef<PaddedPlaces> written, bool symbolic,
                         Fallback fallback, int64_t elements,
                         function_ref<bool(AffineExpr, int64_t)> isAtLeast) {
  bool wasSymbolic = isSymbolic && !isWhole(space, elements);
  bool isPart = keepsAny(space, elements);
  const SmallVector<AddressSpace> before = parts;
  if (!isPart)
    parts.assign(1, space);
  else if (!before.empty())
    parts.push_back(space);
  if (isPart && space.offset >= 0 &&
      ShapedType::getNumElements(space.shape) == 1)
    values.erase(space.offset);
  else
    values.clear();
  digits.clear();
  if (!isPart) {
    places = llvm::to_vector(written);
    isSymbolic = symbolic || wasSymbolic;
    isWritten = true;
    return;
  }
  auto isSame = [](const PaddedPlaces &a, const PaddedPlaces &b) {
    return a.stride == b.stride && a.count == b.count && a.known == b.known &&
           a.contents.extent == b.contents.extent;
  };
  // Where one part has ordinary values, the axis is one of the whole buffer, or
  // that part lies before the padding of the other ones.
  auto holds = [&](const PaddedPlaces &place, bool otherIsSymbolic,
                   ArrayRef<AddressSpace> others) {
    auto isBefore = [&](const AddressSpace &other) {
      auto last = other.lastPlace(place);
      return last && isAtLeast(place.contents.extent, *last + 1);
    };
    return !otherIsSymbolic &&
           ((!place.areOfPart && place.stride * place.count == elements) ||
            (!others.empty() && llvm::all_of(others, isBefore)));
  };
  SmallVector<PaddedPlaces> both;
  for (const PaddedPlaces &place : places) {
    if (auto joined = place.joined(space, fallback, elements)) {
      both.push_back(*joined);
      continue;
    }
    const auto *other = llvm::find_if(
        written, [&](const PaddedPlaces &w) { return isSame(place, w); });
    if (other == written.end() && !holds(place, symbolic, space))
      continue;
    both.push_back(place);
    AxisContents &contents = both.back().contents;
    if (other != written.end() && other->contents.along == Along::Chosen)
      contents.along = Along::Chosen;
    if (other == written.end() || other->contents.beyond != contents.beyond)
      contents.beyond = {};
  }
  for (const PaddedPlaces &place : written)
    if (holds(place, isSymbolic, before) &&
        llvm::none_of(places, [&](const PaddedPlaces &known) {
          return isSame(place, known);
        })) {
      both.push_back(place);
      // The other part holds other numbers.
      both.back().contents.beyond = {};
    }
  places = std::move(both);
  isSymbolic |= symbolic;
}
