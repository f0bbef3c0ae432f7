//===- PadConvs.cpp - give convolutions a padded input --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interfaces/FewRegisters.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "glow/Support/Winograd.h"
#include "mlir/IR/Builders.h"
#include <set>

namespace mlir::glow::inst {
#define GEN_PASS_DEF_PADCONVS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Fills what the pads add along one axis and returns what is between.
static Value fillBorder(OpBuilder &builder, Location loc, Value buffer,
                        int64_t axis, int64_t before, int64_t after) {
  auto type = cast<MemRefType>(buffer.getType());
  auto zero = cast<TypedAttr>(
      builder.getZeroAttr(ScalarBuilder::signless(type.getElementType())));
  int64_t extent = type.getDimSize(axis);
  if (before)
    FillOp::create(builder, loc,
                   sliceView(builder, loc, buffer, axis, 0, before), zero);
  if (after)
    FillOp::create(builder, loc,
                   sliceView(builder, loc, buffer, axis, extent - after, after),
                   zero);
  return sliceView(builder, loc, buffer, axis, before, extent - before - after);
}

/// Inputs along a spatial axis that the tiles of a Winograd convolution read.
static int64_t wholeTiles(ConvOp conv, int64_t axis) {
  ArrayRef<int64_t> places =
      cast<MemRefType>(conv.getOutput().getType()).getShape().drop_front();
  return winogradTileOf(conv)->along(axis).inputsOf(places[axis]);
}

/// Products with zeros, as a part of all, from which on a kernel should rather
/// leave taps out. Where it does, its loop over them has bounds that it must
/// compute, and their number differs from place to place.
static constexpr double kMostZeros = 0.0625;

/// With few registers, a tile of two vectors has so many rows. Lines of one
/// place more fill tiles only together, and for that windows must be alike.
static constexpr int64_t kFewRows = 6;
static constexpr double kMostZerosOfJoinedLines = 0.125;

/// Does padding an axis cost more products than clipped windows cost time?
/// Along the last axis kernels take neighbouring windows together, which should
/// not differ, and tile registers take neighbouring lines too.
static bool prefersClipping(ConvOp conv, int64_t axis,
                            const KernelTarget &target) {
  int64_t rank = conv.getSpatialRank(), first = conv.getFirstSpatialAxis();
  Type element = cast<MemRefType>(conv.getInput().getType()).getElementType();
  if (conv.getWinograd() || axis + 1 == rank || target.tileDepth(element))
    return false;
  auto extentOf = [&](Value buffer, int64_t axis) {
    return cast<MemRefType>(buffer.getType()).getDimSize(first + axis);
  };
  int64_t input = extentOf(conv.getInput(), axis), inside = 0;
  int64_t output = extentOf(conv.getOutput(), axis);
  int64_t kernel = conv.getKernelShape()[axis],
          stride = conv.getStrides()[axis];
  for (int64_t tap = 0; tap < kernel; ++tap) {
    // Windows whose tap lies within the input.
    int64_t place = tap * conv.getDilations()[axis] - conv.getPads()[axis];
    int64_t begin =
        std::max<int64_t>(llvm::divideCeilSigned(-place, stride), 0);
    int64_t end =
        std::min(llvm::divideCeilSigned(input - place, stride), output);
    inside += std::max<int64_t>(end - begin, 0);
  }
  bool joinsLines = hasFewRegisters(target) && conv.getGroup() == 1 &&
                    extentOf(conv.getOutput(), rank - 1) == kFewRows + 1;
  double zeros = joinsLines ? kMostZerosOfJoinedLines : kMostZeros;
  return inside < (1 - zeros) * output * kernel;
}

namespace {
/// What a convolution wants around its input, and which of its pads kernels
/// clip windows for.
struct Border {
  SmallVector<int64_t> pads, clipped;

  Border(ConvOp conv, const KernelTarget &target);
  bool isEmpty() const {
    return llvm::all_of(pads, [](int64_t pad) { return pad == 0; });
  }
};

/// The channels of a tensor that an input holds: some, as a group's does, or
/// all.
struct ChannelSlice {
  Value whole;
  int64_t axis, start, size;

