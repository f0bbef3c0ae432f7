//===- WriteFile.cpp - Files that are complete or not there -----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/WriteFile.h"
#include "glow/Runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow::runtime;

static bool writeAll(int file, const std::vector<Piece> &pieces) {
  for (const Piece &piece : pieces) {
    const char *data = static_cast<const char *>(piece.data);
    for (uint64_t done = 0; done < piece.bytes;) {
      ssize_t written = write(file, data + done,
                              std::min<uint64_t>(piece.bytes - done, 1 << 30));
      if (written < 0 && errno != EINTR)
        return false;
      done += uint64_t(std::max<ssize_t>(written, 0));
    }
  }
  return true;
}

static GlowStatus cannotWrite(const std::string &path) {
  return fail(GLOW_IO_ERROR, "cannot write '", path,
              "': ", std::strerror(errno));
}

/// A new file beside `path`, and its name; -1 if there cannot be one.
static int openBeside(const std::string &path, std::string &name) {
  std::random_device random;
  for (int tries = 0; tries < 100; ++tries) {
    name = path + "." + std::to_string(random());
    int file =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

GlowStatus glow::runtime::writeFile(const std::string &path,
                                    const std::vector<Piece> &pieces) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    bool isWritten = file >= 0 && writeAll(file, pieces);
    GlowStatus status = isWritten ? GLOW_OK : cannotWrite(path);
    if (file >= 0)
      close(file);
    return status;
  }
  std::string temporary;
  int file = openBeside(path, temporary);
  if (file < 0)
    return cannotWrite(path);
  bool isWritten = writeAll(file, pieces);
  isWritten &= close(file) == 0;
  if (isWritten && rename(temporary.c_str(), path.c_str()) == 0)
    return GLOW_OK;
  GlowStatus status = cannotWrite(path);
  unlink(temporary.c_str());
  return status;
}
