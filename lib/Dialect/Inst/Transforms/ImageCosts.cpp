//===- ImageCosts.cpp - what loops over images gain -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop gains that intermediate results of one image stay in caches where those
// of all images do not; it pays by reading the weights once for each image.
// docs/Rationale/Kernels.md has measurements.
//
//===----------------------------------------------------------------------===//
#include "ImageCosts.h"
#include "Flops.h"
#include "LoopPoints.h"
#include "StrassenProduct.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Bytes per cycle to and from the cache that cores share: rows of images, for
/// which kernels wait, and weights, which they ask for ahead.
static constexpr double kRowBytesPerCycle = 3, kWeightBytesPerCycle = 10;
/// The part of a cache that such data can have.
static constexpr double kUsablePart = 0.75;
/// Starting a member for an image.
static constexpr double kStartCost = 1000;
/// The part of the peak rate that members reach.
static constexpr double kRate = 0.85;
/// What products gain by Strassen's algorithm, which loops do not use.
static constexpr double kStrassenGain = 0.08;
/// A loop must save this part of the time.
static constexpr double kLeastGain = 0.02;

static double bytesOf(MemRefType type) {
  return double(type.getNumElements()) * elementBytes(type.getElementType());
}

/// What it takes to read a byte again after so many others.
double ImageCosts::cyclesPerByte(double distance, double perCycle) const {
  auto outside = [&](int64_t bytes) {
    return std::max(0.0, 1 - kUsablePart * bytes / distance);
  };
  return outside(target.l2Bytes) / perCycle +
         outside(std::max(target.l2Bytes, target.l3Bytes)) / target.memoryBytes;
}

ImageMemberCosts::ImageMemberCosts(const ImageMember &member,
                                   const KernelTarget &target, bool strassen) {
  Operation *op = member.op;
  auto type = cast<MemRefType>(op->getOperands().back().getType());
  int64_t images = member.uses.images;
  arithmetic = flopsOf(op) / (2 * target.lanes(type.getElementType()) * kRate);
  lost = kStartCost * images;
  if (strassen && StrassenProduct::of(op, target))
    lost += kStrassenGain * arithmetic;
  double shared = 0;
  for (const Access &access : member.accesses)
    if (member.uses.axes[access.operand] == ImageUses::kNone)
      shared += bytesOf(cast<MemRefType>(access.buffer().getType()));
  // What is read during products takes no time of its own, unless they are few.
  double reading =
      shared * (1 / kWeightBytesPerCycle + 1.0 / target.memoryBytes);
  exposed = shared ? reading / (reading + arithmetic / images) : 0;
}

/// Counts what the loop saves where a buffer is accessed again, and of scratch
/// memory, which stays where it is, when it is written: in the mean half of an
/// instruction's other operands pass by before a part is accessed again.
void ImageCosts::addReuse(const ImageChain &chain, const Accesses &accesses,
                          const ImageMember &member) {
  double bytes = 0, ofImage = 0;
  for (const Access &access : member.accesses) {
    bytes += bytesOf(cast<MemRefType>(access.buffer().getType()));
    ofImage += bytesOf(member.uses.part(access.buffer(), access.operand));
  }
  for (const Access &access : member.accesses) {
    Value root = rootBuffer(access.buffer());
    double own = bytesOf(cast<MemRefType>(access.buffer().getType())),
           ownOfImage = bytesOf(member.uses.part(access.buffer(), access.operand));
    Reuse &reuse = reuses[root];
    Use use{passed + bytes, bytes - own, passedOfImage + ofImage,
            ofImage - ownOfImage};
    if (reuse.count++ > 0) {
      const Use &last = reuse.last;
      double apart = passed - last.passed + (last.others + use.others) / 2,
             inLoop = passedOfImage - last.passedOfImage +
                      (last.othersOfImage + use.othersOfImage) / 2;
      double gained =
          own *
          (cyclesPerByte(std::max(0.0, apart) + own, kRowBytesPerCycle) -
           cyclesPerByte(std::max(0.0, inLoop) + ownOfImage,
                         kRowBytesPerCycle));
      saved += gained;
      if (reuse.count == 2)
        reuse.writing = gained;
    }
    reuse.last = use;
    if (reuse.count == accesses.of(root).size() && chain.isPrivate(root))
      saved += reuse.writing;
  }
  passed += bytes;
  passedOfImage += ofImage;
}

void ImageCosts::add(const ImageChain &chain, const ImageMemberCosts &own,
                     const Accesses &accesses) {
  const ImageMember &member = *chain.getMembers().back();
  addReuse(chain, accesses, member);
  for (const Access &access : member.accesses)
    if (member.uses.axes[access.operand] == ImageUses::kNone &&
        shared.insert(rootBuffer(access.buffer())).second)
      exposedBytes +=
          own.exposed * bytesOf(cast<MemRefType>(access.buffer().getType()));
  arithmetic += own.arithmetic;
  lost += own.lost;
}

std::optional<double> ImageCosts::gain(int64_t images) const {
  double gain = saved - lost - idlePart(images) * arithmetic -
                (images - 1) * exposedBytes *
                    cyclesPerByte(passedOfImage, kWeightBytesPerCycle);
  if (gain <= kLeastGain * arithmetic)
    return std::nullopt;
  return gain;
}
