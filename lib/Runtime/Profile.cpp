//===- Profile.cpp - Times of the instructions of one context ---*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Profile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace glow::runtime;
using Json = nlohmann::ordered_json;

static uint64_t clockNs() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

void Profile::start() {
  events.clear();
  isWholeWork = true;
  zero = clockNs();
}

uint64_t Profile::now() const { return clockNs() - zero; }

namespace {
/// What is known of one instruction, or of all with one operation name.
struct Row {
  std::string op, name;
  uint64_t calls = 0, ns = 0, flops = 0, bytes = 0;
  uint32_t workers = 0;

  void add(const Row &other) {
    calls += other.calls;
    ns += other.ns;
    flops += other.flops;
    bytes += other.bytes;
    workers = std::max(workers, other.workers);
  }
};
} // namespace

/// One row per instruction that ran, in the program's order.
static std::vector<Row> rowsByInstr(const Profile &profile,
                                    const std::vector<GlowInstrDesc> &instrs) {
  std::map<uint32_t, Row> rows;
  for (const GlowRtEvent &event : profile.events) {
    if (event.instr >= instrs.size())
      continue;
    const GlowInstrDesc &instr = instrs[event.instr];
    Row one{instr.op,
            instr.name,
            1,
            event.end_ns - event.begin_ns,
            instr.flops,
            instr.bytes,
            event.workers};
    Row &row = rows[event.instr];
    row.op = one.op;
    row.name = one.name;
    row.add(one);
  }
  std::vector<Row> result;
  for (auto &entry : rows)
    result.push_back(std::move(entry.second));
  return result;
}

static std::vector<Row> rowsByOp(const std::vector<Row> &instrs) {
  std::map<std::string, Row> rows;
  for (const Row &instr : instrs) {
    Row &row = rows[instr.op];
    row.op = instr.op;
    row.add(instr);
  }
  std::vector<Row> result;
  for (auto &entry : rows)
    result.push_back(std::move(entry.second));
  return result;
}

static void sortByTime(std::vector<Row> &rows) {
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return std::tie(b.ns, a.op, a.name) < std::tie(a.ns, b.op, b.name);
  });
}

static uint64_t totalNs(const std::vector<Row> &rows) {
  uint64_t total = 0;
  for (const Row &row : rows)
    total += row.ns;
  return total;
}

static void printRow(std::string &text, const Row &row, uint64_t total,
                     bool hasRates) {
  char line[160], rates[48] = "       -        -";
  double seconds = double(row.ns) * 1e-9;
  double rate = seconds > 0 ? 1e-9 / seconds : 0;
  if (hasRates)
    std::snprintf(rates, sizeof(rates), "%8.1f %8.1f", double(row.flops) * rate,
                  double(row.bytes) * rate);
  std::snprintf(line, sizeof(line), "%-18s %7llu %12.3f %6.1f %s %7u  ",
                row.op.c_str(), (unsigned long long)row.calls, seconds * 1e3,
                total ? 100.0 * double(row.ns) / double(total) : 0.0, rates,
                row.workers);
  text += line + row.name + "\n";
}

std::string
glow::runtime::profileTable(const Profile &profile,
                            const std::vector<GlowInstrDesc> &instrs) {
  std::vector<Row> byInstr = rowsByInstr(profile, instrs);
  std::vector<Row> byOp = rowsByOp(byInstr);
  sortByTime(byInstr);
  sortByTime(byOp);
  uint64_t total = totalNs(byOp);
  const char *heading = "operation            calls           ms      %   "
                        "GFLOP/s     GB/s threads  nodes\n";
  std::string text = heading;
  for (const Row &row : byOp)
    printRow(text, row, total, profile.isWholeWork);
  text += "\n";
  text += heading;
  for (const Row &row : byInstr)
    printRow(text, row, total, profile.isWholeWork);
  return text;
}

/// How much an instruction does, if that is known.
static Json jsonWork(const Profile &profile, uint64_t work) {
  return profile.isWholeWork ? Json(work) : Json();
}

static Json jsonRow(const Profile &profile, const Row &row) {
  Json json = {{"op", row.op},
               {"calls", row.calls},
               {"ns", row.ns},
               {"flops", jsonWork(profile, row.flops)},
               {"bytes", jsonWork(profile, row.bytes)},
               {"threads", row.workers}};
  if (!row.name.empty())
    json["name"] = row.name;
  return json;
}

/// Names come from the user's model and need not be valid UTF-8.
static std::string dump(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string
glow::runtime::profileJson(const Profile &profile,
                           const std::vector<GlowInstrDesc> &instrs) {
  std::vector<Row> byInstr = rowsByInstr(profile, instrs);
  Json json = {{"total_ns", totalNs(byInstr)},
               {"operations", Json::array()},
               {"instructions", Json::array()}};
  for (const Row &row : rowsByOp(byInstr))
    json["operations"].push_back(jsonRow(profile, row));
  for (const Row &row : byInstr)
    json["instructions"].push_back(jsonRow(profile, row));
  return dump(json, 1);
}

std::string
glow::runtime::profileTrace(const Profile &profile, const std::string &program,
                            const std::vector<GlowInstrDesc> &instrs) {
  Json events = Json::array();
  events.push_back({{"ph", "M"},
                    {"pid", 1},
                    {"tid", 1},
                    {"name", "process_name"},
                    {"args", {{"name", program}}}});
  for (const GlowRtEvent &event : profile.events) {
    if (event.instr >= instrs.size())
      continue;
    const GlowInstrDesc &instr = instrs[event.instr];
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", 1},
                      {"name", *instr.name ? instr.name : instr.op},
                      {"cat", instr.op},
                      {"ts", double(event.begin_ns) * 1e-3},
                      {"dur", double(event.end_ns - event.begin_ns) * 1e-3},
                      {"args",
                       {{"instruction", event.instr},
                        {"operation", instr.op},
                        {"kernel", instr.kernel},
                        {"threads", event.workers},
                        {"flops", jsonWork(profile, instr.flops)},
                        {"bytes", jsonWork(profile, instr.bytes)}}}});
  }
  return dump({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}},
              -1);
}
