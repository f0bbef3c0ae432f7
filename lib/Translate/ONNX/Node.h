//===- Node.h - one ONNX node while it is imported --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator's import function works with: typed access to inputs and
// attributes, and a builder of graph ops. The first failure is kept; what is
// asked afterwards gives harmless defaults, so import functions need not check
// every step.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TRANSLATE_ONNX_NODE_H
#define GLOW_LIB_TRANSLATE_ONNX_NODE_H

#include "ModelFile.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::glow::onnx {

/// Imports a graph attribute with these values for its inputs; the values of
/// its outputs, or failure if problems were noted.
/// What is imported matters only if the last value, a truth value, holds; null
/// says always. If there is a text, it gets the first problem, and none is
/// noted.
using BodyImporter = function_ref<FailureOr<SmallVector<Value>>(
    const glow_onnx::GraphProto &, ArrayRef<Value>, Value, std::string *)>;

/// Makes of the number of an iteration and its states whether there is another,
/// the states for it, and what is collected.
using LoopBuilder =
    function_ref<FailureOr<SmallVector<Value>>(ArrayRef<Value>)>;

/// The value of a name of the graph; null if it has none that is known.
using NameLookup = function_ref<Value(StringRef)>;

/// An attribute of an op to build; one with a null value is left out.
struct Attr {
  StringRef name;
  Attribute value;
};

/// The names of the model's inputs that `lists` are computed from; empty if one
/// of them is not small, or there are none.
std::vector<std::string> inputsBehind(ArrayRef<Value> lists);

class Node {
public:
  Node(const glow_onnx::NodeProto &proto, int64_t opset, ModelFile &file,
       OpBuilder &builder, Location loc, ArrayRef<Value> inputs,
       BodyImporter importBody, bool takesLists, NameLookup lookUp,
       Value onlyIf, uint32_t place, bool isRepeated, ONNXInputValues *values)
      : proto(proto), file(file), builder(builder), loc(loc), version(opset),
        operands(inputs), importBody(importBody), takesLists(takesLists),
        lookUp(lookUp), condition(onlyIf), number(place), repeated(isRepeated),
        values(values) {}

  // -- What the model says ---------------------------------------------------

  int64_t opset() const { return version; }
  /// How many nodes were imported before, those of bodies each time.
  uint32_t place() const { return number; }
  /// Whether it is part of the body of an op, which is imported once.
  bool isRepeated() const { return repeated; }
  StringRef type() const { return proto.op_type(); }
  /// How it is called where something is said of it.
  StringRef displayName() const { return llvm::cast<NameLoc>(loc).getName(); }
  /// The rows that it was given room for.
  std::optional<int64_t> most();
  unsigned numInputs() const { return operands.size(); }
  unsigned numOutputs() const { return proto.output_size(); }
  /// The input at `index`, null if it is left out.
  Value in(unsigned index) const {
    return index < operands.size() ? operands[index] : Value();
  }
  ArrayRef<Value> inputs() const { return operands; }
  /// Gives the node other inputs.
  void setInputs(ArrayRef<Value> inputs) { operands = inputs; }
  bool wantsOutput(unsigned index) const {
    return index < numOutputs() && !proto.output(index).empty();
  }

  bool has(StringRef name);
  int64_t integer(StringRef name, int64_t otherwise);
  bool flag(StringRef name, bool otherwise = false);
  double real(StringRef name, double otherwise);
  StringRef string(StringRef name, StringRef otherwise);
  SmallVector<int64_t> integers(StringRef name,
                                ArrayRef<int64_t> otherwise = {});
  SmallVector<double> reals(StringRef name);
  SmallVector<StringRef> strings(StringRef name);
  /// A tensor attribute as a constant's value; null if absent.
  ElementsAttr tensor(StringRef name);
  /// The same of a sparse tensor, with zeros where it has no values.
  ElementsAttr sparseTensor(StringRef name);
  /// The numbers of the attribute `name`, or of the tensor `name` + `suffix`.
  SmallVector<double> numbers(StringRef name, StringRef suffix = "_as_tensor");
  /// The outputs of the graph attribute `name`, imported with these inputs;
  /// each call builds its nodes anew.
  FailureOr<SmallVector<Value>> body(StringRef name, ArrayRef<Value> inputs,
                                     Value onlyIf = {});
  /// Null, or whether the node's results matter: it may be part of a branch
  /// that is not taken.
  Value onlyIf() const { return condition; }
  /// The tensor of the graph with that name, null if there is none.
  Value named(StringRef name) const { return lookUp(name); }
  /// States that an attribute does not matter.
  void ignore(StringRef name) { used.insert(name); }

