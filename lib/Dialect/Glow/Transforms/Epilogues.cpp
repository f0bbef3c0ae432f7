//===- Epilogues.cpp - what follows on a product's sums -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

using namespace mlir;
using namespace mlir::glow;

Block &glow::epilogueOf(Operation *product, Region &epilogue) {
  if (epilogue.empty()) {
    OpBuilder builder(product->getContext());
    Block *block = builder.createBlock(&epilogue, {}, builder.getF32Type(),
                                       product->getLoc());
    YieldOp::create(builder, product->getLoc(), block->getArgument(0));
  }
  return epilogue.front();
}

bool glow::isPerChannel(Value input) {
  ArrayRef<int64_t> dims = dimsOf(input);
  return dims.empty() ||
         llvm::all_of(dims.drop_back(), [](int64_t dim) { return dim == 1; });
}

bool glow::readsPlacesOrChannels(ValueRange inputs, ArrayRef<int64_t> result) {
  return llvm::all_of(inputs, [&](Value input) {
    return dimsOf(input) == result || isPerChannel(input);
  });
}

Value glow::channelsOf(GraphBuilder &b, Value input) {
  ArrayRef<int64_t> dims = dimsOf(input);
  return dims.size() > 1 ? b.reshape(input, dims.back()) : input;
}

void glow::addToSums(Operation *product, Region &epilogue,
                     MutableOperandRange inputs, Value others) {
  Block &block = epilogueOf(product, epilogue);
  Value sum = block.getArgument(0);
  inputs.append(others);
  Value other = block.addArgument(sum.getType(), product->getLoc());
  auto builder = OpBuilder::atBlockBegin(&block);
  auto all = arith::AddFOp::create(builder, product->getLoc(), other, sum);
  sum.replaceAllUsesExcept(all, all);
}
