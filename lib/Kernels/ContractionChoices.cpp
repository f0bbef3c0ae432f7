//===- ContractionChoices.cpp - the model of what is fastest --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction's tile and where its long sums are cut. An analytic model of
// the machine decides, unless a tuning has measured it; ContractionBlocks.cpp
// and ContractionParts.cpp have more of it.
//
//===----------------------------------------------------------------------===//
#include "ContractionOperands.h"
#include "glow/Interfaces/FewRegisters.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Kernels/ContractionPlan.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

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
  if (rows.isBounded())
    out << " bounded by " << rows.perBound;
  if (joined)
    out << " joined from " << joined->images.extent;
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
  if (groupWidth > 1)
    out << " groups of " << groupWidth;
  if (registerDepth)
    out << " tile registers";
  if (lines)
    out << " lines " << lines->places.extent << " of " << lines->pitch;
  if (pieces > 1)
    out << " pieces " << pieces;
  if (hasBorderRows())
    out << " padded";
  return text;
}

TunableKernel ContractionPlan::tunable() const {
  TunableKernel result;
  result.shape = key;
  result.chosen = {tileRows, tileVectors, blockRows, blockColumns};
  result.rows = rows.extent;
  result.vectors = divideCeil(columns.extent, lanes);
  // Tiles of tile registers have one form.
  result.registers = registerDepth ? 0 : registers;
  return result;
}

/// The products that are summed up one after the other. The error of a sum
/// grows with the root of its length. Sums kept apart cost an addition and a
/// way through memory each: 1 to 2 % at this length.
static constexpr int64_t kSumDepth = 256;
/// The same where tile registers add 32 products at once.
static constexpr int64_t kTileSumDepth = 1024;

size_t ContractionPlan::sumsApart(ArrayRef<PlannedAxis> axes) const {
  int64_t inner = 1, limit = registerDepth ? kTileSumDepth : kSumDepth;
  for (const PlannedAxis &axis : axes)
    inner *= axis.extent;
  inner /= pieces;
  // The factors of groups, and of two pieces, are rounded more than sums are.
  bool isExact = group == 1 || pieces > 2;
  if (!isFloat || !isExact || inner <= limit * 3 / 2)
    return axes.size();
  // The first axis that leaves sums short enough.
  for (auto [i, axis] : llvm::enumerate(axes)) {
    inner /= i + 1 < axes.size() ? axis.extent : axis.extent / pieces;
    if (inner <= limit * 3 / 2)
      // Very short ones are not worth it.
      return inner >= limit / 4 || i + 1 == axes.size() || i == 0 ? i : i - 1;
  }
  llvm_unreachable("behind the last axis there is nothing");
}

int64_t ContractionPlan::sumDepth(int64_t extent) const {
  if (registerDepth)
    return llvm::alignTo(divideCeil(extent, divideCeil(extent, kTileSumDepth)),
                         registerDepth);
  // A piece that divides the axis leaves no rest.
  for (int64_t distance = 0; distance <= kSumDepth / 2; ++distance)
    for (int64_t depth : {kSumDepth + distance, kSumDepth - distance})
      if (extent % depth == 0)
        return depth;
  return kSumDepth;
}

namespace {
/// Times of one step along the depth, in multiply-adds of vectors.
struct StepCosts {
  /// What a vector of columns takes on its way from memory, and from the
  /// second-level cache.
  static constexpr double kColumn = 6, kNearColumn = 3;
  /// Eight sums hide each other's latency where a core has one thread only.
  static constexpr double kFewSums = 8.5;
  bool hasFewRegisters;

  /// Loads run beside products, and a sum must wait for the one before. Columns
  /// take longer from the second-level cache. Fitted to what
  /// docs/Rationale/Kernels/Contractions.md has of tiles.
  double tile(int64_t rows, double vectors, bool areNear) const {
    double products = rows * vectors, loads = rows + vectors;
    if (!hasFewRegisters) {
      double far = areNear ? 0 : 0.75 * vectors;
      return std::max(products + 0.25 * loads + far + 0.5, 4.5);
    }
    double far = areNear ? 0 : 2.2 * vectors;
    double besides = 0.05 * rows + (areNear ? 0.15 : 0.45) * vectors;
    return std::max({products, 1.05 * loads, far, kFewSums}) + besides;
  }
  /// The same of a rest of the rows: few products do not hide the columns' way.
  double rest(int64_t rows, double vectors, bool areNear, double column) const {
    return std::max(tile(rows, vectors, areNear), column * vectors);
  }
};
} // namespace

/// Of columns in groups, the products of a row with taps side by side that are
/// one turn of a loop.
static constexpr int64_t kProductsOfGroups = 64;

/// Rows whose windows overlap share the inputs that columns in groups take.
bool ContractionPlan::joinsTaps(ArrayRef<PlannedAxis> axes) const {
  if (groupWidth == 1 || axes.size() < 2)
    return false;
  const PlannedAxis &taps = axes.end()[-2];
  return !taps.window && !taps.isBounded() && sumsApart(axes) == axes.size() &&
         taps.extent * groupWidth / group <= kProductsOfGroups;
}

