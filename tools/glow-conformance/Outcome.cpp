//===- Outcome.cpp - what became of a test --------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunTest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

StringRef mlir::glow::modeName(Mode mode) {
  constexpr StringLiteral names[] = {"given", "dynamic", "constant", "object"};
  return names[static_cast<int>(mode)];
}

static constexpr StringLiteral statusNames[] = {"passed", "failed",
                                                "unsupported", "inexpressible"};

StringRef mlir::glow::statusName(Outcome::Status status) {
  return statusNames[status];
}

Outcome Outcome::failure(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

llvm::json::Object Outcome::toJson() const {
  llvm::json::Object object{
      {"status", statusName(status)},
      {"ulps", std::isfinite(ulps) ? llvm::json::Value(ulps) : nullptr},
      {"compile_ms", compileMilliseconds},
      {"run_ms", runMilliseconds},
      {"operators", llvm::json::Array(operators)},
      {"types", llvm::json::Array(types)}};
  for (auto [key, text] :
       {std::pair("reason", &reason), std::pair("no_range", &noRange)})
    if (!text->empty())
      object[key] = llvm::json::fixUTF8(*text);
  return object;
}

static std::vector<std::string> strings(const llvm::json::Array *array) {
  std::vector<std::string> result;
  if (array)
    for (const llvm::json::Value &value : *array)
      result.push_back(value.getAsString().value_or("").str());
  return result;
}

Outcome Outcome::fromJson(const llvm::json::Object &object) {
  Outcome outcome;
  StringRef status = object.getString("status").value_or("failed");
  outcome.status = static_cast<Status>(llvm::find(statusNames, status) -
                                       std::begin(statusNames));
  outcome.reason = object.getString("reason").value_or("").str();
  outcome.noRange = object.getString("no_range").value_or("").str();
  outcome.ulps = object.getNumber("ulps").value_or(INFINITY);
  outcome.compileMilliseconds = object.getNumber("compile_ms").value_or(0);
  outcome.runMilliseconds = object.getNumber("run_ms").value_or(0);
  outcome.operators = strings(object.getArray("operators"));
  outcome.types = strings(object.getArray("types"));
  return outcome;
}
