//===- Memory.cpp - Aligned buffers and mapped files ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Memory.h"
#include "glow/Runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow::runtime;

static constexpr uint64_t kHugePage = 2 << 20;
static uint64_t pageBytes() { return uint64_t(sysconf(_SC_PAGESIZE)); }

Buffer::~Buffer() {
  if (memory)
    munmap(memory, mapped);
}

/// Starts at a multiple of a huge page if it may hold some: the kernel only
/// then uses them from the start.
static void *mapAnonymous(uint64_t length) {
  if (length >= uint64_t(1) << 62)
    return MAP_FAILED;
  uint64_t slack = length >= kHugePage ? kHugePage : 0;
  void *address = mmap(nullptr, length + slack, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED || !slack)
    return address;
  auto begin = reinterpret_cast<uintptr_t>(address);
  uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
  uintptr_t end =
      (aligned + length + pageBytes() - 1) / pageBytes() * pageBytes();
  if (aligned > begin)
    munmap(address, aligned - begin);
  if (begin + length + slack > end)
    munmap(reinterpret_cast<void *>(end), begin + length + slack - end);
#ifdef MADV_HUGEPAGE
  // Only advice: may fail.
  madvise(reinterpret_cast<void *>(aligned), length, MADV_HUGEPAGE);
#endif
  return reinterpret_cast<void *>(aligned);
}

GlowStatus Buffer::allocate(uint64_t wanted, const char *what) {
  uint64_t length = std::max<uint64_t>(wanted, 1);
  void *address = mapAnonymous(length);
  if (address == MAP_FAILED)
    return fail(GLOW_OUT_OF_MEMORY, "cannot get ", wanted, " bytes for ", what);
  Buffer fresh;
  fresh.memory = address;
  fresh.bytes = wanted;
  fresh.mapped = length;
  swap(fresh);
  return GLOW_OK;
}

void Buffer::readAll() const {
  auto *content = static_cast<const volatile char *>(memory);
  for (uint64_t at = 0; at < bytes; at += pageBytes())
    (void)content[at];
}

GlowStatus Buffer::moveFrom(const void *file, uint64_t length,
                            const char *what) {
  if (GlowStatus status = allocate(length, what))
    return status;
  constexpr uint64_t kPiece = 4 << 20;
  auto *from = static_cast<const char *>(file);
  uintptr_t page = pageBytes();
  for (uint64_t at = 0; at < length; at += kPiece) {
    uint64_t count = std::min(kPiece, length - at);
    std::memcpy(static_cast<char *>(memory) + at, from + at, count);
    uintptr_t begin = reinterpret_cast<uintptr_t>(from + at);
    uintptr_t end = (begin + count) / page * page;
    begin = (begin + page - 1) / page * page;
    if (begin < end)
      madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
  }
  return GLOW_OK;
}

MappedFile::~MappedFile() {
  if (bytes)
    munmap(memory, bytes);
}

GlowStatus MappedFile::open(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return fail(errno == ENOENT ? GLOW_NOT_FOUND : GLOW_IO_ERROR,
                "cannot open '", path, "': ", std::strerror(errno));
  return map(file, path);
}

GlowStatus MappedFile::openInside(const std::string &folder,
                                  const std::string &name) {
  if (GlowStatus status = checkFileName(name))
    return status;
  std::string path = folder + "/" + name;
  int file =
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0 && errno == ELOOP)
    return fail(GLOW_INVALID_MODEL, "'", path,
                "' is a link; put the file itself into the folder");
  if (file < 0)
    return fail(errno == ENOENT ? GLOW_NOT_FOUND : GLOW_IO_ERROR,
                "cannot open '", path, "': ", std::strerror(errno));
  return map(file, path);
}

/// Takes over `file`, an open descriptor.
GlowStatus MappedFile::map(int file, const std::string &path) {
  struct stat info;
  void *address = MAP_FAILED;
  bool isRegular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  if (isRegular && info.st_size > 0)
    address =
        mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  int error = errno;
  close(file);
  if (!isRegular)
    return fail(GLOW_IO_ERROR, "'", path, "' is not a regular file");
  MappedFile fresh;
  if (info.st_size > 0) {
    if (address == MAP_FAILED)
      return fail(GLOW_IO_ERROR, "cannot map '", path,
                  "': ", std::strerror(error));
    fresh.memory = address;
    fresh.bytes = uint64_t(info.st_size);
  }
  *this = std::move(fresh);
  return GLOW_OK;
}

std::string glow::runtime::folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

GlowStatus glow::runtime::checkFileName(const std::string &name) {
  if (name.empty() || name == "." || name == ".." ||
      name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos)
    return fail(GLOW_INVALID_MODEL, "'", name,
                "' is not a file name; files of a model must lie in its own "
                "folder");
  return GLOW_OK;
}
