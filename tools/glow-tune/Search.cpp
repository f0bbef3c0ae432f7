//===- Search.cpp - the best choices by measurement -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Search.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

using Candidates = std::vector<ContractionChoices>;

raw_ostream &mlir::glow::operator<<(raw_ostream &out,
                                    const ContractionChoices &choices) {
  return out << llvm::formatv("tile {0} x {1}  blocks {2}, {3}",
                              choices.tileRows, choices.tileVectors,
                              choices.blockRows, choices.blockColumns);
}

/// For each number of vectors the most rows that registers hold, and fewer that
/// leave no smaller tile over.
static Candidates tiles(const TunableKernel &kernel,
                        const ContractionChoices &best) {
  Candidates list;
  int64_t mostVectors = std::min<int64_t>(kernel.vectors, 8);
  for (int64_t vectors = 1; vectors <= mostVectors; ++vectors) {
    int64_t most =
        std::min((kernel.registers - 1 - vectors) / vectors, kernel.rows);
    if (most < 1)
      break;
    int64_t even = divideCeil(kernel.rows, divideCeil(kernel.rows, most));
    for (int64_t rows : {most, even})
      if (rows != best.tileRows || vectors != best.tileVectors)
        if (llvm::none_of(list, [&](const ContractionChoices &other) {
              return other.tileRows == rows && other.tileVectors == vectors;
            }))
          list.push_back({rows, vectors, 0, 0});
  }
  return list;
}

static Candidates blocks(const TunableKernel &kernel,
                         const ContractionChoices &best,
                         int64_t ContractionChoices::*member) {
  int64_t analytic = std::max<int64_t>(1, kernel.chosen.*member);
  Candidates list;
  for (int64_t size :
       {analytic / 2, analytic * 2, analytic * 4, analytic / 4}) {
    if (size < 1)
      continue;
    ContractionChoices choices = best;
    choices.*member = size;
    list.push_back(choices);
  }
  return list;
}

/// Kernels in groups within which none meet.
static std::vector<std::vector<size_t>> groupsOf(const TunableModel &model) {
  std::vector<std::vector<size_t>> groups;
  for (size_t k = 0; k < model.kernels.size(); ++k) {
    auto fitting = llvm::find_if(groups, [&](ArrayRef<size_t> group) {
      return llvm::none_of(group,
                           [&](size_t other) { return model.meet(k, other); });
    });
    if (fitting == groups.end())
      fitting = groups.emplace(groups.end());
    fitting->push_back(k);
  }
  return groups;
}

namespace {
class Searcher {
public:
  Searcher(const TunableModel &model, const KernelTarget &target,
           const SearchOptions &options, const TimeFunction &time,
           raw_ostream &log)
      : model(model), target(target), options(options), time(time), log(log),
        best(model.kernels.size()), groups(groupsOf(model)) {}

  llvm::Error improve(StringRef what,
                      llvm::function_ref<Candidates(const TunableKernel &,
                                                    const ContractionChoices &)>
                          candidatesOf);
  void addTo(Tuning &tuning) const;

private:
  llvm::Error contest(ArrayRef<size_t> kernels, ArrayRef<Candidates> candidates,
                      size_t first);
  void print(size_t k, const ContractionChoices &choices, double ns) const;
  Tuning tuningOf(ArrayRef<ContractionChoices> choices) const;

  const TunableModel &model;
  const KernelTarget &target;
  const SearchOptions &options;
  const TimeFunction &time;
  raw_ostream &log;
  std::vector<ContractionChoices> best;
  std::vector<std::vector<size_t>> groups;
};
} // namespace

Tuning Searcher::tuningOf(ArrayRef<ContractionChoices> choices) const {
  Tuning tuning;
  for (auto [kernel, choice] : llvm::zip_equal(model.kernels, choices))
    tuning.set(target, kernel.shape, choice);
  return tuning;
}

