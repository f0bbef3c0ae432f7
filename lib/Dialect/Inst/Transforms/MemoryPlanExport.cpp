//===- MemoryPlanExport.cpp - a plan as JSON and as a picture -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture has time (instructions) from left to right and addresses from
// bottom to top; a rectangle is a buffer. It is one SVG file without scripts;
// browsers show the titles when the pointer rests on a buffer.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

static void writeJSON(const MemoryPlan &plan, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("function", plan.function);
    json.attribute("arena_bytes", plan.arenaBytes);
    json.attribute("lower_bound", plan.lowerBound);
    json.attribute("peak", plan.peak);
    json.attributeArray("instructions", [&] {
      for (const MemoryPlan::Instruction &instruction : plan.instructions)
        json.object([&] {
          json.attribute("op", instruction.op);
          json.attribute("node", llvm::json::fixUTF8(instruction.node));
          json.attribute("live_bytes", instruction.liveBytes);
        });
    });
    json.attributeArray("buffers", [&] {
      for (const MemoryPlan::Buffer &buffer : plan.buffers)
        json.object([&] {
          json.attribute("node", llvm::json::fixUTF8(buffer.node));
          json.attribute("type", buffer.type);
          json.attribute("bytes", buffer.bytes);
          json.attribute("offset", buffer.offset);
          json.attribute("begin", buffer.begin);
          json.attribute("end", buffer.end);
        });
    });
  });
  os << '\n';
}

static std::string escape(StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      // Of the control characters XML allows the end of a line.
      result += static_cast<unsigned char>(c) < 32 && c != '\n' ? ' ' : c;
    }
  }
  return result;
}

namespace {
/// Where instructions and addresses lie in the picture.
struct Canvas {
  explicit Canvas(const MemoryPlan &plan)
      : steps(std::max<size_t>(plan.instructions.size(), 1)),
        bytes(std::max<uint64_t>(plan.arenaBytes, 1)) {}
  double steps, bytes;
  double left = 90, top = 60, width = 1100, height = 560;

  double x(double step) const { return left + width * step / steps; }
  double y(double address) const {
    return top + height * (1 - address / bytes);
  }
};
} // namespace

static std::string describe(const MemoryPlan &plan,
                            const MemoryPlan::Buffer &buffer) {
  auto name = [&](int64_t i) {
    const MemoryPlan::Instruction &instruction = plan.instructions[i];
    return std::to_string(i) + " " + instruction.op +
           (instruction.node.empty() ? "" : " (" + instruction.node + ")");
  };
  return buffer.node + "\n" + buffer.type + "\n" +
         std::to_string(buffer.bytes) + " bytes at " +
         std::to_string(buffer.offset) + "\nfrom " + name(buffer.begin) +
         "\nto " + name(buffer.end);
}

static void drawAxes(const MemoryPlan &plan, const Canvas &canvas,
                     llvm::raw_ostream &os) {
  auto text = [&](double x, double y, StringRef anchor,
                  const std::string &label) {
    os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" ", x, y) << "text-anchor=\""
       << anchor << "\">" << escape(label) << "</text>\n";
  };
  for (int tick = 0; tick <= 4; ++tick) {
    double address = canvas.bytes * tick / 4, step = canvas.steps * tick / 4;
    std::string kib;
    llvm::raw_string_ostream(kib)
        << llvm::format("%.1f KiB", plan.arenaBytes * tick / 4.0 / 1024);
    text(canvas.left - 8, canvas.y(address) + 4, "end", kib);
    text(canvas.x(step), canvas.top + canvas.height + 18, "middle",
         std::to_string(static_cast<int64_t>(step)));
  }
  text(canvas.left + canvas.width / 2, canvas.top + canvas.height + 38,
       "middle", "instruction");
  double over =
      plan.lowerBound ? 100.0 * plan.arenaBytes / plan.lowerBound - 100 : 0.0;
  std::string title;
  llvm::raw_string_ostream(title)
      << "Memory plan of " << plan.function << ": " << plan.arenaBytes
      << " bytes, " << llvm::format("%.2f", over) << " % above the bound of "
      << plan.lowerBound << "; peak at instruction " << plan.peak;
  if (!plan.instructions.empty())
    title += " " + plan.instructions[plan.peak].op + " " +
             plan.instructions[plan.peak].node;
  text(canvas.left, 30, "start", title);
}

static void writeSVG(const MemoryPlan &plan, llvm::raw_ostream &os) {
  Canvas canvas(plan);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1220 680\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"1220\" height=\"680\" fill=\"white\"/>\n";
  drawAxes(plan, canvas, os);
  os << llvm::format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                     "height=\"%.1f\" fill=\"#f4f4f4\" stroke=\"#888\"/>\n",
                     canvas.left, canvas.top, canvas.width, canvas.height);
  for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
    double x = canvas.x(buffer.begin),
           y = canvas.y(buffer.offset + buffer.bytes);
    // The golden angle keeps neighbours apart in colour.
    os << llvm::format(
              "<rect class=\"buffer\" x=\"%.2f\" y=\"%.2f\" "
              "width=\"%.2f\" height=\"%.2f\" fill=\"hsl(%d,55%%,65%%)\" "
              "stroke=\"#444\" stroke-width=\"0.4\"><title>",
              x, y, canvas.x(buffer.end + 1) - x, canvas.y(buffer.offset) - y,
              static_cast<int>(i * 137 % 360))
       << escape(describe(plan, buffer)) << "</title></rect>\n";
  }
  double peak = canvas.x(plan.peak + 0.5);
  os << llvm::format("<line class=\"peak\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" "
                     "y2=\"%.1f\" stroke=\"red\" stroke-dasharray=\"4 3\"/>\n",
                     peak, peak, canvas.top, canvas.top + canvas.height)
     << "</svg>\n";
}

void inst::writePlan(const MemoryPlan &plan, llvm::raw_ostream &os,
                     PlanFormat format) {
  if (format == PlanFormat::JSON)
    writeJSON(plan, os);
  else
    writeSVG(plan, os);
}
