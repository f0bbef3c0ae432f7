//===- MappedFiles.cpp - pages of mapped files ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/MappedFiles.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <map>
#include <mutex>

#ifdef __unix__
#include <sys/mman.h>
#endif

using namespace mlir;
using namespace mlir::glow;

namespace {
/// First and last byte of each mapping. Never destroyed: constants of static
/// contexts may outlive it.
struct Mappings {
  std::mutex mutex;
  std::map<uintptr_t, uintptr_t> ends;

  static Mappings &get() {
    static auto *mappings = new Mappings;
    return *mappings;
  }
};
} // namespace

static uintptr_t addressOf(const char *byte) {
  return reinterpret_cast<uintptr_t>(byte);
}

std::shared_ptr<llvm::MemoryBuffer>
glow::shareFile(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (buffer->getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return buffer;
  Mappings &mappings = Mappings::get();
  {
    std::lock_guard lock(mappings.mutex);
    mappings.ends[addressOf(buffer->getBufferStart())] =
        addressOf(buffer->getBufferEnd());
  }
  return {buffer.release(), [&mappings](llvm::MemoryBuffer *mapped) {
            {
              std::lock_guard lock(mappings.mutex);
              mappings.ends.erase(addressOf(mapped->getBufferStart()));
            }
            delete mapped;
          }};
}

void glow::dropFilePages(ArrayRef<char> bytes) {
#ifdef __unix__
  uintptr_t page = llvm::sys::Process::getPageSizeEstimate();
  uintptr_t begin = llvm::alignTo(addressOf(bytes.begin()), page);
  uintptr_t end = llvm::alignDown(addressOf(bytes.end()), page);
  if (begin >= end)
    return;
  // Held until the pages are gone: the mapping must not go before.
  Mappings &mappings = Mappings::get();
  std::lock_guard lock(mappings.mutex);
  auto after = mappings.ends.upper_bound(begin);
  if (after == mappings.ends.begin() || std::prev(after)->second < end)
    return;
  // Advice: nothing depends on whether it is taken.
  madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
#endif
}