  int64_t channels() const {
    return cast<MemRefType>(whole.getType()).getDimSize(axis);
  }
};

/// A tensor of which convolutions with borders read some or all channels.
struct SlicedTensor {
  std::set<std::pair<int64_t, int64_t>> slices; // first and end
  SmallVector<int64_t> pads;                    // the widest ones
  Value padded;

  void add(const ChannelSlice &slice, const Border &border);
  /// Whether they read all channels.
  bool isWhole(int64_t channels) const;
};

/// What writes to a buffer: the last position, and the op if it is the only
/// one.
struct Writes {
  int64_t last = -1;
  Operation *only = nullptr;

  static Writes of(Value root, const Accesses &accesses) {
    Writes writes;
    for (const Access &access : accesses.of(root)) {
      if (!access.writes)
        continue;
      writes.only = writes.last < 0 ? access.op : nullptr;
      writes.last = std::max(writes.last, access.position);
    }
    return writes;
  }
};

struct PadConvs : public inst::impl::PadConvsBase<PadConvs> {
  using PadConvsBase::PadConvsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      dropPlan(block);
      run(block);
    }
  }

private:
  void run(Block &block);
  Writes writesTo(Value root, const Accesses &accesses);
  std::optional<ChannelSlice> sliceOf(ConvOp conv, const Accesses &accesses);
  std::optional<ChannelSlice> wholeOf(ConvOp conv, const Accesses &accesses);
  SlicedTensor &tensorOf(const ChannelSlice &slice) {
    return sliced[{slice.whole, slice.axis}];
  }
  void padInput(ConvOp conv, const Border &border,
                const std::optional<ChannelSlice> &slice);

  DenseMap<std::pair<Value, int64_t>, SlicedTensor> sliced;
  DenseMap<Value, Writes> writes;
};
} // namespace

void SlicedTensor::add(const ChannelSlice &slice, const Border &border) {
  slices.emplace(slice.start, slice.start + slice.size);
  pads.resize(border.pads.size(), 0);
  for (auto [widest, pad] : llvm::zip(pads, border.pads))
    widest = std::max(widest, pad);
}

bool SlicedTensor::isWhole(int64_t channels) const {
  int64_t end = 0;
  for (auto [first, next] : slices) {
    if (first > end)
      return false;
    end = std::max(end, next);
  }
  return end == channels;
}

Border::Border(ConvOp conv, const KernelTarget &target) : pads(conv.getPads()) {
  int64_t rank = conv.getSpatialRank(), first = conv.getFirstSpatialAxis();
  clipped.assign(2 * rank, 0);
  for (int64_t i = 0; i < rank; ++i) {
    if (prefersClipping(conv, i, target))
      for (int64_t side : {i, rank + i})
        std::swap(pads[side], clipped[side]);
    int64_t extent =
        cast<MemRefType>(conv.getInput().getType()).getDimSize(first + i);
    if (conv.getWinograd())
      pads[rank + i] = wholeTiles(conv, i) - extent - pads[i];
  }
}

/// A copy of `buffer`, whose spatial axes begin with `first`, within a border.
static Value pad(OpBuilder &builder, Location loc, Value buffer, int64_t first,
                 ArrayRef<int64_t> pads) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t rank = pads.size() / 2;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i = 0; i < rank; ++i)
    shape[first + i] += pads[i] + pads[rank + i];
  Value padded =
      AllocOp::create(builder, loc,
                      MemRefType::get(shape, type.getElementType(), nullptr,
                                      type.getMemorySpace()),
                      IntegerAttr());
  Value interior = padded;
  for (int64_t i = 0; i < rank; ++i)
    if (pads[i] || pads[rank + i])
      interior = fillBorder(builder, loc, interior, first + i, pads[i],
                            pads[rank + i]);
  CopyOp::create(builder, loc, buffer, interior);
  return padded;
}

Writes PadConvs::writesTo(Value root, const Accesses &accesses) {
  auto [known, isNew] = writes.try_emplace(root);
  if (isNew)
    known->second = Writes::of(root, accesses);
  return known->second;
}

