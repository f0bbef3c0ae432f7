//===- NodeNames.cpp - the model's nodes behind a location ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/NodeNames.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;

static void collectNames(Location location,
                         llvm::SmallSetVector<StringRef, 4> &names) {
  llvm::TypeSwitch<Attribute>(location)
      .Case([&](NameLoc name) { names.insert(name.getName().strref()); })
      .Case([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          collectNames(part, names);
      })
      .Case([&](CallSiteLoc call) { collectNames(call.getCallee(), names); })
      .Case([&](OpaqueLoc opaque) {
        collectNames(opaque.getFallbackLocation(), names);
      });
}

std::string glow::nodeNames(Location location) {
  llvm::SmallSetVector<StringRef, 4> names;
  collectNames(location, names);
  return llvm::join(names, "+");
}
