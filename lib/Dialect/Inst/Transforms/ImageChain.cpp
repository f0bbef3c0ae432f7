//===- ImageChain.cpp - instructions that become a loop over images -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ImageChain.h"
#include "Costs.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

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
  ImageMember member{op, *uses, {}};
  for (const Access &access : accessesOf(op, accesses.position(op))) {
    Value buffer = access.buffer();
    int64_t step = uses->step(buffer, access.operand);
    MemRefType part = uses->part(buffer, access.operand);
    member.accesses.push_back(
        {access, rootBuffer(buffer), step, isWithin(part, step),
         double(bytesOf(typeOf(buffer))), double(bytesOf(part))});
  }
  return member;
}

bool ImageClashes::exist(const ImageAccess &access, const ImageAccess &next) {
  if (!access.writes && !next.writes)
    return false;
  auto [place, isNew] = known.try_emplace({&access, &next});
  if (isNew) {
    bool isAsWritten = access.writes && access.position < next.position &&
                       areSame(access.buffer(), next.buffer());
    place->second = !isAsWritten && mayOverlap(access, next);
  }
  return place->second;
}

bool ImageChain::join(const ImageMember &member) {
  for (const ImageAccess &access : member.accesses) {
    auto [place, isNew] = roots.try_emplace(access.root);
    Root &root = place->second;
    if (isNew)
      root.step = access.step;
    root.isDivided &= access.isDivided && root.step == access.step;
    root.isWritten |= access.writes;
    root.hasClashes |=
        llvm::any_of(root.accesses, [&](const ImageAccess *other) {
          return clashes.exist(*other, access);
        });
    root.accesses.push_back(&access);
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
         found->second.accesses.size() == accesses.of(root).size() &&
         type.getRank() > 0 && type.getDimSize(0) % images == 0 &&
         found->second.step == type.getNumElements() / images;
}

bool ImageChain::isComplete() const {
  return llvm::all_of(roots, [&](const auto &entry) {
    return !entry.second.hasClashes || isPrivate(entry.first);
  });
}
