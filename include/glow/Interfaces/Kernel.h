//===- Kernel.h - instructions as kernels ---------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_KERNEL_H
#define GLOW_INTERFACES_KERNEL_H

#include "glow/Interfaces/KernelTarget.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "glow/Interfaces/Kernel.h.inc"

#endif // GLOW_INTERFACES_KERNEL_H
