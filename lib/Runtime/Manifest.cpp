//===- Manifest.cpp - Reading and checking manifest.json --------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Manifest.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Memory.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace glow::runtime;
using Json = nlohmann::ordered_json;

// Far above any real package.
static constexpr size_t kMostItems = 1 << 16;
static constexpr size_t kMostRank = 1 << 8;
static constexpr int64_t kVersion = 1;

template <typename... Parts> static GlowStatus invalid(const Parts &...parts) {
  return fail(GLOW_INVALID_MODEL, "manifest.json: ", parts...);
}

// --- Checking ----------------------------------------------------------------

static GlowStatus checkValue(TensorInfo &value) {
  if (value.name.empty())
    return invalid("a value has no name");
  // The bytes of strings are not in the tensor, so no device could copy them.
  if (value.dtype == GLOW_STRING || value.dims.size() > kMostRank ||
      !tensorBytes(value.dtype, value.dims.data(), uint32_t(value.dims.size()),
                   value.bytes))
    return invalid("value '", value.name,
                   "' has no fixed-size element type, a negative extent or an "
                   "impossible size");
  size_t scales = value.scales.size();
  if (scales != value.zeroPoints.size())
    return invalid("value '", value.name, "' has ", scales, " scales and ",
                   value.zeroPoints.size(), " zero points");
  bool isAxisRight =
      value.quantAxis == -1
          ? scales <= 1
          : value.quantAxis >= 0 &&
                size_t(value.quantAxis) < value.dims.size() &&
                value.dims[size_t(value.quantAxis)] == int64_t(scales);
  if (!isAxisRight)
    return invalid("value '", value.name, "' has ", scales,
                   " scales, which do not fit quant_axis ", value.quantAxis);
  for (float scale : value.scales)
    if (!std::isfinite(scale) || scale <= 0)
      return invalid("value '", value.name,
                     "' has a scale that is not "
                     "positive");
  return GLOW_OK;
}

/// Each value has one source, and each use comes after it. As partitions run in
/// the order listed, this also excludes cycles.
static GlowStatus checkOrder(const Manifest &manifest) {
  std::vector<const char *> source(manifest.values.size(), nullptr);
  auto nameOf = [&](uint32_t value) { return manifest.values[value].name; };
  auto define = [&](uint32_t value, const char *by) {
    if (source[value])
      return invalid("value '", nameOf(value), "' comes from ", source[value],
                     " and from ", by);
    source[value] = by;
    return GLOW_OK;
  };
  for (uint32_t input : manifest.inputs)
    if (GlowStatus status = define(input, "the inputs"))
      return status;
  for (const Partition &partition : manifest.partitions) {
    for (uint32_t value : partition.reads)
      if (!source[value])
        return invalid("partition '", partition.name, "' reads '",
                       nameOf(value),
                       "' before any partition wrote it; list "
                       "partitions in the order in which they can run");
    for (uint32_t value : partition.writes)
      if (GlowStatus status = define(value, partition.name.c_str()))
        return status;
  }
  std::vector<bool> isInput(manifest.values.size()), isOutput(isInput);
  for (uint32_t input : manifest.inputs)
    isInput[input] = true;
  for (uint32_t output : manifest.outputs) {
    if (!source[output] || isInput[output])
      return invalid("no partition writes the output '", nameOf(output), "'");
    if (isOutput[output])
      return invalid("'", nameOf(output), "' is an output twice");
    isOutput[output] = true;
  }
  return GLOW_OK;
}

GlowStatus glow::runtime::checkManifest(Manifest &manifest) {
  if (manifest.partitions.empty())
    return invalid("there are no partitions");
  uint64_t total = 0;
  for (TensorInfo &value : manifest.values) {
    if (GlowStatus status = checkValue(value))
      return status;
    if (__builtin_add_overflow(total, value.bytes, &total) || total >> 62)
      return invalid("the values together have an impossible size");
  }
  for (const Partition &partition : manifest.partitions)
    if (partition.name.empty() || partition.driver.empty())
      return invalid("a partition has no name or no device");
  return checkOrder(manifest);
}

// --- Reading -----------------------------------------------------------------

namespace {
/// Reads members of one JSON object; `where` names it in messages.
struct Reader {
  const Json &object;
  std::string where;

  const Json *member(const char *key) const {
    auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }
  GlowStatus text(const char *key, std::string &value) const {
    const Json *json = member(key);
    if (!json || !json->is_string())
      return invalid(where, " needs a string \"", key, "\"");
    value = json->get_ref<const std::string &>();
    if (value.find('\0') != std::string::npos)
      return invalid(where, " has a NUL in \"", key, "\"");
    return GLOW_OK;
  }
  /// Null if there is no such list; the error is set if it is required.
  GlowStatus list(const char *key, const Json *&value, bool required) const {
    value = member(key);
    if (!value && !required)
      return GLOW_OK;
    if (!value || !value->is_array() || value->size() > kMostItems)
      return invalid(where, " needs a list \"", key, "\" of at most ",
                     kMostItems, " items");
    return GLOW_OK;
  }
  GlowStatus integers(const char *key, std::vector<int64_t> &values,
                      bool required) const {
    const Json *items;
    if (GlowStatus status = list(key, items, required))
      return status;
    for (size_t i = 0; items && i < items->size(); ++i) {
      const Json &item = (*items)[i];
      if (!item.is_number_integer() ||
          (item.is_number_unsigned() && item.get<uint64_t>() >> 63))
        return invalid(where, " needs whole numbers of 64 bits in \"", key,
                       "\"");
      values.push_back(item.get<int64_t>());
    }
    return GLOW_OK;
  }
};

/// From a name to the index of the value.
using Index = std::map<std::string, uint32_t, std::less<>>;
} // namespace

