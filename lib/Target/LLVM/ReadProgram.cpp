//===- ReadProgram.cpp - from planned instructions to tables --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow-c/ModelABI.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Interpreter/Tensor.h"
#include "glow/Support/ConstantScope.h"
#include "glow/Support/DType.h"
#include "glow/Support/NodeNames.h"
#include "glow/Target/LLVM/CompiledModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Walks the function once, giving every root buffer a place.
class ProgramReader {
public:
  ProgramReader(func::FuncOp function, const KernelObjects &kernels)
      : function(function), kernels(kernels) {}

  FailureOr<ProgramSpec> read() {
    for (BlockArgument argument : function.getArguments())
      if (failed(addArgument(argument)))
        return failure();
    if (failed(placeSymbols()))
      return failure();
    if (auto bytes = function->getAttrOfType<IntegerAttr>(
            inst::InstDialect::kArenaAttrName))
      program.arenaBytes = bytes.getInt();
    if (auto bytes = function->getAttrOfType<IntegerAttr>(
            inst::InstDialect::kWorkerAttrName))
      program.workerBytes = bytes.getInt();
    program.inputLists = tensorListsOf(function->getAttr(kInputListsAttrName));
    program.outputLists =
        tensorListsOf(function->getAttr(kOutputListsAttrName));
    for (Operation &op : function.getBody().front())
      if (failed(add(op)))
        return failure();
    if (!loops.empty() || isReversed)
      return function.emitError("has a loop without its end");
    return std::move(program);
  }

private:
  LogicalResult addArgument(BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    bool isOutput =
        bool(function.getArgAttr(number, inst::InstDialect::kOutputAttrName));
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      return function.emitError("takes ")
             << argument.getType() << ", not buffers: lower it to instructions";
    auto name = function.getArgAttrOfType<StringAttr>(
        number, GlowDialect::kNameAttrName);
    TensorSpec tensor;
    if (function.getArgAttr(number, GlowDialect::kSymbolsAttrName))
      tensor.name = "symbols";
    else
      tensor.name = name ? name.str() : "argument" + std::to_string(number);
    tensor.dims = llvm::to_vector(type.getShape());
    FailureOr<uint32_t> dtype = dtypeOf(type.getElementType());
    if (failed(dtype))
      return function.emitError("argument '")
             << tensor.name << "' has element type " << type.getElementType()
             << ", which compiled models do not take";
    tensor.dtype = *dtype;
    tensor.extents = extentsOfArgument(function, number);
    tensor.isCompact =
        bool(function.getArgAttr(number, inst::InstDialect::kCompactAttrName));
    tensor.bytes = inst::bytesOf(type);
    auto &list = isOutput ? program.outputs : program.inputs;
    places[argument] = {isOutput ? OperandSpec::Output : OperandSpec::Input,
                        static_cast<uint32_t>(list.size()), 0};
    list.push_back(std::move(tensor));
    return success();
  }

  /// Finds for each symbol an input that it can be read off, unless the model
  /// computes it.
  LogicalResult placeSymbols() {
    for (const ShapeSymbol &symbol : symbolsOf(function))
      program.symbols.push_back(
          {symbol.name, symbol.lower, symbol.upper, /*input=*/0, /*axis=*/0});
    for (auto [i, symbol] : llvm::enumerate(program.symbols)) {
      // It, or a multiple that it is one of.
      auto isSymbol = [&, i = i](AffineExpr extent) {
        AffineExpr own = getAffineSymbolExpr(i, function.getContext());
        auto product = dyn_cast<AffineBinaryOpExpr>(extent);
        return extent == own ||
               (product && product.getKind() == AffineExprKind::Mul &&
                extent == own.floorDiv(product.getRHS()) * product.getRHS());
      };
      bool isFound = false;
      for (auto [input, tensor] : llvm::enumerate(program.inputs)) {
        if (isFound || !tensor.extents)
          continue;
        const auto *extent =
            llvm::find_if(tensor.extents.getResults(), isSymbol);
        isFound = extent != tensor.extents.getResults().end();
        symbol.input = input;
        symbol.axis = extent - tensor.extents.getResults().begin();
      }
      if (!isFound)
        return function.emitError("symbol '")
               << symbol.name << "' is the extent of no input; fix it";
    }
    for (const ShapeSymbol &symbol : computedSymbolsOf(function))
      program.symbols.push_back({symbol.name, symbol.lower, symbol.upper,
                                 /*input=*/GLOW_COMPUTED, /*axis=*/0});
    return success();
  }

