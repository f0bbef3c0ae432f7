//===- EmitRecipe.cpp - a program of the dialect as a recipe --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToHabana/InstToHabana.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "glow/Dialect/Habana/IR/KernelOps.h"
#include "glow/Target/Habana/HabanaTarget.h"
#include "glow/Target/Habana/Recipe.h"
#include "glow/Target/Plugin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::glow::habana {
#define GEN_PASS_DEF_EMITHABANARECIPE
#include "glow/Conversion/InstToHabana/Passes.h.inc"
} // namespace mlir::glow::habana

using namespace mlir;
using namespace mlir::glow::habana;
using habana_recipe::Command;
using habana_recipe::Kernel;
using habana_recipe::KernelInstr;
using habana_recipe::KernelOp;
using habana_recipe::Opcode;
using habana_recipe::Port;
using habana_recipe::Tensor;

namespace {
class Emitter {
public:
  explicit Emitter(ProgramOp program) : op(program) {}
  LogicalResult run();
  habana_recipe::Program program;

private:
  void addPort(AllocOp alloc);
  LogicalResult addConstant(AllocOp alloc);
  Tensor tensor(Value buffer);
  uint32_t kernel(Region &region);
  void add(Operation *command);
  void addConv(ConvOp conv);
  void addLaunch(LaunchOp launch);

  ProgramOp op;
  DenseMap<AllocOp, int64_t> constantOffsets; // bytes
};
} // namespace

void Emitter::addPort(AllocOp alloc) {
  auto &ports =
      alloc.getSection() == Section::Input ? program.inputs : program.outputs;
  auto type = cast<MemRefType>(alloc.getType());
  Port port;
  port.name = alloc.getName()->str();
  port.dims.assign(type.getShape().begin(), type.getShape().end());
  port.bytes = type.getNumElements() * sizeof(float);
  if (ports.size() <= *alloc.getIndex())
    ports.resize(*alloc.getIndex() + 1);
  ports[*alloc.getIndex()] = std::move(port);
}

/// Appends the elements, 64-byte aligned.
LogicalResult Emitter::addConstant(AllocOp alloc) {
  ElementsAttr value = *alloc.getValue();
  size_t start = llvm::alignTo(program.constants.size(), 64);
  size_t count = cast<ShapedType>(value.getType()).getNumElements();
  program.constants.resize(start + count * sizeof(float));
  uint8_t *target = program.constants.data() + start;
  constantOffsets[alloc] = start;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() < count * sizeof(float))
      return alloc.emitError("the constant's data is missing");
    std::memcpy(target, blob->getData().data(), count * sizeof(float));
    return success();
  }
  auto values = value.tryGetValues<float>();
  if (!values)
    return alloc.emitError("the constant has no f32 elements");
  for (float number : *values) {
    std::memcpy(target, &number, sizeof(float));
    target += sizeof(float);
  }
  return success();
}

Tensor Emitter::tensor(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  AllocOp alloc = allocOf(buffer);
  Strided layout = stridedOf(type);
  Tensor result;
  result.section = static_cast<habana_recipe::Section>(
      static_cast<uint32_t>(alloc.getSection()));
  result.index = alloc.getIndex().value_or(0);
  result.rank = type.getRank();
  int64_t base = alloc.getValue() ? constantOffsets.lookup(alloc)
                                  : alloc.getOffset().value_or(0);
  result.offset = layout.offset + base / static_cast<int64_t>(sizeof(float));
  for (int64_t i = 0; i < type.getRank(); ++i) {
    result.dims[i] = type.getDimSize(i);
    result.strides[i] = layout.strides[i];
  }
  return result;
}

