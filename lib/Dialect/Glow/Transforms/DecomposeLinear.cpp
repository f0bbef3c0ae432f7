//===- DecomposeLinear.cpp - gemm and col2im in smaller ops ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

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

/// Adds the windows to an image of zeros, with the pixels in front.
FailureOr<SmallVector<Value>> Col2ImOp::decompose(OpBuilder &builder) {
  ArrayRef<int64_t> result = dimsOf(getResult()), image = getImageShape();
  if (llvm::any_of(result, ShapedType::isDynamic))
    return emitOpError("needs an input of known shape");
  Dims padded;
  for (auto [i, extent] : llvm::enumerate(image))
    padded.push_back(extent + getPads()[i] + getPads()[image.size() + i]);
  int64_t batch = result[0], channels = result[1];
  int64_t pixels = *numElements(padded);
  SmallVector<int64_t> places = windowPlaces(*this, padded);
  int64_t count = places.size();
  GraphBuilder b(builder, getLoc());
  Value windows = b.reshape(getInput(), {batch, channels, count});
  Value zeros = b.create<SplatOp>(b.scalar(0, elementType(getInput())),
                                  b.ints({pixels, batch, channels}));
  Value sums = b.create<ScatterNDOp>(ScatterKind::Add, zeros,
                                     b.reshape(b.ints(places), {count, 1}),
                                     b.transpose(windows, {2, 0, 1}));
  padded.insert(padded.begin(), {batch, channels});
  Value images = b.reshape(b.transpose(sums, {1, 2, 0}), padded);
  for (auto [i, extent] : llvm::enumerate(image))
    if (extent != padded[2 + i])
      images = b.slice(images, 2 + i, getPads()[i], getPads()[i] + extent);
  return SmallVector<Value>{images};
}
