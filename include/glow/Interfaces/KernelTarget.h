//===- KernelTarget.h - a machine as data ----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_KERNELTARGET_H
#define GLOW_INTERFACES_KERNELTARGET_H

#include "mlir/IR/Types.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::glow {

class Tuning;

/// What passes and kernel generators must know of a machine: everything about
/// it that decides which code is made, but for what LLVM itself knows. The
/// defaults describe a plain 128-bit vector unit.
struct KernelTarget {
  /// Where a processor ends what it fetches by itself.
  static constexpr int64_t kPageBytes = 4096;
  /// What caches hold and fetch at a time.
  static constexpr int64_t kLineBytes = 64;
  /// Lines at such a distance are in one set of a first-level cache, which
  /// holds 8 or 12.
  static constexpr int64_t kWayBytes = 4096;

  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  bool fma = false;
  /// Data caches that a core has to itself, and its share of the last one; 0
  /// if there is no third level.
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t l3Bytes = 1 << 20;
  /// Bytes that a core reads from memory in a cycle.
  int64_t memoryBytes = 8;
  /// The cache, 1 or 2, into which to ask for what the second should keep.
  int64_t fetchLevel = 2;
  /// The pages through which those of tile registers go in turn.
  int64_t fetchPages = 4;
  /// How many bytes ahead of what vectors read of a panel they ask for, if they
  /// read it once: a page, in several panels at once, or more, panel by panel.
  int64_t fetchAhead = kPageBytes;
  /// The most rows that leave a core the time to fetch such a panel, alone,
  /// without being asked; 0: one, if it need not widen what it reads.
  int64_t streamedRows = 0;
  /// Products of bf16 that vectors make in the time of 100 of f32.
  int64_t bf16Percent = 50;
  /// LLVM's names of instruction sets that generators may make use of, sorted.
  std::vector<std::string> features;
  /// Choices that were measured to be good; null: none.
  std::shared_ptr<const Tuning> tuning;

  bool has(StringRef feature) const {
    return llvm::is_contained(features, feature);
  }

  /// Whether vectors are registers of SVE, whose length code is made for.
  bool hasScalableRegisters() const { return has("sve") && vectorBits > 128; }

  /// Whether loads and stores of part of a vector cost what whole ones do.
  bool hasMasks() const { return vectorBits == 512 || hasScalableRegisters(); }

  /// Whether whole vectors can be stored past the caches.
  bool hasNontemporalStores() const {
    return vectorBits >= 256 && !hasScalableRegisters();
  }

  /// The last level of caches that a core has a part of.
  int64_t lastCacheBytes() const { return std::max(l2Bytes, l3Bytes); }
  /// From that many bytes on a result is stored past the caches: lines of it
  /// are seldom there from before.
  int64_t nontemporalBytes() const { return lastCacheBytes() / 4 * 3; }

  /// Elements of `type` in one vector register.
  int64_t lanes(Type type) const {
    return std::max<int64_t>(1, vectorBits / type.getIntOrFloatBitWidth());
  }

  /// Lanes, at most `most`, of the vectors that hold so many columns side by
  /// side: without masks a power of two of them.
  int64_t columnLanes(int64_t columns, int64_t most) const;

  /// Neighbouring elements of this type along the depth of a contraction that
  /// one instruction multiplies and adds to one sum; 1 if there is none.
  int64_t depthGroup(Type element) const;

  /// Columns of a product whose sums are of this type that leave so much of a
  /// vector empty that vectors along the depth are better.
  int64_t fewColumns(Type sums) const { return lanes(sums) / 4; }
  /// The same if it may be packed so that the columns' depths lie apart.
  int64_t mostWholeColumns(Type sums) const { return lanes(sums) / 2; }
  /// Operations that add up the lanes of a vector, for each of several.
  static constexpr double kLaneSteps = 3;
  /// Whether each column of a constant matrix should then lie in one piece, for
  /// `taps` times `depth` products of floats.
  bool wantsWholeColumns(int64_t columns, int64_t taps, int64_t depth,
                         Type element) const;

  /// Elements of this type along the depth that a tile register holds for each
  /// of 16 rows; 0 if it multiplies no tiles of them.
  int64_t tileDepth(Type element) const;

  /// Whether products of bf16 are faster than those of f32.
  bool gainsFromBfloat16() const;

  /// Changes the fields that `text` names, as `vector-bits=256,l2=2M`; sizes
  /// may end in K, M or G. An unknown name, a value out of range or sizes that
  /// contradict each other are errors. `tuning` names a file, which is read.
  llvm::Error update(StringRef text);
  /// The same from a JSON object, as `describe` writes it.
  llvm::Error update(const llvm::json::Object &fields);
  /// All numbers.
  llvm::json::Object describe() const;
};

/// All fields, as `update` reads them.
raw_ostream &operator<<(raw_ostream &out, const KernelTarget &target);

} // namespace mlir::glow

/// Passes take it as one option, which changes fields of a plain vector unit.
template <>
class llvm::cl::parser<mlir::glow::KernelTarget>
    : public llvm::cl::basic_parser<mlir::glow::KernelTarget> {
public:
  using basic_parser::basic_parser;
  bool parse(Option &option, StringRef name, StringRef text,
             mlir::glow::KernelTarget &target);
  StringRef getValueName() const override { return "key=value,..."; }
  void printOptionDiff(const Option &option, const mlir::glow::KernelTarget &,
                       const OptionValue<mlir::glow::KernelTarget> &,
                       size_t width) const {
    printOptionName(option, width);
  }
};

#endif // GLOW_INTERFACES_KERNELTARGET_H
