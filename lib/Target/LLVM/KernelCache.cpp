//===- KernelCache.cpp - compiled kernels on disk -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is a digest of the key and the object, and then the object. What does
// not match its digest counts as absent and is replaced.
//
//===----------------------------------------------------------------------===//
#include "glow/Target/LLVM/KernelCache.h"
#include "glow/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace mlir::glow;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using Digest = std::array<uint8_t, 32>;

KernelKey KernelKey::of(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef part : parts) {
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  return {hasher.final<32>()};
}

std::string KernelKey::text() const {
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

static Digest digestOf(const KernelKey &key, llvm::StringRef object) {
  llvm::BLAKE3 hasher;
  hasher.update(key.bytes);
  hasher.update(object);
  return hasher.final<32>();
}

std::string KernelCache::defaultFolder() {
  llvm::SmallString<128> folder;
  if (!path::cache_directory(folder))
    return "";
  path::append(folder, "glow");
  return std::string(folder);
}

std::string KernelCache::folderOf(llvm::StringRef setting) {
  std::string folder = setting.str();
  if (folder.empty())
    folder = llvm::sys::Process::GetEnv("GLOW_CACHE_DIR").value_or("");
  if (folder == "off")
    return "";
  return folder.empty() ? defaultFolder() : folder;
}

llvm::Expected<std::unique_ptr<KernelCache>>
KernelCache::open(llvm::StringRef folder, uint64_t limit) {
  auto unusable = [&](const llvm::Twine &why) {
    return llvm::createStringError("the kernel cache '" + folder +
                                   "' is not used: " + why);
  };
  fs::file_status status;
  std::error_code error =
      fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all);
  if (!error)
    error = fs::status(folder, status);
  if (error)
    return unusable(error.message());
  if (!fs::is_directory(status))
    return unusable("it is no folder");
  if (status.getUser() != geteuid())
    return unusable("it belongs to another user");
  if (status.permissions() & (fs::group_write | fs::others_write))
    return unusable("others may write to it (chmod go-w)");
  if (fs::access(folder, fs::AccessMode::Write))
    return unusable("it cannot be written to");
  return std::unique_ptr<KernelCache>(new KernelCache(folder.str(), limit));
}

/// The prefix is what LLVM's pruning asks for.
std::string KernelCache::file(const KernelKey &key) const {
  llvm::SmallString<128> result(folder);
  path::append(result, "llvmcache-" + key.text());
  return std::string(result);
}

std::unique_ptr<llvm::MemoryBuffer>
KernelCache::find(const KernelKey &key) const {
  std::string name = file(key);
  // Anything else could block.
  if (!fs::is_regular_file(name))
    return nullptr;
  // The time of the last use is what pruning goes by.
  llvm::Expected<fs::file_t> opened =
      fs::openNativeFileForRead(name, fs::OF_UpdateAtime);
  if (!opened) {
    llvm::consumeError(opened.takeError());
    return nullptr;
  }
  // Read, not mapped: another process may truncate the file.
  auto content =
      llvm::MemoryBuffer::getOpenFile(*opened, name, /*FileSize=*/-1,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  fs::closeFile(*opened);
  if (!content)
    return nullptr;
  llvm::StringRef bytes = (*content)->getBuffer();
  if (bytes.size() < sizeof(Digest))
    return nullptr;
  llvm::StringRef object = bytes.drop_front(sizeof(Digest));
  Digest digest = digestOf(key, object);
  if (memcmp(digest.data(), bytes.data(), sizeof(Digest)) != 0)
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(object, name);
}

void KernelCache::store(const KernelKey &key, llvm::StringRef object) const {
  std::string name = file(key);
  // Renamed when complete; what a killed process leaves is pruned.
  auto staged = UnfinishedFile::create(name, fs::owner_read | fs::owner_write);
  if (!staged)
    return llvm::consumeError(staged.takeError());
  Digest digest = digestOf(key, object);
  llvm::Error error = staged->write([&](raw_ostream &out) {
    out.write(reinterpret_cast<const char *>(digest.data()), digest.size());
    out << object;
    return llvm::Error::success();
  });
  llvm::consumeError(error ? std::move(error) : staged->keep());
}

void KernelCache::prune(unsigned interval) const {
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(interval);
  policy.Expiration = std::chrono::hours(0);
  policy.MaxSizePercentageOfAvailableSpace = 50;
  policy.MaxSizeBytes = limit;
  llvm::pruneCache(folder, policy);
}
