//===- Outputs.cpp - what becomes of a model's outputs --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/Outputs.h"
#include "glow/Runtime/DType.h"
#include "glow/Tools/TensorFile.h"
#include "glow/Translate/ONNXTensor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
namespace rt = ::glow::runtime;

// --- Elements ----------------------------------------------------------------

template <typename T, typename To>
static To readAs(const void *data, size_t i) {
  return static_cast<To>(static_cast<const T *>(data)[i]);
}

template <const llvm::fltSemantics &(*Semantics)()>
static double readNarrow(const void *data, size_t i) {
  llvm::APInt bits(16, static_cast<const uint16_t *>(data)[i]);
  return llvm::APFloat(Semantics(), bits).convertToDouble();
}

template <typename To> using Reader = To (*)(const void *data, size_t i);

/// Reads elements of a type that is compared by value; null for other types.
static Reader<double> floatReader(uint32_t dtype) {
  switch (dtype) {
  case GLOW_F32:
    return readAs<float, double>;
  case GLOW_F64:
    return readAs<double, double>;
  case GLOW_F16:
    return readNarrow<llvm::APFloat::IEEEhalf>;
  case GLOW_BF16:
    return readNarrow<llvm::APFloat::BFloat>;
  default:
    return nullptr;
  }
}

static Reader<int64_t> integerReader(uint32_t dtype) {
  switch (dtype) {
  case GLOW_I64:
    return readAs<int64_t, int64_t>;
  case GLOW_I32:
    return readAs<int32_t, int64_t>;
  case GLOW_I8:
    return readAs<int8_t, int64_t>;
  case GLOW_U8:
  case GLOW_BOOL:
    return readAs<uint8_t, int64_t>;
  default:
    return nullptr;
  }
}

ElementReader mlir::glow::elementReader(uint32_t dtype) {
  switch (dtype) {
  case GLOW_I64:
    return readAs<int64_t, double>;
  case GLOW_I32:
    return readAs<int32_t, double>;
  case GLOW_I8:
    return readAs<int8_t, double>;
  case GLOW_U8:
  case GLOW_BOOL:
    return readAs<uint8_t, double>;
  default:
    return floatReader(dtype);
  }
}

size_t mlir::glow::elementCount(const OutputTensor &output) {
  size_t count = 1;
  for (int64_t extent : output.dims)
    count *= extent;
  return count;
}

// --- Printing and writing ----------------------------------------------------

static ArrayRef<GlowString> stringsOf(const OutputTensor &output) {
  return {static_cast<const GlowString *>(output.data.get()),
          output.bytes / sizeof(GlowString)};
}

/// The start of each, as JSON would have it.
static void printStrings(ArrayRef<GlowString> strings, size_t most,
                         raw_ostream &out) {
  constexpr size_t mostBytes = 60;
  for (auto [i, string] : llvm::enumerate(strings.take_front(most))) {
    StringRef text(string.data, string.size);
    out << (i ? ", " : " = ")
        << llvm::json::Value(llvm::json::fixUTF8(text.take_front(mostBytes)) +
                             (text.size() > mostBytes ? "…" : ""));
  }
  out << (strings.size() > most ? ", …" : "");
}

/// The first values, of the usual types.
static void printValues(const OutputTensor &output, raw_ostream &out) {
  constexpr size_t most = 5;
  if (output.dtype == GLOW_STRING)
    return printStrings(stringsOf(output), most, out);
  Reader<double> readFloat = floatReader(output.dtype);
  Reader<int64_t> readInteger = integerReader(output.dtype);
  if (!readFloat && !readInteger)
    return;
  size_t count = elementCount(output);
  for (size_t i = 0; i < std::min(count, most); ++i) {
    out << (i ? ", " : " = ");
    if (readFloat)
      out << llvm::format("%.6g", readFloat(output.data.get(), i));
    else
      out << readInteger(output.data.get(), i);
  }
  out << (count > most ? ", …" : "");
}

void mlir::glow::printOutputs(const Program &program,
                              ArrayRef<OutputTensor> outputs,
                              raw_ostream &out) {
  for (auto [info, output] : llvm::zip(program.outputs, outputs)) {
    out << info.name << ": ";
    llvm::interleave(output.dims, out, "x");
    out << (output.dims.empty() ? "" : "x") << rt::dtypeName(output.dtype);
    printValues(output, out);
    out << "\n";
  }
}

llvm::Error mlir::glow::printClass(const OutputTensor &output,
                                   const std::string &labels, raw_ostream &out,
                                   llvm::json::Object &report) {
  auto file = llvm::MemoryBuffer::getFile(labels);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   "cannot read '" + labels + "'");
  SmallVector<StringRef> names;
  (*file)->getBuffer().split(names, '\n', -1, /*KeepEmpty=*/false);
  auto *scores = static_cast<const float *>(output.data.get());
  size_t count = output.bytes / sizeof(float);
  if (output.dtype != GLOW_F32 || count != names.size() || count == 0)
    return llvm::createStringError(
        "--labels needs an output of " + std::to_string(names.size()) +
        " f32 values, one per line of '" + labels + "'");
  size_t best = std::max_element(scores, scores + count) - scores;
  StringRef name = names[best].trim();
  out << "class " << name << ", confidence "
      << llvm::format("%.4f", scores[best]) << "\n";
  report["class"] = llvm::json::fixUTF8(name);
  report["confidence"] = scores[best];
  return llvm::Error::success();
}

