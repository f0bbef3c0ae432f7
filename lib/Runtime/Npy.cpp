//===- Npy.cpp - Arrays in NumPy's file format ------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Npy.h"
#include "NpyStrings.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/WriteFile.h"

#include <algorithm>
#include <cstring>

using namespace glow::runtime;

static constexpr size_t kMostRank = 64;
static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicSize = sizeof(kMagic) - 1;

// --- Element types -----------------------------------------------------------

namespace {
struct TypeRow {
  GlowDType dtype;
  const char *descr; // without the byte order
};
} // namespace

static constexpr TypeRow types[] = {
    {GLOW_F32, "f4"},    {GLOW_U8, "u1"},         {GLOW_I8, "i1"},
    {GLOW_U16, "u2"},    {GLOW_I16, "i2"},        {GLOW_I32, "i4"},
    {GLOW_I64, "i8"},    {GLOW_BOOL, "b1"},       {GLOW_F16, "f2"},
    {GLOW_F64, "f8"},    {GLOW_U32, "u4"},        {GLOW_U64, "u8"},
    {GLOW_BF16, "V2"},   {GLOW_F8E4M3FN, "V1"},   {GLOW_F8E4M3FNUZ, "V1"},
    {GLOW_F8E5M2, "V1"}, {GLOW_F8E5M2FNUZ, "V1"}, {GLOW_F8E8M0, "V1"},
    {GLOW_F4E2M1, "V1"}, {GLOW_U4, "u1"},         {GLOW_I4, "i1"},
    {GLOW_U2, "u1"},     {GLOW_I2, "i1"},         {GLOW_C64, "c8"},
    {GLOW_C128, "c16"},
};

/// The type of a description, GLOW_UNDEFINED if we have none. `expected` is
/// preferred among types that are written alike.
static uint32_t typeOf(const std::string &descr, uint32_t expected) {
  uint32_t found = GLOW_UNDEFINED;
  for (const TypeRow &row : types) {
    bool isRaw = descr == "V1" && dtypeBits(row.dtype) < 8;
    if (descr != row.descr && !isRaw)
      continue;
    if (row.dtype == expected)
      return expected;
    // Raw bytes and packed types are never guessed.
    if (found == GLOW_UNDEFINED && descr[0] != 'V')
      found = row.dtype;
  }
  return found;
}

// --- The header: a Python dictionary of three known members ------------------

namespace {
struct Header {
  std::string descr;
  bool isFortran = false;
  std::vector<int64_t> dims;
};

/// Reads from `text`, never beyond its end; every member function returns false
/// if the text is not as it should be.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  bool parse(Header &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string key;
      bool isRight = string(key) && take(':');
      if (key == "descr")
        isRight = isRight && string(header.descr) && (hasDescr = true);
      else if (key == "fortran_order")
        isRight = isRight && boolean(header.isFortran) && (hasOrder = true);
      else if (key == "shape")
        isRight = isRight && tuple(header.dims) && (hasShape = true);
      else
        return false;
      if (!isRight)
        return false;
      take(',');
    }
    return hasDescr && hasOrder && hasShape;
  }

private:
  void skipSpace() {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
  }
  bool take(char c) {
    skipSpace();
    if (rest.empty() || rest[0] != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view text) {
    skipSpace();
    if (rest.substr(0, text.size()) != text)
      return false;
    rest.remove_prefix(text.size());
    return true;
  }
  bool string(std::string &value) {
    char quote = take('\'') ? '\'' : take('"') ? '"' : 0;
    size_t end = rest.find(quote);
    if (!quote || end == rest.npos)
      return false;
    value = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool boolean(bool &value) {
    value = word("True");
    return value || word("False");
  }
  bool integer(int64_t &value) {
    skipSpace();
    size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || digits > 18)
      return false;
    value = 0;
    for (char digit : rest.substr(0, digits))
      value = value * 10 + (digit - '0');
    rest.remove_prefix(digits);
    return true;
  }
  bool tuple(std::vector<int64_t> &values) {
    if (!take('('))
      return false;
    values.clear();
    while (!take(')')) {
      if (values.size() == kMostRank || !integer(values.emplace_back()))
        return false;
      if (!take(',') && rest.substr(0, 1) != ")")
        return false;
    }
    return true;
  }

  std::string_view rest;
};
} // namespace

