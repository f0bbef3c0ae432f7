//===- Link.cpp - objects to a shared library or a bundle -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Link.h"
#include "BundleFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::glow;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// A folder that goes with everything in it.
struct ScratchFolder {
  SmallString<128> folder;
  std::error_code create() {
    return fs::createUniqueDirectory("glow-link", folder);
  }
  ~ScratchFolder() {
    if (!folder.empty())
      fs::remove_directories(folder);
  }
  std::string file(const Twine &name) const {
    SmallString<128> result(folder);
    path::append(result, name);
    return std::string(result);
  }
};

/// The first of `names` on the path.
llvm::Expected<std::string> findProgram(ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return llvm::createStringError("no linker found; install one of: " +
                                 llvm::join(names, ", "));
}

llvm::Error runProgram(ArrayRef<std::string> command) {
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string error;
  int code = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt,
                                       {}, 0, 0, &error);
  if (code == 0)
    return llvm::Error::success();
  return llvm::createStringError("'" + llvm::join(arguments, " ") +
                                 "' failed with code " + std::to_string(code) +
                                 (error.empty() ? "" : ": " + error));
}

llvm::Expected<SmallVector<std::string>>
writeObjects(ModuleOp module, const ProgramSpec &program,
             const EmitOptions &options, const ScratchFolder &scratch) {
  auto objects = emitObjects(module, program, options);
  if (!objects)
    return objects.takeError();
  SmallVector<std::string> files;
  for (auto [i, object] : llvm::enumerate(*objects)) {
    files.push_back(scratch.file(Twine(i) + ".o"));
    if (llvm::Error error = writeFile(files.back(), object->getBuffer()))
      return std::move(error);
  }
  return std::move(files);
}

llvm::Expected<std::vector<char>> weightsOf(const ProgramSpec &program) {
  std::vector<char> weights(program.weightsBytes);
  if (failed(writeWeights(program, weights)))
    return llvm::createStringError("the weights could not be read");
  return std::move(weights);
}

uint64_t hashOf(ArrayRef<char> bytes) {
  return llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size()));
}
} // namespace

llvm::Error glow::writeFile(StringRef file, StringRef contents) {
  return llvm::writeToOutput(file, [&](raw_ostream &stream) {
    stream << contents;
    return llvm::Error::success();
  });
}

/// The command that links a shared library for the machine.
static llvm::Expected<SmallVector<std::string>>
sharedLinkCommand(const MachineOptions &machine) {
  bool isHost = llvm::Triple(machine.triple).getArch() ==
                llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  auto linker = isHost ? findProgram({"cc", "clang-22", "ld.lld-22", "ld.lld"})
                       : findProgram({"ld.lld-22", "ld.lld"});
  if (!linker)
    return linker.takeError();
  bool isDriver = !StringRef(path::filename(*linker)).starts_with("ld");
  SmallVector<std::string> command{*linker, "-shared"};
  if (isDriver)
    command.append(
        {"-nostartfiles", "-Wl,--build-id=none", "-Wl,-z,noexecstack"});
  return std::move(command);
}

llvm::Error glow::writeSharedLibrary(ModuleOp module,
                                     const ProgramSpec &program,
                                     const MachineOptions &machine,
                                     StringRef output) {
  ScratchFolder scratch;
  if (std::error_code error = scratch.create())
    return llvm::createStringError(error, "no folder for temporary files");
  auto weights = weightsOf(program);
  if (!weights)
    return weights.takeError();
  EmitOptions options;
  options.machine = machine;
  options.embedWeightsFrom = scratch.file("weights.bin");
  options.weightsHash = hashOf(*weights);
  if (llvm::Error error = writeFile(options.embedWeightsFrom,
                                    {weights->data(), weights->size()}))
    return error;
  auto files = writeObjects(module, program, options, scratch);
  if (!files)
    return files.takeError();
  auto command = sharedLinkCommand(machine);
  if (!command)
    return command.takeError();
  // Linked beside its place and renamed: a failure leaves nothing half-written.
  std::string temporary =
      (output + ".tmp" + Twine(llvm::sys::Process::getProcessId())).str();
  command->append({"-o", temporary});
  command->append(files->begin(), files->end());
  command->push_back("-lm");
  if (llvm::Error error = runProgram(*command)) {
    fs::remove(temporary);
    return error;
  }
  if (std::error_code error = fs::rename(temporary, output)) {
    fs::remove(temporary);
    return llvm::createStringError(error, "cannot write '" + output + "'");
  }
  return llvm::Error::success();
}

/// A C identifier made from a file's stem.
static std::string identifier(StringRef stem) {
  std::string result;
  for (char c : stem)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), 'm');
  return result;
}

llvm::Error glow::writeObjectBundle(ModuleOp module, const ProgramSpec &program,
                                    const MachineOptions &machine,
                                    StringRef output) {
  ScratchFolder scratch;
  if (std::error_code error = scratch.create())
    return llvm::createStringError(error, "no folder for temporary files");
  auto weights = weightsOf(program);
  if (!weights)
    return weights.takeError();
  SmallString<128> base(output);
  path::replace_extension(base, "");
  EmitOptions options;
  options.machine = machine;
  options.symbol = identifier(path::filename(base)) + "_model";
  options.weightsFile = (path::filename(base) + ".weights.bin").str();
  options.weightsHash = hashOf(*weights);
  auto files = writeObjects(module, program, options, scratch);
  if (!files)
    return files.takeError();
  auto linker = findProgram({"ld.lld-22", "ld.lld", "ld"});
  if (!linker)
    return linker.takeError();
  SmallVector<std::string> command{*linker, "-r", "-o",
                                   scratch.file("model.o")};
  command.append(files->begin(), files->end());
  if (llvm::Error error = runProgram(command))
    return error;
  auto object = llvm::MemoryBuffer::getFile(scratch.file("model.o"));
  if (!object)
    return llvm::errorCodeToError(object.getError());
  for (auto &[extension, contents] :
       {std::pair<StringRef, std::string>{".weights.bin",
                                          {weights->begin(), weights->end()}},
        {".h", bundleHeader(program, options)},
        {".json", bundleManifest(program, options)}})
    if (llvm::Error error = writeFile((base + extension).str(), contents))
      return error;
  return writeFile(output, (*object)->getBuffer());
}
