//===- KernelMemory.cpp - memory accesses and values of kernels -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Booleans and numbers of less than a byte take one byte each in memory,
// whereas a vector of i1 would be packed to bits. So they are loaded and stored
// as i8. Numbers of 24 bits, which weights may be, take three.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/KernelBuilder.h"
#include "glow/Support/UnitCount.h"
#include "glow/Support/Weight24.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::glow;

BufferShape::BufferShape(MemRefType type) : element(type.getElementType()) {
  shape = llvm::to_vector(type.getShape());
  int64_t offset;
  [[maybe_unused]] LogicalResult isStrided =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(isStrided) && "buffers are strided");
}

int64_t BufferShape::elements() const {
  return ShapedType::getNumElements(shape);
}
int64_t BufferShape::bytes() const {
  Type type = ScalarBuilder::signless(element);
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

bool BufferShape::liesInVectors(int64_t lanes) const {
  constexpr int64_t kLeastBytes = 16;
  return lanes * bytes() >= kLeastBytes &&
         llvm::all_of(llvm::zip(shape, strides), [&](auto axis) {
           auto [extent, stride] = axis;
           UnitCount count = UnitCount::of(stride);
           return extent == 1 || stride == 1 ||
                  (count.units % lanes == 0 && count.rest % lanes == 0);
         });
}

SmallVector<int64_t>
BufferShape::broadcastStrides(ArrayRef<int64_t> space) const {
  SmallVector<int64_t> result(space.size(), 0);
  int64_t shift = space.size() - rank();
  for (int64_t i = 0; i < rank(); ++i)
    if (shape[i] != 1)
      result[shift + i] = strides[i];
  return result;
}

Type KernelBuilder::storedType(Type element) {
  if (Weight24::is(element))
    return builder.getI8Type();
  Type type = ScalarBuilder::signless(element);
  return type.getIntOrFloatBitWidth() < 8 ? builder.getI8Type() : type;
}

Type KernelBuilder::shaped(Type element, int64_t lanes) {
  return lanes == 1 ? element : VectorType::get({lanes}, element);
}

KernelBuffer KernelBuilder::open(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  BufferShape shape(type);
  KernelBuffer buffer{{},
                      shape.shape,
                      shape.strides,
                      shape.element,
                      ScalarBuilder::signless(shape.element)};
  int64_t span = 1;
  for (auto [extent, stride] : llvm::zip(buffer.shape, buffer.strides))
    span += std::max<int64_t>(0, (extent - 1) * stride);
  auto flat = MemRefType::get({span}, buffer.element);
  buffer.flat = memref::ReinterpretCastOp::create(
      builder, loc, flat, memref, /*offset=*/0, ArrayRef<int64_t>{span},
      ArrayRef<int64_t>{1});
  if (Weight24::is(buffer.element)) {
    buffer.type = builder.getF32Type();
    span *= Weight24::kBytes;
  }
  // Memrefs that differ in the element's sign, or in a bool's width, are the
  // same thing to LLVM.
  Type stored = storedType(buffer.element);
  if (stored != buffer.element)
    buffer.flat =
        UnrealizedConversionCastOp::create(
            builder, loc, MemRefType::get({span}, stored), buffer.flat)
            .getResult(0);
  return buffer;
}

SmallVector<KernelBuffer> KernelBuilder::open(ValueRange memrefs) {
  return llvm::map_to_vector(memrefs, [&](Value v) { return open(v); });
}

/// Element accesses through a memref may not go below its first element.
static bool goesBackwards(const KernelBuffer &buffer) {
  return llvm::any_of(buffer.strides, [](int64_t s) { return s < 0; });
}

Value KernelBuilder::loadScalar(const KernelBuffer &buffer, Value offset) {
  if (!goesBackwards(buffer))
    return memref::LoadOp::create(builder, loc, buffer.flat, offset);
  auto one = VectorType::get({1}, storedType(buffer.element));
  Value value = vector::LoadOp::create(builder, loc, one, buffer.flat, offset);
  return vector::ExtractOp::create(builder, loc, value, 0);
}

void KernelBuilder::storeScalar(Value value, const KernelBuffer &buffer,
                                Value offset) {
  if (!goesBackwards(buffer)) {
    memref::StoreOp::create(builder, loc, value, buffer.flat, offset);
    return;
  }
  auto one = VectorType::get({1}, value.getType());
  value = vector::BroadcastOp::create(builder, loc, one, value);
  vector::StoreOp::create(builder, loc, value, buffer.flat, offset);
}

Value KernelBuilder::loadStored(const KernelBuffer &buffer, Value offset,
                                int64_t lanes, int64_t stride, Value mask) {
  if (lanes == 1)
    return loadScalar(buffer, offset);
  if (stride == 0)
    return broadcast(loadScalar(buffer, offset), lanes);
  auto type = VectorType::get({lanes}, storedType(buffer.element));
  if (stride == 1 && !mask)
    return vector::LoadOp::create(builder, loc, type, buffer.flat, offset);
  Value zeros = zero(type.getElementType(), lanes);
  if (stride == 1)
    return vector::MaskedLoadOp::create(builder, loc, type, buffer.flat, offset,
                                        mask, zeros);
  if (stride > 1 && stride <= kMostShuffled)
    return loadShuffled(buffer, offset, lanes, stride, mask);
  assert(!mask && "masked accesses are close to each other");
  Value result = zeros;
  for (int64_t i = 0; i < lanes; ++i) {
    Value element = loadScalar(buffer, add(offset, i * stride));
    result = vector::InsertOp::create(builder, loc, element, result, i);
  }
  return result;
}

Value KernelBuilder::loadShuffled(const KernelBuffer &buffer, Value offset,
                                  int64_t lanes, int64_t stride, Value mask) {
  // Vectors side by side. The last one ends with the last element, behind which
  // nothing may be, and so may begin within the one before.
  int64_t behindLast = (lanes - 1) * stride + 1;
  Value result;
  for (int64_t first = 0; first < behindLast; first += lanes) {
    int64_t start = std::min(first, behindLast - lanes);
    // Where the result's lanes come from: those before, or this part. And
    // which of them each of this part's lanes is for, if any.
    SmallVector<int64_t> places, wanted(lanes, lanes);
    for (int64_t i = 0; i < lanes; ++i) {
      int64_t at = i * stride - start;
      bool isHere = i * stride >= first && at < lanes;
      places.push_back(isHere ? lanes + at : i);
      if (isHere)
        wanted[at] = i;
    }
    if (llvm::all_of(wanted, [&](int64_t lane) { return lane == lanes; }))
      continue;
    Value own;
    if (mask)
      own = vector::ShuffleOp::create(builder, loc, mask,
                                      zero(builder.getI1Type(), lanes), wanted);
    Value part = loadStored(buffer, add(offset, start), lanes, 1, own);
    result = vector::ShuffleOp::create(builder, loc, result ? result : part,
                                       part, places);
  }
  return result;
}

Value KernelBuilder::loadWeights24(const KernelBuffer &buffer, Value offset,
                                   int64_t lanes) {
  constexpr int64_t kBytes = Weight24::kBytes;
  constexpr uint32_t kSignCopies = 0x70000000;
  int64_t stored = kBytes * lanes, whole = stored + lanes;
  Value zeros = zero(builder.getI8Type(), whole);
  // A register whose last bytes are zero, so that it alone is shuffled.
  Value bytes = vector::MaskedLoadOp::create(builder, loc, zeros.getType(),
                                             buffer.flat, mul(offset, kBytes),
                                             mask(index(stored), whole), zeros);
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < stored; ++i) {
    if (i % kBytes == 0)
      places.push_back(stored);
    places.push_back(i);
  }
  bytes = vector::ShuffleOp::create(builder, loc, bytes, bytes, places);
  auto words = VectorType::get({lanes}, builder.getI32Type());
  auto constant = [&](uint32_t value) -> Value {
    auto bits = DenseElementsAttr::get(words, APInt(32, value));
    return arith::ConstantOp::create(builder, loc, bits);
  };
  Value word = vector::BitCastOp::create(builder, loc, words, bytes);
  // The sign comes along, and the exponent is put in the place of its copies.
  word = arith::ShRSIOp::create(builder, loc, word, constant(Weight24::kMoved));
  word = arith::AndIOp::create(builder, loc, word, constant(~kSignCopies));
  word =
      arith::OrIOp::create(builder, loc, word, constant(Weight24::kExponent));
  Value result = vector::BitCastOp::create(
      builder, loc, VectorType::get({lanes}, buffer.type), word);
  return lanes > 1 ? result
                   : vector::ExtractOp::create(builder, loc, result, 0);
}

