//===- CheckBounds.cpp - kernels that stop at a wrong address -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels see each operand as a flat buffer, and all generators go through the
// same few accesses. So what an access may reach follows from the operand's
// type, and one pass can check all of them.
//
//===----------------------------------------------------------------------===//
#include "glow/Support/Weight24.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::glow {
#define GEN_PASS_DEF_CHECKBOUNDS
#include "glow/Target/LLVM/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;

namespace {
/// Elements [low, high) around a buffer's address.
struct Reach {
  int64_t low = 0, high = 0;
};

/// Elements from `offset` on; those of lanes that `mask` leaves out are not
/// touched.
struct Access {
  Value base, offset, mask;
  int64_t lanes = 1;
};

struct CheckBounds : glow::impl::CheckBoundsBase<CheckBounds> {
  void runOnOperation() override;

private:
  void check(Operation *op, const Access &access);
  func::FuncOp declare(StringRef name, TypeRange arguments, TypeRange results);
  /// The address and the length of a text.
  std::pair<Value, Value> text(OpBuilder &builder, Operation *op,
                               const Reach &reach);
  DenseMap<Attribute, LLVM::GlobalOp> texts;
};
} // namespace

static std::optional<Access> accessOf(Operation *op) {
  auto one = [](ValueRange indices) { return indices.size() == 1; };
  auto lanes = [](Value value) {
    return cast<VectorType>(value.getType()).getNumElements();
  };
  using Result = std::optional<Access>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) -> Result {
        if (!one(access.getIndices()))
          return std::nullopt;
        return Access{access.getMemRef(), access.getIndices()[0], Value()};
      })
      .Case<vector::LoadOp>([&](vector::LoadOp load) -> Result {
        if (!one(load.getIndices()))
          return std::nullopt;
        return Access{load.getBase(), load.getIndices()[0], Value(),
                      lanes(load.getResult())};
      })
      .Case<vector::StoreOp>([&](vector::StoreOp store) -> Result {
        if (!one(store.getIndices()))
          return std::nullopt;
        return Access{store.getBase(), store.getIndices()[0], Value(),
                      lanes(store.getValueToStore())};
      })
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp>(
          [&](auto access) -> Result {
            if (!one(access.getIndices()))
              return std::nullopt;
            return Access{access.getBase(), access.getIndices()[0],
                          access.getMask(), lanes(access.getMask())};
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// What lies behind the address of a flat buffer: the operand that it was made
/// from has the strides, which may be negative.
static std::optional<Reach> reachOf(Value base) {
  Operation *op = base.getDefiningOp();
  while (isa_and_nonnull<UnrealizedConversionCastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (isa_and_nonnull<memref::ReinterpretCastOp>(op))
    base = op->getOperand(0);
  else if (op)
    base = op->getResult(0);
  auto type = cast<MemRefType>(base.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      !type.hasStaticShape())
    return std::nullopt;
  if (type.getNumElements() == 0)
    return Reach();
  Reach reach{0, 1};
  for (auto [extent, stride] : llvm::zip_equal(type.getShape(), strides))
    (stride < 0 ? reach.low : reach.high) += (extent - 1) * stride;
  // Kernels see the bytes of these.
  if (glow::Weight24::is(type.getElementType()))
    reach = {reach.low * glow::Weight24::kBytes,
             reach.high * glow::Weight24::kBytes};
  return reach;
}

func::FuncOp CheckBounds::declare(StringRef name, TypeRange arguments,
                                  TypeRange results) {
  ModuleOp module = getOperation();
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name,
                           builder.getFunctionType(arguments, results));
  function.setPrivate();
  return function;
}

std::pair<Value, Value> CheckBounds::text(OpBuilder &builder, Operation *op,
                                          const Reach &reach) {
  std::string text;
  llvm::raw_string_ostream out(text);
  // A kernel may have functions of its own.
  StringRef kernel = getOperation().getName().value_or(
      op->getParentOfType<func::FuncOp>().getName());
  out << "glow: kernel '" << kernel << "': " << op->getName()
      << " goes beyond elements " << reach.low << " to " << reach.high - 1
      << " of its buffer; from " << op->getLoc() << "\n";
  Attribute key = builder.getStringAttr(text);
  LLVM::GlobalOp &global = texts[key];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(getOperation().getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    global = LLVM::GlobalOp::create(
        top, op->getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
        "out_of_bounds_" + std::to_string(texts.size()), key);
  }
  Location loc = op->getLoc();
  return {LLVM::AddressOfOp::create(builder, loc, global),
          arith::ConstantIntOp::create(builder, loc, text.size(), 64)};
}

void CheckBounds::check(Operation *op, const Access &access) {
  std::optional<Reach> reach = reachOf(access.base);
  if (!reach)
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  using arith::CmpIPredicate;
  auto compare = [&](CmpIPredicate how, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, how, a, b);
  };
  Value count = index(access.lanes);
  if (access.mask) {
    // Up to the last lane that is set, of which there may be gaps before.
    auto type = VectorType::get({access.lanes}, builder.getI32Type());
    auto counts = llvm::to_vector(llvm::seq<int32_t>(1, access.lanes + 1));
    auto constant = [&](DenseElementsAttr value) -> Value {
      return arith::ConstantOp::create(builder, loc, value);
    };
    Value ends = arith::SelectOp::create(
        builder, loc, access.mask,
        constant(DenseElementsAttr::get(type, ArrayRef<int32_t>(counts))),
        constant(DenseElementsAttr::get(type, int32_t(0))));
    Value last = vector::ReductionOp::create(
        builder, loc, vector::CombiningKind::MAXUI, ends);
    count =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), last);
  }
  Value end = arith::AddIOp::create(builder, loc, access.offset, count);
  Value isWrong = arith::OrIOp::create(
      builder, loc,
      compare(CmpIPredicate::slt, access.offset, index(reach->low)),
      compare(CmpIPredicate::sgt, end, index(reach->high)));
  if (access.mask)
    isWrong = arith::AndIOp::create(
        builder, loc, isWrong, compare(CmpIPredicate::sgt, count, index(0)));
  auto wrong = scf::IfOp::create(builder, loc, isWrong, /*withElse=*/false);
  OpBuilder inner = wrong.getThenBodyBuilder();
  auto [address, length] = text(inner, op, *reach);
  // POSIX: to the standard error output.
  auto write = declare(
      "write", {inner.getI32Type(), address.getType(), length.getType()},
      inner.getI64Type());
  auto abort = declare("abort", {}, {});
  Value file = arith::ConstantIntOp::create(inner, loc, 2, 32);
  func::CallOp::create(inner, loc, write, ValueRange{file, address, length});
  func::CallOp::create(inner, loc, abort);
}

void CheckBounds::runOnOperation() {
  texts.clear();
  SmallVector<std::pair<Operation *, Access>> accesses;
  getOperation().walk([&](Operation *op) {
    if (std::optional<Access> access = accessOf(op))
      accesses.emplace_back(op, *access);
  });
  for (auto &[op, access] : accesses)
    check(op, access);
}
