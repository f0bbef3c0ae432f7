//===- SanitizerOptions.cpp - defaults of programs built with ASan --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packaged MLIR and LLVM are not instrumented. Their headers are, here, and
// mark memory of arenas and vectors that is out of use; code within the
// libraries puts it to use without clearing the marks.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}
