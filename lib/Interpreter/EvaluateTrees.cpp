//===- EvaluateTrees.cpp - walks through decision trees -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Lanes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

LogicalResult WalkTreesOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> links = in.getLinks().ints(),
                       roots = in.getRoots().ints();
  int64_t rows = input.getDim(0), features = input.getDim(1);
  int64_t trees = in.getRoots().getDim(0), nodes = in.getThresholds().getDim(0);
  if (features < 1 || in.getLinks().getShape() != ArrayRef<int64_t>{nodes, 3} ||
      in.getRoots().getDim(1) != 2)
    return emitOpError("needs a feature, three links per threshold, and two "
                       "numbers per tree");
  if (failed(allocateResult(*this, {rows, trees}, out[0])))
    return failure();
  auto x = readAllLanes<double>(input),
       thresholds = readAllLanes<double>(in.getThresholds());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t tree = 0; tree < trees; ++tree) {
      int64_t node = roots[2 * tree], steps = roots[2 * tree + 1];
      for (int64_t step = 0; step <= steps; ++step) {
        if (node < 0 || node >= nodes)
          return emitOpError("node ") << node << " does not exist";
        if (step == steps)
          break;
        int64_t feature = links[3 * node];
        bool isTracked = getMissing() && feature < 0;
        if (isTracked)
          feature = -1 - feature;
        if (feature < 0 || feature >= features)
          return emitOpError("feature ") << feature << " does not exist";
        double value = x[row * features + feature];
        bool isLow =
            value <= thresholds[node] || (isTracked && std::isnan(value));
        node = links[3 * node + (isLow ? 2 : 1)];
      }
      out[0].write(row * trees + tree, 1, &node);
    }
  return success();
}
