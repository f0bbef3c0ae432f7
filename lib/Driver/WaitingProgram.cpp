//===- WaitingProgram.cpp - programs made when inputs are known -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model may take axes or sizes as inputs, or sequences of any length. What it
// computes is known only with their values, or with the shapes of all inputs,
// so it is imported and compiled once for each that it meets; the least
// recently used is dropped.
//
//===----------------------------------------------------------------------===//
#include "ModelProgram.h"
#include "PackedElements.h"
#include "RecentlyUsed.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Support/DType.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <functional>
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

namespace {
/// What is known of an input, apart from any context.
struct KnownInput {
  std::string name;
  uint32_t dtype;
  std::vector<int64_t> dims;
  /// Its value, where that matters; of strings the size and the bytes of each.
  std::optional<std::string> bytes;

  bool operator==(const KnownInput &other) const {
    return name == other.name && dtype == other.dtype && dims == other.dims &&
           bytes == other.bytes;
  }
  ElementsAttr value(MLIRContext *context) const;
};

class WaitingProgram : public Program {
public:
  WaitingProgram(const ProgramOptions &options, ModelLoader load,
                 const ONNXInputValues &values)
      : options(options), load(std::move(load)), missing(values.missing),
        needsShapes(values.needsShapes) {
    for (const ONNXPort &port : values.inputs)
      inputs.push_back(infoOf(port));
    for (const ONNXPort &port : values.outputs)
      outputs.push_back(infoOf(port));
  }

  llvm::Error save(StringRef) override {
    if (needsShapes)
      return llvm::createStringError(
          "the model cannot be saved: give the shapes of its inputs when you "
          "compile it, of a sequence that of each tensor in it");
    return llvm::createStringError(
        "the model cannot be saved: its shapes depend on the values of the "
        "inputs " +
        llvm::join(missing, ", ") +
        "; make them initializers of the model, or give them with --values");
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor> tensors) override {
    auto bound = bindOrdered(tensors);
    if (!bound)
      return bound.takeError();
    return bound->program->specialize(bound->tensors);
  }

  llvm::Expected<std::vector<OutputTensor>>
  run(ArrayRef<GlowTensor> tensors) override {
    auto bound = bindOrdered(tensors);
    if (!bound)
      return bound.takeError();
    return bound->program->run(bound->tensors);
  }

  llvm::Expected<Bound> bind(ArrayRef<GlowTensor> tensors) override {
    auto known = describe(tensors);
    if (!known)
      return known.takeError();
    auto program = programFor(std::move(*known));
    if (!program)
      return program.takeError();
    SmallVector<GlowTensor> values;
    for (const GlowTensor &tensor : tensors)
      if (tensor.dtype != GLOW_UNDEFINED)
        values.push_back(tensor);
    auto bound = (*program)->bind(values);
    // Keeps the program while it runs, though the cache may drop it.
    if (bound && !bound->owner)
      bound->owner = *program;
    return bound;
  }

private:
  using Inputs = std::vector<KnownInput>;
  using Entry = std::pair<Inputs, std::shared_ptr<Program>>;

  static Info infoOf(const ONNXPort &port) {
    Info info;
    info.name = port.name;
    info.kind = port.isSequence | port.isOptional << 1;
    FailureOr<uint32_t> dtype = failure();
    if (port.element)
      dtype = dtypeOf(port.element);
    info.dtype = succeeded(dtype) ? *dtype : GLOW_UNDEFINED;
    info.hasRank = port.dims.has_value();
    if (!info.hasRank)
      return info;
    for (int64_t extent : *port.dims)
      info.dims.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    return info;
  }

  llvm::Expected<Bound> bindOrdered(ArrayRef<GlowTensor> tensors) {
    if (llvm::Error error = checkCount(tensors))
      return std::move(error);
    SmallVector<GlowTensor> named(tensors);
    for (auto [info, tensor] : llvm::zip(inputs, named))
      tensor.name = info.name.c_str();
    return bind(named);
  }

  /// Sorts out which tensor is which, and takes what the program depends on.
  llvm::Expected<Inputs> describe(ArrayRef<GlowTensor> tensors);
  llvm::Error add(Info info, const GlowTensor &tensor, Inputs &known);

  llvm::Expected<std::shared_ptr<Program>> programFor(Inputs known) {
    std::lock_guard lock(mutex);
    auto isSame = [&](const Entry &entry) { return entry.first == known; };
    if (const Entry *entry = cache.find(isSame))
      return entry->second;
    auto made =
        makeProgram(options, [known, load = load](MLIRContext *context,
                                                  ONNXInputValues *values) {
          for (const KnownInput &input : known)
            if (input.bytes)
              values->known[input.name] = input.value(context);
            else if (input.dtype == GLOW_UNDEFINED)
              values->empty[input.name] = !input.dims.empty();
            else
              values->shapes[input.name] = input.dims;
          return load(context, values);
        });
    if (!made)
      return made.takeError();
    return cache.add({known, std::move(*made)}, options.cacheSize).second;
  }

