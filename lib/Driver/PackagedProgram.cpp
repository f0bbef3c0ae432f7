//===- PackagedProgram.cpp - compile for a card and load ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelProgram.h"
#include "glow-c/Device.h"
#include "glow/Interfaces/Target.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;

/// Makes the driver of the target's device known to the runtime. Its library
/// lies beside the plug-in that brought the target, unless the process has it.
static LogicalResult openDriver(TargetAttrInterface target,
                                ArrayRef<std::string> plugins) {
  if (glow_device_find_driver(target.getDeviceName().str().c_str()))
    return success();
  std::string library = target.getDeviceLibrary().str();
  for (StringRef plugin : plugins) {
    SmallString<128> path(llvm::sys::path::parent_path(plugin));
    llvm::sys::path::append(path, library);
    if (!library.empty() && llvm::sys::fs::exists(path))
      return success(glow_device_open_plugin(path.c_str()) == GLOW_OK);
  }
  return failure();
}

llvm::Expected<std::shared_ptr<GlowRtProgram>>
glow::loadPackaged(ModuleOp module, const ProgramOptions &options,
                   const PackageCompileOptions &package, StageLog &log) {
  auto target = parseTarget(package.target, module.getContext());
  if (failed(target))
    return llvm::createStringError("the target is not known");
  if (failed(openDriver(cast<TargetAttrInterface>(*target), options.plugins)))
    return llvm::createStringError(glow_last_error());
  SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("glow", folder))
    return llvm::createStringError(error, "cannot make a temporary folder");
  // What is loaded from it stays mapped.
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(folder); });
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "package");
  if (failed(compileToPackage(module, path, package, log)))
    return llvm::createStringError("the model could not be compiled");
  GlowRtOptions runtime = {};
  runtime.size = sizeof(runtime);
  runtime.threads = options.threads;
  GlowRtProgram *program;
  if (glow_rt_load_file(path.c_str(), &runtime, &program))
    return llvm::createStringError(glow_last_error());
  return std::shared_ptr<GlowRtProgram>(program, glow_rt_program_free);
}
