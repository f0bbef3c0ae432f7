//===- DemandedPlaces.h - reads and writes as places -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDPLACES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDPLACES_H

#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"

namespace mlir::glow::inst {

/// The places of a buffer that a read of `extent` elements along an axis ends
/// at. Nothing if they are none of a period of addresses.
std::optional<PaddedPlaces> placesOf(Value root, const AddressSpace &space,
                                     size_t axis, AffineExpr extent);

/// Those that a part of a buffer reaches along its axes, such as the first row:
/// they are before what others need, if that is at least one.
SmallVector<PaddedPlaces> reachedPlaces(const AddressSpace &root,
                                        const AddressSpace &part,
                                        MLIRContext *context);

/// Those of the last row or column alone, of which a read ends at `ends`, some
/// of them null. Up to an end that is negative nothing is read of it: it counts
/// as that many places less.
SmallVector<PaddedPlaces> lastPlaces(const AddressSpace &part,
                                     ArrayRef<AffineExpr> ends,
                                     ArrayRef<ShapeSymbol> symbols);

/// The reverse: how many elements along an axis begin in the places before the
/// extent. Null if the axis does not run along them.
AffineExpr extentBefore(const AddressSpace &space, size_t axis,
                        const PaddedPlaces &places);

/// The places of `to`, a part of a buffer, that lie among its elements as
/// `places` do among those of `from`: of rows that are not a box along axes, as
/// those before an extent in every other row are. Both have the same axes;
/// those of a loop may follow, along which no place changes. Nothing if others
/// do, or if places of one lie in several periods.
std::optional<PaddedPlaces> carryPlaces(const PaddedPlaces &places,
                                        const AddressSpace &from, Value root,
                                        const AddressSpace &to);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDPLACES_H
