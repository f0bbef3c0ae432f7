//===- Emit.cpp - build graph ops that may be wrong -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated builders abort when result types cannot be inferred. A model is
// input, so its ops are made by hand here: infer, verify, and only then keep.
//
//===----------------------------------------------------------------------===//
#include "Moved.h"
#include "Tensors.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "glow/Interpreter/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static unsigned numResults(OperationName name) {
  if (name.hasTrait<OpTrait::OneResult>())
    return 1;
  return name.hasTrait<OpTrait::NResults<2>::Impl>() ? 2 : 3;
}

/// Infers the results' types and verifies the op. Errors are emitted.
static LogicalResult complete(Operation *op) {
  auto inferrable = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (!inferrable || failed(inferrable.inferReturnTypes(
                         op->getContext(), op->getLoc(), op->getOperands(),
                         op->getDiscardableAttrDictionary(),
                         op->getPropertiesStorage(), op->getRegions(), types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
  return verify(op, /*verifyRecursively=*/false);
}

/// A constant repeated over a known shape.
static ElementsAttr splatValue(SplatOp op) {
  DenseElementsAttr value;
  if (!matchPattern(op.getValue(), m_Constant(&value)) ||
      isa<DenseStringElementsAttr>(value))
    return {};
  return value.resizeSplat(cast<ShapedType>(op.getType()));
}

/// The value of an integer op, if all its elements are known.
static ElementsAttr knownIntegers(Value result) {
  auto ints = partialInts(result);
  if (!ints || llvm::any_of(*ints, ShapedType::isDynamic))
    return {};
  return DenseIntElementsAttr::get(cast<ShapedType>(result.getType()), *ints);
}

/// The value of an op on small constants. Larger ones are left to the passes:
/// they point into the model's file.
static ElementsAttr evaluate(Operation *op) {
  constexpr int64_t limit = 1024;
  for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                      llvm::to_vector(op->getResultTypes())))
    if (!cast<RankedTensorType>(type).hasStaticShape() ||
        cast<RankedTensorType>(type).getNumElements() > limit)
      return {};
  if (!isWorthFolding(op, FoldLimits()))
    return {};
  auto values = evaluateOp(op);
  return succeeded(values) ? dyn_cast<ElementsAttr>(values->front())
                           : ElementsAttr();
}

/// Replaces an op that folds, or whose integers are all known, by the value.
static Value simplify(Operation *op, OpBuilder &builder) {
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(op, folded)) && folded.size() == 1) {
    op->erase();
    return folded.front();
  }
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  if (!type.hasStaticShape())
    return result;
  ElementsAttr known;
  if (auto splat = dyn_cast<SplatOp>(op))
    known = splatValue(splat);
  else if (type.getElementType().isInteger(64))
    known = knownIntegers(result);
  if (!known)
    known = evaluate(op);
  if (!known)
    return result;
  Value constant = ConstantOp::create(builder, op->getLoc(), type, known);
  op->erase();
  return constant;
}

Operation *Node::emitOp(StringRef opName, ArrayRef<Value> values,
                        ArrayRef<Attr> attributes, unsigned results) {
  if (failed())
    return nullptr;
  OperationState state(loc, opName);
  SmallVector<int32_t> segments;
  for (Value value : values) {
    segments.push_back(value ? 1 : 0);
    if (value)
      state.operands.push_back(value);
  }
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>())
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(segments));
  for (const Attr &attribute : attributes)
    if (attribute.value)
      state.addAttribute(attribute.name, attribute.value);
  if (state.name.hasTrait<OpTrait::OneRegion>())
    state.addRegion();
  state.types.assign(results ? results : numResults(state.name),
                     builder.getNoneType());

  Operation *op = Operation::create(state);
  auto isHuge = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && isTooLarge(tensor.getShape());
  };
  bool isComplete = succeeded(complete(op));
  if (!isComplete || llvm::any_of(op->getResultTypes(), isHuge)) {
    op->destroy();
    (void)fail(isComplete ? "its result has more than 2^40 elements" : "");
    return nullptr;
  }
  builder.insert(op);
  return op;
}

