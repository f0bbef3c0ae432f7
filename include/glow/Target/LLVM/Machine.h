//===- Machine.h - which machine code is made for --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_MACHINE_H
#define GLOW_TARGET_LLVM_MACHINE_H

#include "glow/Interfaces/Kernel.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace mlir::glow {

/// A machine as LLVM describes it. Empty fields mean the host's, where the
/// triple is the host's, and LLVM's default otherwise.
struct MachineOptions {
  std::string triple;
  std::string cpu;
  /// As in --mattr: +feature or -feature, comma separated.
  std::string features;
  /// What differs from the description that is found for the processor: fields
  /// of `KernelTarget` as key=value,... or the name of a .json file that
  /// `describeMachine` wrote. Once resolved, all fields.
  std::string description;
  /// A file of `Tuning`; empty: none. Once resolved, part of the description.
  std::string tuning;
};

/// Fills the empty fields. For the host, features are detected one by one: the
/// name of the processor is wrong under virtualisation. Features given by the
/// user are added to those of the CPU. Sizes of caches are detected for the
/// host too; for other processors a table has them, so that what comes out
/// does not depend on the host.
llvm::Expected<MachineOptions> resolveMachine(const MachineOptions &options);

/// The target machine of a resolved description, or why LLVM has none. Position
/// independent, optimised code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &machine);

/// What kernel generators need to know of a resolved machine.
KernelTarget kernelTargetOf(const MachineOptions &machine);

/// A resolved machine as JSON that `MachineOptions::description` can name.
void describeMachine(const MachineOptions &machine, raw_ostream &out);

/// The features that code for `machine` may use and not every machine of the
/// architecture has, as +feature,+feature: what a loader must check.
std::string requiredFeatures(const MachineOptions &machine);

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_MACHINE_H
