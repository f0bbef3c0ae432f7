//===- ForallKernel.cpp - the kernel of a loop over windows ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each point the addresses of the windows are computed and the kernels of
// the body called one after the other, each over all of its tickets.
//
//===----------------------------------------------------------------------===//
#include "ForallKernel.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::glow;

/// void (void *const *args, int64_t begin, int64_t end, int32_t worker)
static FunctionType exportedType(Builder &builder) {
  Type i64 = builder.getI64Type();
  return builder.getFunctionType(
      {LLVM::LLVMPointerType::get(builder.getContext()), i64, i64,
       builder.getI32Type()},
      {});
}

namespace {
class ForallEmitter {
public:
  ForallEmitter(OpBuilder &builder, inst::ForallOp forall)
      : builder(builder), loc(forall.getLoc()), forall(forall),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

  func::FuncOp emit(StringRef name);

private:
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value slot(Value array, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                               ArrayRef<LLVM::GEPArg>{int32_t(index)});
  }
  Value argument(int64_t index) {
    return LLVM::LoadOp::create(builder, loc, pointer, slot(args, index));
  }
  Value advance(Value address, Value bytes) {
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                               address, ArrayRef<LLVM::GEPArg>{bytes});
  }
  Value advance(Value address, int64_t bytes) {
    return bytes ? advance(address, number(bytes)) : address;
  }

  void declareKernels();
  void defineStarts();
  void emitPrologue();
  void emitPoint(Value point);
  void readExtents();
  void emitWithin(ArrayRef<Value> indices);
  void emitLaunch(inst::LaunchOp launch);
  Value addressOf(Value buffer);
  Value slideOf(inst::SlideOp slide);

  OpBuilder &builder;
  Location loc;
  inst::ForallOp forall;
  Type pointer;
  Value args, worker;
  /// Addresses: of the operands, of this thread's scratch memory, and of the
  /// launches' arguments.
  SmallVector<Value> operands;
  Value scratch, launchArgs;
  /// Of the loop's axes that are limited, the extents at run time.
  DenseMap<int64_t, Value> extents;
  /// Of the point's windows and allocations.
  DenseMap<Value, Value> addresses;
  /// The point's index along each axis.
  SmallVector<Value> indices;
  /// Tables of the bytes before what slides.
  DenseMap<Attribute, LLVM::GlobalOp> tables;
};
} // namespace

static int64_t bytesOf(Value buffer) {
  return inst::elementBytes(
      cast<MemRefType>(buffer.getType()).getElementType());
}

void ForallEmitter::declareKernels() {
  llvm::StringSet<> declared;
  for (auto launch : forall.getBody().getOps<inst::LaunchOp>())
    if (declared.insert(launch.getKernel()).second)
      func::FuncOp::create(builder, loc, launch.getKernel(),
                           exportedType(builder))
          .setPrivate();
}

/// A table for each list of starts and size of elements.
void ForallEmitter::defineStarts() {
  for (auto slide : forall.getBody().getOps<inst::SlideOp>())
    for (Attribute list : slide.getStarts()) {
      SmallVector<int64_t> bytes;
      for (int64_t start : cast<DenseI64ArrayAttr>(list).asArrayRef())
        bytes.push_back(start * bytesOf(slide));
      Attribute key = builder.getDenseI64ArrayAttr(bytes);
      if (bytes.empty() || tables.contains(key))
        continue;
      auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), bytes.size());
      tables[key] = LLVM::GlobalOp::create(
          builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
          "starts_" + std::to_string(tables.size()),
          builder.getI64TensorAttr(bytes));
    }
}

/// What all points share.
void ForallEmitter::emitPrologue() {
  int64_t most = 1;
  for (auto launch : forall.getBody().getOps<inst::LaunchOp>())
    most = std::max<int64_t>(most, launch.getBuffers().size());
  launchArgs =
      LLVM::AllocaOp::create(builder, loc, pointer, pointer, number(most));
  int64_t count = forall->getNumOperands();
  for (int64_t i = 0; i < count; ++i)
    operands.push_back(argument(i));
  int64_t bytes = forall.getScratchBytes().value_or(0);
  if (bytes == 0)
    return;
  Value first = argument(count), others = argument(count + 1);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        worker, one);
  Value before =
      arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                             arith::SubIOp::create(builder, loc, worker, one));
  Value own = advance(
      others, arith::MulIOp::create(builder, loc, before, number(bytes)));
  scratch = arith::SelectOp::create(builder, loc, isFirst, first, own);
}

