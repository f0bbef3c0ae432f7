//===- DecomposeLinear.cpp - gemm and col2im in smaller ops ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

/// `value` times `factor`, which is often 1.
static Value scaleBy(GraphBuilder &b, Value value, const APFloat &factor) {
  if (factor.isExactlyValue(1.0))
    return value;
  return b.mul(value, b.scalar(factor.convertToDouble(), elementType(value)));
}

FailureOr<SmallVector<Value>> GemmOp::decompose(OpBuilder &builder) {
  if (!isa<FloatType>(elementType(getA())) &&
      !(getAlpha().isInteger() && getBeta().isInteger()))
    return emitOpError("on integers needs integral 'alpha' and 'beta'");
  GraphBuilder b(builder, getLoc());
  Value lhs = getTransA() ? b.transpose(getA(), {1, 0}) : getA();
  Value rhs = getTransB() ? b.transpose(getB(), {1, 0}) : getB();
  Value result = scaleBy(b, b.matmul(lhs, rhs), getAlpha());
  if (getC() && !getBeta().isZero())
    result = b.add(result, scaleBy(b, getC(), getBeta()));
  return SmallVector<Value>{result};
}

/// Where every element of every window lies in the padded image, counted row by
/// row; windows run fastest.
static SmallVector<int64_t> windowPlaces(Col2ImOp op,
                                         ArrayRef<int64_t> padded) {
  SmallVector<int64_t> places{0}, taps{0};
  for (size_t i = 0; i < padded.size(); ++i) {
    int64_t dilation = op.getDilations()[i], kernel = op.getKernelShape()[i];
    int64_t extent = padded[i], last = extent - (kernel - 1) * dilation - 1;
    auto extend = [&](ArrayRef<int64_t> outer, int64_t end, int64_t step) {
      SmallVector<int64_t> inner;
      for (int64_t place : outer)
        for (int64_t at = 0; at <= end; at += step)
          inner.push_back(place * extent + at);
      return inner;
    };
    places = extend(places, last, op.getStrides()[i]);
    taps = extend(taps, (kernel - 1) * dilation, dilation);
  }
  SmallVector<int64_t> all;
  for (int64_t tap : taps)
    for (int64_t place : places)
      all.push_back(tap + place);
  return all;
}

/// Whether each pixel of the padded image lies in one window.
static bool areTiles(Col2ImOp op, ArrayRef<int64_t> padded) {
  for (auto [extent, kernel, stride, dilation] : llvm::zip_equal(
           padded, op.getKernelShape(), op.getStrides(), op.getDilations()))
    if (stride != kernel || extent % stride != 0 ||
        (dilation != 1 && kernel != 1))
      return false;
  return true;
}

/// Puts windows of which none overlap side by side.
static Value joinTiles(GraphBuilder &b, Col2ImOp op, ArrayRef<int64_t> padded) {
  ArrayRef<int64_t> kernel = op.getKernelShape();
  Dims whole(dimsOf(op.getResult()).take_front(2)), windows(whole);
  llvm::append_range(windows, kernel);
  SmallVector<int64_t> permutation{0, 1};
  int64_t rank = padded.size();
  for (auto [i, extent] : llvm::enumerate(padded)) {
    windows.push_back(extent / kernel[i]);
    llvm::append_values(permutation, 2 + rank + i, 2 + i);
    whole.push_back(extent);
  }
  Value tiles = b.transpose(b.reshape(op.getInput(), windows), permutation);
  return b.reshape(tiles, whole);
}

/// Adds the windows to an image of zeros, with the pixels in front.
static Value addWindows(GraphBuilder &b, Col2ImOp op,
                        ArrayRef<int64_t> padded) {
  int64_t batch = dimsOf(op.getResult())[0],
          channels = dimsOf(op.getResult())[1];
  SmallVector<int64_t> places = windowPlaces(op, padded);
  int64_t count = places.size();
  Value windows = b.reshape(op.getInput(), {batch, channels, count});
  Value zeros =
      b.create<SplatOp>(b.scalar(0, elementType(op.getInput())),
                        b.ints({*numElements(padded), batch, channels}));
  Value sums = b.create<ScatterNDOp>(ScatterKind::Add, zeros,
                                     b.reshape(b.ints(places), {count, 1}),
                                     b.transpose(windows, {2, 0, 1}),
                                     /*count=*/Value());
  Dims whole{batch, channels};
  llvm::append_range(whole, padded);
  return b.reshape(b.transpose(sums, {1, 2, 0}), whole);
}

/// Whether windows are as many as there are places, of few taps.
static bool areShifted(Col2ImOp op) {
  constexpr int64_t kMostTaps = 32;
  ArrayRef<int64_t> kernel = op.getKernelShape();
  return llvm::all_of(op.getStrides(), [](int64_t s) { return s == 1; }) &&
         std::accumulate(kernel.begin(), kernel.end(), int64_t(0)) <= kMostTaps;
}

/// Adds images of one tap each, which are shifted along one axis after the
/// other: what is added lies side by side then, and is not turned.
static Value addShifted(GraphBuilder &b, Col2ImOp op) {
  ArrayRef<int64_t> kernel = op.getKernelShape(), pads = op.getPads();
  Dims dims(dimsOf(op.getResult()).take_front(2));
  int64_t rank = kernel.size();
  llvm::append_range(dims, kernel);
  for (auto [i, image] : llvm::enumerate(op.getImageShape()))
    dims.push_back(image + pads[i] + pads[rank + i] -
                   (kernel[i] - 1) * op.getDilations()[i]);
  Value sum = b.reshape(op.getInput(), dims);
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    // The axis of taps goes, the last one before those of the image.
    int64_t taps = 2 + axis, places = taps + axis;
    Dims one(dimsOf(sum));
    one.erase(one.begin() + taps);
    Value parts = sum;
    sum = {};
    for (int64_t tap = 0; tap < kernel[axis]; ++tap) {
      Dims around(2 * one.size(), 0);
      int64_t before = tap * op.getDilations()[axis] - pads[axis];
      around[places] = before;
      around[one.size() + places] =
          op.getImageShape()[axis] - one[places] - before;
      Value part = b.create<PadOp>(
          PadMode::Constant, b.reshape(b.slice(parts, taps, tap, tap + 1), one),
          b.ints(around), Value());
      sum = sum ? b.add(sum, part) : part;
    }
  }
  return sum;
}

FailureOr<SmallVector<Value>> Col2ImOp::decompose(OpBuilder &builder) {
  ArrayRef<int64_t> result = dimsOf(getResult()), image = getImageShape();
  if (llvm::any_of(result, ShapedType::isDynamic))
    return emitOpError("needs an input of known shape");
  Dims padded;
  for (auto [i, extent] : llvm::enumerate(image))
    padded.push_back(extent + getPads()[i] + getPads()[image.size() + i]);
  GraphBuilder b(builder, getLoc());
  if (llvm::is_contained(result, 0))
    return SmallVector<Value>{b.create<SplatOp>(
        b.scalar(0, elementType(getInput())), b.ints(result))};
  if (areShifted(*this))
    return SmallVector<Value>{addShifted(b, *this)};
  Value images = areTiles(*this, padded) ? joinTiles(b, *this, padded)
                                         : addWindows(b, *this, padded);
  for (auto [i, extent] : llvm::enumerate(image))
    if (extent != padded[i])
      images = b.slice(images, 2 + i, getPads()[i], getPads()[i] + extent);
  return SmallVector<Value>{images};
}
