//===- HostAttributes.cpp - what functions of the runtime are told --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/HostAttributes.h"

using namespace mlir;
using namespace mlir::glow;

/// Reads one attribute; false if it has none of the known forms.
static bool read(Attribute value, HostAttribute &to) {
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value)) {
    to.values = std::vector<int64_t>(list.asArrayRef());
  } else if (auto list = dyn_cast<DenseF64ArrayAttr>(value)) {
    to.values = std::vector<double>(list.asArrayRef());
  } else if (auto number = dyn_cast<IntegerAttr>(value);
             number && number.getType().isSignlessInteger(64)) {
    to.values = std::vector<int64_t>{number.getInt()};
  } else if (auto number = dyn_cast<FloatAttr>(value);
             number && number.getType().isF64()) {
    to.values = std::vector<double>{number.getValueAsDouble()};
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    to.values = std::vector<StringRef>{text.getValue()};
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    std::vector<StringRef> texts;
    for (Attribute element : list) {
      auto text = dyn_cast<StringAttr>(element);
      if (!text)
        return false;
      texts.push_back(text.getValue());
    }
    to.values = std::move(texts);
  } else {
    return false;
  }
  return true;
}

std::vector<HostAttribute> glow::readHostAttributes(DictionaryAttr attributes) {
  std::vector<HostAttribute> result;
  for (NamedAttribute attribute : attributes) {
    HostAttribute one{attribute.getName().str(), {}};
    if (read(attribute.getValue(), one))
      result.push_back(std::move(one));
  }
  return result;
}

LogicalResult glow::verifyHostAttributes(Operation *op,
                                         DictionaryAttr attributes) {
  for (NamedAttribute attribute : attributes) {
    HostAttribute one;
    if (!read(attribute.getValue(), one))
      return op->emitOpError("attribute '")
             << attribute.getName().getValue()
             << "' must be an i64, an f64, a string or a list of one of these";
  }
  return success();
}
