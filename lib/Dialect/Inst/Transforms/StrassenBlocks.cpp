//===- StrassenBlocks.cpp - which blocks have seven products --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the blocks of rows and columns of which Strassen's products take the
// least time, and says whether that is less than one product takes.
// docs/Rationale/Kernels/Strassen.md has the measurements behind the costs.
//
//===----------------------------------------------------------------------===//
#include "StrassenProduct.h"
#include "glow/Interfaces/FewRegisters.h"

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::KernelTarget;

/// The products of a block, in seven matrices, stay beside what they are made
/// from if they take this part of the second-level cache.
static constexpr double kProductsPart = 0.21;
/// Sums of quarters of the left-hand side are made for as many blocks of rows
/// as take this part of a core's share of the last cache.
static constexpr double kLeftSumsPart = 0.25;
/// Fewer rows than that in a half do not fill tiles.
static constexpr int64_t kLeastRows = 32;
/// Sums of that many products are added up apart, and of a quarter's depth from
/// the second number on, results are as accurate as one sum of all products.
static constexpr int64_t kSumDepth = 128, kLeastDepth = 256;
/// Loops that follow each other in a program, also one in which most of them
/// have no points, and bytes of weights.
static constexpr int64_t kMostGroups = 64, kMostOpenGroups = 8,
                         kMostBytes = int64_t(1) << 32;
/// Pairs of open rows in a block, which often has fewer.
static constexpr int64_t kMostOpenRows = 64;
/// How many sizes of blocks of rows are compared. Tiles of more than three
/// panels' columns are slower.
static constexpr int64_t kChoices = 16, kMostPanels = 3;
/// Nobody knows how many threads will run a program: with these it is to take
/// less time on average.
static constexpr std::array<int64_t, 3> kThreads = {1, 2, 4};
namespace mlir::glow::inst {
/// Costs in vector operations, of which a core does about one per cycle.
struct StrassenCosts {
  const StrassenProduct &product;
  const KernelTarget &target;

  /// The part of the peak rate that one product reaches, and that those of a
  /// block do but for what a vector of rows and one of columns cost.
  static constexpr double kRate = 0.955, kBlockRate = 0.99;
  static constexpr double kRowsCost = 1.3, kColumnsCost = 1.6;
  /// For each vector of a quarter: what it takes to add up those of the result,
  /// and to add the sums of one part of the depth to those of another.
  static constexpr double kResultCost = 30, kPartCost = 7 * 2;
  /// To scale and add up four of the left-hand side. Threads that do not have
  /// rows of their own write lines that others have read, and read what others
  /// have written: 120 if they share a cache, 500 if not, and nobody knows.
  static constexpr double kLeftCost = 40, kSharedLeftCost = 250;
  /// Starting the loops of a group.
  static constexpr double kLoopCost = 6000;
  /// Of the time that more weights take from memory, what products do not hide.
  static constexpr double kExposed = 0.3;

  double vectors(double elements) const {
    return elements / (target.vectorBits / 32.0);
  }
  /// The product as it is.
  double direct(double columns) const {
    return vectors(product.images * product.height * columns) * product.depth /
           kRate;
  }
  double point(double rows, double columns) const {
    double parts = divideCeil(product.halfDepth, product.partDepth);
    double depth =
        rows * columns / kBlockRate + rows * kRowsCost + columns * kColumnsCost;
    double result = rows * columns * (kResultCost + (parts - 1) * kPartCost);
    return vectors(kProducts * product.halfDepth * depth + result);
  }
  /// The time that `threads` take.
  double time(ArrayRef<Blocks> rows, const Blocks &panels,
              int64_t threads) const {
    double columns = panels.size * product.packed;
    double all = rows.size() * kLoopCost;
    for (const Blocks &group : rows)
      all += divideCeil(product.images * group.count * panels.count, threads) *
             point(group.size, columns);
    double left = 0;
    for (const Blocks &group : rows)
      left += vectors(product.images * group.total() * product.halfDepth) *
              (group.count % threads == 0 ? kLeftCost : kSharedLeftCost);
    double rest = product.width - 2.0 * panels.total() * product.packed;
    double weights = sizeof(float) * product.depth * product.width *
                     (kProducts / 4.0 - 1) / target.memoryBytes;
    double shared = left + direct(rest) + weights * kExposed;
    return all + shared / threads;
  }
  /// How long it takes on average, if the product as it is takes 1.
  double portion(ArrayRef<Blocks> rows, const Blocks &panels) const {
    double sum = 0;
    for (int64_t threads : kThreads)
      sum += time(rows, panels, threads) * threads;
    return sum / (kThreads.size() * direct(product.width));
  }
};
} // namespace mlir::glow::inst

