//===- Profile.h - Times of the instructions of one context -----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_PROFILE_H
#define GLOW_RUNTIME_PROFILE_H

#include "glow-c/Runtime.h"

#include <string>
#include <vector>

namespace glow::runtime {

/// Recorded by one thread at a time: the one that runs the context.
class Profile {
public:
  /// Forgets everything and takes now as time zero.
  void start();
  /// Nanoseconds since start.
  uint64_t now() const;
  void record(uint32_t instr, uint32_t workers, uint64_t begin, uint64_t end) {
    events.push_back({instr, workers, begin, end});
  }

  std::vector<GlowRtEvent> events;
  /// Whether instructions do the work that their descriptions state, which is
  /// that for the largest extents.
  bool isWholeWork = true;

private:
  uint64_t zero = 0;
};

/// Time per operation, the most expensive first, then per instruction.
std::string profileTable(const Profile &profile,
                         const std::vector<GlowInstrDesc> &instrs);
std::string profileJson(const Profile &profile,
                        const std::vector<GlowInstrDesc> &instrs);
/// Chrome's trace event format, which Perfetto reads too.
std::string profileTrace(const Profile &profile, const std::string &program,
                         const std::vector<GlowInstrDesc> &instrs);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_PROFILE_H
