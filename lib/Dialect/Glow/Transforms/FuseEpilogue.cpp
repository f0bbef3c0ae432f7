//===- FuseEpilogue.cpp - element-wise work inside contractions -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to every element of a convolution or product right afterwards is
// done while it is still in a register: bias, activation, residual.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/Rewrite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow {
#define GEN_PASS_DEF_FUSEEPILOGUE
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// The op's epilogue block. If there is none yet, one that changes nothing.
template <typename Op> static Block &epilogueOf(Op op, RewriterBase &rewriter) {
  if (!op.getEpilogue().empty())
    return op.getEpilogue().front();
  OpBuilder::InsertionGuard guard(rewriter);
  Type type = ScalarBuilder::signless(elementType(op.getResult()));
  Block *block = rewriter.createBlock(&op.getEpilogue(), {}, type, op.getLoc());
  YieldOp::create(rewriter, op.getLoc(), block->getArgument(0));
  return *block;
}

/// The element of `input` in the epilogue; one that is read already is shared.
template <typename Op>
static Value addEpilogueInput(Op op, Block &epilogue, Value input) {
  auto known = llvm::find(op.getEpilogueInputs(), input);
  if (known != op.getEpilogueInputs().end())
    return epilogue.getArgument(1 + (known - op.getEpilogueInputs().begin()));
  op.getEpilogueInputsMutable().append(input);
  return epilogue.addArgument(ScalarBuilder::signless(elementType(input)),
                              op.getLoc());
}

/// True for truths and integers that follow from the values of symbols alone.
static bool isSymbolic(Value value, Value symbols) {
  // Each op once: shape arithmetic shares its parts.
  llvm::SetVector<Value> behind;
  behind.insert(value);
  for (size_t i = 0; i < behind.size(); ++i) {
    if (behind[i] == symbols)
      return true;
    Operation *op = behind[i].getDefiningOp();
    if (op && elementType(behind[i]).isSignlessInteger())
      behind.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

static bool variesByRow(Value value) {
  return llvm::any_of(dimsOf(value).drop_back(dimsOf(value).empty() ? 0 : 1),
                      [](int64_t extent) { return extent != 1; });
}

/// True if `map` replaces rows that are padding in a bounded function. Inside a
/// contraction this would take computing them first, as all of its result is
/// then worth something.
static bool masksRows(MapOp map) {
  auto function = map->getParentOfType<func::FuncOp>();
  std::optional<unsigned> argument = symbolsArgument(function);
  if (!argument)
    return false;
  Value symbols = function.getArgument(*argument);
  SmallVector<bool> symbolic = llvm::map_to_vector(
      map.getInputs(), [&](Value input) { return isSymbolic(input, symbols); });
  // A mask, or a position that is compared with a symbol.
  Block &body = map.getBody().front();
  auto input = [&](Value element) -> std::optional<unsigned> {
    auto known = dyn_cast<BlockArgument>(element);
    return known ? std::optional(known.getArgNumber()) : std::nullopt;
  };
  for (auto [value, isOne] : llvm::zip_equal(map.getInputs(), symbolic))
    if (isOne && variesByRow(value))
      return true;
  for (auto compare : body.getOps<arith::CmpIOp>()) {
    auto a = input(compare.getLhs()), b = input(compare.getRhs());
    if (a && b && symbolic[*a] != symbolic[*b] &&
        variesByRow(map.getInputs()[symbolic[*a] ? *b : *a]))
      return true;
  }
  return false;
}

/// May `op` take `map` in? Their results have one type, so all other inputs
/// broadcast to the op's result, and nothing else needs the raw result.
template <typename Op> static bool isFusible(Op op, MapOp map) {
  auto type = cast<RankedTensorType>(op.getType());
  return type == map.getType() && type.hasStaticShape() &&
         op->getBlock() == map->getBlock() &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return user == map; });
}

/// Appends the body of `map` to the epilogue of `op`, which takes its place:
/// there all of the map's inputs are defined.
template <typename Op>
static void fuseMap(Op op, MapOp map, PatternRewriter &rewriter) {
  rewriter.moveOpBefore(op, map);
  rewriter.modifyOpInPlace(op, [&] {
    op->setLoc(rewriter.getFusedLoc({op->getLoc(), map->getLoc()}));
    Block &epilogue = epilogueOf(op, rewriter);
    Operation *yield = epilogue.getTerminator();
    SmallVector<Value> elements;
    for (Value input : map.getInputs())
      elements.push_back(input == op.getResult()
                             ? yield->getOperand(0)
                             : addEpilogueInput(op, epilogue, input));
    rewriter.inlineBlockBefore(&map.getBody().front(), yield, elements);
    // The map's own terminator now stands before the epilogue's.
    Operation *inlined = yield->getPrevNode();
    rewriter.modifyOpInPlace(
        yield, [&] { yield->setOperands(inlined->getOperands()); });
    rewriter.eraseOp(inlined);
  });
  rewriter.replaceAllUsesWith(map.getResult(), op.getResult());
  rewriter.eraseOp(map);
}

/// The bias of a convolution becomes an epilogue input.
static void moveBias(ConvOp op, IRRewriter &rewriter) {
  Value bias = op.getBias();
  if (!bias)
    return;
  rewriter.setInsertionPoint(op);
  GraphBuilder b(rewriter, op.getLoc());
  if (!op.isChannelsLast())
    bias = b.alongAxis(bias, 1, dimsOf(op.getResult()).size());
  op.getBiasMutable().clear();
  Block &epilogue = epilogueOf(op, rewriter);
  Value element = addEpilogueInput(op, epilogue, bias);
  rewriter.setInsertionPointToStart(&epilogue);
  Type type = elementType(op.getResult());
  Value accumulator = epilogue.getArgument(0);
  Value sum = ScalarBuilder(rewriter, op.getLoc(), type, type)
                  .add(accumulator, element);
  accumulator.replaceAllUsesExcept(sum, sum.getDefiningOp());
}

namespace {

/// map(conv(x), y) becomes a convolution with an epilogue; matmul likewise.
struct FuseMapIntoContraction : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp map,
                                PatternRewriter &rewriter) const override {
    // Of several candidates the last one: it can wait for the others.
    Operation *last = nullptr;
    for (Value input : map.getInputs()) {
      Operation *op = input.getDefiningOp();
      auto conv = dyn_cast_or_null<ConvOp>(op);
      auto matmul = dyn_cast_or_null<MatMulOp>(op);
      if ((conv && isFusible(conv, map)) || (matmul && isFusible(matmul, map)))
        last = last && op->isBeforeInBlock(last) ? last : op;
    }
    if (!last)
      return rewriter.notifyMatchFailure(map, "no contraction to fuse into");
    if (masksRows(map))
      return rewriter.notifyMatchFailure(map, "it masks whole rows");
    if (auto conv = dyn_cast<ConvOp>(last))
      fuseMap(conv, map, rewriter);
    else
      fuseMap(cast<MatMulOp>(last), map, rewriter);
    return success();
  }
};

struct FuseEpilogue : glow::impl::FuseEpilogueBase<FuseEpilogue> {
  using FuseEpilogueBase::FuseEpilogueBase;

  void runOnOperation() override {
    // First, as the bias comes before whatever the maps do.
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](ConvOp conv) { moveBias(conv, rewriter); });
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseMapIntoContraction>(&getContext());
    if (failed(rewriteAll(getOperation(), std::move(patterns),
                          "fusing epilogues")))
      signalPassFailure();
  }
};

} // namespace
