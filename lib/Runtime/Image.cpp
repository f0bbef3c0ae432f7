//===- Image.cpp - Pictures as arrays ---------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Image.h"
#include "glow/Runtime/Error.h"

#include <algorithm>
#include <cstring>
#include <png.h>

using namespace glow::runtime;

// A few kilobytes of PNG can claim to be any size.
static constexpr uint64_t kMostPixels = 1 << 27;

static GlowStatus allocateImage(uint64_t height, uint64_t width,
                                uint64_t channels, const std::string &where,
                                Array &image) {
  if (height == 0 || width == 0 || height > kMostPixels ||
      width > kMostPixels || height * width > kMostPixels)
    return fail(GLOW_INVALID_ARGUMENT, "'", where, "' is ", width, " x ",
                height, " pixels; at most ", kMostPixels, " are read");
  if (GlowStatus status =
          image.data.allocate(height * width * channels, where.c_str()))
    return status;
  image.dtype = GLOW_U8;
  image.dims = {int64_t(height), int64_t(width), int64_t(channels)};
  return GLOW_OK;
}

// --- PNG ---------------------------------------------------------------------

/// Removes the last of `channels` channels in place.
static void dropAlpha(uint8_t *pixels, uint64_t count, unsigned channels) {
  for (uint64_t i = 0; i < count; ++i)
    std::memmove(pixels + i * (channels - 1), pixels + i * channels,
                 channels - 1);
}

static GlowStatus readPng(const void *bytes, uint64_t size,
                          const std::string &where, Array &image) {
  png_image png;
  std::memset(&png, 0, sizeof(png));
  png.version = PNG_IMAGE_VERSION;
  auto damaged = [&] {
    GlowStatus status = fail(GLOW_INVALID_ARGUMENT, "'", where,
                             "' is a damaged PNG file: ", png.message);
    png_image_free(&png);
    return status;
  };
  if (!png_image_begin_read_from_memory(&png, bytes, size))
    return damaged();
  // Alpha is read and thrown away: reading without it would blend the picture
  // with a background.
  bool hasColour = png.format & PNG_FORMAT_FLAG_COLOR;
  bool hasAlpha = png.format & PNG_FORMAT_FLAG_ALPHA;
  png.format = (hasColour ? PNG_FORMAT_FLAG_COLOR : 0) |
               (hasAlpha ? PNG_FORMAT_FLAG_ALPHA : 0);
  unsigned stored = PNG_IMAGE_PIXEL_CHANNELS(png.format);
  unsigned channels = hasColour ? 3 : 1;
  if (GlowStatus status =
          allocateImage(png.height, png.width, stored, where, image)) {
    png_image_free(&png);
    return status;
  }
  if (!png_image_finish_read(&png, nullptr, image.data.data(), 0, nullptr))
    return damaged();
  image.dims[2] = channels;
  if (hasAlpha)
    dropAlpha(static_cast<uint8_t *>(image.data.data()),
              uint64_t(image.dims[0] * image.dims[1]), stored);
  return GLOW_OK;
}

// --- PGM and PPM -------------------------------------------------------------

namespace {
/// The numbers of a header, which white space and comments separate.
struct PnmHeader {
  const uint8_t *at, *end;

  bool number(uint32_t &value) {
    while (at != end &&
           (std::strchr(" \t\r\n\v\f", *at) ? *at != 0 : *at == '#'))
      if (*at++ == '#')
        while (at != end && *at != '\n')
          ++at;
    const uint8_t *first = at;
    for (value = 0; at != end && *at >= '0' && *at <= '9' && at - first < 9;)
      value = value * 10 + (*at++ - '0');
    return at != first;
  }
};
} // namespace

static GlowStatus readPnm(const uint8_t *bytes, uint64_t size,
                          const std::string &where, Array &image) {
  unsigned channels = bytes[1] == '6' ? 3 : 1;
  PnmHeader header{bytes + 2, bytes + size};
  uint32_t width, height, largest;
  if (!header.number(width) || !header.number(height) ||
      !header.number(largest) || largest == 0 || largest > 65535 ||
      header.at == header.end)
    return fail(GLOW_INVALID_ARGUMENT, "'", where,
                "' has a damaged PGM or PPM header");
  const uint8_t *data = header.at + 1; // after one white space
  unsigned sampleBytes = largest > 255 ? 2 : 1;
  uint64_t count = uint64_t(width) * height * channels;
  if (count > kMostPixels * 3 ||
      uint64_t(header.end - data) < count * sampleBytes)
    return fail(GLOW_INVALID_ARGUMENT, "'", where, "' has too few bytes for ",
                width, " x ", height, " pixels");
  if (GlowStatus status = allocateImage(height, width, channels, where, image))
    return status;
  auto *target = static_cast<uint8_t *>(image.data.data());
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t sample =
        sampleBytes == 1 ? data[i] : data[2 * i] << 8 | data[2 * i + 1];
    target[i] = uint8_t(
        std::min<uint32_t>(255, (sample * 255 + largest / 2) / largest));
  }
  return GLOW_OK;
}

GlowStatus glow::runtime::parseImage(const void *bytes, uint64_t size,
                                     const std::string &where, Array &image) {
  auto *start = static_cast<const uint8_t *>(bytes);
  if (size >= 8 && std::memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0)
    return readPng(bytes, size, where, image);
  if (size >= 3 && start[0] == 'P' && (start[1] == '5' || start[1] == '6'))
    return readPnm(start, size, where, image);
  return fail(GLOW_UNSUPPORTED, "'", where,
              "' is no picture in PNG, binary PGM or binary PPM format; "
              "convert it to one of these");
}

GlowStatus glow::runtime::readImage(const std::string &path, Array &image) {
  MappedFile file;
  if (GlowStatus status = file.open(path))
    return status;
  return parseImage(file.data(), file.size(), path, image);
}
