//===- Report.cpp - what became of all tests ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::glow;

Summary mlir::glow::summarize(ArrayRef<Row> rows, Mode mode) {
  Summary summary;
  for (const Row &row : rows) {
    auto found = row.outcomes.find(mode);
    if (found == row.outcomes.end())
      continue;
    const Outcome &outcome = found->second;
    ++summary.counts[outcome.status];
    summary.withoutRange +=
        outcome.status == Outcome::Passed && !outcome.noRange.empty();
    summary.milliseconds += outcome.milliseconds();
    if (outcome.milliseconds() > summary.slowest) {
      summary.slowest = outcome.milliseconds();
      summary.slowestTest = row.name;
    }
    if (outcome.status == Outcome::Passed && outcome.ulps > summary.worstUlps) {
      summary.worstUlps = outcome.ulps;
      summary.worstTest = row.name;
    }
  }
  return summary;
}

static double meanTime(const Summary &summary) {
  return summary.total() ? summary.milliseconds / summary.total() : 0;
}

void mlir::glow::printText(ArrayRef<Row> rows, ArrayRef<Mode> modes,
                           bool isLong, raw_ostream &out) {
  if (isLong)
    for (const Row &row : rows)
      for (const auto &[mode, outcome] : row.outcomes)
        if (outcome.status != Outcome::Passed)
          out << row.name << " " << modeName(mode) << " "
              << statusName(outcome.status) << ": " << outcome.reason << "\n";
  out << "mode      passed  failed  unsupported  inexpressible  mean ms  worst "
         "error of a pass\n";
  for (Mode mode : modes) {
    Summary summary = summarize(rows, mode);
    out << llvm::formatv(
        "{0,-8}{1,8}{2,8}{3,13}{4,15}{5,9:f1}  ", modeName(mode),
        summary.counts[Outcome::Passed], summary.counts[Outcome::Failed],
        summary.counts[Outcome::Unsupported],
        summary.counts[Outcome::Inexpressible], meanTime(summary));
    if (!summary.worstTest.empty())
      out << llvm::format("%.3g", summary.worstUlps) << " ulps, "
          << summary.worstTest;
    out << "\n";
    if (summary.withoutRange)
      out << "          " << summary.withoutRange
          << " of them with code for each shape by itself\n";
  }
}

llvm::json::Value mlir::glow::toJson(ArrayRef<Row> rows, ArrayRef<Mode> modes,
                                     StringRef target,
                                     StringRef dynamicShapes) {
  llvm::json::Object modesObject, tests;
  for (Mode mode : modes) {
    Summary summary = summarize(rows, mode);
    llvm::json::Object object{
        {"mean_ms", meanTime(summary)},
        {"slowest", summary.slowestTest},
        {"without_range", static_cast<int64_t>(summary.withoutRange)},
        {"worst_ulps", summary.worstUlps},
        {"worst", summary.worstTest}};
    for (int i = 0; i < 4; ++i)
      object[statusName(static_cast<Outcome::Status>(i))] =
          static_cast<int64_t>(summary.counts[i]);
    modesObject[modeName(mode)] = std::move(object);
  }
  for (const Row &row : rows) {
    llvm::json::Object object;
    for (const auto &[mode, outcome] : row.outcomes)
      object[modeName(mode)] = outcome.toJson();
    tests[row.name] = std::move(object);
  }
  return llvm::json::Object{{"target", target},
                            {"dynamic_shapes", dynamicShapes},
                            {"modes", std::move(modesObject)},
                            {"tests", std::move(tests)}};
}
