//===- Outputs.h - what becomes of a model's outputs -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_OUTPUTS_H
#define GLOW_TOOLS_OUTPUTS_H

#include "glow/Driver/Program.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// Name, shape, element type and the first values of each output.
void printOutputs(const Program &program, ArrayRef<OutputTensor> outputs,
                  raw_ostream &out);

/// Reads element `i` of a buffer; null for what is not a number.
using ElementReader = double (*)(const void *data, size_t i);
ElementReader elementReader(uint32_t dtype);

size_t elementCount(const OutputTensor &output);

/// The line of `labels` that belongs to the output's largest value, as text and
/// for --json.
llvm::Error printClass(const OutputTensor &output, const std::string &labels,
                       raw_ostream &out, llvm::json::Object &report);

/// Writes each tensor to `folder` as name.npy.
llvm::Error writeTensors(ArrayRef<Program::Info> infos,
                         ArrayRef<OutputTensor> tensors,
                         const std::string &folder);

/// Each output's error against name.npy, or output_N.pb, in `folder`: for
/// floats the largest difference over the largest expected value; for others 0
/// if all are equal, else infinity.
llvm::Expected<std::vector<double>>
compareOutputs(const Program &program, ArrayRef<OutputTensor> outputs,
               const std::string &folder);

} // namespace mlir::glow

#endif // GLOW_TOOLS_OUTPUTS_H