llvm::Error mlir::glow::writeTensors(ArrayRef<Program::Info> infos,
                                     ArrayRef<OutputTensor> tensors,
                                     const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return llvm::createStringError(error, "cannot create '" + folder + "'");
  for (auto [info, tensor] : llvm::zip_equal(infos, tensors))
    if (rt::writeNpy(npyFile(folder, info.name), tensor.dtype, tensor.dims,
                     tensor.data.get()))
      return llvm::createStringError(glow_last_error());
  return llvm::Error::success();
}

// --- Comparing ---------------------------------------------------------------

/// The largest difference over the largest expected value; infinite where only
/// one of the two is a number.
static double relativeError(const OutputTensor &output, const void *expected,
                            Reader<double> read) {
  double difference = 0, scale = 0;
  for (size_t i = 0, count = elementCount(output); i < count; ++i) {
    double actual = read(output.data.get(), i), wanted = read(expected, i);
    if (std::isfinite(wanted) && std::isfinite(actual)) {
      difference = std::max(difference, std::abs(actual - wanted));
      scale = std::max(scale, std::abs(wanted));
    } else if (!(std::isnan(wanted) && std::isnan(actual)) &&
               wanted != actual) {
      return INFINITY;
    }
  }
  return scale == 0 ? difference : difference / scale;
}

static llvm::Expected<double> compareOutput(const Program::Info &info,
                                            const OutputTensor &output,
                                            const rt::Array &expected,
                                            const std::string &file) {
  if (expected.dims != output.dims || expected.dtype != output.dtype)
    return llvm::createStringError(
        "output '" + info.name + "' has another shape or element type than '" +
        file + "'");
  if (Reader<double> read = floatReader(output.dtype))
    return relativeError(output, expected.data.data(), read);
  if (output.dtype == GLOW_STRING) {
    auto *wanted = static_cast<const GlowString *>(expected.data.data());
    for (const GlowString &string : stringsOf(output)) {
      if (StringRef(string.data, string.size) !=
          StringRef(wanted->data, wanted->size))
        return INFINITY;
      ++wanted;
    }
    return 0;
  }
  bool same =
      memcmp(output.data.get(), expected.data.data(), output.bytes) == 0;
  return same ? 0 : INFINITY;
}

/// The tensors of a sequence or an optional against those in a file.
static llvm::Error compareList(const Program &program, const TensorList &list,
                               ArrayRef<OutputTensor> outputs,
                               const std::string &file,
                               std::vector<double> &errors) {
  ONNXFileValue value;
  value.isSequence = list.isSequence;
  value.isOptional = list.isOptional;
  if (llvm::Error error = readONNXValue(file, value))
    return error;
  if (value.isPresent != list.isPresent || value.tensors.size() != list.count)
    return llvm::createStringError(
        "output '" + list.name + "' has " + std::to_string(list.count) +
        " tensors, but '" + file + "' " + std::to_string(value.tensors.size()));
  for (auto [i, expected] : llvm::enumerate(value.tensors)) {
    auto error = compareOutput(program.outputs[list.first + i],
                               outputs[list.first + i], expected, file);
    if (!error)
      return error.takeError();
    errors.push_back(*error);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<double>>
mlir::glow::compareOutputs(const Program &program,
                           ArrayRef<OutputTensor> outputs,
                           const std::string &folder) {
  std::vector<double> errors;
  ArrayRef<TensorList> lists = program.outputLists;
  // The model's outputs, of which each has a file, are tensors and lists.
  for (size_t number = 0; !lists.empty() || errors.size() < outputs.size();
       ++number) {
    std::string numbered = testDataFile(folder, "output", number);
    if (!lists.empty() && lists.front().first == errors.size()) {
      if (llvm::Error error =
              compareList(program, lists.front(), outputs, numbered, errors))
        return std::move(error);
      lists = lists.drop_front();
      continue;
    }
    const Program::Info &info = program.outputs[errors.size()];
    const OutputTensor &output = outputs[errors.size()];
    std::string file = npyFile(folder, info.name);
    if (!llvm::sys::fs::exists(file) && llvm::sys::fs::exists(numbered))
      file = numbered;
    rt::Array expected;
    if (llvm::Error error = readTensor(file, output.dtype, expected))
      return std::move(error);
    auto error = compareOutput(info, output, expected, file);
    if (!error)
      return error.takeError();
    errors.push_back(*error);
  }
  return errors;
}
