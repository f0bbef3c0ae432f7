//===- HabanaOps.cpp - what the verifiers check ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs are refused, never repaired: whatever makes them may be clever.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "glow/Support/NumberSyntax.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::glow::habana;

/// Prints and parses numbers without their type.
static ParseResult parseFloat(OpAsmParser &parser, FloatAttr &attribute) {
  return parser.parseAttribute(attribute, parser.getBuilder().getF32Type());
}
static void printFloat(OpAsmPrinter &printer, Operation *,
                       FloatAttr attribute) {
  printer.printAttributeWithoutType(attribute);
}

#define GET_OP_CLASSES
#include "glow/Dialect/Habana/IR/HabanaOps.cpp.inc"

void HabanaDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Habana/IR/HabanaOps.cpp.inc"
      >();
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<MemRefType>(value.getType()).getShape();
}

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getType());
  Section section = getSection();
  bool isPort = section == Section::Input || section == Section::Output;
  bool isScratch = section == Section::Scratch;
  if (!type.getLayout().isIdentity())
    return emitOpError("allocates dense buffers only, not ") << type;
  if (isScratch != (memoryOf(type) == Memory::SRAM))
    return emitOpError() << "section '" << stringifySection(section)
                         << "' is not in the memory of " << type;
  if (isPort != (getIndex() && getName()))
    return emitOpError("needs an index and a name if, and only if, it is an "
                       "input or an output");
  if ((section == Section::Constants) != getValue().has_value())
    return emitOpError("needs a value if, and only if, it is a constant");
  if (getValue() &&
      (cast<ShapedType>(getValue()->getType()).getShape() != type.getShape() ||
       !cast<ShapedType>(getValue()->getType()).getElementType().isF32()))
    return emitOpError("value of type ")
           << getValue()->getType() << " does not fill " << type;
  if ((isScratch || section == Section::Workspace) != getOffset().has_value())
    return emitOpError("needs an offset if, and only if, it is in workspace or "
                       "scratch memory");
  if (getOffset() && (static_cast<int64_t>(*getOffset()) < 0 ||
                      *getOffset() % kAlignment != 0))
    return emitOpError("offset ") << *getOffset() << " is not a multiple of "
                                  << kAlignment << " bytes";
  return success();
}

/// The elements that a cast reaches lie in its alloc.
static LogicalResult verifyBounds(memref::ReinterpretCastOp cast) {
  AllocOp alloc = allocOf(cast);
  if (!alloc || !isCardBuffer(cast.getType()))
    return cast.emitOpError("must view an 'habana.alloc' with static strides");
  auto type = mlir::cast<MemRefType>(cast.getType());
  Strided layout = stridedOf(type);
  int64_t low = layout.offset, high = layout.offset;
  for (auto [extent, stride] : llvm::zip(type.getShape(), layout.strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  int64_t elements = mlir::cast<MemRefType>(alloc.getType()).getNumElements();
  if (type.getNumElements() != 0 && (low < 0 || high >= elements))
    return cast.emitOpError("covers elements ")
           << low << " to " << high << ", outside the " << elements << " of "
           << alloc.getType();
  return success();
}

LogicalResult ProgramOp::verify() {
  SmallVector<bool> inputs, outputs;
  for (Operation &op : getBody().front()) {
    if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
      if (failed(verifyBounds(cast)))
        return failure();
      continue;
    }
    auto alloc = dyn_cast<AllocOp>(op);
    if (!alloc) {
      if (!isa<HabanaDialect>(op.getDialect()))
        return op.emitOpError("is not a command of the card");
      continue;
    }
    if (alloc.getOffset()) {
      auto type = mlir::cast<MemRefType>(alloc.getType());
      bool isScratch = alloc.getSection() == Section::Scratch;
      int64_t end = *alloc.getOffset() + type.getNumElements() * 4;
      int64_t limit = isScratch ? getScratch() : getWorkspace();
      if (end > limit)
        return alloc.emitOpError("ends at byte ")
               << end << " of " << limit << " in section '"
               << stringifySection(alloc.getSection()) << "'";
    } else if (alloc.getIndex()) {
      auto &ports = alloc.getSection() == Section::Input ? inputs : outputs;
      if (*alloc.getIndex() >= ports.size())
        ports.resize(std::min<uint64_t>(*alloc.getIndex(), 1 << 16) + 1);
      if (*alloc.getIndex() >= ports.size() || ports[*alloc.getIndex()])
        return alloc.emitOpError("index ")
               << *alloc.getIndex() << " is taken or out of range";
      ports[*alloc.getIndex()] = true;
    }
  }
  if (llvm::is_contained(inputs, false) || llvm::is_contained(outputs, false))
    return emitOpError("leaves out an index of its inputs or outputs");
  return success();
}

LogicalResult DmaOp::verify() {
  if (shapeOf(getSource()) != shapeOf(getDestination()))
    return emitOpError("shapes differ: ")
           << getSource().getType() << " and " << getDestination().getType();
  return success();
}

LogicalResult GemmOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB()),
                    c = shapeOf(getOut());
  if (a.size() != 2 || b.size() != 2 || c.size() != 2 || a[0] != c[0] ||
      a[1] != b[0] || b[1] != c[1])
    return emitOpError("matrices do not fit: ")
           << getA().getType() << " times " << getB().getType() << " is not "
           << getOut().getType();
  return success();
}

