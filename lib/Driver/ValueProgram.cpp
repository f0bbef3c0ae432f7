//===- ValueProgram.cpp - programs made when inputs are known -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model may take axes or sizes as inputs. What it computes is known only with
// their values, so it is imported and compiled once for each that it meets; the
// least recently used is dropped.
//
//===----------------------------------------------------------------------===//
#include "ModelProgram.h"
#include "RecentlyUsed.h"
#include "glow/Support/DType.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// The value of an input, apart from any context.
struct KnownValue {
  std::string name;
  uint32_t dtype;
  std::vector<int64_t> dims;
  std::string bytes;

  bool operator==(const KnownValue &other) const {
    return name == other.name && dtype == other.dtype && dims == other.dims &&
           bytes == other.bytes;
  }
  ElementsAttr toAttribute(MLIRContext *context) const;
};

class ValueProgram : public ModelProgram {
public:
  ValueProgram(std::unique_ptr<MLIRContext> context,
               OwningOpRef<ModuleOp> module, const ProgramOptions &options,
               ModelLoader load, ArrayRef<std::string> missing)
      : ModelProgram(std::move(context), std::move(module), options),
        load(std::move(load)), missing(missing) {}
  using ModelProgram::describe;

  llvm::Error save(StringRef) override {
    return llvm::createStringError(
        "the model cannot be saved: its shapes depend on the values of the "
        "inputs " +
        llvm::join(missing, ", ") + "; make them initializers of the model");
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor> tensors) override {
    auto program = programFor(tensors);
    if (!program)
      return program.takeError();
    return (*program)->specialize(tensors);
  }

private:
  using Values = std::vector<KnownValue>;
  using Entry = std::pair<Values, std::shared_ptr<Program>>;

  llvm::Expected<std::vector<OutputTensor>>
  runChecked(ArrayRef<GlowTensor> tensors) override {
    auto program = programFor(tensors);
    if (!program)
      return program.takeError();
    return runOther(**program, tensors);
  }

  /// The program for the values of this run's inputs.
  llvm::Expected<std::shared_ptr<Program>>
  programFor(ArrayRef<GlowTensor> tensors) {
    Values values;
    for (auto [info, tensor] : llvm::zip(inputs, tensors))
      if (llvm::is_contained(missing, info.name)) {
        if (!tensor.data && tensor.bytes)
          return llvm::createStringError("input '" + info.name +
                                         "' has no value, on which shapes "
                                         "of the model depend");
        values.push_back({info.name,
                          tensor.dtype,
                          {tensor.dims, tensor.dims + tensor.rank},
                          {static_cast<const char *>(tensor.data),
                           static_cast<size_t>(tensor.bytes)}});
      }
    std::lock_guard lock(mutex);
    auto isSame = [&](const Entry &entry) { return entry.first == values; };
    if (const Entry *known = cache.find(isSame))
      return known->second;
    auto made =
        makeProgram(options, [values, load = load](MLIRContext *context,
                                                   ONNXInputValues *known) {
          for (const KnownValue &value : values)
            known->known[value.name] = value.toAttribute(context);
          return load(context, known);
        });
    if (!made)
      return made.takeError();
    return cache.add({values, std::move(*made)}, options.cacheSize).second;
  }

  ModelLoader load;
  std::vector<std::string> missing;
  RecentlyUsed<Entry> cache;
};
} // namespace

ElementsAttr KnownValue::toAttribute(MLIRContext *context) const {
  Type element = *typeOf(dtype, context);
  auto type = RankedTensorType::get(dims, element);
  if (!element.isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> bits;
  for (char byte : bytes)
    bits.push_back(byte);
  return DenseElementsAttr::get(type, bits);
}

llvm::Expected<std::unique_ptr<Program>>
glow::makeValueProgram(std::unique_ptr<MLIRContext> context,
                       OwningOpRef<ModuleOp> module,
                       const ProgramOptions &options, ModelLoader load,
                       ArrayRef<std::string> missing) {
  auto program = std::make_unique<ValueProgram>(
      std::move(context), std::move(module), options, std::move(load), missing);
  if (llvm::Error error = program->describe(/*hidesBounds=*/false))
    return std::move(error);
  return std::move(program);
}
