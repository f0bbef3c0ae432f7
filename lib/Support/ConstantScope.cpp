//===- ConstantScope.cpp - memory of constants made on the way ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/ConstantScope.h"
#include "glow/Support/MappedFiles.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;
using namespace mlir::glow;

ConstantScope::ConstantScope(MLIRContext *context)
    : manager(DenseResourceElementsHandle::getManagerInterface(context)
                  .getBlobManager()) {
  manager.getBlobMap([&](const llvm::StringMap<Entry> &entries) {
    for (const auto &entry : entries)
      older.insert(&entry.second);
  });
}

ConstantScope::~ConstantScope() {
  SmallVector<StringRef> own;
  manager.getBlobMap([&](const llvm::StringMap<Entry> &entries) {
    for (const auto &entry : entries)
      if (!older.contains(&entry.second))
        own.push_back(entry.first());
  });
  for (StringRef key : own)
    manager.update(key, AsmResourceBlob());
}

std::shared_ptr<const void> ConstantScope::take(Attribute value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return nullptr;
  Entry *entry = resource.getRawHandle().getResource();
  if (older.contains(entry))
    return {entry, [](Entry *entry) {
              if (AsmResourceBlob *blob = entry->getBlob())
                dropFilePages(blob->getData());
            }};
  return {entry, [](Entry *entry) { entry->setBlob(AsmResourceBlob()); }};
}
