//===- PrecisionOption.h - --precision of our tools -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_PRECISIONOPTION_H
#define GLOW_DRIVER_PRECISIONOPTION_H

#include "glow/Driver/Precision.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::glow {

struct PrecisionOption : llvm::cl::opt<Precision> {
  explicit PrecisionOption(llvm::cl::OptionCategory &category)
      : opt("precision", llvm::cl::init(Precision::Fp32),
            llvm::cl::desc("How single precision is computed:"),
            llvm::cl::cat(category)) {
    for (auto [value, name, description] : kPrecisions)
      getParser().addLiteralOption(name, value, description);
  }
};

} // namespace mlir::glow

#endif // GLOW_DRIVER_PRECISIONOPTION_H
