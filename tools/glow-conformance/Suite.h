//===- Suite.h - the tests in a folder --------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_CONFORMANCE_SUITE_H
#define GLOW_TOOLS_CONFORMANCE_SUITE_H

#include "glow/Translate/ONNXVariants.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::glow {

/// A folder with model.onnx and folders test_data_set_* of inputs and outputs.
struct TestCase {
  std::string name, folder;
  std::vector<std::string> dataSets;
  /// What ONNX's own runner allows, unless data.json says otherwise.
  double relative = 1e-3, absolute = 1e-7;

  std::string modelPath() const { return folder + "/model.onnx"; }
};

/// The tests below `roots`, sorted by name, whose name contains one of
/// `filters`; all if there are none.
llvm::Expected<std::vector<TestCase>> findTests(ArrayRef<std::string> roots,
                                                ArrayRef<std::string> filters);

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_SUITE_H
