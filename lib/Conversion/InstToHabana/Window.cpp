//===- Window.cpp - what convolutions and pooling share -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Window.h"

using namespace mlir;
using namespace mlir::glow::habana;

Box glow::habana::channelsFirst(Box box, bool isChannelsLast) {
  if (isChannelsLast) {
    SmallVector<int64_t> order{0, box.rank() - 1};
    for (int64_t axis = 1; axis + 1 < box.rank(); ++axis)
      order.push_back(axis);
    box = box.permute(order);
  }
  return box.rank() == 3 ? box.insertAxis(2) : box;
}
