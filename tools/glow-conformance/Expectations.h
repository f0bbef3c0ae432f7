//===- Expectations.h - which tests fail, and must --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list has a line for each test that fails: its name, the modes in which it
// does, and behind # the reason. Without modes it fails in all of them, and
// with the interpreter. A test that fails as given may do anything in other
// modes.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_TOOLS_CONFORMANCE_EXPECTATIONS_H
#define GLOW_TOOLS_CONFORMANCE_EXPECTATIONS_H

#include "Report.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::glow {

class Expectations {
public:
  static llvm::Expected<Expectations> read(const std::string &file);

  /// The tests whose results are not those of the list, a line for each.
  std::vector<std::string> compare(ArrayRef<Row> rows, StringRef target) const;
  /// Writes the list anew: entries for other modes, and for tests that did not
  /// run, stay as they are.
  llvm::Error update(ArrayRef<Row> rows, StringRef target) const;

private:
  struct Entry {
    llvm::StringSet<> modes; // empty: all
    std::string reason;      // with its #
  };
  using Entries = std::map<std::string, Entry>;
  static bool expects(const Entries &entries, StringRef test, StringRef mode);

  std::string file;
  std::vector<std::string> head;
  Entries entries;
};

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_EXPECTATIONS_H
