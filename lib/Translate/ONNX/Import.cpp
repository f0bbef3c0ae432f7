//===- Import.cpp - walk an ONNX graph and build its function -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes are imported in the order of the file, which ONNX wants sorted. A node
// that fails is noted and its results are unknown; nodes that use these are
// skipped, so that each cause is reported once.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "Expr.h"
#include "Lists.h"
#include "OpTable.h"
#include "Tensors.h"
#include "glow/Support/DeadOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::GraphProto;
using glow_onnx::NodeProto;
using glow_onnx::TensorProto;
using google::protobuf::RepeatedPtrField;

/// What is listed; a list that no one reads to the end helps no one.
static constexpr size_t kMaxProblems = 1000;

static StringRef displayName(const NodeProto &node) {
  if (!node.name().empty())
    return node.name();
  for (const std::string &output : node.output())
    if (!output.empty())
      return output;
  return "(no name)";
}

// -- Problems -----------------------------------------------------------------

void Importer::problem(const Twine &reason) {
  ONNXProblem problem;
  problem.reason = reason.str();
  addProblem(problem);
}

void Importer::addProblem(ONNXProblem problem) {
  if (problems.size() < kMaxProblems)
    problems.push_back(std::move(problem));
  else if (problems.size() == kMaxProblems)
    problems.push_back({"", "", "", 0, "there are more problems"});
}

void Importer::nodeProblem(const NodeProto &node, int64_t opset,
                           const Twine &reason,
                           std::vector<std::string> inputs) {
  addProblem({displayName(node).str(), node.op_type(),
              domainOf(node.domain()).str(), opset, reason.str(),
              std::move(inputs)});
}

void Importer::countOperator(const NodeProto &node, int64_t opset,
                             bool unsupported) {
  std::pair<std::string, std::string> key(domainOf(node.domain()).str(),
                                          node.op_type());
  auto [place, isNew] = operatorIndex.try_emplace(key, operators.size());
  if (isNew)
    operators.push_back({key.second, key.first, opset, 0, 0});
  ++operators[place->second].count;
  operators[place->second].unsupported += unsupported;
}

// -- Names --------------------------------------------------------------------

void Importer::define(StringRef name, Entry entry, Scope &scope) {
  if (name.empty())
    return;
  if (scope.initializers.count(name) ||
      !scope.names.try_emplace(name, entry).second)
    problem("the name '" + name + "' is defined twice");
}

Entry Importer::materialize(StringRef name, const TensorProto &tensor) {
  std::string reason;
  ElementsAttr value =
      elementsOf(tensor, file, name, builder.getContext(), reason);
  if (!value) {
    problem("initializer '" + name + "': " + reason);
    return {Entry::Unknown, {}};
  }
  Location loc = NameLoc::get(builder.getStringAttr(name));
  // The body of a loop is a function of its own, but not the last to use it.
  OpBuilder::InsertionGuard guard(builder);
  if (builder.getInsertionBlock() != mainBlock)
    builder.setInsertionPointToEnd(mainBlock);
  return {Entry::Known,
          ConstantOp::create(builder, loc, value.getType(), value)};
}

const Entry *Importer::find(StringRef name, Scope &scope) {
  for (Scope *s = &scope; s; s = s->outer) {
    if (auto known = s->names.find(name); known != s->names.end())
      return &known->second;
    auto tensor = s->initializers.find(name);
    if (tensor == s->initializers.end())
      continue;
    Entry entry = materialize(name, *tensor->second);
    s->initializers.erase(tensor);
    return &s->names.try_emplace(name, entry).first->second;
  }
  return nullptr;
}

// -- Nodes --------------------------------------------------------------------

void Importer::defineUnknown(const NodeProto &node, Scope &scope) {
  for (const std::string &output : node.output())
    define(output, {Entry::Unknown, {}}, scope);
}