Value KernelBuilder::load(const KernelBuffer &buffer, Value offset,
                          int64_t lanes, int64_t stride, Value mask) {
  if (Weight24::is(buffer.element)) {
    assert((stride == 1 || lanes == 1) && !mask && "panels have no gaps");
    return loadWeights24(buffer, offset, lanes);
  }
  Value value = loadStored(buffer, offset, lanes, stride, mask);
  if (storedType(buffer.element) == buffer.type)
    return value;
  Type bits = builder.getIntegerType(buffer.type.getIntOrFloatBitWidth());
  value = arith::TruncIOp::create(builder, loc, shaped(bits, lanes), value);
  if (bits == buffer.type)
    return value;
  return arith::BitcastOp::create(builder, loc, shaped(buffer.type, lanes),
                                  value);
}

void KernelBuilder::store(Value value, const KernelBuffer &buffer, Value offset,
                          int64_t stride, Value mask) {
  Type stored = storedType(buffer.element);
  auto vector = dyn_cast<VectorType>(value.getType());
  if (stored != buffer.type) {
    Type type = vector ? vector.clone(stored) : stored;
    bool isFloat = isa<FloatType>(buffer.type);
    bool isSigned = !isFloat && buffer.type.getIntOrFloatBitWidth() > 1 &&
                    !buffer.element.isUnsignedInteger();
    if (isFloat) {
      Type bits = builder.getIntegerType(buffer.type.getIntOrFloatBitWidth());
      value = arith::BitcastOp::create(
          builder, loc, vector ? Type(vector.clone(bits)) : bits, value);
    }
    value = isSigned ? Value(arith::ExtSIOp::create(builder, loc, type, value))
                     : Value(arith::ExtUIOp::create(builder, loc, type, value));
  }
  if (!vector)
    return storeScalar(value, buffer, offset);
  if (stride == 1 && mask) {
    vector::MaskedStoreOp::create(builder, loc, buffer.flat, offset, mask,
                                  value);
    return;
  }
  assert(!mask && "masked accesses are contiguous");
  if (stride == 1) {
    llvm::MaybeAlign alignment;
    if (buffer.nontemporal)
      alignment =
          llvm::Align(vector.getNumElements() *
                      llvm::divideCeil(stored.getIntOrFloatBitWidth(), 8));
    vector::StoreOp::create(builder, loc, value, buffer.flat, offset,
                            buffer.nontemporal, alignment);
    return;
  }
  for (int64_t i = 0, lanes = vector.getNumElements(); i < lanes; ++i)
    storeScalar(vector::ExtractOp::create(builder, loc, value, i), buffer,
                add(offset, i * stride));
}

