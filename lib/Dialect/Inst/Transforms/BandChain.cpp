//===- BandChain.cpp - instructions that become one loop ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BandChain.h"
#include "ElementSet.h"
#include "LoopPoints.h"
#include "glow/Interfaces/TileRegisters.h"

using namespace mlir;
using namespace mlir::glow::inst;

/// Fewer slices than this at a time would keep kernels from sharing operands.
static constexpr int64_t kLeastBand = 4;
/// The same where each band reads the same columns from the second-level cache,
/// which takes as long as the products of four rows and more, in tile registers
/// of many more.
static constexpr int64_t kLeastSharingBand = 24, kLeastTileBand = 64;

/// Points that touch less than such a part of the first-level cache take about
/// as long to start as to run.
static constexpr int64_t kSmallPoints = 8;

/// Whether some axis has enough slices for as many points as a loop should
/// have, with all points of the others.
static bool mayHaveBands(ArrayRef<BandChain::LoopAxis> loop) {
  return llvm::any_of(loop, [&](const BandChain::LoopAxis &axis) {
    int64_t others = 1;
    for (const BandChain::LoopAxis &other : loop)
      if (&other != &axis)
        others = std::min(others * std::min(other.extent, kLeastPoints),
                          kLeastPoints);
    return axis.extent >=
           static_cast<int64_t>(llvm::divideCeil(kLeastPoints, others));
  });
}

BandChain::BandChain(Operation *seed, ParallelAxes axes,
                     const Accesses &accesses, const KernelTarget &target)
    : accesses(accesses), target(target) {
  Member member{seed, axes, {}};
  for (auto [i, extent] : llvm::enumerate(axes.extents))
    if (extent > 1) {
      loop.push_back({extent});
      member.loopAxes.push_back(i);
    }
  if (mayHaveBands(loop) && isConsistent(member))
    record(member);
}

void BandChain::record(const Member &member) {
  shared += bytesOfAll(member, /*ofNewRoots=*/true);
  members.push_back(std::make_unique<Member>(member));
  operationSet.insert(member.op);
  for (const Access &access : accessesOf(member.op, 0)) {
    Root &root = roots[rootBuffer(access.buffer())];
    if (access.writes && !root.writer) {
      root.writer = members.back().get();
      root.operand = access.operand;
    }
  }
}

/// Whether two operands are the same elements of one buffer in each step.
bool BandChain::isSame(const Member &a, unsigned operandA, const Member &b,
                       unsigned operandB) const {
  for (size_t axis = 0; axis < loop.size(); ++axis)
    if (a.step(operandA, axis) != b.step(operandB, axis))
      return false;
  MemRefType first = a.window(operandA, loop),
             second = b.window(operandB, loop);
  return first.getElementType() == second.getElementType() &&
         ElementSet(first) == ElementSet(second);
}

/// What each band needs all of: of every root, or of those that no member has
/// accessed yet.
int64_t BandChain::bytesOfAll(const Member &member, bool ofNewRoots) const {
  int64_t bytes = 0;
  for (const Access &access : accessesOf(member.op, 0)) {
    bool isStepped = false;
    for (size_t axis = 0; axis < loop.size(); ++axis)
      isStepped |= member.step(access.operand, axis) != 0;
    // Of what is gathered from, a slice needs a few places.
    bool isGathered = isa<GatherOp>(member.op) && access.operand == 0;
    bool isNew = !roots.contains(rootBuffer(access.buffer()));
    if (!isStepped && !isGathered && (isNew || !ofNewRoots))
      bytes += bytesOf(typeOf(access.buffer()));
  }
  return bytes;
}

/// Every access to a buffer that the chain writes touches in each step what the
/// writer does, and what all need is small.
bool BandChain::isConsistent(const Member &member) const {
  SmallVector<Access> all = accessesOf(member.op, 0);
  for (const Access &access : all) {
    // Scratch memory of loops is in the default space.
    if (typeOf(access.buffer()).getMemorySpace())
      return false;
    for (const Access &other : all)
      if (other.writes &&
          rootBuffer(other.buffer()) == rootBuffer(access.buffer()) &&
          !isSame(member, other.operand, member, access.operand))
        return false;
    for (size_t axis = 0; axis < loop.size(); ++axis) {
      int64_t step = member.step(access.operand, axis);
      // Steps forward only, and one place for each result.
      if (step < 0 || (access.writes && step == 0))
        return false;
    }
    auto known = roots.find(rootBuffer(access.buffer()));
    if (known == roots.end())
      continue;
    const Root &root = known->second;
    // What was only read so far must not change.
    if (!root.writer && access.writes)
      return false;
    if (root.writer &&
        !isSame(*root.writer, root.operand, member, access.operand))
      return false;
  }
  // The next band finds in the cache what all instructions share.
  return bytesOfAll(member, /*ofNewRoots=*/false) <= target.l2Bytes / 4 &&
         shared + bytesOfAll(member, /*ofNewRoots=*/true) <= target.l2Bytes / 2;
}

