//===- KernelTarget.cpp - a machine as data -------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/KernelTarget.h"
#include "glow/Interfaces/Tuning.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A number of the description and the values that make sense for it.
struct Field {
  StringLiteral name;
  int64_t KernelTarget::*member;
  int64_t least, most;
  bool isBytes;
};
} // namespace

// Extents beyond these are mistakes in the description: no generator has been
// made for such a machine.
static constexpr Field kFields[] = {
    {"vector-bits", &KernelTarget::vectorBits, 128, 512, false},
    {"vector-registers", &KernelTarget::vectorRegisters, 8, 64, false},
    {"l1", &KernelTarget::l1Bytes, 4 << 10, 4 << 20, true},
    {"l2", &KernelTarget::l2Bytes, 32 << 10, 256 << 20, true},
    {"l3", &KernelTarget::l3Bytes, 0, int64_t(4) << 30, true},
    {"memory-bytes", &KernelTarget::memoryBytes, 1, 1024, false},
    {"fetch-level", &KernelTarget::fetchLevel, 1, 2, false},
    {"fetch-pages", &KernelTarget::fetchPages, 1, 64, false},
    {"fetch-ahead", &KernelTarget::fetchAhead, 64, 1 << 20, true},
    {"streamed-rows", &KernelTarget::streamedRows, 0, 64, false},
    {"bf16-percent", &KernelTarget::bf16Percent, 1, 10000, false},
};
static constexpr StringLiteral kFma = "fma", kFeatures = "features",
                               kTuning = "tuning";

/// vdpbf16ps; its narrower forms need what 512-bit machines have anyway.
static bool multipliesPairs(const KernelTarget &target) {
  return target.has("avx512bf16") && target.vectorBits == 512;
}

/// What surrounds the products of tiles is vectors of 512 bits, which every
/// processor with tiles has.
static bool multipliesTiles(const KernelTarget &target, StringRef feature) {
  return target.has("amx-tile") && multipliesPairs(target) &&
         target.has(feature);
}

int64_t KernelTarget::depthGroup(Type element) const {
  if (element.isBF16() && multipliesPairs(*this))
    return 2;
  // Four bytes are multiplied in tiles only.
  return element.isInteger(8) && tileDepth(element) ? 4 : 1;
}

int64_t KernelTarget::tileDepth(Type element) const {
  // Rows of 64 bytes.
  if (element.isBF16())
    return multipliesTiles(*this, "amx-bf16") ? 32 : 0;
  return element.isInteger(8) && multipliesTiles(*this, "amx-int8") ? 64 : 0;
}

bool KernelTarget::gainsFromBfloat16() const {
  return multipliesTiles(*this, "amx-bf16") || bf16Percent > 100;
}

int64_t KernelTarget::columnLanes(int64_t columns, int64_t most) const {
  return hasMasks() ? most : llvm::bit_floor<uint64_t>(std::min(most, columns));
}

bool KernelTarget::wantsWholeColumns(int64_t columns, int64_t taps,
                                     int64_t depth, Type element) const {
  if (!isa<FloatType>(element) || tileDepth(element))
    return false;
  Type sums = element.getIntOrFloatBitWidth() < 32
                  ? Float32Type::get(element.getContext())
                  : element;
  if (columns < 1 || columns > mostWholeColumns(sums) || depth < lanes(sums))
    return false;
  int64_t step = depthGroup(element);
  double vectors =
      taps * llvm::divideCeil(depth, step * lanes(sums)) + kLaneSteps;
  // Side by side, columns take half a vector for each element of the depth, or
  // a whole one for a group. Many whole ones leave no registers for several
  // rows, which doubles what they take.
  bool isHalf = step == 1 || columns > fewColumns(sums);
  int64_t perElement =
      llvm::divideCeil(columns, columnLanes(columns, lanes(sums)));
  double sideBySide =
      taps * llvm::divideCeil(depth, step) * perElement * (isHalf ? 0.5 : 1);
  return columns * vectors < sideBySide;
}

static llvm::Error unknownField(StringRef name) {
  std::string known(kFma);
  for (const Field &field : kFields)
    known += (", " + field.name).str();
  return llvm::createStringError("a machine has no '" + name +
                                 "'; it has: " + known);
}

static llvm::Error setField(KernelTarget &target, const Field &field,
                            int64_t value) {
  if (value < field.least || value > field.most)
    return llvm::createStringError("a machine's " + field.name + " is from " +
                                   Twine(field.least) + " to " +
                                   Twine(field.most) + ", not " + Twine(value));
  target.*field.member = value;
  return llvm::Error::success();
}