/// Nothing if the input is no copy of some channels of a tensor that is
/// complete by then.
std::optional<ChannelSlice> PadConvs::sliceOf(ConvOp conv,
                                              const Accesses &accesses) {
  if (!conv.isChannelsLast() || !conv.getInput().getDefiningOp<AllocOp>())
    return std::nullopt;
  auto copy =
      dyn_cast_or_null<CopyOp>(writesTo(conv.getInput(), accesses).only);
  if (!copy || copy.getDestination() != conv.getInput() ||
      accesses.position(copy) > accesses.position(conv))
    return std::nullopt;
  auto view = copy.getSource().getDefiningOp<ViewOp>();
  if (!view || !view.getSource().getDefiningOp<AllocOp>())
    return std::nullopt;
  auto whole = cast<MemRefType>(view.getSource().getType());
  auto part = cast<MemRefType>(view.getType());
  StridedLayout layout = layoutOf(view);
  if (writesTo(view.getSource(), accesses).last > accesses.position(copy) ||
      part.getElementType() != whole.getElementType() ||
      part.getRank() != whole.getRank() ||
      layoutOf(view.getSource()).strides != layout.strides ||
      part.getShape().drop_back() != whole.getShape().drop_back())
    return std::nullopt;
  return ChannelSlice{view.getSource(), part.getRank() - 1, layout.offset,
                      part.getShape().back()};
}

/// All that a convolution reads; nothing if it may still change.
std::optional<ChannelSlice> PadConvs::wholeOf(ConvOp conv,
                                              const Accesses &accesses) {
  Value root = rootBuffer(conv.getInput());
  if (conv->getBlock() != root.getParentBlock() ||
      writesTo(root, accesses).last > accesses.position(conv))
    return std::nullopt;
  int64_t axis = conv.isChannelsLast() ? 1 + conv.getSpatialRank() : 1;
  ChannelSlice all{conv.getInput(), axis, 0, 0};
  all.size = all.channels();
  return all;
}

/// What is between the border that a convolution wants and a wider one.
static Value cropBorder(OpBuilder &builder, Location loc, Value padded,
                        int64_t first, ArrayRef<int64_t> has,
                        ArrayRef<int64_t> wanted) {
  int64_t rank = has.size() / 2;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t before = has[i] - wanted[i];
    int64_t after = has[rank + i] - wanted[rank + i];
    int64_t extent = cast<MemRefType>(padded.getType()).getDimSize(first + i);
    if (before || after)
      padded = sliceView(builder, loc, padded, first + i, before,
                         extent - before - after);
  }
  return padded;
}

/// Without a slice, the input has a border of its own.
void PadConvs::padInput(ConvOp conv, const Border &border,
                        const std::optional<ChannelSlice> &slice) {
  OpBuilder builder(conv);
  Location loc = conv.getLoc();
  int64_t first = conv.getFirstSpatialAxis();
  Value input;
  if (slice) {
    SlicedTensor &tensor = tensorOf(*slice);
    if (!tensor.padded)
      tensor.padded = pad(builder, loc, slice->whole, first, tensor.pads);
    input = cropBorder(builder, loc, tensor.padded, first, tensor.pads,
                       border.pads);
    if (slice->size < slice->channels())
      input = sliceView(builder, loc, input, slice->axis, slice->start,
                        slice->size);
  } else {
    input = pad(builder, loc, conv.getInput(), first, border.pads);
  }
  conv.getInputMutable().assign(input);
  conv.setPads(border.clipped);
}

void PadConvs::run(Block &block) {
  sliced.clear();
  writes.clear();
  Accesses accesses(block);
  SmallVector<std::tuple<ConvOp, Border, std::optional<ChannelSlice>>> convs;
  block.walk([&](ConvOp conv) {
    Border border(conv, target);
    if (border.isEmpty())
      return;
    auto slice = sliceOf(conv, accesses);
    if (!slice)
      slice = wholeOf(conv, accesses);
    if (slice)
      tensorOf(*slice).add(*slice, border);
    convs.emplace_back(conv, std::move(border), slice);
  });
  for (auto &[conv, border, slice] : convs)
    if (slice && !tensorOf(*slice).isWhole(slice->channels())) {
      slice = wholeOf(conv, accesses);
      if (slice)
        tensorOf(*slice).add(*slice, border);
    }
  for (const auto &[conv, border, slice] : convs)
    padInput(conv, border, slice);
}
