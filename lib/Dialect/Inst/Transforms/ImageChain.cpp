//===- ImageChain.cpp - instructions that become a loop over images -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ImageChain.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

/// Whether the first image's part lies within the first `step` elements of the
/// buffer.
static bool isWithin(MemRefType part, int64_t step) {
  auto [strides, offset] = part.getStridesAndOffset();
  int64_t low = offset, high = offset;
  for (auto [extent, stride] : llvm::zip(part.getShape(), strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  return low >= 0 && high < step;
}

std::optional<ImageMember> ImageMember::of(Operation *op, int64_t images,
                                           const Accesses &accesses) {
  std::optional<ImageUses> uses = ImageUses::of(op, images);
  if (!uses)
    return std::nullopt;
  return ImageMember{op, *uses, accessesOf(op, accesses.position(op))};
}

bool ImageChain::join(const ImageMember &member) {
  for (const Access &access : member.accesses) {
    Value buffer = access.buffer();
    int64_t step = member.uses.step(buffer, access.operand);
    auto [place, isNew] = roots.try_emplace(rootBuffer(buffer));
    Root &root = place->second;
    if (isNew)
      root.step = step;
    root.isDivided &= root.step == step &&
                      isWithin(member.uses.part(buffer, access.operand), step);
    root.isWritten |= access.writes;
    ++root.count;
    if (access.writes)
      root.writes.push_back(access);
    if (root.isWritten && !root.isDivided)
      return false;
  }
  members.push_back(&member);
  return true;
}

bool ImageChain::isPrivate(Value root) const {
  auto found = roots.find(root);
  MemRefType type = typeOf(root);
  return root.getDefiningOp<AllocOp>() && found != roots.end() &&
         found->second.isWritten &&
         found->second.count == accesses.of(root).size() && type.getRank() > 0 &&
         type.getDimSize(0) % images == 0 &&
         found->second.step == type.getNumElements() / images;
}

bool ImageChain::isComplete() const {
  for (const ImageMember *member : members)
    for (const Access &access : member->accesses) {
      Value buffer = access.buffer(), value = rootBuffer(buffer);
      if (!access.reads || isPrivate(value))
        continue;
      ArrayRef<Access> writes = roots.find(value)->second.writes;
      bool isResult = llvm::any_of(writes, [&](const Access &write) {
        return write.position < access.position &&
               areSame(write.buffer(), buffer);
      });
      if (!isResult && llvm::any_of(writes, [&](const Access &write) {
            return mayOverlap(write, access);
          }))
        return false;
    }
  return true;
}
