//===- Machine.cpp - which machine code is made for -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Machine.h"
#include "Caches.h"
#include "glow/Interfaces/Tuning.h"
#include "glow/Runtime/CpuFeatures.h"
#include "glow/Support/JsonFile.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace llvm;
using namespace mlir::glow;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
  });
}

/// The host's features, sorted, as +a,-b,.... Tile registers that the operating
/// system keeps from this process are none.
static std::string hostFeatures() {
  std::vector<std::string> features;
  StringMap<bool> found = sys::getHostCPUFeatures();
  bool lacksTiles =
      found.lookup("amx-tile") && !::glow::runtime::requestAmxTiles();
  for (const auto &feature : found) {
    bool isThere =
        feature.second && !(lacksTiles && feature.first().starts_with("amx-"));
    features.push_back((isThere ? "+" : "-") + feature.first().str());
  }
  llvm::sort(features);
  return join(features, ",");
}

/// True if the machine has `feature`, by its CPU or by its feature string.
static bool hasFeature(const MCSubtargetInfo &info, StringRef feature) {
  return info.checkFeatures(("+" + feature).str());
}

/// Features of x86 that kernel generators or LLVM's code selection may make use
/// of, and that the runtime knows.
static constexpr StringLiteral kCodeFeatures[] = {"sse3",
                                                  "ssse3",
                                                  "sse4.1",
                                                  "sse4.2",
                                                  "sse4a",
                                                  "popcnt",
                                                  "lzcnt",
                                                  "movbe",
                                                  "pclmul",
                                                  "vpclmulqdq",
                                                  "avx",
                                                  "avx2",
                                                  "fma",
                                                  "fma4",
                                                  "xop",
                                                  "tbm",
                                                  "f16c",
                                                  "bmi",
                                                  "bmi2",
                                                  "gfni",
                                                  "avxvnni",
                                                  "avxifma",
                                                  "avxvnniint8",
                                                  "avxvnniint16",
                                                  "avxneconvert",
                                                  "avx512f",
                                                  "avx512vl",
                                                  "avx512bw",
                                                  "avx512dq",
                                                  "avx512cd",
                                                  "avx512vbmi",
                                                  "avx512ifma",
                                                  "avx512vbmi2",
                                                  "avx512bitalg",
                                                  "avx512vnni",
                                                  "avx512bf16",
                                                  "avx512fp16",
                                                  "avx512vpopcntdq",
                                                  "amx-tile",
                                                  "amx-bf16",
                                                  "amx-int8",
                                                  "egpr",
                                                  "push2pop2",
                                                  "ppx",
                                                  "ndd",
                                                  "ccmp",
                                                  "nf",
                                                  "cf",
                                                  "zu"};

/// Those of a machine that code for it may need.
static std::vector<std::string> usedFeatures(const Triple &triple,
                                             const MCSubtargetInfo &info) {
  std::vector<std::string> features;
  if (triple.isAArch64() && hasFeature(info, "sve"))
    features.push_back("sve");
  if (!triple.isX86())
    return features;
  for (StringRef feature : kCodeFeatures)
    if (hasFeature(info, feature))
      features.push_back(feature.str());
  return features;
}

/// Bits of SVE registers that are worth it: of processors that compute more in
/// them than in those of NEON.
static int64_t scalableBitsOf(StringRef cpu, bool isHost) {
  constexpr int64_t kLong = 512;
  bool isLong =
      isHost ? ::glow::runtime::scalableVectorBits() == kLong : cpu == "a64fx";
  return isLong ? kLong : 128;
}

