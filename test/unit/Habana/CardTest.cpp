//===- CardTest.cpp - graphs on the simulated card equal the interpreter --===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each case is compiled with the plug-in as `#habana.target` does it, for much
// and for little SRAM, loaded through the device table, and run.
//
//===----------------------------------------------------------------------===//
#include "glow-c/Device.h"
#include "glow/InitAll.h"
#include "glow/Interfaces/Target.h"
#include "glow/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace {
struct Case {
  const char *name, *types, *body;
};

const Case kCases[] = {
    {"Map", "(%x: tensor<2x3x5xf32>, %y: tensor<3x1xf32>) -> tensor<2x3x5xf32>",
     R"(%r = glow.map %x, %y {element_type = f32} do {
        ^bb0(%a: f32, %b: f32):
          %zero = arith.constant 0.0 : f32
          %m = arith.mulf %a, %b : f32
          %l = arith.cmpf ugt, %m, %a : f32
          %s = arith.select %l, %m, %zero : f32
          glow.yield %s : f32
        } : (tensor<2x3x5xf32>, tensor<3x1xf32>) -> tensor<2x3x5xf32>
        return %r : tensor<2x3x5xf32>)"},
    {"Reduce", "(%x: tensor<3x4x5xf32>) -> (tensor<3x5xf32>, tensor<4xf32>)",
     R"(%m = glow.reduce max %x {axes = array<i64: 1>} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
        %s = glow.reduce mean %x {axes = array<i64: 0, 2>} : (tensor<3x4x5xf32>) -> tensor<4xf32>
        return %m, %s : tensor<3x5xf32>, tensor<4xf32>)"},
    {"Movement", "(%x: tensor<2x3x4xf32>) -> tensor<4x9xf32>",
     R"(%t = glow.transpose %x {permutation = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
        %s = glow.constant dense<[4, 6]> : tensor<2xi64>
        %f = glow.reshape %t, %s : (tensor<4x3x2xf32>, tensor<2xi64>) -> tensor<4x6xf32>
        %z = glow.constant dense<0.5> : tensor<4x3xf32>
        %c = glow.concat %f, %z {axis = 1 : i64} : (tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x9xf32>
        return %c : tensor<4x9xf32>)"},
    {"MatMul",
     "(%x: tensor<3x1x5x7xf32>, %y: tensor<2x7x6xf32>, %b: tensor<6xf32>) -> "
     "tensor<3x2x5x6xf32>",
     R"(%m = glow.matmul %x, %y : (tensor<3x1x5x7xf32>, tensor<2x7x6xf32>) -> tensor<3x2x5x6xf32>
        %r = glow.add %m, %b : (tensor<3x2x5x6xf32>, tensor<6xf32>) -> tensor<3x2x5x6xf32>
        return %r : tensor<3x2x5x6xf32>)"},
    {"ConvPadded",
     "(%x: tensor<2x3x9x8xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> "
     "tensor<2x4x5x8xf32>",
     R"(%c = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 2>, pads = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : (tensor<2x3x9x8xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<2x4x5x8xf32>
        %r = glow.relu %c : (tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
        return %r : tensor<2x4x5x8xf32>)"},
    {"ConvGroupedChannelsLast",
     "(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x2x6xf32>) -> "
     "tensor<1x6x6x6xf32>",
     R"(%c = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x6x6x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x6x6x6xf32>
        return %c : tensor<1x6x6x6xf32>)"},
    {"ConvOneAxis",
     "(%x: tensor<1x2x9xf32>, %w: tensor<3x2x3xf32>) -> tensor<1x3x9xf32>",
     R"(%c = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x2x9xf32>, tensor<3x2x3xf32>) -> tensor<1x3x9xf32>
        return %c : tensor<1x3x9xf32>)"},
    {"Pool",
     "(%x: tensor<2x3x7x7xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>)",
     R"(%m = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<2x3x7x7xf32>) -> tensor<2x3x4x4xf32>
        %a = glow.pool average %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<2x3x7x7xf32>) -> tensor<2x3x4x4xf32>
        return %m, %a : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>)"},
};

/// The plug-in's dialect, beside all of Glow's.
MLIRContext &context() {
  static MLIRContext *instance = [] {
    DialectRegistry registry;
    glow::registerAllDialects(registry);
    auto plugin = DialectPlugin::load(GLOW_TEST_PLUGIN);
    if (!plugin) {
      ADD_FAILURE() << llvm::toString(plugin.takeError());
    } else {
      plugin->registerDialectRegistryCallbacks(registry);
    }
    auto *context = new MLIRContext(registry);
    context->loadAllAvailableDialects();
    return context;
  }();
  return *instance;
}

/// An open simulated card.
struct Card {
  Card() {
    EXPECT_EQ(glow_device_open_plugin(GLOW_TEST_DEVICE), GLOW_OK)
        << glow_last_error();
    table = glow_device_find_driver("habana");
    EXPECT_EQ(table->open(0, &device), GLOW_OK);
    EXPECT_EQ(table->queue_create(device, 4, &queue), GLOW_OK);
    EXPECT_EQ(table->fence_create(device, 0, &fence), GLOW_OK);
  }

