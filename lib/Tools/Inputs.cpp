//===- Inputs.cpp - what a model is run on --------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/Inputs.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Image.h"
#include "glow/Tools/TensorFile.h"
#include "glow/Translate/ONNXTensor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;
namespace rt = ::glow::runtime;

static llvm::Error lastError() {
  return llvm::createStringError(glow_last_error());
}

static bool isPicture(StringRef file) {
  StringRef extension = llvm::sys::path::extension(file);
  return extension == ".png" || extension == ".pgm" || extension == ".ppm";
}

/// A picture (rows, columns, channels) as the model's input: N, C, rows,
/// columns or N, rows, columns, C, told apart by the number of channels.
static llvm::Error fromPicture(const Program::Info &info,
                               const rt::Array &picture,
                               const ImageScaling &scaling, rt::Array &array) {
  int64_t rows = picture.dims[0], columns = picture.dims[1];
  int64_t channels = picture.dims.size() > 2 ? picture.dims[2] : 1;
  auto is = [](int64_t declared, int64_t extent) {
    return declared < 0 || declared == extent;
  };
  ArrayRef<int64_t> dims(info.dims);
  bool first = dims.size() == 4 && is(dims[1], channels) && is(dims[2], rows) &&
               is(dims[3], columns);
  bool last = dims.size() == 4 && is(dims[1], rows) && is(dims[2], columns) &&
              is(dims[3], channels);
  if (info.dtype != GLOW_F32 || !(first || last) || !is(dims[0], 1))
    return llvm::createStringError(
        "input '" + info.name + "': a picture of " + std::to_string(columns) +
        " by " + std::to_string(rows) + " with " + std::to_string(channels) +
        " channels does not fit; scale it first, or give a .npy file");
  array.dtype = GLOW_F32;
  array.dims = first ? std::vector<int64_t>{1, channels, rows, columns}
                     : std::vector<int64_t>{1, rows, columns, channels};
  uint64_t bytes = rows * columns * channels * sizeof(float);
  if (array.data.allocate(bytes, "the input"))
    return lastError();
  auto *to = static_cast<float *>(array.data.data());
  auto *from = static_cast<const uint8_t *>(picture.data.data());
  for (int64_t pixel = 0; pixel < rows * columns; ++pixel)
    for (int64_t c = 0; c < channels; ++c)
      to[first ? c * rows * columns + pixel : pixel * channels + c] =
          from[pixel * channels + c] * scaling.scale + scaling.offset;
  return llvm::Error::success();
}

static llvm::Error readFile(const Program::Info &info, const std::string &file,
                            const ImageScaling &scaling, rt::Array &array) {
  if (!isPicture(file))
    return readTensor(file, info.dtype, array);
  rt::Array picture;
  if (rt::readImage(file, picture))
    return lastError();
  return fromPicture(info, picture, scaling, array);
}

/// Uniform in [-1, 1), from a hash of the place: the same on every machine.
static double noise(uint64_t index) {
  uint64_t x = (index + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

static llvm::Error generate(const Program::Info &info, rt::Array &array) {
  array.dtype = info.dtype;
  for (int64_t extent : info.dims)
    array.dims.push_back(extent < 0 ? 1 : extent);
  uint64_t bytes;
  if (!rt::tensorBytes(info.dtype, array.dims.data(), array.dims.size(), bytes))
    return llvm::createStringError("input '" + info.name +
                                   "' cannot be generated; give it a file");
  if (array.data.allocate(bytes, "the input"))
    return lastError();
  // Integers are zero: indices must be in range, whatever they address.
  std::memset(array.data.data(), 0, bytes);
  auto fillHalves = [&](const llvm::fltSemantics &semantics) {
    for (uint64_t i = 0; i < bytes / sizeof(uint16_t); ++i) {
      llvm::APFloat value(noise(i));
      bool lossy;
      value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
      static_cast<uint16_t *>(array.data.data())[i] =
          value.bitcastToAPInt().getZExtValue();
    }
  };
  if (info.dtype == GLOW_F16)
    fillHalves(llvm::APFloat::IEEEhalf());
  if (info.dtype == GLOW_BF16)
    fillHalves(llvm::APFloat::BFloat());
  if (info.dtype == GLOW_F32)
    for (uint64_t i = 0; i < bytes / sizeof(float); ++i)
      static_cast<float *>(array.data.data())[i] = noise(i);
  if (info.dtype == GLOW_F64)
    for (uint64_t i = 0; i < bytes / sizeof(double); ++i)
      static_cast<double *>(array.data.data())[i] = noise(i);
  return llvm::Error::success();
}

void Inputs::add(std::string name, rt::Array array) {
  names.push_back(std::move(name));
  arrays.push_back(std::move(array));
  const rt::Array &kept = arrays.back();
  uint32_t rank = kept.dims.size();
  // Behind the pointers to strings, the data has their texts.
  uint64_t bytes;
  if (!rt::tensorBytes(kept.dtype, kept.dims.data(), rank, bytes))
    bytes = kept.data.size();
  tensors.push_back({names.back().c_str(), kept.data.data(), kept.dims.data(),
                     bytes, kept.dtype, rank});
}

/// The tensors of a sequence or an optional; without a file, none.
static llvm::Error addList(const Program::Info &info, const std::string &file,
                           Inputs &inputs) {
  ONNXFileValue value;
  value.isSequence = info.kind & GLOW_SEQUENCE;
  value.isOptional = info.kind & GLOW_OPTIONAL;
  if (!file.empty())
    if (llvm::Error error = readONNXValue(file, value))
      return error;
  for (auto [i, array] : llvm::enumerate(value.tensors))
    inputs.add(nameInList(info.name, i), std::move(array));
  if (value.isSequence && value.isPresent && value.tensors.empty())
    inputs.add(info.name, rt::Array());
  return llvm::Error::success();
}

/// The file of each input, empty where none is named.
static llvm::Expected<std::vector<std::string>>
chooseFiles(const Program &program, ArrayRef<std::string> files) {
  std::vector<std::string> chosen(program.inputs.size());
  for (StringRef text : files) {
    if (llvm::sys::fs::is_directory(text)) {
      for (auto [i, file] : llvm::enumerate(chosen))
        file = testDataFile(text, "input", i);
      continue;
    }
    auto [name, file] = text.rsplit('=');
    size_t index = 0;
    if (file.empty() && program.inputs.size() == 1) {
      file = text;
    } else {
      auto found = findInput(program, name);
      if (!found)
        return found.takeError();
      index = *found;
    }
    chosen[index] = file.str();
  }
  return std::move(chosen);
}

llvm::Expected<Inputs> mlir::glow::makeInputs(const Program &program,
                                              ArrayRef<std::string> files,
                                              const ImageScaling &scaling) {
  auto chosen = chooseFiles(program, files);
  if (!chosen)
    return chosen.takeError();
  Inputs inputs;
  for (auto [info, file] : llvm::zip(program.inputs, *chosen)) {
    if (info.kind != GLOW_TENSOR) {
      if (llvm::Error error = addList(info, file, inputs))
        return std::move(error);
      continue;
    }
    rt::Array array;
    llvm::Error error = file.empty() ? generate(info, array)
                                     : readFile(info, file, scaling, array);
    if (error)
      return std::move(error);
    inputs.add(info.name, std::move(array));
  }
  return std::move(inputs);
}