Value Node::emitNamed(StringRef op, ArrayRef<Value> values,
                      ArrayRef<Attr> attributes) {
  Operation *made = emitOp(op, values, attributes);
  return made ? simplify(made, builder) : Value();
}

/// Replaces a call on constants by what it computes, also where this tells its
/// results' extents.
static SmallVector<Value> simplifyCall(CallHostOp op, OpBuilder &builder) {
  SmallVector<Value> results(op.getResults());
  if (!isWorthFolding(op, FoldLimits()))
    return results;
  auto values = evaluateOp(op);
  if (mlir::failed(values))
    return results;
  for (auto [result, value] : llvm::zip(results, *values)) {
    auto elements = cast<ElementsAttr>(value);
    result =
        ConstantOp::create(builder, op.getLoc(), elements.getType(), elements);
  }
  op.erase();
  return results;
}

SmallVector<Value> Node::callHost(StringRef function, ArrayRef<Value> values,
                                  ArrayRef<Type> cells,
                                  ArrayRef<Attr> attributes, int64_t coreRank) {
  NamedAttrList told;
  for (const Attr &attribute : attributes)
    if (attribute.value)
      told.set(attribute.name, attribute.value);
  SmallVector<Type> types;
  for (Type cell : cells)
    types.push_back(
        isa<RankedTensorType>(cell) ? cell : RankedTensorType::get({}, cell));
  Operation *op = emitOp(CallHostOp::getOperationName(), values,
                         {str("function", function),
                          i64("core_rank", coreRank),
                          {"cells", builder.getTypeArrayAttr(types)},
                          {"config", told.getDictionary(context())}},
                         types.size());
  if (op && mlir::failed(checkHostFunction(llvm::cast<CallHostOp>(op))))
    (void)fail("");
  return failed() ? SmallVector<Value>(types.size())
                  : simplifyCall(llvm::cast<CallHostOp>(op), builder);
}

Value Node::callHost(StringRef function, ArrayRef<Value> values, Type element,
                     ArrayRef<Attr> attributes) {
  return callHost(function, values, ArrayRef(element), attributes, 0).front();
}

// -- Ops that many operators need ---------------------------------------------

Value Node::constant(ElementsAttr value) {
  if (!value || failed())
    return {};
  return ConstantOp::create(builder, loc, value.getType(), value);
}

Value Node::constant(Type element, ArrayRef<int64_t> dims,
                     ArrayRef<double> values) {
  if (!element || failed())
    return {};
  auto tensor = Tensor::allocate(loc, element, dims);
  if (mlir::failed(tensor))
    return (void)fail(""), Value();
  tensor->write(0, tensor->size(), values.data());
  return constant(tensor->toAttribute());
}

Type Node::realType(Type element) {
  if (!isa<IntegerType>(element))
    return element;
  if (element.getIntOrFloatBitWidth() > 16)
    return Float64Type::get(element.getContext());
  return Float32Type::get(element.getContext());
}

Value Node::shape(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getI64Type());
  return constant(DenseIntElementsAttr::get(type, values));
}

Value Node::nothing(Type element) {
  if (!isOnlyMoved(element))
    return scalar(element, 0);
  auto type = RankedTensorType::get({}, element);
  if (isa<StringType>(element))
    return constant(DenseStringElementsAttr::get(type, StringRef()));
  char zeros[16] = {};
  unsigned bytes = bitsOf(dataTypeOf(element)) / 8;
  return constant(
      DenseElementsAttr::getFromRawBuffer(type, ArrayRef(zeros, bytes)));
}

Value Node::partsOf(Value numbers) {
  if (!numbers)
    return {};
  Type part = llvm::cast<ComplexType>(element(numbers)).getElementType();
  return callHost("complex_to_parts", numbers,
                  ArrayRef<Type>(RankedTensorType::get({2}, part)), {})
      .front();
}

Value Node::fromParts(Value parts) {
  if (!parts)
    return {};
  Type cell = ComplexType::get(element(parts));
  return callHost("parts_to_complex", parts, ArrayRef(cell), {}, /*coreRank=*/1)
      .front();
}

