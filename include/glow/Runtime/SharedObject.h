//===- SharedObject.h - An opened .so ---------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_SHAREDOBJECT_H
#define GLOW_RUNTIME_SHAREDOBJECT_H

#include "glow-c/Status.h"

#include <string>

namespace glow::runtime {

/// A shared object; closed with this object unless it was told to stay.
class SharedObject {
public:
  SharedObject() = default;
  SharedObject(SharedObject &&other) noexcept { *this = std::move(other); }
  SharedObject &operator=(SharedObject &&other) noexcept {
    std::swap(handle, other.handle);
    std::swap(path, other.path);
    return *this;
  }
  ~SharedObject();

  /// Checks that the file is complete before the dynamic linker maps it: it
  /// would be killed by a truncated one. A new file of the name of one in use
  /// is another object, as long as it does not overwrite that.
  GlowStatus open(const std::string &path);
  /// The address of an exported symbol.
  GlowStatus find(const char *symbol, void *&address) const;
  /// Keeps the object in memory until the process ends.
  void keep() { handle = nullptr; }

private:
  void *handle = nullptr;
  std::string path;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_SHAREDOBJECT_H
