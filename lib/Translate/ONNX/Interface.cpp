//===- Interface.cpp - inputs, outputs and initialisers of a graph --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interface.h"
#include "Lists.h"
#include "OpTable.h"
#include "Tensors.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::GraphProto;
using glow_onnx::TensorProto;
using glow_onnx::TypeProto;
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
    const std::string &name = sparse.values().name();
    std::string reason;
    TensorProto &dense = denseInitializers.emplace_back();
    if (!densify(sparse, file, dense, reason)) {
      problem("sparse initializer '" + name + "': " + reason);
      define(name, {Entry::Unknown, {}}, scope);
    } else if (!scope.initializers.try_emplace(name, &dense).second) {
      problem("the initializer '" + name + "' is defined twice");
    }
  }
}

// -- Inputs -------------------------------------------------------------------

ONNXPort onnx::portOf(const glow_onnx::ValueInfoProto &info,
                      MLIRContext *context,
                      SmallVectorImpl<StringRef> &dimNames,
                      std::string &reason) {
  ONNXPort port;
  port.name = info.name();
  const TypeProto *type = &info.type();
  if (type->has_optional_type()) {
    port.isOptional = true;
    type = &type->optional_type().elem_type();
  }
  if (type->has_sequence_type()) {
    port.isSequence = true;
    type = &type->sequence_type().elem_type();
  }
  bool isMap = type->has_map_type();
  if (isMap) {
    // The values alone, a row for each map.
    port.isSequence = false;
    type = &type->map_type().value_type();
  }
  if (type->value_case() == TypeProto::VALUE_NOT_SET)
    return port;
  if (!type->has_tensor_type()) {
    reason = "only tensors, maps, sequences and optionals of them are "
             "supported";
    return port;
  }
  if (int32_t element = type->tensor_type().elem_type())
    port.element = elementTypeOf(element, context, reason);
  if (isMap)
    port.dims.emplace(2, ShapedType::kDynamic);
  if (!port.element || isMap || !type->tensor_type().has_shape())
    return port;
  if (auto tensor = tensorTypeOf(*type, context, dimNames, reason))
    port.dims = tensor.getShape().vec();
  return port;
}

