// The compiler's side of a card that adds and multiplies vectors of one length.
//
// A program is text: the length, then a line per value, numbered from 0.
//   abacus 6
//   in
//   const 0.0
//   max 0 1
//   out 2
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ToolOutputFile.h"

#include "AbacusDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "AbacusAttrs.h.inc"
#include "AbacusDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "AbacusAttrs.cpp.inc"

using namespace mlir;

void abacus::AbacusDialect::initialize() { addAttributes<TargetAttr>(); }

static StringRef instructionOf(Operation *scalar) {
  return llvm::StringSwitch<StringRef>(scalar->getName().getStringRef())
      .Case("arith.addf", "add")
      .Case("arith.mulf", "mul")
      .Case("arith.maximumf", "max")
      .Case("arith.constant", "const")
      .Default("");
}

static std::optional<std::string> mapLimit(Operation *op, Attribute target) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (result.getNumElements() > cast<abacus::TargetAttr>(target).getBeads())
    return std::string("has not that many beads");
  for (Value operand : op->getOperands())
    if (operand.getType() != result || matchPattern(operand, m_Constant()))
      return std::string("takes operands of the result's type, no constants");
  for (Operation &scalar : op->getRegion(0).front().without_terminator())
    if (instructionOf(&scalar).empty())
      return "cannot compute " + scalar.getName().getStringRef().str();
  return std::nullopt;
}

StringRef abacus::TargetAttr::getDeviceName() const { return "abacus"; }
StringRef abacus::TargetAttr::getDeviceLibrary() const {
  return "abacus_device.so";
}
StringRef abacus::TargetAttr::getFileExtension() const { return "abacus"; }
ArrayRef<glow::Capability> abacus::TargetAttr::getCapabilities() const {
  static constexpr glow::Capability rows[] = {{"glow.map", "f32", 4, mapLimit}};
  return rows;
}
glow::TargetRates abacus::TargetAttr::getRates() const {
  glow::TargetRates rates;
  rates.flops = rates.memoryBytes = 1e6; // the finest beads
  return rates;
}
void abacus::TargetAttr::buildPipeline(OpPassManager &) const {}

LogicalResult abacus::TargetAttr::emit(ModuleOp module, StringRef path) const {
  std::string message;
  auto file = openOutputFile(path, &message);
  if (!file)
    return module.emitError(message);
  auto function = *module.getOps<func::FuncOp>().begin();
  auto type = cast<ShapedType>(function.getArgument(0).getType());
  file->os() << "abacus " << type.getNumElements() << "\n";
  DenseMap<Value, unsigned> numbers;
  unsigned next = 0;
  for (Value argument : function.getArguments()) {
    file->os() << "in\n";
    numbers[argument] = next++;
  }
  for (auto map : function.getOps<glow::MapOp>()) {
    Block &body = map.getBody().front();
    for (auto [input, argument] :
         llvm::zip(map.getInputs(), body.getArguments()))
      numbers[argument] = numbers.lookup(input);
    for (Operation &scalar : body.without_terminator()) {
      file->os() << instructionOf(&scalar);
      if (auto constant = scalar.getAttrOfType<FloatAttr>("value"))
        file->os() << " " << constant.getValueAsDouble();
      for (Value operand : scalar.getOperands())
        file->os() << " " << numbers.lookup(operand);
      file->os() << "\n";
      numbers[scalar.getResult(0)] = next++;
    }
    Value yielded = body.getTerminator()->getOperand(0);
    numbers[map.getResult()] = numbers.lookup(yielded);
  }
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    file->os() << "out " << numbers.lookup(result) << "\n";
  file->keep();
  return success();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "abacus", "1",
          [](DialectRegistry *registry) {
            registry->insert<abacus::AbacusDialect>();
          }};
}