/// What follows from the triple, the CPU and its features.
static KernelTarget vectorUnitOf(const Triple &triple,
                                 const MCSubtargetInfo &info, bool isHost) {
  KernelTarget result;
  if (triple.isX86()) {
    result.fma = hasFeature(info, "fma") || hasFeature(info, "avx512f");
    if (hasFeature(info, "avx512f") && hasFeature(info, "avx512vl")) {
      result.vectorBits = 512;
      result.vectorRegisters = 32;
      // What every such core has, or more.
      result.l2Bytes = 1 << 20;
      // Pairs, but for processors in a table.
      if (hasFeature(info, "avx512bf16"))
        result.bf16Percent = 200;
    } else if (hasFeature(info, "avx")) {
      result.vectorBits = 256;
    }
    // Instructions of 32 bits have no names for more.
    if (triple.isX86_32())
      result.vectorRegisters = 8;
  } else if (triple.isAArch64()) {
    result.vectorRegisters = 32;
    result.fma = true;
    if (hasFeature(info, "sve"))
      result.vectorBits = scalableBitsOf(info.getCPU(), isHost);
  }
  return result;
}

/// Reads the file `path`, as `describeMachine` writes it, into `target`.
static Error updateFromFile(KernelTarget &target, StringRef path) {
  Expected<json::Value> value = readJsonFile(path);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Object *fields = object ? object->getObject("machine") : nullptr;
  if (!fields)
    return createStringError("'" + path +
                             "' does not describe a machine: it needs an "
                             "object called \"machine\", as --print-target "
                             "writes it");
  if (Error error = target.update(*fields))
    return createStringError("'" + path + "': " + toString(std::move(error)));
  return Error::success();
}

/// Applies the user's description to what was `found`.
static Error applyDescription(StringRef description, KernelTarget &target) {
  KernelTarget found = target;
  bool isFile = description.ends_with(".json") && !description.contains('=');
  Error error =
      isFile ? updateFromFile(target, description) : target.update(description);
  if (error)
    return error;
  if (target.features != found.features)
    return createStringError(
        "instruction sets are chosen by --mcpu and --mattr, not by --machine");
  // Less than there is can be asked for, but code cannot use more. How long
  // registers of SVE are is for the user to say.
  if ((target.vectorBits > found.vectorBits && !target.has("sve")) ||
      target.vectorRegisters > found.vectorRegisters || target.fma > found.fma)
    return createStringError(
        Twine("the processor has ") + Twine(found.vectorRegisters) +
        " registers of " + Twine(found.vectorBits) + " bits " +
        (found.fma ? "with" : "without") +
        " fused multiply-add: --machine cannot ask for more");
  return Error::success();
}

/// LLVM ignores features that it does not know, and ends the process for a
/// processor that is too old for the machine's pointers.
static Error checkProcessor(const llvm::Target &compiler,
                            const Machine &machine, StringRef features) {
  Triple triple(machine.triple);
  std::unique_ptr<MCSubtargetInfo> created(
      compiler.createMCSubtargetInfo(triple, machine.cpu, ""));
  if (!created)
    return createStringError("no code can be generated for " + machine.triple);
  const MCSubtargetInfo &info = *created;
  if (!machine.cpu.empty() && !info.isCPUStringValid(machine.cpu))
    return createStringError("'" + machine.cpu + "' is not a CPU of " +
                             machine.triple +
                             "; llc -march=... -mcpu=help lists them");
  if (triple.getArch() == Triple::x86_64 && !machine.cpu.empty() &&
      !info.checkFeatures("+64bit"))
    return createStringError("'" + machine.cpu + "' has no 64-bit mode");
  for (StringRef feature : split(features, ',')) {
    StringRef name = feature;
    if (!name.consume_front("+"))
      name.consume_front("-");
    auto isNamed = [&](const SubtargetFeatureKV &known) {
      return name == known.Key;
    };
    if (!name.empty() && none_of(info.getAllProcessorFeatures(), isNamed))
      return createStringError("'" + feature + "' is not a feature of " +
                               machine.triple +
                               "; llc -march=... -mattr=help lists them");
  }
  return Error::success();
}

