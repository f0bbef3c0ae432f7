//===- ContractionPlan.cpp - tiles and blocks of a contraction ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/ContractionPlan.h"
#include "ContractionOperands.h"
#include "glow/Interfaces/TileRegisters.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

/// The most that a kernel's frame should hold.
static constexpr int64_t kFrameBytes = 64 << 10;

/// Reduced axes that follow each other in both operands become one. The last
/// one, which is walked in groups, stays even if it has one element.
static SmallVector<PlannedAxis> mergeReduced(ArrayRef<PlannedAxis> axes,
                                             const ContractionSpec &spec) {
  bool keepsLast = spec.group > 1;
  SmallVector<PlannedAxis> merged;
  for (const PlannedAxis &axis : axes) {
    if (axis.extent == 1 && !axis.window &&
        !(keepsLast && &axis == axes.end() - 1))
      continue;
    bool holdsPieces = spec.pieces > 1 && &axis == axes.end() - 1;
    if (!merged.empty() && !merged.back().window && !axis.window &&
        !holdsPieces &&
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
  reduced = mergeReduced(inside, spec);
  borderReduced = mergeReduced(border, spec);
}

/// The element type without its sign.
static Type storedType(Value buffer) {
  return ScalarBuilder::signless(BufferShape(buffer).element);
}

/// Whether steps of the specification's groups can be made: pairs lie side by
/// side in both operands, and the target multiplies them at once.
static bool hasSteps(const ContractionSpec &spec, ValueRange buffers,
                     const KernelTarget &target) {
  if (spec.group == 1)
    return true;
  Type element = storedType(buffers[0]);
  bool fitsSums = isa<FloatType>(element) ? spec.accumulator.isF32()
                                          : spec.accumulator.isInteger(32);
  return target.depthGroup(element) == spec.group &&
         storedType(buffers[1]) == element && fitsSums &&
         spec.reduced.back().lhsStride == 1;
}

/// The least number of rows that make it worth to copy a right-hand side into
/// panels of groups.
static constexpr int64_t kRowsPerGroupedPanel = 8;

/// The group in which elements of a right-hand side that is not packed are
/// copied into panels; 1 if the target or the form of the product has none.
static int64_t groupOfPanels(const ContractionSpec &spec, ValueRange buffers,
                             const KernelTarget &target, bool hasWholeGroups) {
  BufferShape lhs(buffers[0]), rhs(buffers[1]);
  const ContractionAxis &axis = spec.reduced.back();
  bool isPanel = spec.reduced.size() == 1 || hasWholeGroups;
  if (spec.packed || !isPanel || axis.lhsStride != 1 || axis.window ||
      axis.extent < 2 || lhs.element != rhs.element ||
      !spec.accumulator.isF32())
    return 1;
  bool fits = spec.depth() * target.lanes(spec.accumulator) * rhs.bytes() <=
              kFrameBytes / 2;
  return fits ? target.depthGroup(lhs.element) : 1;
}

/// Columns pass through tile registers faster than vectors multiply two rows by
/// them; one row leaves vectors time to wait for memory.
static constexpr int64_t kRowsPerRegister = 2;

/// Products fill tile registers well enough: with depth, and with rows to which
/// columns are loaded. Zeros for windows over the edge would have to be copied.
bool ContractionPlan::fitsTileRegisters(ValueRange buffers) const {
  return group > 1 && storedType(buffers[0]) == storedType(buffers[1]) &&
         !isColumnwise && (rows.extent >= kRowsPerRegister || pieces > 1) &&
         reduced.back().extent / pieces >= TileRows::kLeastDepth &&
         !hasBorderRows();
}

/// The depth of a step along an axis, `most` at most. A rest is copied, which
/// takes longer than one step more, but not than two.
static int64_t stepDepth(const PlannedAxis &axis, int64_t extent, int64_t group,
                         int64_t most) {
  int64_t steps = divideCeil(extent, most);
  for (int64_t count : {steps, steps + 1})
    if (extent % (count * group) == 0 && !axis.isBounded())
      return extent / count;
  return most;
}

int64_t ContractionPlan::fetchedRows() const {
  if (!parts)
    return panelDepth / group;
  int64_t depth = parts->depth * parts->atOnce;
  for (const PlannedAxis &axis :
       ArrayRef(reduced).drop_front(parts->axis).drop_back())
    depth *= axis.extent;
  return depth / group;
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
      int64_t first = tile * tileRows;
      return first >= w.firstInside() && first + tileRows <= w.lastInside();
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

bool ContractionPlan::mergeGroups(ArrayRef<LoopAxis> axes,
                                  const ContractionSpec &spec,
                                  int64_t mostLanes) {
  const ContractionAxis &depth = spec.reduced.back();
  int64_t width = columns.extent;
  // A vector holds whole groups; wider ones fill vectors by themselves.
  if (axes.size() < 2 || spec.packed || width < 2 || columns.isBounded() ||
      depth.isBounded() || !llvm::isPowerOf2_64(width) ||
      2 * width > mostLanes || depth.extent != width || depth.lhsStride != 1 ||
      depth.window)
    return false;
  const LoopAxis &groups = axes[axes.size() - 2];
  if (groups.extent < 2 || columns.strides[Lhs] != 0 ||
      groups.strides[Lhs] != width || columns.strides[Rhs] != 1)
    return false;
  for (size_t i = 0; i < columns.strides.size(); ++i)
    if (i != Lhs && groups.strides[i] != width * columns.strides[i])
      return false;
  columns.extent *= groups.extent;
  columns.strides[Lhs] = 1;
  groupWidth = width;
  return true;
}

/// Fewer columns are as fast where vectors go along the rows, if these are near
/// enough to be loaded so, and no groups of elements are multiplied.
static int64_t leastColumns(const ContractionSpec &spec,
                            const KernelTarget &target) {
  if (!spec.packed || !target.hasMasks())
    return 2;
  for (const LoopAxis &rows :
       llvm::reverse(ArrayRef(spec.parallel).drop_back()))
    if (rows.extent > 1) {
      bool areNear = rows.strides[Lhs] <= KernelBuilder::kMostShuffled;
      return spec.group > 1 || !areNear ? 1 : 2;
    }
  return 2;
}

bool ContractionPlan::findAxes(const ContractionSpec &spec, int64_t mostLanes,
                               int64_t least) {
  ArrayRef<LoopAxis> axes = spec.parallel;
  while (axes.size() > 1 && axes.back().extent < least)
    axes = axes.drop_back();
  columns = axes.back();
  if (mergeGroups(axes, spec, mostLanes))
    axes = axes.drop_back();
  isColumnwise = columns.strides[Lhs] == 1 && columns.strides[Rhs] == 1;
  if (columns.extent < least || columns.strides[Out] != 1 ||
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

/// Whether a tile of sums may end with part of a vector. AVX2 has masks for
/// words alone, and stores by them take as long as a dozen others.
static bool masksColumns(ValueRange buffers, int64_t bits, bool hasPanels,
                         const KernelTarget &target) {
  constexpr int64_t kWord = 32;
  auto isWord = [](Value buffer) {
    return 8 * BufferShape(buffer).bytes() == kWord;
  };
  return target.hasMasks() ||
         (target.has("avx2") && bits == kWord && hasPanels &&
          llvm::all_of(buffers.drop_front(FirstEpilogue - 1), isWord));
}

std::optional<ContractionPlan>
ContractionPlan::make(const ContractionSpec &spec, ValueRange buffers,
                      const ScalarRegion &epilogue,
                      const KernelTarget &target) {
  ContractionPlan plan;
  plan.numEpilogue = buffers.size() - 3;
  int64_t bits = std::max<int64_t>(spec.accumulator.getIntOrFloatBitWidth(),
                                   epilogue.width());
  for (Value input : buffers.drop_front(2).drop_back())
    bits = std::max(bits, 8 * BufferShape(input).bytes());
  if (!epilogue.isVectorizable() ||
      !plan.findAxes(spec, target.vectorBits / bits,
                     leastColumns(spec, target)) ||
      !hasSteps(spec, buffers, target) ||
      BufferShape(buffers.back()).elements() == 0 || spec.depth() == 0)
    return std::nullopt;
  plan.findReduced(spec);
  plan.depth = spec.depth();
  plan.panelDepth = spec.panelDepth();
  plan.packed = spec.packed;
  plan.columnBytes = plan.panelDepth * BufferShape(buffers[1]).bytes();
  plan.lhsElementBytes = BufferShape(buffers[0]).bytes();
  plan.group = spec.group;
  plan.pieces = spec.pieces;
  plan.fewRows = spec.fewRows;
  plan.lhsStart = spec.lhsStart;
  plan.isFloat = isa<FloatType>(spec.accumulator);
  for (size_t i = 0; i + 1 < epilogue.numResults(); ++i)
    if (plan.columns.strides[FirstEpilogue + plan.numEpilogue - 1 - i] != 1)
      return std::nullopt;
  bool takesMasks = true;
  for (size_t i = FirstEpilogue; i < FirstEpilogue + plan.numEpilogue; ++i)
    takesMasks &= plan.columns.strides[i] == 0 || plan.columns.strides[i] == 1;
  bool maskable = takesMasks && target.hasMasks();
  bool mergesGroups = plan.groupWidth > 1;
  if ((!plan.isColumnwise || mergesGroups) && maskable &&
      plan.rows.extent >= kRowsPerGroupedPanel)
    plan.group = std::max(spec.group,
                          groupOfPanels(spec, buffers, target, mergesGroups));
  plan.packs =
      !spec.packed && (plan.columns.strides[Rhs] != 1 || plan.group > 1);
  plan.registers = target.vectorRegisters;
  plan.types = typesOf(spec, buffers);
  if (int64_t depth = target.tileDepth(storedType(buffers[0])))
    if (spec.accumulator.getIntOrFloatBitWidth() == 32 && maskable) {
      ContractionPlan joined = plan;
      joined.joinLines();
      if (joined.fitsTileRegisters(buffers)) {
        plan = std::move(joined);
        plan.registerDepth = stepDepth(plan.reduced.back(),
                                       plan.reduced.back().extent / plan.pieces,
                                       plan.group, depth);
        // The epilogue is apart from the products, with vectors of any width.
        bits = 32;
      }
    }
  // Groups of bytes have no instruction for vectors, and pieces no loop.
  bool needsRegisters = plan.group > 2 || spec.pieces > 1;
  if (needsRegisters && !plan.registerDepth)
    return std::nullopt;
  if (!plan.registerDepth)
    plan.joinOpenRows();
  plan.joinFewRows(target, bits);
  plan.key = plan.shape();
  ContractionChoices tuned;
  if (target.tuning)
    if (auto *found = target.tuning->find(target, plan.key))
      tuned = *found;
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
  plan.cutColumns(
      takesMasks &&
      masksColumns(buffers, bits, spec.packed || plan.packs, target));
  // Groups have no instruction for a few columns.
  if (plan.group > 1 &&
      ((plan.isColumnwise && !mergesGroups) || plan.segments.back().lanes < 4))
    return std::nullopt;
  plan.chooseBlocks(target, tuned);
  plan.chooseRowGroups(target);
  if (plan.packed && !plan.isColumnwise) {
    // Tile registers that wait for rows leave no time to ask for columns.
    if (!plan.registerDepth || plan.keepsRows(target)) {
      plan.chooseParts(target);
      plan.chooseFetching(target);
    }
    plan.chooseStreams(target);
  }
  plan.chooseRowFetching(target);
  return plan;
}

/// The shortest vector for the last columns. Processors with 512-bit vectors
/// that do half of one at a time take half the time for shorter ones.
int64_t ContractionPlan::lanesFor(int64_t columns) const {
  return group == 1 && lanes >= 8 && 2 * columns <= lanes ? lanes / 2 : lanes;
}

void ContractionPlan::cutColumns(bool maskable) {
  int64_t width = tileVectors * lanes, extent = columns.extent;
  int64_t tiles = extent / width, start = tiles * width;
  if (tiles)
    segments.push_back({0, tiles, tileVectors, lanes, lanes});
  if (maskable && start < extent) {
    int64_t vectors = divideCeil(extent - start, lanes);
    int64_t last = extent - start - (vectors - 1) * lanes;
    segments.push_back({start, 1, vectors, lanes, last, lanesFor(last)});
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