Value ForallEmitter::slideOf(inst::SlideOp slide) {
  Value address = addresses.lookup(slide.getSource());
  for (auto [axis, index] : llvm::enumerate(indices)) {
    SmallVector<int64_t> bytes;
    for (int64_t start : slide.getStartsAlong(axis))
      bytes.push_back(start * bytesOf(slide));
    if (bytes.empty())
      continue;
    Value table = LLVM::AddressOfOp::create(
        builder, loc, tables.lookup(builder.getDenseI64ArrayAttr(bytes)));
    Value place =
        LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(), table,
                            ArrayRef<LLVM::GEPArg>{index});
    address = advance(address, LLVM::LoadOp::create(
                                   builder, loc, builder.getI64Type(), place));
  }
  return address;
}

Value ForallEmitter::addressOf(Value buffer) {
  if (auto slide = buffer.getDefiningOp<inst::SlideOp>())
    return slideOf(slide);
  return advance(addresses.lookup(inst::rootBuffer(buffer)),
                 inst::layoutOf(buffer).offset * bytesOf(buffer));
}

void ForallEmitter::emitLaunch(inst::LaunchOp launch) {
  for (auto [i, buffer] : llvm::enumerate(launch.getBuffers()))
    LLVM::StoreOp::create(builder, loc, addressOf(buffer), slot(launchArgs, i));
  func::CallOp::create(
      builder, loc, launch.getKernel(), TypeRange(),
      ValueRange{launchArgs, number(0), number(launch.getTickets()), worker});
}

void ForallEmitter::emitPoint(Value point) {
  // The last axis varies fastest.
  indices.clear();
  for (int64_t extent : llvm::reverse(forall.getExtents().drop_front())) {
    Value size = number(extent);
    indices.push_back(arith::RemUIOp::create(builder, loc, point, size));
    point = arith::DivUIOp::create(builder, loc, point, size);
  }
  indices.push_back(point);
  std::reverse(indices.begin(), indices.end());
  Value isNeeded;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Value extent = extents.lookup(axis);
    if (!extent)
      continue;
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       index, extent);
    isNeeded =
        isNeeded ? arith::AndIOp::create(builder, loc, isNeeded, here) : here;
  }
  if (isNeeded) {
    auto branch = scf::IfOp::create(builder, loc, isNeeded,
                                    /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
  }
  emitWithin(indices);
}

/// Computes the extents of the loop from the values of the symbols.
void ForallEmitter::readExtents() {
  auto limits =
      forall->getAttrOfType<AffineMapAttr>(inst::InstDialect::kExtentsAttrName);
  if (!limits)
    return;
  // The last input.
  Value address = argument(forall.getInputs().size() - 1);
  Type i64 = builder.getI64Type();
  AffineMap map = limits.getValue();
  SmallVector<Value> symbols;
  for (unsigned i = 0; i < map.getNumSymbols(); ++i) {
    Value value = LLVM::LoadOp::create(builder, loc, i64,
                                       advance(address, int64_t(8) * i));
    symbols.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), value));
  }
  for (auto [axis, extent] : llvm::enumerate(map.getResults()))
    if (!isa<AffineConstantExpr>(extent))
      extents[axis] = arith::IndexCastOp::create(
          builder, loc, i64,
          affine::expandAffineExpr(builder, loc, extent, {}, symbols));
}

void ForallEmitter::emitWithin(ArrayRef<Value> indices) {
  for (BlockArgument window : forall.getBody().getArguments()) {
    unsigned i = window.getArgNumber();
    Value address = operands[i];
    for (auto [index, step] : llvm::zip(indices, forall.getStepsOf(i)))
      if (step)
        address = advance(
            address, arith::MulIOp::create(builder, loc, index,
                                           number(step * bytesOf(window))));
    addresses[window] = address;
  }
  for (auto alloc : forall.getBody().getOps<inst::AllocOp>())
    addresses[alloc] = advance(scratch, alloc.getOffset().value_or(0));
  for (auto launch : forall.getBody().getOps<inst::LaunchOp>())
    emitLaunch(launch);
}

func::FuncOp ForallEmitter::emit(StringRef name) {
  OpBuilder::InsertionGuard guard(builder);
  declareKernels();
  defineStarts();
  auto function =
      func::FuncOp::create(builder, loc, name, exportedType(builder));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  args = entry->getArgument(0);
  worker = entry->getArgument(3);
  emitPrologue();
  readExtents();
  auto loop = scf::ForOp::create(builder, loc, entry->getArgument(1),
                                 entry->getArgument(2), number(1));
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  emitPoint(loop.getInductionVar());
  return function;
}

func::FuncOp glow::emitForallKernel(OpBuilder &builder, inst::ForallOp forall,
                                    StringRef name) {
  return ForallEmitter(builder, forall).emit(name);
}