  // -- What is known about values --------------------------------------------

  static ArrayRef<int64_t> dims(Value value) { return dimsOf(value); }
  static int64_t rank(Value value) { return dimsOf(value).size(); }
  static Type element(Value value) { return elementType(value); }
  /// The floating-point type in which an operator on floats is computed where
  /// its elements may also be integers; other types as they are.
  static Type realType(Type element);
  /// `axis` counted from 0; fails if it is out of range.
  int64_t axis(int64_t axis, int64_t rank);
  /// Axes counted from 0, sorted; fails on one that is out of range or double.
  SmallVector<int64_t> axes(ArrayRef<int64_t> axes, int64_t rank);
  /// The same in the order given, for lists that go with other lists.
  SmallVector<int64_t> axesInOrder(ArrayRef<int64_t> axes, int64_t rank);
  /// The integers of input `index`, or failure if they are not constant.
  FailureOr<SmallVector<int64_t>> constant(unsigned index, StringRef what);
  /// The integers of a value, or nothing; then it is remembered as the cause of
  /// a failure, for the value of an input may be all that is missing.
  std::optional<SmallVector<int64_t>> known(Value value);
  /// The same of numbers of any type.
  std::optional<SmallVector<int64_t>> knownNumbers(Value value);
  /// An operand that is left out is no cause.
  void noteMissing(Value value) {
    if (value)
      missing.push_back(value);
  }
  ArrayRef<Value> notKnown() const { return missing; }
  /// Whether an import may wait for inputs, and for those behind a value, which
  /// are small.
  bool mayWait() const { return values && values->mayWait; }
  bool mayWaitFor(Value value) const;

  // -- Building --------------------------------------------------------------

  /// Builds an op; null operands are optional ones left out. Returns its result
  /// after folding, or null after a failure.
  template <typename Op>
  Value emit(ArrayRef<Value> values, ArrayRef<Attr> attributes = {}) {
    return emitNamed(Op::getOperationName(), values, attributes);
  }
  Value emitNamed(StringRef op, ArrayRef<Value> values,
                  ArrayRef<Attr> attributes = {});
  /// The same for an op with several results.
  Operation *emitOp(StringRef op, ArrayRef<Value> values,
                    ArrayRef<Attr> attributes, unsigned numResults = 0);
  /// See `glow.call_host`; a cell that is an element type has no axes.
  SmallVector<Value> callHost(StringRef function, ArrayRef<Value> values,
                              ArrayRef<Type> cells,
                              ArrayRef<Attr> attributes = {},
                              int64_t coreRank = 0);
  Value callHost(StringRef function, ArrayRef<Value> values, Type element,
                 ArrayRef<Attr> attributes = {});

  /// The results of a `glow.loop` with that many rows of what is collected. Its
  /// body may use values from here. If it cannot be, says why, and is as
  /// before.
  FailureOr<SmallVector<Value>> loop(Value condition, ArrayRef<Value> states,
                                     int64_t rows, LoopBuilder build,
                                     std::string &why);

  /// The same of a `glow.for_steps` along axis 0 of `rows`, however long that
  /// is. What is built gets the states and an element of each of them.
  FailureOr<SmallVector<Value>> steps(ArrayRef<Value> states,
                                      ArrayRef<Value> rows, LoopBuilder build,
                                      std::string &why);

