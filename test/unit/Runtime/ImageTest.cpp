//===- ImageTest.cpp - Reading pictures, also damaged ones ------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Image.h"

#include <cstring>
#include <gtest/gtest.h>
#include <png.h>

using namespace glow::runtime;

namespace {

GlowStatus parse(const std::string &file, Array &image) {
  std::vector<char> exact(file.begin(), file.end());
  return parseImage(exact.data(), exact.size(), "test", image);
}

std::string bytesOf(const Array &image) {
  return {static_cast<const char *>(image.data.data()),
          size_t(image.dims[0] * image.dims[1] * image.dims[2])};
}

std::string pngOf(const std::string &pixels, uint32_t width, uint32_t height,
                  uint32_t format) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = width;
  png.height = height;
  png.format = format;
  png_alloc_size_t size = 4096;
  std::string file(size, '\0');
  EXPECT_TRUE(png_image_write_to_memory(&png, file.data(), &size, 0,
                                        pixels.data(), 0, nullptr));
  return file.substr(0, size);
}

TEST(Image, Png) {
  Array image;
  ASSERT_EQ(parse(pngOf("abcdef", 3, 2, PNG_FORMAT_GRAY), image), GLOW_OK);
  EXPECT_EQ(image.dims, (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(bytesOf(image), "abcdef");
  ASSERT_EQ(parse(pngOf("abcdef", 1, 2, PNG_FORMAT_RGB), image), GLOW_OK);
  EXPECT_EQ(image.dims, (std::vector<int64_t>{2, 1, 3}));
  EXPECT_EQ(bytesOf(image), "abcdef");
}

TEST(Image, TransparencyIsDropped) {
  Array image;
  ASSERT_EQ(
      parse(pngOf(std::string("abc\1def\0", 8), 2, 1, PNG_FORMAT_RGBA), image),
      GLOW_OK);
  EXPECT_EQ(image.dims, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(bytesOf(image), "abcdef");
}

TEST(Image, DamagedPng) {
  std::string good = pngOf(std::string(300, 'x'), 10, 10, PNG_FORMAT_RGB);
  Array image;
  ASSERT_EQ(parse(good, image), GLOW_OK);
  for (size_t length = 0; length + 12 < good.size(); ++length)
    EXPECT_NE(parse(good.substr(0, length), image), GLOW_OK) << length;
  for (size_t at = 0; at < good.size(); ++at) {
    std::string flipped = good;
    flipped[at] = char(flipped[at] ^ 0x55);
    parse(flipped, image); // must not crash
  }
}

TEST(Image, Pnm) {
  Array image;
  ASSERT_EQ(parse("P5 # grey\n3\t2 255\nabcdef", image), GLOW_OK);
  EXPECT_EQ(image.dims, (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(bytesOf(image), "abcdef");
  ASSERT_EQ(parse("P6\n2 1\n255\nabcdef", image), GLOW_OK);
  EXPECT_EQ(image.dims, (std::vector<int64_t>{1, 2, 3}));
  ASSERT_EQ(parse(std::string("P5 3 1 100\n\0\x32\xff", 14), image), GLOW_OK);
  EXPECT_EQ(bytesOf(image), std::string("\0\x80\xff", 3));
  ASSERT_EQ(parse("P5 1 1 65535\n\xff\xff", image), GLOW_OK);
  EXPECT_EQ(bytesOf(image), "\xff");
}

TEST(Image, DamagedPnm) {
  Array image;
  for (const char *text :
       {"P5", "P5 ", "P5 3", "P5 3 2 255", "P5 3 2 255\nabcde",
        "P5 0 2 255\nab", "P5 3 2 0\nabcdef", "P5 3 2 70000\nabcdef",
        "P5 -3 2 255\nabcdef", "P5 999999999 999999999 255\nabc",
        "P6 99999999999 1 255\nabc", "P5 # endless comment", "P2 1 1 255\n3",
        "GIF89a", ""})
    EXPECT_NE(parse(text, image), GLOW_OK) << text;
}

} // namespace
