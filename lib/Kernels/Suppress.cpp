//===- Suppress.cpp - non-maximum suppression -----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few boxes of a detector have a score, so these are collected into a heap. The
// best one that is left is compared with those chosen before it, whose edges
// lie side by side, a vector of them at once, until one overlaps it.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Suppress.h"
#include "glow/Kernels/Heap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
enum Operand : size_t {
  Boxes,
  Most,
  Threshold,
  Scores,
  Indices,
  Counts,
  Order,
  Chosen
};

/// Boxes, or one of them, by their top, left, bottom and right edges.
using Edges = std::array<Value, 4>;

/// Emits what is done for one batch and class.
class RowEmitter {
public:
  RowEmitter(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
             ArrayRef<Value> starts, int64_t lanes)
      : b(b), floats(b.scalars(b.builder.getF32Type())),
        bools(b.scalars(b.builder.getI1Type())),
        places(b.scalars(b.builder.getI32Type())), buffers(buffers),
        starts(starts), lanes(lanes) {}

  void emit();

private:
  using P = ScalarBuilder::Predicate;

  KernelRow row(Operand operand) const {
    return {buffers[operand], starts[operand], buffers[operand].strides.back()};
  }
  int64_t extent(Operand operand) const {
    return buffers[operand].shape.back();
  }
  Edges load(Operand operand, Value at, int64_t width) const;
  void store(const Edges &edges, Value at) const;

  Value collect();
  Heap heap();
  Value isOverlapped(const Edges &box, Value part, Value chosen);
  Value choose(Value found);

  Value greater(Value x, Value y) { return floats.compare(P::gt, x, y); }
  Value area(const Edges &boxes) {
    auto [top, left, bottom, right] = boxes;
    return floats.mul(floats.sub(bottom, top), floats.sub(right, left));
  }
  Value overlap(const Edges &boxes, const Edges &one, Value part);

  KernelBuilder &b;
  ScalarBuilder floats, bools, places;
  ArrayRef<KernelBuffer> buffers;
  ArrayRef<Value> starts;
  int64_t lanes;
};
} // namespace

Edges RowEmitter::load(Operand operand, Value at, int64_t width) const {
  KernelRow first = row(operand);
  int64_t distance = buffers[operand].strides.rbegin()[1];
  Edges edges;
  for (auto [i, edge] : llvm::enumerate(edges))
    edge = b.load(first.buffer, b.add(first.offset(b, at), i * distance), width,
                  first.stride);
  return edges;
}

/// To the boxes that are chosen, which lie side by side.
void RowEmitter::store(const Edges &edges, Value at) const {
  int64_t distance = buffers[Chosen].strides.rbegin()[1];
  for (auto [i, edge] : llvm::enumerate(edges))
    b.store(edge, buffers[Chosen],
            b.add(row(Chosen).offset(b, at), i * distance));
}

/// Whether more than a part of what two boxes cover is in both.
Value RowEmitter::overlap(const Edges &boxes, const Edges &one, Value part) {
  auto [top, left, bottom, right] = boxes;
  auto [top1, left1, bottom1, right1] = one;
  auto maximum = [&](Value x, Value y) {
    return floats.select(greater(x, y), x, y);
  };
  auto minimum = [&](Value x, Value y) {
    return floats.select(greater(y, x), x, y);
  };
  Value zero = floats.zero(top);
  Value height = floats.sub(minimum(bottom, bottom1), maximum(top, top1));
  Value width = floats.sub(minimum(right, right1), maximum(left, left1));
  Value shared = floats.mul(maximum(height, zero), maximum(width, zero));
  Value all = floats.add(area(boxes), area(one));
  Value share = floats.div(shared, floats.sub(all, shared));
  return floats.andi(greater(shared, zero), greater(share, part));
}

/// Moves the scores that are numbers to the start of their row, with the boxes'
/// places in `order`; returns how many there are.
Value RowEmitter::collect() {
  KernelRow scores = row(Scores), order = row(Order);
  int64_t count = extent(Scores), width = scores.stride == 1 ? lanes : 1;
  auto visit = [&](Value at, Value found) {
    Value score = scores.load(b, at);
    auto add = [&] {
      scores.store(b, score, found);
      order.store(b, b.fromIndex(at, order.buffer.type), found);
      return SmallVector<Value>{b.add(found, 1)};
    };
    auto skip = [&] { return SmallVector<Value>{found}; };
    return b.ifElse(floats.compare(P::eq, score, score), found.getType(), add,
                    skip);
  };
  auto visitAll = [&](Value low, Value high, Value found) {
    return b.loop(low, high, 1, found, [&](Value at, ValueRange values) {
      return visit(at, values[0]);
    });
  };
  int64_t whole = count / width * width;
  // Most vectors have none.
  auto found =
      b.loop(b.index(0), b.index(whole), width, b.index(0),
             [&](Value at, ValueRange values) {
               Value vector =
                   b.load(scores.buffer, scores.offset(b, at), width);
               return b.ifElse(
                   b.any(floats.compare(P::eq, vector, vector)),
                   b.builder.getIndexType(),
                   [&] { return visitAll(at, b.add(at, width), values[0]); },
                   [&] { return SmallVector<Value>{values[0]}; });
             });
  return visitAll(b.index(whole), b.index(count), found[0])[0];
}

