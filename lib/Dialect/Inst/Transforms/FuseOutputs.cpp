//===- FuseOutputs.cpp - maps as further outputs of contractions ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEOUTPUTS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using mlir::glow::YieldOp;

namespace {
struct FuseOutputs
    : public mlir::glow::inst::impl::FuseOutputsBase<FuseOutputs> {
  void runOnOperation() override {
    // What padding the outputs hold is followed through maps only.
    if (!glow::symbolsArgument(getOperation()))
      getOperation().walk([](Block *block) { run(*block); });
  }

private:
  static void run(Block &block);
};
} // namespace

/// Whether vectors of both can be stored: elements side by side along the
/// same axis.
static bool haveSameInnermostAxis(Value a, Value b) {
  auto typeOf = [](Value buffer) { return cast<MemRefType>(buffer.getType()); };
  auto lastStride = [&](Value buffer) {
    int64_t axis = innermostAxis(typeOf(buffer));
    return axis < 0 ? 1 : layoutOf(buffer).strides[axis];
  };
  return typeOf(a).getShape() == typeOf(b).getShape() && lastStride(a) == 1 &&
         lastStride(b) == 1;
}

/// Whether `output`, written by `map`, may be written by `producer` already:
/// nothing in between touches it.
static bool isFreeSince(Operation *producer, MapOp map, Value output,
                        const Accesses &accesses) {
  Value root = rootBuffer(output);
  auto alloc = root.getDefiningOp<AllocOp>();
  if (!isFixed(output) || (alloc && alloc->getBlock() != map->getBlock()))
    return false;
  int64_t from = accesses.position(producer), to = accesses.position(map);
  return llvm::none_of(accesses.of(root), [&](const Access &access) {
    return access.position >= from && access.position < to &&
           mayOverlap(access.buffer(), output);
  });
}

/// A fixed buffer, defined before `op`.
static Value definedBefore(Operation *op, Value buffer, Accesses &accesses) {
  Value root = rootBuffer(buffer);
  if (auto alloc = root.getDefiningOp<AllocOp>())
    accesses.hoistBefore(alloc, op);
  if (root == buffer)
    return root;
  OpBuilder builder(op);
  return ViewOp::create(builder, buffer.getLoc(),
                        cast<MemRefType>(buffer.getType()), root);
}

/// Appends the map's body to the epilogue, which yields its results then.
template <typename Op> static void joinRegions(Op producer, MapOp map) {
  Region &epilogue = producer.getEpilogue();
  if (epilogue.empty()) {
    epilogue.takeBody(map.getBody());
    return;
  }
  auto yield = cast<YieldOp>(epilogue.front().getTerminator());
  OpBuilder builder(yield);
  Block &body = map.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0), yield.getValues().front());
  for (Operation &op : body)
    builder.clone(op, mapping);
  yield.erase();
}

/// Whether the element that the map takes is the one that the epilogue yields,
/// neither rounded nor converted in between.
template <typename Op> static bool yieldsElementOf(Op producer, MapOp map) {
  Type element = map.getBody().front().getArgument(0).getType();
  Region &epilogue = producer.getEpilogue();
  if (!epilogue.empty())
    return cast<YieldOp>(epilogue.front().getTerminator())
               .getValues()
               .front()
               .getType() == element;
  return element.isF32();
}

template <typename Op>
static bool fuse(Op producer, MapOp map, Accesses &accesses) {
  if (!producer.getFurther().empty() || !yieldsElementOf(producer, map))
    return false;
  for (Value output : map.getOutputs()) {
    auto hasRoot = [&](Value operand) {
      return rootBuffer(operand) == rootBuffer(output);
    };
    // Of integers the element types tell what is summed up.
    if (!isa<FloatType>(cast<MemRefType>(output.getType()).getElementType()) ||
        !haveSameInnermostAxis(output, producer.getOutput()) ||
        llvm::any_of(producer->getOperands(), hasRoot) ||
        !isFreeSince(producer, map, output, accesses))
      return false;
  }
  SmallVector<Value> outputs;
  for (Value output : map.getOutputs())
    outputs.push_back(definedBefore(producer, output, accesses));
  joinRegions(producer, map);
  producer.getOutputMutable().assign(outputs.front());
  producer.getFurtherMutable().append(ArrayRef(outputs).drop_front());
  producer->setLoc(
      FusedLoc::get(producer.getContext(), {producer.getLoc(), map.getLoc()}));
  return true;
}

/// Fuses with what writes the map's input and nothing else reads.
static bool fuseWithProducer(MapOp map, Accesses &accesses) {
  if (map.getInputs().size() != 1)
    return false;
  Value input = map.getInputs().front();
  const Access *store = accesses.onlyStore(map, input);
  if (!store || store->reads || store->op->getBlock() != map->getBlock() ||
      !isFixed(input) || !isFixed(store->buffer()))
    return false;
  Operation *producer = store->op;
  if (auto conv = dyn_cast<ConvOp>(producer))
    return !conv.getWinograd() && fuse(conv, map, accesses);
  if (auto product = dyn_cast<MatMulOp>(producer))
    return fuse(product, map, accesses);
  return false;
}

void FuseOutputs::run(Block &block) {
  SmallVector<MapOp> maps(block.getOps<MapOp>()), fused;
  if (maps.empty())
    return;
  dropPlan(block);
  Accesses accesses(block);
  for (MapOp map : maps)
    // Until the end the map stands for what its producer now writes.
    if (fuseWithProducer(map, accesses))
      fused.push_back(map);
  for (MapOp map : fused) {
    SmallVector<Value> roots =
        llvm::map_to_vector(map->getOperands(), rootBuffer);
    map.erase();
    for (Value root : roots)
      eraseIfUnused(root);
  }
}
