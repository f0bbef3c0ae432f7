//===- CompiledModel.h - machine code of a model, before packaging --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_COMPILEDMODEL_H
#define GLOW_TARGET_LLVM_COMPILEDMODEL_H

#include "glow/Dialect/Glow/IR/Lists.h"
#include "glow/Target/LLVM/KernelObjects.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"
#include <vector>

namespace mlir::glow {

class ConstantScope;

/// An input or output of the program.
struct TensorSpec {
  std::string name;
  SmallVector<int64_t> dims;
  uint64_t bytes = 0;
  uint32_t dtype = 0; // GlowDType
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;
  int32_t quantAxis = -1;
  /// The extents as functions of the symbols; null if they are fixed.
  AffineMap extents;
  /// The buffer has no padding.
  bool isCompact = false;
};

/// An extent that is known only at run time.
struct SymbolSpec {
  std::string name;
  int64_t lower, upper;
  uint32_t input, axis; // where it is the extent, or GLOW_COMPUTED
};

/// Where a kernel's operand lies.
struct OperandSpec {
  enum Base : uint32_t { Input, Output, Strings, Arena, Weights };
  Base base;
  uint32_t index;    // of the input, output or constant of strings
  uint64_t offset;   // in bytes
  uint64_t step = 0; // to where it lies for the next point, or step, of a loop
};

/// What a launch does with the points of a loop that threads share, or with the
/// steps of one.
enum class PointStep {
  None,
  Divide, /// runs as many as all threads can, of the number its last operand is
  Rest,   /// jumps if none is left
  Next,   /// jumps, with the next point
  First,  /// begins before the first of as many steps as its operand says
  End,    /// begins behind the last one
  After,  /// goes one on, or jumps if it is at the last one
  Before, /// goes one back, or jumps if it is at the first one
};

/// A tensor of a call of the runtime.
struct HostTensorSpec {
  SmallVector<int64_t> dims;
  uint32_t dtype = 0; // GlowDType
};

/// What makes a launch a call of a function of the runtime.
struct HostCallSpec {
  std::string function;
  DictionaryAttr attributes;
  uint32_t numInputs = 0;
  /// The inputs, then the outputs.
  std::vector<HostTensorSpec> tensors;
};

/// One launch of a kernel, a call of the runtime, a requirement: then `kernel`
/// is its message, and its operand is whether it is violated; or a jump, if its
/// operand holds or there is none.
struct LaunchSpec {
  std::string op, name, kernel;
  std::string symbol; // of the kernel
  uint64_t flops, bytes;
  int64_t tickets;
  SmallVector<OperandSpec> operands;
  std::optional<HostCallSpec> host; // then there is no kernel
  bool isRequirement = false;       // nor is there one then
  std::optional<uint32_t> jumpTo;   // nor then
  PointStep points = PointStep::None;
  uint64_t mostSteps = 0; // of a loop that begins
};

/// A constant's place in the weights.
struct WeightSpec {
  ElementsAttr value;
  uint64_t offset;
  uint64_t bytes;
};

/// The program behind the model's descriptor: all but the code of the kernels.
struct ProgramSpec {
  std::string name;
  std::vector<TensorSpec> inputs, outputs;
  /// Their values are the last input, and the last output if computed.
  std::vector<SymbolSpec> symbols;
  std::vector<TensorList> inputLists, outputLists;
  std::vector<LaunchSpec> launches;
  std::vector<WeightSpec> weights;
  /// Constants whose elements are addresses, so not among the weights.
  std::vector<DenseStringElementsAttr> strings;
  uint64_t weightsBytes = 0;
  uint64_t arenaBytes = 0;
  uint64_t workerBytes = 0; // behind the arena, for each further thread
};

/// Reads the program from a module of planned and outlined instructions, with
/// the symbols of `kernels`.
FailureOr<ProgramSpec> readProgram(ModuleOp module,
                                   const KernelObjects &kernels);

/// Hands the contents of the weights to `sink`, piece by piece and in order,
/// `program.weightsBytes` in all. A constant of `scope` is freed after its
/// piece.
LogicalResult readWeights(const ProgramSpec &program,
                          function_ref<void(ArrayRef<char>)> sink,
                          ConstantScope *scope = nullptr);

struct EmitOptions {
  Machine machine;
  std::string symbol = "glow_model";
  /// The weights lie in a section of the descriptor's object, which the caller
  /// fills, or in a file beside the object with this name, or the loader sets
  /// GlowModel.weights.
  bool embedWeights = false;
  std::string weightsFile;
  uint64_t weightsHash = 0;
};

/// Relocatable object files: those of `kernels`, made in parallel where they
/// are not there and then kept in its cache, and the last one with the entry
/// point and the descriptor. The modules of `kernels` must be in the LLVM
/// dialect.
llvm::Expected<std::vector<std::unique_ptr<llvm::MemoryBuffer>>>
emitObjects(MLIRContext *context, KernelObjects kernels,
            const ProgramSpec &program, const EmitOptions &options);

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_COMPILEDMODEL_H
