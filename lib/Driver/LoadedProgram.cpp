//===- LoadedProgram.cpp - programs from files ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Program.h"
#include "glow/Runtime/Program.h"
#include "glow/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mlir::glow;

static llvm::Error cannotRead(StringRef path, std::error_code why) {
  return llvm::createStringError(why, "cannot read '" + path +
                                          "': " + why.message());
}

namespace {
class LoadedProgram : public Program {
public:
  LoadedProgram(StringRef path, int file, std::shared_ptr<GlowRtProgram> loaded)
      : path(path), file(file), loaded(std::move(loaded)) {
    GlowRtProgram *program = this->loaded.get();
    name = glow_rt_program_name(program);
    addLists(program->impl->inputLists, inputLists);
    addLists(program->impl->outputLists, outputLists);
    for (uint32_t i = 0; i < glow_rt_num_inputs(program); ++i)
      inputs.push_back(info(glow_rt_input(program, i)));
    for (uint32_t i = 0; i < glow_rt_num_outputs(program); ++i)
      outputs.push_back(info(glow_rt_output(program, i)));
  }

  ~LoadedProgram() override {
    llvm::sys::Process::SafelyCloseFileDescriptor(file);
  }

  /// What was loaded, whatever its path names by now.
  llvm::Error save(StringRef target) override {
    llvm::sys::fs::file_status status;
    if (std::error_code error = llvm::sys::fs::status(file, status))
      return cannotRead(path, error);
    auto contents = llvm::MemoryBuffer::getOpenFileSlice(
        llvm::sys::fs::file_t(file), path, status.getSize(), /*Offset=*/0);
    if (!contents)
      return cannotRead(path, contents.getError());
    return writeOutput(target, [&](raw_ostream &out) {
      out << (*contents)->getBuffer();
      return llvm::Error::success();
    });
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor>) override {
    return loaded;
  }

private:
  static Info info(const GlowTensorDesc *desc) {
    Info info{desc->name, {desc->dims, desc->dims + desc->rank}, desc->dtype};
    for (uint32_t i = 0; desc->varies && i < desc->rank; ++i)
      if (desc->varies[i])
        info.dims[i] = -1;
    return info;
  }
  static void addLists(ArrayRef<GlowList> from, std::vector<TensorList> &to) {
    for (const GlowList &list : from)
      to.push_back({list.name, (list.kind & GLOW_SEQUENCE) != 0,
                    (list.kind & GLOW_OPTIONAL) != 0, list.present != 0,
                    list.first, list.count});
  }
  std::string path;
  int file; // open for reading
  std::shared_ptr<GlowRtProgram> loaded;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>> Program::load(StringRef path,
                                                       uint32_t threads) {
  // Before it is loaded: afterwards the path may name another one.
  int file;
  if (std::error_code error = llvm::sys::fs::openFileForRead(path, file))
    return cannotRead(path, error);
  GlowRtOptions options = {};
  options.size = sizeof(options);
  options.threads = threads;
  GlowRtProgram *raw;
  if (glow_rt_load_file(path.str().c_str(), &options, &raw)) {
    llvm::sys::Process::SafelyCloseFileDescriptor(file);
    return llvm::createStringError(glow_last_error());
  }
  return std::make_unique<LoadedProgram>(
      path, file, std::shared_ptr<GlowRtProgram>(raw, glow_rt_program_free));
}
