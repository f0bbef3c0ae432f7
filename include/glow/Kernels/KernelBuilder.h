//===- KernelBuilder.h - loops and memory accesses of kernels --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators address every buffer by element offsets from its first element,
// which they compute themselves from the static strides. So that one code path
// emits scalar and vector code, a value of `lanes` elements is a scalar if
// `lanes` is 1 and a 1-D vector otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_KERNELBUILDER_H
#define GLOW_KERNELS_KERNELBUILDER_H

#include "glow/Interfaces/Kernel.h"
#include "glow/Interfaces/ScalarBuilder.h"

namespace mlir::glow {

/// Axes of an output of which only a part is computed, which is known at run
/// time.
using BoundedAxes = llvm::SmallDenseSet<int64_t, 4>;

/// A memref as its first element's address, static shape and strides.
struct KernelBuffer {
  Value flat;
  SmallVector<int64_t> shape, strides;
  /// The element type with its signedness, and the type that code computes in.
  Type element, type;
  /// Whole vectors are stored past the caches; they lie at multiples of their
  /// size then.
  bool nontemporal = false;

  int64_t rank() const { return shape.size(); }
};

/// Shape and strides of a buffer that is not there yet.
struct BufferShape {
  explicit BufferShape(MemRefType type);
  explicit BufferShape(Value buffer)
      : BufferShape(cast<MemRefType>(buffer.getType())) {}
  SmallVector<int64_t> shape, strides;
  Type element;