Value Node::scalar(Type element, double value) {
  if (!element || failed())
    return {};
  Attribute attribute;
  if (auto type = dyn_cast<FloatType>(element))
    attribute = FloatAttr::get(type, value);
  else if (auto type = dyn_cast<IntegerType>(element))
    attribute = IntegerAttr::get(
        type, APInt(type.getWidth(), static_cast<int64_t>(value),
                    /*isSigned=*/true, /*implicitTrunc=*/true));
  else
    return (void)fail("strings and complex numbers are only moved"), Value();
  return constant(
      DenseElementsAttr::get(RankedTensorType::get({}, element), attribute));
}

/// The type that strings are read as and written from for `type`: functions of
/// the runtime know no numbers of less than a byte, and of 16 bits only to
/// write.
static Type textNumber(Type type, bool isWritten) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type) && (width < 16 || (width == 16 && !isWritten)))
    return Float32Type::get(type.getContext());
  if (isa<IntegerType>(type) && width < 8 && width > 1)
    return IntegerType::get(type.getContext(), 8,
                            type.isUnsignedInteger() ? IntegerType::Unsigned
                                                     : IntegerType::Signless);
  return type;
}

Value Node::castText(Value value, Type to) {
  if (!isa<StringType>(to)) {
    Type number = textNumber(to, /*isWritten=*/false);
    return cast(callHost("string_to_number", value, number), to);
  }
  value = cast(value, textNumber(element(value), /*isWritten=*/true));
  return value ? callHost("number_to_string", value, to) : value;
}

Value Node::cast(Value value, Type to) {
  if (!value || !to)
    return {};
  if (element(value) == to)
    return value;
  if (isa<StringType>(to) || isa<StringType>(element(value)))
    return castText(value, to);
  return emit<CastOp>(value, {{"to", TypeAttr::get(to)}});
}

Value Node::widenHalves(Value value) {
  bool isHalf = value && (element(value).isF16() || element(value).isBF16());
  return isHalf ? cast(value, Float32Type::get(context())) : value;
}

Value Node::where(Value condition, Value a, Value b) {
  if (!condition || !a || !b)
    return {};
  if (isa<StringType>(element(a)))
    return callHost("string_where", {condition, a, b}, element(a));
  if (isOnlyMoved(element(a)))
    return whereByPlace(*this, condition, a, b);
  return emit<WhereOp>({condition, a, b});
}

Value Node::reshape(Value value, ArrayRef<int64_t> dims) {
  return value ? emit<ReshapeOp>({value, shape(dims)}) : value;
}

Value Node::transpose(Value value, ArrayRef<int64_t> permutation) {
  return value ? emit<TransposeOp>(value, i64s("permutation", permutation))
               : value;
}

Value Node::squeeze(Value value, ArrayRef<int64_t> axes) {
  return axes.empty() ? value : emit<SqueezeOp>(value, i64s("axes", axes));
}

Value Node::unsqueeze(Value value, ArrayRef<int64_t> axes) {
  return axes.empty() ? value : emit<UnsqueezeOp>(value, i64s("axes", axes));
}

Value Node::reduce(ReduceKind kind, Value value, ArrayRef<int64_t> axes,
                   bool keep) {
  return emit<ReduceOp>(value, {{"kind", ReduceKindAttr::get(context(), kind)},
                                i64s("axes", axes),
                                unit("keep_dims", keep)});
}

Value Node::shapeOf(Value value, int64_t start, int64_t end) {
  if (!value)
    return {};
  return emit<ShapeOfOp>(
      value, {i64("start", start), i64("end", end < 0 ? rank(value) : end)});
}

Value Node::reshapeLike(Value value, Value like) {
  return value ? emit<ReshapeOp>({value, shapeOf(like)}, unit("allow_zero"))
               : value;
}

Value Node::asShape(Value value) {
  if (!value || failed())
    return {};
  if (!element(value).isInteger()) {
    (void)fail("a shape or a list of axes must consist of integers");
    return {};
  }
  if (rank(value) > 1) {
    (void)fail("a shape or a list of axes must have one axis");
    return {};
  }
  value = cast(value, builder.getI64Type());
  return value && rank(value) == 0 ? unsqueeze(value, {0}) : value;
}
