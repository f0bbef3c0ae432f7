//===- WindowPlaces.cpp - which inputs a sliding window reads -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WindowPlaces.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult SlidingWindow::inferOutput(Location location, bool ceil) {
  output.clear();
  for (size_t i = 0; i < input.size(); ++i) {
    FailureOr<int64_t> extent =
        windowExtent(location, input[i],
                     {kernel[i], strides[i], dilations[i], padsBefore[i],
                      padsAfter[i], ceil});
    if (failed(extent))
      return failure();
    output.push_back(*extent);
  }
  return success();
}

int64_t SlidingWindow::place(ArrayRef<int64_t> at,
                             ArrayRef<int64_t> tap) const {
  int64_t place = 0;
  bool inside = true;
  for (size_t i = 0; i < input.size(); ++i) {
    int64_t position =
        at[i] * strides[i] + tap[i] * dilations[i] - padsBefore[i];
    if (position >= input[i] + padsAfter[i])
      return -2;
    inside &= position >= 0 && position < input[i];
    place = place * input[i] + position;
  }
  return inside ? place : -1;
}

Dims glow::activationShape(bool channelsLast, int64_t batch, int64_t channels,
                           ArrayRef<int64_t> spatial) {
  Dims shape{batch};
  if (!channelsLast)
    shape.push_back(channels);
  shape.append(spatial.begin(), spatial.end());
  if (channelsLast)
    shape.push_back(channels);
  return shape;
}
