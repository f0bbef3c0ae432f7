//===- BisectPasses.cpp - the pass that a fault comes from ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs can be interpreted after every pass. What comes later cannot, so there
// the passes are left out one by one.
//
//===----------------------------------------------------------------------===//
#include "Bisect.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Calls `after` with the argument of each pass that has run in a context.
class PassObserver {
public:
  PassObserver(MLIRContext *context,
               std::function<void(StringRef pass, Operation *op)> after)
      : context(context) {
    context->registerActionHandler(
        [after](function_ref<void()> transform, const tracing::Action &action) {
          transform();
          auto *execution = dyn_cast<PassExecutionAction>(&action);
          // Adaptors, which nest pipelines, have none.
          if (execution && !execution->getPass().getArgument().empty())
            after(execution->getPass().getArgument(), execution->getOp());
        });
  }
  ~PassObserver() { context->registerActionHandler(nullptr); }

private:
  MLIRContext *context;
};

class PassBisection {
public:
  PassBisection(const Fault &fault, const ProgramOptions &options,
                const Bound &bound, raw_ostream &out)
      : fault(fault), options(options), bound(bound), out(out) {}

  /// True if a pass on graphs is to blame.
  llvm::Expected<bool> findInGraph();
  llvm::Error leaveOut();

private:
  llvm::Error lower(Stage last, std::function<void(StringRef, ModuleOp)> after);
  /// How far `module`, run as `target` says, is from what it should compute.
  llvm::Expected<Errors> errorsOf(ModuleOp module,
                                  const ProgramOptions &options);

  const Fault &fault;
  const ProgramOptions &options;
  const Bound &bound;
  raw_ostream &out;
};
} // namespace

llvm::Error
PassBisection::lower(Stage last,
                     std::function<void(StringRef, ModuleOp)> after) {
  OwningOpRef<ModuleOp> module = fault.window.module.get().clone();
  MLIRContext *context = module->getContext();
  bool wasThreaded = context->isMultithreadingEnabled();
  context->disableMultithreading(); // passes one after the other
  PassObserver observer(
      context, [&](StringRef pass, Operation *) { after(pass, *module); });
  StageLog log;
  LogicalResult lowered = lowerModule(*module, last, options.compile, log);
  context->disableMultithreading(!wasThreaded);
  if (failed(lowered))
    return llvm::createStringError("the steps cannot be lowered");
  return llvm::Error::success();
}

llvm::Expected<Errors> PassBisection::errorsOf(ModuleOp module,
                                               const ProgramOptions &options) {
  auto actual = runModule(module, options, fault.inputs);
  if (!actual)
    return actual.takeError();
  auto errors = findErrors(fault.trial.outputs, *actual, fault.trial.wanted);
  if (!errors)
    return errors.takeError();
  return (*errors)[fault.result];
}

llvm::Expected<bool> PassBisection::findInGraph() {
  ProgramOptions interpreting = options;
  interpreting.target = "interpret";
  std::string found;
  llvm::Error error = llvm::Error::success();
  llvm::Error lowered = lower(Stage::Graph, [&](StringRef pass, ModuleOp now) {
    if (!found.empty() || error)
      return;
    auto errors = errorsOf(now, interpreting);
    if (!errors) {
      error = llvm::joinErrors(llvm::createStringError("after " + pass + ":"),
                               errors.takeError());
      return;
    }
    out << llvm::format("  %10.3g  ", errors->relative()) << pass << "\n";
    if (!bound.isMet(*errors))
      found = pass;
  });
  if (error) {
    llvm::consumeError(std::move(lowered));
    return std::move(error);
  }
  if (lowered)
    return std::move(lowered);
  if (!found.empty())
    out << "the graph computes something else after " << found << "\n";
  return !found.empty();
}

llvm::Error PassBisection::leaveOut() {
  std::set<std::string> onGraph;
  std::vector<std::string> passes; // in order
  if (llvm::Error error = lower(Stage::Graph, [&](StringRef pass, ModuleOp) {
        onGraph.insert(pass.str());
      }))
    return error;
  if (llvm::Error error = lower(Stage::LLVM, [&](StringRef pass, ModuleOp) {
        if (onGraph.insert(pass.str()).second)
          passes.push_back(pass.str());
      }))
    return error;
  SmallVector<std::string> suspects;
  for (const std::string &pass : passes) {
    ProgramOptions without = options;
    without.compile.skippedPasses = {pass};
    auto errors = errorsOf(fault.window.module.get(), without);
    if (!errors) {
      // Most passes cannot be left out.
      llvm::consumeError(errors.takeError());
      out << "      needed  " << pass << "\n";
      continue;
    }
    out << llvm::format("  %10.3g  ", errors->relative()) << pass << "\n";
    if (bound.isMet(*errors))
      suspects.push_back(pass);
  }
  if (suspects.empty())
    out << "leaving out a single pass does not help: the fault is in one that "
           "is "
           "needed, or in the code of a kernel\n";
  for (const std::string &pass : suspects)
    out << "compiled code is right without " << pass << "\n";
  return llvm::Error::success();
}

llvm::Error mlir::glow::bisectPasses(const Fault &fault,
                                     const ProgramOptions &options,
                                     const Bound &bound, raw_ostream &out) {
  PassBisection bisection(fault, options, bound, out);
  out << "error of the graph, interpreted after each pass:\n";
  auto isInGraph = bisection.findInGraph();
  if (!isInGraph)
    return isInGraph.takeError();
  if (*isInGraph)
    return llvm::Error::success();
  out << "error of compiled code without each of the later passes:\n";
  return bisection.leaveOut();
}
