//===- Reproducer.cpp - a fault as files ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bisect.h"
#include "glow/Tools/Outputs.h"
#include "glow/Tools/TensorFile.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;

static std::string join(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

llvm::Expected<std::string> mlir::glow::writeReproducer(const Fault &fault,
                                                        StringRef folder) {
  const Trial &trial = fault.trial;
  std::string inputs = join(folder, "inputs");
  std::string expected = join(folder, "expected");
  if (llvm::Error error = writeTensors(trial.inputs, fault.inputs, inputs))
    return std::move(error);
  if (llvm::Error error = writeTensors(trial.outputs, trial.wanted, expected))
    return std::move(error);
  std::string file = join(folder, "fault.mlir");
  if (llvm::Error error = llvm::writeToOutput(file, [&](raw_ostream &out) {
        fault.window.module.get().print(out);
        return llvm::Error::success();
      }))
    return std::move(error);
  std::string command = "glow-run " + file;
  for (const Program::Info &input : trial.inputs)
    command += " --input " + input.name + "=" + npyFile(inputs, input.name);
  return command + " --compare " + expected;
}
