//===- RecentlyUsed.h - a cache of what was used last ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DRIVER_RECENTLYUSED_H
#define GLOW_LIB_DRIVER_RECENTLYUSED_H

#include <algorithm>
#include <list>

namespace mlir::glow {

/// Entries in the order of their last use, the latest first.
template <typename Entry> class RecentlyUsed {
public:
  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }
  Entry &front() { return entries.front(); }

  /// The entry of which `isSame` holds, which is used by this; null if none.
  template <typename Predicate> Entry *find(Predicate isSame) {
    auto entry = std::find_if(entries.begin(), entries.end(), isSame);
    if (entry == entries.end())
      return nullptr;
    entries.splice(entries.begin(), entries, entry);
    return &entries.front();
  }

  /// Adds an entry, and drops the one that was not used for longest if there
  /// are more than `most`. The new one always stays.
  Entry &add(Entry entry, unsigned most) {
    entries.push_front(std::move(entry));
    if (entries.size() > std::max(1u, most))
      entries.pop_back();
    return entries.front();
  }

private:
  std::list<Entry> entries;
};

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_RECENTLYUSED_H
