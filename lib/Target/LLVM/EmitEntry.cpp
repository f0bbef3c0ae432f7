//===- EmitEntry.cpp - the LLVM module with entry point and descriptor ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitEntry.h"
#include "EmitExtents.h"
#include "EntryFunctions.h"
#include "EntryTemplate.h"
#include "FloatConversions.h"
#include "WeightsSection.h"
#include "glow-c/ModelABI.h"
#include "glow/Support/HostAttributes.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace mlir::glow;

namespace {
/// Builds the constants of the descriptor, field by field as in ModelABI.h.
class EntryEmitter {
public:
  EntryEmitter(Module &module, const ProgramSpec &program,
               const EmitOptions &options)
      : module(module), context(module.getContext()), program(program),
        options(options), pointer(PointerType::get(context, 0)) {}

  void emit() {
    emitLaunches();
    emitRangeCheck(module.getFunction("outside_ranges"), program);
    std::string features = requiredFeatures(options.machine);
    if (StringRef(features).contains("+amx-tile"))
      requestTiles();
    Constant *inputs = tensors(program.inputs);
    Constant *outputs = tensors(program.outputs);
    Constant *model = ConstantStruct::getAnon(
        {i32(GLOW_ABI_VERSION),
         i32(sizeof(GlowModel)),
         string(program.name),
         string(options.machine.triple),
         string(features),
         inputs,
         outputs,
         instructions(),
         weights(),
         options.weightsFile.empty() ? null() : string(options.weightsFile),
         i64(program.weightsBytes),
         i64(options.weightsHash),
         i64(program.arenaBytes),
         i32(program.inputs.size()),
         i32(program.outputs.size()),
         i32(program.launches.size()),
         i32(GLOW_BUFFER_ALIGNMENT),
         module.getFunction("run"),
         i64(program.workerBytes),
         symbols(),
         program.symbols.empty() ? null() : emitExtents(module, program),
         i32(program.symbols.size()),
         i32(program.inputLists.size()),
         lists(),
         i32(program.outputLists.size())});
    auto *global =
        new GlobalVariable(module, model->getType(), true,
                           GlobalValue::ExternalLinkage, model, options.symbol);
    global->setAlignment(Align(8));
  }

private:
  Constant *i32(uint32_t value) {
    return ConstantInt::get(Type::getInt32Ty(context), value);
  }
  Constant *i64(uint64_t value) {
    return ConstantInt::get(Type::getInt64Ty(context), value);
  }
  Constant *null() { return ConstantPointerNull::get(pointer); }

  Constant *global(Constant *value, StringRef name = "") {
    auto *result = new GlobalVariable(module, value->getType(), true,
                                      GlobalValue::PrivateLinkage, value, name);
    result->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return result;
  }

  Constant *string(StringRef text) {
    Constant *&known = strings[text];
    if (!known)
      known = global(ConstantDataArray::getString(context, text));
    return known;
  }

  /// An array of `values`, or a null pointer if there are none.
  Constant *array(ArrayRef<Constant *> values) {
    if (values.empty())
      return null();
    return global(ConstantArray::get(
        ArrayType::get(values.front()->getType(), values.size()), values));
  }

  template <typename T> Constant *dataArray(ArrayRef<T> values) {
    if (values.empty())
      return null();
    return global(ConstantDataArray::get(context, values));
  }

  Constant *tensors(ArrayRef<TensorSpec> specs) {
    SmallVector<Constant *> rows;
    for (const TensorSpec &spec : specs) {
      SmallVector<uint64_t> dims(spec.dims.begin(), spec.dims.end());
      SmallVector<uint64_t> zeroPoints(spec.zeroPoints.begin(),
                                       spec.zeroPoints.end());
      rows.push_back(ConstantStruct::getAnon(
          {string(spec.name), dataArray(ArrayRef(dims)), i64(spec.bytes),
           dataArray(ArrayRef(spec.scales)), dataArray(ArrayRef(zeroPoints)),
           i32(spec.scales.size()), i32(spec.quantAxis), i32(spec.dtype),
           i32(spec.dims.size()), varies(spec), i32(spec.isCompact)}));
    }
    return array(rows);
  }

  Constant *varies(const TensorSpec &spec) {
    SmallVector<uint8_t> flags;
    if (spec.extents)
      for (mlir::AffineExpr extent : spec.extents.getResults())
        flags.push_back(!isa<mlir::AffineConstantExpr>(extent));
    return dataArray(ArrayRef(flags));
  }

  Constant *symbols() {
    SmallVector<Constant *> rows;
    for (const SymbolSpec &symbol : program.symbols)
      rows.push_back(ConstantStruct::getAnon(
          {string(symbol.name), i64(symbol.lower), i64(symbol.upper),
           i32(symbol.input), i32(symbol.axis)}));
    return array(rows);
  }

