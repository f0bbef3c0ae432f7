//===- glow-conformance.cpp - runs ONNX's conformity tests ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 all tests passed, or did as --expected says; 1 they did not; 2
// wrong usage.
//
//===----------------------------------------------------------------------===//
#include "Expectations.h"
#include "Workers.h"
#include "glow/Driver/CodeFlags.h"
#include "glow/Runtime/ThreadLimits.h"
#include "glow/Support/OptionName.h"
#include "glow/Support/OutputFile.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::glow;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("glow-conformance options");
cl::list<std::string> folders(cl::Positional, cl::OneOrMore, cl::cat(category),
                              cl::desc("<folders with tests>"));
cl::list<Mode> modes(
    "mode", cl::CommaSeparated, cl::cat(category),
    cl::desc("What is done to the models; default: given"),
    cl::values(clEnumValN(Mode::Given, "given", "nothing"),
               clEnumValN(Mode::Dynamic, "dynamic",
                          "all extents of inputs are open"),
               clEnumValN(Mode::Constant, "constant", "inputs are constants"),
               clEnumValN(Mode::Object, "object",
                          "compiled ahead of time, run by another process")));
cl::list<std::string> filters("filter", cl::CommaSeparated, cl::cat(category),
                              cl::desc("Only tests whose name contains this"));
cl::opt<std::string> target("target", cl::init("cpu"), cl::cat(category),
                            cl::desc("cpu, interpret, or a plug-in's target"));
cl::opt<std::string> dynamicShapes(
    "dynamic-shapes", cl::init("ranges"), cl::cat(category),
    cl::desc("How --mode=dynamic compiles: ranges, auto or exact"));
cl::opt<std::string> expected("expected", cl::value_desc("file"),
                              cl::cat(category),
                              cl::desc("List of the tests that fail"));
cl::opt<bool> update("update", cl::cat(category),
                     cl::desc("Bring the list up to date"));
cl::opt<std::string> jsonFile("json", cl::value_desc("file"), cl::cat(category),
                              cl::desc("Write all results as JSON"));
cl::opt<std::string> htmlFile("html", cl::value_desc("file"), cl::cat(category),
                              cl::desc("Write a table of all results"));
cl::opt<bool> longText("long", cl::cat(category),
                       cl::desc("Print each test that does not pass"));
cl::opt<unsigned> numJobs("jobs", cl::init(0), cl::cat(category),
                          cl::desc("Processes; default: one per core"));
cl::opt<unsigned> limit("time-limit", cl::init(60), cl::cat(category),
                        cl::desc("Seconds that a test may take"));
CodeFlags flags(category);
PluginOption plugins(category);

int fail(llvm::Error error, int code = 1) {
  llvm::errs() << "glow-conformance: error: "
               << llvm::toString(std::move(error)) << "\n";
  return code;
}
} // namespace

static ProgramOptions programOptions() {
  ProgramOptions options;
  // Tests are small, and as many run at once as there are cores.
  options.threads = 1;
  flags.set(options.compile);
  options.target = target;
  options.plugins.assign(plugins.begin(), plugins.end());
  return options;
}

static llvm::Error runAll(ArrayRef<TestCase> tests, ArrayRef<Mode> wanted,
                          StringRef scratch, std::vector<Row> &rows) {
  ProgramOptions options = programOptions(), open = options;
  open.dynamicShapes = *parseDynamicShapes(dynamicShapes);
  auto stem = [&](const Job &job) {
    return (scratch + "/" + Twine(job.test)).str();
  };
  auto work = [&](const Job &job) {
    const TestCase &test = tests[job.test];
    if (job.mode != Mode::Object)
      return runTest(test, job.mode,
                     job.mode == Mode::Dynamic ? open : options);
    return job.isSecond ? runObjects(test, options, stem(job))
                        : compileObjects(test, options, stem(job));
  };
  std::vector<Job> jobs;
  for (size_t i = 0; i < tests.size(); ++i) {
    rows.push_back({tests[i].name, {}});
    for (Mode mode : wanted)
      jobs.push_back({i, mode, false});
  }
  unsigned count = numJobs ? numJobs.getValue() : glow_rt_max_threads();
  return Workers(count, limit, work)
      .run(jobs, [&](const Job &job, Outcome outcome) -> std::optional<Job> {
        Outcome &known = rows[job.test].outcomes[job.mode];
        double compiling = known.compileMilliseconds;
        known = std::move(outcome);
        known.compileMilliseconds += compiling;
        if (job.mode != Mode::Object || job.isSecond ||
            known.status != Outcome::Passed)
          return std::nullopt;
        return Job{job.test, job.mode, true};
      });
}

static llvm::Error writeFile(const std::string &file,
                             llvm::function_ref<void(raw_ostream &)> write) {
  if (file.empty())
    return llvm::Error::success();
  return writeOutput(file, [&](raw_ostream &out) {
    write(out);
    return llvm::Error::success();
  });
}

/// Reports; the exit code.
static int report(ArrayRef<Row> rows, ArrayRef<Mode> wanted) {
  printText(rows, wanted, longText, llvm::outs());
  llvm::Error errors = writeFile(jsonFile, [&](raw_ostream &out) {
    out << toJson(rows, wanted, target, dynamicShapes) << "\n";
  });
  errors =
      joinErrors(std::move(errors), writeFile(htmlFile, [&](raw_ostream &out) {
                   printHTML(rows, wanted, target, out);
                 }));
  if (errors)
    return fail(std::move(errors));
  if (expected.empty())
    return llvm::any_of(rows, [](const Row &row) {
      return llvm::any_of(row.outcomes, [](auto &entry) {
        return entry.second.status == Outcome::Failed ||
               entry.second.status == Outcome::Unsupported;
      });
    });
  auto list = Expectations::read(expected);
  if (!list)
    return fail(list.takeError());
  if (update) {
    llvm::Error error = list->update(rows, target);
    return error ? fail(std::move(error)) : 0;
  }
  std::vector<std::string> differences = list->compare(rows, target);
  for (const std::string &line : differences)
    llvm::outs() << line << "\n";
  return !differences.empty();
}

int main(int argc, char **argv) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  flags.hideRareOnes();
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Runs ONNX's conformity tests.\n", &llvm::errs()))
    return 2;
  if (!parseDynamicShapes(dynamicShapes))
    return fail(llvm::createStringError(
                    "--dynamic-shapes must be ranges, auto or exact"),
                2);
  if (update && expected.empty())
    return fail(llvm::createStringError("--update needs --expected"), 2);
  std::vector<Mode> wanted(modes.begin(), modes.end());
  if (wanted.empty())
    wanted.push_back(Mode::Given);
  std::vector<std::string> roots(folders.begin(), folders.end());
  std::vector<std::string> parts(filters.begin(), filters.end());
  auto tests = findTests(roots, parts);
  if (!tests)
    return fail(tests.takeError(), 2);
  if (tests->empty())
    return fail(llvm::createStringError("there are no tests in these folders"),
                2);
  SmallString<128> scratch;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("glow-conformance", scratch))
    return fail(llvm::createStringError(error, "no temporary folder"));
  std::vector<Row> rows;
  llvm::Error error = runAll(*tests, wanted, scratch, rows);
  llvm::sys::fs::remove_directories(scratch);
  if (error)
    return fail(std::move(error));
  return report(rows, wanted);
}
