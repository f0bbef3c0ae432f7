//===- ContractionPlan.cpp - tiles and blocks of a contraction ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/ContractionPlan.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

/// Places among the axes' operands.
enum : size_t { Out, Lhs, Rhs, FirstEpilogue };

/// The most that a kernel's frame should hold.
static constexpr int64_t kFrameBytes = 64 << 10;

/// What a core reads from its second-level cache or from memory in the time of
/// a multiply-add of vectors: between 8 and 27.
static constexpr double kBytesPerStep = 16;

/// Rows that a panel should serve once it has been copied into the frame, which
/// takes as long as the products of some twenty rows.
static constexpr int64_t kRowsPerPanel = 128;

/// Reduced axes that follow each other in both operands become one. The last
/// one, which is walked in groups, stays even if it has one element.
static SmallVector<PlannedAxis> mergeReduced(ArrayRef<PlannedAxis> axes,
                                             bool keepsLast) {
  SmallVector<PlannedAxis> merged;
  for (const PlannedAxis &axis : axes) {
    if (axis.extent == 1 && !axis.window &&
        !(keepsLast && &axis == axes.end() - 1))
      continue;
    if (!merged.empty() && !merged.back().window && !axis.window &&
        merged.back().lhsStride == axis.lhsStride * axis.extent &&
        merged.back().rhsStride == axis.rhsStride * axis.extent) {
      int64_t extent = merged.back().extent * axis.extent;
      merged.back() = axis;
      merged.back().extent = extent;
      continue;
    }
    merged.push_back(axis);
  }
  // The innermost axis is walked step by step, without a window.
  if (merged.empty() || merged.back().window)
    merged.push_back({{1, 1, 1, std::nullopt}});
  return merged;
}

void ContractionPlan::findReduced(const ContractionSpec &spec) {
  SmallVector<PlannedAxis> border, inside;
  size_t position = FirstEpilogue + numEpilogue;
  for (const ContractionAxis &axis : spec.reduced) {
    border.push_back({axis, axis.window ? position++ : 0});
    inside.push_back(border.back());
    if (isRowWindow(border.back()))
      inside.back().window.reset();
  }
  reduced = mergeReduced(inside, spec.group > 1);
  borderReduced = mergeReduced(border, spec.group > 1);
}

/// Whether steps of the specification's groups can be made: pairs lie side by
/// side in both operands, and the target multiplies them at once.
static bool hasSteps(const ContractionSpec &spec, ValueRange buffers,
                     const KernelTarget &target) {
  if (spec.group == 1)
    return true;
  Type element = BufferShape(buffers[0]).element;
  return target.depthGroup(element) == spec.group &&
         BufferShape(buffers[1]).element == element &&
         spec.accumulator.isF32() && spec.reduced.back().lhsStride == 1;
}

/// The products that are summed up one after the other. The error of a sum
/// grows with the root of its length. Sums kept apart cost an addition and a
/// way through memory each: 1 to 2 % at this length.
static constexpr int64_t kSumDepth = 256;

size_t ContractionPlan::sumsApart(ArrayRef<PlannedAxis> axes) const {
  int64_t inner = 1;
  for (const PlannedAxis &axis : axes)
    inner *= axis.extent;
  // The factors of groups are rounded more than sums are.
  if (!isFloat || group > 1 || inner <= kSumDepth * 3 / 2)
    return axes.size();
  // The first axis that leaves sums short enough.
  for (auto [i, axis] : llvm::enumerate(axes)) {
    inner /= axis.extent;
    if (inner <= kSumDepth * 3 / 2)
      // Very short ones are not worth it.
      return inner >= kSumDepth / 4 || i + 1 == axes.size() || i == 0 ? i
                                                                      : i - 1;
  }
  llvm_unreachable("behind the last axis there is nothing");
}

int64_t ContractionPlan::sumDepth(int64_t extent) {
  // A piece that divides the axis leaves no rest.
  for (int64_t distance = 0; distance <= kSumDepth / 2; ++distance)
    for (int64_t depth : {kSumDepth + distance, kSumDepth - distance})
      if (extent % depth == 0)
        return depth;
  return kSumDepth;
}