/// The number of the kernel with this body; equal bodies share one.
uint32_t Emitter::kernel(Region &region) {
  Kernel kernel;
  DenseMap<Value, uint32_t> registers;
  Block &block = region.front();
  for (Value argument : block.getArguments())
    registers[argument] = kernel.numInputs++;
  auto append = [&](KernelInstr instr) {
    kernel.instrs.push_back(instr);
    return static_cast<uint32_t>(kernel.numInputs + kernel.instrs.size() - 1);
  };
  for (Operation &scalar : block.without_terminator()) {
    KernelChoice choice = *kernelOpOf(&scalar);
    KernelInstr instr{choice.op};
    for (auto [i, operand] : llvm::enumerate(scalar.getOperands()))
      instr.operands[i] = registers.lookup(operand);
    if (auto constant = dyn_cast<arith::ConstantOp>(scalar)) {
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        instr.immediate = number.getValue().convertToFloat();
      else
        instr.immediate = cast<BoolAttr>(constant.getValue()).getValue();
    }
    uint32_t result = append(instr);
    if (choice.isNegated) {
      uint32_t one = append({KernelOp::True, {}, 1.0f});
      result = append({KernelOp::Xor, {result, one}});
    }
    registers[scalar.getResult(0)] = result;
  }
  for (Value value : block.getTerminator()->getOperands())
    kernel.results.push_back(registers.lookup(value));
  auto found = llvm::find(program.kernels, kernel);
  if (found == program.kernels.end())
    found = program.kernels.insert(found, std::move(kernel));
  return found - program.kernels.begin();
}

void Emitter::addConv(ConvOp conv) {
  program.commands.push_back(
      {Opcode::Conv,
       {conv.getStrides()[0], conv.getStrides()[1], conv.getPads()[0],
        conv.getPads()[1], conv.getDilations()[0], conv.getDilations()[1],
        static_cast<int64_t>(conv.getGroup())},
       {tensor(conv.getInput()), tensor(conv.getFilter()),
        tensor(conv.getOut())}});
}

void Emitter::addLaunch(LaunchOp launch) {
  int64_t combine =
      launch.getCombine() ? static_cast<int64_t>(*launch.getCombine()) : 0;
  Command command{
      Opcode::Launch, {int64_t(kernel(launch.getKernel())), combine}, {}};
  for (Value input : launch.getInputs())
    command.tensors.push_back(tensor(input));
  for (Value output : launch.getOutputs())
    command.tensors.push_back(tensor(output));
  program.commands.push_back(std::move(command));
}

void Emitter::add(Operation *command) {
  auto simple = [&](Opcode opcode, std::initializer_list<Value> buffers) {
    Command result{opcode, {}, {}};
    for (Value buffer : buffers)
      result.tensors.push_back(tensor(buffer));
    program.commands.push_back(std::move(result));
  };
  llvm::TypeSwitch<Operation *>(command)
      .Case([&](DmaOp dma) {
        simple(Opcode::Dma, {dma.getSource(), dma.getDestination()});
      })
      .Case([&](FillOp fill) {
        simple(Opcode::Fill, {fill.getDestination()});
        program.commands.back().params = {
            int64_t(fill.getValue().bitcastToAPInt().getZExtValue())};
      })
      .Case([&](GemmOp gemm) {
        simple(Opcode::Gemm, {gemm.getA(), gemm.getB(), gemm.getOut()});
      })
      .Case([&](ConvOp conv) { addConv(conv); })
      .Case([&](LaunchOp launch) { addLaunch(launch); });
}

LogicalResult Emitter::run() {
  program.workspaceBytes = op.getWorkspace();
  program.scratchBytes = op.getScratch();
  program.origin = "glow " GLOW_VERSION;
  for (auto alloc : op.getOps<AllocOp>()) {
    if (alloc.getIndex())
      addPort(alloc);
    else if (alloc.getValue() && failed(addConstant(alloc)))
      return failure();
  }
  for (Operation &command : op.getBody().front())
    add(&command);
  std::string error;
  if (!habana_recipe::check(program, error))
    return op.emitError("the program breaks a rule of its format: ") << error;
  return success();
}

LogicalResult glow::habana::emitRecipe(ModuleOp module, StringRef path) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() != 1)
    return module.emitError("a recipe is made from one 'habana.program', not ")
           << programs.size();
  Emitter emitter(programs[0]);
  if (failed(emitter.run()))
    return failure();
  return writeProgramFile(module, path, [&](llvm::raw_ostream &os) {
    os << habana_recipe::encode(emitter.program);
  });
}

namespace {
struct EmitHabanaRecipe
    : glow::habana::impl::EmitHabanaRecipeBase<EmitHabanaRecipe> {
  using EmitHabanaRecipeBase::EmitHabanaRecipeBase;
  void runOnOperation() override {
    if (failed(emitRecipe(getOperation(), path)))
      signalPassFailure();
  }
};
} // namespace
