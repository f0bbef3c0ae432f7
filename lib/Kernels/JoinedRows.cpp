//===- JoinedRows.cpp - rows of several images as one axis ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/JoinedRows.h"

using namespace mlir;
using namespace mlir::glow;

static Value select(KernelBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
}

Value JoinedRows::limit(KernelBuilder &b) const {
  return b.mul(images.limit(b), rows.limit(b));
}

/// Behind the last row comes the first one of an image that is not needed, if
/// images are whole; else the first one of the first image that is not.
RowPlace JoinedRows::unlessBeyond(KernelBuilder &b, RowPlace place,
                                  Value number) const {
  Value own = rows.limit(b);
  Value isThere = b.less(number, limit(b)),
        isWhole = b.less(b.index(rows.extent - 1), own);
  Value stays = arith::OrIOp::create(b.builder, b.loc, isThere, isWhole);
  return {select(b, stays, place.image, b.index(0)),
          select(b, stays, place.row, own)};
}

RowPlace JoinedRows::placeOf(KernelBuilder &b, Value number) const {
  Value own = b.max(rows.limit(b), b.index(1));
  return unlessBeyond(b, {b.div(number, own), b.rem(number, own)}, number);
}

SmallVector<RowPlace> JoinedRows::placesFrom(KernelBuilder &b, Value first,
                                             int64_t count) const {
  Value own = b.max(rows.limit(b), b.index(1));
  RowPlace next{b.div(first, own), b.rem(first, own)};
  SmallVector<RowPlace> places;
  for (int64_t i = 0; i < count; ++i) {
    places.push_back(unlessBeyond(b, next, b.add(first, i)));
    // Divisions take as long as a short row does.
    Value row = b.add(next.row, 1), isInside = b.less(row, own);
    next = {select(b, isInside, next.image, b.add(next.image, 1)),
            select(b, isInside, row, b.index(0))};
  }
  return places;
}

Value JoinedRows::offset(KernelBuilder &b, RowPlace place,
                         size_t operand) const {
  return b.add(b.mul(place.image, images.strides[operand]),
               b.mul(place.row, rows.strides[operand]));
}
