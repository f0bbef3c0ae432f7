//===- Tuning.cpp - choices found by measurement --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/Tuning.h"
#include "glow/Support/JsonFile.h"
#include "glow/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::glow;
namespace json = llvm::json;

namespace {
struct ChoiceField {
  StringLiteral name;
  int64_t ContractionChoices::*member;
};
} // namespace

static constexpr ChoiceField kChoices[] = {
    {"tile-rows", &ContractionChoices::tileRows},
    {"tile-vectors", &ContractionChoices::tileVectors},
    {"block-rows", &ContractionChoices::blockRows},
    {"block-columns", &ContractionChoices::blockColumns},
};
static constexpr StringLiteral kVersion = "glow-tuning", kMachines = "machines",
                               kMachine = "machine",
                               kContractions = "contractions";

/// The machine as it counts for choices.
static std::string textOf(const KernelTarget &target) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(target.describe());
  return text;
}

static llvm::Expected<ContractionChoices>
readChoices(StringRef kernel, const json::Value &value) {
  const json::Object *fields = value.getAsObject();
  if (!fields)
    return llvm::createStringError("'" + kernel + "' is not an object");
  ContractionChoices choices;
  for (const auto &entry : *fields) {
    StringRef name = entry.first;
    const ChoiceField *field = llvm::find_if(
        kChoices, [&](const ChoiceField &f) { return f.name == name; });
    if (field == std::end(kChoices))
      return llvm::createStringError("'" + kernel + "' has no choice called '" +
                                     name + "'");
    std::optional<int64_t> number = entry.second.getAsInteger();
    if (!number || *number < 0 || *number > (1 << 30))
      return llvm::createStringError("'" + kernel + "': " + name +
                                     " must be a number from 0 to 2^30");
    choices.*field->member = *number;
  }
  return choices;
}

llvm::Expected<Tuning> Tuning::load(StringRef file) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError("the tuning '" + file + "': " + message);
  };
  llvm::Expected<json::Value> root = readJsonFile(file);
  if (!root)
    return llvm::createStringError("the tuning: " +
                                   llvm::toString(root.takeError()));
  const json::Object *object = root->getAsObject();
  if (!object || object->getInteger(kVersion) != 1)
    return fail("needs \"glow-tuning\": 1, as glow-tune writes it");
  const json::Array *machines = object->getArray(kMachines);
  if (!machines)
    return fail("has no array of machines");
  Tuning tuning;
  tuning.file = file.str();
  for (const json::Value &entry : *machines) {
    const json::Object *part = entry.getAsObject();
    const json::Object *machine = part ? part->getObject(kMachine) : nullptr;
    const json::Object *kernels =
        part ? part->getObject(kContractions) : nullptr;
    if (!machine || !kernels)
      return fail("a machine needs the objects \"machine\" and "
                  "\"contractions\"");
    KernelTarget target;
    if (llvm::Error error = target.update(*machine))
      return fail(llvm::toString(std::move(error)));
    for (const auto &kernel : *kernels) {
      auto choices = readChoices(kernel.first, kernel.second);
      if (!choices)
        return fail(llvm::toString(choices.takeError()));
      tuning.set(target, kernel.first, *choices);
    }
  }
  return tuning;
}

llvm::Error Tuning::write(StringRef file) const {
  json::Array list;
  for (const auto &[machine, kernels] : machines) {
    json::Object contractions;
    for (const auto &[kernel, choices] : kernels) {
      json::Object fields;
      for (const ChoiceField &field : kChoices)
        if (choices.*field.member)
          fields[field.name] = choices.*field.member;
      contractions[kernel] = std::move(fields);
    }
    list.push_back(
        json::Object{{kMachine, llvm::cantFail(json::parse(machine))},
                     {kContractions, std::move(contractions)}});
  }
  json::Value root = json::Object{{kVersion, 1}, {kMachines, std::move(list)}};
  return writeOutput(file, [&](raw_ostream &out) {
    out << llvm::formatv("{0:2}\n", root);
    return llvm::Error::success();
  });
}

const ContractionChoices *Tuning::find(const KernelTarget &target,
                                       StringRef kernel) const {
  auto machine = machines.find(textOf(target));
  if (machine == machines.end())
    return nullptr;
  auto found = machine->second.find(kernel.str());
  return found == machine->second.end() ? nullptr : &found->second;
}

void Tuning::set(const KernelTarget &target, StringRef kernel,
                 const ContractionChoices &choices) {
  machines[textOf(target)][kernel.str()] = choices;
}

size_t Tuning::countFor(const KernelTarget &target) const {
  auto machine = machines.find(textOf(target));
  return machine == machines.end() ? 0 : machine->second.size();
}