/// The instruction's axes that the loop's axes are, by the strides with which
/// it reads what the chain has written.
std::optional<SmallVector<int64_t>>
BandChain::matchAxes(Operation *op, const ParallelAxes &axes) {
  for (const Access &access : accessesOf(op, 0)) {
    auto known = roots.find(rootBuffer(access.buffer()));
    if (!access.reads || known == roots.end() || !known->second.writer)
      continue;
    const Root &root = known->second;
    SmallVector<int64_t> found;
    StridedLayout layout = layoutOf(access.buffer());
    for (auto [i, axis] : llvm::enumerate(loop)) {
      int64_t step = root.writer->step(root.operand, i);
      for (auto [own, extent] : llvm::enumerate(axes.extents)) {
        int64_t mine = axes.operandAxes[access.operand][own];
        if (mine != ParallelAxes::kNone && extent == axis.extent &&
            layout.strides[mine] == step &&
            !llvm::is_contained(found, static_cast<int64_t>(own))) {
          found.push_back(own);
          break;
        }
      }
    }
    if (found.size() == loop.size())
      return found;
    return std::nullopt;
  }
  return std::nullopt;
}

/// Whether an instruction that reads nothing of the chain computes the same
/// slices as its first one, for a gather's neighbours: what reads both is to
/// find them in the core's cache.
bool BandChain::isSibling(Operation *op, const ParallelAxes &axes) const {
  return op->getName() == members.front()->op->getName() &&
         axes.extents == members.front()->axes.extents &&
         llvm::any_of(members, [](const auto &member) {
           return isa<GatherOp>(member->op);
         });
}

bool BandChain::join(Operation *op) {
  std::optional<ParallelAxes> axes = ParallelAxes::of(op);
  if (!axes || members.empty())
    return false;
  auto own = matchAxes(op, *axes);
  if (!own && isSibling(op, *axes))
    own = members.front()->loopAxes;
  if (!own)
    return false;
  Member member{op, *axes, *own};
  if (!isConsistent(member))
    return false;
  record(member);
  return true;
}

bool BandChain::canPass(Operation *op) const {
  return llvm::none_of(accessesOf(op, 0), [&](const Access &access) {
    auto known = roots.find(rootBuffer(access.buffer()));
    return known != roots.end() && (known->second.writer || access.writes);
  });
}

/// Whether nothing outside the chain needs the buffer.
bool BandChain::isPrivate(Value root) const {
  if (!root.getDefiningOp<AllocOp>())
    return false;
  return llvm::all_of(accesses.of(root), [&](const Access &access) {
    return operationSet.contains(access.op);
  });
}

/// The most bytes of intermediate results that one instruction touches.
int64_t BandChain::workingSet() const {
  int64_t most = 0;
  for (const auto &member : members) {
    int64_t bytes = 0;
    for (const Access &access : accessesOf(member->op, 0)) {
      Value root = rootBuffer(access.buffer());
      if (roots.find(root)->second.writer && isPrivate(root))
        bytes += bytesOf(member->window(access.operand, loop));
    }
    most = std::max(most, bytes);
  }
  return most;
}

/// Makes the last axis of the loop the one along which a kernel does more with
/// many slices: the rows of products.
void BandChain::placeRowsLast() {
  for (const auto &member : members) {
    if (!isa<MatMulOp>(member->op))
      continue;
    int64_t rows = member->axes.extents.size() - 1;
    for (size_t i = 0; i + 1 < loop.size(); ++i)
      if (member->loopAxes[i] == rows) {
        std::swap(loop[i], loop.back());
        for (const auto &other : members)
          std::swap(other->loopAxes[i], other->loopAxes.back());
        return;
      }
  }
}

bool BandChain::hasProduct() const {
  return llvm::any_of(
      members, [](const auto &member) { return isa<MatMulOp>(member->op); });
}

/// Whether all bands multiply by the same columns.
bool BandChain::sharesColumns() const {
  return llvm::any_of(members, [&](const auto &member) {
    if (!isa<MatMulOp>(member->op))
      return false;
    for (size_t axis = 0; axis < loop.size(); ++axis)
      if (member->step(1, axis) != 0)
        return false;
    return true;
  });
}

bool BandChain::hasLongSlices() const {
  SmallVector<LoopAxis> slices = loop;
  slices.back().band = 1;
  int64_t bytes = bytesPerBand(slices);
  return !hasProduct() && bytes >= target.l1Bytes && bytes <= target.l2Bytes;
}

