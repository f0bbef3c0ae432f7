//===- Reproducer.cpp - a fault as files ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bisect.h"
#include "glow/Support/OutputFile.h"
#include "glow/Tools/Outputs.h"
#include "glow/Tools/TensorFile.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::glow;

static std::string join(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// The options of glow-run that differ from its own.
static SmallVector<std::string> flagsOf(const ProgramOptions &options,
                                        const Bound &bound) {
  const MachineOptions &machine = options.compile.machine;
  SmallVector<std::string> flags;
  std::pair<StringRef, StringRef> texts[] = {{"mcpu", machine.cpu},
                                             {"mattr", machine.features},
                                             {"machine", machine.description},
                                             {"tuning", machine.tuning}};
  for (auto [name, text] : texts)
    if (!text.empty())
      flags.push_back(("--" + name + "=" + text).str());
  for (const PrecisionInfo &info : kPrecisions)
    if (info.value == options.compile.precision &&
        info.value != Precision::Fp32)
      flags.push_back(std::string("--precision=") + info.name);
  if (options.compile.checkBounds)
    flags.push_back("--check-bounds");
  if (bound.ulps <= 0)
    flags.push_back(llvm::formatv("--tolerance={0:e}", bound.relative));
  return flags;
}

llvm::Expected<std::string>
mlir::glow::writeReproducer(const Fault &fault, const ProgramOptions &options,
                            const Bound &bound, StringRef folder) {
  const Trial &trial = fault.trial;
  std::string inputs = join(folder, "inputs");
  std::string expected = join(folder, "expected");
  if (llvm::Error error = writeTensors(trial.inputs, fault.inputs, inputs))
    return std::move(error);
  if (llvm::Error error = writeTensors(trial.outputs, trial.wanted, expected))
    return std::move(error);
  std::string file = join(folder, "fault.mlir");
  if (llvm::Error error = writeOutput(file, [&](raw_ostream &out) {
        fault.window.module.get().print(out);
        return llvm::Error::success();
      }))
    return std::move(error);
  SmallVector<std::string> words = {file};
  llvm::append_range(words, flagsOf(options, bound));
  for (const Program::Info &input : trial.inputs)
    words.append({"--input", input.name + "=" + npyFile(inputs, input.name)});
  words.append({"--compare", expected});
  std::string command = "glow-run";
  llvm::raw_string_ostream out(command);
  for (StringRef word : words)
    llvm::sys::printArg(out << ' ', word, /*Quote=*/word.contains(' '));
  return command;
}
