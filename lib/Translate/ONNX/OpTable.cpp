//===- OpTable.cpp - which ONNX operators are known, and how --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpTable.h"
#include "Export.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable table;
    addAttentionOps(table);
    addBinaryOps(table);
    addClassicFeatures(table);
    addClassicModels(table);
    addConstantOps(table);
    addControlFlow(table);
    addConvOps(table);
    addEinsum(table);
    addGradient(table);
    addGroupQueryAttention(table);
    addIndexOps(table);
    addLabelOps(table);
    addLinearOps(table);
    addLoop(table);
    addLossOps(table);
    addMaxRoiPool(table);
    addNormOps(table);
    addPoolOps(table);
    addQuantOps(table);
    addRandomOps(table);
    addRecurrentOps(table);
    addReduceOps(table);
    addResizeOps(table);
    addRoiOps(table);
    addRuntimeAttention(table);
    addRuntimeOps(table);
    addRuntimeQuantOps(table);
    addSamplingOps(table);
    addSelectOps(table);
    addSequenceOps(table);
    addShapeOps(table);
    addSliceOps(table);
    addSpectralOps(table);
    addStateSpaceOps(table);
    addStringOps(table);
    addTrainingOps(table);
    addTreeEnsembles(table);
    addUnaryOps(table);
    return table;
  }();
  return table;
}

// -- For the families ---------------------------------------------------------

OpTable::Entry OpTable::add(StringLiteral name, int since, InputCount inputs,
                            ImportFn import) {
  return Entry(*this,
               rows[name].emplace_back(OpRow{name, since, inputs, import}));
}

OpTable::Entry OpTable::addSame(StringLiteral name, int since,
                                InputCount inputs, StringRef glowOp,
                                ArrayRef<SharedAttr> attributes) {
  OpRow &row =
      rows[name].emplace_back(OpRow{name, since, inputs, nullptr, glowOp});
  llvm::append_range(row.attributes, attributes);
  // Files should not need another domain.
  if (!name.contains("::"))
    writeAs(glowOp, row, attributes);
  return Entry(*this, row);
}

void OpTable::writeAs(StringRef glowOp, const OpRow &row,
                      ArrayRef<SharedAttr> attributes) {
  exports[glowOp] = [name = row.name, since = row.since,
                     shared = llvm::to_vector(attributes)](Operation *op,
                                                           NodeWriter &node) {
    return node.type(name)
        .needs(since)
        .inputs(op->getOperands())
        .shared(shared)
        .done();
  };
}

LogicalResult onnx::importSame(Node &node, const OpRow &row) {
  SmallVector<Attr> attributes;
  for (const SharedAttr &shared : row.attributes)
    attributes.push_back(
        node.f64(shared.glow, node.real(shared.onnx, shared.otherwise)));
  // In-place execution, a hint of the first operator sets.
  node.ignore("consumed_inputs");
  return node.result(node.emitNamed(row.glowOp, node.inputs(), attributes));
}

// -- For the importer ---------------------------------------------------------

const OpRow *OpTable::find(StringRef domain, StringRef op, int64_t opset,
                           std::string &reason) const {
  std::string key = domain.empty() ? op.str() : (domain + "::" + op).str();
  auto known = rows.find(key);
  if (known == rows.end()) {
    reason = "the operator is not supported";
    return nullptr;
  }
  int first = kLatestOpset;
  for (const OpRow &row : known->second) {
    if (row.since <= opset && opset <= row.until)
      return &row;
    first = std::min(first, row.since);
  }
  reason = "version " + std::to_string(opset) +
           " of the operator is not supported; known since " +
           std::to_string(first);
  return nullptr;
}
