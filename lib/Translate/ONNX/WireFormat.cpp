//===- WireFormat.cpp - take large weights out of a protobuf --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over Protobuf's wire format that knows only which fields lead to
// tensors. Everything else is copied as it stands and checked by Protobuf.
//
//===----------------------------------------------------------------------===//
#include "WireFormat.h"
#include "glow_onnx.pb.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <optional>

using namespace mlir;
using namespace mlir::glow::onnx;
using glow_onnx::AttributeProto;
using glow_onnx::FunctionProto;
using glow_onnx::GraphProto;
using glow_onnx::ModelProto;
using glow_onnx::NodeProto;
using glow_onnx::SparseTensorProto;
using glow_onnx::TensorProto;

namespace {
enum class Message { Model, Function, Graph, Node, Attribute, Sparse, Tensor };

/// A field of a message that may hold tensors.
struct Field {
  Message parent;
  int number;
  Message child;
};
constexpr Field kFields[] = {
    {Message::Model, ModelProto::kGraphFieldNumber, Message::Graph},
    {Message::Model, ModelProto::kFunctionsFieldNumber, Message::Function},
    {Message::Function, FunctionProto::kNodeFieldNumber, Message::Node},
    {Message::Graph, GraphProto::kNodeFieldNumber, Message::Node},
    {Message::Graph, GraphProto::kInitializerFieldNumber, Message::Tensor},
    {Message::Graph, GraphProto::kSparseInitializerFieldNumber,
     Message::Sparse},
    {Message::Node, NodeProto::kAttributeFieldNumber, Message::Attribute},
    {Message::Attribute, AttributeProto::kTFieldNumber, Message::Tensor},
    {Message::Attribute, AttributeProto::kGFieldNumber, Message::Graph},
    {Message::Attribute, AttributeProto::kTensorsFieldNumber, Message::Tensor},
    {Message::Attribute, AttributeProto::kGraphsFieldNumber, Message::Graph},
    {Message::Attribute, AttributeProto::kSparseTensorFieldNumber,
     Message::Sparse},
    {Message::Attribute, AttributeProto::kSparseTensorsFieldNumber,
     Message::Sparse},
    {Message::Sparse, SparseTensorProto::kValuesFieldNumber, Message::Tensor},
    {Message::Sparse, SparseTensorProto::kIndicesFieldNumber, Message::Tensor},
};

/// As deep as Protobuf itself reads.
constexpr int kMaxDepth = 100;
constexpr size_t kSmallBytes = 1024;

enum WireType { Varint = 0, Fixed64 = 1, Delimited = 2, Fixed32 = 5 };

class Walker {
public:
  explicit Walker(StringRef file) : file(file) {}

  bool walk(Message kind, StringRef message, std::string &out, int depth) {
    if (depth > kMaxDepth)
      return stop(message.begin(), "messages are nested too deeply");
    const char *p = message.begin(), *end = message.end();
    while (p != end) {
      const char *field = p;
      uint64_t key, value;
      if (!readVarint(p, end, key))
        return stop(field, "truncated or malformed field");
      uint64_t number = key >> 3;
      switch (key & 7) {
      case Varint:
        if (!readVarint(p, end, value))
          return stop(field, "truncated number");
        break;
      case Fixed64:
      case Fixed32: {
        ptrdiff_t size = (key & 7) == Fixed64 ? 8 : 4;
        if (end - p < size)
          return stop(field, "truncated number");
        p += size;
        break;
      }
      case Delimited:
        if (!readVarint(p, end, value) ||
            value > static_cast<uint64_t>(end - p))
          return stop(field, "field runs past the end: the file is truncated "
                             "or not an ONNX model");
        p += value;
        if (!copyField(kind, number, StringRef(p - value, value), field, out,
                       depth))
          return false;
        continue;
      default:
        return stop(field, "unknown kind of field: not an ONNX model");
      }
      out.append(field, p);
    }
    return true;
  }

  std::string reason;

private:
  bool stop(const char *at, const char *why) {
    reason = (why + Twine(" (at byte ") + Twine(at - file.begin()) + ")").str();
    return false;
  }

  /// Copies a delimited field that starts at `field` and holds `payload`.
  bool copyField(Message kind, uint64_t number, StringRef payload,
                 const char *field, std::string &out, int depth) {
    if (kind == Message::Tensor && number == TensorProto::kRawDataFieldNumber &&
        payload.size() > kSmallBytes) {
      writeKey(TensorProto::kMappedOffsetFieldNumber, Varint, out);
      writeVarint(payload.begin() - file.begin(), out);
      writeKey(TensorProto::kMappedLengthFieldNumber, Varint, out);
      writeVarint(payload.size(), out);
      return true;
    }
    const Field *known = llvm::find_if(kFields, [&](const Field &f) {
      return f.parent == kind && static_cast<uint64_t>(f.number) == number;
    });
    if (known == std::end(kFields)) {
      out.append(field, payload.end());
      return true;
    }
    std::string inner;
    if (!walk(known->child, payload, inner, depth + 1))
      return false;
    writeKey(number, Delimited, out);
    writeVarint(inner.size(), out);
    out += inner;
    return true;
  }

  static bool readVarint(const char *&p, const char *end, uint64_t &value) {
    value = 0;
    for (int shift = 0; shift < 64 && p != end; shift += 7) {
      uint8_t byte = *p++;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return true;
    }
    return false;
  }
  static void writeVarint(uint64_t value, std::string &out) {
    for (; value >= 0x80; value >>= 7)
      out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
  }
  static void writeKey(uint64_t number, WireType type, std::string &out) {
    writeVarint(number << 3 | type, out);
  }

  StringRef file;
};
} // namespace

std::string mlir::glow::onnx::takeOutWeights(StringRef file,
                                             std::string &small) {
  Walker walker(file);
  small.clear();
  if (!walker.walk(Message::Model, file, small, 0) && walker.reason.empty())
    walker.reason = "malformed file";
  return walker.reason;
}
