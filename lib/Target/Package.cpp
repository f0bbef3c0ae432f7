//===- Package.cpp - partitions as a folder of programs -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/Package.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/Target.h"
#include "glow/Runtime/Manifest.h"
#include "glow/Support/DType.h"
#include "glow/Support/OutputFile.h"
#include "glow/Target/Plugin.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;
namespace runtime = ::glow::runtime;

namespace {
/// Collects the manifest from the launches of the main function.
class ManifestBuilder {
public:
  ManifestBuilder(ModuleOp module, StringRef name) : module(module) {
    manifest.name = name.str();
  }
  LogicalResult run(func::FuncOp main);
  runtime::Manifest manifest;

private:
  LogicalResult addLaunch(LaunchOp launch);
  /// The number of the manifest's value for `value`, called `name` if it is
  /// new.
  FailureOr<uint32_t> add(Value value, StringAttr name);

  ModuleOp module;
  DenseMap<Value, uint32_t> numbers;
};
} // namespace

FailureOr<uint32_t> ManifestBuilder::add(Value value, StringAttr name) {
  auto [known, isNew] = numbers.try_emplace(value, manifest.values.size());
  if (!isNew)
    return known->second;
  auto type = cast<RankedTensorType>(value.getType());
  FailureOr<uint32_t> dtype = dtypeOf(type.getElementType());
  if (failed(dtype) || !type.hasStaticShape())
    return emitError(value.getLoc())
           << "a package passes tensors of static shape and plain elements "
              "between devices, not "
           << type << "; fix dynamic shapes with --shape";
  runtime::TensorInfo info;
  info.name = name ? name.str() : "value" + std::to_string(known->second);
  info.dtype = *dtype;
  info.dims.assign(type.getShape().begin(), type.getShape().end());
  manifest.values.push_back(std::move(info));
  return known->second;
}

LogicalResult ManifestBuilder::addLaunch(LaunchOp launch) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      launch, launch.getCallee());
  auto target =
      callee->getParentOfType<ModuleOp>()->getAttrOfType<TargetAttrInterface>(
          GlowDialect::kTargetAttrName);
  if (!target)
    return launch.emitOpError("the module of ")
           << launch.getCallee() << " has no 'glow.target'";
  runtime::Partition &partition = manifest.partitions.emplace_back();
  partition.name = launch.getCallee().getRootReference().str();
  partition.driver = target.getDeviceName().str();
  partition.program = partition.name + "." + target.getFileExtension().str();
  for (auto [i, input] : llvm::enumerate(launch.getInputs())) {
    auto number =
        add(input,
            callee.getArgAttrOfType<StringAttr>(i, GlowDialect::kNameAttrName));
    if (failed(number))
      return failure();
    partition.reads.push_back(*number);
  }
  for (auto [i, result] : llvm::enumerate(launch.getResults())) {
    auto number = add(result, callee.getResultAttrOfType<StringAttr>(
                                  i, GlowDialect::kNameAttrName));
    if (failed(number))
      return failure();
    partition.writes.push_back(*number);
  }
  return success();
}

LogicalResult ManifestBuilder::run(func::FuncOp main) {
  for (BlockArgument argument : main.getArguments()) {
    auto number =
        add(argument, main.getArgAttrOfType<StringAttr>(
                          argument.getArgNumber(), GlowDialect::kNameAttrName));
    if (failed(number))
      return failure();
    manifest.inputs.push_back(*number);
  }
  Block &body = main.getBody().front();
  for (Operation &op : body.without_terminator()) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch)
      return op.emitOpError("is not part of a partition: run glow-partition");
    if (failed(addLaunch(launch)))
      return failure();
  }
  for (Value output : body.getTerminator()->getOperands()) {
    auto number = numbers.find(output);
    if (isa<BlockArgument>(output) ||
        llvm::is_contained(manifest.outputs, number->second))
      return main.emitError("an output of the model is one of its inputs, or "
                            "the same as another output; a package cannot "
                            "express that");
    manifest.outputs.push_back(number->second);
  }
  if (GlowStatus status = runtime::checkManifest(manifest))
    return main.emitError("the package would be invalid: ")
           << ::glow_last_error() << " (" << ::glow_status_name(status) << ")";
  return success();
}

/// Lowers and writes one partition.
static LogicalResult emitPartition(ModuleOp module, StringRef path,
                                   const PackageOptions &options) {
  auto target =
      module->getAttrOfType<TargetAttrInterface>(GlowDialect::kTargetAttrName);
  PassManager manager(module->getContext(), ModuleOp::getOperationName());
  if (options.configure)
    options.configure(manager);
  target.buildPipeline(manager);
  if (failed(manager.run(module)))
    return failure();
  return target.emit(module, path);
}

/// Writes all files to a new folder.
static LogicalResult writeFiles(ModuleOp module, const std::string &manifest,
                                StringRef folder,
                                const PackageOptions &options) {
  for (ModuleOp partition : module.getOps<ModuleOp>()) {
    auto target = partition->getAttrOfType<TargetAttrInterface>(
        GlowDialect::kTargetAttrName);
    if (!target)
      continue;
    SmallString<128> path(folder);
    llvm::sys::path::append(path, *partition.getSymName() + "." +
                                      target.getFileExtension());
    if (failed(emitPartition(partition, path, options)))
      return failure();
  }
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "manifest.json");
  return writeProgramFile(module, path,
                          [&](raw_ostream &out) { out << manifest; });
}

/// Gives `folder` the name `path`, in place of a package that has it. That one
/// is only removed once the new one is there.
static std::error_code moveInPlace(StringRef folder, StringRef path) {
  namespace fs = llvm::sys::fs;
  if (!fs::exists(path))
    return fs::rename(folder, path);
  SmallString<128> old(folder);
  old += ".old";
  std::error_code error = fs::rename(path, old);
  if (error)
    return error;
  error = fs::rename(folder, path);
  if (error)
    (void)fs::rename(old, path);
  else
    fs::remove_directories(old);
  return error;
}

/// The folder that a path with separators behind it or links in it names.
static std::string realFolder(StringRef path) {
  SmallString<128> result(path);
  (void)llvm::sys::fs::make_absolute(result);
  while (result.size() > 1 && llvm::sys::path::is_separator(result.back()))
    result.pop_back();
  SmallString<128> real;
  return std::string(llvm::sys::fs::real_path(result, real) ? result : real);
}

LogicalResult mlir::glow::emitPackage(ModuleOp module, StringRef output,
                                      const PackageOptions &options) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1)
    return module.emitError("a package is made from one main function, not ")
           << functions.size();
  ManifestBuilder builder(module, options.name);
  if (failed(builder.run(functions[0])))
    return failure();
  std::string path = realFolder(output);
  SmallString<128> marker(path), folder;
  llvm::sys::path::append(marker, "manifest.json");
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::exists(marker))
    return module.emitError("'")
           << output << "' exists and is not a package: remove it first";
  // Beside the package, so that renaming it is one step.
  if (std::error_code error = makeFolderBeside(path, folder))
    return module.emitError("cannot make a folder beside '")
           << path << "': " << error.message();
  LogicalResult result = writeFiles(
      module, runtime::printManifest(builder.manifest), folder, options);
  if (succeeded(result)) {
    std::error_code error = moveInPlace(folder, path);
    if (!error)
      return success();
    result = module.emitError("cannot rename '")
             << folder << "' to '" << path << "': " << error.message();
  }
  llvm::sys::fs::remove_directories(folder);
  return result;
}
