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

/// Which machine a user asks for. Empty fields mean the host's, where the
/// triple is the host's, and LLVM's default otherwise.
struct MachineOptions {
  std::string triple;
  std::string cpu;
  /// As in --mattr: +feature or -feature, comma separated.
  std::string features;
  /// What differs from the description that is found for the processor: fields
  /// of `KernelTarget` as key=value,... or the name of a .json file that
  /// `describeMachine` wrote.
  std::string description;
  /// A file of `Tuning`; empty: none.
  std::string tuning;
};

/// A machine that code can be made for: what LLVM needs to know of it, and what
/// kernel generators do.
struct Machine {
  std::string triple, cpu, features;
  KernelTarget kernels;
};

/// Fills the empty fields. For the host, features are detected one by one: the
/// name of the processor is wrong under virtualisation. Features given by the
/// user are added to those of the CPU. Sizes of caches are detected for the
/// host too; for other processors a table has them, so that what comes out
/// does not depend on the host.
llvm::Expected<Machine> resolveMachine(const MachineOptions &options);

/// LLVM's description of the machine, or why it has none. Position independent,
/// optimised code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Machine &machine);

/// The machine as JSON that `MachineOptions::description` can name.
void describeMachine(const Machine &machine, raw_ostream &out);

/// The features that code for `machine` may use and not every machine of the
/// architecture has, as +feature,+feature: what a loader must check.
std::string requiredFeatures(const Machine &machine);

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_MACHINE_H
