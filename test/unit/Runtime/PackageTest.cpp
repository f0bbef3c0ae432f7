//===- PackageTest.cpp - Manifests, and packages on two devices -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TempFolder.h"
#include "glow-c/Device.h"
#include "glow-c/Runtime.h"
#include "glow/Runtime/Manifest.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace glow::runtime;
using Json = nlohmann::ordered_json;

namespace {

/// x -> toy -> a -> cpu -> b -> toy -> y
Json sample() {
  Json values = Json::array();
  for (const char *name : {"x", "a", "b", "y"})
    values.push_back({{"name", name}, {"dtype", "f32"}, {"shape", {10, 100}}});
  auto partition = [](const char *name, const char *device, const char *file,
                      const char *reads, const char *writes) {
    return Json{{"name", name},
                {"device", device},
                {"program", file},
                {"reads", {reads}},
                {"writes", {writes}}};
  };
  return {{"glow_package", 1},
          {"name", "sample"},
          {"values", values},
          {"inputs", {"x"}},
          {"outputs", {"y"}},
          {"partitions",
           {partition("p0", "toy", "p0.toy", "x", "a"),
            partition("p1", "cpu", "p1.so", "a", "b"),
            partition("p2", "toy:0", "p2.toy", "b", "y")}}};
}

void expectRefused(const char *text, const std::string &manifest) {
  Manifest read;
  EXPECT_NE(parseManifest(manifest, read), GLOW_OK) << text;
  EXPECT_NE(std::string(glow_last_error()).find(text), std::string::npos)
      << glow_last_error();
}

template <typename Spoil> void expectSpoilt(const char *text, Spoil spoil) {
  Json json = sample();
  spoil(json);
  expectRefused(text, json.dump());
}

TEST(Manifest, RoundTrip) {
  Json json = sample();
  json["values"][1]["scales"] = {0.5, 0.25};
  json["values"][1]["shape"] = {2, 5};
  json["values"][1]["zero_points"] = {1, -2};
  json["values"][1]["quant_axis"] = 0;
  json["comment"] = "ignored";
  Manifest first, second;
  ASSERT_EQ(parseManifest(json.dump(), first), GLOW_OK) << glow_last_error();
  ASSERT_EQ(parseManifest(printManifest(first), second), GLOW_OK)
      << glow_last_error();
  EXPECT_EQ(printManifest(first), printManifest(second));
  EXPECT_EQ(second.values[1].scales[1], 0.25f);
  EXPECT_EQ(second.values[1].zeroPoints[1], -2);
  EXPECT_EQ(second.partitions[2].driver, "toy");
  EXPECT_EQ(second.partitions[2].reads[0], 2u);
}

TEST(Manifest, NotOne) {
  for (const char *text : {"", "{", "[1]", "null", "{\"a\":\"\xff\"}"})
    expectRefused("not a JSON object", text);
  expectRefused("not a JSON object", std::string(100000, '['));
  expectRefused("must be 1", "{}");
  expectSpoilt("must be 1", [](Json &j) { j["glow_package"] = 2; });
  expectSpoilt("must be 1", [](Json &j) { j["glow_package"] = "1"; });
}

TEST(Manifest, BadValues) {
  expectSpoilt("\"name\"", [](Json &j) { j["values"][0].erase("name"); });
  expectSpoilt(
      "NUL", [](Json &j) { j["values"][0]["name"] = std::string("a\0b", 3); });
  expectSpoilt("two values", [](Json &j) { j["values"][0]["name"] = "y"; });
  expectSpoilt("unknown dtype",
               [](Json &j) { j["values"][0]["dtype"] = "f3"; });
  expectSpoilt("no fixed-size",
               [](Json &j) { j["values"][0]["dtype"] = "string"; });
  expectSpoilt("negative", [](Json &j) { j["values"][0]["shape"] = {-1}; });
  expectSpoilt("impossible size", [](Json &j) {
    j["values"][0]["shape"] = {1ll << 40, 1ll << 40};
  });
  expectSpoilt("together", [](Json &j) {
    for (Json &value : j["values"])
      value["shape"] = {1ll << 59};
  });
  expectSpoilt("whole numbers",
               [](Json &j) { j["values"][0]["shape"] = {1.5}; });
  expectSpoilt("whole numbers",
               [](Json &j) { j["values"][0]["shape"] = {UINT64_MAX}; });
  expectSpoilt("a list", [](Json &j) { j["values"][0]["shape"] = 3; });
  expectSpoilt("zero points", [](Json &j) { j["values"][0]["scales"] = {1}; });
  expectSpoilt("not positive", [](Json &j) {
    j["values"][0]["scales"] = {-1};
    j["values"][0]["zero_points"] = {0};
  });
  expectSpoilt("quant_axis", [](Json &j) {
    j["values"][0]["scales"] = {1, 1};
    j["values"][0]["zero_points"] = {0, 0};
  });
  expectSpoilt("quant_axis",
               [](Json &j) { j["values"][0]["quant_axis"] = 1e3; });
}

TEST(Manifest, BadPartitions) {
  auto spoil = [](const char *text, const char *key, Json value) {
    expectSpoilt(text, [&](Json &j) { j["partitions"][1][key] = value; });
  };
  for (const char *path : {"../p1.so", "/p1.so", "a/p1.so", "..", ".", ""})
    spoil("is not a file name", "program", path);
  spoil("unknown value 'q'", "reads", {"q"});
  spoil("needs names", "reads", {1});
  spoil("index of a device", "device", "toy:x");
  spoil("index of a device", "device", "toy:-1");
  spoil("no name or no device", "device", "");
  expectSpoilt("not an object", [](Json &j) { j["partitions"][0] = 1; });
  expectSpoilt("no partitions",
               [](Json &j) { j["partitions"] = Json::array(); });
}

TEST(Manifest, BadOrder) {
  expectSpoilt("before any partition wrote it", [](Json &j) {
    std::swap(j["partitions"][0], j["partitions"][1]);
  });
  // A cycle cannot be put into an order.
  expectSpoilt("before any partition wrote it",
               [](Json &j) { j["partitions"][0]["reads"] = {"x", "b"}; });
  expectSpoilt("comes from p0 and from p1",
               [](Json &j) { j["partitions"][1]["writes"] = {"a"}; });
  expectSpoilt("comes from the inputs",
               [](Json &j) { j["partitions"][1]["writes"] = {"x"}; });
  expectSpoilt("no partition writes", [](Json &j) { j["outputs"] = {"x"}; });
  expectSpoilt("output twice", [](Json &j) { j["outputs"] = {"y", "y"}; });
}

class Package : public ::testing::Test {
protected:
  Package() {
    EXPECT_EQ(glow_device_open_plugin(GLOW_TEST_DEVICE), GLOW_OK);
    folder.copy(GLOW_TEST_MODEL, "p1.so");
    folder.write("ScaleModel.weights", std::string("\0\0\0\x40", 4));
    folder.write("p0.toy", "toy 10");
    folder.write("p2.toy", "toy -1");
  }
  ~Package() override {
    glow_rt_context_free(context);
    glow_rt_program_free(program);
  }
  GlowStatus load(const Json &manifest) {
    folder.write("manifest.json", manifest.dump());
    return glow_rt_load_file(folder.path.c_str(), nullptr, &program);
  }
  /// Runs and expects y = factor * x.
  void expectRuns(float factor) {
    if (!context)
      ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
    auto *x = static_cast<float *>(glow_rt_context_input(context, 0));
    for (int i = 0; i < 1000; ++i)
      x[i] = float(i);
    ASSERT_EQ(glow_rt_run(context), GLOW_OK) << glow_last_error();
    auto *y = static_cast<float *>(glow_rt_context_output(context, 0));
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(y[i], factor * float(i));
  }