  Constant *lists() {
    SmallVector<Constant *> rows;
    for (const auto *some : {&program.inputLists, &program.outputLists})
      for (const TensorList &list : *some)
        rows.push_back(ConstantStruct::getAnon(
            {string(list.name), i32(list.isSequence | list.isOptional << 1),
             i32(list.isPresent), i32(list.first), i32(list.count)}));
    return array(rows);
  }

  Constant *instructions() {
    SmallVector<Constant *> rows;
    for (const LaunchSpec &launch : program.launches)
      rows.push_back(ConstantStruct::getAnon(
          {string(launch.op), string(launch.name), string(launch.kernel),
           i64(launch.flops), i64(launch.bytes)}));
    return array(rows);
  }

  /// The address of embedded weights, or null.
  Constant *weights() {
    if (!options.embedWeights || program.weightsBytes == 0)
      return null();
    module.setModuleInlineAsm(weightsSectionAssembly(program.weightsBytes));
    auto *global = new GlobalVariable(module, Type::getInt8Ty(context), true,
                                      GlobalValue::ExternalLinkage, nullptr,
                                      kWeightsSymbol);
    global->setVisibility(GlobalValue::HiddenVisibility);
    return global;
  }

  Constant *kernel(StringRef symbol) {
    auto *type = FunctionType::get(Type::getVoidTy(context),
                                   {pointer, Type::getInt64Ty(context),
                                    Type::getInt64Ty(context),
                                    Type::getInt32Ty(context)},
                                   false);
    auto *function =
        cast<Function>(module.getOrInsertFunction(symbol, type).getCallee());
    function->setVisibility(GlobalValue::HiddenVisibility);
    return function;
  }

  /// As EntryFunctions.h numbers what is no kernel.
  static int64_t kindOfJump(PointStep points) {
    switch (points) {
    case PointStep::Rest:
      return -5;
    case PointStep::Next:
      return -6;
    case PointStep::After:
      return -7;
    case PointStep::Before:
      return -8;
    case PointStep::First:
      return -9;
    case PointStep::End:
      return -10;
    case PointStep::None:
    case PointStep::Divide:
      return -3;
    }
    llvm_unreachable("unknown step");
  }

  /// What a launch does, and in how many tickets or in which other way.
  std::pair<Constant *, int64_t> workOf(const LaunchSpec &launch) {
    if (launch.isRequirement)
      return {null(), -2};
    if (launch.jumpTo)
      return {ConstantExpr::getIntToPtr(i64(*launch.jumpTo), pointer),
              kindOfJump(launch.points)};
    if (launch.points == PointStep::First || launch.points == PointStep::End)
      return {ConstantExpr::getIntToPtr(i64(launch.mostSteps), pointer),
              kindOfJump(launch.points)};
    if (launch.host)
      return {hostCall(launch), -1};
    return {kernel(launch.symbol),
            launch.points == PointStep::Divide ? -4 : launch.tickets};
  }

  /// Defines what the template declares.
  void emitLaunches() {
    auto *launchType = StructType::getTypeByName(context, "Launch");
    auto *operandType = StructType::getTypeByName(context, "Operand");
    SmallVector<Constant *> launches, operands, texts;
    for (const LaunchSpec &launch : program.launches) {
      auto [work, tickets] = workOf(launch);
      launches.push_back(ConstantStruct::get(
          launchType, {work, i64(tickets), i32(operands.size()),
                       i32(launch.operands.size())}));
      for (const OperandSpec &operand : launch.operands)
        operands.push_back(ConstantStruct::get(
            operandType, {i32(operand.base), i32(operand.index),
                          i64(operand.offset), i64(operand.step)}));
    }
    for (mlir::DenseStringElementsAttr constant : program.strings)
      texts.push_back(stringElements(
          llvm::to_vector(constant.getValues<mlir::StringRef>())));
    define("launches", launchType, launches);
    define("operands", operandType, operands);
    define("strings", pointer, texts);
  }

  /// GlowString elements, aligned as buffers are.
  Constant *stringElements(ArrayRef<StringRef> values) {
    SmallVector<Constant *> rows;
    for (StringRef value : values)
      rows.push_back(ConstantStruct::getAnon(
          {value.empty() ? null() : string(value), i64(value.size())}));
    Constant *address = array(rows);
    if (auto *elements = dyn_cast<GlobalVariable>(address))
      elements->setAlignment(Align(GLOW_BUFFER_ALIGNMENT));
    return address;
  }

