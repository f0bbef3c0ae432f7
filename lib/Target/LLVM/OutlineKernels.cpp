//===- OutlineKernels.cpp - every instruction a kernel function -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two instructions share a kernel if they print alike once their operands are
// replaced by block arguments in order: the printed form is the key.
//
//===----------------------------------------------------------------------===//
#include "CallerKernels.h"
#include "KernelText.h"
#include "LimitTable.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Interfaces/Kernel.h"
#include "glow/Kernels/KernelBuilder.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::glow {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "glow/Target/LLVM/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

static int64_t bytesMoved(ValueRange operands) {
  int64_t bytes = 0;
  for (Value operand : operands)
    bytes += inst::bytesOf(inst::typeOf(operand));
  return bytes;
}

/// Bytes that the instruction must move at least once. Of a table it reads what
/// it writes.
static int64_t bytesMoved(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  if (isa<inst::GatherOp, inst::GatherElementsOp, inst::GatherNDOp>(op))
    operands.front() = operands.back();
  return bytesMoved(operands);
}

namespace {
struct OutlineKernels : glow::impl::OutlineKernelsBase<OutlineKernels> {
  using OutlineKernelsBase::OutlineKernelsBase;

  struct Kernel {
    std::string name;
    int64_t tickets;
  };
  llvm::StringMap<Kernel> kernels;
  llvm::StringMap<int> counters;
  llvm::StringSet<> taken;

  void runOnOperation() override {
    kernels.clear();
    counters.clear();
    taken.clear();
    for (auto symbol : getOperation().getOps<SymbolOpInterface>())
      taken.insert(symbol.getName());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(outline(function)))
        return signalPassFailure();
  }

