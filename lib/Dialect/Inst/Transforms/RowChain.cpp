//===- RowChain.cpp - instructions that become one loop over rows ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowChain.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

int64_t RowChain::Between::rowStride() const {
  return layoutOf(root).strides[1];
}

const RowChain::Between *RowChain::betweenOf(Value buffer) const {
  Value root = rootBuffer(buffer);
  auto found = llvm::find_if(
      betweens, [&](const Between &between) { return between.root == root; });
  return found == betweens.end() ? nullptr : &*found;
}

/// The first row of an allocation of images that a view holds; nothing if the
/// view is not a box of it.
static std::optional<int64_t> firstRowOf(Value view) {
  MemRefType type = typeOf(view), whole = typeOf(rootBuffer(view));
  if (type.getRank() != 4 || whole.getRank() != 4 ||
      type.getElementType() != whole.getElementType())
    return std::nullopt;
  StridedLayout own = layoutOf(view), dense = layoutOf(rootBuffer(view));
  int64_t rest = own.offset, row = 0;
  for (int64_t axis = 0; axis < 4; ++axis) {
    int64_t first = rest / dense.strides[axis], extent = type.getDimSize(axis);
    rest %= dense.strides[axis];
    if (first + extent > whole.getDimSize(axis) ||
        (extent > 1 && own.strides[axis] != dense.strides[axis]))
      return std::nullopt;
    if (axis == 0 && extent != whole.getDimSize(0))
      return std::nullopt;
    if (axis == 1)
      row = first;
  }
  return row;
}

/// Whether fills write every row that the writer of `result` does not, all
/// alike, and else only beside the writer's rows.
static bool arePadding(MutableArrayRef<FillOp> fills, Value result) {
  MemRefType whole = typeOf(rootBuffer(result));
  int64_t first = *firstRowOf(result), rows = typeOf(result).getDimSize(1);
  SmallVector<bool> isFilled(whole.getDimSize(1), false);
  std::fill_n(isFilled.begin() + first, rows, true);
  for (FillOp fill : fills) {
    MemRefType type = typeOf(fill.getDestination());
    auto row = firstRowOf(fill.getDestination());
    if (!row || fill.getValue() != fills.front().getValue() ||
        mayOverlap(fill.getDestination(), result))
      return false;
    int64_t count = type.getDimSize(1);
    if (*row == first && count == rows)
      continue;
    if ((*row < first + rows && first < *row + count) ||
        type.getShape().drop_front(2) != whole.getShape().drop_front(2))
      return false;
    std::fill_n(isFilled.begin() + *row, count, true);
  }
  return llvm::all_of(isFilled, [](bool filled) { return filled; });
}

/// Adds the buffer that a member writes, if nothing outside needs it.
bool RowChain::addBetween(size_t writer, const Accesses &accesses) {
  Value result = members[writer].result(), root = rootBuffer(result);
  auto first = firstRowOf(result);
  if (!root.getDefiningOp<AllocOp>() || !first || betweenOf(root))
    return false;
  Between between{root, writer, *first, {}};
  bool isRead = false;
  for (const Access &access : accesses.of(root)) {
    if (auto fill = dyn_cast<FillOp>(access.op)) {
      between.fills.push_back(fill);
      continue;
    }
    auto member = llvm::find_if(
        members, [&](const Member &member) { return member.op == access.op; });
    if (member == members.end())
      return false;
    size_t index = member - members.begin();
    if (index == writer && access.operand == member->uses.result)
      continue;
    const RowUse &use = member->uses.operands[access.operand];
    if (index <= writer || access.writes || use.rowAxis != 1 ||
        !firstRowOf(access.buffer()))
      return false;
    isRead = true;
  }
  if (!isRead || !arePadding(between.fills, result))
    return false;
  betweens.push_back(between);
  return true;
}

bool RowChain::findBetweens(const Accesses &accesses) {
  for (size_t i = 0; i + 1 < members.size(); ++i)
    if (!addBetween(i, accesses))
      return false;
  return true;
}