void KernelBuilder::storeNontemporal(MutableArrayRef<KernelBuffer> outputs,
                                     Value elements,
                                     function_ref<void()> emit) {
  Value pays;
  auto require = [&](Value condition) {
    pays = pays ? both(pays, condition) : condition;
  };
  for (const KernelBuffer &output : outputs) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                                   output.flat);
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                  rem(address, KernelTarget::kLineBytes),
                                  index(0)));
    if (!elements)
      continue;
    int64_t bytes =
        llvm::divideCeil(storedType(output.element).getIntOrFloatBitWidth(), 8);
    require(less(index((target.nontemporalBytes() - 1) / bytes), elements));
  }
  auto emitWith = [&](bool nontemporal) {
    for (KernelBuffer &output : outputs)
      output.nontemporal = nontemporal;
    emit();
    // Of what there is for all targets, this alone makes such stores visible
    // before what follows.
    if (nontemporal)
      LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst);
    return SmallVector<Value>();
  };
  ifElse(
      pays, {}, [&] { return emitWith(true); },
      [&] { return emitWith(false); });
}

void KernelBuilder::keepOrder(ValueRange values) {
  // Of shorter vectors LLVM knows no register that assembler may name.
  constexpr int64_t kLeastBits = 128;
  SmallVector<Value> named;
  // Each is in whatever register it is in.
  std::string constraints;
  for (Value value : values) {
    auto type = dyn_cast<VectorType>(value.getType());
    if (!type ||
        type.getNumElements() * type.getElementTypeBitWidth() < kLeastBits)
      continue;
    named.push_back(value);
    constraints += "X,";
  }
  LLVM::InlineAsmOp::create(
      builder, loc, /*res=*/TypeRange(), named, /*asm_string=*/"",
      constraints + "~{memory}", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
}

void KernelBuilder::fetch(const KernelBuffer &buffer, Value offset,
                          bool intoFirst) {
  if (Weight24::is(buffer.element))
    offset = mul(offset, Weight24::kBytes);
  // As LLVM maps them on x86: into all levels, or from the second one on.
  constexpr unsigned kAllLevels = 3, kFromSecond = 1;
  unsigned hint =
      intoFirst || target.fetchLevel == 1 ? kAllLevels : kFromSecond;
  memref::PrefetchOp::create(builder, loc, buffer.flat, offset,
                             /*isWrite=*/false, hint, /*isDataCache=*/true);
}

Value KernelBuilder::mask(Value count, int64_t lanes) {
  auto type = VectorType::get({lanes}, builder.getI1Type());
  return vector::CreateMaskOp::create(builder, loc, type, ValueRange(count));
}

Value KernelBuilder::broadcast(Value scalar, int64_t lanes) {
  if (lanes == 1)
    return scalar;
  auto type = VectorType::get({lanes}, scalar.getType());
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value KernelBuilder::lanesFrom(Value vector, int64_t first, int64_t lanes) {
  auto places = llvm::to_vector(llvm::seq<int64_t>(first, first + lanes));
  return vector::ShuffleOp::create(builder, loc, vector, vector, places);
}

Value glow::anyLane(OpBuilder &builder, Location loc, Value conditions) {
  if (!isa<VectorType>(conditions.getType()))
    return conditions;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                     conditions);
}

Value KernelBuilder::broadcastGroup(const KernelBuffer &buffer, Value offset,
                                    int64_t size, int64_t count,
                                    int64_t lanes) {
  int64_t bits = buffer.type.getIntOrFloatBitWidth();
  Type whole = builder.getIntegerType(size * bits);
  Value word;
  if (count == size) {
    Value group = load(buffer, offset, size);
    group = vector::BitCastOp::create(builder, loc, VectorType::get({1}, whole),
                                      group);
    word = vector::ExtractOp::create(builder, loc, group, 0);
  } else {
    // What lies behind the end may be no number at all, so it is not read.
    for (int64_t i = 0; i < count; ++i) {
      Value element = load(buffer, add(offset, i));
      Type integer = builder.getIntegerType(bits);
      if (isa<FloatType>(buffer.type))
        element = arith::BitcastOp::create(builder, loc, integer, element);
      element = arith::ExtUIOp::create(builder, loc, whole, element);
      Value shift = arith::ConstantIntOp::create(builder, loc, whole, i * bits);
      element = builder.createOrFold<arith::ShLIOp>(loc, element, shift);
      word = word ? arith::OrIOp::create(builder, loc, word, element) : element;
    }
  }
  return vector::BitCastOp::create(builder, loc,
                                   VectorType::get({lanes * size}, buffer.type),
                                   broadcast(word, lanes));
}

KernelBuffer KernelBuilder::scratch(Type element, int64_t elements) {
  auto type = MemRefType::get({elements}, element);
  // In the entry block, so that a loop does not grow the frame: what loops make
  // is freed when the function returns.
  OpBuilder::InsertionGuard guard(builder);
  Operation *function = builder.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  builder.setInsertionPointToStart(&function->getRegion(0).front());
  Value flat = memref::AllocaOp::create(builder, loc, type,
                                        builder.getI64IntegerAttr(64));
  return {flat, {elements}, {1}, element, element};
}

Value KernelBuilder::convert(Value value, Type source, Type to) {
  return scalars(source, to).cast(value);
}

Value KernelBuilder::zero(Type element, int64_t lanes) {
  auto attribute = cast<TypedAttr>(builder.getZeroAttr(shaped(element, lanes)));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value KernelBuilder::multiplyAddGroups(Value a, Value b, Value sums) {
  return x86vector::DotBF16Op::create(builder, loc, sums.getType(), sums, a, b);
}

Value KernelBuilder::multiplyAdd(Value a, Value b, Value c) {
  if (!isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::AddIOp::create(builder, loc,
                                 arith::MulIOp::create(builder, loc, a, b), c);
  // Without the instruction an fma would be a call of the C library.
  if (!target.fma)
    return arith::AddFOp::create(builder, loc,
                                 arith::MulFOp::create(builder, loc, a, b), c);
  if (isa<VectorType>(a.getType()))
    return vector::FMAOp::create(builder, loc, a, b, c);
  return math::FmaOp::create(builder, loc, a, b, c);
}