/// Finds header and data in a file's bytes.
static bool splitFile(std::string_view file, Header &header,
                      std::string_view &data) {
  if (file.size() < kMagicSize + 4 ||
      file.substr(0, kMagicSize) != std::string_view(kMagic, kMagicSize))
    return false;
  auto byte = [&](size_t i) { return size_t(uint8_t(file[kMagicSize + i])); };
  size_t major = byte(0);
  size_t start = kMagicSize + (major == 1 ? 4 : 6);
  if (major < 1 || major > 3 || file.size() < start)
    return false;
  size_t length = byte(2) | byte(3) << 8;
  if (major > 1)
    length |= byte(4) << 16 | byte(5) << 24;
  if (length > file.size() - start)
    return false;
  data = file.substr(start + length);
  return HeaderParser(file.substr(start, length)).parse(header);
}

// --- Order and packing -------------------------------------------------------

/// Copies elements from column-major to row-major order.
static void fromFortran(const char *source, char *target, size_t elementBytes,
                        const std::vector<int64_t> &dims) {
  std::vector<int64_t> index(dims.size(), 0);
  std::vector<size_t> stride(dims.size());
  size_t count = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    stride[i] = count;
    count *= size_t(dims[i]);
  }
  size_t from = 0;
  for (size_t to = 0; to < count; ++to) {
    std::memcpy(target + to * elementBytes, source + from * elementBytes,
                elementBytes);
    for (size_t axis = dims.size(); axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < dims[axis])
        break;
      from -= stride[axis] * size_t(dims[axis]);
      index[axis] = 0;
    }
  }
}

/// Packs one byte per element into `bits` per element, low bits first.
static void pack(const uint8_t *source, uint8_t *target, size_t count,
                 unsigned bits) {
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
  for (size_t i = 0; i < count; ++i)
    target[i / perByte] |= (source[i] & mask) << (i % perByte * bits);
}

/// The inverse; `isSigned` elements are extended.
static void unpack(const uint8_t *source, uint8_t *target, size_t count,
                   unsigned bits, bool isSigned) {
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
  unsigned sign = isSigned ? 1u << (bits - 1) : 0;
  for (size_t i = 0; i < count; ++i) {
    unsigned value = source[i / perByte] >> (i % perByte * bits) & mask;
    target[i] = uint8_t((value ^ sign) - sign);
  }
}

// --- Reading and writing -----------------------------------------------------

/// Elements in row-major order, as many bytes each as the file has.
static GlowStatus readElements(const Header &header, std::string_view data,
                               unsigned elementBytes, const std::string &where,
                               Buffer &elements) {
  if (GlowStatus status = elements.allocate(data.size(), where.c_str()))
    return status;
  auto *target = static_cast<char *>(elements.data());
  if (header.isFortran && header.dims.size() > 1 && !data.empty())
    fromFortran(data.data(), target, elementBytes, header.dims);
  else if (!data.empty())
    std::memcpy(target, data.data(), data.size());
  return GLOW_OK;
}

static GlowStatus packElements(Buffer &elements, unsigned bits,
                               uint64_t packedBytes, const std::string &where) {
  Buffer packed;
  if (GlowStatus status = packed.allocate(packedBytes, where.c_str()))
    return status;
  pack(static_cast<uint8_t *>(elements.data()),
       static_cast<uint8_t *>(packed.data()), elements.size(), bits);
  elements = std::move(packed);
  return GLOW_OK;
}

/// The description without the order of bytes, if that is ours.
static std::string plainDescr(const Header &header) {
  std::string descr = header.descr;
  char order = descr.empty() ? 0 : descr[0];
  if (order == '<' || order == '|' || order == '=')
    descr.erase(0, 1);
  return descr;
}

static GlowStatus parseStrings(Header &header, std::string_view data,
                               uint64_t width, const std::string &where,
                               Array &array) {
  uint64_t count;
  if (!tensorBytes(GLOW_U8, header.dims.data(), uint32_t(header.dims.size()),
                   count) ||
      data.size() / width != count || data.size() % width)
    return fail(GLOW_INVALID_ARGUMENT, "'", where, "' has ", data.size(),
                " bytes of data, which does not fit its shape");
  Buffer elements;
  if (GlowStatus status =
          readElements(header, data, unsigned(width), where, elements))
    return status;
  array.dtype = GLOW_STRING;
  array.dims = std::move(header.dims);
  return readNpyStrings(
      plainDescr(header),
      {static_cast<const char *>(elements.data()), elements.size()}, where,
      array.data, array.texts);
}

/// Sets `dtype`; fails if the file's type is not one of ours.
static GlowStatus readType(const Header &header, uint32_t expected,
                           const std::string &where, uint32_t &dtype) {
  dtype = typeOf(plainDescr(header), expected);
  if (dtype != GLOW_UNDEFINED)
    return GLOW_OK;
  return fail(GLOW_UNSUPPORTED, "'", where, "' has elements of type '",
              header.descr,
              "', which is not supported here; convert it with "
              "numpy.ndarray.astype");
}

