//===- DecodeImage.cpp - Pictures in files' formats -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leptonica reads JPEG, PNG, BMP, TIFF, WebP, JPEG 2000 and PNM through the
// libraries that the system has for them.
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#ifdef GLOW_HAS_LEPTONICA
#include <leptonica/allheaders.h>
#endif

using namespace glow::runtime;

#ifdef GLOW_HAS_LEPTONICA
namespace {

/// A header may promise more than any picture has.
constexpr int64_t kMostPixels = int64_t(1) << 28;

class DecodeImage : public HostFunction {
public:
  GlowStatus initialize(const HostAttrs &attrs) {
    std::string_view format = attrs.string("pixel_format");
    isGray = format == "Grayscale";
    isReversed = format == "BGR";
    if (!isGray && !isReversed && format != "RGB")
      return attrs.fail(GLOW_INVALID_MODEL,
                        "the pixel format must be RGB, BGR "
                        "or Grayscale, not '",
                        format, "'");
    setMsgSeverity(L_SEVERITY_NONE);
    return GLOW_OK;
  }

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({GLOW_U8}))
      return status;
    Span<uint8_t> bytes = call.inputs[0].elements<uint8_t>();
    l_int32 format, width, height, bits, samples, hasColours;
    if (pixReadHeaderMem(bytes.data, bytes.size, &format, &width, &height,
                         &bits, &samples, &hasColours))
      return call.fail(GLOW_INVALID_ARGUMENT,
                       "its input is no picture in a format that is known: "
                       "JPEG, PNG, BMP, TIFF, WebP, JPEG 2000 or PNM");
    if (width < 1 || height < 1 || int64_t(width) * height > kMostPixels)
      return call.fail(GLOW_INVALID_ARGUMENT, "its picture has ", width, " by ",
                       height, " pixels, more than can be decoded");
    if (GlowStatus status = call.checkRoom(0, {height, width, isGray ? 1 : 3}))
      return status;
    PixPtr read(pixReadMem(bytes.data, bytes.size));
    PixPtr pixels(read ? pixConvertTo32(read.get()) : nullptr);
    if (!pixels)
      return call.fail(GLOW_INVALID_ARGUMENT, "its picture is damaged");
    return write(call, pixels.get());
  }

private:
  struct Destroy {
    void operator()(Pix *pixels) const { pixDestroy(&pixels); }
  };
  using PixPtr = std::unique_ptr<Pix, Destroy>;

  GlowStatus write(HostCall &call, Pix *pixels) const {
    int64_t width = pixGetWidth(pixels), height = pixGetHeight(pixels);
    auto *out = call.resultOf<uint8_t>(0, {height, width, isGray ? 1 : 3});
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    const l_uint32 *line = pixGetData(pixels);
    for (int64_t y = 0; y < height; ++y, line += pixGetWpl(pixels))
      for (int64_t x = 0; x < width; ++x) {
        l_int32 red, green, blue;
        extractRGBValues(line[x], &red, &green, &blue);
        if (isGray) {
          // The luma of ITU-R BT.601, in 16 bits behind the point.
          *out++ = uint8_t(
              (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16);
          continue;
        }
        *out++ = uint8_t(isReversed ? blue : red);
        *out++ = uint8_t(green);
        *out++ = uint8_t(isReversed ? red : blue);
      }
    return GLOW_OK;
  }

  bool isGray = false, isReversed = false;
};

} // namespace
#endif

GlowStatus glow::runtime::makeDecodeImage(const HostAttrs &attrs,
                                          HostFunctionPtr &result) {
#ifdef GLOW_HAS_LEPTONICA
  auto function = std::make_unique<DecodeImage>();
  if (GlowStatus status = function->initialize(attrs))
    return status;
  result = std::move(function);
  return GLOW_OK;
#else
  return attrs.fail(GLOW_UNSUPPORTED,
                    "decoding pictures needs Leptonica, which was not found "
                    "when Glow was built; install libleptonica-dev and build "
                    "it again");
#endif
}
