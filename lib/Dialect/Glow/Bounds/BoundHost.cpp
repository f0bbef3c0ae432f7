//===- BoundHost.cpp - functions of the runtime on bounds -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function sees what is valid only: the call hands over the extents of its
// inputs. Extents that the function decides are computed symbols, which the
// call has as one more result.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "glow/Support/HostAttributes.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A call whose operands are all prefixes.
struct BoundedHostCall {
  SmallVector<Value> inputs, extents;
  BoundedDims common; // of the axes that cells are spread over
  bool isOpen = false;
};
} // namespace

static FailureOr<BoundedHostCall> readInputs(CallHostOp op,
                                             BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  BoundedHostCall call;
  for (Value input : op.getInputs()) {
    Value value = makePrefixes(b, graph, input);
    BoundedDims dims = graph.dims(value);
    auto common = graph.broadcast(op, call.common,
                                  ArrayRef(dims).drop_back(op.getCoreRank()));
    if (failed(common))
      return failure();
    call.common = *common;
    call.isOpen |= graph.isBounded(value);
    call.inputs.push_back(value);
    for (const BoundedDim &dim : dims)
      call.extents.push_back(
          b.unsqueeze(graph.scalar(dim.extent(graph.context())), 0));
  }
  return call;
}

/// If all inputs have the same merged axes and each of their elements is a
/// cell: those axes apart, as they were before they were merged. No element
/// moves, and a reshape of the result can split them again.
static BoundedDims splitMerged(CallHostOp op, BoundedGraph &graph) {
  if (op.getCoreRank() != 0 || op.getInputs().empty())
    return {};
  BoundedDims dims = graph.dims(op.getInputs().front()), split;
  if (llvm::all_of(dims, std::mem_fn(&BoundedDim::isPrefix)) ||
      llvm::any_of(op.getInputs(),
                   [&](Value input) { return graph.dims(input) != dims; }))
    return {};
  for (const BoundedDim &dim : dims)
    for (AffineExpr factor : dim.factors())
      split.push_back(BoundedDim(factor));
  GraphBuilder b = graph.before(op);
  for (OpOperand &input : op->getOpOperands()) {
    input.set(b.reshape(input.get(), graph.bounds(split)));
    graph.set(input.get(), split);
  }
  return dims;
}

/// The most elements along the `number`th dynamic axis of the cells, which is
/// `axis` of one of `rank` axes; without a statement as many as the inputs
/// have there, but at least one.
static std::optional<int64_t> mostElements(CallHostOp op, BoundedGraph &graph,
                                           size_t number, size_t axis,
                                           int64_t rank) {
  auto most = op.getConfig().getAs<DenseI64ArrayAttr>(kHostMostAttrName);
  if (most && number < static_cast<size_t>(most.size()) && most[number] >= 0)
    return most[number];
  if (most || rank != static_cast<int64_t>(op.getCoreRank()) ||
      op.getInputs().empty())
    return std::nullopt;
  BoundedDims dims = graph.dims(op.getInputs().front());
  return std::max<int64_t>(graph.bound(dims[dims.size() - rank + axis]), 1);
}

/// The call with static types. The extents of its results, one axis after the
/// other, follow its own results.
static CallHostOp makeCall(CallHostOp op, BoundedHostCall &call,
                           SmallVector<Type> types, bool isSized,
                           GraphBuilder b) {
  if (call.isOpen)
    call.inputs.push_back(b.concat(call.extents, 0));
  int64_t axes = 0;
  for (Type type : types)
    axes += cast<RankedTensorType>(type).getRank();
  if (isSized)
    types.push_back(RankedTensorType::get({axes}, b.builder.getI64Type()));
  NamedAttrList config(op.getConfig());
  config.set(kHostExtentsAttrName,
             b.builder.getDenseI64ArrayAttr({call.isOpen, isSized}));
  return CallHostOp::create(b.builder, op.getLoc(), types, op.getFunction(),
                            call.inputs,
                            /*core_rank=*/0, b.builder.getTypeArrayAttr(types),
                            config.getDictionary(op.getContext()));
}

LogicalResult glow::boundThis(CallHostOp op, BoundedGraph &graph) {
  BoundedDims merged = splitMerged(op, graph);
  auto call = readInputs(op, graph);
  if (failed(call))
    return failure();
  // Axes that the function decides have no extent yet.
  SmallVector<Type> types;
  SmallVector<SmallVector<std::pair<BoundedDim, int64_t>>> results;
  size_t numSized = 0;
  for (Attribute attribute : op.getCells()) {
    auto cell = cast<RankedTensorType>(cast<TypeAttr>(attribute).getValue());
    auto &dims = results.emplace_back();
    for (const BoundedDim &dim : call->common)
      dims.push_back({dim, -1});
    for (auto [axis, extent] : llvm::enumerate(cell.getShape())) {
      if (!ShapedType::isDynamic(extent)) {
        dims.push_back({BoundedDim(graph.number(extent)), -1});
        continue;
      }
      auto most = mostElements(op, graph, numSized++, axis, cell.getRank());
      if (!most)
        return graph.fail(op, "how many elements its results have at most is "
                              "not known");
      dims.push_back({BoundedDim(), *most});
    }
    Dims bounds;
    for (auto &[dim, most] : dims)
      bounds.push_back(most < 0 ? graph.bound(dim) : most);
    types.push_back(RankedTensorType::get(bounds, cell.getElementType()));
  }
  GraphBuilder b = graph.before(op);
  CallHostOp made = makeCall(op, *call, types, numSized != 0, b);
  Value extents = made.getResults().back();
  int64_t place = 0;
  for (auto [i, result] : llvm::enumerate(results)) {
    BoundedDims dims;
    for (auto &[dim, most] : result) {
      if (most >= 0) {
        Value extent = b.reshape(b.slice(extents, 0, place, place + 1),
                                 ArrayRef<int64_t>());
        dim = BoundedDim(graph.addSymbol(extent, most));
      }
      dims.push_back(dim);
      ++place;
    }
    Value old = op.getResult(i), fresh = made.getResult(i);
    graph.set(fresh, dims);
    if (!merged.empty()) {
      dims.erase(dims.begin(), dims.begin() + call->common.size());
      dims.insert(dims.begin(), merged.begin(), merged.end());
      fresh = b.reshape(fresh, graph.bounds(dims));
      graph.set(fresh, dims);
    }
    graph.set(old, dims);
    old.replaceAllUsesWith(fresh);
  }
  return success();
}

LogicalResult glow::boundThis(RequireOp op, BoundedGraph &graph) {
  if (graph.element(op.getViolated()) == graph.number(0))
    return graph.replace(op, op.getInput(), graph.dims(op.getInput()));
  graph.set(op.getResult(), graph.dims(op.getInput()));
  return success();
}