/// A number with K, M or G behind it if it counts bytes.
static std::optional<int64_t> parseNumber(StringRef text, bool isBytes) {
  int64_t unit = 1;
  if (isBytes)
    for (auto [suffix, bytes] : {std::pair("K", int64_t(1) << 10),
                                 {"M", int64_t(1) << 20},
                                 {"G", int64_t(1) << 30}})
      if (text.consume_back_insensitive(suffix)) {
        unit = bytes;
        break;
      }
  int64_t value, product;
  if (text.getAsInteger(10, value) || llvm::MulOverflow(value, unit, product))
    return std::nullopt;
  return product;
}

static llvm::Error setText(KernelTarget &target, StringRef name,
                           StringRef value) {
  auto malformed = [&] {
    return llvm::createStringError("a machine's " + name + " cannot be '" +
                                   value + "'");
  };
  if (name == kFma) {
    if (value != "0" && value != "1" && value != "false" && value != "true")
      return malformed();
    target.fma = value == "1" || value == "true";
    return llvm::Error::success();
  }
  if (name == kFeatures) {
    target.features.clear();
    for (StringRef feature : llvm::split(value, '+'))
      if (!feature.empty())
        target.features.push_back(feature.str());
    llvm::sort(target.features);
    return llvm::Error::success();
  }
  if (name == kTuning) {
    llvm::Expected<Tuning> tuning = Tuning::load(value);
    if (!tuning)
      return tuning.takeError();
    target.tuning = std::make_shared<Tuning>(std::move(*tuning));
    return llvm::Error::success();
  }
  for (const Field &field : kFields) {
    if (field.name != name)
      continue;
    std::optional<int64_t> number = parseNumber(value, field.isBytes);
    return number ? setField(target, field, *number) : malformed();
  }
  return unknownField(name);
}

/// Fields that cannot both be true.
static llvm::Error checkTogether(const KernelTarget &target) {
  if (!llvm::isPowerOf2_64(target.vectorBits))
    return llvm::createStringError("a machine's vector-bits is a power of 2, "
                                   "not " +
                                   Twine(target.vectorBits));
  if (target.l1Bytes > target.l2Bytes)
    return llvm::createStringError("a machine's l1, " + Twine(target.l1Bytes) +
                                   " bytes, cannot be larger than its l2, " +
                                   Twine(target.l2Bytes));
  return llvm::Error::success();
}

llvm::Error KernelTarget::update(StringRef text) {
  KernelTarget changed = *this;
  for (StringRef part : llvm::split(text, ',')) {
    if (part.empty())
      continue;
    auto [name, value] = part.split('=');
    if (llvm::Error error = setText(changed, name.trim(), value.trim()))
      return error;
  }
  if (llvm::Error error = checkTogether(changed))
    return error;
  *this = std::move(changed);
  return llvm::Error::success();
}

llvm::Error KernelTarget::update(const llvm::json::Object &fields) {
  KernelTarget changed = *this;
  for (const auto &entry : fields) {
    StringRef name = entry.first;
    const llvm::json::Value &value = entry.second;
    auto malformed = [&] {
      std::string text;
      llvm::raw_string_ostream(text) << value;
      return llvm::createStringError("a machine's " + name + " cannot be " +
                                     text);
    };
    if (name == kFma) {
      if (!value.getAsBoolean())
        return malformed();
      changed.fma = *value.getAsBoolean();
      continue;
    }
    const Field *field =
        llvm::find_if(kFields, [&](const Field &f) { return f.name == name; });
    if (field == std::end(kFields))
      return unknownField(name);
    if (!value.getAsInteger())
      return malformed();
    if (llvm::Error error = setField(changed, *field, *value.getAsInteger()))
      return error;
  }
  if (llvm::Error error = checkTogether(changed))
    return error;
  *this = std::move(changed);
  return llvm::Error::success();
}

llvm::json::Object KernelTarget::describe() const {
  llvm::json::Object result{{kFma, fma}};
  for (const Field &field : kFields)
    result[field.name] = this->*field.member;
  return result;
}

raw_ostream &glow::operator<<(raw_ostream &out, const KernelTarget &target) {
  for (const Field &field : kFields)
    out << field.name << "=" << target.*field.member << ",";
  out << kFma << "=" << target.fma;
  if (!target.features.empty())
    out << "," << kFeatures << "=" << llvm::join(target.features, "+");
  if (target.tuning)
    out << "," << kTuning << "=" << target.tuning->file;
  return out;
}

bool llvm::cl::parser<KernelTarget>::parse(Option &option, StringRef,
                                           StringRef text,
                                           KernelTarget &target) {
  if (llvm::Error error = target.update(text))
    return option.error(llvm::toString(std::move(error)));
  return false;
}