  Value constant(ElementsAttr value);
  /// A tensor of `values`, rounded to the type.
  Value constant(Type element, ArrayRef<int64_t> dims, ArrayRef<double> values);
  /// A 1-D tensor of `values`.
  Value shape(ArrayRef<int64_t> values);
  /// A rank-0 tensor with `value` as `element`.
  Value scalar(Type element, double value);
  Value scalarLike(Value like, double value) {
    return like ? scalar(element(like), value) : Value();
  }
  /// The number 0 or an empty string.
  Value nothing(Type element);
  /// The parts of complex numbers along a new last axis, and back.
  Value partsOf(Value numbers);
  Value fromParts(Value parts);
  /// Lists, see Lists.h. Null is an optional without a value.
  Value sequence(ArrayRef<Value> elements);
  Value optional(Value element);
  Value cast(Value value, Type element);
  /// Halves in single precision, as their squares and sums overflow on the way
  /// to results that they can express; all else as it is.
  Value widenHalves(Value value);
  /// Numbers or strings, chosen element by element.
  Value where(Value condition, Value a, Value b);
  Value reshape(Value value, ArrayRef<int64_t> dims);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value squeeze(Value value, ArrayRef<int64_t> axes);
  Value unsqueeze(Value value, ArrayRef<int64_t> axes);
  Value reduce(ReduceKind kind, Value value, ArrayRef<int64_t> axes, bool keep);
  /// The extents of axes `start` up to `end`, all by default.
  Value shapeOf(Value value, int64_t start = 0, int64_t end = -1);
  /// `value` with the shape of `like`.
  Value reshapeLike(Value value, Value like);
  /// `value` as a 1-D tensor of i64, as shape-like operands are.
  Value asShape(Value value);

  Attr i64(StringRef name, int64_t value) {
    return {name, builder.getI64IntegerAttr(value)};
  }
  Attr i64s(StringRef name, ArrayRef<int64_t> value) {
    return {name, builder.getDenseI64ArrayAttr(value)};
  }
  Attr f64(StringRef name, double value) {
    return {name, builder.getF64FloatAttr(value)};
  }
  Attr strs(StringRef name, ArrayRef<StringRef> value) {
    return {name, builder.getStrArrayAttr(value)};
  }
  Attr f64s(StringRef name, ArrayRef<double> value) {
    return {name, builder.getDenseF64ArrayAttr(value)};
  }
  Attr str(StringRef name, StringRef value) {
    return {name, builder.getStringAttr(value)};
  }
  Attr unit(StringRef name, bool set = true) {
    return {name, set ? builder.getUnitAttr() : Attribute()};
  }
  MLIRContext *context() const { return builder.getContext(); }

  // -- The outcome -----------------------------------------------------------

  /// Gives output `index` its value. Null values are failures noted before.
  LogicalResult result(Value value, unsigned index = 0);
  /// An empty reason means that a diagnostic tells it.
  LogicalResult fail(const Twine &why);
  bool failed() const { return bad; }
  /// True if the cause is a node of a body, which has been reported.
  bool isConsequence() const { return consequence; }
  const std::string &why() const { return reason; }
  Value output(unsigned index) const {
    return index < results.size() ? results[index] : Value();
  }
  /// Fails on an attribute that no one asked for.
  LogicalResult checkAttributes();

private:
  Value castText(Value value, Type to);
  LogicalResult buildLoopBody(func::FuncOp function, Value condition,
                              ArrayRef<Value> states, LoopBuilder build);
  LogicalResult buildStepBody(func::FuncOp function, ArrayRef<Value> states,
                              LoopBuilder build);
  /// A private function that `build` has filled, and the values around it that
  /// became its last arguments. After a failure, all is as before but for the
  /// reason.
  struct Body {
    func::FuncOp function;
    SmallVector<Value> reads;
  };
  FailureOr<Body> makeBody(ArrayRef<Type> types,
                           function_ref<LogicalResult(func::FuncOp)> build,
                           function_ref<LogicalResult(func::FuncOp)> check,
                           std::string &why);
  const glow_onnx::AttributeProto *
  find(StringRef name, glow_onnx::AttributeProto::AttributeType type);

  const glow_onnx::NodeProto &proto;
  ModelFile &file;
  OpBuilder &builder;
  Location loc;
  int64_t version;
  ArrayRef<Value> operands;
  BodyImporter importBody;
  bool takesLists;
  NameLookup lookUp;
  Value condition;
  uint32_t number;
  bool repeated;
  ONNXInputValues *values;
  SmallVector<Value> results, missing;
  llvm::StringSet<> used;
  std::string reason;
  bool bad = false, consequence = false;
  /// Whether problems of bodies are only a reason to do something else.
  bool isTrying = false;
};

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_NODE_H
