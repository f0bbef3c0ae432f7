//===- ImageCosts.cpp - what loops over images gain -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop gains that intermediate results of one image stay in caches where
// those of all images do not; it pays by reading the weights once for each
// image. docs/Rationale/Kernels/Images.md has measurements.
//
//===----------------------------------------------------------------------===//
#include "ImageCosts.h"
#include "Costs.h"
#include "StrassenProduct.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Bytes per cycle to and from the cache that cores share: rows of images, for
/// which kernels wait, and weights, which they ask for ahead.
static constexpr double kRowBytesPerCycle = 3, kWeightBytesPerCycle = 10;
/// The part of the peak rate that members reach.
static constexpr double kRate = 0.85;
/// What products gain by Strassen's algorithm, which loops do not use.
static constexpr double kStrassenGain = 0.08;
/// A loop must save this part of the time.
static constexpr double kLeastGain = 0.02;

/// What it takes to read a byte again after so many others.
double ImageCosts::cyclesPerByte(double distance, double perCycle) const {
  int64_t last = target.lastCacheBytes();
  return partOutside(distance, target.l2Bytes) / perCycle +
         partOutside(distance, last) / target.memoryBytes;
}

/// Of the arithmetic of an instruction, all its loops' points together.
static double cyclesOf(Operation *op, const KernelTarget &target) {
  if (auto loop = dyn_cast<ForallOp>(op)) {
    double cycles = 0;
    for (Operation &inner : loop.getBody().front())
      cycles += cyclesOf(&inner, target) * loop.getNumPoints();
    return cycles;
  }
  double flops = flopsOf(op);
  if (flops == 0)
    return 0;
  auto elementOf = [&](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getElementType();
  };
  double perCycle = 2 * vectorsPerCycle(target) *
                    target.lanes(elementOf(op->getOperands().back()));
  if (isa<ConvOp, MatMulOp>(op)) {
    Type factor = elementOf(op->getOperand(0));
    int64_t depth = target.tileDepth(factor);
    // Half as much in a cycle as instructions on tiles could.
    perCycle *= depth ? depth / 2 : target.depthGroup(factor);
  }
  return flops / (perCycle * kRate);
}

ImageMemberCosts::ImageMemberCosts(const ImageMember &member,
                                   const KernelTarget &target, bool strassen) {
  Operation *op = member.op;
  int64_t images = member.uses.images;
  arithmetic = cyclesOf(op, target);
  lost = kStartCost * images;
  if (strassen && StrassenProduct::of(op, target))
    lost += kStrassenGain * arithmetic;
  double shared = 0;
  for (const ImageAccess &access : member.accesses)
    if (access.step == 0)
      shared += access.bytes;
  // What is read during products takes no time of its own, unless they are few.
  double reading =
      shared * (1 / kWeightBytesPerCycle + 1.0 / target.memoryBytes);
  exposed = shared ? reading / (reading + arithmetic / images) : 0;
}

/// Counts what the loop saves where a buffer is accessed again, and of scratch
/// memory, which stays where it is, when it is written: in the mean half of an
/// instruction's other operands pass by before a part is accessed again.
void ImageCosts::addReuse(const ImageChain &chain, const ImageMember &member) {
  double bytes = 0, ofImage = 0;
  for (const ImageAccess &access : member.accesses) {
    bytes += access.bytes;
    ofImage += access.bytesOfImage;
  }
  for (const ImageAccess &access : member.accesses) {
    if (access.step == 0)
      continue;
    Reuse &reuse = reuses[access.root];
    Use use{passed + bytes, bytes - access.bytes, passedOfImage + ofImage,
            ofImage - access.bytesOfImage};
    if (reuse.count++ > 0) {
      const Use &last = reuse.last;
      double apart = passed - last.passed + (last.others + use.others) / 2,
             inLoop = passedOfImage - last.passedOfImage +
                      (last.othersOfImage + use.othersOfImage) / 2;
      double gained =
          access.bytes *
          (cyclesPerByte(std::max(0.0, apart) + access.bytes,
                         kRowBytesPerCycle) -
           cyclesPerByte(std::max(0.0, inLoop) + access.bytesOfImage,
                         kRowBytesPerCycle));
      saved += gained;
      if (reuse.count == 2)
        reuse.writing = gained;
    }
    reuse.last = use;
    if (reuse.count ==
            chain.getRoots().find(access.root)->second.accesses.size() &&
        chain.isPrivate(access.root))
      saved += reuse.writing;
  }
  passed += bytes;
  passedOfImage += ofImage;
}

void ImageCosts::add(const ImageChain &chain, const ImageMemberCosts &own) {
  const ImageMember &member = *chain.getMembers().back();
  addReuse(chain, member);
  for (const ImageAccess &access : member.accesses)
    if (access.step == 0 && shared.insert(access.root).second)
      exposedBytes += own.exposed * access.bytes;
  arithmetic += own.arithmetic;
  lost += own.lost;
}

std::optional<double> ImageCosts::gain(int64_t images) const {
  double gain = saved - lost -
                (images - 1) * exposedBytes *
                    cyclesPerByte(passedOfImage, kWeightBytesPerCycle);
  if (gain <= kLeastGain * arithmetic)
    return std::nullopt;
  return gain;
}
