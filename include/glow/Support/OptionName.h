//===- OptionName.h - command-line names that LLVM took ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_OPTIONNAME_H
#define GLOW_SUPPORT_OPTIONNAME_H

#include "llvm/Support/CommandLine.h"

namespace mlir::glow {

/// LLVM's libraries register options of their own, some with names that our
/// tools need; two options of one name are a fatal error. An object of this
/// class, defined before the tool's option, takes the name away from LLVM's.
struct TakeOptionName {
  explicit TakeOptionName(llvm::StringRef name) {
    if (llvm::cl::Option *other = llvm::cl::getRegisteredOptions().lookup(name))
      other->removeArgument();
  }
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_OPTIONNAME_H
