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
#include <fcntl.h>
#include <link.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

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
#if defined(__x86_64__)
  constexpr unsigned machine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned machine = EM_AARCH64;
#else
  const unsigned machine = header.e_machine;
#endif
  if (header.e_machine != machine)
    return fail(GLOW_INVALID_MODEL, "'", path,
                "' is for another processor: its machine in the ELF header is ",
                header.e_machine, ", this one is ", machine,
                "; compile the model for this machine");
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

namespace {
/// The dynamic linker returns an object in use for every name that once led to
/// it, though there may be a new file of that name. Such a file is opened by
/// its descriptor, whose name means it alone as long as it is open: until the
/// object is gone, which others may hold too.
class DynamicLinker {
public:
  void *open(const std::string &path);
  void close(void *handle);

private:
  struct Object {
    unsigned uses = 0;
    std::string name; // as the dynamic linker knows it
    dev_t device = 0;
    ino_t inode = 0;
    std::vector<int> descriptors; // of names that lead to it
  };
  void *reopen(const struct stat &file);
  /// Forgets objects that nobody has in use any more.
  void sweep();

  std::mutex mutex;
  std::map<void *, Object> objects;
};
} // namespace

/// Once more an object that is open; null if the file is none of them.
void *DynamicLinker::reopen(const struct stat &file) {
  for (auto &[handle, object] : objects)
    if (object.device == file.st_dev && object.inode == file.st_ino &&
        dlopen(object.name.c_str(), RTLD_NOW | RTLD_LOCAL) == handle) {
      ++object.uses;
      return handle;
    }
  return nullptr;
}

void DynamicLinker::sweep() {
  for (auto object = objects.begin(); object != objects.end();) {
    const auto &[uses, name, device, inode, descriptors] = object->second;
    bool held = uses > 0;
    if (void *other = held || descriptors.empty()
                          ? nullptr
                          : dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
      held = other == object->first;
      dlclose(other);
    }
    if (!held)
      for (int descriptor : descriptors)
        ::close(descriptor);
    object = held ? std::next(object) : objects.erase(object);
  }
}

void *DynamicLinker::open(const std::string &path) {
  std::lock_guard<std::mutex> lock(mutex);
  sweep();
  struct stat file = {};
  if (stat(path.c_str(), &file) == 0)
    if (void *handle = reopen(file))
      return handle;
  int descriptor = -1;
  std::string name = path;
  if (void *known = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    dlclose(known);
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string opened = "/proc/self/fd/" + std::to_string(descriptor);
    if (fstat(descriptor, &file) == 0 && access(opened.c_str(), R_OK) == 0)
      name = opened;
  }
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    if (descriptor >= 0)
      ::close(descriptor);
    return nullptr;
  }
  auto [object, isNew] = objects.try_emplace(handle);
  if (isNew)
    object->second = {0, name, file.st_dev, file.st_ino, {}};
  ++object->second.uses;
  if (descriptor >= 0)
    object->second.descriptors.push_back(descriptor);
  return handle;
}

void DynamicLinker::close(void *handle) {
  std::lock_guard<std::mutex> lock(mutex);
  dlclose(handle);
  auto object = objects.find(handle);
  if (object != objects.end() && --object->second.uses == 0)
    sweep();
}

/// Never destroyed: programs may close models while the process ends.
static DynamicLinker &dynamicLinker() {
  static auto *linker = new DynamicLinker;
  return *linker;
}

SharedObject::~SharedObject() {
  if (handle)
    dynamicLinker().close(handle);
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
  void *opened = dynamicLinker().open(path);
  if (!opened)
    return fail(GLOW_INVALID_MODEL, "cannot load '", path, "': ", dlerror());
  if (handle)
    dynamicLinker().close(handle);
  handle = opened;
  return GLOW_OK;
}

GlowStatus SharedObject::find(const char *symbol, void *&address) const {
  address = dlsym(handle, symbol);
  if (address)
    return GLOW_OK;
  return fail(GLOW_NOT_FOUND, "'", path, "' exports no '", symbol, "'");
}