/// Whose first element is the best box, of equal ones the first.
Heap RowEmitter::heap() {
  return Heap(b, row(Scores), row(Order),
              [this](Value x, Value i, Value y, Value j) {
                Value isLater = bools.andi(floats.compare(P::eq, x, y),
                                           places.compare(P::gt, i, j));
                return bools.ori(greater(y, x), isLater);
              });
}

Value RowEmitter::isOverlapped(const Edges &box, Value part, Value chosen) {
  Edges one;
  llvm::transform(box, one.begin(),
                  [&](Value edge) { return b.broadcast(edge, lanes); });
  Value parts = b.broadcast(part, lanes);
  Type types[] = {b.builder.getIndexType(), b.builder.getI1Type()};
  auto before = [&](OpBuilder &, Location, ValueRange state) {
    Value goesOn = b.both(b.less(state[0], chosen), bools.noti(state[1]));
    scf::ConditionOp::create(b.builder, b.loc, goesOn, state);
  };
  auto after = [&](OpBuilder &, Location, ValueRange state) {
    Value found = b.any(overlap(load(Chosen, state[0], lanes), one, parts));
    scf::YieldOp::create(b.builder, b.loc,
                         ValueRange{b.add(state[0], lanes), found});
  };
  auto loop = scf::WhileOp::create(
      b.builder, b.loc, TypeRange(types),
      ValueRange{b.index(0), b.zero(b.builder.getI1Type(), 1)}, before, after);
  return loop.getResult(1);
}

/// Returns how many boxes are chosen.
Value RowEmitter::choose(Value found) {
  KernelRow indices = row(Indices), order = row(Order);
  Value part = b.load(buffers[Threshold], starts[Threshold]);
  // As many as there is room for at most, whatever is asked for.
  ScalarBuilder numbers = b.scalars(buffers[Most].element);
  Value most = b.load(buffers[Most], starts[Most]);
  most =
      b.toIndex(numbers.clamp(most, numbers.zero(most),
                              numbers.constant(most, double(extent(Indices)))));
  Heap left = heap();
  left.make(found);
  Type index = b.builder.getIndexType(), types[] = {index, index};
  auto before = [&](OpBuilder &, Location, ValueRange state) {
    Value goesOn = b.both(b.less(b.index(0), state[0]), b.less(state[1], most));
    scf::ConditionOp::create(b.builder, b.loc, goesOn, state);
  };
  auto after = [&](OpBuilder &, Location, ValueRange state) {
    Value chosen = state[1], place = b.toIndex(order.load(b, b.index(0)));
    Value rest = b.sub(state[0], b.index(1));
    left.pop(rest);
    Edges box = load(Boxes, place, 1);
    auto add = [&] {
      // A new vector begins with boxes that no other overlaps.
      Value isFirst =
          arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::eq,
                                b.rem(chosen, lanes), b.index(0));
      b.ifThen(isFirst, [&] {
        Value none = b.zero(floats.source, lanes);
        store({none, none, none, none}, chosen);
      });
      store(box, chosen);
      indices.store(b, b.fromIndex(place, indices.buffer.type), chosen);
      return SmallVector<Value>{b.add(chosen, 1)};
    };
    auto drop = [&] { return SmallVector<Value>{chosen}; };
    Value next =
        b.ifElse(isOverlapped(box, part, chosen), index, drop, add).front();
    scf::YieldOp::create(b.builder, b.loc, ValueRange{rest, next});
  };
  auto loop =
      scf::WhileOp::create(b.builder, b.loc, TypeRange(types),
                           ValueRange{found, b.index(0)}, before, after);
  return loop.getResult(1);
}

void RowEmitter::emit() {
  Value chosen = choose(collect());
  b.store(b.fromIndex(chosen, buffers[Counts].type), buffers[Counts],
          starts[Counts]);
  KernelRow indices = row(Indices);
  b.loop(chosen, b.index(extent(Indices)), 1,
         [&](Value i) { indices.store(b, b.zero(indices.buffer.type, 1), i); });
}

/// Batches and classes.
static SmallVector<LoopAxis> rowsOf(ValueRange operands) {
  SmallVector<SmallVector<int64_t>> strides;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    BufferShape shape(operand);
    if (i == Most || i == Threshold)
      strides.push_back({0, 0});
    else if (i == Boxes)
      strides.push_back({shape.strides[0], 0});
    else
      strides.push_back({shape.strides[0], shape.strides[1]});
  }
  return makeAxes(BufferShape(operands[Counts]).shape, strides);
}

/// The boxes of one; what operands hold of them is found by their places.
static LoopAxis boxAxis(ValueRange operands) {
  LoopAxis row = LoopAxis::unit(operands.size());
  row.extent = BufferShape(operands[Scores]).shape.back();
  return row;
}

/// Steps for each box, most of which have no score.
static constexpr double kWork = 10;

SuppressKernel::SuppressKernel(ValueRange operands, const KernelTarget &target)
    : ScanKernel(rowsOf(operands), boxAxis(operands), kWork) {
  BufferShape chosen(operands[Chosen]);
  int64_t most = target.lanes(chosen.element);
  if (chosen.strides.back() == 1)
    lanes = std::min(most, kMostLanes);
}

void SuppressKernel::emitRows(KernelBuilder &b, const Rows &rows) const {
  RowEmitter(b, rows.buffers, rows.starts, lanes).emit();
}
