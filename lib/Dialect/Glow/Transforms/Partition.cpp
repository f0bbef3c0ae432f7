//===- Partition.cpp - one module per device program ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PartitionPlan.cpp decides; here each part becomes a function in a module of
// its own, and the main function a sequence of launches.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/Partition.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/OutputFile.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow {
#define GEN_PASS_DEF_PARTITION
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Names of the values that pass between parts: the model's own where it has
/// one, otherwise made from the part and the position.
class ValueNames {
public:
  explicit ValueNames(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      add(argument, function.getArgAttrOfType<StringAttr>(
                        argument.getArgNumber(), GlowDialect::kNameAttrName));
    Operation *end = function.getBody().front().getTerminator();
    for (OpOperand &result : end->getOpOperands())
      add(result.get(),
          function.getResultAttrOfType<StringAttr>(result.getOperandNumber(),
                                                   GlowDialect::kNameAttrName));
  }

  StringAttr get(Value value, unsigned part) {
    for (unsigned i = 0; !names.contains(value); ++i)
      add(value,
          StringAttr::get(value.getContext(), "part" + std::to_string(part) +
                                                  "." + std::to_string(i)));
    return names.lookup(value);
  }

private:
  void add(Value value, StringAttr name) {
    if (name && !names.contains(value) && used.insert(name).second)
      names[value] = name;
  }

  DenseMap<Value, StringAttr> names;
  DenseSet<StringAttr> used;
};

struct Partition : glow::impl::PartitionBase<Partition> {
  using PartitionBase::PartitionBase;
  void runOnOperation() override;

private:
  FailureOr<TargetAttrInterface> findTarget();
  LogicalResult writeReport(const PartitionPlan &plan);
};
} // namespace

/// Copies the constants that `op` reads, then `op` itself.
static void cloneWithConstants(OpBuilder &builder, Operation *op,
                               IRMapping &mapping) {
  SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  for (Value value : reads)
    if (!mapping.contains(value))
      builder.clone(*value.getDefiningOp(), mapping);
  builder.clone(*op, mapping);
}

/// Copies the bodies of loops in `function`, and of those in them, behind it.
static void cloneBodies(func::FuncOp function, ModuleOp from) {
  auto module = cast<ModuleOp>(function->getParentOp());
  auto copy = [&](FlatSymbolRefAttr name) {
    if (module.lookupSymbol(name))
      return;
    func::FuncOp body = from.lookupSymbol<func::FuncOp>(name);
    body = body.clone();
    module.push_back(body);
    cloneBodies(body, from);
  };
  function.walk([&](LoopOp loop) { copy(loop.getBodyAttr()); });
  function.walk([&](ForStepsOp loop) { copy(loop.getBodyAttr()); });
}

/// The module of one part, with a function `main`.
static ModuleOp outline(OpBuilder &builder, Location loc, const Part &part,
                        unsigned number, Attribute target, ValueNames &names) {
  auto module = ModuleOp::create(builder, loc, "part" + std::to_string(number));
  module->setAttr(GlowDialect::kTargetAttrName, target);
  OpBuilder inner = OpBuilder::atBlockEnd(module.getBody());
  auto type = inner.getFunctionType(ValueRange(part.inputs).getTypes(),
                                    ValueRange(part.outputs).getTypes());
  auto function = func::FuncOp::create(inner, loc, "main", type);
  Block *entry = function.addEntryBlock();
  IRMapping mapping;
  for (auto [i, input] : llvm::enumerate(part.inputs)) {
    mapping.map(input, entry->getArgument(i));
    function.setArgAttr(i, GlowDialect::kNameAttrName,
                        names.get(input, number));
  }
  inner.setInsertionPointToEnd(entry);
  for (Operation *op : part.ops)
    cloneWithConstants(inner, op, mapping);
  SmallVector<Value> results;
  for (auto [i, output] : llvm::enumerate(part.outputs)) {
    results.push_back(mapping.lookup(output));
    function.setResultAttr(i, GlowDialect::kNameAttrName,
                           names.get(output, number));
  }
  func::ReturnOp::create(inner, loc, results);
  cloneBodies(function, cast<ModuleOp>(builder.getBlock()->getParentOp()));
  return module;
}

/// Outlines all parts behind `function` and makes its body launch them.
static void apply(const PartitionPlan &plan, func::FuncOp function) {
  ValueNames names(function);
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder modules(function->getContext()), launches(end);
  modules.setInsertionPointAfter(function);
  // What the launches give instead of the ops' results.
  IRMapping launched;
  for (auto [number, part] : llvm::enumerate(plan.parts)) {
    Attribute target = part.isOnCard ? plan.card : plan.host;
    ModuleOp module =
        outline(modules, function.getLoc(), part, number, target, names);
    auto callee = SymbolRefAttr::get(
        module.getSymNameAttr(),
        FlatSymbolRefAttr::get(function.getContext(), "main"));
    SmallVector<Value> inputs;
    for (Value input : part.inputs)
      inputs.push_back(launched.lookupOrDefault(input));
    auto launch =
        LaunchOp::create(launches, function.getLoc(),
                         ValueRange(part.outputs).getTypes(), callee, inputs);
    launched.map(part.outputs, launch.getResults());
  }
  for (OpOperand &result : end->getOpOperands())
    result.set(launched.lookupOrDefault(result.get()));
}

FailureOr<TargetAttrInterface> Partition::findTarget() {
  if (!target.empty()) {
    FailureOr<Attribute> parsed = parseTarget(target, &getContext());
    if (failed(parsed))
      return failure();
    return cast<TargetAttrInterface>(*parsed);
  }
  auto attribute = getOperation()->getAttrOfType<TargetAttrInterface>(
      GlowDialect::kTargetAttrName);
  if (!attribute)
    return getOperation().emitError(
        "the module has no 'glow.target', and the option 'target' is empty");
  return attribute;
}

LogicalResult Partition::writeReport(const PartitionPlan &plan) {
  if (report.empty())
    return success();
  llvm::Error error = writeOutput(report, [&](raw_ostream &out) {
    if (StringRef(report).ends_with(".json"))
      printPartitionJson(plan, out);
    else
      printPartitionText(plan, out);
    return llvm::Error::success();
  });
  if (error)
    return getOperation().emitError(llvm::toString(std::move(error)));
  return success();
}

void Partition::runOnOperation() {
  FailureOr<TargetAttrInterface> card = findTarget();
  FailureOr<Attribute> host = parseTarget(hostTarget, &getContext());
  if (failed(card) || failed(host))
    return signalPassFailure();
  SmallVector<func::FuncOp> functions, bodies;
  for (auto function : getOperation().getOps<func::FuncOp>())
    (isLoopBody(function) ? bodies : functions).push_back(function);
  if (functions.size() != 1 || !functions[0].getBody().hasOneBlock()) {
    getOperation().emitError("cannot partition: needs exactly one function, "
                             "with one block; inline calls first");
    return signalPassFailure();
  }
  PartitionPlan plan = planPartition(functions[0], *card,
                                     cast<TargetAttrInterface>(*host), byCost);
  if (failed(writeReport(plan)))
    return signalPassFailure();
  apply(plan, functions[0]);
  for (const Placement &placement : llvm::reverse(plan.placements))
    placement.op->erase();
  for (Operation &op : llvm::make_early_inc_range(functions[0].getOps()))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (func::FuncOp body : bodies)
    body.erase();
  getOperation()->removeAttr(GlowDialect::kTargetAttrName);
}
