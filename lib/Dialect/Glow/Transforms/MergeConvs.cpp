//===- MergeConvs.cpp - parallel convolutions as one ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks are trained with branches whose sum is one convolution (RepVGG,
// Ding et al., 2021: "Making VGG-style ConvNets great again"), and are often
// exported with them. The new weights are written as ops on constants, which
// `glow-fold-constants` evaluates.
//
//===----------------------------------------------------------------------===//
#include "BatchNorm.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/Rewrite.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {
#define GEN_PASS_DEF_MERGECONVS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A window: its taps and where they lie around each place of the result.
struct Taps {
  SmallVector<int64_t> extents, pads, dilations;

  static Taps of(ConvOp conv) {
    return {llvm::to_vector(conv.getKernelShape()),
            llvm::to_vector(conv.getPads()),
            llvm::to_vector(conv.getDilations())};
  }
  /// Just the place.
  static Taps one(int64_t rank) {
    return {SmallVector<int64_t>(rank, 1), SmallVector<int64_t>(2 * rank, 0),
            SmallVector<int64_t>(rank, 1)};
  }
  /// How much smaller than the input the result is along an axis, with a
  /// stride of one.
  int64_t shrinkage(size_t axis) const {
    return dilations[axis] * (extents[axis] - 1) - pads[axis] -
           pads[axis + extents.size()];
  }
};

/// The tap of one window with which another one begins, along each axis.
using Place = SmallVector<int64_t>;

/// A branch that a convolution takes in: the place of its taps, their weights,
/// and what is added for each channel.
struct Branch {
  Place place;
  Value filter, bias;
};

struct MergeParallelConvs : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override;
};

struct MergeConvs : glow::impl::MergeConvsBase<MergeConvs> {
  using MergeConvsBase::MergeConvsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MergeParallelConvs>(&getContext());
    if (failed(rewriteAll(getOperation(), std::move(patterns),
                          "merging convolutions")))
      signalPassFailure();
  }
};
} // namespace

/// Nothing if not all taps of `inner` are among those of `outer`.
static std::optional<Place> placeIn(const Taps &outer, const Taps &inner) {
  Place place;
  for (size_t axis = 0; axis < outer.extents.size(); ++axis) {
    int64_t before = outer.pads[axis] - inner.pads[axis];
    int64_t step = outer.dilations[axis];
    bool sameSteps = inner.extents[axis] == 1 || inner.dilations[axis] == step;
    if (before < 0 || before % step != 0 || !sameSteps ||
        before / step + inner.extents[axis] > outer.extents[axis] ||
        outer.shrinkage(axis) != inner.shrinkage(axis))
      return std::nullopt;
    place.push_back(before / step);
  }
  return place;
}

/// The filter of one tap that passes each channel on, times a factor.
static Value passOn(GraphBuilder &b, ConvOp conv, Value factor) {
  SmallVector<int64_t> dims(dimsOf(conv.getFilter()));
  std::fill(dims.begin() + 2, dims.end(), 1);
  std::vector<float> elements(dims[0] * dims[1]);
  for (int64_t channel = 0; channel < dims[0]; ++channel)
    elements[channel * dims[1] + channel % dims[1]] = 1;
  auto type = RankedTensorType::get(dims, b.builder.getF32Type());
  Value filter =
      b.create<ConstantOp>(type, cast<ElementsAttr>(DenseElementsAttr::get(
                                     type, ArrayRef<float>(elements))));
  filter = b.castTo(filter, elementType(conv.getFilter()));
  if (!factor)
    return filter;
  factor = b.castTo(factor, elementType(filter));
  return b.mul(filter, b.alongAxis(factor, 0, dims.size()));
}

/// Whether the convolution could leave its input as it is.
static bool keepsShape(ConvOp conv) {
  ArrayRef<int64_t> filter = dimsOf(conv.getFilter());
  return conv.getInput().getType() == conv.getType() &&
         filter[0] == filter[1] * static_cast<int64_t>(conv.getGroup()) &&
         llvm::all_of(conv.getStrides(), [](int64_t s) { return s == 1; });
}

/// Whether the convolution can be one of several, or take others in.
static bool isBranch(ConvOp conv) {
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return conv->hasOneUse() && hasPlainWeights(conv) &&
         filter.hasStaticShape() && isa<FloatType>(filter.getElementType()) &&
         filter.getElementType() == elementType(conv);
}

