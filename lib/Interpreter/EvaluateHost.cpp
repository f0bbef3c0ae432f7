//===- EvaluateHost.cpp - functions of the runtime ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "glow/Runtime/HostFunctions.h"
#include "glow/Support/DType.h"
#include "glow/Support/HostAttributes.h"
#include "glow/Support/NodeNames.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;
namespace rt = ::glow::runtime;

namespace {
/// The description of a call, which compiled models have as constants.
class Description {
public:
  explicit Description(CallHostOp op)
      : function(op.getFunction()), node(nodeNames(op.getLoc())),
        attributes(readHostAttributes(op.getConfig())) {
    for (const HostAttribute &attribute : attributes)
      std::visit([&](const auto &values) { add(attribute.name, values); },
                 attribute.values);
    for (Value input : op.getInputs())
      addTensor(input);
    for (Value result : op.getResults())
      addTensor(result);
    call.size = sizeof(call);
    call.num_inputs = op.getInputs().size();
    call.num_outputs = op.getNumResults();
    call.num_attrs = attrs.size();
    call.function = function.c_str();
    call.node = node.c_str();
    call.tensors = tensors.data();
    call.attrs = attrs.data();
  }
  GlowHostCall call = {};

private:
  void add(const std::string &name, const std::vector<int64_t> &values) {
    attrs.push_back({name.c_str(), values.data(), values.size(), GLOW_I64});
  }
  void add(const std::string &name, const std::vector<double> &values) {
    attrs.push_back({name.c_str(), values.data(), values.size(), GLOW_F64});
  }
  void add(const std::string &name, const std::vector<StringRef> &values) {
    auto &list = texts.emplace_back();
    for (StringRef value : values)
      list.push_back({value.data(), value.size()});
    attrs.push_back({name.c_str(), list.data(), list.size(), GLOW_STRING});
  }
  /// The extents are the actual tensors', not these types', unless the call is
  /// on bounds.
  void addTensor(Value value) {
    tensors.push_back(
        {nullptr, 0, dtypeOf(mlir::glow::elementType(value)).value_or(0)});
    if (auto type = cast<RankedTensorType>(value.getType());
        type.hasStaticShape()) {
      tensors.back().dims = type.getShape().data();
      tensors.back().rank = type.getRank();
    }
  }

  std::string function, node;
  std::vector<HostAttribute> attributes;
  std::vector<std::vector<GlowString>> texts;
  std::vector<GlowHostAttr> attrs;
  std::vector<GlowHostTensor> tensors;
};

/// A call whose results get the extents that they turn out to have.
class InterpretedCall : public rt::HostCall {
public:
  InterpretedCall(CallHostOp op, const GlowHostCall &call,
                  ArrayRef<Tensor> operands, Outputs out, rt::StringPool &pool)
      : HostCall(call, nullptr, pool), op(op), out(out) {
    for (auto [i, tensor] : llvm::enumerate(operands))
      inputs.push_back({rt::HostDims(tensor.getShape()), call.tensors[i].dtype,
                        tensor.bytes(), static_cast<uint64_t>(tensor.size())});
  }
  void *result(uint32_t index, const rt::HostDims &dims) override {
    if (failed(allocateResult(op, dims, out[index], index))) {
      hasMessage = true;
      return nullptr;
    }
    return out[index].mutableBytes();
  }
  bool hasMessage = false;

private:
  CallHostOp op;
  Outputs out;
};
} // namespace

LogicalResult mlir::glow::checkHostFunction(CallHostOp op) {
  rt::HostFunctionPtr function;
  if (rt::makeHostFunction(Description(op).call, function))
    return op.emitError(glow_last_error());
  return success();
}

/// A call that `glow-bound-shapes` made: all of it is static.
static LogicalResult evaluateBounded(CallHostOp op, const GlowHostCall &call,
                                     rt::HostFunction &function,
                                     ArrayRef<Tensor> operands, Outputs out,
                                     rt::StringPool &pool) {
  SmallVector<void *> args;
  for (const Tensor &operand : operands)
    args.push_back(
        const_cast<void *>(static_cast<const void *>(operand.bytes())));
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    if (failed(allocateResult(op, dimsOf(result), out[i], i)))
      return failure();
    // What is not written may be looked at, strings too.
    std::memset(out[i].mutableBytes(), 0, out[i].sizeInBytes());
    args.push_back(out[i].mutableBytes());
  }
  if (rt::runHostFunction(function, call, args.data(), pool))
    return op.emitError(glow_last_error());
  return success();
}

LogicalResult CallHostOp::evaluate(Inputs in, Outputs out) {
  Description description(*this);
  rt::HostFunctionPtr function;
  auto pool = std::make_shared<rt::StringPool>();
  if (rt::makeHostFunction(description.call, function))
    return emitError(glow_last_error());
  if (getConfig().contains(kHostExtentsAttrName)) {
    if (failed(evaluateBounded(*this, description.call, *function,
                               in.getInputs(), out, *pool)))
      return failure();
  } else {
    InterpretedCall call(*this, description.call, in.getInputs(), out, *pool);
    if (function->run(call))
      return call.hasMessage ? failure() : emitError(glow_last_error());
  }
  for (Tensor &result : out) {
    if (!result)
      return emitOpError("does not compute all of its results");
    result.keepAlive(pool);
  }
  return success();
}
