//===- TargetLayoutTest.cpp - a target's own layouts ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/InitAll.h"
#include "glow/Interfaces/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::glow;

namespace {

/// Runs pools as they are imported, and all else as it likes.
struct PoolsFirst : TargetAttrInterface::ExternalModel<PoolsFirst, UnitAttr> {
  ArrayRef<Capability> getCapabilities(Attribute) const { return {}; }
  TargetRates getRates(Attribute) const { return {}; }
  LogicalResult emit(Attribute, ModuleOp, StringRef) const { return failure(); }
  void getLayoutChoices(Attribute, LayoutOpInterface op,
                        SmallVectorImpl<LayoutChoice> &choices) const {
    op.getLayoutChoices(choices);
    if (isa<PoolOp>(op))
      llvm::erase_if(choices, [](const LayoutChoice &choice) {
        return choice.layout.getKind() != LayoutKind::ChannelsFirst;
      });
  }
};

constexpr StringLiteral kModel = R"(
func.func @main(%x: tensor<1x64x32x32xf32>, %v: tensor<64x64x3x3xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32> {
  %0 = glow.conv %x, %v {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32>
  %1 = glow.pool max %0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %2 = glow.conv %1, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32>
  return %2 : tensor<1x64x32x32xf32>
}
)";

/// Which convolutions and which pools have channels last.
std::pair<int, int> lastOnes(bool hasTarget) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  UnitAttr::attachInterface<PoolsFirst>(context);
  auto module = parseSourceString<ModuleOp>(kModel, &context);
  if (hasTarget)
    (*module)->setAttr(GlowDialect::kTargetAttrName, UnitAttr::get(&context));
  PassManager manager(&context);
  manager.addNestedPass<func::FuncOp>(createAssignLayout());
  EXPECT_TRUE(succeeded(manager.run(*module)));
  int convs = 0, pools = 0;
  module->walk([&](ConvOp op) { convs += op.isChannelsLast(); });
  module->walk([&](PoolOp op) { pools += op.isChannelsLast(); });
  return {convs, pools};
}

TEST(TargetLayout, DecidesForEachOp) {
  EXPECT_EQ(lastOnes(false), std::pair(2, 1));
  EXPECT_EQ(lastOnes(true), std::pair(2, 0));
}

} // namespace
