//===- DType.cpp - element types as the model ABI numbers them ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/DType.h"
#include "glow-c/ModelABI.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct Row {
  uint32_t dtype;
  Type (*type)(MLIRContext *);
};
} // namespace

template <typename T> static Type simpleType(MLIRContext *context) {
  return T::get(context);
}
template <unsigned Width, IntegerType::SignednessSemantics Signedness>
static Type intType(MLIRContext *context) {
  return IntegerType::get(context, Width, Signedness);
}
template <typename Part> static Type complexType(MLIRContext *context) {
  return ComplexType::get(Part::get(context));
}
static constexpr auto kSignless = IntegerType::Signless;
static constexpr auto kSigned = IntegerType::Signed;
static constexpr auto kUnsigned = IntegerType::Unsigned;

static const Row kRows[] = {
    {GLOW_F32, simpleType<Float32Type>},
    {GLOW_U8, intType<8, kUnsigned>},
    {GLOW_I8, intType<8, kSignless>},
    {GLOW_U16, intType<16, kUnsigned>},
    {GLOW_I16, intType<16, kSignless>},
    {GLOW_I32, intType<32, kSignless>},
    {GLOW_I64, intType<64, kSignless>},
    {GLOW_STRING, simpleType<StringType>},
    {GLOW_STRING, intType<128, kSignless>}, // in buffers
    {GLOW_BOOL, intType<1, kSignless>},
    {GLOW_F16, simpleType<Float16Type>},
    {GLOW_F64, simpleType<Float64Type>},
    {GLOW_U32, intType<32, kUnsigned>},
    {GLOW_U64, intType<64, kUnsigned>},
    {GLOW_C64, complexType<Float32Type>},
    {GLOW_C64, intType<64, kSigned>}, // in buffers
    {GLOW_C128, complexType<Float64Type>},
    {GLOW_C128, intType<128, kSigned>}, // in buffers
    {GLOW_BF16, simpleType<BFloat16Type>},
    {GLOW_F8E4M3FN, simpleType<Float8E4M3FNType>},
    {GLOW_F8E4M3FNUZ, simpleType<Float8E4M3FNUZType>},
    {GLOW_F8E5M2, simpleType<Float8E5M2Type>},
    {GLOW_F8E5M2FNUZ, simpleType<Float8E5M2FNUZType>},
    {GLOW_U4, intType<4, kUnsigned>},
    {GLOW_I4, intType<4, kSignless>},
    {GLOW_F4E2M1, simpleType<Float4E2M1FNType>},
    {GLOW_F8E8M0, simpleType<Float8E8M0FNUType>},
    {GLOW_U2, intType<2, kUnsigned>},
    {GLOW_I2, intType<2, kSignless>},
};

FailureOr<uint32_t> glow::dtypeOf(Type type) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    type = quantized.getStorageType();
  for (const Row &row : kRows)
    if (row.type(type.getContext()) == type)
      return row.dtype;
  return failure();
}

FailureOr<Type> glow::typeOf(uint32_t dtype, MLIRContext *context) {
  for (const Row &row : kRows)
    if (row.dtype == dtype)
      return row.type(context);
  return failure();
}