  TempFolder folder;
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
};

TEST_F(Package, RunsAcrossDevices) {
  ASSERT_EQ(load(sample()), GLOW_OK) << glow_last_error();
  EXPECT_STREQ(glow_rt_program_name(program), "sample");
  EXPECT_EQ(glow_rt_arena_bytes(program), 8000u); // a and b
  expectRuns(-30);
  expectRuns(-30);
}

TEST_F(Package, ValuesStayOnTheirDevice) {
  Json json = sample();
  json["partitions"][1]["device"] = "toy";
  json["partitions"][1]["program"] = "p2.toy";
  ASSERT_EQ(load(json), GLOW_OK) << glow_last_error();
  EXPECT_EQ(glow_rt_arena_bytes(program), 0u);
  expectRuns(10);
}

TEST_F(Package, IntermediateOutput) {
  Json json = sample();
  json["outputs"] = {"b", "a"};
  ASSERT_EQ(load(json), GLOW_OK) << glow_last_error();
  expectRuns(30);
  EXPECT_EQ(static_cast<float *>(glow_rt_context_output(context, 1))[7], 70);
}

TEST_F(Package, Profile) {
  ASSERT_EQ(load(sample()), GLOW_OK);
  ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  ASSERT_EQ(glow_rt_profile_enable(context, 1), GLOW_OK);
  expectRuns(-30);
  auto trace = nlohmann::json::parse(glow_rt_profile_trace(context));
  ASSERT_EQ(trace["traceEvents"].size(), 4u);
  EXPECT_EQ(trace["traceEvents"][2]["name"], "p1");
}

TEST_F(Package, FailureNamesThePartition) {
  folder.write("p2.toy", "toy fail");
  ASSERT_EQ(load(sample()), GLOW_OK) << glow_last_error();
  ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(glow_rt_run(context), GLOW_INTERNAL);
    EXPECT_STREQ(glow_last_error(), "partition 'p2' on toy:0: the toy broke");
  }
}

TEST_F(Package, SizesMustMatchTheModel) {
  Json json = sample();
  for (Json &value : json["values"])
    value["shape"] = {10, 50};
  ASSERT_EQ(load(json), GLOW_OK) << glow_last_error();
  ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  EXPECT_EQ(glow_rt_run(context), GLOW_INVALID_ARGUMENT);
}

TEST_F(Package, WhatIsMissing) {
  EXPECT_EQ(glow_rt_load_file(folder.path.c_str(), nullptr, &program),
            GLOW_NOT_FOUND); // no manifest
  Json json = sample();
  json["partitions"][0]["device"] = "absent";
  EXPECT_EQ(load(json), GLOW_NOT_FOUND);
  json["partitions"][0]["device"] = "toy:7";
  EXPECT_EQ(load(json), GLOW_NOT_FOUND);
  json["partitions"][0]["device"] = "cpu:1";
  EXPECT_EQ(load(json), GLOW_NOT_FOUND);
  json["partitions"][0]["device"] = "toy";
  json["partitions"][0]["program"] = "absent";
  EXPECT_EQ(load(json), GLOW_NOT_FOUND);
  json["partitions"][0]["program"] = "p1.so";
  EXPECT_EQ(load(json), GLOW_INVALID_MODEL);
  EXPECT_STREQ(glow_last_error(),
               "package 'sample': partition 'p0' on toy:0: this is no program "
               "for a toy");
}

} // namespace
