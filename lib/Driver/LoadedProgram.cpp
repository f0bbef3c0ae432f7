//===- LoadedProgram.cpp - programs from files ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Program.h"
#include "glow/Runtime/Program.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
class LoadedProgram : public Program {
public:
  LoadedProgram(StringRef path, std::shared_ptr<GlowRtProgram> loaded)
      : path(path), loaded(std::move(loaded)) {
    GlowRtProgram *program = this->loaded.get();
    name = glow_rt_program_name(program);
    addLists(program->impl->inputLists, inputLists);
    addLists(program->impl->outputLists, outputLists);
    for (uint32_t i = 0; i < glow_rt_num_inputs(program); ++i)
      inputs.push_back(info(glow_rt_input(program, i)));
    for (uint32_t i = 0; i < glow_rt_num_outputs(program); ++i)
      outputs.push_back(info(glow_rt_output(program, i)));
  }

  llvm::Error save(StringRef target) override {
    // Not in place: the target may be this model, or another one in use.
    SmallString<128> staged;
    std::error_code error =
        llvm::sys::fs::createUniqueFile(target + ".%%%%%%", staged);
    if (!error)
      error = llvm::sys::fs::copy_file(path, staged);
    if (!error)
      error = llvm::sys::fs::rename(staged, target);
    if (!error)
      return llvm::Error::success();
    llvm::sys::fs::remove(staged);
    return llvm::createStringError(error, "cannot copy '" + path + "' to '" +
                                              target.str() + "'");
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
  std::shared_ptr<GlowRtProgram> loaded;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>> Program::load(StringRef path,
                                                       uint32_t threads) {
  GlowRtOptions options = {};
  options.size = sizeof(options);
  options.threads = threads;
  GlowRtProgram *raw;
  if (glow_rt_load_file(path.str().c_str(), &options, &raw))
    return llvm::createStringError(glow_last_error());
  return std::make_unique<LoadedProgram>(
      path, std::shared_ptr<GlowRtProgram>(raw, glow_rt_program_free));
}
