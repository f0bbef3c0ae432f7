//===- WeightsSection.cpp - weights in a shared library -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WeightsSection.h"
#include "glow-c/ModelABI.h"
#include "llvm/Object/ELF.h"

using namespace mlir;
using namespace mlir::glow;
namespace object = llvm::object;

/// Of the section in memory and in the file: the largest page of any target.
static constexpr uint64_t kPage = 1 << 16;

std::string glow::weightsSectionAssembly(uint64_t bytes) {
  std::string name = kWeightsSymbol;
  return ".section ." + name + ",\"aw\",%nobits\n.balign " +
         std::to_string(kPage) + "\n.hidden " + name + "\n.globl " + name +
         "\n" + name + ":\n.zero " + std::to_string(bytes) +
         "\n.section .note." + name +
         ",\"a\",%note\n.balign 4\n.long 5, 0, 1\n.asciz \"Glow\"\n"
         ".balign 4\n.previous\n";
}

/// The header of the section of weights, or null.
template <typename ELFT>
static llvm::Expected<typename ELFT::Shdr *>
findSection(const object::ELFFile<ELFT> &file) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const typename ELFT::Shdr &section : *sections) {
    auto name = file.getSectionName(section);
    if (!name)
      return name.takeError();
    if (name->consume_front(".") && *name == kWeightsSymbol)
      return const_cast<typename ELFT::Shdr *>(&section);
  }
  return nullptr;
}

/// Gives the section, which ends the last segment, contents at `offset` of the
/// file. If that segment holds more, it is made shorter and the note becomes a
/// segment. False if the linker has not laid it out so, or if segments would
/// not be in the order of their addresses, as the dynamic linker wants them.
template <typename ELFT>
static bool fillSegment(llvm::ArrayRef<typename ELFT::Phdr> headers,
                        const typename ELFT::Shdr &section, uint64_t offset) {
  typename ELFT::Phdr *last = nullptr, *note = nullptr;
  for (const typename ELFT::Phdr &header : headers) {
    auto *changeable = const_cast<typename ELFT::Phdr *>(&header);
    if (header.p_type == llvm::ELF::PT_LOAD)
      last = changeable;
    if (header.p_type == llvm::ELF::PT_NOTE)
      note = changeable;
  }
  if (!last || section.sh_addr % kPage != 0 ||
      section.sh_addr < last->p_vaddr + last->p_filesz ||
      section.sh_addr + section.sh_size != last->p_vaddr + last->p_memsz)
    return false;
  typename ELFT::Phdr *own = last;
  if (last->p_vaddr != section.sh_addr) {
    if (note < last)
      return false;
    last->p_memsz = section.sh_addr - last->p_vaddr;
    own = note;
  }
  own->p_type = llvm::ELF::PT_LOAD;
  own->p_flags = llvm::ELF::PF_R;
  own->p_offset = offset;
  own->p_vaddr = section.sh_addr;
  own->p_paddr = section.sh_addr;
  own->p_filesz = section.sh_size;
  own->p_memsz = section.sh_size;
  own->p_align = kPage;
  return true;
}

template <typename ELFT>
static llvm::Error openSection(SmallVectorImpl<char> &bytes) {
  uint64_t end = llvm::alignTo(bytes.size(), kPage);
  bytes.resize(end);
  auto file = object::ELFFile<ELFT>::create({bytes.data(), bytes.size()});
  if (!file)
    return file.takeError();
  auto section = findSection(*file);
  if (!section)
    return section.takeError();
  auto headers = file->program_headers();
  if (!headers)
    return headers.takeError();
  if (!*section || !fillSegment<ELFT>(*headers, **section, end))
    return llvm::createStringError("the linker has put the weights where they "
                                   "cannot be filled in; use GNU ld or lld");
  (*section)->sh_type = llvm::ELF::SHT_PROGBITS;
  (*section)->sh_flags = llvm::ELF::SHF_ALLOC;
  (*section)->sh_offset = end;
  return llvm::Error::success();
}

llvm::Error glow::openWeightsSection(SmallVectorImpl<char> &bytes) {
  auto [width, order] =
      object::getElfArchType(StringRef(bytes.data(), bytes.size()));
  bool isLittle = order == llvm::ELF::ELFDATA2LSB;
  if (width == llvm::ELF::ELFCLASS64)
    return isLittle ? openSection<object::ELF64LE>(bytes)
                    : openSection<object::ELF64BE>(bytes);
  if (width == llvm::ELF::ELFCLASS32)
    return isLittle ? openSection<object::ELF32LE>(bytes)
                    : openSection<object::ELF32BE>(bytes);
  return llvm::createStringError(
      "weights can be put into ELF objects only; write a static object (.o)");
}