GlowStatus glow::runtime::parseNpy(const void *bytes, uint64_t size,
                                   uint32_t expected, const std::string &where,
                                   Array &array) {
  Header header;
  std::string_view data;
  if (!splitFile({static_cast<const char *>(bytes), size}, header, data))
    return fail(GLOW_INVALID_ARGUMENT, "'", where,
                "' is not a complete .npy file of numbers; write it with "
                "numpy.save");
  if (uint64_t width = npyStringBytes(plainDescr(header)))
    return parseStrings(header, data, width, where, array);
  uint32_t dtype;
  if (GlowStatus status = readType(header, expected, where, dtype))
    return status;
  unsigned bits = dtypeBits(dtype);
  uint32_t fileType = bits < 8 ? uint32_t(GLOW_U8) : dtype;
  uint32_t rank = uint32_t(header.dims.size());
  uint64_t fileBytes, packedBytes;
  if (!tensorBytes(fileType, header.dims.data(), rank, fileBytes) ||
      !tensorBytes(dtype, header.dims.data(), rank, packedBytes) ||
      fileBytes != data.size())
    return fail(GLOW_INVALID_ARGUMENT, "'", where, "' has ", data.size(),
                " bytes of data, which does not fit its shape");
  Buffer elements;
  if (GlowStatus status =
          readElements(header, data, dtypeBits(fileType) / 8, where, elements))
    return status;
  if (bits < 8)
    if (GlowStatus status = packElements(elements, bits, packedBytes, where))
      return status;
  array.dtype = dtype;
  array.dims = std::move(header.dims);
  array.data = std::move(elements);
  return GLOW_OK;
}

GlowStatus glow::runtime::readNpy(const std::string &path, uint32_t expected,
                                  Array &array) {
  MappedFile file;
  if (GlowStatus status = file.open(path))
    return status;
  return parseNpy(file.data(), file.size(), expected, path, array);
}

static std::string printHeader(const std::string &descr,
                               const std::vector<int64_t> &dims) {
  std::string text =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : dims)
    text += std::to_string(dim) + ", ";
  text += "), }";
  // The data starts at a multiple of 64, after a line feed.
  text.append(63 - (kMagicSize + 4 + text.size()) % 64, ' ');
  text += '\n';
  std::string start(kMagic, kMagicSize);
  start += {'\1', '\0', char(text.size() & 0xff), char(text.size() >> 8)};
  return start + text;
}

GlowStatus glow::runtime::writeNpy(const std::string &path, uint32_t dtype,
                                   const std::vector<int64_t> &dims,
                                   const void *data) {
  uint64_t bytes;
  if (dtype == GLOW_STRING) {
    std::string descr, elements;
    if (!tensorBytes(dtype, dims.data(), uint32_t(dims.size()), bytes))
      return fail(GLOW_INVALID_ARGUMENT, "cannot write '", path,
                  "': its shape overflows");
    if (GlowStatus status =
            writeNpyStrings(static_cast<const GlowString *>(data),
                            bytes / sizeof(GlowString), path, descr, elements))
      return status;
    std::string header = printHeader(descr, dims);
    return writeFile(path, {{header.data(), header.size()},
                            {elements.data(), elements.size()}});
  }
  auto row = std::find_if(std::begin(types), std::end(types),
                          [&](auto &row) { return row.dtype == dtype; });
  if (row == std::end(types) || dims.size() > kMostRank ||
      !tensorBytes(dtype, dims.data(), uint32_t(dims.size()), bytes))
    return fail(GLOW_INVALID_ARGUMENT, "cannot write '", path,
                "': NumPy has no such array");
  std::string header = printHeader(
      (row->descr[1] == '1' ? "|" : "<") + std::string(row->descr), dims);
  unsigned bits = dtypeBits(dtype);
  if (bits >= 8)
    return writeFile(path, {{header.data(), header.size()}, {data, bytes}});
  tensorBytes(GLOW_U8, dims.data(), uint32_t(dims.size()), bytes);
  Buffer wide;
  if (GlowStatus status = wide.allocate(bytes, path.c_str()))
    return status;
  unpack(static_cast<const uint8_t *>(data),
         static_cast<uint8_t *>(wide.data()), bytes, bits,
         dtype == GLOW_I4 || dtype == GLOW_I2);
  return writeFile(path,
                   {{header.data(), header.size()}, {wide.data(), bytes}});
}