  LogicalResult add(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](inst::AllocOp alloc) -> LogicalResult {
          if (!alloc.getOffset())
            return alloc.emitOpError("has no offset: plan memory first");
          places[alloc] = {OperandSpec::Arena, 0, *alloc.getOffset()};
          return success();
        })
        .Case([&](inst::ConstantOp constant) { return addConstant(constant); })
        .Case([&](inst::LaunchOp launch) { return addLaunch(launch); })
        .Case([&](inst::ForallOp loop) { return addRest(loop); })
        .Case([&](inst::CallHostOp call) { return addHostCall(call); })
        .Case([&](inst::RequireOp op) { return addRequirement(op); })
        .Case([&](inst::EnterLoopOp op) { return enterLoop(op); })
        .Case([&](inst::RepeatOp op) { return repeat(op); })
        .Case([&](inst::EnterStepsOp op) { return enterSteps(op); })
        .Case([&](inst::NextStepOp op) { return nextStep(op); })
        .Case([&](inst::RepeatStepsOp op) { return repeatSteps(op); })
        .Case([&](inst::WindowOp op) { return addWindow(op); })
        .Case<inst::ViewOp, inst::DeallocOp, func::ReturnOp>(
            [](auto) { return success(); })
        .Default([](Operation *other) {
          return other->emitOpError(
              "is not part of a compiled program: outline "
              "kernels first");
        });
  }

  LogicalResult addConstant(inst::ConstantOp constant) {
    if (auto strings = dyn_cast<DenseStringElementsAttr>(constant.getValue())) {
      places[constant] = {OperandSpec::Strings,
                          static_cast<uint32_t>(program.strings.size()), 0};
      program.strings.push_back(strings);
      return success();
    }
    places[constant] =
        weight(constant.getValue(), inst::bytesOf(inst::typeOf(constant)));
    return success();
  }

  OperandSpec weight(ElementsAttr value, uint64_t bytes) {
    auto [place, isNew] = constants.try_emplace(value, 0);
    if (isNew) {
      uint64_t offset =
          llvm::alignTo(program.weightsBytes, GLOW_BUFFER_ALIGNMENT);
      place->second = offset;
      program.weights.push_back({value, offset, bytes});
      program.weightsBytes = offset + bytes;
    }
    return {OperandSpec::Weights, 0, place->second};
  }

  LogicalResult addOperands(Operation *op, ValueRange buffers,
                            LaunchSpec &spec) {
    for (Value buffer : buffers) {
      auto place = places.find(inst::rootBuffer(buffer));
      if (place == places.end())
        return op->emitOpError("uses a buffer of unknown origin");
      OperandSpec operand = place->second;
      operand.offset +=
          inst::layoutOf(buffer).offset *
          inst::elementBytes(
              cast<MemRefType>(buffer.getType()).getElementType());
      spec.operands.push_back(operand);
    }
    return success();
  }

  LogicalResult addHostCall(inst::CallHostOp call) {
    LaunchSpec spec;
    spec.op = "call_host";
    spec.name = nodeNames(call->getLoc());
    spec.kernel = call.getFunction();
    spec.flops = spec.bytes = 0;
    spec.tickets = 1;
    HostCallSpec &host = spec.host.emplace();
    host.function = call.getFunction();
    host.attributes = call.getConfig();
    host.numInputs = call.getInputs().size();
    for (Value buffer : call->getOperands()) {
      auto type = cast<MemRefType>(buffer.getType());
      FailureOr<uint32_t> dtype = dtypeOf(type.getElementType());
      if (failed(dtype))
        return call.emitOpError("cannot hand over elements of type ")
               << type.getElementType();
      host.tensors.push_back({llvm::to_vector(type.getShape()), *dtype});
      spec.bytes += inst::bytesOf(type);
    }
    if (failed(addOperands(call, call->getOperands(), spec)))
      return failure();
    program.launches.push_back(std::move(spec));
    return success();
  }

  /// A step of the entry point itself, which may look at one truth value.
  static LaunchSpec stepOf(Operation *op) {
    LaunchSpec spec;
    spec.op = op->getName().stripDialect();
    spec.name = nodeNames(op->getLoc());
    spec.flops = 0;
    spec.bytes = spec.tickets = 1;
    return spec;
  }

  LogicalResult addRequirement(inst::RequireOp op) {
    LaunchSpec spec = stepOf(op);
    spec.kernel = op.getMessage();
    spec.isRequirement = true;
    if (failed(addOperands(op, op.getViolated(), spec)))
      return failure();
    program.launches.push_back(std::move(spec));
    return success();
  }

  LogicalResult enterLoop(inst::EnterLoopOp op) {
    loops.push_back(program.launches.size());
    program.launches.push_back(stepOf(op));
    return success();
  }

  LogicalResult repeat(inst::RepeatOp op) {
    if (loops.empty())
      return op.emitOpError("has no enter_loop");
    size_t begin = loops.pop_back_val();
    program.launches[begin].jumpTo = program.launches.size();
    LaunchSpec spec = stepOf(op);
    spec.jumpTo = begin + 1;
    if (failed(addOperands(op, op.getCondition(), spec)))
      return failure();
    program.launches.push_back(std::move(spec));
    return success();
  }

  LogicalResult enterSteps(inst::EnterStepsOp op) {
    if (isReversed)
      return op.emitOpError("is in another loop over steps");
    isReversed = op.getReversed();
    LaunchSpec spec = stepOf(op);
    spec.points = *isReversed ? PointStep::End : PointStep::First;
    spec.mostSteps = op.getMost();
    if (failed(addOperands(op, op.getNumber(), spec)))
      return failure();
    program.launches.push_back(std::move(spec));
    return success();
  }

  LogicalResult nextStep(inst::NextStepOp op) {
    if (!isReversed)
      return op.emitOpError("has no enter_steps");
    nextSteps.push_back(program.launches.size());
    LaunchSpec spec = stepOf(op);
    spec.points = *isReversed ? PointStep::Before : PointStep::After;
    program.launches.push_back(std::move(spec));
    return success();
  }

  LogicalResult repeatSteps(inst::RepeatStepsOp op) {
    if (nextSteps.empty())
      return op.emitOpError("has no next_step");
    LaunchSpec spec = stepOf(op);
    spec.jumpTo = nextSteps.front();
    program.launches.push_back(std::move(spec));
    for (size_t step : nextSteps)
      program.launches[step].jumpTo = program.launches.size();
    nextSteps.clear();
    isReversed.reset();
    return success();
  }

  LogicalResult addWindow(inst::WindowOp op) {
    LaunchSpec spec;
    if (failed(addOperands(op, op.getSource(), spec)))
      return failure();
    OperandSpec &place = places[op] = spec.operands.front();
    int64_t bytes =
        inst::elementBytes(cast<MemRefType>(op.getType()).getElementType());
    place.offset += op.getOffset() * bytes;
    place.step = op.getStep() * bytes;
    return success();
  }

  /// `scratch`: where that of a loop around it begins.
  LogicalResult addLaunch(inst::LaunchOp launch, uint64_t scratch = 0) {
    LaunchSpec spec;
    spec.op = launch.getOp();
    spec.name = nodeNames(launch->getLoc());
    spec.kernel = launch.getKernel();
    spec.symbol = kernels.symbolOf(spec.kernel);
    spec.flops = launch.getFlops();
    spec.bytes = launch.getBytes();
    spec.tickets = launch.getTickets();
    if (failed(addOperands(launch, launch.getBuffers(), spec)))
      return failure();
    if (launch.getScratchBytes().value_or(0)) {
      if (!launch.getScratchOffset())
        return launch.emitOpError("has no place for its scratch memory");
      spec.operands.push_back(
          {OperandSpec::Arena, 0, scratch + *launch.getScratchOffset()});
      spec.operands.push_back({OperandSpec::Arena, 0, program.arenaBytes});
    }
    program.launches.push_back(std::move(spec));
    return success();
  }

  /// Where the number of a loop's points is: what limits it, or a constant.
  FailureOr<OperandSpec> numberOfPoints(inst::ForallOp loop) {
    AffineMap limits = inst::limitsOf(loop);
    if (!limits)
      return weight(Builder(loop).getI64TensorAttr(loop.getNumPoints()),
                    sizeof(int64_t));
    LaunchSpec spec;
    auto symbol = dyn_cast<AffineSymbolExpr>(limits.getResult(0));
    if (!symbol || loop.getInputs().empty())
      return loop.emitOpError("is limited by what is not a value in memory");
    if (failed(addOperands(loop, loop.getInputs().back(), spec)))
      return failure();
    OperandSpec number = spec.operands.front();
    number.offset += sizeof(int64_t) * symbol.getPosition();
    return number;
  }

  /// The points that the launch before leaves: each instruction of the body by
  /// itself.
  LogicalResult addRest(inst::ForallOp loop) {
    FailureOr<OperandSpec> number = numberOfPoints(loop);
    if (failed(number))
      return failure();
    if (program.launches.empty() || !loop.getShared())
      return loop.emitOpError("is no rest of a launch before it");
    program.launches.back().points = PointStep::Divide;
    program.launches.back().operands.push_back(*number);
    size_t begin = program.launches.size();
    program.launches.push_back(stepOf(loop));
    program.launches.back().points = PointStep::Rest;
    uint64_t scratch = loop.getScratchOffset().value_or(0);
    for (BlockArgument window : loop.getBody().getArguments()) {
      LaunchSpec spec;
      unsigned i = window.getArgNumber();
      if (failed(addOperands(loop, loop->getOperand(i), spec)))
        return failure();
      OperandSpec &place = places[window] = spec.operands.front();
      place.step = loop.getStepsOf(i).front() *
                   inst::elementBytes(
                       cast<MemRefType>(window.getType()).getElementType());
    }
    for (auto alloc : loop.getBody().getOps<inst::AllocOp>())
      places[alloc] = {OperandSpec::Arena, 0,
                       scratch + alloc.getOffset().value_or(0)};
    for (auto launch : loop.getBody().getOps<inst::LaunchOp>()) {
      if (failed(addLaunch(launch, scratch)))
        return failure();
      // The loop's launch counts the work of all points.
      program.launches.back().flops = program.launches.back().bytes = 0;
    }
    program.launches[begin].jumpTo = program.launches.size() + 1;
    LaunchSpec next = stepOf(loop);
    next.points = PointStep::Next;
    next.jumpTo = begin;
    program.launches.push_back(std::move(next));
    return success();
  }

  func::FuncOp function;
  const KernelObjects &kernels;
  ProgramSpec program;
  DenseMap<Value, OperandSpec> places;
  DenseMap<Attribute, uint64_t> constants;
  SmallVector<size_t> loops;      // that are entered here
  SmallVector<size_t> nextSteps;  // of the loop over steps here
  std::optional<bool> isReversed; // that loop, if there is one here
};
} // namespace

