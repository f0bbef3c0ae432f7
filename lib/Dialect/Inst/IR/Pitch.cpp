//===- Pitch.cpp - strides of arrays without padding ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

int64_t Pitch::strideOf(int64_t stride) const {
  return stride / padded * compact.number() + stride % padded;
}

MemRefType Pitch::typeOf(MemRefType type) const {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  [[maybe_unused]] LogicalResult isStrided =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(isStrided) && offset < padded);
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    stride = size == 1 ? stride % padded : strideOf(stride);
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides),
      type.getMemorySpace());
}

SmallVector<Pitch> inst::pitchesOf(Operation *op) {
  SmallVector<Pitch> pitches;
  auto numbers =
      op->getAttrOfType<DenseI64ArrayAttr>(InstDialect::kPitchesAttrName);
  ArrayRef<int64_t> rest = numbers ? numbers.asArrayRef() : ArrayRef<int64_t>();
  for (; rest.size() >= Pitch::kNumbers;
       rest = rest.drop_front(Pitch::kNumbers))
    pitches.push_back({rest[0], rest[1], {rest[2], rest[3]}, rest[4]});
  return pitches;
}

void inst::addPitch(Operation *op, const Pitch &pitch, unsigned symbol,
                    unsigned numSymbols) {
  MLIRContext *context = op->getContext();
  SmallVector<int64_t> numbers;
  if (auto others =
          op->getAttrOfType<DenseI64ArrayAttr>(InstDialect::kPitchesAttrName))
    llvm::append_range(numbers, others.asArrayRef());
  llvm::append_range(numbers,
                     ArrayRef<int64_t>{pitch.operand, pitch.padded,
                                       pitch.compact.units, pitch.compact.rest,
                                       pitch.place});
  op->setDiscardableAttr(InstDialect::kPitchesAttrName,
                         DenseI64ArrayAttr::get(context, numbers));
  op->setDiscardableAttr(
      InstDialect::kUnitAttrName,
      AffineMapAttr::get(
          AffineMap::get(0, numSymbols, getAffineSymbolExpr(symbol, context))));
}

/// Whether no sum of the operand's strides, or of a loop's steps, is more than
/// an integer says.
static bool isCountable(Operation *op, const Pitch &pitch) {
  Value operand = op->getOperand(pitch.operand);
  if (!isa<MemRefType>(operand.getType()))
    return false;
  StridedLayout layout = layoutOf(operand);
  int64_t rows = 1;
  auto type = cast<MemRefType>(operand.getType());
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), layout.strides)) {
    int64_t most = UnitCount::kMostUnits;
    if (stride < 0 || stride / pitch.padded > most || size > UnitCount::kUnit)
      return false;
    rows += std::max<int64_t>(0, size - 1) * (stride / pitch.padded);
    if (rows > most)
      return false;
  }
  return layout.offset < pitch.padded &&
         pitch.compact.units <= UnitCount::kMostUnits / rows &&
         std::abs(pitch.compact.rest) < UnitCount::kUnit / 2 / rows;
}

/// Whether a kernel reads the last place again: of an input of an element-wise
/// instruction, or of the rows of a product, along one axis.
static bool canRepeat(Operation *op, const Pitch &pitch) {
  const auto &[operand, padded, compact, place] = pitch;
  int64_t inputs = isa<MatMulOp, CopyOp>(op) ? 1 : 0;
  if (auto map = dyn_cast<MapOp>(op))
    inputs = map.getInputs().size();
  if (place < 0 || operand >= inputs || compact.units % place != 0 ||
      compact.rest % place != 0)
    return false;
  Value buffer = op->getOperand(operand);
  auto shape = cast<MemRefType>(buffer.getType()).getShape();
  StridedLayout layout = layoutOf(buffer);
  return llvm::count_if(llvm::zip_equal(shape, layout.strides),
                        [place = place](auto axis) {
                          auto [size, stride] = axis;
                          return size > 1 && stride == place;
                        }) == 1;
}

LogicalResult inst::verifyPitches(Operation *op, Attribute attribute) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto error = [&] {
    return op->emitOpError()
           << "'" << InstDialect::kPitchesAttrName << "' is " << attribute;
  };
  if (!numbers || numbers.size() % Pitch::kNumbers != 0 || !unitOf(op))
    return error() << ", not five numbers for each operand, in units that '"
                   << InstDialect::kUnitAttrName << "' states";
  int64_t count = op->getNumOperands();
  for (const Pitch &pitch : pitchesOf(op)) {
    int64_t operand = pitch.operand;
    if (operand < 0 || operand >= count || pitch.padded < 1 ||
        pitch.compact.units < 1 || !isCountable(op, pitch) ||
        (pitch.place != 0 && !canRepeat(op, pitch)))
      return error() << ", which describes no strides of operand " << operand;
  }
  return success();
}
