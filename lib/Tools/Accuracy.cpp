//===- Accuracy.cpp - errors against double precision ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/Accuracy.h"
#include "glow/Tools/Outputs.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

void Errors::add(double actual, double wanted, double ulp) {
  if (!std::isfinite(actual) || !std::isfinite(wanted)) {
    bool same = actual == wanted || (std::isnan(actual) && std::isnan(wanted));
    mismatches += !same;
    return;
  }
  double error = std::abs(actual - wanted);
  maxAbsolute = std::max(maxAbsolute, error);
  if (wanted != 0)
    maxRelative = std::max(maxRelative, error / std::abs(wanted));
  maxUlps = std::max(maxUlps, error / ulp);
  ulps += error / ulp;
  squares += error * error;
  wantedSquares += wanted * wanted;
  maxWanted = std::max(maxWanted, std::abs(wanted));
  ++finite;
}

double Errors::rms() const {
  return wantedSquares > 0 ? std::sqrt(squares / wantedSquares)
                           : std::sqrt(squares);
}

double Errors::relative() const {
  if (mismatches)
    return INFINITY;
  return maxWanted > 0 ? maxAbsolute / maxWanted : maxAbsolute;
}

/// The distance of neighbouring numbers of a format around `value`.
static double spacing(double value, int mantissaBits, int leastExponent) {
  int exponent = leastExponent;
  if (value != 0)
    exponent = std::max(leastExponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - mantissaBits);
}

/// What `value` is once it is rounded to the output's type: beyond the largest
/// number, an infinity.
static double roundOverflow(double value, uint32_t dtype) {
  return dtype == GLOW_F32 && std::isinf(static_cast<float>(value))
             ? static_cast<float>(value)
             : value;
}

static double spacingOf(double value, uint32_t dtype) {
  switch (dtype) {
  case GLOW_F16:
    return spacing(value, 10, -14);
  case GLOW_BF16:
    return spacing(value, 7, -126);
  case GLOW_F32:
    return spacing(value, 23, -126);
  default:
    return spacing(value, 52, -1022);
  }
}

llvm::Expected<Errors> mlir::glow::findErrors(const Program::Info &info,
                                              const OutputTensor &actual,
                                              const OutputTensor &wanted) {
  if (actual.dims != wanted.dims)
    return llvm::createStringError("output '" + info.name +
                                   "' has another shape when it is evaluated");
  Errors errors;
  size_t count = elementCount(actual);
  ElementReader readActual = elementReader(actual.dtype),
                readWanted = elementReader(wanted.dtype);
  if (!readActual || !readWanted)
    return llvm::createStringError("output '" + info.name +
                                   "' is not of numbers");
  for (size_t i = 0; i < count; ++i) {
    double value =
        roundOverflow(readWanted(wanted.data.get(), i), actual.dtype);
    errors.add(readActual(actual.data.get(), i), value,
               spacingOf(value, actual.dtype));
  }
  return errors;
}

static llvm::json::Object toJson(const Errors &errors) {
  return llvm::json::Object{
      {"max_absolute", errors.maxAbsolute},
      {"max_relative", errors.maxRelative},
      {"rms_relative", errors.rms()},
      {"max_ulps", errors.maxUlps},
      {"mean_ulps", errors.meanUlps()},
      {"special_mismatches", static_cast<int64_t>(errors.mismatches)}};
}

static void print(const Program::Info &info, const Errors &errors,
                  raw_ostream &out) {
  out << llvm::format("  %10.3g %10.3g %10.3g %10.3g %10.3g  ",
                      errors.maxAbsolute, errors.maxRelative, errors.rms(),
                      errors.maxUlps, errors.meanUlps())
      << info.name;
  if (errors.mismatches)
    out << "; " << errors.mismatches << " infinities or NaNs differ";
  out << "\n";
}

llvm::Error
mlir::glow::reportAccuracy(StringRef model, const ProgramOptions &options,
                           const Program &program, ArrayRef<GlowTensor> inputs,
                           ArrayRef<OutputTensor> outputs, raw_ostream &out,
                           llvm::json::Object &report) {
  ProgramOptions exactly = options;
  exactly.target = "interpret-double";
  auto reference = Program::compile(model, exactly);
  if (!reference)
    return reference.takeError();
  auto bound = (*reference)->bind(inputs);
  if (!bound)
    return bound.takeError();
  auto wanted = bound->program->run(bound->tensors);
  if (!wanted)
    return wanted.takeError();
  out << "errors against an evaluation in double precision:\n"
         "     max abs    max rel    rms rel   max ulps  mean ulps\n";
  llvm::json::Object list;
  for (auto [info, actual, exact] :
       llvm::zip_equal(program.outputs, outputs, *wanted)) {
    auto errors = findErrors(info, actual, exact);
    if (!errors)
      return errors.takeError();
    print(info, *errors, out);
    list[llvm::json::fixUTF8(info.name)] = toJson(*errors);
  }
  report["accuracy"] = std::move(list);
  return llvm::Error::success();
}
