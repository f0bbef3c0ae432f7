//===- DialectPlugins.cpp - dialects from shared objects ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/DialectPlugins.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

llvm::Error glow::loadDialectPlugins(ArrayRef<std::string> files,
                                     DialectRegistry &registry) {
  for (const std::string &file : files) {
    // A name without a folder would be looked up in the system's library path.
    bool isBare = file.find('/') == std::string::npos;
    auto plugin = DialectPlugin::load(isBare ? "./" + file : file);
    if (!plugin)
      return plugin.takeError();
    plugin->registerDialectRegistryCallbacks(registry);
  }
  return llvm::Error::success();
}
