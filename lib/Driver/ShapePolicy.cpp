//===- ShapePolicy.cpp - what to compile for the shapes that come ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShapePolicy.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;

ShapeBox ShapeBox::of(ArrayRef<int64_t> values) {
  ShapeBox box;
  for (int64_t value : values)
    box.ranges.push_back({value, value});
  return box;
}

bool ShapeBox::isFixed() const {
  return llvm::all_of(ranges,
                      [](SymbolRange range) { return range.isFixed(); });
}

bool ShapeBox::contains(ArrayRef<int64_t> values) const {
  return llvm::all_of(llvm::zip_equal(ranges, values), [](auto pair) {
    return std::get<0>(pair).contains(std::get<1>(pair));
  });
}

double ShapeBox::size() const {
  double product = 1;
  for (SymbolRange range : ranges)
    product *= static_cast<double>(range.upper) - range.lower + 1;
  return product;
}

bool ShapePolicy::isFrequent(ArrayRef<int64_t> values) const {
  size_t times = llvm::count_if(
      recent, [&](const Values &other) { return ArrayRef(other) == values; });
  return times >= kFrequent;
}

/// A range with room to grow: an extent that grows by one per run, as the
/// tokens of a decoder do, is met by few ranges.
static SymbolRange widen(SymbolRange range) {
  constexpr int64_t kMost = int64_t(1) << 40;
  return {std::min<int64_t>(1, range.lower),
          static_cast<int64_t>(
              llvm::PowerOf2Ceil(2 * std::min(range.upper, kMost)))};
}

/// The symbols in which `values` differs from the nearest shape that was
/// compiled become ranges. The second shape of all may be a new kind of run
/// instead, such as the first token after a prompt.
ShapeBox ShapePolicy::boxAround(ArrayRef<int64_t> values) const {
  ShapeBox box = ShapeBox::of(values);
  auto differences = [&](const Values &other) {
    return llvm::count_if(llvm::zip_equal(values, other), [](auto pair) {
      return std::get<0>(pair) != std::get<1>(pair);
    });
  };
  ArrayRef<Values> others = triggers;
  if (!triggers.empty() && triggers.size() < kPrograms) {
    // The last one of those.
    size_t nearest = 0;
    for (size_t i = 0; i < triggers.size(); ++i)
      if (differences(triggers[i]) <= differences(triggers[nearest]))
        nearest = i;
    if (triggers.size() == 1 && differences(triggers[nearest]) > 1)
      return box;
    others = others.slice(nearest, 1);
  }
  for (const Values &other : others)
    for (auto [range, value] : llvm::zip_equal(box.ranges, other))
      range = {std::min(range.lower, value), std::max(range.upper, value)};
  for (SymbolRange &range : box.ranges)
    if (!range.isFixed())
      range = widen(range);
  return box;
}

ShapeBox ShapePolicy::choose(ArrayRef<int64_t> values,
                             ArrayRef<ShapeBox> compiled) {
  ShapeBox exact = ShapeBox::of(values);
  recent.emplace_back(values);
  if (recent.size() > kRemembered)
    recent.pop_front();
  if (mode == DynamicShapes::Exact || llvm::is_contained(compiled, exact))
    return exact;
  if (mode == DynamicShapes::Auto && isFrequent(values))
    return exact;
  const ShapeBox *best = nullptr;
  for (const ShapeBox &box : compiled)
    if (box.contains(values) && (!best || box.size() < best->size()))
      best = &box;
  if (best)
    return *best;
  ShapeBox box = boxAround(values);
  triggers.emplace_back(values);
  if (mode == DynamicShapes::Ranges && box.isFixed())
    for (SymbolRange &range : box.ranges)
      range = widen(range);
  return box;
}
