//===- CpuFeatures.h - What this processor can do ---------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_CPUFEATURES_H
#define GLOW_RUNTIME_CPUFEATURES_H

#include "glow-c/Status.h"

#include <cstdint>
#include <string_view>

namespace glow::runtime {

enum class Feature { Present, Absent, Unknown };

/// Whether the processor has `name`, a feature as LLVM spells it, and the
/// operating system saves the registers that it needs.
Feature cpuFeature(std::string_view name);

/// Asks the operating system for the tile registers of AMX, which Linux grants
/// to a process that has asked. True if it may use them.
bool requestAmxTiles();

/// Bits of a register of SVE, as the operating system grants them; 0 if there
/// are none.
int64_t scalableVectorBits();

/// Fails unless every "+feature" of a comma-separated list is present, where
/// "sve-bits=512" is one of a processor whose registers are as long. Asks the
/// operating system for the AMX tiles if the list names them.
GlowStatus checkCpuFeatures(std::string_view list);

/// Fails unless `triple` names this processor's architecture.
GlowStatus checkTriple(std::string_view triple);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_CPUFEATURES_H