  ProgramOptions options;
  ModelLoader load;
  std::vector<std::string> missing;
  bool needsShapes;
  std::mutex mutex;
  RecentlyUsed<Entry> cache;
};
} // namespace

static std::string textsOf(const GlowTensor &tensor) {
  std::string bytes;
  for (const GlowString &text :
       ArrayRef(static_cast<const GlowString *>(tensor.data),
                tensor.bytes / sizeof(GlowString))) {
    bytes.append(reinterpret_cast<const char *>(&text.size), sizeof(text.size));
    bytes.append(text.data, text.size);
  }
  return bytes;
}

/// The inverse, as views of `bytes`.
static SmallVector<StringRef> textsIn(StringRef bytes) {
  SmallVector<StringRef> texts;
  while (!bytes.empty()) {
    uint64_t size;
    std::memcpy(&size, bytes.data(), sizeof(size));
    texts.push_back(bytes.substr(sizeof(size), size));
    bytes = bytes.drop_front(sizeof(size) + size);
  }
  return texts;
}

ElementsAttr KnownInput::value(MLIRContext *context) const {
  Type element = *typeOf(dtype, context);
  auto type = RankedTensorType::get(dims, element);
  if (isa<StringType>(element))
    return DenseStringElementsAttr::get(type, textsIn(*bytes));
  if (!element.isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, *bytes);
  SmallVector<bool> bits;
  for (char byte : *bytes)
    bits.push_back(byte);
  return DenseElementsAttr::get(type, bits);
}

llvm::Error WaitingProgram::add(Info info, const GlowTensor &tensor,
                                Inputs &known) {
  if (llvm::Error error = checkTensor(info, tensor))
    return error;
  bool hasValue = llvm::is_contained(missing, info.name);
  if (!hasValue && !needsShapes)
    return llvm::Error::success();
  known.push_back({info.name,
                   tensor.dtype,
                   {tensor.dims, tensor.dims + tensor.rank},
                   std::nullopt});
  if (!hasValue)
    return llvm::Error::success();
  if (!tensor.data && tensor.bytes)
    return llvm::createStringError("input '" + info.name +
                                   "' has no value, on which shapes of the "
                                   "model depend");
  if (std::accumulate(tensor.dims, tensor.dims + tensor.rank, int64_t(1),
                      std::multiplies<int64_t>()) >
      ONNXInputValues::kMaxElements)
    return llvm::createStringError(
        "input '" + info.name + "' has more than " +
        std::to_string(ONNXInputValues::kMaxElements) +
        " elements, of which shapes of the model depend on too many");
  if (tensor.dtype == GLOW_STRING) {
    known.back().bytes = textsOf(tensor);
    return llvm::Error::success();
  }
  std::vector<uint8_t> owner;
  GlowTensor unpacked = unpackElements(tensor, owner);
  known.back().bytes = std::string(static_cast<const char *>(unpacked.data),
                                   static_cast<size_t>(unpacked.bytes));
  return llvm::Error::success();
}

llvm::Expected<WaitingProgram::Inputs>
WaitingProgram::describe(ArrayRef<GlowTensor> tensors) {
  llvm::StringMap<const GlowTensor *> given;
  for (const GlowTensor &tensor : tensors)
    given[tensor.name] = &tensor;
  Inputs known;
  size_t used = 0;
  auto take = [&](StringRef name) -> const GlowTensor * {
    const GlowTensor *tensor = given.lookup(name);
    used += tensor != nullptr;
    return tensor;
  };
  for (const Info &info : inputs) {
    const GlowTensor *tensor = take(info.name);
    if (info.kind == GLOW_TENSOR) {
      if (!tensor)
        return missingInput(info.name);
      if (llvm::Error error = add(info, *tensor, known))
        return std::move(error);
      continue;
    }
    Info element = info;
    size_t count = 0;
    auto next = [&] {
      return take(element.name = nameInList(info.name, count));
    };
    for (const GlowTensor *value = next(); value; ++count, value = next())
      if (llvm::Error error = add(element, *value, known))
        return std::move(error);
    // One extent stands for an empty sequence, none for an absent optional.
    bool isEmptySequence = tensor || !(info.kind & GLOW_OPTIONAL);
    if (count == 0)
      known.push_back({info.name, GLOW_UNDEFINED,
                       std::vector<int64_t>(isEmptySequence, 0), std::nullopt});
  }
  if (used == tensors.size())
    return known;
  for (const GlowTensor &tensor : tensors)
    if (auto found = findInput(*this, StringRef(tensor.name).split('[').first);
        !found)
      return found.takeError();
  return llvm::createStringError("the tensors of a sequence are numbered from "
                                 "0, as in x[0], x[1]");
}

std::unique_ptr<Program>
glow::makeWaitingProgram(const ProgramOptions &options, ModelLoader load,
                         const ONNXInputValues &values) {
  return std::make_unique<WaitingProgram>(options, std::move(load), values);
}
