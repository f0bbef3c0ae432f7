//===- NpyTest.cpp - Reading and writing .npy files, also hostile ones ----===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Npy.h"
#include "TempFolder.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace glow::runtime;

namespace {

std::string header(const std::string &text, int version = 1) {
  std::string start = "\x93NUMPY";
  start += char(version);
  start += '\0';
  size_t size = text.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    start += char(size >> (8 * i) & 0xff);
  return start + text;
}

std::string dictionary(const std::string &descr, const std::string &shape,
                       const char *fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

GlowStatus parse(const std::string &file, Array &array,
                 uint32_t expected = GLOW_UNDEFINED) {
  // An exact copy on the heap lets the address sanitizer see every overrun.
  std::vector<char> exact(file.begin(), file.end());
  return parseNpy(exact.data(), exact.size(), expected, "test.npy", array);
}

std::string bytesOf(const Array &array) {
  return {static_cast<const char *>(array.data.data()), array.data.size()};
}

TEST(Npy, RoundTripOfEachType) {
  TempFolder folder;
  const uint32_t types[] = {
      GLOW_F32,    GLOW_U8,         GLOW_I8,         GLOW_U16,      GLOW_I16,
      GLOW_I32,    GLOW_I64,        GLOW_BOOL,       GLOW_F16,      GLOW_F64,
      GLOW_U32,    GLOW_U64,        GLOW_BF16,       GLOW_F8E4M3FN, GLOW_F8E5M2,
      GLOW_F8E8M0, GLOW_U4,         GLOW_I4,         GLOW_F4E2M1,   GLOW_U2,
      GLOW_I2,     GLOW_F8E4M3FNUZ, GLOW_F8E5M2FNUZ, GLOW_C64};
  for (uint32_t dtype : types) {
    std::vector<uint8_t> data(48);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = uint8_t(i * 5);
    ASSERT_EQ(writeNpy(folder / "a.npy", dtype, {2, 1, 3}, data.data()),
              GLOW_OK);
    Array array;
    ASSERT_EQ(readNpy(folder / "a.npy", dtype, array), GLOW_OK)
        << glow_last_error();
    EXPECT_EQ(array.dtype, dtype);
    EXPECT_EQ(array.dims, (std::vector<int64_t>{2, 1, 3}));
    size_t whole = array.data.size() - (array.data.size() == 3 ? 0 : 1);
    EXPECT_EQ(std::memcmp(array.data.data(), data.data(), whole), 0);
  }
}

TEST(Npy, ScalarAndEmpty) {
  TempFolder folder;
  float one = 1;
  Array array;
  ASSERT_EQ(writeNpy(folder / "a.npy", GLOW_F32, {}, &one), GLOW_OK);
  ASSERT_EQ(readNpy(folder / "a.npy", GLOW_F32, array), GLOW_OK);
  EXPECT_TRUE(array.dims.empty());
  EXPECT_EQ(*static_cast<float *>(array.data.data()), 1);
  ASSERT_EQ(writeNpy(folder / "a.npy", GLOW_F32, {0, 3}, nullptr), GLOW_OK);
  ASSERT_EQ(readNpy(folder / "a.npy", GLOW_F32, array), GLOW_OK);
  EXPECT_EQ(array.data.size(), 0u);
}

TEST(Npy, HeaderOfEachVersion) {
  Array array;
  for (int version : {1, 2, 3})
    EXPECT_EQ(parse(header(dictionary("|u1", "(2,)"), version) + "ab", array),
              GLOW_OK);
  EXPECT_NE(parse(header(dictionary("|u1", "(2,)"), 4) + "ab", array), GLOW_OK);
  EXPECT_EQ(parse(header("{\"shape\":(2),\"descr\":\"u1\","
                         "\"fortran_order\":False}") +
                      "ab",
                  array),
            GLOW_OK);
}

TEST(Npy, FortranOrderIsTurned) {
  Array array;
  ASSERT_EQ(
      parse(header(dictionary("|u1", "(2, 3)", "True")) + "adbecf", array),
      GLOW_OK);
  EXPECT_EQ(bytesOf(array), "abcdef");
}

TEST(Npy, ExpectedTypeDecides) {
  std::string raw = header(dictionary("<V2", "(1,)")) + "ab";
  Array array;
  EXPECT_EQ(parse(raw, array), GLOW_UNSUPPORTED);
  EXPECT_EQ(parse(raw, array, GLOW_F32), GLOW_UNSUPPORTED);
  EXPECT_EQ(parse(raw, array, GLOW_BF16), GLOW_OK);
  EXPECT_EQ(array.dtype, uint32_t(GLOW_BF16));
  std::string bytes = header(dictionary("|i1", "(3,)")) + "\x01\xff\x07";
  EXPECT_EQ(parse(bytes, array, GLOW_F32), GLOW_OK); // the caller compares
  EXPECT_EQ(array.dtype, uint32_t(GLOW_I8));
  EXPECT_EQ(parse(bytes, array, GLOW_I4), GLOW_OK);
  EXPECT_EQ(bytesOf(array), "\xf1\x07");
}

TEST(Npy, Strings) {
  TempFolder folder;
  Array array;
  for (const char *last : {"\xc3\xbc", "\xff"}) { // a letter, and no UTF-8
    GlowString words[] = {{"ab", 2}, {nullptr, 0}, {last, strlen(last)}};
    std::string path = folder / "words.npy";
    ASSERT_EQ(writeNpy(path, GLOW_STRING, {3, 1}, words), GLOW_OK);
    ASSERT_EQ(readNpy(path, GLOW_STRING, array), GLOW_OK) << glow_last_error();
    EXPECT_EQ(array.dtype, GLOW_STRING);
    EXPECT_EQ(array.dims, (std::vector<int64_t>{3, 1}));
    auto *read = static_cast<const GlowString *>(array.data.data());
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(std::string(read[i].data, read[i].size),
                std::string(words[i].data ? words[i].data : ""));
  }
  EXPECT_EQ(
      parse(header(dictionary("<U2", "(2,)")) + std::string(15, 0), array),
      GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(
      parse(header(dictionary("<U1", "(1,)")) + "\xff\xff\xff\xff", array),
      GLOW_INVALID_ARGUMENT);
}

TEST(Npy, UnsupportedTypes) {
  Array array;
  for (const char *descr : {">f4", ">U3", "|O", "<c32", "|S", "", "<M8[ns]"})
    EXPECT_EQ(parse(header(dictionary(descr, "(1,)")) + "abcd", array),
              GLOW_UNSUPPORTED)
        << descr;
  EXPECT_EQ(parse(header("{'descr': [('a', '<f4')], 'fortran_order': False, "
                         "'shape': (1,)}"),
                  array),
            GLOW_INVALID_ARGUMENT);
}

TEST(Npy, DamagedFiles) {
  std::string good = header(dictionary("<f4", "(2, 2)")) + std::string(16, 'x');
  Array array;
  ASSERT_EQ(parse(good, array), GLOW_OK);
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(parse(good.substr(0, length), array), GLOW_OK);
  EXPECT_NE(parse(good + "x", array), GLOW_OK);
  std::string lying = good;
  lying[8] = lying[9] = char(0xff);
  EXPECT_NE(parse(lying, array), GLOW_OK);
  const char *shapes[] = {
      "(4611686018427387904, 4)", "(-1,)", "(99999999999999999999,)", "(2 2)",
      "(0, 9223372036854775807)", "2",     "(999999999999,)",         "(,"};
  for (const char *shape : shapes)
    EXPECT_NE(
        parse(header(dictionary("<f4", shape)) + std::string(16, 'x'), array),
        GLOW_OK)
        << shape;
  for (const char *text : {"", "{", "{}", "{'descr'}", "{'shape': (1,)}",
                           "{'descr': '<f4', 'other': 3}", "'"})
    EXPECT_NE(parse(header(text), array), GLOW_OK) << text;
}

TEST(Npy, NothingIsLeftAfterAFailedWrite) {
  TempFolder folder;
  float one = 1;
  EXPECT_EQ(writeNpy(folder / "no/a.npy", GLOW_F32, {}, &one), GLOW_IO_ERROR);
  EXPECT_NE(writeNpy(folder / "a.npy", GLOW_UNDEFINED, {}, &one), GLOW_OK);
  EXPECT_NE(writeNpy(folder / "a.npy", GLOW_F32, {-1}, &one), GLOW_OK);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

} // namespace
