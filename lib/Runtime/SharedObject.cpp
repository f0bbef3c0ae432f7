//===- SharedObject.cpp - An opened .so -------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/SharedObject.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Memory.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace glow::runtime;

/// Whether `count` records of `size` bytes at `offset` lie in the file.
static bool isInside(const MappedFile &file, uint64_t offset, uint64_t count,
                     uint64_t size) {
  uint64_t bytes, end;
  return !__builtin_mul_overflow(count, size, &bytes) &&
         !__builtin_add_overflow(offset, bytes, &end) && end <= file.size();
}

static GlowStatus checkElf(const MappedFile &file, const std::string &path) {
  ElfW(Ehdr) header;
  if (file.size() < sizeof(header) ||
      std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
    return fail(GLOW_INVALID_MODEL, "'", path,
                "' is not a shared object; expected a model compiled with "
                "glow-compile -o model.so");
  const char *base = static_cast<const char *>(file.data());
  std::memcpy(&header, base, sizeof(header));
  bool isComplete =
      header.e_phentsize == sizeof(ElfW(Phdr)) &&
      isInside(file, header.e_phoff, header.e_phnum, sizeof(ElfW(Phdr)));
  for (unsigned i = 0; isComplete && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, base + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC)
      isComplete = isInside(file, segment.p_offset, 1, segment.p_filesz) &&
                   segment.p_filesz <= segment.p_memsz;
  }
  if (!isComplete)
    return fail(GLOW_INVALID_MODEL, "'", path,
                "' is truncated or damaged; copy or compile it again");
  return GLOW_OK;
}

SharedObject::~SharedObject() {
  if (handle)
    dlclose(handle);
}

GlowStatus SharedObject::open(const std::string &file) {
  {
    MappedFile mapped;
    if (GlowStatus status = mapped.open(file))
      return status;
    if (GlowStatus status = checkElf(mapped, file))
      return status;
  }
  // A name without a folder would be looked up in the system's library path.
  path = file.find('/') == std::string::npos ? "./" + file : file;
  void *opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    return fail(GLOW_INVALID_MODEL, "cannot load '", path, "': ", dlerror());
  if (handle)
    dlclose(handle);
  handle = opened;
  return GLOW_OK;
}

GlowStatus SharedObject::find(const char *symbol, void *&address) const {
  address = dlsym(handle, symbol);
  if (address)
    return GLOW_OK;
  return fail(GLOW_NOT_FOUND, "'", path, "' exports no '", symbol, "'");
}
