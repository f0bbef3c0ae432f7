//===- Epilogues.h - what follows on a product's sums ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_EPILOGUES_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_EPILOGUES_H

#include "mlir/IR/Operation.h"

namespace mlir::glow {

class GraphBuilder;

/// The epilogue of a product with f32 sums. One that has none gets an epilogue
/// that yields the sums, which says in which type they are.
Block &epilogueOf(Operation *product, Region &epilogue);

/// Whether an epilogue reads from an input the same for each place.
bool isPerChannel(Value input);
/// Whether it reads each input so, or as the result's own places.
bool readsPlacesOrChannels(ValueRange inputs, ArrayRef<int64_t> result);
/// An input for each channel as a vector, or a scalar, which broadcasts to
/// places of any rank.
Value channelsOf(GraphBuilder &builder, Value input);

/// Adds to a product's sums, before all else, those of another one. `inputs`
/// are what its epilogue takes.
void addToSums(Operation *product, Region &epilogue, MutableOperandRange inputs,
               Value others);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_EPILOGUES_H
