//===- Report.h - what became of all tests ----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_CONFORMANCE_REPORT_H
#define GLOW_TOOLS_CONFORMANCE_REPORT_H

#include "RunTest.h"
#include <map>

namespace mlir::glow {

/// A test and what became of it in each mode that was asked for.
struct Row {
  std::string name;
  std::map<Mode, Outcome> outcomes;
};

/// What a mode's outcomes come to.
struct Summary {
  size_t counts[4] = {};   // by Outcome::Status
  size_t withoutRange = 0; // of those that passed
  double worstUlps = 0, milliseconds = 0, slowest = 0;
  std::string worstTest, slowestTest;
  size_t total() const { return counts[0] + counts[1] + counts[2] + counts[3]; }
};
Summary summarize(ArrayRef<Row> rows, Mode mode);

/// The counts of each mode, and with `isLong` each test that did not pass.
void printText(ArrayRef<Row> rows, ArrayRef<Mode> modes, bool isLong,
               raw_ostream &out);
llvm::json::Value toJson(ArrayRef<Row> rows, ArrayRef<Mode> modes,
                         StringRef target, StringRef dynamicShapes);
/// One page without references to others: a table of tests by modes.
void printHTML(ArrayRef<Row> rows, ArrayRef<Mode> modes, StringRef target,
               raw_ostream &out);

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_REPORT_H
