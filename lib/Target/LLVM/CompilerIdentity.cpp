//===- CompilerIdentity.cpp - what tells builds of the compiler apart -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build identifiers that the linker made of the contents of Glow, MLIR and
// LLVM, or where there is none, what tells versions of the file apart.
//
//===----------------------------------------------------------------------===//
#include "glow/Target/LLVM/KernelCache.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <link.h>

using namespace mlir::glow;

namespace {
struct Search {
  uintptr_t address;
  std::string identity;
};
} // namespace

static bool holds(const dl_phdr_info &object, uintptr_t address) {
  for (const ElfW(Phdr) &segment :
       llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum)) {
    uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && begin <= address &&
        address < begin + segment.p_memsz)
      return true;
  }
  return false;
}

static std::string buildId(const dl_phdr_info &object) {
  for (const ElfW(Phdr) &segment :
       llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum)) {
    if (segment.p_type != PT_NOTE)
      continue;
    auto *at =
        reinterpret_cast<const uint8_t *>(object.dlpi_addr + segment.p_vaddr);
    const uint8_t *end = at + segment.p_filesz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const uint8_t *name = at + sizeof(*note);
      const uint8_t *content = name + llvm::alignTo<4>(note->n_namesz);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
          memcmp(name, "GNU", 4) == 0)
        return llvm::toHex(llvm::ArrayRef(content, note->n_descsz));
      at = content + llvm::alignTo<4>(note->n_descsz);
    }
  }
  return "";
}

static std::string fileVersion(llvm::StringRef file) {
  llvm::sys::fs::file_status status;
  // An empty name stands for the program.
  if (llvm::sys::fs::status(file.empty() ? "/proc/self/exe" : file, status))
    return "";
  auto changed = status.getLastModificationTime().time_since_epoch();
  return (file + " " + llvm::Twine(status.getSize()) + " " +
          llvm::Twine(changed.count()))
      .str();
}

static int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!holds(*object, search.address))
    return 0;
  search.identity = buildId(*object);
  if (search.identity.empty())
    search.identity = fileVersion(object->dlpi_name);
  return 1;
}

llvm::StringRef mlir::glow::compilerIdentity() {
  static const std::string identity = [] {
    std::string result;
    for (uintptr_t address :
         {reinterpret_cast<uintptr_t>(&compilerIdentity),
          reinterpret_cast<uintptr_t>(&mlir::translateModuleToLLVMIR),
          reinterpret_cast<uintptr_t>(&llvm::verifyFunction)}) {
      Search search{address, ""};
      dl_iterate_phdr(visit, &search);
      // What cannot be told apart has an empty name, which nothing matches.
      if (search.identity.empty())
        return std::string();
      result += search.identity + ";";
    }
    return result;
  }();
  return identity;
}