int64_t BandChain::leastBand() const {
  bool hasTiles = llvm::any_of(members, [&](const auto &member) {
    auto matmul = dyn_cast<MatMulOp>(member->op);
    return matmul &&
           target.tileDepth(typeOf(matmul.getLhs()).getElementType()) > 0;
  });
  if (hasLongSlices())
    return 1;
  if (sharesColumns())
    return hasTiles ? kLeastTileBand : kLeastSharingBand;
  return hasTiles ? glow::TileRows::kMost : kLeastBand;
}

/// The most bytes that one instruction touches in each band.
int64_t BandChain::bytesPerBand(ArrayRef<LoopAxis> bands) const {
  int64_t most = 0;
  for (const auto &member : members) {
    int64_t bytes = 0;
    for (const Access &access : accessesOf(member->op, 0))
      if (member->step(access.operand, loop.size() - 1) != 0)
        bytes += bytesOf(member->window(access.operand, bands));
    most = std::max(most, bytes);
  }
  return most;
}

/// Of pieces of a few lines, a band reads parts that its neighbours read again,
/// and the processor fetches none ahead.
bool BandChain::readsShortPieces() const {
  constexpr int64_t kLeastPiece = 4 * KernelTarget::kLineBytes;
  // A loop hardly gains by keeping so little of what it reads in the cache.
  constexpr int64_t kMuchMore = 8;
  int64_t most = kMuchMore * workingSet();
  return llvm::any_of(members, [&](const auto &member) {
    if (!isa<ReduceOp>(member->op))
      return false;
    return llvm::any_of(accessesOf(member->op, 0), [&](const Access &access) {
      MemRefType window = member->window(access.operand, loop);
      ElementSet read(window);
      bool isWritten = roots.find(rootBuffer(access.buffer()))->second.writer;
      return !isWritten && !read.isOnePiece() &&
             read.pieceSize() * elementBytes(window.getElementType()) <
                 kLeastPiece &&
             bytesOf(window) > most;
    });
  });
}

/// Makes bands of the most slices that fit: into half of the second-level
/// cache, and without products, where slices share nothing, into the first
/// level if so many are possible. Their number is a divisor or leaves a rest.
bool BandChain::fitBands(int64_t most, bool leavesRest) {
  LoopAxis &last = loop.back();
  int64_t smallest = 0;
  for (int64_t band = most, least = leastBand(); band >= least; --band) {
    if (!leavesRest && last.extent % band != 0)
      continue;
    last.band = band;
    if (workingSet() > target.l2Bytes / 2)
      continue;
    if (hasProduct() || bytesPerBand(loop) <= target.l1Bytes)
      return true;
    smallest = band;
  }
  last.band = std::max<int64_t>(1, smallest);
  return smallest > 0;
}

/// The same for products whose slices do not fit and have no divisor that does,
/// as a prime number of tokens has none: bands of about the same size.
bool BandChain::fitBandsAndRest(int64_t most) {
  LoopAxis &last = loop.back();
  last.band = last.extent;
  if (workingSet() <= target.l2Bytes / 2 ||
      !fitBands(most, /*leavesRest=*/true))
    return false;
  int64_t bands = llvm::divideCeil(last.extent, last.band);
  last.band = llvm::divideCeil(last.extent, bands);
  return last.band >= leastBand() &&
         (last.rest() == 0 || last.rest() >= leastBand());
}

bool BandChain::chooseBands() {
  if (members.size() < 2 || workingSet() == 0)
    return false;
  placeRowsLast();
  // As many slices of the last axis as leave enough points.
  int64_t outer = 1;
  for (auto [i, axis] : llvm::enumerate(ArrayRef(loop).drop_back()))
    outer *=
        i == 0 ? leastExtent(members.front()->op, axis.extent) : axis.extent;
  LoopAxis &last = loop.back();
  auto mostFor = [&](int64_t points) -> int64_t {
    return last.extent / llvm::divideCeil(points, outer);
  };
  // What does not fill a band becomes a loop of its own. A second set of
  // kernels for products takes long to compile, so they need a good reason. Two
  // loops that write parts of a buffer would hide how much of it there is.
  Operation *first = members.front()->op;
  bool mayLeaveRest = !mayBeOpen(first, last.extent);
  int64_t few = mostFor(2 * kLeastPoints), many = mostFor(kLeastPoints);
  bool found = fitBands(few, /*leavesRest=*/false);
  if (!found && hasProduct())
    found = fitBands(many, /*leavesRest=*/false) ||
            (mayLeaveRest && fitBandsAndRest(many));
  else if (!found && mayLeaveRest)
    found = fitBands(few, /*leavesRest=*/true);
  if (!found && hasLongSlices())
    found = fitBands(many, /*leavesRest=*/false);
  return found && outer * last.points() >= kLeastPoints && !readsShortPieces();
}

bool BandChain::hasSmallPoints() const {
  return loop.size() > 1 && bytesPerBand(loop) < target.l1Bytes / kSmallPoints;
}