/// The declared shape with the extents that are known besides.
static std::string mergeShape(std::optional<std::vector<int64_t>> &dims,
                              const std::vector<int64_t> &known) {
  if (!dims)
    dims.emplace(known.size(), ShapedType::kDynamic);
  bool fits = dims->size() == known.size();
  for (size_t i = 0; fits && i < known.size(); ++i)
    fits = (*dims)[i] == ShapedType::kDynamic || (*dims)[i] == known[i];
  auto shapeText = [](ArrayRef<int64_t> extents) {
    std::string text;
    for (int64_t extent : extents)
      text += (text.empty() ? "" : "x") +
              (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
    return text.empty() ? "of no axes" : text;
  };
  if (!fits)
    return "is " + shapeText(*dims) + " in the model, which the shape " +
           shapeText(known) + " that is given for it does not fit";
  dims = known;
  return "";
}

/// Numbers as a constant of a type; null if there are not as many as it has
/// elements, or one is none of its numbers.
static ElementsAttr readNumbers(RankedTensorType type,
                                ArrayRef<std::string> texts) {
  if (!type.hasStaticShape() ||
      type.getNumElements() != static_cast<int64_t>(texts.size()))
    return {};
  SmallVector<Attribute> values;
  for (StringRef text : texts) {
    Type element = type.getElementType();
    double real;
    APInt integer;
    if (auto kind = dyn_cast<FloatType>(element)) {
      if (text.getAsDouble(real))
        return {};
      values.push_back(FloatAttr::get(kind, real));
      continue;
    }
    bool isNegative = text.consume_front("-");
    unsigned width = element.isInteger() ? element.getIntOrFloatBitWidth() : 0;
    if (width == 0 || text.getAsInteger(10, integer) ||
        integer.getActiveBits() > width)
      return {};
    integer = integer.zextOrTrunc(width);
    values.push_back(
        IntegerAttr::get(element, isNegative ? -integer : integer));
  }
  return DenseElementsAttr::get(type, values);
}

Value Importer::addArgument(const Twine &name, const ONNXPort &port,
                            ArrayRef<StringRef> dimNames,
                            func::FuncOp function) {
  auto dims = port.dims;
  std::string text = name.str();
  if (values)
    if (auto known = values->shapes.find(text); known != values->shapes.end())
      if (std::string reason = mergeShape(dims, known->second); !reason.empty())
        return problem("input '" + text + "' " + reason), Value();
  const std::vector<std::string> *numbers = nullptr;
  if (values)
    if (auto given = values->numbers.find(text); given != values->numbers.end())
      numbers = &given->second;
  // A list has as many elements as there are.
  if (numbers && dims && dims->size() == 1 && dims->front() < 0)
    dims->front() = static_cast<int64_t>(numbers->size());
  if (!dims) {
    if (values && values->mayWait)
      values->needsShapes = true;
    else
      problem("input '" + text +
              "': the number of axes is not given; give a "
              "shape, as --shape '" +
              text + "=2x3'");
    return {};
  }
  auto type = RankedTensorType::get(*dims, port.element);
  hasOpenInputs |= !type.hasStaticShape();
  StringAttr nameAttr = builder.getStringAttr(text);
  NamedAttrList attributes;
  attributes.set(GlowDialect::kNameAttrName, nameAttr);
  if (llvm::any_of(dimNames, [](StringRef name) { return !name.empty(); }))
    attributes.set(GlowDialect::kDimNamesAttrName,
                   builder.getStrArrayAttr(dimNames));
  unsigned index = function.getNumArguments();
  if (failed(function.insertArgument(
          index, type, attributes.getDictionary(builder.getContext()),
          NameLoc::get(nameAttr))))
    return problem("input '" + text + "' cannot be added"), Value();
  Value value = function.getArgument(index);
  if (numbers) {
    ElementsAttr constant = readNumbers(type, *numbers);
    if (!constant)
      return problem("input '" + text + "' cannot have the values " +
                     llvm::join(*numbers, ",")),
             Value();
    function.setArgAttr(index, kValuesAttrName, constant);
    return ConstantOp::create(builder, value.getLoc(), type, constant);
  }
  if (values)
    if (auto known = values->known.find(text); known != values->known.end())
      value = ConstantOp::create(builder, value.getLoc(),
                                 known->second.getType(), known->second);
  return value;
}

/// A list of as many arguments as there are shapes known for it.
Value Importer::addList(const ONNXPort &port, func::FuncOp function) {
  unsigned first = function.getNumArguments(), count = 0;
  auto isKnown = [&] {
    return values && values->shapes.count(nameInList(port.name, count));
  };
  bool isEmpty = values && values->empty.count(port.name);
  if (!isEmpty && !isKnown()) {
    if (values && values->mayWait)
      values->needsShapes = true;
    else
      problem("input '" + port.name + "' is " +
              (port.isSequence ? "a sequence" : "an optional") +
              ": give the shape of each tensor in it, as --shape '" +
              nameInList(port.name, 0) + "=2x3'; or --shape '" + port.name +
              (port.isSequence ? "=[]' for an empty one" : "=none' for none"));
    return {};
  }
  Location loc = NameLoc::get(builder.getStringAttr(port.name));
  SmallVector<Value> tensors;
  for (; !isEmpty && isKnown(); ++count) {
    tensors.push_back(
        addArgument(nameInList(port.name, count), port, {}, function));
    if (!tensors.back())
      return {};
  }
  bool isPresent = !isEmpty || values->empty.lookup(port.name);
  inputLists.push_back(
      {port.name, port.isSequence, port.isOptional, isPresent, first, count});
  Value value;
  if (port.isSequence && isPresent)
    value = makeSequence(builder, loc, tensors);
  else if (!tensors.empty())
    value = tensors.front();
  return port.isOptional ? makeOptional(builder, loc, value) : value;
}

void Importer::addInputs(const GraphProto &graph, Scope &scope,
                         func::FuncOp function) {
  for (const auto &input : graph.input()) {
    // Up to IR version 3 the initializers are among the inputs.
    if (scope.initializers.count(input.name()))
      continue;
    std::string reason;
    SmallVector<StringRef> dimNames;
    ONNXPort port = portOf(input, builder.getContext(), dimNames, reason);
    if (!port.element && reason.empty())
      reason = "its element type is not declared";
    if (!reason.empty())
      problem("input '" + input.name() + "': " + reason);
    Value value;
    if (reason.empty())
      value = port.isTensor() ? addArgument(port.name, port, dimNames, function)
                              : addList(port, function);
    define(input.name(), {value ? Entry::Known : Entry::Unknown, value}, scope);
    if (values)
      values->inputs.push_back(std::move(port));
  }
  // Those of lists are called after them.
  auto isInput = [&](StringRef name) {
    return llvm::any_of(values->inputs, [&](const ONNXPort &port) {
      return name.starts_with(port.name);
    });
  };
  if (values)
    for (const auto &given : values->numbers)
      if (!isInput(given.getKey()))
        problem("there is no input '" + given.getKey().str() +
                "', whose values are given");
  if (!inputLists.empty())
    function->setAttr(kInputListsAttrName,
                      toAttribute(inputLists, builder.getContext()));
}

// -- Outputs ------------------------------------------------------------------

/// Why a result does not have the declared type, or an empty string.
static std::string compareTypes(Type declared, Type actual) {
  std::string text;
  if (declared && declared != cast<RankedTensorType>(actual).getElementType())
    llvm::raw_string_ostream(text) << "is declared with element type "
                                   << declared << " but has type " << actual;
  return text;
}

namespace {
/// Collects what a function returns.
struct Results {
  SmallVector<Value> values;
  SmallVector<Attribute> attributes;
  std::vector<TensorList> lists;

  void add(OpBuilder &builder, StringRef name, Value value) {
    values.push_back(value);
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        GlowDialect::kNameAttrName, builder.getStringAttr(name))));
  }
  void addList(OpBuilder &builder, const ONNXPort &port, Value value) {
    unsigned first = values.size();
    bool isPresent = true;
    bool isOptionalValue = isOptional(value);
    if (isOptionalValue) {
      isPresent = !elementsOf(value).empty();
      value = isPresent ? elementsOf(value).front() : Value();
    }
    bool isSequenceValue = value ? isSequence(value) : port.isSequence;
    SmallVector<Value> tensors;
    if (isList(value))
      tensors = llvm::to_vector(elementsOf(value));
    else if (value)
      tensors.push_back(value);
    for (auto [i, tensor] : llvm::enumerate(tensors))
      add(builder, nameInList(port.name, i), tensor);
    lists.push_back({port.name, isSequenceValue, isOptionalValue, isPresent,
                     first, static_cast<unsigned>(tensors.size())});
  }
};
} // namespace

