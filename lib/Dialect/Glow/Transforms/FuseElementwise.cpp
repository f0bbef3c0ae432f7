//===- FuseElementwise.cpp - clusters of element-wise ops -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element-wise op becomes a `glow.map` around its scalar body, whatever
// op it is; then maps move into the maps that read them, where this saves
// traffic to memory and repeats no costly arithmetic.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/PowerPatterns.h"
#include "glow/Support/Rewrite.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// A map without a body yet; the block has one argument per input.
static MapOp createMap(OpBuilder &builder, Location loc, Type type,
                       ValueRange inputs) {
  Type element = cast<RankedTensorType>(type).getElementType();
  auto map = MapOp::create(builder, loc, type, inputs, element);
  Block &body = map.getBody().emplaceBlock();
  for (Value input : inputs)
    body.addArgument(ScalarBuilder::signless(elementType(input)), loc);
  return map;
}

/// Work per element in additions. What leaves the core's simple ports (division
/// and functions of the math dialect) counts as many.
static int64_t costPerElement(MapOp map) {
  int64_t cost = 0;
  for (Operation &op : map.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    bool simple = isa<arith::ArithDialect>(op.getDialect()) &&
                  !isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
                       arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(op);
    cost += simple ? 1 : 16;
  }
  return cost;
}

/// Arithmetic that is cheaper to repeat than to store and load its result.
static constexpr int64_t kCheap = 2;

/// Additions of single elements that take longer than a kernel of its own.
static constexpr int64_t kMostRepeated = 1 << 16;

/// Would users that broadcast the result of `producer` repeat much of it? Of a
/// single element they compute it once.
static bool repeatsMuch(MapOp producer, ArrayRef<Operation *> users) {
  auto elements = [](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.hasStaticShape() ? tensor.getNumElements() : kMostRepeated;
  };
  int64_t own = elements(producer.getType()), repeated = 0;
  for (Operation *user : users)
    if (auto map = dyn_cast<MapOp>(user); map && elements(map.getType()) > own)
      repeated += elements(map.getType());
  return own > 1 && repeated * costPerElement(producer) > kMostRepeated;
}

/// Does the cluster gain if `producer` is computed within `consumer`?
static bool isWorthMerging(MapOp producer, MapOp consumer) {
  // Of so many users each would look at all the others.
  constexpr unsigned kMostUsers = 64;
  if (producer->getResult(0).hasNUsesOrMore(kMostUsers + 1))
    return false;
  auto users = llvm::to_vector(producer->getUsers());
  bool onlyUser = llvm::all_equal(users);
  bool sameShape = dimsOf(producer.getResult()) == dimsOf(consumer.getResult());
  if (onlyUser && sameShape)
    return true;
  if (costPerElement(producer) > kCheap || repeatsMuch(producer, users))
    return false;
  // Broadcast by the consumer: the producer's arithmetic is repeated.
  if (onlyUser)
    return true;
  // Several users: each repeats the arithmetic, but the tensor between them
  // disappears, as long as they have not more to read then.
  return llvm::all_of(users,
                      [](Operation *user) { return isa<MapOp>(user); }) &&
         llvm::count_if(producer.getInputs(), [&](Value input) {
           return dimsOf(input) == dimsOf(producer.getResult());
         }) <= 1;
}

/// Copies the body of `map` to the insertion point and returns what it yields.
static Value inlineBody(OpBuilder &builder, MapOp map, IRMapping &mapping) {
  Block &body = map.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

namespace {

/// An element-wise op becomes a map around its scalar body.
struct ElementwiseToMap : OpInterfaceRewritePattern<ScalarBodyOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ScalarBodyOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value result = op->getResult(0);
    MapOp map =
        createMap(rewriter, op->getLoc(), result.getType(), op->getOperands());
    Block &body = map.getBody().front();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&body);
    ScalarBuilder scalar(rewriter, op->getLoc(), elementType(op->getOperand(0)),
                         elementType(result));
    Value value = op.emitScalarBody(scalar, body.getArguments());
    YieldOp::create(rewriter, op->getLoc(), value);
    rewriter.replaceOp(op, map);
    return success();
  }
};

