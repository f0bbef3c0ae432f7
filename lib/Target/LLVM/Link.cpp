//===- Link.cpp - objects to a shared library or a bundle -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Link.h"
#include "BundleFiles.h"
#include "StagedFiles.h"
#include "WeightsSection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace mlir;
using namespace mlir::glow;
namespace path = llvm::sys::path;

// -- Programs -----------------------------------------------------------------

/// The first of `names` on the path.
static llvm::Expected<std::string> findProgram(ArrayRef<std::string> names) {
  for (StringRef name : names)
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return llvm::createStringError("no linker found; install one of: " +
                                 llvm::join(names, ", "));
}

static llvm::Error runProgram(ArrayRef<std::string> command) {
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

/// The command that links a shared library for the machine.
static llvm::Expected<SmallVector<std::string>>
sharedLinkCommand(const Machine &machine) {
  llvm::Triple triple(machine.triple);
  bool isHost =
      triple.getArch() == llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  std::string crossCompiler = (triple.getArchName() + "-" + triple.getOSName() +
                               "-" + triple.getEnvironmentName() + "-gcc")
                                  .str();
  auto linker = isHost ? findProgram({"cc", "clang-22", "ld.lld-22", "ld.lld"})
                       : findProgram({crossCompiler, "ld.lld-22", "ld.lld"});
  if (!linker)
    return linker.takeError();
  SmallVector<std::string> command{*linker, "-shared"};
  // Without a driver nobody knows where the C library is: the program that
  // loads the model must have the mathematics library.
  if (!path::filename(*linker).starts_with("ld"))
    command.append({"-nostartfiles", "-Wl,--build-id=none",
                    "-Wl,-z,noexecstack", "-Wl,--no-as-needed", "-lm"});
  return std::move(command);
}

// -- Objects ------------------------------------------------------------------

static llvm::Error unreadableWeights() {
  return llvm::createStringError("the weights could not be read");
}

static llvm::Expected<uint64_t> hashWeights(const ProgramSpec &program) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  if (failed(readWeights(program, [&](ArrayRef<char> piece) {
        XXH3_64bits_update(&state, piece.data(), piece.size());
      })))
    return unreadableWeights();
  return XXH3_64bits_digest(&state);
}

/// Writes `start` and then the weights, which are freed on the way.
static llvm::Error writeWeights(const ProgramSpec &program,
                                ConstantScope *scope, const StagedFiles &files,
                                const Twine &name, ArrayRef<char> start = {}) {
  LogicalResult read = success();
  llvm::Error error = files.write(name, [&](raw_ostream &out) {
    auto write = [&](ArrayRef<char> piece) {
      out.write(piece.data(), piece.size());
    };
    write(start);
    read = readWeights(program, write, scope);
  });
  if (!error && failed(read))
    return unreadableWeights();
  return error;
}

/// Emits the objects into `files`; their paths, the descriptor's last.
static llvm::Expected<SmallVector<std::string>>
writeObjects(LinkInput &input, const EmitOptions &options,
             const StagedFiles &files) {
  auto objects = emitObjects(input.context, std::move(input.kernels),
                             input.program, options);
  if (!objects)
    return objects.takeError();
  SmallVector<std::string> paths;
  for (auto [i, object] : llvm::enumerate(*objects)) {
    std::string name = std::to_string(i) + ".part";
    paths.push_back(files.file(name));
    StringRef bytes = object->getBuffer();
    if (llvm::Error error =
            files.write(name, [&](raw_ostream &out) { out << bytes; }))
      return std::move(error);
  }
  return std::move(paths);
}

/// What both kinds of output begin with: runs the linker `command` on the
/// objects, for the file `linked` in `files`, which are made for `output`.
/// Completes `options`.
static llvm::Error linkObjects(llvm::Expected<SmallVector<std::string>> command,
                               LinkInput &input, EmitOptions &options,
                               StringRef output, StagedFiles &files,
                               StringRef linked) {
  if (!command)
    return command.takeError();
  if (llvm::Error error = files.create(output))
    return error;
  options.machine = input.machine;
  // Only what comes as a file of its own may not be the model's.
  if (!options.embedWeights) {
    auto hash = hashWeights(input.program);
    if (!hash)
      return hash.takeError();
    options.weightsHash = *hash;
  }
  auto objects = writeObjects(input, options, files);
  if (!objects)
    return objects.takeError();
  command->append({"-o", files.newFile(linked)});
  command->append(objects->begin(), objects->end());
  return runProgram(*command);
}

// -- Outputs ------------------------------------------------------------------

/// The library `linked` in `files` and its weights, as `name`.
static llvm::Error appendWeights(const LinkInput &input,
                                 const StagedFiles &files, StringRef linked,
                                 StringRef name) {
  auto content = llvm::MemoryBuffer::getFile(files.file(linked));
  if (!content)
    return llvm::errorCodeToError(content.getError());
  SmallVector<char, 0> bytes((*content)->getBufferStart(),
                             (*content)->getBufferEnd());
  if (llvm::Error error = openWeightsSection(bytes))
    return error;
  return writeWeights(input.program, input.scope, files, name, bytes);
}

llvm::Error glow::writeSharedLibrary(LinkInput input, StringRef output) {
  StringRef name = path::filename(output);
  bool hasWeights = input.program.weightsBytes > 0;
  StringRef linked = hasWeights ? "linked.part" : name;
  StagedFiles files;
  EmitOptions options;
  options.embedWeights = true;
  if (llvm::Error error = linkObjects(sharedLinkCommand(input.machine), input,
                                      options, output, files, linked))
    return error;
  if (hasWeights)
    if (llvm::Error error = appendWeights(input, files, linked, name))
      return error;
  return files.publish(name);
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

/// The command that makes one relocatable object of several.
static llvm::Expected<SmallVector<std::string>> relocatableLinkCommand() {
  auto linker = findProgram({"ld.lld-22", "ld.lld", "ld"});
  if (!linker)
    return linker.takeError();
  return SmallVector<std::string>{*linker, "-r"};
}

llvm::Error glow::writeObjectBundle(LinkInput input, StringRef output) {
  const ProgramSpec &program = input.program;
  StringRef stem = path::stem(output), name = path::filename(output);
  std::string weights = (stem + ".weights.bin").str();
  std::string header = (stem + ".h").str(), manifest = (stem + ".json").str();
  StagedFiles files;
  EmitOptions options;
  options.symbol = identifier(stem) + "_model";
  options.weightsFile = weights;
  if (llvm::Error error = linkObjects(relocatableLinkCommand(), input, options,
                                      output, files, name))
    return error;
  if (llvm::Error error = writeWeights(program, input.scope, files, weights))
    return error;
  auto writeText = [&](StringRef file, std::string text) {
    return files.write(file, [&](raw_ostream &out) { out << text; });
  };
  if (llvm::Error error = writeText(header, bundleHeader(program, options)))
    return error;
  if (llvm::Error error = writeText(manifest, bundleManifest(program, options)))
    return error;
  // The object last: whoever waits for it finds the others.
  for (StringRef file :
       {StringRef(weights), StringRef(header), StringRef(manifest), name})
    if (llvm::Error error = files.publish(file))
      return error;
  return llvm::Error::success();
}