void Importer::addOutputs(const GraphProto &graph, Scope &scope,
                          func::FuncOp function) {
  Results results;
  llvm::StringSet<> names;
  for (const auto &output : graph.output()) {
    if (!names.insert(output.name()).second) {
      problem("output '" + output.name() + "' is listed twice");
      continue;
    }
    const Entry *entry = find(output.name(), scope);
    if (!entry) {
      problem("output '" + output.name() + "' is not produced by any node");
      continue;
    }
    if (entry->kind != Entry::Known)
      continue;
    std::string reason;
    SmallVector<StringRef> dimNames;
    ONNXPort port = portOf(output, builder.getContext(), dimNames, reason);
    if (!port.element && !reason.empty())
      problem("output '" + output.name() + "': " + reason);
    size_t first = results.values.size();
    if (isList(entry->value))
      results.addList(builder, port, entry->value);
    else
      results.add(builder, output.name(), entry->value);
    for (Value value : ArrayRef(results.values).drop_front(first))
      if (std::string reason = compareTypes(port.element, value.getType());
          !reason.empty())
        problem("output '" + output.name() + "' " + reason);
  }
  if (graph.output().empty())
    problem("the graph has no outputs");
  func::ReturnOp::create(builder, function.getLoc(), results.values);
  function.setType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results.values).getTypes()));
  function.setAllResultAttrs(results.attributes);
  if (!results.lists.empty())
    function->setAttr(kOutputListsAttrName,
                      toAttribute(results.lists, builder.getContext()));
}
