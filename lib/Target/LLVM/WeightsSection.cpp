//===- WeightsSection.cpp - weights in an object file ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WeightsSection.h"
#include "glow-c/ModelABI.h"
#include "llvm/Object/ELF.h"

using namespace mlir;
using namespace mlir::glow;
namespace object = llvm::object;

std::string glow::weightsSectionAssembly(uint64_t bytes) {
  std::string name = kWeightsSymbol;
  return ".section ." + name + ",\"a\",%nobits\n.balign " +
         std::to_string(GLOW_BUFFER_ALIGNMENT) + "\n.hidden " + name +
         "\n.globl " + name + "\n" + name + ":\n.zero " +
         std::to_string(bytes) + "\n.previous\n";
}

template <typename ELFT>
static llvm::Error openSection(SmallVectorImpl<char> &bytes) {
  uint64_t end = llvm::alignTo(bytes.size(), GLOW_BUFFER_ALIGNMENT);
  bytes.resize(end);
  auto file = object::ELFFile<ELFT>::create({bytes.data(), bytes.size()});
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const typename ELFT::Shdr &section : *sections) {
    auto name = file->getSectionName(section);
    if (!name)
      return name.takeError();
    if (!name->consume_front(".") || *name != kWeightsSymbol)
      continue;
    auto &header = const_cast<typename ELFT::Shdr &>(section);
    header.sh_type = llvm::ELF::SHT_PROGBITS;
    header.sh_offset = end;
    return llvm::Error::success();
  }
  return llvm::createStringError("the descriptor's object has no weights");
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
