//===- Suite.cpp - the tests in a folder ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Suite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static void readTolerances(TestCase &test) {
  auto file = llvm::MemoryBuffer::getFile(test.folder + "/data.json");
  if (!file)
    return;
  auto value = llvm::json::parse((*file)->getBuffer());
  if (!value) {
    llvm::consumeError(value.takeError());
    return;
  }
  if (auto *object = value->getAsObject()) {
    test.relative = object->getNumber("rtol").value_or(test.relative);
    test.absolute = object->getNumber("atol").value_or(test.absolute);
  }
}

static TestCase readTest(StringRef folder) {
  TestCase test;
  test.folder = folder.str();
  test.name = path::filename(folder).str();
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (path::filename(entry->path()).starts_with("test_data_set_"))
      test.dataSets.push_back(entry->path());
  llvm::sort(test.dataSets);
  readTolerances(test);
  return test;
}

llvm::Expected<std::vector<TestCase>>
mlir::glow::findTests(ArrayRef<std::string> roots,
                      ArrayRef<std::string> filters) {
  std::vector<TestCase> tests;
  llvm::StringSet<> names;
  auto isWanted = [&](StringRef name) {
    return filters.empty() ||
           llvm::any_of(filters, [&](const std::string &filter) {
             return name.contains(filter);
           });
  };
  auto consider = [&](StringRef folder) {
    if (isWanted(path::filename(folder)) &&
        fs::exists(folder + "/model.onnx") &&
        names.insert(path::filename(folder)).second)
      tests.push_back(readTest(folder));
  };
  for (const std::string &root : roots) {
    if (!fs::is_directory(root))
      return llvm::createStringError("'" + root + "' is not a folder");
    consider(root);
    std::error_code error;
    for (fs::recursive_directory_iterator entry(root, error), end;
         !error && entry != end; entry.increment(error))
      if (fs::is_directory(entry->path()))
        consider(entry->path());
    if (error)
      return llvm::createStringError(error, "cannot read '" + root + "'");
  }
  llvm::sort(tests, [](const TestCase &a, const TestCase &b) {
    return a.name < b.name;
  });
  return std::move(tests);
}