/// Whether all members may run where the last one stands, in bands.
bool RowChain::isMovable(const Accesses &accesses) const {
  Value result = members.back().result();
  for (const Member &member : members)
    for (const Access &access : accessesOf(member.op, 0)) {
      Value buffer = access.buffer(), root = rootBuffer(buffer);
      const RowUse &rows = member.uses.operands[access.operand];
      // Scratch memory of loops is in the default space; steps run forwards.
      if (typeOf(buffer).getMemorySpace() ||
          (rows.rowAxis != RowUse::kNone &&
           layoutOf(buffer).strides[rows.rowAxis] < 0) ||
          (rows.imageAxis != RowUse::kNone &&
           layoutOf(buffer).strides[rows.imageAxis] < 0))
        return false;
      if (betweenOf(root) ||
          (&member == &members.back() && access.operand == member.uses.result))
        continue;
      // What a band reads must not be what another one writes.
      if (root == rootBuffer(result) && mayOverlap(buffer, result))
        return false;
      int64_t from = accesses.position(member.op),
              to = accesses.position(members.back().op);
      ArrayRef<Access> uses = accesses.of(root);
      const Access *use = llvm::partition_point(
          uses, [&](const Access &use) { return use.position <= from; });
      for (; use != uses.end() && use->position < to; ++use)
        if (use->writes)
          return false;
    }
  return true;
}

std::optional<RowChain> RowChain::make(ArrayRef<Operation *> operations,
                                       const Accesses &accesses) {
  RowChain chain;
  for (Operation *op : operations) {
    auto uses = RowUses::of(op);
    if (!uses)
      return std::nullopt;
    chain.members.push_back({op, *uses, 0, {}});
  }
  const RowUses &last = chain.members.back().uses;
  if (last.operands[last.result].rowAxis == RowUse::kNone ||
      llvm::any_of(chain.members,
                   [&](const Member &member) {
                     return member.uses.images != last.images;
                   }) ||
      !chain.findBetweens(accesses) || !chain.isMovable(accesses))
    return std::nullopt;
  return chain;
}

/// The first row of a buffer between members that one of them reads.
int64_t RowChain::firstRead(const Between &between, const Member &member,
                            unsigned operand, int64_t band) const {
  return *firstRowOf(member.op->getOperand(operand)) +
         member.starts[band] * member.uses.operands[operand].step;
}

bool RowChain::divide(int64_t height) {
  int64_t count = rows() / height;
  Member &last = members.back();
  last.rows = height;
  last.starts.clear();
  for (int64_t i = 0; i < count; ++i)
    last.starts.push_back(i * height);
  for (Between &between : llvm::reverse(betweens)) {
    Member &writer = members[between.writer];
    SmallVector<int64_t> low(count, std::numeric_limits<int64_t>::max()),
        high(count, 0);
    for (const Member &member :
         ArrayRef(members).drop_front(between.writer + 1))
      for (auto [operand, use] : llvm::enumerate(member.uses.operands)) {
        if (rootBuffer(member.op->getOperand(operand)) != between.root)
          continue;
        for (int64_t i = 0; i < count; ++i) {
          int64_t first = firstRead(between, member, operand, i);
          low[i] = std::min(low[i], first - between.firstRow);
          high[i] = std::max(high[i], first + use.rowsFor(member.rows) -
                                          between.firstRow);
        }
      }
    writer.rows = 0;
    for (int64_t i = 0; i < count; ++i)
      writer.rows = std::max(writer.rows, high[i] - low[i]);
    // Of a whole image, rows of padding are read but not computed.
    if (count == 1)
      writer.rows = std::min(writer.rows, writer.uses.rows);
    else if (writer.rows >= writer.uses.rows)
      return false;
    writer.starts.clear();
    between.above = between.below = 0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t start =
          std::clamp<int64_t>(low[i], 0, writer.uses.rows - writer.rows);
      writer.starts.push_back(start);
      between.above = std::max(between.above, start - low[i]);
      between.below = std::max(between.below, high[i] - start - writer.rows);
    }
  }
  return true;
}

SmallVector<int64_t> RowChain::readStarts(const Member &member,
                                          unsigned operand) const {
  SmallVector<int64_t> result;
  const Between *between = betweenOf(member.op->getOperand(operand));
  for (int64_t i = 0; i < bands(); ++i)
    result.push_back(
        between
            ? between->above - members[between->writer].starts[i] +
                  firstRead(*between, member, operand, i) - between->firstRow
            : member.starts[i] * member.uses.operands[operand].step);
  return result;
}
