//===- Functions.cpp - model-local functions and bodies -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are inlined: a function's body at each call, a graph that is an
// attribute wherever its operator asks for it.
//
//===----------------------------------------------------------------------===//
#include "Import.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::AttributeProto;
using glow_onnx::FunctionProto;
using glow_onnx::GraphProto;
using glow_onnx::NodeProto;

/// Functions and branches within one another. A function that calls itself
/// ends here.
static constexpr int kMaxDepth = 64;

std::unique_ptr<NodeProto> onnx::resolveAttributes(const NodeProto &node,
                                                   const Scope &scope) {
  const Scope *called = &scope;
  while (called && !called->caller)
    called = called->outer;
  if (!called || llvm::all_of(node.attribute(), [](const AttributeProto &a) {
        return a.ref_attr_name().empty();
      }))
    return nullptr;
  auto resolved = std::make_unique<NodeProto>(node);
  resolved->clear_attribute();
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      *resolved->add_attribute() = attribute;
      continue;
    }
    auto take = [&](const auto &list) {
      for (const AttributeProto &given : list) {
        if (given.name() != attribute.ref_attr_name())
          continue;
        AttributeProto *copy = resolved->add_attribute();
        *copy = given;
        copy->set_name(attribute.name());
        return true;
      }
      return false;
    };
    // An attribute that neither gives is left out.
    if (!take(called->caller->attribute()))
      take(called->function->attribute_proto());
  }
  return resolved;
}

const FunctionProto *Importer::findFunction(const NodeProto &node) {
  auto known = functions.find({domainOf(node.domain()).str(), node.op_type()});
  return known == functions.end() ? nullptr : known->second;
}

void Importer::defineOutputs(const NodeProto &node, ArrayRef<std::string> names,
                             Scope &inner, Scope &scope) {
  for (auto [i, output] : llvm::enumerate(node.output())) {
    Entry entry;
    if (i < names.size())
      if (const Entry *found = find(names[i], inner))
        entry = *found;
      else
        problem("'" + names[i] + "', a result of '" + node.op_type() +
                "', is not produced by any node");
    else
      problem("node '" + node.name() + "' has more outputs than '" +
              node.op_type() + "'");
    define(output, entry, scope);
  }
}

void Importer::importCall(const NodeProto &node, const FunctionProto &function,
                          int64_t opset, ArrayRef<Entry> inputs, Scope &scope) {
  if (scope.depth >= kMaxDepth) {
    nodeProblem(node, opset, "functions call one another too deeply");
    return defineUnknown(node, scope);
  }
  Scope inner(nullptr);
  inner.depth = scope.depth + 1;
  inner.onlyIf = scope.onlyIf;
  inner.isRepeated = scope.isRepeated;
  inner.caller = &node;
  inner.function = &function;
  readOpsets(function.opset_import(), inner);
  if (inputs.size() > static_cast<size_t>(function.input_size()))
    nodeProblem(node, opset,
                "has " + Twine(inputs.size()) +
                    " inputs, but the function "
                    "takes " +
                    Twine(function.input_size()));
  for (auto [i, name] : llvm::enumerate(function.input()))
    define(name, i < inputs.size() ? inputs[i] : Entry{Entry::Absent, {}},
           inner);
  importNodes(function.node(), inner);
  SmallVector<std::string> names(function.output().begin(),
                                 function.output().end());
  defineOutputs(node, names, inner, scope);
}

FailureOr<SmallVector<Value>>
Importer::importBody(const GraphProto &graph, ArrayRef<Value> inputs,
                     Value onlyIf, std::string *problem, Scope &scope) {
  size_t before = problems.size();
  auto outputs = importBody(graph, inputs, onlyIf,
                            scope.isRepeated || problem != nullptr, scope);
  // A model that is too large has no other form.
  if (problem && problems.size() > before && imported <= kMaxNodes) {
    const ONNXProblem &first = problems[before];
    *problem = (first.node.empty() ? "" : "node '" + first.node + "': ") +
               first.reason;
    problems.erase(problems.begin() + before, problems.end());
    return failure();
  }
  return outputs;
}

FailureOr<SmallVector<Value>>
Importer::importBody(const GraphProto &graph, ArrayRef<Value> inputs,
                     Value onlyIf, bool isRepeated, Scope &scope) {
  auto fail = [&](const Twine &reason) {
    problem("graph '" + StringRef(graph.name()) + "': " + reason);
    return failure();
  };
  if (scope.depth >= kMaxDepth)
    return fail("bodies are nested too deeply");
  if (inputs.size() != static_cast<size_t>(graph.input_size()))
    return fail("takes " + Twine(graph.input_size()) + " inputs, not " +
                Twine(inputs.size()));
  Scope inner(&scope);
  inner.depth = scope.depth + 1;
  inner.onlyIf = onlyIf;
  inner.isRepeated = isRepeated;
  inner.opsets = scope.opsets;
  addInitializers(graph, inner);
  for (auto [input, value] : llvm::zip(graph.input(), inputs))
    define(input.name(), {Entry::Known, value}, inner);
  importNodes(graph.node(), inner);
  SmallVector<Value> outputs;
  for (const auto &output : graph.output()) {
    const Entry *entry = find(output.name(), inner);
    if (!entry)
      return fail("'" + StringRef(output.name()) +
                  "' is not produced by any node");
    if (entry->kind != Entry::Known)
      return failure();
    outputs.push_back(entry->value);
  }
  return outputs;
}