LogicalResult ConvOp::verify() {
  ArrayRef<int64_t> in = shapeOf(getInput()), filter = shapeOf(getFilter()),
                    out = shapeOf(getOut());
  int64_t group = getGroup();
  if (in.size() != 4 || filter.size() != 4 || out.size() != 4)
    return emitOpError("needs tensors of 4 axes");
  if (getStrides().size() != 2 || getPads().size() != 2 ||
      getDilations().size() != 2 || group < 1 ||
      llvm::any_of(
          getStrides(), [](int64_t x) { return x < 1; }) ||
      llvm::any_of(
          getDilations(), [](int64_t x) { return x < 1; }) ||
      llvm::any_of(getPads(), [](int64_t x) { return x < 0; }))
    return emitOpError("strides, pads or dilations are out of range");
  if (in[0] != out[0] || filter[0] != out[1] || in[1] != filter[1] * group ||
      out[1] % group)
    return emitOpError("tensors do not fit: ")
           << getInput().getType() << ", " << getFilter().getType() << ", "
           << getOut().getType() << " in " << group << " groups";
  return success();
}

LogicalResult LaunchOp::verify() {
  SmallVector<Value> tensors(getInputs());
  llvm::append_range(tensors, getOutputs());
  if (getOutputs().empty() ||
      static_cast<int64_t>(tensors.size()) > kMaxTensors)
    return emitOpError("needs an output and at most ")
           << kMaxTensors << " tensors, not " << tensors.size();
  for (Value tensor : tensors)
    if (shapeOf(tensor) != shapeOf(tensors.front()))
      return emitOpError("all tensors must have the index space's shape, not ")
             << tensor.getType();
  if (getCombine() && getOutputs().size() != 1)
    return emitOpError("combines into one output only");
  Type f32 = Float32Type::get(getContext());
  Block &block = getKernel().front();
  auto areAll = [&](TypeRange types, size_t count) {
    return types.size() == count &&
           llvm::all_of(types, [&](Type type) { return type == f32; });
  };
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!areAll(block.getArgumentTypes(), getInputs().size()) || !yield ||
      !areAll(yield.getValues().getTypes(), getOutputs().size()))
    return emitOpError("region must take an f32 for each input and yield one "
                       "for each output");
  if (std::optional<std::string> reason = whyNoKernel(getKernel()))
    return emitOpError("region cannot run: ") << *reason;
  return success();
}