/// Groups of `together` blocks of `rows` rows. The last block has all that is
/// left, and more than the middle row. No group has rows of two images.
StrassenProduct::Groups StrassenProduct::groupsOf(int64_t rows,
                                                  int64_t together) const {
  Groups groups;
  int64_t all = rowsAtOnce();
  int64_t whole = all / rows, rest = all % rows;
  if (rest == 1 || (rest == 0 && height % 2 != 0)) {
    --whole;
    rest += rows;
  }
  // The last group takes what would be less than one.
  for (int64_t i = 0, count; i < whole; i += count) {
    count = i + 2 * together > whole ? whole - i : together;
    groups.push_back({i * rows, count, rows});
  }
  if (rest)
    groups.push_back({whole * rows, 1, rest});
  size_t perImage = groups.size();
  for (int64_t first = all; first < halfRows; first += all)
    for (size_t i = 0; i < perImage; ++i) {
      Blocks next = groups[i];
      next.first += first;
      groups.push_back(next);
    }
  return groups;
}

bool StrassenProduct::chooseBlocks(const KernelTarget &target) {
  halfRows = divideCeil(height, 2);
  halfDepth = depth / 2;
  int64_t pairs = width / packed / 2;
  // Tiles of few registers pass sums of that length too often to gain: a
  // block's products reach two thirds to four fifths of the rate of one.
  if (depth % 2 != 0 || pairs == 0 || halfRows < kLeastRows ||
      halfDepth < kLeastDepth || hasFewRegisters(target))
    return false;
  partDepth = divideCeil(halfDepth, divideCeil(halfDepth, kSumDepth));
  StrassenCosts costs{*this, target};
  double most = kProductsPart * target.l2Bytes / (kProducts * sizeof(float));
  double least = 1;
  auto tallest = std::max(static_cast<int64_t>(most / packed), kLeastRows);
  if (open)
    tallest = std::min(tallest, kMostOpenRows);
  int64_t mostGroups = open ? kMostOpenGroups : kMostGroups;
  int64_t all = rowsAtOnce(), parts = halfRows / all;
  if (parts > mostGroups)
    return false;
  int64_t fewest = divideCeil(all, tallest);
  for (int64_t bands = fewest; bands < fewest + kChoices; ++bands) {
    int64_t rows = llvm::alignTo(divideCeil(all, bands), line);
    if (rows < kLeastRows)
      break;
    int64_t blockBytes = images * kProducts * rows * halfDepth * sizeof(float);
    auto together =
        static_cast<int64_t>(kLeftSumsPart * target.l3Bytes / blockBytes);
    together = std::clamp<int64_t>(
        together, divideCeil(bands * parts, mostGroups), bands);
    Groups groups = groupsOf(rows, together);
    auto widest = static_cast<int64_t>(most / (rows * packed));
    widest = std::clamp<int64_t>(widest, 1, std::min(pairs, kMostPanels));
    for (int64_t atOnce = widest; atOnce > 0; --atOnce) {
      Blocks columns{0, pairs / atOnce, atOnce};
      double portion = costs.portion(groups, columns);
      if (portion >= least)
        continue;
      least = portion;
      blocks = groups;
      panels = columns;
    }
  }
  return !blocks.empty() &&
         kProducts * panels.total() * halfDepth * packed * sizeof(float) <=
             kMostBytes;
}
