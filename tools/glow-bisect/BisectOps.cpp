//===- BisectOps.cpp - the first ops whose result departs -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bisect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Tries runs of steps. Each is fed with what the interpreter computed, so that
/// an error is that of the run itself.
class OpBisection {
public:
  OpBisection(const Steps &steps, const ProgramOptions &options,
              const Bound &bound, raw_ostream &progress)
      : steps(steps), options(options), bound(bound), progress(progress) {}

  llvm::Expected<std::optional<Fault>> run(Tensors inputs);

private:
  /// Compares what the steps in [begin, end) compute.
  llvm::Expected<Fault> attempt(size_t begin, size_t end,
                                ArrayRef<Value> results,
                                const Tensors &tensors);
  bool isFault(const Fault &fault) const {
    return fault.result < fault.window.results.size();
  }
  /// What is alive behind `fault`, whose results are right or not: what was
  /// alive before it and what the interpreter made.
  Tensors after(const Fault &fault, const Tensors &before) const;
  /// Drops the results that are right, and all that only they need.
  llvm::Expected<Fault> withoutRight(Fault fault, const Tensors &tensors);
  /// Moves the ends of a run that departs only as a whole towards each other.
  llvm::Expected<Fault> shrink(Fault fault, Tensors tensors);

  const Steps &steps;
  const ProgramOptions &options;
  const Bound &bound;
  raw_ostream &progress;
};
} // namespace

llvm::Expected<Fault> OpBisection::attempt(size_t begin, size_t end,
                                           ArrayRef<Value> results,
                                           const Tensors &tensors) {
  Fault fault{begin, end, steps.window(begin, end, results), {}, {}, 0};
  fault.inputs = inputsOf(fault.window, tensors);
  auto trial = tryWindow(fault.window, tensors, options);
  if (!trial)
    return trial.takeError();
  fault.trial = std::move(*trial);
  fault.result = fault.trial.departs(bound).value_or(results.size());
  progress << llvm::formatv("steps {0} to {1}: {2}\n", begin, end - 1,
                            isFault(fault) ? "depart" : "agree");
  return fault;
}

Tensors OpBisection::after(const Fault &fault, const Tensors &before) const {
  Tensors tensors;
  auto isRead = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      for (size_t i = fault.end; i < steps.size(); ++i)
        if (steps[i]->isAncestor(user))
          return true;
      return false;
    });
  };
  for (const auto &[value, tensor] : before)
    if (isRead(value))
      tensors[value] = tensor;
  for (auto [value, tensor] :
       llvm::zip_equal(fault.window.results, fault.trial.wanted))
    tensors[value] = tensor;
  return tensors;
}

llvm::Expected<Fault> OpBisection::withoutRight(Fault fault,
                                                const Tensors &tensors) {
  if (fault.window.results.size() == 1)
    return std::move(fault);
  auto less = attempt(fault.begin, fault.end,
                      fault.window.results[fault.result], tensors);
  if (!less)
    return less.takeError();
  return isFault(*less) ? std::move(*less) : std::move(fault);
}

llvm::Expected<Fault> OpBisection::shrink(Fault fault, Tensors tensors) {
  // The least end with which the run departs, then the greatest begin.
  size_t right = fault.begin + 1, departs = fault.end;
  while (departs - right > 1) {
    size_t middle = (right + departs) / 2;
    auto part = attempt(fault.begin, middle,
                        steps.resultsOf(fault.begin, middle), tensors);
    if (!part)
      return part.takeError();
    if (!isFault(*part)) {
      right = middle;
      continue;
    }
    departs = middle;
    fault = std::move(*part);
  }
  size_t last = fault.end - 1;
  while (last - fault.begin > 1) {
    size_t middle = (fault.begin + last) / 2;
    auto head = attempt(fault.begin, middle,
                        steps.resultsOf(fault.begin, middle), tensors);
    if (!head)
      return head.takeError();
    Tensors inner = after(*head, tensors);
    auto part =
        attempt(middle, fault.end, steps.resultsOf(middle, fault.end), inner);
    if (!part)
      return part.takeError();
    if (!isFault(*part)) {
      last = middle;
      continue;
    }
    tensors = std::move(inner);
    fault = std::move(*part);
  }
  return withoutRight(std::move(fault), tensors);
}

llvm::Expected<std::optional<Fault>> OpBisection::run(Tensors tensors) {
  auto whole =
      attempt(0, steps.size(), steps.resultsOf(0, steps.size()), tensors);
  if (!whole)
    return whole.takeError();
  if (!isFault(*whole))
    return std::nullopt;
  Fault fault = std::move(*whole);
  while (fault.end - fault.begin > 1) {
    size_t middle = (fault.begin + fault.end) / 2;
    auto first = attempt(fault.begin, middle,
                         steps.resultsOf(fault.begin, middle), tensors);
    if (!first)
      return first.takeError();
    if (isFault(*first)) {
      fault = std::move(*first);
      continue;
    }
    Tensors inner = after(*first, tensors);
    auto second =
        attempt(middle, fault.end, steps.resultsOf(middle, fault.end), inner);
    if (!second)
      return second.takeError();
    if (!isFault(*second))
      return shrink(std::move(fault), std::move(tensors));
    tensors = std::move(inner);
    fault = std::move(*second);
  }
  return withoutRight(std::move(fault), tensors);
}

llvm::Expected<std::optional<Fault>>
mlir::glow::bisectOps(const Steps &steps, Tensors inputs,
                      const ProgramOptions &options, const Bound &bound,
                      raw_ostream &progress) {
  if (steps.size() == 0)
    return std::nullopt;
  return OpBisection(steps, options, bound, progress).run(std::move(inputs));
}
