//===- KernelCache.h - compiled kernels on disk ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_KERNELCACHE_H
#define GLOW_TARGET_LLVM_KERNELCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <memory>
#include <string>

namespace mlir::glow {

/// A hash of all that determines an object.
struct KernelKey {
  std::array<uint8_t, 32> bytes = {};

  /// Hashes the parts, and where each ends.
  static KernelKey of(llvm::ArrayRef<llvm::StringRef> parts);
  /// All of it in hexadecimal digits.
  std::string text() const;
};

/// What tells builds of the compiler apart: objects of one are of no use to
/// another.
llvm::StringRef compilerIdentity();

/// A folder of objects by key. Several processes may use one at the same time.
class KernelCache {
public:
  /// Above this the objects that were not used for longest are removed.
  static constexpr uint64_t kDefaultLimit = 256 << 20;

  /// $XDG_CACHE_HOME/glow or ~/.cache/glow.
  static std::string defaultFolder();
  /// The folder that `setting` means: a path, or if empty that in
  /// GLOW_CACHE_DIR or else the default; empty for "off".
  static std::string folderOf(llvm::StringRef setting);

  /// Makes the folder if there is none. Fails if it cannot be written to, or if
  /// others can.
  static llvm::Expected<std::unique_ptr<KernelCache>>
  open(llvm::StringRef folder, uint64_t limit = kDefaultLimit);

  /// The object, if it is there and undamaged; otherwise null.
  std::unique_ptr<llvm::MemoryBuffer> find(const KernelKey &key) const;

  /// Keeps an object. That it cannot be written is no error.
  void store(const KernelKey &key, llvm::StringRef object) const;

  /// Removes what is over the limit. Looks at most once in `interval` seconds,
  /// over all processes.
  void prune(unsigned interval = 60) const;

private:
  KernelCache(std::string folder, uint64_t limit)
      : folder(std::move(folder)), limit(limit) {}
  std::string file(const KernelKey &key) const;

  std::string folder;
  uint64_t limit;
};

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_KERNELCACHE_H