/// Finds the tiles whose windows reach over the input's edge along the rows.
bool ContractionPlan::findBorder() {
  firstInside = 0;
  lastInside = rowTiles();
  for (const PlannedAxis &axis : borderReduced) {
    if (!isRowWindow(axis))
      continue;
    const Window &w = *axis.window;
    auto isInside = [&](int64_t tile) {
      int64_t first = tile * tileRows, last = first + tileRows - 1;
      return first * w.stride >= w.low &&
             last * w.stride - w.low + (w.kernel - 1) * w.dilation < w.input;
    };
    while (firstInside < lastInside && !isInside(firstInside))
      ++firstInside;
    while (lastInside > firstInside && !isInside(lastInside - 1))
      --lastInside;
    // Such tiles are emitted one by one, tap by tap.
    int64_t outside = firstInside + allRowTiles() - lastInside;
    if (outside * w.kernel > 64)
      return false;
  }
  return true;
}

bool ContractionPlan::findAxes(const ContractionSpec &spec) {
  ArrayRef<LoopAxis> axes = spec.parallel;
  while (axes.size() > 1 && axes.back().extent == 1)
    axes = axes.drop_back();
  columns = axes.back();
  isColumnwise = columns.strides[Lhs] == 1 && columns.strides[Rhs] == 1;
  if (columns.extent < 2 || columns.strides[Out] != 1 ||
      (columns.strides[Lhs] != 0 && !isColumnwise))
    return false;
  outer = mergeAxes(axes.drop_back());
  rows = LoopAxis::unit(columns.strides.size());
  for (size_t i = outer.size(); i-- > 0;) {
    if (outer[i].strides[Rhs] != 0)
      continue;
    rows = outer[i];
    outer.erase(outer.begin() + i);
    break;
  }
  auto movesRhs = [](const LoopAxis &axis) { return axis.strides[Rhs] != 0; };
  SmallVector<LoopAxis> batch, others;
  for (const LoopAxis &axis : outer)
    (movesRhs(axis) ? batch : others).push_back(axis);
  batches = batch.size();
  outer = llvm::to_vector(llvm::concat<LoopAxis>(batch, others));
  return true;
}

static std::string typesOf(const ContractionSpec &spec, ValueRange buffers) {
  std::string text;
  llvm::raw_string_ostream(text)
      << BufferShape(buffers[0]).element << "*"
      << BufferShape(buffers[1]).element << "+" << spec.accumulator;
  return text;
}

std::string ContractionPlan::shape() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  int64_t outerPoints = 1;
  for (const LoopAxis &axis : outer)
    outerPoints *= axis.extent;
  out << types << " rows " << rows.extent << " columns " << columns.extent
      << " depth " << depth << " outer " << outerPoints;
  for (const PlannedAxis &axis : ArrayRef(reduced).drop_back())
    out << " by " << axis.extent;
  if (rows.strides[Lhs] != depth)
    out << " stride " << rows.strides[Lhs];
  if (batches)
    out << " batches " << batches;
  if (packed)
    out << " packed " << packed;
  if (packs)
    out << " transposed";
  if (isColumnwise)
    out << " columnwise";
  if (llvm::any_of(borderReduced,
                   [&](auto &axis) { return isRowWindow(axis); }))
    out << " padded";
  return text;
}

TunableKernel ContractionPlan::tunable() const {
  TunableKernel result;
  result.shape = shape();
  result.chosen = {tileRows, tileVectors, blockRows, blockColumns};
  result.rows = rows.extent;
  result.vectors = divideCeil(columns.extent, lanes);
  result.registers = registers;
  return result;
}

