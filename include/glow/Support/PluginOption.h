//===- PluginOption.h - --load-dialect-plugin of our tools ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_PLUGINOPTION_H
#define GLOW_SUPPORT_PLUGINOPTION_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::glow {

/// The files given with --load-dialect-plugin.
struct PluginOption : llvm::cl::list<std::string> {
  explicit PluginOption(llvm::cl::OptionCategory &category)
      : list("load-dialect-plugin", llvm::cl::value_desc("file"),
             llvm::cl::desc("Load dialects, passes and targets of a plug-in"),
             llvm::cl::cat(category)) {}
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_PLUGINOPTION_H
