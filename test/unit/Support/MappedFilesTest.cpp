//===- MappedFilesTest.cpp - pages that are given back --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/MappedFiles.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <fstream>

#ifdef __linux__
#include <sys/mman.h>

using namespace mlir::glow;

namespace {
constexpr size_t kPage = 4096, kBytes = 64 * kPage;

class MappedFilesTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mapped", "bin", path));
    std::ofstream(path.c_str(), std::ios::binary)
        << std::string(kBytes, 'w') << std::flush;
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  std::shared_ptr<llvm::MemoryBuffer> open() {
    auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
    EXPECT_TRUE(bool(buffer));
    return shareFile(std::move(*buffer));
  }

  llvm::SmallString<128> path;
};
} // namespace

/// How many bytes of the process are in memory.
static size_t residentBytes(llvm::StringRef kind) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;)
    if (size_t kib; name == kind && status >> kib)
      return kib * 1024;
  return 0;
}

TEST_F(MappedFilesTest, DroppedPagesCanBeReadAgain) {
  auto buffer = open();
  llvm::StringRef text = buffer->getBuffer();
  EXPECT_EQ(text.count('w'), kBytes);
  size_t before = residentBytes("RssFile:");
  // Neither end is a page's: only whole ones may go.
  dropFilePages({text.data() + 1, kBytes - 2});
  EXPECT_LE(residentBytes("RssFile:") + kBytes / 2, before);
  EXPECT_EQ(text.count('w'), kBytes);
}

TEST_F(MappedFilesTest, OtherMemoryIsLeftAlone) {
  auto buffer = open();
  std::string own(kBytes, 'm');
  dropFilePages({own.data(), own.size()});
  EXPECT_EQ(llvm::StringRef(own).count('m'), kBytes);
  // Not known any more: nothing happens to what lies there now.
  const char *start = buffer->getBufferStart();
  buffer.reset();
  void *reused = mmap(const_cast<char *>(start), kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(reused, MAP_FAILED);
  std::fill_n(static_cast<char *>(reused), kBytes, 'm');
  dropFilePages({static_cast<char *>(reused), kBytes});
  EXPECT_EQ(llvm::StringRef(static_cast<char *>(reused), kBytes).count('m'),
            kBytes);
  munmap(reused, kBytes);
}

#endif // __linux__