std::optional<ContractionPlan>
ContractionPlan::make(const ContractionSpec &spec, ValueRange buffers,
                      const ScalarRegion &epilogue,
                      const KernelTarget &target) {
  ContractionPlan plan;
  plan.numEpilogue = buffers.size() - 3;
  if (!epilogue.isVectorizable() || !plan.findAxes(spec) ||
      !hasSteps(spec, buffers, target) ||
      BufferShape(buffers.back()).elements() == 0 || spec.depth() == 0)
    return std::nullopt;
  plan.findReduced(spec);
  plan.depth = spec.depth();
  plan.panelDepth = spec.panelDepth();
  plan.packed = spec.packed;
  plan.group = spec.group;
  plan.lhsStart = spec.lhsStart;
  plan.isFloat = isa<FloatType>(spec.accumulator);
  int64_t bits = std::max<int64_t>(spec.accumulator.getIntOrFloatBitWidth(),
                                   epilogue.width());
  bool maskable = target.vectorBits == 512;
  for (size_t i = FirstEpilogue; i < FirstEpilogue + plan.numEpilogue; ++i) {
    bits = std::max(bits, 8 * BufferShape(buffers[i - 1]).bytes());
    maskable &= plan.columns.strides[i] == 0 || plan.columns.strides[i] == 1;
  }
  plan.packs = !spec.packed && plan.columns.strides[Rhs] != 1;
  plan.registers = target.vectorRegisters;
  plan.types = typesOf(spec, buffers);
  ContractionChoices tuned;
  if (target.tuning)
    if (auto *found = target.tuning->find(target, plan.shape()))
      tuned = *found;
  plan.chooseTile(target, bits);
  plan.takeTile(tuned);
  if (spec.packed % plan.lanes != 0 || !plan.findBorder())
    return std::nullopt;
  if (plan.packs) {
    // Fewer columns, so that their panel fits.
    int64_t vectorBytes = plan.depth * plan.lanes * bits / 8;
    plan.tileVectors = std::min(plan.tileVectors, kFrameBytes / vectorBytes);
    if (plan.tileVectors == 0)
      return std::nullopt;
  }
  plan.cutColumns(maskable);
  // Groups have no instruction for a few columns.
  if (plan.group > 1 && (plan.isColumnwise || plan.segments.back().lanes < 4))
    return std::nullopt;
  plan.chooseBlocks(target,
                    plan.depth * plan.columns.extent *
                        BufferShape(buffers[1]).bytes(),
                    tuned);
  return plan;
}

/// Time of one step along the depth, in multiply-adds. Loads run beside them,
/// and a sum must wait for the one before.
static double tileCost(int64_t rows, int64_t vectors) {
  return std::max(rows * vectors + 0.25 * (rows + vectors) + 0.5, 4.5);
}

void ContractionPlan::chooseTile(const KernelTarget &target, int64_t bits) {
  int64_t most = std::max<int64_t>(1, target.vectorBits / bits);
  lanes = llvm::bit_floor<uint64_t>(std::min(most, columns.extent));
  if (target.vectorBits == 512)
    lanes = most;
  int64_t vectors = divideCeil(columns.extent, lanes);
  double best = std::numeric_limits<double>::infinity();
  // Registers hold the sums, a vector of each column and one broadcast element;
  // column by column, also the inputs that neighbouring rows share.
  int64_t mostVectors = isColumnwise ? 1 : std::min<int64_t>(vectors, 8);
  int64_t mostRows = target.vectorRegisters / (isColumnwise ? 4 : 1);
  for (int64_t nv = 1; nv <= mostVectors; ++nv) {
    for (int64_t mr = 1;
         mr <= mostRows && mr * nv + nv + 1 <= target.vectorRegisters; ++mr) {
      if (mr > rows.extent)
        break;
      auto rowCost = [&](int64_t nv) {
        double cost = rows.extent / mr * tileCost(mr, nv);
        if (int64_t rest = rows.extent % mr)
          cost += tileCost(rest, nv);
        return cost;
      };
      double cost = vectors / nv * rowCost(nv);
      if (int64_t rest = vectors % nv)
        cost += rowCost(rest);
      if (cost >= best)
        continue;
      best = cost;
      tileRows = mr;
      tileVectors = nv;
    }
  }
}