void Searcher::print(size_t k, const ContractionChoices &choices,
                     double ns) const {
  const TunableKernel &kernel = model.kernels[k];
  ContractionChoices all = choices;
  for (auto member :
       {&ContractionChoices::tileRows, &ContractionChoices::tileVectors,
        &ContractionChoices::blockRows, &ContractionChoices::blockColumns})
    if (!(all.*member))
      all.*member = kernel.chosen.*member;
  log << llvm::format("%12.3f ms  ", ns * 1e-6) << all << "  " << kernel.shape
      << "\n";
}

/// The best so far against candidates from `first` on, of all `kernels` at
/// once.
llvm::Error Searcher::contest(ArrayRef<size_t> kernels,
                              ArrayRef<Candidates> candidates, size_t first) {
  std::vector<std::vector<ContractionChoices>> variants{best};
  for (size_t i = first; i + 1 < first + options.atOnce; ++i) {
    variants.push_back(best);
    for (auto [k, list] : llvm::zip_equal(kernels, candidates))
      if (i < list.size())
        variants.back()[k] = list[i];
  }
  std::vector<Tuning> tunings;
  std::vector<const Tuning *> pointers;
  for (const auto &variant : variants)
    tunings.push_back(tuningOf(variant));
  for (const Tuning &tuning : tunings)
    pointers.push_back(&tuning);
  auto times = time(pointers);
  if (!times)
    return times.takeError();
  for (size_t k : kernels) {
    if (options.isVerbose)
      for (auto [variant, measured] : llvm::zip_equal(variants, *times))
        print(k, variant[k], measured.kernels[k]);
    // The first is the best so far, and does not compete with itself.
    double least = times->front().kernels[k] * (1 - options.leastGain);
    for (auto [variant, measured] :
         llvm::drop_begin(llvm::zip_equal(variants, *times)))
      if (measured.kernels[k] < least) {
        least = measured.kernels[k];
        best[k] = variant[k];
      }
  }
  return llvm::Error::success();
}

llvm::Error
Searcher::improve(StringRef what,
                  llvm::function_ref<Candidates(const TunableKernel &,
                                                const ContractionChoices &)>
                      candidatesOf) {
  for (auto [g, group] : llvm::enumerate(groups)) {
    std::vector<Candidates> candidates;
    size_t most = 0;
    for (size_t k : group) {
      candidates.push_back(candidatesOf(model.kernels[k], best[k]));
      most = std::max(most, candidates.back().size());
    }
    for (size_t first = 0; first < most; first += options.atOnce - 1) {
      log << what << ", group " << g + 1 << " of " << groups.size()
          << ": candidates " << first + 1 << " to "
          << std::min(first + options.atOnce - 1, most) << " of " << most
          << "\n";
      if (llvm::Error error = contest(group, candidates, first))
        return error;
    }
  }
  return llvm::Error::success();
}

void Searcher::addTo(Tuning &tuning) const {
  for (auto [kernel, choices] : llvm::zip_equal(model.kernels, best))
    if (choices.tileRows || choices.blockRows || choices.blockColumns)
      tuning.set(target, kernel.shape, choices);
}

llvm::Error mlir::glow::search(const TunableModel &model,
                               const KernelTarget &target,
                               const SearchOptions &options,
                               const TimeFunction &time, raw_ostream &log,
                               Tuning &tuning) {
  Searcher searcher(model, target, options, time, log);
  if (llvm::Error error = searcher.improve("tiles", tiles))
    return error;
  for (auto [what, member] :
       {std::pair("blocks of rows", &ContractionChoices::blockRows),
        {"blocks of columns", &ContractionChoices::blockColumns}}) {
    auto candidatesOf = [member = member](const TunableKernel &kernel,
                                          const ContractionChoices &best) {
      return blocks(kernel, best, member);
    };
    if (llvm::Error error = searcher.improve(what, candidatesOf))
      return error;
  }
  searcher.addTo(tuning);
  return llvm::Error::success();
}
