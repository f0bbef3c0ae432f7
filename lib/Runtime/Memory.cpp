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

Buffer::~Buffer() {
  if (memory)
    munmap(memory, mapped);
}

GlowStatus Buffer::allocate(uint64_t wanted, const char *what) {
  uint64_t length = std::max<uint64_t>(wanted, 1);
  void *address = MAP_FAILED;
  if (length < uint64_t(1) << 62)
    address = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return fail(GLOW_OUT_OF_MEMORY, "cannot get ", wanted, " bytes for ", what);
#ifdef MADV_HUGEPAGE
  if (length >= kHugePage)
    madvise(address, length, MADV_HUGEPAGE); // only advice: may fail
#endif
  Buffer fresh;
  fresh.memory = address;
  fresh.bytes = wanted;
  fresh.mapped = length;
  swap(fresh);
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
