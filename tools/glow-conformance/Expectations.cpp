//===- Expectations.cpp - which tests fail, and must ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expectations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::glow;

/// What the list calls a mode: as given, it is the target.
static StringRef modeInList(Mode mode, StringRef target) {
  return mode == Mode::Given ? target : modeName(mode);
}

llvm::Expected<Expectations> Expectations::read(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read '" + file + "'");
  Expectations list;
  list.file = file;
  for (llvm::line_iterator line(**buffer); !line.is_at_eof(); ++line) {
    if (line->starts_with("#")) {
      list.head.push_back(line->str());
      continue;
    }
    size_t reason = line->find('#');
    SmallVector<StringRef> words;
    line->take_front(reason).split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty())
      continue;
    Entry &entry = list.entries[words.front().str()];
    for (StringRef mode : ArrayRef(words).drop_front())
      entry.modes.insert(mode);
    if (reason != StringRef::npos)
      entry.reason = line->drop_front(reason).str();
  }
  return std::move(list);
}

bool Expectations::expects(const Entries &entries, StringRef test,
                           StringRef mode) {
  auto entry = entries.find(test.str());
  return entry != entries.end() &&
         (entry->second.modes.empty() || entry->second.modes.contains(mode));
}

static bool isFailure(const Outcome &outcome) {
  return outcome.status == Outcome::Failed ||
         outcome.status == Outcome::Unsupported;
}

std::vector<std::string> Expectations::compare(ArrayRef<Row> rows,
                                               StringRef target) const {
  std::vector<std::string> lines;
  for (const Row &row : rows)
    for (const auto &[mode, outcome] : row.outcomes) {
      StringRef name = modeInList(mode, target);
      bool isExpected = expects(entries, row.name, name);
      if (isFailure(outcome) == isExpected ||
          (mode != Mode::Given && expects(entries, row.name, target)))
        continue;
      lines.push_back(row.name + " " + name.str() +
                      (isExpected ? " passes: take it off the list"
                                  : ": " + outcome.reason));
    }
  return lines;
}

llvm::Error Expectations::update(ArrayRef<Row> rows, StringRef target) const {
  constexpr StringLiteral both[] = {"cpu", "interpret"};
  Entries updated = entries;
  for (const Row &row : rows)
    for (const auto &[mode, outcome] : row.outcomes) {
      StringRef name = modeInList(mode, target);
      bool isExpected = expects(updated, row.name, name);
      if (isFailure(outcome) == isExpected ||
          (mode != Mode::Given && expects(updated, row.name, target)))
        continue;
      Entry &entry = updated[row.name];
      if (isExpected && entry.modes.empty())
        entry.modes.insert_range(both);
      if (isExpected)
        entry.modes.erase(name);
      else
        entry.modes.insert(name);
      if (entry.reason.empty())
        entry.reason =
            "# " +
            StringRef(outcome.reason).split('\n').first.take_back(100).str();
      if (isExpected && entry.modes.empty())
        updated.erase(row.name);
    }
  std::error_code error;
  llvm::raw_fd_ostream out(file, error);
  if (error)
    return llvm::createStringError(error, "cannot write '" + file + "'");
  for (const std::string &line : head)
    out << line << "\n";
  for (const auto &[test, entry] : updated) {
    out << test;
    std::vector<StringRef> modes(entry.modes.keys().begin(),
                                 entry.modes.keys().end());
    llvm::sort(modes);
    for (StringRef mode : modes)
      out << ' ' << mode;
    out << (entry.reason.empty() ? "" : "  ") << entry.reason << "\n";
  }
  return llvm::Error::success();
}
