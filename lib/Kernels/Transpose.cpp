//===- Transpose.cpp - copies between crossed axes ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Transpose.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// Operands of the nest: destination, source, and the number of the block of
/// places across.
enum : size_t { To, From, BlockNumber };

int64_t JoinedAxes::extent() const {
  int64_t product = 1;
  for (const LoopAxis &axis : axes)
    product *= axis.extent;
  return product;
}

Value JoinedAxes::offset(KernelBuilder &b, Value start, Value place,
                         int64_t further) const {
  // The constant comes last, as part of the address.
  if (axes.size() == 1) {
    int64_t stride = axes.front().strides[operand];
    return b.add(b.add(start, b.mul(place, stride)), further * stride);
  }
  SmallVector<int64_t> extents;
  for (const LoopAxis &axis : axes)
    extents.push_back(axis.extent);
  SmallVector<Value> indices = b.delinearize(b.add(place, further), extents);
  for (auto [axis, index] : llvm::zip(axes, indices))
    start = b.add(start, b.mul(index, axis.strides[operand]));
  return start;
}

/// Takes from `axes` what continues `joined` in the buffer `own`, as long as
/// squares of `lanes` would overlap much.
static void join(SmallVector<LoopAxis> &axes, JoinedAxes &joined, size_t own,
                 int64_t lanes) {
  constexpr int64_t kEnough = 2;
  while (!joined.isBounded() && joined.extent() < kEnough * lanes &&
         joined.extent() % lanes) {
    auto *next = llvm::find_if(axes, [&](const LoopAxis &axis) {
      return axis.strides[own] == joined.extent();
    });
    if (next == axes.end())
      return;
    joined.axes.insert(joined.axes.begin(), *next);
    axes.erase(next);
  }
}

/// The same for both, if squares become large enough to be worth the divisions
/// that each of their rows takes.
static void joinBoth(SmallVector<LoopAxis> &axes, JoinedAxes &across,
                     JoinedAxes &along, int64_t lanes) {
  constexpr int64_t kLeast = 8;
  SmallVector<LoopAxis> others = axes;
  JoinedAxes source = across, destination = along;
  join(others, destination, To, lanes);
  join(others, source, From, lanes);
  if (std::min({lanes, source.extent(), destination.extent()}) < kLeast)
    return;
  std::tie(axes, across, along) = std::tie(others, source, destination);
}

/// The nest's axis of steps over `joined`, each of them `places` long.
static LoopAxis stepsOver(const JoinedAxes &joined, int64_t places) {
  const LoopAxis &outer = joined.axes.front();
  return {static_cast<int64_t>(llvm::divideCeil(joined.extent(), places)),
          {0, 0, 0},
          outer.bound,
          outer.perBound * joined.extent() / outer.extent,
          places};
}

/// Whether lines of a few rows at this distance do not stay in the first-level
/// cache, as they are in two of its sets or one.
static bool haveFewSets(const LoopAxis &rows, size_t operand, int64_t bytes) {
  constexpr int64_t kDistance = 2048;
  return rows.strides[operand] * bytes % kDistance == 0;
}

/// Vectors that are shorter than a line leave the rest of each line of the
/// source for the next block, when many others have been read. Two and more
/// squares at once read all of it, but write to parts of more lines.
static int64_t placesOfBlock(const JoinedAxes &across, const JoinedAxes &along,
                             int64_t lanes, int64_t bytes) {
  int64_t line = std::max(lanes, KernelTarget::kLineBytes / bytes);
  bool loses = haveFewSets(across.axes.back(), To, bytes) &&
               !haveFewSets(along.axes.back(), From, bytes);
  return across.extent() < line || loses ? lanes : line;
}

std::unique_ptr<Kernel> TransposeKernel::make(Value source, Value destination,
                                              const BoundedAxes &bounded,
                                              const KernelTarget &target,
                                              bool nontemporal) {
  BufferShape from(source), to(destination);
  SmallVector<LoopAxis> axes =
      makeAxes(to.shape, {to.strides, from.strides}, bounded);
  orderAxes(axes, To);
  axes = mergeAxes(axes);
  auto *crossed = llvm::find_if(
      axes, [](const LoopAxis &axis) { return axis.strides[From] == 1; });
  if (axes.size() < 2 || crossed == axes.end() || crossed == &axes.back() ||
      axes.back().strides[To] != 1)
    return nullptr;
  JoinedAxes across{{*crossed}, To}, along{{axes.pop_back_val()}, From};
  axes.erase(crossed);
  int64_t most = std::min<int64_t>(16, target.vectorBits / (8 * to.bytes()));
  joinBoth(axes, across, along, most);
  int64_t lanes = llvm::bit_floor<uint64_t>(
      std::min({most, across.extent(), along.extent()}));
  if (lanes < 4)
    return nullptr;
  int64_t places = placesOfBlock(across, along, lanes, to.bytes());
  for (LoopAxis &axis : axes)
    axis.strides.push_back(0);
  axes.push_back(stepsOver(across, places));
  axes.back().strides = {0, places, 1};
  axes.push_back(stepsOver(along, 1));
  return std::unique_ptr<Kernel>(new TransposeKernel(
      std::move(axes), lanes, places, std::move(across), std::move(along),
      nontemporal && target.hasNontemporalStores() && to.liesInVectors(lanes) &&
          lanes * to.bytes() >= KernelTarget::kLineBytes));
}

void TransposeKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                           Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  auto emitAll = [&] { emitNest(b, buffers, begin, end); };
  if (!nontemporal)
    return emitAll();
  // One of the nest's axes counts blocks.
  Value elements = nest.elements(b);
  if (elements)
    elements = b.mul(elements, places);
  b.storeNontemporal(MutableArrayRef(buffers).drop_front(), elements, emitAll);
}

void TransposeKernel::emitNest(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               Value begin, Value end) const {
  int64_t wholeBlocks = across.extent() / places,
          rest = across.extent() % places;
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    auto emitFrom = [&](int64_t known) {
      Value place = b.mul(offsets[BlockNumber], places);
      emitBlock(b, buffers,
                {offsets[To], b.sub(offsets[From], b.index(known)),
                 b.sub(place, b.index(known)), known},
                low, high);
      return SmallVector<Value>();
    };
    if (!rest)
      emitFrom(0);
    else
      b.ifElse(
          b.less(offsets[BlockNumber], b.index(wholeBlocks)), {},
          [&] { return emitFrom(0); }, [&] { return emitFrom(places - rest); });
  });
}

void TransposeKernel::emitBlock(KernelBuilder &b,
                                ArrayRef<KernelBuffer> buffers,
                                const Block &block, Value low,
                                Value high) const {
  Value whole = b.add(low, b.mul(b.div(b.sub(high, low), lanes), lanes));
  b.loop(low, whole, lanes,
         [&](Value i) { emitSquares(b, buffers, block, i); });
  auto none = [] { return SmallVector<Value>(); };
  auto emitLast = [&] {
    emitSquares(b, buffers, block, b.sub(high, b.index(lanes)));
    return SmallVector<Value>();
  };
  auto emitOne = [&] {
    emitElements(b, buffers, block, whole, high);
    return SmallVector<Value>();
  };
  // Stores past the caches are of whole vectors at multiples of their size.
  if (buffers[1].nontemporal) {
    emitOne();
    return;
  }
  auto emitRest = [&] {
    return b.ifElse(b.less(low, whole), {}, emitLast, emitOne);
  };
  b.ifElse(b.less(whole, high), {}, emitRest, none);
}

void TransposeKernel::emitElements(KernelBuilder &b,
                                   ArrayRef<KernelBuffer> buffers,
                                   const Block &block, Value low,
                                   Value high) const {
  b.loop(b.index(block.known), b.index(places), 1, [&](Value row) {
    Value to = across.offset(b, block.destination, b.add(block.place, row));
    Value from = b.add(block.source, row);
    b.loop(low, high, 1, [&](Value i) {
      Value element = b.load(buffers[0], along.offset(b, from, i));
      b.store(element, buffers[1], b.add(to, i));
    });
  });
}

/// Exchanges the off-diagonal blocks of each pair of rows `distance` apart;
/// over all powers of two this turns the square.
static void exchangeBlocks(KernelBuilder &b, MutableArrayRef<Value> rows,
                           int64_t distance) {
  int64_t lanes = rows.size();
  SmallVector<int64_t> upper, lower;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool isRight = lane & distance;
    upper.push_back(isRight ? lanes + lane - distance : lane);
    lower.push_back(isRight ? lanes + lane : lane + distance);
  }
  for (int64_t row = 0; row < lanes; ++row) {
    if (row & distance)
      continue;
    Value x = rows[row], y = rows[row + distance];
    rows[row] = vector::ShuffleOp::create(b.builder, b.loc, x, y, upper);
    rows[row + distance] =
        vector::ShuffleOp::create(b.builder, b.loc, x, y, lower);
  }
}

void glow::turnSquare(KernelBuilder &b, MutableArrayRef<Value> rows) {
  for (size_t distance = 1; distance < rows.size(); distance *= 2)
    exchangeBlocks(b, rows, distance);
}

void TransposeKernel::emitSquares(KernelBuilder &b,
                                  ArrayRef<KernelBuffer> buffers,
                                  const Block &block, Value first) const {
  Value destination = b.add(block.destination, first);
  for (int64_t place = block.known / lanes * lanes; place < places;
       place += lanes) {
    Value source = b.add(block.source, b.index(place));
    SmallVector<Value> rows;
    for (int64_t i = 0; i < lanes; ++i)
      rows.push_back(
          b.load(buffers[0], along.offset(b, source, first, i), lanes));
    turnSquare(b, rows);
    for (int64_t i = std::max(place, block.known); i < place + lanes; ++i)
      b.store(rows[i - place], buffers[1],
              across.offset(b, destination, block.place, i));
  }
}
