//===- RowCosts.cpp - what loops over rows cost ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop gains is that intermediate results stay in the core's cache; it
// pays with rows computed twice. docs/Rationale/Kernels/Bands.md has
// measurements.
//
//===----------------------------------------------------------------------===//
#include "RowCosts.h"
#include "Costs.h"
#include "glow/Kernels/ScalarRegion.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Bytes per cycle to and from the cache that cores share, and of stores.
static constexpr double kSharedBytesPerCycle = 10;
static constexpr double kStoredBytesPerCycle = 32;
/// The parts of the peak rate that products and depthwise products reach.
static constexpr double kProductRate = 0.9;
static constexpr double kDepthwiseRate = 0.7;

static int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

/// Vector operations for one vector of the result.
static double operations(Operation *op, const KernelTarget &target) {
  double region = 1;
  for (Region &body : op->getRegions())
    region += ScalarRegion(&body).cost();
  if (auto conv = dyn_cast<ConvOp>(op)) {
    MemRefType input = typeOf(conv.getInput());
    int64_t channels = input.getShape().back() / conv.getGroup();
    double products = double(product(conv.getKernelShape())) * channels;
    double rate = channels == 1 ? kDepthwiseRate : kProductRate;
    if (conv.getPacked())
      rate *= target.depthGroup(input.getElementType());
    return products / rate + region;
  }
  if (auto pool = dyn_cast<PoolOp>(op))
    return product(pool.getKernelShape());
  return region;
}

double RowCosts::arithmetic(const RowChain::Member &member) const {
  MemRefType type = typeOf(member.result());
  return type.getNumElements() * operations(member.op, target) /
         (vectorsPerCycle(target) * target.lanes(type.getElementType()));
}

/// The part of so many bytes that does not stay in the core's cache.
double RowCosts::outside(double bytes) const {
  return partOutside(bytes, target.l2Bytes);
}

/// What passes through the core's cache, in the mean, between writing a part of
/// `between` and reading it: that buffer, and half of what else its writer and
/// its first reader go through row by row.
static double passedBy(const RowChain &chain,
                       const RowChain::Between &between) {
  auto isBetween = [&](Value operand) {
    return chain.betweenOf(operand) == &between;
  };
  ArrayRef<RowChain::Member> members = chain.getMembers();
  const RowChain::Member *reader = llvm::find_if(
      members.drop_front(between.writer + 1), [&](const auto &member) {
        return llvm::any_of(member.op->getOperands(), isBetween);
      });
  assert(reader != members.end() && "what lies between members is read");
  double bytes = bytesOf(typeOf(between.root));
  for (const RowChain::Member *member : {&members[between.writer], reader})
    for (auto [operand, use] :
         llvm::zip(member->op->getOperands(), member->uses.operands))
      if (use.rowAxis != RowUse::kNone && !isBetween(operand))
        bytes += bytesOf(typeOf(operand)) / 2.0;
  return bytes;
}

double RowCosts::apart(const RowChain &chain) const {
  double cycles = 0;
  for (const RowChain::Member &member : chain.getMembers())
    cycles += arithmetic(member) + kStartCost;
  for (const RowChain::Between &between : chain.getBetweens())
    cycles += 2.0 * bytesOf(typeOf(between.root)) *
              outside(passedBy(chain, between)) / kSharedBytesPerCycle;
  return cycles;
}

double RowCosts::inBands(const RowChain &chain) const {
  int64_t points = chain.images() * chain.bands();
  double cycles = 0, weights = 0, most = 0, all = 0;
  auto scratchBytes = [&](const RowChain::Between &between) {
    return chain.scratchRows(between) * between.rowStride() *
           elementBytes(typeOf(between.root).getElementType());
  };
  for (const RowChain::Member &member : chain.getMembers()) {
    cycles += arithmetic(member) * member.rows * chain.bands() /
                  member.uses.rows * (1 + idlePart(points)) +
              kStartCost * points;
    double bytes = 0;
    for (unsigned i = 0; i < member.op->getNumOperands(); ++i) {
      if (auto *between = chain.betweenOf(member.op->getOperand(i)))
        bytes += scratchBytes(*between);
      else if (member.uses.operands[i].rowAxis == RowUse::kNone)
        weights += bytesOf(typeOf(member.op->getOperand(i)));
    }
    most = std::max(most, bytes);
  }
  for (const RowChain::Between &between : chain.getBetweens()) {
    all += scratchBytes(between) * points;
    double filled = (between.above + between.below) * between.rowStride() *
                    elementBytes(typeOf(between.root).getElementType());
    cycles += filled * points / kStoredBytesPerCycle;
  }
  double traffic = 2 * all * outside(most);
  // Each band reads all weights.
  traffic += weights * (points - 1) * outside(most + weights);
  return cycles + traffic / kSharedBytesPerCycle;
}
