//===- LoadTest.cpp - Files that are loaded, and refused ------------------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScaleModel.h"

#include <dlfcn.h>
#include <vector>

namespace {

class Load : public ScaleModel {};

TEST_F(Load, MissingFile) {
  path = folder / "absent.so";
  expectLoadFails(GLOW_NOT_FOUND, "absent.so");
}

TEST_F(Load, NotASharedObject) {
  path = folder.write("text.so", "hello");
  expectLoadFails(GLOW_INVALID_MODEL, "not a shared object");
}

TEST_F(Load, NewFileOfTheSameName) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  auto publish = [&](const std::string &name) {
    std::string changed = content;
    size_t at = changed.find(std::string("\0scale", 7));
    ASSERT_NE(at, std::string::npos);
    changed.replace(at + 1, 5, name);
    std::filesystem::rename(folder.write("new.so", changed), path);
  };
  ASSERT_NO_FATAL_FAILURE(load(1));
  // Files are named by their descriptors, which are reused: in any order.
  std::vector<GlowRtProgram *> others;
  for (const char *name : {"one__", "two__", "three", "four_"}) {
    publish(name);
    for (int twice = 0; twice < 2; ++twice) {
      others.push_back(nullptr);
      ASSERT_EQ(glow_rt_load_file(path.c_str(), nullptr, &others.back()),
                GLOW_OK)
          << glow_last_error();
      EXPECT_STREQ(glow_rt_program_name(others.back()), name);
    }
    glow_rt_program_free(others.front());
    others.erase(others.begin());
  }
  EXPECT_STREQ(glow_rt_program_name(program), "scale");
  EXPECT_STREQ(glow_rt_program_name(others.back()), "four_");
  expectRuns();
  for (GlowRtProgram *other : others)
    glow_rt_program_free(other);
}

// Names that lead to an object stay with it, also when only others hold it.
TEST_F(Load, FilesThatOthersHaveOpenToo) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  std::vector<void *> held;
  for (std::string name : {"one__", "two__", "three"}) {
    std::string changed = content;
    changed.replace(changed.find(std::string("\0scale", 7)) + 1, 5, name);
    path = folder.write(name + ".so", changed);
    held.push_back(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    ASSERT_NE(held.back(), nullptr) << dlerror();
    ASSERT_NO_FATAL_FAILURE(load(1));
    EXPECT_EQ(glow_rt_program_name(program), name);
    glow_rt_context_free(std::exchange(context, nullptr));
    glow_rt_program_free(std::exchange(program, nullptr));
  }
  for (void *object : held)
    dlclose(object);
}

TEST_F(Load, TruncatedAtAnyPlace) {
  std::ifstream file(path, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(file), {}};
  // Only what the program headers cover is needed to load.
  for (size_t length = 1; length < whole.size() / 2; length += 97) {
    path = folder.write("cut.so", whole.substr(0, length));
    EXPECT_NE(glow_rt_load_file(path.c_str(), nullptr, &program), GLOW_OK);
  }
}

TEST_F(Load, WithoutModelSymbol) {
  path = GLOW_TEST_LIBRARY;
  expectLoadFails(GLOW_INVALID_MODEL, "exports no 'glow_model'");
}

TEST_F(Load, WeightsMustMatch) {
  std::filesystem::remove(folder / "ScaleModel.weights");
  expectLoadFails(GLOW_NOT_FOUND, "ScaleModel.weights");
  folder.write("ScaleModel.weights", "12345");
  expectLoadFails(GLOW_INVALID_MODEL, "has 5 bytes");
  folder.write("ScaleModel.weights", "1234");
  expectLoadFails(GLOW_INVALID_MODEL, "belongs to another model");
  folder.write("real", twoAsBytes);
  std::filesystem::remove(folder / "ScaleModel.weights");
  std::filesystem::create_symlink(folder / "real",
                                  folder / "ScaleModel.weights");
  expectLoadFails(GLOW_INVALID_MODEL, "is a link");
}

TEST_F(Load, ReleasesItsOwner) {
  static float weight = 0;
  GlowModel model = {};
  model.abi_version = GLOW_ABI_VERSION;
  model.size = sizeof(model);
  model.name = "empty";
  model.target_triple = GLOW_TEST_TRIPLE;
  model.cpu_features = "";
  model.alignment = 4;
  model.weights = &weight;
  model.run = [](GlowExec *, const void *const *, void *const *, void *,
                 const void *weights) -> int32_t {
    return weights == &weight ? GLOW_TIMEOUT : GLOW_OK;
  };
  int released = 0;
  GlowRtOptions options = {sizeof(options), 1,
                           [](void *user) { ++*static_cast<int *>(user); },
                           &released};
  ASSERT_EQ(glow_rt_load_model(&model, nullptr, &options, &program), GLOW_OK)
      << glow_last_error();
  ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  EXPECT_EQ(glow_rt_run(context), GLOW_TIMEOUT);
  EXPECT_STREQ(glow_last_error(), "model 'empty' stopped: timeout");
  glow_rt_program_free(std::exchange(program, nullptr));
  EXPECT_EQ(released, 0);
  glow_rt_context_free(std::exchange(context, nullptr));
  EXPECT_EQ(released, 1);
}

TEST_F(Load, OptionsAreChecked) {
  GlowRtOptions options = {};
  EXPECT_EQ(glow_rt_load_file("x.so", &options, &program),
            GLOW_INVALID_ARGUMENT);
  options.size = sizeof(options);
  options.threads = -1;
  EXPECT_EQ(glow_rt_load_file("x.so", &options, &program),
            GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(glow_rt_load_file(nullptr, nullptr, &program),
            GLOW_INVALID_ARGUMENT);
}

} // namespace