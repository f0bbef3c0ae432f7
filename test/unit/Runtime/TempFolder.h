//===- TempFolder.h - A folder that a test may fill -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_UNITTEST_TEMPFOLDER_H
#define GLOW_UNITTEST_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// Removed with its content at the end.
class TempFolder {
public:
  TempFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "glow-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path); }

  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  std::string write(const std::string &name, const std::string &content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }
  std::string copy(const std::string &file, const std::string &name) const {
    std::filesystem::copy_file(file, *this / name);
    return *this / name;
  }

  std::string path;
};

#endif // GLOW_UNITTEST_TEMPFOLDER_H
