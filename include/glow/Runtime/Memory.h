//===- Memory.h - Aligned buffers and mapped files --------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_MEMORY_H
#define GLOW_RUNTIME_MEMORY_H

#include "glow-c/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace glow::runtime {

/// Memory from the operating system: page aligned, zero at first, with huge
/// pages where they help. Never committed before it is touched.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// `what` names the buffer in the error message.
  GlowStatus allocate(uint64_t bytes, const char *what);
  /// Maps all pages, of which those that were not written share one of zeros: a
  /// vector with a mask that reaches into one that is not mapped takes hundreds
  /// of cycles.
  void readAll() const;
  /// A copy of what is mapped from a file and was never written to. The pages
  /// of the file are given back piece by piece, so that there are never two
  /// copies.
  GlowStatus moveFrom(const void *file, uint64_t bytes, const char *what);
  /// Null only before allocate: an empty buffer has an address too.
  void *data() const { return memory; }
  uint64_t size() const { return bytes; }

private:
  void swap(Buffer &other) {
    std::swap(memory, other.memory);
    std::swap(bytes, other.bytes);
    std::swap(mapped, other.mapped);
  }
  void *memory = nullptr;
  uint64_t bytes = 0, mapped = 0;
};

/// A file mapped for reading.
class MappedFile {
public:
  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(memory, other.memory);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~MappedFile();

  GlowStatus open(const std::string &path);
  /// Opens `name` directly inside `folder`: a name with a folder in it, or one
  /// that is a link, is refused.
  GlowStatus openInside(const std::string &folder, const std::string &name);
  const void *data() const { return memory; }
  uint64_t size() const { return bytes; }

private:
  GlowStatus map(int file, const std::string &path);
  void *memory = nullptr;
  uint64_t bytes = 0;
};

/// The folder of a path, "." if it has none.
std::string folderOf(const std::string &path);

/// Fails unless `name` is a plain file name, without a folder.
GlowStatus checkFileName(const std::string &name);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_MEMORY_H
