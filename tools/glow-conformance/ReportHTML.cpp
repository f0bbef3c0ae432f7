//===- ReportHTML.cpp - a table of tests by modes -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::glow;

static constexpr StringLiteral style = R"(<style>
body { font: 14px sans-serif; margin: 2em; }
table { border-collapse: collapse; }
td, th { padding: 2px 8px; text-align: left; border-bottom: 1px solid #ddd; }
th { position: sticky; top: 0; background: #fff; }
.passed { background: #d9f2d9; }
.failed { background: #f7c6c6; }
.unsupported { background: #fbe7b5; }
.inexpressible { background: #e8e8e8; }
input { margin: 1em 0; width: 30em; }
</style>)";

/// Hides the rows that do not contain the text typed, statuses included.
static constexpr StringLiteral script = R"(<script>
function show(text) {
  for (const row of document.querySelectorAll("tbody tr"))
    row.hidden = !row.dataset.text.includes(text);
}
</script>)";

static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

static void printCell(const Outcome &outcome, raw_ostream &out) {
  StringRef status = statusName(outcome.status);
  out << "<td class=\"" << status << "\" title=\"" << escape(outcome.reason)
      << "\">" << status << llvm::format(" %.0f ms", outcome.milliseconds());
  if (outcome.status == Outcome::Passed && outcome.ulps > 0)
    out << llvm::format(", %.3g ulps", outcome.ulps);
  out << "</td>";
}

static void printRow(const Row &row, ArrayRef<Mode> modes, raw_ostream &out) {
  std::string text = row.name;
  ArrayRef<std::string> operators;
  for (const auto &[mode, outcome] : row.outcomes) {
    text += " " + modeName(mode).str() + ":" + statusName(outcome.status).str();
    if (!outcome.operators.empty())
      operators = outcome.operators;
  }
  std::string names = llvm::join(operators, ", ");
  out << "<tr data-text=\"" << escape(text + " " + names) << "\"><td>"
      << escape(row.name) << "</td><td>" << escape(names) << "</td>";
  for (Mode mode : modes)
    if (auto found = row.outcomes.find(mode); found != row.outcomes.end())
      printCell(found->second, out);
    else
      out << "<td></td>";
  out << "</tr>\n";
}

void mlir::glow::printHTML(ArrayRef<Row> rows, ArrayRef<Mode> modes,
                           StringRef target, raw_ostream &out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<title>Conformance to ONNX</title>\n"
      << style << script << "</head><body>\n<h1>Conformance to ONNX, target "
      << escape(target) << "</h1>\n<pre>";
  std::string text;
  llvm::raw_string_ostream summary(text);
  printText(rows, modes, /*isLong=*/false, summary);
  out << escape(text)
      << "</pre>\n<input placeholder=\"part of a name, or given:failed\" "
         "oninput=\"show(this.value)\">\n"
         "<table><thead><tr><th>test</th><th>operators</th>";
  for (Mode mode : modes)
    out << "<th>" << modeName(mode) << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const Row &row : rows)
    printRow(row, modes, out);
  out << "</tbody></table></body></html>\n";
}
