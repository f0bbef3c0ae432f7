//===- PartialSums.h - products in parts of their depth --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_PARTIALSUMS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_PARTIALSUMS_H

#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Interfaces/KernelTarget.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow::inst {

/// Whether an instruction multiplies f32 by a dense packed matrix and sums it
/// up as f32, in vectors: sums that can wait in memory.
template <typename Op> bool hasPlainSums(Op op, Value lhs, Value rhs) {
  auto isF32 = [](Value buffer) {
    return typeOf(buffer).getElementType().isF32();
  };
  Region &epilogue = op.getEpilogue();
  bool sumsF32 = epilogue.empty()
                     ? isF32(op.getOutput())
                     : epilogue.front().getArgument(0).getType().isF32();
  return op.getPacked() && !op.getPieces() && op.getFurther().empty() &&
         sumsF32 && isF32(lhs) && isF32(rhs) && isDense(typeOf(rhs)) &&
         llvm::none_of(op->getOperands(), [](Value buffer) {
           return typeOf(buffer).getMemorySpace();
         });
}

/// Makes loops of the instructions outside of loops of which `Product::of`
/// makes something to split.
template <typename Product, typename Op>
void splitProducts(func::FuncOp function, const KernelTarget &target) {
  // Rows that are padding would be multiplied too.
  if (glow::symbolsArgument(function))
    return;
  SmallVector<Product> products;
  for (Block &block : function.getBody())
    for (auto op : block.getOps<Op>())
      if (auto product = Product::of(op, target))
        products.push_back(*product);
  for (Product &product : products)
    product.split();
}

/// Blocks for many threads, as far as they have enough columns for the rows
/// that they read.
inline constexpr int64_t kEnoughPoints = 16, kLeastColumns = 128;

/// Of how many of a matrix' columns, in panels of `packed`, each block is, with
/// `points` blocks for the same columns: at most `most`, and fewer for enough
/// blocks. Nothing if no equal blocks are that narrow.
inline std::optional<int64_t> chooseBlockColumns(int64_t columns,
                                                 int64_t packed, int64_t points,
                                                 int64_t most) {
  int64_t panels = llvm::divideCeil(columns, packed), chosen = 0;
  // A panel that is not full would be cut as if it were.
  int64_t mostCuts = columns % packed == 0 ? panels : 1;
  for (int64_t cuts = 1; cuts <= mostCuts; ++cuts) {
    int64_t width = panels / cuts * packed;
    if (panels % cuts != 0)
      continue;
    if (chosen &&
        (width < kLeastColumns || points * (columns / chosen) >= kEnoughPoints))
      break;
    if (width <= most)
      chosen = width;
  }
  return chosen ? std::optional(std::min(chosen, columns)) : std::nullopt;
}

/// The sums of a product of f32 in the body of a loop, whose parts along the
/// depth follow each other. Each adds those before it, which wait in memory of
/// the body; the last one has the epilogue.
template <typename Op> class PartialSums {
public:
  /// The block's arguments are the product's factors, those of its epilogue's
  /// inputs that are not updated in place, and its output.
  PartialSums(OpBuilder &body, Op op, Block &block)
      : inputs(block.getArguments().drop_front(2).drop_back()),
        result(block.getArguments().back()) {
    // What is updated in place is the output's window.
    for (auto [i, input] : llvm::enumerate(op.getEpilogueInputs()))
      if (areSame(input, op.getOutput()))
        inputs.insert(inputs.begin() + i, result);
    sums = AllocOp::create(
        body, op.getLoc(),
        MemRefType::get(typeOf(result).getShape(), body.getF32Type()),
        IntegerAttr());
  }

  /// Takes a copy of the product with a part's factors.
  void take(Op part, bool isFirst, bool isLast) {
    part.getOutputMutable().assign(isLast ? result : sums);
    part.getEpilogueInputsMutable().assign(isLast ? ValueRange(inputs)
                                                  : ValueRange());
    if (!isLast)
      part.getEpilogue().getBlocks().clear();
    if (!isFirst)
      glow::addToSums(part, part.getEpilogue(), part.getEpilogueInputsMutable(),
                      sums);
  }

private:
  SmallVector<Value> inputs;
  Value result, sums;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_PARTIALSUMS_H