/// x / c = x * (1 / c), if 1 / c is exact, as division is slow; or if the
/// quotient goes into functions alone that have a larger error than the
/// product.
struct DivisionToProduct : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat divisor(0.0);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&divisor)))
      return rewriter.notifyMatchFailure(op, "the divisor is not constant");
    APFloat inverse = APFloat::getOne(divisor.getSemantics());
    bool isExact =
        inverse.divide(divisor, APFloat::rmNearestTiesToEven) == APFloat::opOK;
    bool isRounded = llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<math::ErfOp, math::TanhOp>(user);
    });
    if (!inverse.isNormal() || !(isExact || isRounded))
      return rewriter.notifyMatchFailure(op, "the inverse is not exact");
    Value factor = arith::ConstantOp::create(
        rewriter, op.getLoc(), FloatAttr::get(op.getType(), inverse));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), factor);
    return success();
  }
};

/// map(map(x), y) = map(x, y).
struct MergeMaps : OpRewritePattern<MapOp> {
  MergeMaps(MLIRContext *context, unsigned maxInputs)
      : OpRewritePattern(context), maxInputs(maxInputs) {}

  LogicalResult matchAndRewrite(MapOp consumer,
                                PatternRewriter &rewriter) const override {
    for (Value input : consumer.getInputs()) {
      auto producer = input.getDefiningOp<MapOp>();
      if (!producer || !isWorthMerging(producer, consumer))
        continue;
      SmallVector<Value> inputs = mergedInputs(producer, consumer);
      if (inputs.size() > maxInputs)
        continue;
      rewriter.replaceOp(consumer, merge(producer, consumer, inputs, rewriter));
      return success();
    }
    return rewriter.notifyMatchFailure(consumer, "no producer to merge");
  }

  static SmallVector<Value> mergedInputs(MapOp producer, MapOp consumer) {
    llvm::SetVector<Value> inputs;
    for (Value input : consumer.getInputs()) {
      if (input == producer.getResult())
        inputs.insert_range(producer.getInputs());
      else
        inputs.insert(input);
    }
    return inputs.takeVector();
  }

  static MapOp merge(MapOp producer, MapOp consumer, ArrayRef<Value> inputs,
                     PatternRewriter &rewriter) {
    Location loc = rewriter.getFusedLoc({producer.getLoc(), consumer.getLoc()});
    MapOp merged = createMap(rewriter, loc, consumer.getType(), inputs);
    Block &body = merged.getBody().front();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&body);
    auto argumentOf = [&](Value input) {
      return body.getArgument(llvm::find(inputs, input) - inputs.begin());
    };
    IRMapping inner, outer;
    for (auto [input, argument] :
         llvm::zip(producer.getInputs(), producer.getBody().getArguments()))
      inner.map(argument, argumentOf(input));
    Value produced = inlineBody(rewriter, producer, inner);
    for (auto [input, argument] :
         llvm::zip(consumer.getInputs(), consumer.getBody().getArguments()))
      outer.map(argument,
                input == producer.getResult() ? produced : argumentOf(input));
    Value result = inlineBody(rewriter, consumer, outer);
    YieldOp::create(rewriter, loc, result);
    return merged;
  }

  unsigned maxInputs;
};

struct FuseElementwise : glow::impl::FuseElementwiseBase<FuseElementwise> {
  using FuseElementwiseBase::FuseElementwiseBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ElementwiseToMap>(context);
    patterns.add<MergeMaps>(context, maxInputs);
    // x to the power of 2 and such, once the exponent is in the region.
    populateFloatPowerPatterns(patterns);
    patterns.add<DivisionToProduct>(context);
    // Scalars must be inside the regions before inputs are counted.
    // A module without any op of ours has not loaded the dialect.
    if (auto *dialect = context->getLoadedDialect<GlowDialect>())
      dialect->getCanonicalizationPatterns(patterns);
    if (failed(rewriteAll(getOperation(), std::move(patterns),
                          "fusing element-wise ops")))
      return signalPassFailure();
    IRRewriter rewriter(context);
    DominanceInfo dominance(getOperation());
    getOperation().walk([&](MapOp map) {
      eliminateCommonSubExpressions(rewriter, dominance, map);
    });
  }
};

} // namespace
