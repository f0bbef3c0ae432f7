//===- OpTable.h - which ONNX operators are known, and how ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a family holds all about its operators: how a node becomes graph
// ops, how a graph op becomes a node, and at the end of the file the rows that
// name the versions. OpTable.cpp only puts the families together.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H
#define GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H

#include "Node.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <functional>

namespace mlir::glow::onnx {

class NodeWriter;

/// The newest version of ONNX's operator set that the table was checked with.
constexpr int64_t kLatestOpset = 28;
constexpr unsigned kAny = ~0u;

/// An attribute that an operator and its graph op share, with ONNX's default.
struct SharedAttr {
  SharedAttr(const char *name) : onnx(name), glow(name) {}
  SharedAttr(StringRef onnx, StringRef glow, double otherwise = 0)
      : onnx(onnx), glow(glow), otherwise(otherwise) {}
  StringRef onnx, glow;
  double otherwise = 0;
};

/// How many inputs an operator has.
struct InputCount {
  InputCount(unsigned exactly) : min(exactly), max(exactly) {}
  InputCount(unsigned min, unsigned max) : min(min), max(max) {}
  unsigned min, max;
};

/// Builds the graph ops of a node.
using ImportFn = LogicalResult (*)(Node &);
/// Writes one graph op into a node whose name and outputs are set.
using ExportFn = std::function<LogicalResult(Operation *, NodeWriter &)>;

/// One operator in a range of versions: either the function that builds it, or
/// the graph op that it is.
struct OpRow {
  /// `domain::name` outside the default domain.
  StringLiteral name;
  int since;
  InputCount inputs;
  ImportFn import;
  StringRef glowOp = "";
  SmallVector<SharedAttr, 2> attributes = {};
  int until = kLatestOpset;
  bool takesLists = false;
  bool isPerPart = false;
  SmallVector<unsigned, 0> alike = {};
};

class OpTable {
public:
  static const OpTable &get();

  /// The row for an operator, or null with the reason why there is none.
  const OpRow *find(StringRef domain, StringRef op, int64_t opset,
                    std::string &reason) const;
  /// How a graph op is written; null if it has no ONNX form of its own.
  ExportFn findExport(StringRef glowOp) const { return exports.lookup(glowOp); }

  /// What may be said about a row that was added.
  class Entry {
  public:
    Entry(OpTable &table, OpRow &row) : table(table), row(row) {}
    Entry until(int version) {
      row.until = version;
      return *this;
    }
    /// Inputs, and results of bodies, may be sequences and optionals.
    Entry takesLists() {
      row.takesLists = true;
      return *this;
    }
    /// Elements of these inputs, of which the first is always given, have one
    /// type.
    Entry alike(std::initializer_list<unsigned> inputs) {
      row.alike = inputs;
      return *this;
    }
    /// Of complex numbers in input 0, each part is computed as if it were all.
    Entry perPart() {
      row.isPerPart = true;
      return *this;
    }
    /// `function` writes graph op `Op` as this operator.
    template <typename Op>
    Entry exports(LogicalResult (*function)(Op, NodeWriter &)) {
      table.write(function);
      return *this;
    }
    /// Graph op `Op` has the operands of this operator and these attributes.
    template <typename Op> Entry exports(ArrayRef<SharedAttr> attributes = {}) {
      table.writeAs(Op::getOperationName(), row, attributes);
      return *this;
    }

  private:
    OpTable &table;
    OpRow &row;
  };

  /// An operator that `import` builds, from version `since` on.
  Entry add(StringLiteral name, int since, InputCount inputs, ImportFn import);
  /// An operator that is the graph op `Op` in both directions.
  template <typename Op>
  Entry add(StringLiteral name, int since, InputCount inputs,
            ArrayRef<SharedAttr> attributes = {}) {
    return addSame(name, since, inputs, Op::getOperationName(), attributes);
  }
  /// `function` writes a graph op that is not imported from one operator.
  template <typename Op>
  void write(LogicalResult (*function)(Op, NodeWriter &)) {
    exports[Op::getOperationName()] = [=](Operation *op, NodeWriter &node) {
      return function(cast<Op>(op), node);
    };
  }

private:
  Entry addSame(StringLiteral name, int since, InputCount inputs,
                StringRef glowOp, ArrayRef<SharedAttr> attributes);
  void writeAs(StringRef glowOp, const OpRow &row,
               ArrayRef<SharedAttr> attributes);

  llvm::StringMap<std::deque<OpRow>> rows;
  llvm::StringMap<ExportFn> exports;
};

/// Builds the graph op of a row that names one.
LogicalResult importSame(Node &node, const OpRow &row);

/// The axes given as an attribute, or as input 1 from version `inputSince` on;
/// counted from 0 and sorted. Empty if absent.
FailureOr<SmallVector<int64_t>> readAxes(Node &node, int64_t rank,
                                         int inputSince);

// The families, each in the file of its name.
void addAttentionOps(OpTable &table);
void addBinaryOps(OpTable &table);
void addClassicFeatures(OpTable &table);
void addClassicModels(OpTable &table);
void addConstantOps(OpTable &table);
void addControlFlow(OpTable &table);
void addConvOps(OpTable &table);
void addEinsum(OpTable &table);
void addGradient(OpTable &table);
void addGroupQueryAttention(OpTable &table);
void addIndexOps(OpTable &table);
void addLabelOps(OpTable &table);
void addLinearOps(OpTable &table);
void addLoop(OpTable &table);
void addLossOps(OpTable &table);
void addMaxRoiPool(OpTable &table);
void addNormOps(OpTable &table);
void addPoolOps(OpTable &table);
void addQuantOps(OpTable &table);
void addRandomOps(OpTable &table);
void addRecurrentOps(OpTable &table);
void addReduceOps(OpTable &table);
void addResizeOps(OpTable &table);
void addRoiOps(OpTable &table);
void addRuntimeAttention(OpTable &table);
void addRuntimeOps(OpTable &table);
void addRuntimeQuantOps(OpTable &table);
void addSamplingOps(OpTable &table);
void addSelectOps(OpTable &table);
void addSequenceOps(OpTable &table);
void addShapeOps(OpTable &table);
void addSliceOps(OpTable &table);
void addSpectralOps(OpTable &table);
void addStateSpaceOps(OpTable &table);
void addStringOps(OpTable &table);
void addTrainingOps(OpTable &table);
void addTreeEnsembles(OpTable &table);
void addUnaryOps(OpTable &table);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H
