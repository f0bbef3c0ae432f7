//===- BoundSteps.cpp - loops over the steps of bounded sequences ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many steps are made as there are. Rows that are not there are not read,
// and those that nothing makes are padding.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult glow::boundThis(ForStepsOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  for (OpOperand &rows : op.getRowsMutable())
    rows.set(makePrefix(b, graph, rows.get(), /*axis=*/1));
  BoundedDims first = graph.dims(op.getRows().front());
  BoundedDim steps = first[1];
  if (graph.bound(steps) == 0)
    return graph.fail(op, "there is no step in any run");
  for (Value rows : op.getRows()) {
    BoundedDims dims = graph.dims(rows);
    if (failed(graph.meet(op, steps, dims[1])))
      return failure();
    dims.erase(dims.begin() + 1);
    if (!llvm::all_of(dims, std::mem_fn(&BoundedDim::isStatic)))
      return graph.fail(op, "a step of its rows has an open extent");
  }
  for (ValueRange others :
       {ValueRange(op.getStates()), ValueRange(op.getReads())})
    for (Value value : others)
      if (graph.isBounded(value))
        return graph.fail(op, "its body works on an open extent");
  size_t count = op.getStates().size();
  for (Value state : op.getResults().take_front(count))
    graph.set(state, graph.dims(state));
  AffineExpr made = steps.extent(graph.context());
  for (Value history : op.getResults().drop_front(count)) {
    BoundedDims dims;
    for (int64_t extent : dimsOf(history))
      dims.push_back(
          BoundedDim(graph.number(ShapedType::isDynamic(extent) ? 1 : extent)));
    dims[1] = BoundedDim(simplifySum(made + 1));
    graph.set(history, dims);
  }
  if (!steps.isStatic()) {
    stopAtExtent(op, op.getStepsMutable(), graph, steps);
    if (AffineMapAttr extents = graph.givenExtents({first[0], steps}))
      op.setExtentsAttr(extents);
  }
  return success();
}