void Importer::importNodes(const RepeatedPtrField<NodeProto> &nodes,
                           Scope &scope) {
  for (const NodeProto &node : nodes) {
    if (++imported > kMaxNodes) {
      if (imported == kMaxNodes + 1)
        problem("the model has more than " + Twine(kMaxNodes) +
                " nodes once its functions are inlined");
      return;
    }
    auto resolved = resolveAttributes(node, scope);
    importNode(resolved ? *resolved : node, scope);
  }
}

void Importer::importNode(const NodeProto &node, Scope &scope) {
  StringRef domain = domainOf(node.domain());
  int64_t opset = scope.opsets.lookup(domain);
  SmallVector<Entry> inputs;
  bool isKnown = true;
  for (const std::string &name : node.input()) {
    if (name.empty()) {
      inputs.push_back({Entry::Absent, {}});
      continue;
    }
    const Entry *entry = find(name, scope);
    if (!entry)
      nodeProblem(node, opset,
                  "input '" + name +
                      "' is not defined before this node: it is "
                      "missing, or the graph has a cycle or is not sorted");
    inputs.push_back(entry ? *entry : Entry());
    isKnown &= inputs.back().kind != Entry::Unknown;
  }
  if (const glow_onnx::FunctionProto *function = findFunction(node)) {
    // Its nodes are checked even if some of its inputs are not known.
    return importCall(node, *function, opset, inputs, scope);
  }
  std::string reason;
  const OpRow *row = OpTable::get().find(domain, node.op_type(), opset, reason);
  countOperator(node, opset, !row);
  if (!row)
    nodeProblem(node, opset, reason);
  if (!isKnown || !row)
    return defineUnknown(node, scope);

  SmallVector<Value> values;
  for (const Entry &entry : inputs)
    values.push_back(entry.value);
  while (!values.empty() && !values.back())
    values.pop_back();
  Location loc = NameLoc::get(builder.getStringAttr(displayName(node)));
  importOperator(node, opset, loc, values, scope);
}

static LogicalResult build(Node &node, const OpRow &row) {
  return row.import ? row.import(node) : importSame(node, row);
}

/// Builds an operator for the parts of complex numbers, one after the other.
static LogicalResult buildPerPart(Node &node, const OpRow &row) {
  Expr parts(node, node.partsOf(node.in(0)));
  ArrayRef<Value> given = node.inputs();
  SmallVector<Value> inputs(given), results;
  llvm::scope_exit restore([&] { node.setInputs(given); });
  int64_t last = parts.rank() - 1;
  for (int64_t i : {0, 1}) {
    inputs[0] = parts.slice(last, i, i + 1).squeeze({last});
    node.setInputs(inputs);
    if (!inputs[0] || failed(build(node, row)))
      return failure();
    results.push_back(node.output(0));
  }
  return node.result(
      node.fromParts(stack(node, results, Node::rank(results[0]))));
}

static LogicalResult checkAlike(Node &node, ArrayRef<unsigned> inputs) {
  if (inputs.empty())
    return success();
  Type first = Node::element(node.in(inputs.front()));
  for (unsigned i : inputs.drop_front()) {
    Value input = node.in(i);
    if (input && Node::element(input) != first)
      return node.fail("inputs " + Twine(inputs.front()) + " and " + Twine(i) +
                       " have elements of types " + debugString(first) +
                       " and " + debugString(Node::element(input)) +
                       ", which must be the same; cast one of them");
  }
  return success();
}

/// Checks the operands against the table and runs the row.
static LogicalResult runRow(Node &node, const OpRow &row) {
  if (node.numInputs() < row.inputs.min || node.numInputs() > row.inputs.max)
    return node.fail("has " + Twine(node.numInputs()) +
                     " inputs, which is not a number that it can have");
  for (unsigned i = 0; i < row.inputs.min; ++i)
    if (!node.in(i))
      return node.fail("input " + Twine(i) + " is missing");
  for (unsigned i = 0; !row.takesLists && i < node.numInputs(); ++i)
    if (isList(node.in(i)))
      return node.fail("input " + Twine(i) +
                       " is a sequence or an optional, not a tensor");
  if (failed(checkAlike(node, row.alike)))
    return failure();
  bool isPerPart = row.isPerPart && isa<ComplexType>(Node::element(node.in(0)));
  if (failed(isPerPart ? buildPerPart(node, row) : build(node, row)))
    return failure();
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    if (node.wantsOutput(i) && !node.output(i) &&
        !(row.name == "Dropout" && i > 0))
      return node.fail("output " + Twine(i) + " is not supported");
  return node.checkAttributes();
}

