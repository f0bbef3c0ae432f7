//===- HostFunctions.h - What models call beside kernels --------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is made from a call's attributes once, which may take a while (a
// regular expression, a table), and then runs on tensors. The interpreter and
// compiled models use the same functions. They check what they are given: the
// model may be damaged and the data is anyone's.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_HOSTFUNCTIONS_H
#define GLOW_RUNTIME_HOSTFUNCTIONS_H

#include "glow/Runtime/Error.h"
#include "glow/Runtime/StringPool.h"

#include <unordered_map>

namespace glow::runtime {

/// A read-only array of someone else's.
template <typename T> struct Span {
  const T *data = nullptr;
  uint64_t size = 0;
  const T *begin() const { return data; }
  const T *end() const { return data + size; }
  const T &operator[](uint64_t i) const { return data[i]; }
  bool empty() const { return size == 0; }
};

using HostDims = std::vector<int64_t>;

/// A dense tensor of a call.
struct HostTensor {
  HostDims dims;
  uint32_t dtype;
  const void *data;
  uint64_t count;

  template <typename T> Span<T> elements() const {
    return {static_cast<const T *>(data), count};
  }
  Span<GlowString> strings() const { return elements<GlowString>(); }
};

/// The attributes of a call. One that is absent is empty; one of another type
/// is too.
class HostAttrs {
public:
  explicit HostAttrs(const GlowHostCall &call) : call(call) {}
  Span<int64_t> ints(std::string_view name) const;
  Span<double> reals(std::string_view name) const;
  Span<GlowString> strings(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t otherwise) const;
  std::string_view string(std::string_view name) const;
  /// The last error, with the call's node before it.
  template <typename... Parts>
  GlowStatus fail(GlowStatus status, const Parts &...parts) const {
    return runtime::fail(status, "node '", call.node ? call.node : "", "' (",
                         call.function, "): ", parts...);
  }

protected:
  const GlowHostAttr *find(std::string_view name, uint32_t dtype) const;
  const GlowHostCall &call;
};

/// One call, as its function sees it.
class HostCall : public HostAttrs {
public:
  /// Of a compiled model: `args` points to the inputs, then to the results.
  HostCall(const GlowHostCall &call, void *const *args, StringPool &pool);
  virtual ~HostCall() = default;

  std::vector<HostTensor> inputs;

  /// Fails unless there are as many inputs of these types. 0 takes any type.
  GlowStatus expect(std::initializer_list<uint32_t> dtypes,
                    uint32_t resultCount = 1) const;
  /// The element type of a result.
  uint32_t resultType(uint32_t index) const;
  /// The memory of a result, or null after a failure. A compiled model knows
  /// the extents beforehand, and they must be these.
  virtual void *result(uint32_t index, const HostDims &dims);
  /// Whether a result may have these extents; to be asked before much work.
  virtual GlowStatus checkRoom(uint32_t /*index*/, const HostDims &) const {
    return GLOW_OK;
  }
  template <typename T> T *resultOf(uint32_t index, const HostDims &dims) {
    return static_cast<T *>(result(index, dims));
  }
  /// Gives a result's element its bytes, which are copied.
  GlowStatus setString(GlowString &to, std::string_view text) {
    return pool.copy(text, to) ? GLOW_OK : noMemory();
  }
  GlowStatus noMemory() const;
  /// Whether a result of this shape and element size is too large.
  GlowStatus checkSize(const HostDims &dims, uint32_t dtype) const;

  /// The shape that the inputs' leading axes are broadcast to, NumPy's way;
  /// `coreRank` axes at the end of each are left out.
  GlowStatus broadcast(HostDims &dims, uint32_t coreRank = 0) const;
  /// For each element of `dims` the one of input `index` that belongs to it.
  std::vector<uint64_t> places(uint32_t index, const HostDims &dims) const;

protected:
  void *const *results; // null in the interpreter
  uint32_t numResults;  // that the function knows of
  StringPool &pool;
};

/// The number of elements; 0 on overflow, which `checkSize` reports.
uint64_t elementCount(const HostDims &dims);

/// What a call's function and attributes are, ready to run.
class HostFunction {
public:
  virtual ~HostFunction() = default;
  virtual GlowStatus run(HostCall &call) = 0;
};
using HostFunctionPtr = std::unique_ptr<HostFunction>;

/// Makes the function of a call, or fails on its attributes.
GlowStatus makeHostFunction(const GlowHostCall &call, HostFunctionPtr &result);

/// Runs a function on the memory of a compiled model, which may have more room
/// than there are elements; see docs/HostFunctions.md.
GlowStatus runHostFunction(HostFunction &function, const GlowHostCall &call,
                           void *const *args, StringPool &pool);

/// The functions of one context, and the strings that they have made.
class HostRunner {
public:
  /// Frees the strings of the run before.
  void beginRun() { strings.clear(); }
  GlowStatus call(const GlowHostCall &call, void *const *args);

private:
  std::unordered_map<const GlowHostCall *, HostFunctionPtr> functions;
  StringPool strings;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_HOSTFUNCTIONS_H
