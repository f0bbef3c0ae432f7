//===- Plugin.cpp - glow_habana.so, for --load-dialect-plugin -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToHabana/InstToHabana.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "glow/Target/Habana/HabanaTarget.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "glow_habana", GLOW_VERSION,
          [](DialectRegistry *registry) {
            registry->insert<glow::habana::HabanaDialect>();
            glow::habana::registerHabanaTarget(*registry);
            glow::habana::registerInstToHabanaPasses();
          }};
}
