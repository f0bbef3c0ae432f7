// The compiler's side of a card that adds up vectors of one length. A program
// is text: the length, then lines that make a value from another one, numbered
// from 0, or give it out, such as "in 0", "sum 0", "out 1".
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Target/Plugin.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "AbacusDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "AbacusAttrs.h.inc"
#include "AbacusDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "AbacusAttrs.cpp.inc"

using namespace mlir;
using abacus::TargetAttr;

void abacus::AbacusDialect::initialize() { addAttributes<TargetAttr>(); }

StringRef TargetAttr::getDeviceLibrary() const { return "abacus_device.so"; }

glow::TargetRates TargetAttr::getRates() const {
  return {/*flops=*/1e6, /*memoryBytes=*/1e6}; // the finest beads
}

static std::optional<std::string> sumLimit(Operation *op, Attribute target) {
  auto sum = cast<glow::ScanOp>(op);
  if (sum.getKind() != glow::ReduceKind::Sum)
    return std::string("only adds up");
  if (sum.getExclusive() || sum.getReverse())
    return std::string("counts forwards, from the first element on");
  if (glow::dimsOf(sum.getInput())[0] > cast<TargetAttr>(target).getBeads())
    return std::string("has not that many beads");
  return std::nullopt;
}

ArrayRef<glow::Capability> TargetAttr::getCapabilities() const {
  static constexpr glow::Capability rows[] = {
      {"glow.scan", "f32", 1, sumLimit}};
  return rows;
}

LogicalResult TargetAttr::emit(ModuleOp module, StringRef path) const {
  auto function = *module.getOps<func::FuncOp>().begin();
  auto type = cast<ShapedType>(function.getArgument(0).getType());
  return glow::writeProgramFile(module, path, [&](llvm::raw_ostream &os) {
    os << "abacus " << type.getNumElements() << "\n";
    DenseMap<Value, unsigned> numbers;
    for (Value argument : function.getArguments()) {
      os << "in 0\n";
      numbers.try_emplace(argument, numbers.size());
    }
    for (auto sum : function.getOps<glow::ScanOp>()) {
      os << "sum " << numbers.lookup(sum.getInput()) << "\n";
      numbers.try_emplace(sum, numbers.size());
    }
    for (Value result : function.front().getTerminator()->getOperands())
      os << "out " << numbers.lookup(result) << "\n";
  });
}

GLOW_DIALECT_PLUGIN("abacus", "1", abacus::AbacusDialect)