  int64_t rank() const { return shape.size(); }
  /// Whether axes other than a contiguous one step over whole vectors of so
  /// many elements, none of them too small to be stored past the caches.
  bool liesInVectors(int64_t lanes) const;
  int64_t elements() const;
  /// Bytes of one stored element.
  int64_t bytes() const;
  /// Strides in a space of `rank` axes to which the buffer is broadcast.
  SmallVector<int64_t> broadcastStrides(ArrayRef<int64_t> space) const;
};

/// Whether a condition holds in any lane.
Value anyLane(OpBuilder &builder, Location loc, Value conditions);

class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, Location loc, const KernelTarget &target)
      : builder(builder), loc(loc), target(target) {}

  OpBuilder &builder;
  Location loc;
  const KernelTarget &target;
  /// Of the output's axes that are bounded, the extents at run time; and the
  /// count of an instruction that has one, see LoopAxis::kCounted.
  DenseMap<int64_t, Value> extents;
  /// What a unit of strides is, see UnitCount; null if all are constants.
  Value unit;

  // -- Index arithmetic, folded where operands are constant ------------------
  /// Where there is a unit, numbers may be counts of units.
  Value index(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b) { return b ? add(a, index(b)) : a; }
  Value sub(Value a, Value b);
  Value mul(Value a, int64_t b);
  Value mul(Value a, Value b);
  /// Quotient and remainder of values that are not negative.
  Value div(Value a, Value b);
  Value div(Value a, int64_t b);
  Value ceilDiv(Value a, int64_t b) { return div(add(a, b - 1), b); }
  Value rem(Value a, Value b);
  Value rem(Value a, int64_t b);
  Value min(Value a, Value b);
  Value max(Value a, Value b);
  /// Splits `linear` into one index per extent, the last varying fastest.
  SmallVector<Value> delinearize(Value linear, ArrayRef<int64_t> extents);

  // -- Loops
  // -------------------------------------------------------------------
  using Body = function_ref<void(Value)>;
  using ReduceBody = function_ref<SmallVector<Value>(Value, ValueRange)>;
  /// A loop of static trip count 1 or 0 leaves no loop behind.
  void loop(Value low, Value high, int64_t step, Body body);
  SmallVector<Value> loop(Value low, Value high, int64_t step, ValueRange init,
                          ReduceBody body);
  /// Runs `then` or `otherwise`, each of which yields values of `types`.
  SmallVector<Value> ifElse(Value condition, TypeRange types,
                            function_ref<SmallVector<Value>()> then,
                            function_ref<SmallVector<Value>()> otherwise);
  void ifThen(Value condition, function_ref<void()> then);
  Value less(Value a, Value b); ///< signed comparison of indices
  Value both(Value a, Value b); ///< of conditions

  // -- Memory
  // ------------------------------------------------------------------
  KernelBuffer open(Value memref);
  SmallVector<KernelBuffer> open(ValueRange memrefs);
  Type shaped(Type element, int64_t lanes);
  /// A distance of elements up to which vectors side by side are loaded and
  /// shuffled, rather than elements.
  static constexpr int64_t kMostShuffled = 8;
  /// `lanes` elements from `offset` on, `stride` apart. A mask needs a stride
  /// from 0 to kMostShuffled, of stores 0 or 1.
  Value load(const KernelBuffer &buffer, Value offset, int64_t lanes = 1,
             int64_t stride = 1, Value mask = {});
  void store(Value value, const KernelBuffer &buffer, Value offset,
             int64_t stride = 1, Value mask = {});
  /// Emits stores of whole vectors past the caches if all `outputs` begin with
  /// a line, else the same code with ordinary ones. Vectors must lie at
  /// multiples of their size from there on, as liesInVectors says. If only a
  /// run tells how many `elements` there are of each, and they are not null,
  /// these must be `nontemporalBytes` of the target too.
  void storeNontemporal(MutableArrayRef<KernelBuffer> outputs, Value elements,
                        function_ref<void()> emit);
  /// Asks for the cache line at `offset`, into the level that the target wants
  /// or, with `intoFirst`, the first one. The offset may lie behind the end.
  void fetch(const KernelBuffer &buffer, Value offset, bool intoFirst = false);
  /// What follows is read after those of `values` that fill registers are
  /// there. No instruction does this: only the compiler is told.
  void keepOrder(ValueRange values);
  /// A group of `size` elements, of which `count` are read and the others zero,
  /// repeated for each of `lanes`.
  Value broadcastGroup(const KernelBuffer &buffer, Value offset, int64_t size,
                       int64_t count, int64_t lanes);
  /// The lanes below `count` are set.
  Value mask(Value count, int64_t lanes);
  Value broadcast(Value scalar, int64_t lanes);
  /// `lanes` elements of a vector from one on.
  Value lanesFrom(Value vector, int64_t first, int64_t lanes);
  Value any(Value conditions) { return anyLane(builder, loc, conditions); }
  /// Scratch memory in the function's frame.
  KernelBuffer scratch(Type element, int64_t elements);

  // -- Values
  // ------------------------------------------------------------------
  ScalarBuilder scalars(Type source, Type result) {
    return ScalarBuilder(builder, loc, source, result);
  }
  ScalarBuilder scalars(Type type) { return scalars(type, type); }
  /// From `source`, with its signedness, to `to`.
  Value convert(Value value, Type source, Type to);
  Value zero(Type element, int64_t lanes);
  /// a * b + c, in one instruction for floats.
  Value multiplyAdd(Value a, Value b, Value c);
  /// Adds the products of a group of elements to each lane of `sums`, as
  /// KernelTarget::depthGroup allows.
  Value multiplyAddGroups(Value a, Value b, Value sums);
  Value toIndex(Value integer);
  Value fromIndex(Value index, Type type);

private:
  /// Neighbouring numbers of 24 bits, as f32.
  Value loadWeights24(const KernelBuffer &buffer, Value offset, int64_t lanes);
  Value loadStored(const KernelBuffer &buffer, Value offset, int64_t lanes,
                   int64_t stride, Value mask);
  Value loadShuffled(const KernelBuffer &buffer, Value offset, int64_t lanes,
                     int64_t stride, Value mask);
  Value loadScalar(const KernelBuffer &buffer, Value offset);
  void storeScalar(Value value, const KernelBuffer &buffer, Value offset);
  Type storedType(Type element);
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_KERNELBUILDER_H
