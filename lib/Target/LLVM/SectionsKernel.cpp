//===- SectionsKernel.cpp - the kernel of independent launches ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each launch runs the part of the tickets that falls into its range.
//
//===----------------------------------------------------------------------===//
#include "CallerEmitter.h"
#include "CallerKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
class SectionsEmitter : CallerEmitter {
public:
  SectionsEmitter(OpBuilder &builder, inst::SectionsOp sections)
      : CallerEmitter(builder, sections), sections(sections) {}

  func::FuncOp emit(StringRef name);

private:
  void emitLaunch(inst::LaunchOp launch, int64_t before);

  inst::SectionsOp sections;
  Value scratch; // of this thread, for whichever launch it runs
};
} // namespace

/// A launch behind `before` tickets of others.
void SectionsEmitter::emitLaunch(inst::LaunchOp launch, int64_t before) {
  auto inRange = [&](Value ticket) -> Value {
    Value own = arith::SubIOp::create(builder, loc, ticket, number(before));
    Value low = arith::MaxSIOp::create(builder, loc, own, number(0));
    return arith::MinSIOp::create(builder, loc, low,
                                  number(launch.getTickets()));
  };
  Value first = inRange(firstTicket), last = inRange(lastTicket);
  Value isRun = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      first, last);
  auto branch =
      scf::IfOp::create(builder, loc, isRun, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  SmallVector<Value> addresses;
  for (Value buffer : launch.getBuffers())
    addresses.push_back(argument(cast<BlockArgument>(buffer).getArgNumber()));
  // Its own number of bytes would not tell its threads' parts apart from those
  // of other launches.
  bool hasScratch = launch.getScratchBytes().value_or(0);
  if (hasScratch)
    addresses.append(2, scratch);
  call(launch, addresses, first, last, hasScratch ? firstWorker() : worker);
}

func::FuncOp SectionsEmitter::emit(StringRef name) {
  OpBuilder::InsertionGuard guard(builder);
  Block &body = sections.getBody().front();
  func::FuncOp function = begin(name, body);
  if (int64_t bytes = sections.getScratchBytes().value_or(0))
    scratch = scratchOf(sections->getNumOperands(), bytes);
  int64_t before = 0;
  for (auto launch : body.getOps<inst::LaunchOp>()) {
    emitLaunch(launch, before);
    before += launch.getTickets();
  }
  func::ReturnOp::create(builder, loc);
  return function;
}

func::FuncOp glow::emitCaller(OpBuilder &builder, inst::SectionsOp sections,
                              StringRef name) {
  return SectionsEmitter(builder, sections).emit(name);
}