/// Registers hold the sums, a vector of each column and one broadcast element;
/// column by column, also the inputs that neighbouring rows share or, of
/// groups, each row's.
int64_t ContractionPlan::mostTileRows() const {
  if (joinsTaps(reduced)) {
    const PlannedAxis &taps = reduced.end()[-2];
    // A row goes on to inputs that the one before does not share.
    int64_t own = std::clamp<int64_t>(rows.strides[Lhs] /
                                          std::max<int64_t>(1, taps.lhsStride),
                                      1, taps.extent);
    int64_t left = registers - 2 * taps.extent - 2;
    return std::max<int64_t>(2, left / (2 * own - 1));
  }
  if (groupWidth > 1)
    return std::max<int64_t>(1, (registers - groupWidth - 4) / 2);
  // What is multiplied may come from memory as well.
  return isColumnwise ? std::min<int64_t>(registers / 2, 8) : registers;
}

/// Leaves the lines of one image of an axis of those of all images, if these
/// are open. Returns the axis of images.
static std::optional<LoopAxis> takeImages(LoopAxis &lines) {
  if (!lines.isBounded() || lines.perBound == 1 || lines.places > 1)
    return std::nullopt;
  LoopAxis images = lines;
  images.extent /= lines.perBound;
  for (int64_t &stride : images.strides)
    stride *= lines.perBound;
  images.perBound = 1;
  lines.extent = std::exchange(lines.perBound, 1);
  lines.bound = LoopAxis::kNone;
  return images;
}

/// Whether windows lie elsewhere from place to place of an axis.
static bool movesWindow(const LoopAxis &axis, size_t numEpilogue) {
  return llvm::any_of(
      ArrayRef(axis.strides).drop_front(FirstEpilogue + numEpilogue),
      [](int64_t stride) { return stride != 0; });
}

void ContractionPlan::joinLines() {
  if (outer.size() == batches || rows.isBounded() || isColumnwise ||
      rows.strides[Lhs] <= 0)
    return;
  LoopAxis around = outer.back();
  // Of open images, whose lines are one axis, the lines of each.
  std::optional<LoopAxis> images = takeImages(around);
  int64_t pitch = around.strides[Lhs] / rows.strides[Lhs];
  if (around.isBounded() || around.strides[Lhs] % rows.strides[Lhs] != 0 ||
      pitch < rows.extent || movesWindow(around, numEpilogue) ||
      movesWindow(rows, numEpilogue))
    return;
  if (!TileRows::ofLines(around.extent, rows.extent, pitch, pieces).joined)
    return;
  lines = RowLines{around, rows, pitch};
  outer.pop_back();
  if (images)
    outer.push_back(*images);
  rows = LoopAxis::unit(columns.strides.size());
  rows.extent = (lines->lines.extent - 1) * pitch + lines->places.extent;
  rows.strides[Lhs] = lines->places.strides[Lhs];
}

void ContractionPlan::joinOpenRows() {
  auto hasWindow = [](const PlannedAxis &axis) { return axis.window; };
  if (outer.size() == batches || !rows.isBounded() || isColumnwise ||
      llvm::any_of(borderReduced, hasWindow))
    return;
  joinAround();
}

void ContractionPlan::joinAround() {
  joined = JoinedRows{outer.pop_back_val(), rows};
  rows.extent = joined->extent();
}

void ContractionPlan::joinFewRows(const KernelTarget &target, int64_t bits) {
  // What looking for each row is worth, and how many places of rows in memory
  // a loop keeps in registers.
  constexpr double kGain = 0.95;
  constexpr int64_t kMostPlaces = 8;
  double cost = chooseTile(target, bits);
  if (registerDepth || joined || outer.size() == batches || rows.isBounded() ||
      isColumnwise || outer.back().isBounded() ||
      movesWindow(outer.back(), numEpilogue) || movesWindow(rows, numEpilogue))
    return;
  ContractionPlan together = *this;
  together.joinAround();
  bool isFaster = together.chooseTile(target, bits) < kGain * cost;
  if (isFaster && (together.isEven(Lhs) || together.tileRows <= kMostPlaces))
    *this = std::move(together);
}

int64_t ContractionPlan::restHeight(int64_t rest, int64_t tileRows) const {
  constexpr int64_t kHeights = 8;
  if (!rows.isBounded())
    return rest;
  // A batch of a few is as likely to be odd; longer texts hardly notice.
  int64_t leastStep = rows.extent > kHeights ? 2 : 1;
  int64_t step = std::max<int64_t>(divideCeil(tileRows, kHeights), leastStep);
  return std::min<int64_t>(llvm::alignTo(rest, step), tileRows);
}

/// How many there may be. Of a batch, each image or text has all of its rows.
static SmallVector<int64_t> likelyExtents(const LoopAxis &rows) {
  if (!rows.isBounded())
    return {rows.extent};
  if (rows.perBound > 1)
    return {rows.leastExtent()};
  SmallVector<int64_t> extents;
  for (int64_t part = 1; part <= std::min<int64_t>(8, rows.extent); part *= 2)
    extents.push_back(rows.extent / part);
  return extents;
}

