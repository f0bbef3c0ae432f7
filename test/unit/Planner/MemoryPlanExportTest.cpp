//===- MemoryPlanExportTest.cpp - a plan as JSON and SVG ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/InitAll.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::glow::inst;

static const char *planned = R"(
func.func @main(%x: memref<17xf32>, %y: memref<17xf32> {glow_inst.output})
    attributes {glow_inst.arena_bytes = 256 : i64, glow_inst.arena_lower_bound = 256 : i64} {
  %a = glow_inst.alloc {offset = 0 : i64} : memref<17xf32> loc("conv<1>")
  glow_inst.copy %x -> %a : memref<17xf32> -> memref<17xf32> loc("conv<1>")
  %b = glow_inst.alloc {offset = 128 : i64} : memref<17xf32> loc("relu")
  glow_inst.copy %a -> %b : memref<17xf32> -> memref<17xf32> loc(fused["relu", "add"])
  glow_inst.dealloc %a : memref<17xf32>
  glow_inst.copy %b -> %y : memref<17xf32> -> memref<17xf32>
  return
}
)";

namespace {
struct MemoryPlanExport : testing::Test {
  MemoryPlanExport() {
    DialectRegistry registry;
    mlir::glow::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(planned, &context);
    func = *module->getOps<func::FuncOp>().begin();
  }
  std::string text(PlanFormat format) {
    std::string result;
    llvm::raw_string_ostream os(result);
    EXPECT_TRUE(succeeded(exportPlan(func, os, format)));
    return result;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
};
} // namespace

TEST_F(MemoryPlanExport, ReadsLifetimes) {
  FailureOr<MemoryPlan> plan = readPlan(func);
  ASSERT_TRUE(succeeded(plan));
  EXPECT_EQ(plan->arenaBytes, 256u);
  ASSERT_EQ(plan->buffers.size(), 2u);
  ASSERT_EQ(plan->instructions.size(), 3u);
  EXPECT_EQ(plan->buffers[0].end, 1);
  EXPECT_EQ(plan->buffers[1].begin, 1);
  EXPECT_EQ(plan->buffers[1].end, 2);
  EXPECT_EQ(plan->buffers[0].bytes, 68u);
  EXPECT_EQ(plan->peak, 1);
  EXPECT_EQ(plan->instructions[1].node, "relu+add");
}

TEST_F(MemoryPlanExport, WritesValidJSON) {
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(text(PlanFormat::JSON));
  ASSERT_TRUE(bool(json));
  EXPECT_EQ(json->getAsObject()->getArray("buffers")->size(), 2u);
  EXPECT_EQ(json->getAsObject()->getInteger("arena_bytes"), 256);
}

TEST_F(MemoryPlanExport, DrawsBuffersWithTitles) {
  std::string svg = text(PlanFormat::SVG);
  EXPECT_EQ(svg.find("<svg"), 0u);
  EXPECT_NE(
      svg.find("<title>conv&lt;1&gt;\nmemref&lt;17xf32&gt;\n68 bytes at 0"),
      std::string::npos);
  EXPECT_NE(svg.find("class=\"peak\""), std::string::npos);
}

TEST_F(MemoryPlanExport, RefusesUnplannedFunctions) {
  func->removeAttr(InstDialect::kArenaAttrName);
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  EXPECT_TRUE(failed(exportPlan(func, os, PlanFormat::JSON)));
}
