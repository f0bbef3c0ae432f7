//===- Lists.cpp - sequences and optionals at a function's border ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Lists.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::glow;

Attribute mlir::glow::toAttribute(ArrayRef<TensorList> lists,
                                  MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> entries;
  for (const TensorList &list : lists) {
    NamedAttrList entry;
    entry.set("name", builder.getStringAttr(list.name));
    entry.set("first", builder.getI64IntegerAttr(list.first));
    entry.set("count", builder.getI64IntegerAttr(list.count));
    for (auto [name, isSet] : {std::pair("sequence", list.isSequence),
                               std::pair("optional", list.isOptional),
                               std::pair("absent", !list.isPresent)})
      if (isSet)
        entry.set(name, builder.getUnitAttr());
    entries.push_back(entry.getDictionary(context));
  }
  return builder.getArrayAttr(entries);
}

std::vector<TensorList> mlir::glow::tensorListsOf(Attribute attribute) {
  std::vector<TensorList> lists;
  auto entries = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!entries)
    return lists;
  for (auto entry : entries.getAsRange<DictionaryAttr>()) {
    auto number = [&](StringRef name) {
      auto value = entry.getAs<IntegerAttr>(name);
      return value ? static_cast<unsigned>(value.getInt()) : 0;
    };
    auto name = entry.getAs<StringAttr>("name");
    lists.push_back({name ? name.str() : "", entry.contains("sequence"),
                     entry.contains("optional"), !entry.contains("absent"),
                     number("first"), number("count")});
  }
  return lists;
}

std::string mlir::glow::nameInList(StringRef name, unsigned index) {
  return (name + "[" + Twine(index) + "]").str();
}
