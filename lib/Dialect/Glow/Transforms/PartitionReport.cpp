//===- PartitionReport.cpp - what went where and why ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/Partition.h"
#include "glow/Support/NodeNames.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::glow;

static StringRef deviceOf(const PartitionPlan &plan, bool isOnCard) {
  TargetAttrInterface target = isOnCard ? plan.card : plan.host;
  return target.getDeviceName();
}

/// Estimated time of a part's ops on their device.
static double nanosecondsOf(const PartitionPlan &plan, unsigned part) {
  double time = 0;
  for (const Placement &placement : plan.placements)
    if (placement.part == part)
      time += placement.isOnCard ? placement.cardNs : placement.hostNs;
  return time;
}

static double bytesOf(ArrayRef<Value> values) {
  double bytes = 0;
  for (Value value : values)
    bytes += tensorBytes(value.getType());
  return bytes;
}

void glow::printPartitionText(const PartitionPlan &plan, raw_ostream &os) {
  size_t onCard = llvm::count_if(plan.placements,
                                 [](const Placement &p) { return p.isOnCard; });
  os << llvm::formatv("{0} of {1} ops on {2}, {3} on {4}, in {5} parts\n",
                      onCard, plan.placements.size(), deviceOf(plan, true),
                      plan.placements.size() - onCard, deviceOf(plan, false),
                      plan.parts.size());
  for (auto [number, part] : llvm::enumerate(plan.parts)) {
    os << llvm::formatv(
        "part {0} on {1}: {2} ops, about {3:f1} us, {4} bytes in, {5} out\n",
        number, deviceOf(plan, part.isOnCard), part.ops.size(),
        nanosecondsOf(plan, number) / 1000, uint64_t(bytesOf(part.inputs)),
        uint64_t(bytesOf(part.outputs)));
    for (const Placement &placement : plan.placements) {
      if (placement.part != number)
        continue;
      std::string name = nodeNames(placement.op->getLoc());
      os << "  " << placement.op->getName() << (name.empty() ? "" : " ") << name
         << ": " << placement.reason << "\n";
    }
  }
}

void glow::printPartitionJson(const PartitionPlan &plan, raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attributeArray("parts", [&] {
      for (auto [number, part] : llvm::enumerate(plan.parts))
        json.object([&, number = number, &part = part] {
          json.attribute("device", deviceOf(plan, part.isOnCard));
          json.attribute("ops", part.ops.size());
          json.attribute("estimated_ns", nanosecondsOf(plan, number));
          json.attribute("bytes_in", uint64_t(bytesOf(part.inputs)));
          json.attribute("bytes_out", uint64_t(bytesOf(part.outputs)));
        });
    });
    json.attributeArray("ops", [&] {
      for (const Placement &placement : plan.placements)
        json.object([&] {
          json.attribute("name", nodeNames(placement.op->getLoc()));
          json.attribute("op", placement.op->getName().getStringRef());
          json.attribute("part", placement.part);
          json.attribute("device", deviceOf(plan, placement.isOnCard));
          json.attribute("reason", placement.reason);
          json.attribute("estimated_host_ns", placement.hostNs);
          if (placement.isOnCard)
            json.attribute("estimated_card_ns", placement.cardNs);
        });
    });
  });
  os << "\n";
}
