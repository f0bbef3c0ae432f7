//===- ForallKernel.cpp - the kernel of a loop over windows ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each point the addresses of the windows are computed and the kernels of
// the body called one after the other, each over all of its tickets.
//
//===----------------------------------------------------------------------===//
#include "CallerEmitter.h"
#include "CallerKernels.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
class ForallEmitter : CallerEmitter {
public:
  ForallEmitter(OpBuilder &builder, inst::ForallOp forall)
      : CallerEmitter(builder, forall), forall(forall) {}

  func::FuncOp emit(StringRef name);

private:
  void defineStarts();
  void emitPoint(Value point);
  void readExtents();
  Value bytesOfStep(BlockArgument window, int64_t step);
  Value liveBefore(Value ticket);
  void emitWithin(ArrayRef<Value> indices);
  void emitLaunch(inst::LaunchOp launch);
  Value addressOf(Value buffer);
  Value slideOf(inst::SlideOp slide);

  inst::ForallOp forall;
  /// Addresses: of the operands and of this thread's scratch memory.
  SmallVector<Value> operands;
  Value scratch;
  /// Of the loop's axes that are limited, the extents at run time.
  DenseMap<int64_t, Value> extents;
  /// What a unit of steps is, and what steps of operands are in memory.
  Value unit;
  DenseMap<int64_t, inst::Pitch> pitches;
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
  SmallVector<Value> buffers;
  for (Value buffer : launch.getBuffers())
    buffers.push_back(addressOf(buffer));
  // A loop in the body has part of this thread's memory, as if it were the
  // first thread.
  bool hasScratch = launch.getScratchBytes().value_or(0);
  if (hasScratch)
    buffers.append(2, advance(scratch, launch.getScratchOffset().value_or(0)));
  call(launch, buffers, number(0), number(launch.getTickets()),
       hasScratch ? firstWorker() : worker);
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

/// Computes the extents of the loop and its unit from the values of the
/// symbols.
void ForallEmitter::readExtents() {
  // Of shared points the entry point hands out those that there are.
  AffineMap limits = forall.getShared() ? AffineMap() : inst::limitsOf(forall);
  AffineMap own = inst::unitOf(forall), map = own ? own : limits;
  if (!map)
    return;
  // The last input.
  Value address = argument(forall.getInputs().size() - 1);
  Type i64 = builder.getI64Type();
  SmallVector<Value> symbols;
  for (unsigned i = 0; i < map.getNumSymbols(); ++i) {
    Value value = LLVM::LoadOp::create(builder, loc, i64,
                                       advance(address, int64_t(8) * i));
    symbols.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), value));
  }
  auto valueOf = [&](AffineExpr expression) {
    return arith::IndexCastOp::create(
        builder, loc, i64,
        affine::expandAffineExpr(builder, loc, expression, {}, symbols));
  };
  if (own)
    unit = valueOf(own.getResult(0));
  if (limits)
    for (auto [axis, extent] : llvm::enumerate(limits.getResults()))
      if (!isa<AffineConstantExpr>(extent))
        // As for kernels, an extent may be less than nothing.
        extents[axis] =
            arith::MaxSIOp::create(builder, loc, number(0), valueOf(extent));
}

/// The bytes from one point's window to the next one's.
Value ForallEmitter::bytesOfStep(BlockArgument window, int64_t step) {
  auto pitch = pitches.find(window.getArgNumber());
  auto [units, rest] = UnitCount::of(
      pitch == pitches.end() ? step : pitch->second.strideOf(step));
  int64_t bytes = bytesOf(window);
  Value result = number(rest * bytes);
  if (!units)
    return result;
  Value way = arith::MulIOp::create(builder, loc, unit, number(units * bytes));
  return arith::AddIOp::create(builder, loc, way, result);
}

/// All tickets share the points within the limit of the first axis, as those of
/// `TicketCut` do.
Value ForallEmitter::liveBefore(Value ticket) {
  Value extent = extents.lookup(0);
  if (!extent)
    return ticket;
  int64_t points = forall.getNumPoints(), most = forall.getExtents().front();
  extent = arith::MinSIOp::create(builder, loc, extent, number(most));
  Value live =
      arith::MulIOp::create(builder, loc, extent, number(points / most));
  Value before = arith::MulIOp::create(builder, loc, ticket, live);
  return arith::DivUIOp::create(builder, loc, before, number(points));
}

void ForallEmitter::emitWithin(ArrayRef<Value> indices) {
  for (BlockArgument window : forall.getBody().getArguments()) {
    unsigned i = window.getArgNumber();
    Value address = operands[i];
    for (auto [index, step] : llvm::zip(indices, forall.getStepsOf(i)))
      if (step)
        address =
            advance(address, arith::MulIOp::create(builder, loc, index,
                                                   bytesOfStep(window, step)));
    addresses[window] = address;
  }
  for (auto alloc : forall.getBody().getOps<inst::AllocOp>())
    addresses[alloc] = advance(scratch, alloc.getOffset().value_or(0));
  for (auto launch : forall.getBody().getOps<inst::LaunchOp>())
    emitLaunch(launch);
}

func::FuncOp ForallEmitter::emit(StringRef name) {
  OpBuilder::InsertionGuard guard(builder);
  defineStarts();
  func::FuncOp function = begin(name, forall.getBody().front());
  int64_t count = forall->getNumOperands();
  for (int64_t i = 0; i < count; ++i)
    operands.push_back(argument(i));
  if (int64_t bytes = forall.getScratchBytes().value_or(0))
    scratch = scratchOf(count, bytes);
  for (const inst::Pitch &pitch : inst::pitchesOf(forall))
    pitches[pitch.operand] = pitch;
  readExtents();
  Value first = liveBefore(firstTicket), last = liveBefore(lastTicket);
  auto loop = scf::ForOp::create(builder, loc, first, last, number(1));
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  Value point = loop.getInductionVar();
  if (forall.getBackwards()) {
    Value end = arith::SubIOp::create(builder, loc, last, number(1));
    Value passed = arith::SubIOp::create(builder, loc, point, first);
    point = arith::SubIOp::create(builder, loc, end, passed);
  }
  emitPoint(point);
  return function;
}

func::FuncOp glow::emitCaller(OpBuilder &builder, inst::ForallOp forall,
                              StringRef name) {
  return ForallEmitter(builder, forall).emit(name);
}
