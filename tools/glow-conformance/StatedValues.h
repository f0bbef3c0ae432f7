//===- StatedValues.h - values as options state them ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_CONFORMANCE_STATEDVALUES_H
#define GLOW_TOOLS_GLOW_CONFORMANCE_STATEDVALUES_H

#include "glow/Runtime/Npy.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::glow {

/// The numbers of a tensor as text; nothing for types without.
std::optional<std::vector<std::string>>
textsOfValues(const ::glow::runtime::Array &array);

/// The range of a list of integers as glow-compile takes it, from zero or less
/// on; nothing for other tensors.
std::optional<std::string> rangeOfValues(llvm::StringRef name,
                                         const ::glow::runtime::Array &array);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_CONFORMANCE_STATEDVALUES_H
