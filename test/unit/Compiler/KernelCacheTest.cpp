//===- KernelCacheTest.cpp - compiled kernels on disk ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/KernelCache.h"
#include "../Runtime/TempFolder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir::glow;

namespace {

std::unique_ptr<KernelCache>
openCache(const std::string &folder,
          uint64_t limit = KernelCache::kDefaultLimit) {
  auto cache = KernelCache::open(folder, limit);
  if (cache)
    return std::move(*cache);
  ADD_FAILURE() << llvm::toString(cache.takeError());
  return nullptr;
}

std::string whyNot(const std::string &folder) {
  auto cache = KernelCache::open(folder);
  return cache ? "" : llvm::toString(cache.takeError());
}

std::string found(const KernelCache &cache, const KernelKey &key) {
  auto object = cache.find(key);
  return object ? object->getBuffer().str() : "(none)";
}

std::vector<std::filesystem::path> entries(const TempFolder &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    if (entry.path().filename() != "llvmcache.timestamp")
      files.push_back(entry.path());
  return files;
}

TEST(KernelKey, DependsOnEveryPart) {
  EXPECT_EQ(KernelKey::of({"a", "b"}).text(), KernelKey::of({"a", "b"}).text());
  EXPECT_NE(KernelKey::of({"a", "b"}).text(), KernelKey::of({"ab", ""}).text());
  EXPECT_NE(KernelKey::of({"a", "b"}).text(), KernelKey::of({"b", "a"}).text());
}

TEST(KernelCache, TellsBuildsOfTheCompilerApart) {
  EXPECT_NE(compilerIdentity(), "");
}

TEST(KernelCache, FindsWhatWasStored) {
  TempFolder folder;
  auto cache = openCache(folder / "new/folder");
  KernelKey key = KernelKey::of({"kernel"});
  EXPECT_EQ(found(*cache, key), "(none)");
  cache->store(key, std::string("object\0with zeros", 17));
  EXPECT_EQ(found(*cache, key), std::string("object\0with zeros", 17));
  EXPECT_EQ(found(*cache, KernelKey::of({"other"})), "(none)");
  EXPECT_EQ(found(*openCache(folder / "new/folder"), key).size(), 17u);
}

TEST(KernelCache, LeavesOutAndReplacesWhatIsDamaged) {
  TempFolder folder;
  auto cache = openCache(folder.path);
  KernelKey key = KernelKey::of({"kernel"}), other = KernelKey::of({"other"});
  cache->store(key, "some object");
  std::string file = entries(folder).front();
  std::string content(std::filesystem::file_size(file), '\0');
  std::ifstream(file, std::ios::binary).read(content.data(), content.size());
  std::string flipped = content;
  flipped.back() ^= 1;
  for (const std::string &damaged :
       {std::string(), content.substr(0, 20), content.substr(0, 40), flipped,
        content + "x", std::string(100, 'x')}) {
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_EQ(found(*cache, key), "(none)") << damaged.size();
    cache->store(key, "some object");
    EXPECT_EQ(found(*cache, key), "some object");
  }
  // The object of one kernel under the name of another.
  cache->store(other, "other object");
  for (const auto &entry : entries(folder))
    std::ofstream(entry, std::ios::binary) << content;
  EXPECT_EQ(found(*cache, other), "(none)");
}

TEST(KernelCache, DoesNotWaitForWhatIsNoFile) {
  TempFolder folder;
  auto cache = openCache(folder.path);
  KernelKey key = KernelKey::of({"kernel"});
  cache->store(key, "object");
  std::string file = entries(folder).front();
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(found(*cache, key), "(none)");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_EQ(found(*cache, key), "(none)");
  cache->store(key, "object");
  EXPECT_EQ(found(*cache, key), "(none)");
}

TEST(KernelCache, NeedsAFolderOfItsOwn) {
  TempFolder folder;
  EXPECT_EQ(whyNot(folder / "mine"), "");
  struct stat status;
  ASSERT_EQ(stat((folder / "mine").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  chmod((folder / "mine").c_str(), 0777);
  EXPECT_NE(whyNot(folder / "mine").find("others may write"),
            std::string::npos);
  folder.write("file", "");
  EXPECT_NE(whyNot(folder / "file"), "");
  EXPECT_NE(whyNot("/proc/no-such-folder"), "");
  if (geteuid() != 0)
    return;
  ASSERT_EQ(whyNot(folder / "other"), "");
  ASSERT_EQ(chown((folder / "other").c_str(), 12345, 12345), 0);
  EXPECT_NE(whyNot(folder / "other").find("another user"), std::string::npos);
}

TEST(KernelCache, KeepsWhatWasUsedLast) {
  TempFolder folder;
  auto cache = openCache(folder.path, /*limit=*/10000);
  for (int i = 0; i < 8; ++i) {
    cache->store(KernelKey::of({std::to_string(i)}), std::string(2000, 'x'));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(entries(folder).size(), 8u);
  EXPECT_NE(found(*cache, KernelKey::of({"0"})), "(none)");
  cache->prune(/*interval=*/0);
  EXPECT_LE(entries(folder).size(), 4u);
  EXPECT_NE(found(*cache, KernelKey::of({"0"})), "(none)");
  EXPECT_NE(found(*cache, KernelKey::of({"7"})), "(none)");
  EXPECT_EQ(found(*cache, KernelKey::of({"1"})), "(none)");
}

/// Several processes store, find, damage and prune the same objects.
TEST(KernelCache, ServesProcessesAtOnce) {
  TempFolder folder;
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid != 0) {
      children.push_back(pid);
      continue;
    }
    auto cache = KernelCache::open(folder.path, 20000);
    if (!cache)
      _exit(2);
    for (int i = 0; i < 300; ++i) {
      KernelKey key = KernelKey::of({std::to_string(i % 10)});
      std::string object(3000, 'a' + i % 10);
      if (auto known = (*cache)->find(key); known)
        if (known->getBuffer() != object)
          _exit(3);
      (*cache)->store(key, object);
      if (i % 50 == child)
        (*cache)->prune(0);
      std::error_code ignored; // another process may have removed it
      if (i % 30 == child)
        std::filesystem::resize_file(folder / ("llvmcache-" + key.text()),
                                     100 * child, ignored);
    }
    _exit(0);
  }
  for (pid_t pid : children) {
    int status;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

} // namespace