void Importer::importOperator(const NodeProto &proto, int64_t opset,
                              Location loc, ArrayRef<Value> inputs,
                              Scope &scope) {
  auto body = [&](const GraphProto &graph, ArrayRef<Value> values, Value onlyIf,
                  std::string *problem) {
    return importBody(graph, values, onlyIf, problem, scope);
  };
  auto lookUp = [&](StringRef name) {
    auto entry = scope.names.find(name);
    return entry == scope.names.end() ? Value() : entry->second.value;
  };
  std::string why;
  const OpRow *row = OpTable::get().find(domainOf(proto.domain()),
                                         proto.op_type(), opset, why);
  Node node(proto, opset, file, builder, loc, inputs, body, row->takesLists,
            lookUp, scope.onlyIf, static_cast<uint32_t>(imported),
            scope.isRepeated, this->values);
  {
    // The reasons of verifiers and of shape inference become this node's.
    ScopedDiagnosticHandler handler(
        builder.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            why += (why.empty() ? "" : "; ") + diagnostic.str();
        });
    if (failed(runRow(node, *row)))
      (void)node.fail("is invalid");
  }
  if (node.failed()) {
    if (!node.why().empty())
      why = node.why();
    if (!node.isConsequence()) {
      nodeProblem(proto, opset, why.empty() ? "is invalid" : why,
                  inputsBehind(node.notKnown()));
      problems.back().mayNeedShapes = hasOpenInputs;
    }
    return defineUnknown(proto, scope);
  }
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    define(proto.output(i), {Entry::Known, node.output(i)}, scope);
}

// -- The model ----------------------------------------------------------------

/// A name that needs no quotes in textual IR and no changes in C.
static std::string functionName(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result = "main" + (result.empty() ? "" : "_" + result);
  return result;
}

OwningOpRef<ModuleOp> Importer::run() {
  const glow_onnx::ModelProto &model = file.model();
  const GraphProto &graph = model.graph();
  MLIRContext *context = builder.getContext();
  Location loc = NameLoc::get(builder.getStringAttr(graph.name()));
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, loc, functionName(graph.name()),
                                       builder.getFunctionType({}, {}));
  mainBlock = function.addEntryBlock();
  builder.setInsertionPointToStart(mainBlock);

  for (const glow_onnx::FunctionProto &f : model.functions())
    functions[{domainOf(f.domain()).str(), f.name()}] = &f;
  Scope scope(nullptr);
  readOpsets(model.opset_import(), scope);
  if (!problems.empty())
    return {};
  SmallVector<NamedAttribute> opsets;
  for (const auto &entry : scope.opsets)
    opsets.push_back(builder.getNamedAttr(
        entry.getKey().empty() ? "ai.onnx" : entry.getKey(),
        builder.getI64IntegerAttr(entry.getValue())));
  (*module)->setAttr("glow.opset", DictionaryAttr::get(context, opsets));
  (*module)->setAttr("glow.ir_version",
                     builder.getI64IntegerAttr(model.ir_version()));
  (*module)->setAttr("glow.producer",
                     builder.getStringAttr(model.producer_name()));

  addInitializers(graph, scope);
  addInputs(graph, scope, function);
  importNodes(graph.node(), scope);
  addOutputs(graph, scope, function);
  if (values && values->mayWait) {
    if (problems.empty() && !values->needsShapes)
      findOpenTypes(function);
    if (wait(graph))
      return ModuleOp::create(loc);
  }
  // What only served arithmetic that has been folded.
  eraseDeadOps(*mainBlock);
  return module;
}