/// The same of the rows of one image or text, or of as many as there can be.
static SmallVector<int64_t> likelyExtents(const JoinedRows &joined) {
  if (!joined.rows.isBounded())
    return {joined.extent()};
  SmallVector<int64_t> extents = likelyExtents(joined.rows);
  for (int64_t extent : llvm::to_vector(extents))
    if (int64_t all = extent * joined.images.extent;
        !llvm::is_contained(extents, all))
      extents.push_back(all);
  return extents;
}

bool ContractionPlan::isStreamed(const KernelTarget &target) const {
  int64_t vectors = packed / lanes;
  bool isOneTile = rows.isBounded() || (rows.extent + 1) * vectors < registers;
  bool isFarAhead = target.fetchAhead > KernelTarget::kPageBytes;
  bool isLarge = allColumnBytes() > target.l2Bytes;
  return outer.size() == batches && isOneTile && isLarge &&
         (isFarAhead || rows.extent <= target.streamedRows);
}

double ContractionPlan::chooseTile(const KernelTarget &target, int64_t bits) {
  int64_t most = std::max<int64_t>(1, target.vectorBits / bits);
  lanes = target.columnLanes(columns.extent, most);
  int64_t vectors = divideCeil(columns.extent, lanes);
  if (registerDepth) {
    // Two by two registers of sums leave four for the factors.
    SmallVector<int64_t> extents = likelyExtents(rows);
    llvm::erase_if(extents, [&](int64_t extent) { return extent < fewRows; });
    extents.push_back(rows.extent);
    registerRows = TileRows::heightFor(extents, pieces);
    tileRows = std::min(TileRows::kSide * registerRows, rows.extent);
    tileVectors = std::min(TileRows::kSide, vectors);
    return 0;
  }
  // A short vector takes less time where its instructions are masked.
  int64_t last = columns.extent - (vectors - 1) * lanes;
  double spared = target.hasMasks() ? 1 - double(lanesFor(last)) / lanes : 0;
  double best = std::numeric_limits<double>::infinity();
  int64_t mostVectors = isColumnwise ? 1 : std::min<int64_t>(vectors, 8);
  // Of wider tiles no part stays in the first-level cache.
  bool hasParts = hasLongPanels(target) && !isSmall(target) &&
                  (outer.size() > batches || rows.extent > mostTileRows());
  if ((hasParts || isStreamed(target)) && packed >= lanes)
    mostVectors = std::min(mostVectors, packed / lanes);
  int64_t mostRows = mostTileRows();
  bool fitCache = allColumnBytes() <= target.l2Bytes;
  const StepCosts costs{hasFewRegisters(target)};
  double columnCost =
      rows.isBounded() && fitCache ? costs.kNearColumn : costs.kColumn;
  SmallVector<int64_t> extents =
      joined ? likelyExtents(*joined) : likelyExtents(rows);
  SmallVector<int64_t> columnExtents = likelyExtents(columns);
  for (int64_t nv = 1; nv <= mostVectors; ++nv) {
    for (int64_t mr = 1;
         mr <= mostRows && mr * nv + nv + 1 <= target.vectorRegisters; ++mr) {
      if (mr > rows.extent)
        break;
      // What one tile reads comes from wherever it is.
      bool isReadOnce = mr == rows.extent && outer.size() == batches;
      bool areNear =
          isReadOnce || nv * lanes * columnBytes <= kPanelPart * target.l1Bytes;
      auto rowCost = [&](double nv) {
        double sum = 0;
        for (int64_t extent : extents) {
          double cost = extent / mr * costs.tile(mr, nv, areNear);
          if (int64_t rest = extent % mr)
            cost += costs.rest(restHeight(rest, mr), nv, areNear, columnCost);
          // Few rows that may be there take no longer in a tile of more.
          if (rows.isBounded() && !isSmall(target))
            cost = std::max(cost, columnCost * nv);
          sum += cost / extent;
        }
        return sum;
      };
      double cost = 0;
      for (int64_t extent : columnExtents) {
        int64_t whole = extent / (nv * lanes);
        double sum = whole * rowCost(nv);
        // Only the last tile of all there may be is narrower.
        if (int64_t rest = divideCeil(extent, lanes) - whole * nv)
          sum += rowCost(extent == columns.extent ? rest - spared : nv);
        cost += sum / extent;
      }
      // Of open rows that cost the same, more leave fewer sums that wait.
      if (rows.isBounded() ? cost > best : cost >= best)
        continue;
      best = cost;
      tileRows = mr;
      tileVectors = nv;
    }
  }
  return best;
}

void ContractionPlan::takeTile(const ContractionChoices &tuned) {
  int64_t nv = tuned.tileVectors, mr = tuned.tileRows;
  auto vectors = static_cast<int64_t>(divideCeil(columns.extent, lanes));
  if (registerDepth || nv < 1 || mr < 1 || mr > rows.extent || nv > vectors ||
      (isColumnwise && nv > 1) || mr > mostTileRows() ||
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