  Constant *hostAttribute(const mlir::glow::HostAttribute &attribute) {
    auto row = [&](Constant *values, size_t count, uint32_t dtype) {
      return ConstantStruct::getAnon(
          {string(attribute.name), values, i64(count), i32(dtype)});
    };
    if (auto *ints = std::get_if<std::vector<int64_t>>(&attribute.values)) {
      std::vector<uint64_t> bits(ints->begin(), ints->end());
      return row(dataArray(ArrayRef(bits)), bits.size(), GLOW_I64);
    }
    if (auto *reals = std::get_if<std::vector<double>>(&attribute.values))
      return row(dataArray(ArrayRef(*reals)), reals->size(), GLOW_F64);
    auto &texts = std::get<std::vector<StringRef>>(attribute.values);
    return row(stringElements(texts), texts.size(), GLOW_STRING);
  }

  /// The GlowHostCall of a launch.
  Constant *hostCall(const LaunchSpec &launch) {
    const HostCallSpec &host = *launch.host;
    SmallVector<Constant *> tensors, attributes;
    for (const HostTensorSpec &tensor : host.tensors) {
      SmallVector<uint64_t> dims(tensor.dims.begin(), tensor.dims.end());
      tensors.push_back(ConstantStruct::getAnon({dataArray(ArrayRef(dims)),
                                                 i32(tensor.dims.size()),
                                                 i32(tensor.dtype)}));
    }
    for (const auto &attribute : readHostAttributes(host.attributes))
      attributes.push_back(hostAttribute(attribute));
    return global(ConstantStruct::getAnon(
        {i32(sizeof(GlowHostCall)), i32(host.numInputs),
         i32(tensors.size() - host.numInputs), i32(attributes.size()),
         string(host.function), string(launch.name), array(tensors),
         array(attributes)}));
  }

  /// Linux gives a process the tiles of AMX once it asks, which the model does
  /// when it is loaded. Where that is refused, its first tile ends the process.
  void requestTiles() {
    Triple triple(options.machine.triple);
    if (!triple.isOSLinux() || !triple.isX86_64())
      return;
    constexpr int kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18;
    Type *word = Type::getInt64Ty(context);
    auto *type = FunctionType::get(Type::getVoidTy(context), false);
    Function *function = Function::Create(type, GlobalValue::InternalLinkage,
                                          "request_tiles", module);
    IRBuilder<> builder(BasicBlock::Create(context, "", function));
    auto *call = InlineAsm::get(
        FunctionType::get(word, {word, word, word}, false), "syscall",
        "={ax},{ax},{di},{si},~{cx},~{r11},~{memory},~{dirflag},~{fpsr},~{"
        "flags}",
        /*hasSideEffects=*/true);
    builder.CreateCall(
        call, {i64(kArchPrctl), i64(kRequestPermission), i64(kTileData)});
    builder.CreateRetVoid();
    appendToGlobalCtors(module, function, /*Priority=*/65535);
  }

  void define(StringRef name, Type *element, ArrayRef<Constant *> values) {
    GlobalVariable *declared = module.getNamedGlobal(name);
    auto *type = ArrayType::get(element, values.size());
    auto *table =
        new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                           ConstantArray::get(type, values));
    declared->replaceAllUsesWith(table);
    declared->eraseFromParent();
    table->setName(name);
  }

  Module &module;
  LLVMContext &context;
  const ProgramSpec &program;
  const EmitOptions &options;
  PointerType *pointer;
  StringMap<Constant *> strings;
};
} // namespace

/// The template with its numbers filled in.
static std::string instantiate(const ProgramSpec &program) {
  size_t maxOperands = 1;
  for (const LaunchSpec &launch : program.launches)
    maxOperands = std::max(maxOperands, launch.operands.size());
  std::string text =
      std::string(kEntryFunctions) + kEntryTemplate + kFloatConversions;
  auto replace = [&](StringRef from, size_t number) {
    std::string to = std::to_string(number);
    for (size_t at = 0; (at = text.find(from.data(), at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  };
  replace("MAX_OPERANDS", maxOperands);
  replace("NUM_LAUNCHES", program.launches.size());
  return text;
}

Expected<std::unique_ptr<Module>>
mlir::glow::emitEntry(LLVMContext &context, const llvm::DataLayout &layout,
                      const ProgramSpec &program, const EmitOptions &options) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(instantiate(program), diagnostic, context);
  if (!module)
    return createStringError("entry template: " + diagnostic.getMessage());
  module->setModuleIdentifier(program.name);
  module->setSourceFileName(program.name);
  module->setTargetTriple(Triple(options.machine.triple));
  module->setDataLayout(layout);
  EntryEmitter(*module, program, options).emit();
  return std::move(module);
}
