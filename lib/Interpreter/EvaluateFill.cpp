//===- EvaluateFill.cpp - ops that make elements, and padding -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Movement.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

LogicalResult SplatOp::evaluate(Inputs in, Outputs out) {
  auto type = cast<RankedTensorType>(getType());
  Dims shape = type.hasStaticShape() ? Dims(type.getShape())
                                     : Dims(in.getShape().ints());
  if (failed(allocateResult(*this, shape, out[0])))
    return failure();
  unsigned width = out[0].elementBytes();
  for (int64_t i = 0; i < out[0].size(); ++i)
    std::memcpy(out[0].mutableBytes() + i * width, in.getValue().bytes(),
                width);
  return success();
}

template <typename Lane> static Lane scalar(const Tensor &tensor) {
  Lane lane;
  tensor.read(0, 1, &lane);
  return lane;
}

/// Fills `out` with start + i * delta.
template <typename Lane>
static void fillRange(Lane start, Lane delta, Tensor &out) {
  for (int64_t i = 0; i < out.size(); ++i) {
    Lane lane = start + static_cast<Lane>(i) * delta;
    out.write(i, 1, &lane);
  }
}

LogicalResult RangeOp::evaluate(Inputs in, Outputs out) {
  double start = scalar<double>(in.getStart());
  double limit = scalar<double>(in.getLimit());
  double delta = scalar<double>(in.getDelta());
  bool isFloat = in.getStart().format().isFloat();
  auto extent = isFloat ? rangeLength(start, limit, delta)
                        : rangeLength(scalar<int64_t>(in.getStart()),
                                      scalar<int64_t>(in.getLimit()),
                                      scalar<int64_t>(in.getDelta()));
  if (!extent)
    return emitOpError("from ") << start << " to " << limit << " by " << delta
                                << " has no end or more than 2^40 elements";
  if (failed(allocateResult(*this, {*extent}, out[0])))
    return failure();
  if (isFloat)
    fillRange(start, delta, out[0]);
  else
    fillRange(scalar<int64_t>(in.getStart()), scalar<int64_t>(in.getDelta()),
              out[0]);
  return success();
}

LogicalResult TriluOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t k = in.getK() ? scalar<int64_t>(in.getK()) : 0;
  if (failed(allocateResult(*this, input.getShape(), out[0])))
    return failure();
  int64_t rank = input.getRank(), rows = input.getDim(rank - 2);
  int64_t columns = input.getDim(rank - 1);
  // Beyond the matrix every diagonal is the same: this avoids overflow below.
  k = std::min(std::max(k, -rows), columns);
  unsigned width = input.elementBytes();
  for (int64_t i = 0; columns && i < input.size() / columns; ++i) {
    int64_t diagonal = i % rows + k;
    int64_t begin = getUpper() ? diagonal : 0;
    int64_t end = getUpper() ? columns : diagonal + 1;
    begin = std::min(std::max<int64_t>(begin, 0), columns);
    end = std::min(std::max(end, begin), columns);
    int64_t offset = (i * columns + begin) * width;
    std::memcpy(out[0].mutableBytes() + offset, input.bytes() + offset,
                (end - begin) * width);
  }
  return success();
}

/// Where position `i`, which may lie outside 0 … extent - 1, reads from.
static int64_t sourcePlace(PadMode mode, int64_t i, int64_t extent) {
  if (i >= 0 && i < extent)
    return i;
  switch (mode) {
  case PadMode::Constant:
    break;
  case PadMode::Edge:
    return i < 0 ? 0 : extent - 1;
  case PadMode::Wrap:
    return (i % extent + extent) % extent;
  case PadMode::Reflect: {
    if (extent == 1)
      return 0;
    int64_t period = 2 * (extent - 1);
    int64_t phase = (i % period + period) % period;
    return phase < extent ? phase : period - phase;
  }
  }
  llvm_unreachable("all modes are covered");
}

/// The places that one padded axis reads. Negative pads cut first, and may cut
/// all of the input and some of what pads at the other end.
static FailureOr<AxisPlaces> paddedPlaces(PadOp op, int64_t extent,
                                          int64_t before, int64_t after) {
  if (op.getMode() == PadMode::Constant && extent + before + after >= 0 &&
      extent + before + after <= Tensor::kMaxBytes) {
    AxisPlaces places(extent + before + after, -1);
    for (int64_t i = std::max<int64_t>(before, 0);
         i < std::min<int64_t>(before + extent, places.size()); ++i)
      places[i] = i - before;
    return places;
  }
  int64_t cut = std::max<int64_t>(-before, 0);
  int64_t kept = extent - cut - std::max<int64_t>(-after, 0);
  before = std::max<int64_t>(before, 0);
  after = std::max<int64_t>(after, 0);
  int64_t total = kept + before + after;
  if (kept < 0 || total > Tensor::kMaxBytes || (kept == 0 && total))
    return op.emitOpError("cannot pad an axis of extent ")
           << extent << " by " << before << " and " << after;
  AxisPlaces places(total);
  for (int64_t i = 0; i < total; ++i) {
    int64_t place = sourcePlace(op.getMode(), i - before, kept);
    places[i] = place < 0 ? -1 : place + cut;
  }
  return places;
}

LogicalResult PadOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> pads = in.getPads().ints();
  size_t rank = input.getRank();
  if (pads.size() != 2 * rank)
    return emitOpError("needs ") << 2 * rank << " pads, not " << pads.size();
  SmallVector<AxisPlaces> places;
  Dims dims;
  for (size_t i = 0; i < rank; ++i) {
    // Bounds first, so that the sums cannot overflow.
    for (int64_t pad : {pads[i], pads[rank + i]})
      if (pad > Tensor::kMaxBytes || pad < -Tensor::kMaxBytes)
        return emitOpError("pad of ") << pad << " is out of range";
    FailureOr<AxisPlaces> axis =
        paddedPlaces(*this, input.getDim(i), pads[i], pads[rank + i]);
    if (failed(axis))
      return failure();
    dims.push_back(axis->size());
    places.push_back(std::move(*axis));
  }
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  Tensor value = in.getValue();
  gatherByAxes(input, places, value ? value.bytes() : nullptr, out[0]);
  return success();
}