void ContractionPlan::takeTile(const ContractionChoices &tuned) {
  int64_t nv = tuned.tileVectors, mr = tuned.tileRows;
  auto vectors = static_cast<int64_t>(divideCeil(columns.extent, lanes));
  if (nv < 1 || mr < 1 || mr > rows.extent || nv > vectors ||
      (isColumnwise && nv > 1) || mr > registers / (isColumnwise ? 4 : 1) ||
      mr * nv + nv + 1 > registers)
    return;
  int64_t oldRows = std::exchange(tileRows, mr),
          oldVectors = std::exchange(tileVectors, nv);
  // At the border, more tiles may be needed than can be emitted.
  if (findBorder())
    return;
  tileRows = oldRows;
  tileVectors = oldVectors;
}

void ContractionPlan::cutColumns(bool maskable) {
  int64_t width = tileVectors * lanes, extent = columns.extent;
  int64_t tiles = extent / width, start = tiles * width;
  if (tiles)
    segments.push_back({0, tiles, tileVectors, lanes, lanes});
  if (maskable && start < extent) {
    int64_t vectors = divideCeil(extent - start, lanes);
    int64_t last = extent - start - (vectors - 1) * lanes;
    segments.push_back({start, 1, vectors, lanes, last});
    return;
  }
  // Whole vectors, then ever smaller ones.
  for (int64_t size = lanes; start < extent; size /= 2) {
    int64_t vectors = (extent - start) / size;
    if (vectors)
      segments.push_back({start, 1, vectors, size, size});
    start += vectors * size;
  }
}

void ContractionPlan::chooseBlocks(const KernelTarget &target, int64_t rhsBytes,
                                   const ContractionChoices &tuned) {
  int64_t batchPoints = 1, outerPoints = 1;
  for (auto [i, axis] : llvm::enumerate(outer)) {
    outerPoints *= axis.extent;
    if (i < batches)
      batchPoints *= axis.extent;
  }
  int64_t columnTiles = segments.front().tiles, rowTiles = allRowTiles();
  double tileWork = double(tileRows) * tileVectors * depth / group;
  double work = outerPoints * rowTiles * columnTiles * tileWork;
  // Few rows only wait for the right-hand side.
  int64_t wanted = ticketsFor(
      std::max(work, double(batchPoints) * rhsBytes / kBytesPerStep));
  int64_t leastRows = packs ? divideCeil(kRowsPerPanel, tileRows) : 1;
  if (rhsBytes > target.l2Bytes / 2) {
    // Read the right-hand side once: all rows that stay in the cache.
    int64_t tileBytes = tileRows * depth * 4;
    blockRows = std::max(leastRows, target.l2Bytes / 2 / tileBytes);
  } else {
    blockRows = std::max(leastRows, outerPoints * rowTiles / wanted);
  }
  if (tuned.blockRows)
    blockRows = tuned.blockRows;
  blockRows = std::clamp<int64_t>(blockRows, 1, rowTiles);
  rowBlocks = divideCeil(rowTiles, blockRows);
  int64_t rowPoints = outerPoints * rowBlocks;
  int64_t cuts =
      std::clamp<int64_t>(divideCeil(wanted, rowPoints), 1, columnTiles);
  blockColumns = divideCeil(columnTiles, cuts);
  if (tuned.blockColumns)
    blockColumns = std::clamp<int64_t>(tuned.blockColumns, 1,
                                       std::max<int64_t>(1, columnTiles));
  columnBlocks = divideCeil(columnTiles, blockColumns);
  // The rest of the columns, a block of its own so that all take equally long.
  if (columnBlocks > 1 && segments.size() > 1)
    ++columnBlocks;
  // Still too few: neighbours then read the same columns.
  int64_t rowCuts = divideCeil(wanted, outerPoints * columnBlocks);
  if (rowCuts > rowBlocks && !tuned.blockRows) {
    blockRows = std::max<int64_t>(divideCeil(rowTiles, rowCuts), leastRows);
    rowBlocks = divideCeil(rowTiles, blockRows);
    rowPoints = outerPoints * rowBlocks;
  }
  points = rowPoints * columnBlocks;
  pointsPerTicket = std::max<int64_t>(1, points / wanted);
  tickets = divideCeil(points, pointsPerTicket);
}
