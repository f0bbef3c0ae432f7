//===- BandLoop.cpp - make the loop of a chain ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BandChain.h"
#include "ElementSet.h"
#include "LoopOperand.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::glow::inst;

namespace mlir::glow::inst {
/// Makes the loop step by step: its operands, its body's buffers, its body.
class BandLoop {
public:
  explicit BandLoop(BandChain &chain)
      : chain(chain), builder(chain.members.back()->op),
        loc(fusedLocation(builder, chain.operations())) {}

  void emit() {
    collectInputs();
    collectOutputs();
    OpBuilder body = OpBuilder::atBlockEnd(&createLoop());
    allocateScratch(body);
    for (const auto &member : chain.members)
      clone(*member, body);
  }

private:
  using Member = BandChain::Member;

  const BandChain::Root &rootOf(Value buffer) {
    return chain.roots.find(rootBuffer(buffer))->second;
  }
  MemRefType writtenWindow(const BandChain::Root &root) {
    return root.writer->window(root.operand, chain.loop);
  }

  Value wholeOf(const Member &member, unsigned operand);
  LoopOperand operandOf(const Member &member, unsigned operand);
  void collectInputs();
  void collectOutputs();
  Block &createLoop();
  void allocateScratch(OpBuilder &body);
  void clone(const Member &member, OpBuilder &body);
  Value bodyValue(const Member &member, unsigned operand, OpBuilder &body);

  BandChain &chain;
  OpBuilder builder;
  Location loc;
  SmallVector<LoopOperand> inputs, outputs;
  /// The input that an operand of a member is.
  DenseMap<std::pair<Operation *, unsigned>, size_t> inputOf;
  /// For each buffer that the chain writes what stands for it in the body.
  DenseMap<Value, Value> bodyRoots;
  Block *block = nullptr;
};
} // namespace mlir::glow::inst

/// The operand's part that the loop walks along its last axis.
Value BandLoop::wholeOf(const Member &member, unsigned operand) {
  Value buffer = member.op->getOperand(operand);
  size_t last = chain.loop.size() - 1;
  const BandChain::LoopAxis &axis = chain.loop.back();
  int64_t step = member.step(operand, last);
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t own = member.axes.operandAxes[operand][member.loopAxes[last]];
  if (step == 0 || shape[own] == axis.extent)
    return buffer;
  shape[own] = axis.extent;
  StridedLayout layout = layoutOf(buffer);
  return ViewOp::create(
      builder, member.op->getLoc(),
      viewType(type, shape, layout.strides, layout.offset + axis.start * step),
      rootBuffer(buffer));
}

LoopOperand BandLoop::operandOf(const Member &member, unsigned operand) {
  SmallVector<int64_t> steps;
  for (auto [i, axis] : llvm::enumerate(chain.loop))
    steps.push_back(member.step(operand, i) * axis.band);
  return {wholeOf(member, operand),
          withoutOffset(member.window(operand, chain.loop)),
          builder.getDenseI64ArrayAttr(steps)};
}

/// One for each view and its steps.
void BandLoop::collectInputs() {
  DenseMap<std::pair<Value, Attribute>, size_t> known;
  for (const auto &member : chain.members)
    for (const Access &access : accessesOf(member->op, 0)) {
      if (rootOf(access.buffer()).writer)
        continue;
      LoopOperand input = operandOf(*member, access.operand);
      auto [place, isNew] =
          known.try_emplace({access.buffer(), input.steps}, inputs.size());
      inputOf[{member->op, access.operand}] = place->second;
      if (isNew)
        inputs.push_back(input);
    }
}

void BandLoop::collectOutputs() {
  for (auto &[value, root] : chain.roots)
    if (root.writer && !chain.isPrivate(value))
      outputs.push_back(operandOf(*root.writer, root.operand));
}

Block &BandLoop::createLoop() {
  SmallVector<int64_t> extents;
  for (const BandChain::LoopAxis &axis : chain.loop)
    extents.push_back(axis.points());
  SmallVector<LoopOperand> operands(inputs);
  llvm::append_range(operands, outputs);
  block = &createForall(builder, loc, extents, operands, outputs.size());
  for (auto [i, output] : llvm::enumerate(outputs))
    bodyRoots[rootBuffer(output.whole)] = block->getArgument(inputs.size() + i);
  return *block;
}

void BandLoop::allocateScratch(OpBuilder &body) {
  for (auto &[value, root] : chain.roots) {
    if (!root.writer || bodyRoots.contains(value))
      continue;
    MemRefType window = writtenWindow(root);
    auto type = MemRefType::get({ElementSet(window).packedSize()},
                                window.getElementType(), nullptr,
                                window.getMemorySpace());
    bodyRoots[value] = AllocOp::create(body, loc, type, IntegerAttr());
  }
}

/// What the copy of a member in the body has for an operand.
Value BandLoop::bodyValue(const Member &member, unsigned operand,
                          OpBuilder &body) {
  auto input = inputOf.find({member.op, operand});
  if (input != inputOf.end())
    return block->getArgument(input->second);
  Value buffer = member.op->getOperand(operand);
  Value own = bodyRoots.lookup(rootBuffer(buffer));
  // The writer's window and this one hold the same elements.
  MemRefType type = withoutOffset(member.window(operand, chain.loop));
  if (own.getDefiningOp())
    type = ElementSet(writtenWindow(rootOf(buffer))).pack(type);
  if (type == own.getType())
    return own;
  return ViewOp::create(body, member.op->getLoc(), type, own);
}

void BandLoop::clone(const Member &member, OpBuilder &body) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < member.op->getNumOperands(); ++i)
    operands.push_back(bodyValue(member, i, body));
  body.clone(*member.op)->setOperands(operands);
}

void BandChain::emit() {
  LoopAxis &last = loop.back();
  int64_t rest = last.rest();
  last.extent -= rest;
  BandLoop(*this).emit();
  if (rest) {
    last = {rest, rest, last.extent};
    BandLoop(*this).emit();
  }
  for (const auto &member : members)
    member->op->erase();
  for (auto &[value, root] : roots)
    eraseIfUnused(value);
}
