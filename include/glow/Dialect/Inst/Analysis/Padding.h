//===- Padding.h - where buffers hold nothing that matters -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a bounded function the elements of a tensor beyond its extents at run time
// are padding. Which elements of a buffer these are is said of addresses, as
// views see one axis with different strides, or merged with others.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_INST_ANALYSIS_PADDING_H
#define GLOW_DIALECT_INST_ANALYSIS_PADDING_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/IR/AffineExpr.h"

namespace mlir::glow::inst {

/// What an operand holds along an axis.
enum class Along {
  Constant, /// it does not move along the axis
  Values,   /// ordinary values
  Chosen,   /// values that symbols decide on, such as a mask of what is valid,
            /// or what a mask has put in the place of padding
  Padding,  /// from the extent on, anything
};

/// An integer as a function of the symbols; null if it is not known as one. And
/// the least that it can be, if that is known.
struct SymbolicInteger {
  AffineExpr expression;
  std::optional<int64_t> least;

  explicit operator bool() const { return bool(expression); }
};

/// The number that something is unless a function of the symbols is positive.
struct Fallback {
  TypedAttr number;
  AffineExpr unless;

  explicit operator bool() const { return unless && number; }
};

/// The same, with the extent at run time for `Padding`, and for `Chosen` if it
/// is known.
struct AxisContents {
  Along along = Along::Constant;
  AffineExpr extent;
  /// Computed from the values of symbols; of constants, which tell nothing else
  /// of it.
  bool isSymbolic = false;
  /// Of what does not move the number if it is constant; of `Chosen` the one
  /// that a mask has put from the extent on.
  TypedAttr beyond = {};
  /// Of an integer that does not move.
  SymbolicInteger value = {};
  /// Of what does not move, if symbols alone decide on it.
  Fallback fallback = {};
  /// The integers from this one on, which may depend on the point of a loop.
  AffineExpr firstPosition = {};
  /// The instruction that has not written what is beyond, as nothing reads it.
  Operation *origin = nullptr;

  bool isMasked() const {
    return along == Along::Chosen && extent && beyond != nullptr;
  }
};

/// What masks put behind an extent is left out, and need not be read, from a
/// multiple of so many elements on: the depth of a tile register of 16-bit
/// numbers, so that products need no shorter steps. Integers, whose registers
/// are deeper, are not left out.
constexpr int64_t kMaskStep = 32;
/// Of reductions along contiguous elements, which lie in vectors: eight numbers
/// are one, or two short ones, so that none is left to be added on its own.
constexpr int64_t kReduceStep = 8;
AffineExpr wholeSteps(AffineExpr extent, int64_t step = kMaskStep);

/// Whether numbers from the extent on do not change what they are combined to,
/// an `element` of a buffer.
bool isNeutral(const AxisContents &contents, ReduceKind kind, Type element);
/// Whether a buffer is a constant that counts its positions along an axis.
bool holdsPositions(Value buffer, int64_t axis);

/// Notes for the result of a scalar op what masks have made of it. Integers
/// that `areTerms` are combined to one, and no indices.
void followMask(Operation &op, ArrayRef<AxisContents> operands,
                AxisContents &result, bool areTerms);

/// What the elements hold that a scalar region yields.
SmallVector<AxisContents> contentsOfYields(Block &body,
                                           ArrayRef<AxisContents> arguments,
                                           bool areTerms = false);

/// A part of an index: `stride` times a number from 0 to `most`, a function of
/// the symbols, or to a negative one where there is nothing to address.
struct IndexDigit {
  int64_t stride;
  AffineExpr most;
};
/// Whose sum an index is, the least stride first; none if it may be any.
using IndexDigits = SmallVector<IndexDigit, 1>;

/// For each integer that a scalar region yields the digits that it is made of,
/// each a number that is clamped.
SmallVector<IndexDigits> digitsOfYields(Block &body,
                                        ArrayRef<AxisContents> arguments);

/// From where on each number that a scalar region yields needs nothing of each
/// argument: where masks drop it, or 0 if it is no part of that. Null where it
/// needs all.
SmallVector<SmallVector<AffineExpr>>
droppedArguments(Block &body, ArrayRef<AxisContents> arguments);

/// What holds an element that is computed from others by arithmetic.
AxisContents combine(ArrayRef<AxisContents> operands);

struct AddressSpace;

/// Elements of a buffer whose place (address / stride) % count is at or beyond
/// `contents.extent`.
struct PaddedPlaces {
  int64_t stride, count;
  AxisContents contents;
  /// Of what has been written to a part of the places; others may hold numbers.
  bool areOfPart = false;
  /// Nothing is known of places from this one on, between rows that lie apart;
  /// 0 if that of all is.
  int64_t known = 0;

  /// With those of a part written to the first place of which nothing is known,
  /// all of it in a buffer of so many elements, if a mask decides on it as it
  /// does on the others.
  std::optional<PaddedPlaces> joined(const AddressSpace &next,
                                     Fallback fallback, int64_t elements) const;
};

/// The axes along which addresses change, from `offset` on.
struct AddressSpace {
  SmallVector<int64_t> shape, strides;
  int64_t offset = 0;

  bool operator==(const AddressSpace &other) const {
    return shape == other.shape && strides == other.strides &&
           offset == other.offset;
  }
  /// The place of what slides is not known, which a negative offset states.
  static AddressSpace of(Value buffer);
  /// The places that a window sees, whichever point it belongs to: its own
  /// axes, then those of the loop.
  static AddressSpace of(ForallOp loop, BlockArgument window);
  /// The places along an axis, up to where the axis around it goes on.
  PaddedPlaces placesAlong(size_t axis, const AxisContents &contents) const;
  /// How many positions along an axis are before the padding; null if the axis
  /// does not run along the places.
  AffineExpr extentAlong(size_t axis, const PaddedPlaces &places) const;
  /// The same of a part that begins behind the first place, if as many are
  /// always before the padding.
  AffineExpr extentFrom(size_t axis, const PaddedPlaces &places) const;
  /// The same of an axis of which each point along `loopAxis` has a block: a
  /// function of the point's index too, the dimension 0.
  AffineExpr extentOfBlock(size_t axis, size_t loopAxis,
                           const PaddedPlaces &places) const;
  /// The last place that is reached; nothing if not all are of one period.
  std::optional<int64_t> lastPlace(const PaddedPlaces &places) const;
};

/// What is known of a buffer.
struct PaddedBuffer {
  SmallVector<PaddedPlaces> places;
  bool isSymbolic = false, isWritten = false;
  /// Of single integers, by their places.
  llvm::SmallDenseMap<int64_t, SymbolicInteger> values;
  /// Of all elements, which are indices.
  IndexDigits digits;

  AxisContents along(const AddressSpace &space, size_t axis) const;
  /// Takes note of a write of which nothing is known.
  void forget();
  /// Whether a write to `space` leaves anything of those before it, in a buffer
  /// of so many elements.
  bool keepsAny(const AddressSpace &space, int64_t elements) const;
  /// Takes note of a write, of numbers that are all `fallback` unless it says
  /// otherwise. `isAtLeast` compares an extent with a number for all values of
  /// the symbols.
  void write(const AddressSpace &space, ArrayRef<PaddedPlaces> written,
             bool symbolic, Fallback fallback, int64_t elements,
             function_ref<bool(AffineExpr, int64_t)> isAtLeast);

private:
  /// Whether a write to `space` is one to all, or to what alone was written.
  bool isWhole(const AddressSpace &space, int64_t elements) const;

  /// What has been written since all of it was.
  SmallVector<AddressSpace> parts;
};

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_ANALYSIS_PADDING_H