static GlowStatus readNames(const Reader &reader, const char *key,
                            const Index &index, std::vector<uint32_t> &values) {
  const Json *items;
  if (GlowStatus status = reader.list(key, items, true))
    return status;
  for (const Json &item : *items) {
    if (!item.is_string())
      return invalid(reader.where, " needs names in \"", key, "\"");
    auto found = index.find(item.get_ref<const std::string &>());
    if (found == index.end())
      return invalid(reader.where, " has the unknown value '",
                     item.get_ref<const std::string &>(), "' in \"", key, "\"");
    values.push_back(found->second);
  }
  return GLOW_OK;
}

static GlowStatus readValue(const Reader &reader, TensorInfo &value) {
  std::string dtype;
  if (GlowStatus status = reader.text("name", value.name))
    return status;
  if (GlowStatus status = reader.text("dtype", dtype))
    return status;
  value.dtype = parseDType(dtype);
  if (value.dtype == GLOW_UNDEFINED)
    return invalid(reader.where, " has the unknown dtype '", dtype, "'");
  if (GlowStatus status = reader.integers("shape", value.dims, true))
    return status;
  if (GlowStatus status =
          reader.integers("zero_points", value.zeroPoints, false))
    return status;
  const Json *scales;
  if (GlowStatus status = reader.list("scales", scales, false))
    return status;
  for (size_t i = 0; scales && i < scales->size(); ++i) {
    if (!(*scales)[i].is_number())
      return invalid(reader.where, " needs numbers in \"scales\"");
    value.scales.push_back((*scales)[i].get<float>());
  }
  if (const Json *axis = reader.member("quant_axis")) {
    if (!axis->is_number_integer() || axis->get<int64_t>() < -1 ||
        axis->get<int64_t>() > int64_t(kMostRank))
      return invalid(reader.where, " has no valid \"quant_axis\"");
    value.quantAxis = axis->get<int32_t>();
  }
  return GLOW_OK;
}

/// "driver" or "driver:index".
static GlowStatus readDevice(const Reader &reader, Partition &partition) {
  if (GlowStatus status = reader.text("device", partition.driver))
    return status;
  size_t colon = partition.driver.find(':');
  if (colon == std::string::npos)
    return GLOW_OK;
  std::string index = partition.driver.substr(colon + 1);
  partition.driver.resize(colon);
  if (index.empty() || index.size() > 6 ||
      index.find_first_not_of("0123456789") != std::string::npos)
    return invalid(reader.where, " has '", index, "' as index of a device");
  partition.deviceIndex = uint32_t(std::strtoul(index.c_str(), nullptr, 10));
  return GLOW_OK;
}

static GlowStatus readPartition(const Reader &reader, const Index &index,
                                Partition &partition) {
  if (GlowStatus status = reader.text("name", partition.name))
    return status;
  if (GlowStatus status = readDevice(reader, partition))
    return status;
  if (GlowStatus status = reader.text("program", partition.program))
    return status;
  if (GlowStatus status = checkFileName(partition.program))
    return addContext(status, "manifest.json: " + reader.where + ": ");
  if (GlowStatus status = readNames(reader, "reads", index, partition.reads))
    return status;
  return readNames(reader, "writes", index, partition.writes);
}

/// Applies `read` to a reader for each object of the list `key`.
template <typename Read>
static GlowStatus readObjects(const Reader &reader, const char *key,
                              const char *kind, Read read) {
  const Json *items;
  if (GlowStatus status = reader.list(key, items, true))
    return status;
  for (size_t i = 0; i < items->size(); ++i) {
    std::string where = std::string(kind) + " " + std::to_string(i);
    if (!(*items)[i].is_object())
      return invalid(where, " is not an object");
    if (GlowStatus status = read(Reader{(*items)[i], where}))
      return status;
  }
  return GLOW_OK;
}

GlowStatus glow::runtime::parseManifest(std::string_view text,
                                        Manifest &manifest) {
  Json json = Json::parse(text.begin(), text.end(), nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_object())
    return invalid("not a JSON object");
  Reader reader{json, "the package"};
  const Json *version = reader.member("glow_package");
  if (!version || !version->is_number_integer() ||
      version->get<int64_t>() != kVersion)
    return fail(GLOW_UNSUPPORTED, "manifest.json: \"glow_package\" must be ",
                kVersion, "; make the package again with a matching Glow");
  if (GlowStatus status = reader.text("name", manifest.name))
    return status;
  Index index;
  auto addValue = [&](const Reader &item) {
    TensorInfo value;
    if (GlowStatus status = readValue(item, value))
      return status;
    if (!index.emplace(value.name, uint32_t(manifest.values.size())).second)
      return invalid("two values are called '", value.name, "'");
    manifest.values.push_back(std::move(value));
    return GLOW_OK;
  };
  if (GlowStatus status = readObjects(reader, "values", "value", addValue))
    return status;
  if (GlowStatus status = readNames(reader, "inputs", index, manifest.inputs))
    return status;
  if (GlowStatus status = readNames(reader, "outputs", index, manifest.outputs))
    return status;
  auto addPartition = [&](const Reader &item) {
    return readPartition(item, index, manifest.partitions.emplace_back());
  };
  if (GlowStatus status =
          readObjects(reader, "partitions", "partition", addPartition))
    return status;
  return checkManifest(manifest);
}