  GlowSpan buffer(uint64_t bytes) {
    GlowMemory memory = 0;
    EXPECT_EQ(table->alloc(device, bytes, 64, &memory), GLOW_OK);
    return {memory, 0, bytes};
  }
  void submit(const std::vector<GlowCommand> &commands) {
    GlowFencePoint signal{fence, ++value};
    ASSERT_EQ(table->submit(device, queue, commands.data(), commands.size(),
                            nullptr, 0, &signal, 1),
              GLOW_OK)
        << glow_last_error();
    ASSERT_EQ(table->fence_wait(device, fence, value, GLOW_WAIT_FOREVER),
              GLOW_OK)
        << glow_last_error();
  }

  const GlowDeviceTable *table;
  GlowDevice *device = nullptr;
  GlowQueue queue = 0;
  GlowFence fence = 0;
  uint64_t value = 0;
};

Card &card() {
  static Card *card = new Card;
  return *card;
}

GlowSpan hostSpan(void *data, uint64_t bytes) {
  return {0, reinterpret_cast<uint64_t>(data), bytes};
}

GlowCommand copyCommand(GlowSpan target, GlowSpan source) {
  GlowCommand command{};
  command.kind = GLOW_COMMAND_COPY;
  command.target = target;
  command.source = source;
  return command;
}

/// The recipe of a parsed module, compiled as the target says.
std::string compile(ModuleOp module) {
  auto target = cast<glow::TargetAttrInterface>(module->getAttr("glow.target"));
  PassManager manager(&context(), ModuleOp::getOperationName());
  target.buildPipeline(manager);
  SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("card", "recipe", path));
  if (failed(manager.run(module)) || failed(target.emit(module, path)))
    return "";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  llvm::sys::fs::remove(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::vector<std::vector<float>> runOnCard(const std::string &recipe,
                                          ArrayRef<glow::Tensor> inputs,
                                          ArrayRef<glow::Tensor> outputs) {
  std::vector<GlowCommand> commands;
  std::vector<GlowSpan> bindings;
  for (const glow::Tensor &input : inputs) {
    bindings.push_back(card().buffer(input.sizeInBytes()));
    commands.push_back(
        copyCommand(bindings.back(), hostSpan(const_cast<char *>(input.bytes()),
                                              input.sizeInBytes())));
  }
  for (const glow::Tensor &output : outputs)
    bindings.push_back(card().buffer(output.sizeInBytes()));
  GlowCommand run{};
  run.kind = GLOW_COMMAND_RUN;
  EXPECT_EQ(card().table->load(card().device, recipe.data(), recipe.size(),
                               nullptr, &run.program),
            GLOW_OK)
      << glow_last_error();
  run.bindings = bindings.data();
  run.num_bindings = bindings.size();
  commands.push_back(run);
  std::vector<std::vector<float>> results;
  for (const glow::Tensor &output : outputs)
    results.emplace_back(output.size(), NAN);
  for (size_t i = 0; i < outputs.size(); ++i)
    commands.push_back(
        copyCommand(hostSpan(results[i].data(), outputs[i].sizeInBytes()),
                    bindings[inputs.size() + i]));
  card().submit(commands);
  card().table->unload(card().device, run.program);
  for (const GlowSpan &span : bindings)
    card().table->free(card().device, span.memory);
  return results;
}

SmallVector<glow::Tensor> randomInputs(func::FuncOp function) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  SmallVector<glow::Tensor> inputs;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    inputs.push_back(*glow::Tensor::allocate(
        function.getLoc(), tensor.getElementType(), tensor.getShape()));
    auto *data = reinterpret_cast<float *>(inputs.back().mutableBytes());
    for (int64_t i = 0; i < inputs.back().size(); ++i)
      data[i] = uniform(random);
  }
  return inputs;
}

class CardTest
    : public testing::TestWithParam<std::tuple<const Case *, int64_t>> {};
} // namespace

TEST_P(CardTest, EqualsInterpreter) {
  const auto &[test, sram] = GetParam();
  std::string text = "module attributes {glow.target = #habana.target<sram = " +
                     std::to_string(sram) + ">} { func.func @main" +
                     test->types + " {\n" + test->body + "\n} }";
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context()));
  ASSERT_TRUE(module);
  auto function = *module->getOps<func::FuncOp>().begin();
  SmallVector<glow::Tensor> inputs = randomInputs(function);
  auto expected = glow::interpret(function, inputs);
  ASSERT_TRUE(succeeded(expected));
  std::string recipe = compile(*module);
  ASSERT_FALSE(recipe.empty());
  auto actual = runOnCard(recipe, inputs, *expected);
  for (auto [values, reference] : llvm::zip(actual, *expected)) {
    std::vector<double> wanted = reference.readAll<double>();
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], wanted[i], 1e-5) << "element " << i;
  }
}

static std::vector<const Case *> allCases() {
  std::vector<const Case *> cases;
  for (const Case &test : kCases)
    cases.push_back(&test);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, CardTest,
                         testing::Combine(testing::ValuesIn(allCases()),
                                          testing::Values(50 << 20, 2048)),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)->name) +
                                  (std::get<1>(info.param) > 4096
                                       ? ""
                                       : "SmallSram");
                         });
