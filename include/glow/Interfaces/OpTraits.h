//===- OpTraits.h - what ops say about their other halves -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trait declares a method of the op that another library defines: the
// interpreter, a conversion. That library attaches its interface to all ops
// that have the trait; the dialect's library needs neither. A method that is
// declared but not defined is an error of the linker, which names it.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_INTERFACES_OPTRAITS_H
#define GLOW_INTERFACES_OPTRAITS_H

#include "mlir/IR/OpDefinition.h"
#include <memory>

namespace mlir::glow {

class InstLowering;
class Kernel;
class Tensor;
struct KernelTarget;

/// Has a method `inferTypes`. That it succeeds is verified before the op's own
/// verifier runs, which may rely on ranks and axes then; MLIR compares the
/// types after it.
template <typename Op>
struct InfersTypes : OpTrait::TraitBase<Op, InfersTypes> {
  static LogicalResult verifyTrait(Operation *op) {
    SmallVector<Type> types;
    if (succeeded(Op::inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return success();
    return op->emitOpError("failed to infer returned types");
  }
};
/// The result has the type of the first operand.
template <typename Op>
struct TypeOfInput : OpTrait::TraitBase<Op, TypeOfInput> {};
/// Evaluate.td: has a method `evaluate`.
template <typename Op> struct Evaluated : OpTrait::TraitBase<Op, Evaluated> {};
/// LowerToInst.td: has a method `lower`.
template <typename Op> struct Lowered : OpTrait::TraitBase<Op, Lowered> {};
/// Kernel.td: has a method `makeKernel`.
template <typename Op> struct HasKernel : OpTrait::TraitBase<Op, HasKernel> {};

/// The ops of a dialect, as TableGen lists them.
template <typename... Ops> struct OpList {
  /// Attaches `Model<Op>`, which implements an interface, to every op that has
  /// the trait.
  template <template <typename> class Trait, template <typename> class Model>
  static void attach(MLIRContext &context) {
    (attachTo<Ops, Trait, Model>(context), ...);
  }

private:
  template <typename Op, template <typename> class Trait,
            template <typename> class Model>
  static void attachTo(MLIRContext &context) {
    if constexpr (Op::template hasTrait<Trait>())
      Op::template attachInterface<Model<Op>>(context);
  }
};

} // namespace mlir::glow

#endif // GLOW_INTERFACES_OPTRAITS_H
