//===- ManifestPrinter.cpp - Writing manifest.json --------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Manifest.h"

#include <nlohmann/json.hpp>

using namespace glow::runtime;
using Json = nlohmann::ordered_json;

static Json printValue(const TensorInfo &value) {
  Json json = {{"name", value.name},
               {"dtype", dtypeName(value.dtype)},
               {"shape", value.dims}};
  if (!value.scales.empty()) {
    json["scales"] = value.scales;
    json["zero_points"] = value.zeroPoints;
    json["quant_axis"] = value.quantAxis;
  }
  return json;
}

std::string glow::runtime::printManifest(const Manifest &manifest) {
  auto names = [&](const std::vector<uint32_t> &values) {
    Json list = Json::array();
    for (uint32_t value : values)
      list.push_back(manifest.values[value].name);
    return list;
  };
  Json values = Json::array(), partitions = Json::array();
  for (const TensorInfo &value : manifest.values)
    values.push_back(printValue(value));
  for (const Partition &partition : manifest.partitions)
    partitions.push_back({{"name", partition.name},
                          {"device", partition.device()},
                          {"program", partition.program},
                          {"reads", names(partition.reads)},
                          {"writes", names(partition.writes)}});
  Json json = {{"glow_package", 1},
               {"name", manifest.name},
               {"values", std::move(values)},
               {"inputs", names(manifest.inputs)},
               {"outputs", names(manifest.outputs)},
               {"partitions", std::move(partitions)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