FailureOr<ProgramSpec> glow::readProgram(ModuleOp module,
                                         const KernelObjects &kernels) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1)
    return module.emitError("must hold one function, not ") << functions.size();
  FailureOr<ProgramSpec> program =
      ProgramReader(functions.front(), kernels).read();
  if (succeeded(program))
    program->name = functions.front().getName();
  return program;
}

LogicalResult glow::readWeights(const ProgramSpec &program,
                                function_ref<void(ArrayRef<char>)> sink,
                                ConstantScope *scope) {
  static constexpr char kPadding[GLOW_BUFFER_ALIGNMENT] = {};
  uint64_t end = 0;
  for (const WeightSpec &weight : program.weights) {
    Location loc = UnknownLoc::get(weight.value.getContext());
    FailureOr<Tensor> tensor = Tensor::fromAttribute(loc, weight.value);
    if (failed(tensor))
      return failure();
    if (tensor->sizeInBytes() != weight.bytes)
      return emitError(loc)
             << "constant of type " << weight.value.getType() << " has "
             << tensor->sizeInBytes() << " bytes, not " << weight.bytes;
    sink({kPadding, weight.offset - end});
    sink({tensor->bytes(), weight.bytes});
    end = weight.offset + weight.bytes;
    if (scope)
      scope->release(weight.value);
  }
  return success();
}