  LogicalResult outline(func::FuncOp function) {
    // While limits are functions of the symbols.
    bool isStep = false; // of sequences, which the entry point counts as points
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<inst::EnterStepsOp, inst::RepeatStepsOp>(op))
        isStep = isa<inst::EnterStepsOp>(op);
      if (auto loop = dyn_cast<inst::ForallOp>(op))
        loop.setShared(loop.getShared() && !isStep && canShare(loop, function));
    });
    LimitTable limits(function);
    SmallVector<KernelOpInterface> instructions;
    function.walk([&](KernelOpInterface op) { instructions.push_back(op); });
    bool failedAny = false;
    for (KernelOpInterface op : instructions)
      failedAny |= failed(outline(op, limits.operandsOf(op)));
    if (failedAny)
      return failure();
    if (limits.getTable())
      outlineTable(limits);
    // Now that their bodies are launches, and those of loops among sections
    // before these.
    SmallVector<Operation *> callers;
    function.walk([&](Operation *op) {
      if (isa<inst::ForallOp, inst::SectionsOp>(op))
        callers.push_back(op);
    });
    for (Operation *op : callers) {
      LogicalResult outlined =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case<inst::ForallOp, inst::SectionsOp>(
                  [&](auto caller) { return outlineCaller(caller); });
      if (failed(outlined))
        return failure();
    }
    return success();
  }

  LogicalResult outline(KernelOpInterface op, ArrayRef<Value> limits) {
    SmallVector<Value> buffers(op->getOperands());
    llvm::append_range(buffers, limits);
    func::FuncOp holder = prototype(op, buffers);
    auto [kernel, isNew] = kernelOf(holder, op);
    LogicalResult emitted = success();
    if (isNew) {
      FailureOr<int64_t> tickets = emit(holder, kernel->name, target, op);
      emitted = tickets;
      kernel->tickets = tickets.value_or(0);
    }
    holder->erase();
    if (failed(emitted))
      return failure();
    auto launch = createLaunch(op, buffers, *kernel);
    launch.setOp(op->getName().stripDialect());
    launch.setFlops(op.getFlops());
    op->erase();
    return success();
  }

  /// What computes the table, before all that reads it: kernels of so many
  /// elements, as LLVM takes more than twice as long for twice as many.
  static constexpr size_t kLimitsPerKernel = 256;
  void outlineTable(const LimitTable &limits) {
    for (size_t end = limits.size(), first = 0; first < end;
         first += kLimitsPerKernel)
      outlineTable(limits, first, std::min(end, first + kLimitsPerKernel));
  }

  void outlineTable(const LimitTable &limits, size_t first, size_t end) {
    OpBuilder builder(&getContext());
    Value table = limits.getTable();
    Location loc = table.getLoc();
    SmallVector<Value> buffers{limits.getSymbols(), table};
    Kernel kernel{newName("limits"), 1};
    ModuleOp module = createModule(builder, loc, kernel.name);
    builder.setInsertionPointToStart(module.getBody());
    Block *block =
        createKernel(builder, loc, kernel.name, ValueRange(buffers).getTypes());
    KernelBuilder b(builder, loc, target);
    limits.emit(b, b.open(block->getArgument(0)), b.open(block->getArgument(1)),
                first, end);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointAfterValue(table);
    inst::LaunchOp::create(builder, loc, kernel.name, buffers, kernel.tickets,
                           /*op=*/"limits", /*flops=*/0, bytesMoved(buffers),
                           IntegerAttr(), IntegerAttr());
  }

  /// Whether all threads can share the points that are left: nothing else runs
  /// meanwhile, a point's windows are where the steps say, and there are as
  /// many points as the only symbol says, if not all.
  static bool canShare(inst::ForallOp loop, func::FuncOp function) {
    SmallVector<ShapeSymbol> symbols = symbolsOf(function);
    AffineMap limits = inst::limitsOf(loop);
    bool isKnown = !limits || (symbols.size() == 1 &&
                               isa<AffineSymbolExpr>(limits.getResult(0)) &&
                               symbols[0].upper <= loop.getNumPoints());
    return isKnown && loop->getParentOp() == function &&
           loop.getExtents().size() == 1 && !inst::unitOf(loop) &&
           loop.getBody().getOps<inst::SlideOp>().empty();
  }
  static bool sharesRest(inst::ForallOp loop) { return loop.getShared(); }
  static bool sharesRest(inst::SectionsOp) { return false; }

  /// How often each launch of the body runs.
  static int64_t repetitions(inst::ForallOp loop) {
    return loop.getNumPoints();
  }
  static int64_t repetitions(inst::SectionsOp) { return 1; }

  static int64_t ticketsOf(inst::ForallOp loop) { return loop.getNumPoints(); }
  static int64_t ticketsOf(inst::SectionsOp sections) {
    int64_t tickets = 0;
    for (auto launch : sections.getBody().getOps<inst::LaunchOp>())
      tickets += launch.getTickets();
    return tickets;
  }

  /// What calls the launches of its body.
  template <typename Op> LogicalResult outlineCaller(Op op) {
    if (!op.getScratchBytes())
      return op.emitOpError("has no plan of its memory; run "
                            "glow-inst-plan-memory first");
    for (auto inner : op.getBody().template getOps<inst::LaunchOp>())
      if (inner.getScratchOffset().value_or(0) +
              inner.getScratchBytes().value_or(0) >
          *op.getScratchBytes())
        return inner.emitOpError("wants more scratch memory than there is "
                                 "around it");
    SmallVector<Value> buffers(op->getOperands());
    func::FuncOp holder = prototype(op, buffers);
    auto [kernel, isNew] = kernelOf(holder, op);
    holder->erase();
    if (isNew) {
      OpBuilder builder(&getContext());
      ModuleOp module = createModule(builder, op.getLoc(), kernel->name);
      builder.setInsertionPointToStart(module.getBody());
      emitCaller(builder, op, kernel->name);
      kernel->tickets = ticketsOf(op);
    }
    inst::LaunchOp launch = createLaunch(op, buffers, *kernel);
    launch.setScratchBytesAttr(op.getScratchBytesAttr());
    launch.setScratchOffsetAttr(op.getScratchOffsetAttr());
    // A profile tells of what it consists.
    std::string steps;
    uint64_t flops = 0;
    for (auto inner : op.getBody().template getOps<inst::LaunchOp>()) {
      flops += inner.getFlops() * repetitions(op);
      if (!StringRef(steps).ends_with(inner.getOp()))
        steps += (steps.empty() ? "" : "+") + inner.getOp().str();
    }
    launch.setOp(steps);
    launch.setFlops(flops);
    // Behind its launch the loop stands for the rest of its points.
    if (!sharesRest(op))
      op->erase();
    return success();
  }

  /// The kernel with the prototype as its key, and whether it is new.
  std::pair<Kernel *, bool> kernelOf(func::FuncOp prototype, Operation *op) {
    std::string key;
    llvm::raw_string_ostream stream(key);
    prototype->print(stream, wholeText());
    auto [entry, isNew] = kernels.try_emplace(key);
    if (isNew)
      entry->second.name = newName(op->getName().stripDialect());
    return {&entry->second, isNew};
  }

  /// A name for a kernel that no symbol of the module has.
  std::string newName(StringRef stem) {
    std::string name;
    do
      name = (stem + "_" + Twine(counters[stem]++)).str();
    while (taken.contains(name));
    return name;
  }

  /// A module of its own for each kernel.
  ModuleOp createModule(OpBuilder &builder, Location loc, StringRef name) {
    builder.setInsertionPointToEnd(getOperation().getBody());
    return ModuleOp::create(builder, loc, name);
  }

  /// What is computed with values of symbols.
  static constexpr StringLiteral kAttributesOfSymbols[] = {
      inst::InstDialect::kExtentsAttrName, inst::InstDialect::kUnitAttrName,
      inst::InstDialect::kPitchesAttrName};

  /// A function of what the kernel takes that holds nothing but a copy of the
  /// instruction, without locations or attributes of this use.
  static func::FuncOp prototype(Operation *op, ArrayRef<Value> buffers) {
    OpBuilder builder(op->getContext());
    SmallVector<Type> types;
    for (Value buffer : buffers)
      // The caller adds the offset to the address.
      types.push_back(inst::withoutOffset(cast<MemRefType>(buffer.getType())));
    // Loops compute addresses themselves.
    if (op->hasTrait<HasKernel>())
      for (const inst::Pitch &pitch : inst::pitchesOf(op)) {
        Type &type = types[pitch.operand];
        type = pitch.typeOf(cast<MemRefType>(type));
      }
    Location loc = builder.getUnknownLoc();
    auto function = func::FuncOp::create(builder, loc, "prototype",
                                         builder.getFunctionType(types, {}));
    Block *block = function.addEntryBlock();
    IRMapping mapping;
    builder.setInsertionPointToStart(block);
    Operation *copy = builder.cloneWithoutRegions(*op);
    copy->setOperands(block->getArguments().take_front(op->getNumOperands()));
    for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions()))
      from.cloneInto(&to, mapping);
    copy->walk([&](Operation *part) {
      SmallVector<NamedAttribute> kept;
      for (StringRef name : kAttributesOfSymbols)
        if (Attribute attribute = part->getDiscardableAttr(name))
          kept.push_back(builder.getNamedAttr(name, attribute));
      part->setDiscardableAttrs(builder.getDictionaryAttr(kept));
    });
    llvm::TypeSwitch<Operation *>(copy).Case<inst::ForallOp, inst::SectionsOp>(
        [](auto caller) { caller.removeScratchOffsetAttr(); });
    return function;
  }

  /// A function of buffers, then of the first ticket and that behind the last,
  /// for whose body the builder is.
  static Block *createKernel(OpBuilder &builder, Location loc, StringRef name,
                             TypeRange buffers) {
    SmallVector<Type> types(buffers);
    types.append(2, builder.getIndexType());
    auto function = func::FuncOp::create(builder, loc, name,
                                         builder.getFunctionType(types, {}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    return block;
  }

  /// Emits the kernel's own module and returns its number of tickets.
  FailureOr<int64_t> emit(func::FuncOp prototype, StringRef name,
                          const KernelTarget &target, Operation *origin) {
    auto op = cast<KernelOpInterface>(&prototype.getBody().front().front());
    op->setLoc(origin->getLoc());
    OpBuilder builder(&getContext());
    ModuleOp module = createModule(builder, origin->getLoc(), name);
    builder.setInsertionPointToStart(module.getBody());
    Block *block = createKernel(builder, origin->getLoc(), name,
                                prototype.getArgumentTypes());
    ValueRange arguments = block->getArguments(),
               tickets = arguments.take_back(2);
    if (failed(op.emitKernel(builder, arguments.drop_back(2), tickets.front(),
                             tickets.back(), target)))
      return failure();
    builder.setInsertionPointToEnd(block);
    func::ReturnOp::create(builder, origin->getLoc());
    return op.getNumTickets(target);
  }

  static inst::LaunchOp createLaunch(Operation *op, ArrayRef<Value> buffers,
                                     const Kernel &kernel) {
    OpBuilder builder(op);
    auto launch = inst::LaunchOp::create(
        builder, op->getLoc(), kernel.name, buffers, kernel.tickets,
        /*op=*/"", /*flops=*/0, bytesMoved(op), IntegerAttr(), IntegerAttr());
    launch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    // Of elements of the table, whose places the operands say.
    for (StringRef name : kAttributesOfSymbols)
      launch->removeDiscardableAttr(name);
    return launch;
  }
};
} // namespace