/// Whether two convolutions differ in their windows and weights only.
static bool areParallel(ConvOp a, ConvOp b) {
  return a != b && a.getInput() == b.getInput() &&
         a.getStrides() == b.getStrides() && a.getGroup() == b.getGroup() &&
         dimsOf(a.getFilter()).take_front(2) ==
             dimsOf(b.getFilter()).take_front(2);
}

/// `value` as a convolution that `conv` can take in. Writes what it needs only
/// if it succeeds.
static std::optional<Branch> branchOf(GraphBuilder &b, Value value,
                                      ConvOp conv) {
  Taps taps = Taps::of(conv);
  auto other = value.getDefiningOp<ConvOp>();
  if (other && value != conv.getInput()) {
    if (!isBranch(other) || !areParallel(conv, other))
      return std::nullopt;
    if (auto place = placeIn(taps, Taps::of(other)))
      return Branch{*place, other.getFilter(), other.getBias()};
    return std::nullopt;
  }
  // What passes the input on, as it is or normalised.
  auto place = placeIn(taps, Taps::one(conv.getSpatialRank()));
  if (!place || !keepsShape(conv))
    return std::nullopt;
  // Elsewhere an addition is cheaper than to read more of the filter.
  bool isDepthwise = dimsOf(conv.getFilter())[1] == 1;
  if (value == conv.getInput() && isDepthwise)
    return Branch{*place, passOn(b, conv, Value()), Value()};
  auto norm = value.getDefiningOp<BatchNormOp>();
  if (!norm || !norm->hasOneUse() || norm.getInput() != conv.getInput() ||
      !llvm::all_of(norm->getOperands().drop_front(),
                    [](Value value) { return isComputedFromConstants(value); }))
    return std::nullopt;
  ChannelLine line = channelLine(b, norm);
  return Branch{*place, passOn(b, conv, line.factor),
                b.castTo(line.offset, elementType(conv.getFilter()))};
}

/// `filter` plus `inner`, whose taps begin at `place`, from axis `axis` on.
/// Cut and put together, since zeros around `inner` would be too large a
/// constant to fold.
static Value addInside(GraphBuilder &b, Value filter, Value inner,
                       const Place &place, size_t axis = 2) {
  if (axis == dimsOf(filter).size())
    return b.add(filter, inner);
  int64_t extent = dimsOf(filter)[axis], begin = place[axis - 2],
          end = begin + dimsOf(inner)[axis];
  SmallVector<Value> parts;
  if (begin > 0)
    parts.push_back(b.slice(filter, axis, 0, begin));
  Value middle =
      end - begin == extent ? filter : b.slice(filter, axis, begin, end);
  parts.push_back(addInside(b, middle, inner, place, axis + 1));
  if (end < extent)
    parts.push_back(b.slice(filter, axis, end, extent));
  return parts.size() == 1 ? parts.front() : b.concat(parts, axis);
}

LogicalResult
MergeParallelConvs::matchAndRewrite(AddOp op, PatternRewriter &rewriter) const {
  for (auto [first, second] : {std::pair(op.getLhs(), op.getRhs()),
                               std::pair(op.getRhs(), op.getLhs())}) {
    auto conv = first.getDefiningOp<ConvOp>();
    if (!conv || !isBranch(conv) || first.getType() != second.getType() ||
        op.getType() != conv.getType())
      continue;
    SmallVector<Location> locs{conv.getLoc(), op.getLoc()};
    if (Operation *other = second.getDefiningOp())
      locs.insert(locs.begin() + 1, other->getLoc());
    GraphBuilder b(rewriter, rewriter.getFusedLoc(locs));
    std::optional<Branch> branch = branchOf(b, second, conv);
    if (!branch)
      continue;
    Value filter =
        addInside(b, conv.getFilter(), branch->filter, branch->place);
    Value bias = conv.getBias();
    if (bias && branch->bias)
      bias = b.add(bias, branch->bias);
    else if (branch->bias)
      bias = branch->bias;
    ConvOp merged = withWeights(b, conv, filter, bias);
    merged.getResult().setType(op.getType());
    rewriter.replaceOp(op, merged);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no parallel convolutions");
}
