//===- CompilePackage.cpp - a graph on several devices --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/CompilePackage.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Target/Package.h"

using namespace mlir;
using namespace mlir::glow;

/// Clusters and epilogues are formed, as they are what is placed. Layouts and
/// packed weights are left to each partition's own target.
static void buildSharedGraphStage(OpPassManager &manager,
                                  const PackageCompileOptions &options) {
  GraphStageOptions graph;
  for (const std::string &shape : options.shapes)
    graph.shapes.push_back(shape);
  graph.channelsLast = false;
  graph.packWidth = 0;
  buildGraphPipeline(manager, graph);
}

/// The processor as `parseTarget` takes it.
static std::string hostTarget(const MachineOptions &machine,
                              MLIRContext *context) {
  context->loadDialect<GlowDialect>(); // no op of it may be there
  std::string text;
  llvm::raw_string_ostream(text)
      << CpuAttr::get(context, machine.triple, machine.cpu, machine.features);
  return text;
}

LogicalResult glow::compileToPackage(ModuleOp module, StringRef path,
                                     const PackageCompileOptions &options,
                                     StageLog &log) {
  if (!options.machine.description.empty() || !options.machine.tuning.empty())
    return module.emitError("the options 'machine' and 'tuning' are for the "
                            "processor alone: they do not go with a card");
  PassManager manager(module.getContext());
  buildSharedGraphStage(manager, options);
  if (failed(log.measure("graph", [&] { return manager.run(module); })))
    return failure();
  PartitionOptions partition;
  partition.target = options.target;
  partition.hostTarget = hostTarget(options.machine, module.getContext());
  partition.byCost = options.byCost;
  partition.report = options.report;
  PassManager partitioner(module.getContext());
  partitioner.addPass(createPartition(partition));
  if (failed(log.measure("partition", [&] { return partitioner.run(module); })))
    return failure();
  PackageOptions package;
  package.name = options.name;
  return log.measure("package",
                     [&] { return emitPackage(module, path, package); });
}
