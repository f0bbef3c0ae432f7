//===- Interface.cpp - inputs, outputs and initialisers of a graph --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Import.h"
#include "OpTable.h"
#include "Tensors.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::GraphProto;
using glow_onnx::TensorProto;
using google::protobuf::RepeatedPtrField;

void Importer::readOpsets(
    const RepeatedPtrField<glow_onnx::OperatorSetIdProto> &imports,
    Scope &scope) {
  for (const auto &import : imports)
    scope.opsets[domainOf(import.domain())] = import.version();
  // Models of the first two IR versions do not say; theirs is version 1.
  int64_t version = scope.opsets.try_emplace("", 1).first->second;
  if (version < 1 || version > kLatestOpset)
    problem("version " + Twine(version) +
            " of the operator set is not known; the latest known is " +
            Twine(kLatestOpset));
}

void Importer::addInitializers(const GraphProto &graph, Scope &scope) {
  for (const TensorProto &tensor : graph.initializer()) {
    if (tensor.name().empty())
      problem("an initializer has no name");
    else if (!scope.initializers.try_emplace(tensor.name(), &tensor).second)
      problem("the initializer '" + tensor.name() + "' is defined twice");
  }
  for (const auto &sparse : graph.sparse_initializer()) {
    problem("sparse initializer '" + sparse.values().name() +
            "' is not supported");
    define(sparse.values().name(), {Entry::Unknown, {}}, scope);
  }
}

void Importer::addInputs(const GraphProto &graph, Scope &scope,
                         func::FuncOp function) {
  for (const auto &input : graph.input()) {
    // Up to IR version 3 the initializers are among the inputs.
    if (scope.initializers.count(input.name()))
      continue;
    std::string reason;
    SmallVector<StringRef> dimNames;
    RankedTensorType type =
        tensorTypeOf(input.type(), builder.getContext(), dimNames, reason);
    if (!type) {
      problem("input '" + input.name() + "': " + reason);
      define(input.name(), {Entry::Unknown, {}}, scope);
      continue;
    }
    unsigned index = function.getNumArguments();
    NamedAttrList attributes;
    attributes.set(GlowDialect::kNameAttrName,
                   builder.getStringAttr(input.name()));
    if (llvm::any_of(dimNames, [](StringRef name) { return !name.empty(); }))
      attributes.set(GlowDialect::kDimNamesAttrName,
                     builder.getStrArrayAttr(dimNames));
    if (failed(function.insertArgument(
            index, type, attributes.getDictionary(builder.getContext()),
            NameLoc::get(builder.getStringAttr(input.name())))))
      return problem("input '" + input.name() + "' cannot be added");
    Value value = function.getArgument(index);
    if (values)
      if (auto known = values->known.find(input.name());
          known != values->known.end())
        value = ConstantOp::create(builder, value.getLoc(),
                                   known->second.getType(), known->second);
    define(input.name(), {Entry::Known, value}, scope);
  }
}

/// Why a result does not have the declared type, or an empty string.
static std::string compareTypes(const glow_onnx::TypeProto &declared,
                                Type actual) {
  if (!declared.has_tensor_type() || !declared.tensor_type().elem_type())
    return "";
  std::string reason, text;
  Type element = elementTypeOf(declared.tensor_type().elem_type(),
                               actual.getContext(), reason);
  if (!element || element == cast<RankedTensorType>(actual).getElementType())
    return reason;
  llvm::raw_string_ostream(text) << "is declared with element type " << element
                                 << " but has type " << actual;
  return text;
}

void Importer::addOutputs(const GraphProto &graph, Scope &scope,
                          func::FuncOp function) {
  SmallVector<Value> values;
  SmallVector<Attribute> attributes;
  for (const auto &output : graph.output()) {
    const Entry *entry = find(output.name(), scope);
    if (!entry) {
      problem("output '" + output.name() + "' is not produced by any node");
      continue;
    }
    if (entry->kind != Entry::Known)
      continue;
    std::string reason = compareTypes(output.type(), entry->value.getType());
    if (!reason.empty())
      problem("output '" + output.name() + "' " + reason);
    values.push_back(entry->value);
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        GlowDialect::kNameAttrName, builder.getStringAttr(output.name()))));
  }
  if (graph.output().empty())
    problem("the graph has no outputs");
  func::ReturnOp::create(builder, function.getLoc(), values);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(values).getTypes()));
  function.setAllResultAttrs(attributes);
}