Expected<Machine> mlir::glow::resolveMachine(const MachineOptions &options) {
  initializeTargets();
  Machine machine;
  machine.cpu = options.cpu;
  machine.features = options.features;
  Triple host(Triple::normalize(sys::getProcessTriple()));
  // Unnormalised ARM triples parse their environment as the system.
  Triple triple(options.triple.empty() ? host.str()
                                       : Triple::normalize(options.triple));
  machine.triple = triple.str();
  std::string error;
  const llvm::Target *compiler = TargetRegistry::lookupTarget(triple, error);
  if (!compiler)
    return createStringError("target '" + options.triple + "': " + error);
  if (!triple.isLittleEndian() || !triple.isOSBinFormatELF())
    return createStringError("target '" + options.triple +
                             "': models are compiled to ELF objects of "
                             "little-endian machines");
  bool native = options.triple.empty() && options.cpu.empty();
  if (options.cpu == "native" && triple.getArch() != host.getArch())
    return createStringError(
        "--mcpu=native needs the host's architecture, not " + triple.str());
  if (native || options.cpu == "native") {
    machine.cpu = sys::getHostCPUName().str();
    machine.features = hostFeatures();
    if (!options.features.empty())
      machine.features += "," + options.features;
  }
  if (Error error = checkProcessor(*compiler, machine, options.features))
    return error;
  auto created = createTargetMachine(machine);
  if (!created)
    return created.takeError();
  const MCSubtargetInfo &info = *(*created)->getMCSubtargetInfo();
  KernelTarget &target = machine.kernels;
  bool isHost = native || options.cpu == "native";
  target = vectorUnitOf(triple, info, isHost);
  target.features = usedFeatures(triple, info);
  llvm::sort(target.features);
  setCachesOf(machine.cpu, target);
  if (isHost)
    detectCaches("/", target);
  if (Error error = applyDescription(options.description, target))
    return error;
  if (!options.tuning.empty()) {
    Expected<Tuning> tuning = Tuning::load(options.tuning);
    if (!tuning)
      return tuning.takeError();
    target.tuning = std::make_shared<Tuning>(std::move(*tuning));
  }
  return machine;
}

/// LLVM has no switches but these, for all code that the process generates.
/// After tile registers are assigned and their forms stated, a later pass may
/// rename them to break dependences, to registers without a form. And assigned
/// in order of the code they run out where all eight are in use at once; from
/// the end of a block they do not.
static void keepTileRegisters() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr std::pair<StringLiteral, StringLiteral> switches[] = {
        {"break-anti-dependencies", "none"},
        {"greedy-reverse-local-assignment", "true"}};
    auto &options = cl::getRegisteredOptions();
    for (auto [name, value] : switches)
      if (auto found = options.find(name); found != options.end())
        found->second->addOccurrence(1, name, value);
  });
}

Expected<std::unique_ptr<TargetMachine>>
mlir::glow::createTargetMachine(const Machine &machine) {
  initializeTargets();
  std::string error;
  Triple triple(machine.triple);
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  TargetOptions options;
  // Fused multiply-add is written where it is meant; nothing else is
  // contracted.
  options.AllowFPOpFusion = FPOpFusion::Standard;
  std::unique_ptr<TargetMachine> result(target->createTargetMachine(
      triple, machine.cpu, machine.features, options, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Default));
  if (!result)
    return createStringError("LLVM cannot generate code for " + machine.triple);
  if (triple.isX86() && hasFeature(*result->getMCSubtargetInfo(), "amx-tile"))
    keepTileRegisters();
  return std::move(result);
}

void mlir::glow::describeMachine(const Machine &machine, raw_ostream &out) {
  const KernelTarget &target = machine.kernels;
  json::Object object{{"triple", machine.triple},
                      {"cpu", machine.cpu},
                      {"features", json::Array(target.features)},
                      {"machine", target.describe()}};
  if (target.tuning)
    object["tuned_kernels"] =
        static_cast<int64_t>(target.tuning->countFor(target));
  out << formatv("{0:2}\n", json::Value(std::move(object)));
}

std::string mlir::glow::requiredFeatures(const Machine &machine) {
  auto created = createTargetMachine(machine);
  if (!created) {
    consumeError(created.takeError());
    return "";
  }
  std::vector<std::string> features =
      usedFeatures(Triple(machine.triple), *(*created)->getMCSubtargetInfo());
  if (machine.kernels.hasScalableRegisters())
    features.push_back("sve-bits=" +
                       std::to_string(machine.kernels.vectorBits));
  for (std::string &feature : features)
    feature.insert(0, "+");
  return join(features, ",");
}
