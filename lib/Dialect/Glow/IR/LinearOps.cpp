//===- LinearOps.cpp - convolutions, products of matrices, pooling ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Support/Weight24.h"
#include "glow/Support/Winograd.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowLinearOps.cpp.inc"

void GlowDialect::registerLinearOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowLinearOps.cpp.inc"
      >();
}

static bool isChannelsLast(std::optional<LayoutAttr> layout) {
  return layout && *layout && layout->getKind() == LayoutKind::ChannelsLast;
}
bool ConvOp::isChannelsLast() { return ::isChannelsLast(getLayout()); }
bool PoolOp::isChannelsLast() { return ::isChannelsLast(getLayout()); }

/// The attributes that describe a window have `rank` entries each, pads twice
/// as many, and no entry is negative.
static LogicalResult checkWindow(MaybeLocation location, int64_t rank,
                                 ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> pads,
                                 ArrayRef<int64_t> dilations) {
  if (rank < 1)
    return emitOptionalError(location, "input needs at least 3 axes: batch, "
                                       "channels and one spatial axis");
  for (auto [name, size, wanted] :
       {std::tuple("kernel_shape", kernel.size(), rank),
        std::tuple("strides", strides.size(), rank),
        std::tuple("pads", pads.size(), 2 * rank),
        std::tuple("dilations", dilations.size(), rank)})
    if (static_cast<int64_t>(size) != wanted)
      return emitOptionalError(location, "'", name, "' has ", size,
                               " entries, but ", rank, " spatial axes need ",
                               wanted);
  if (llvm::any_of(pads, [](int64_t pad) { return pad < 0; }))
    return emitOptionalError(location, "'pads' must not be negative");
  return success();
}

/// Extents of the spatial axes of a window op's result.
template <typename Adaptor>
static FailureOr<Dims> spatialExtents(MaybeLocation location, Adaptor adaptor,
                                      ArrayRef<int64_t> input, bool ceil) {
  ArrayRef<int64_t> pads = adaptor.getPads(), kernel = adaptor.getKernelShape();
  int64_t rank = input.size();
  if (failed(checkWindow(location, rank, kernel, adaptor.getStrides(), pads,
                         adaptor.getDilations())))
    return failure();
  Dims extents;
  for (int64_t i = 0; i < rank; ++i) {
    FailureOr<int64_t> extent = windowExtent(
        location, input[i],
        {kernel[i], adaptor.getStrides()[i], adaptor.getDilations()[i], pads[i],
         pads[rank + i], ceil});
    if (failed(extent))
      return failure();
    extents.push_back(*extent);
  }
  return extents;
}

/// N, spatial…, C put together in the op's layout.
static Dims activationDims(bool channelsLast, int64_t batch, int64_t channels,
                           ArrayRef<int64_t> spatial) {
  Dims dims{batch};
  if (!channelsLast)
    dims.push_back(channels);
  dims.append(spatial.begin(), spatial.end());
  if (channelsLast)
    dims.push_back(channels);
  return dims;
}
static ArrayRef<int64_t> spatialDims(ArrayRef<int64_t> dims,
                                     bool channelsLast) {
  if (dims.size() < 2)
    return {};
  return channelsLast ? dims.drop_front().drop_back() : dims.drop_front(2);
}

/// The result's element type: that of the sums, unless the epilogue yields
/// floats of another.
static Type resultElement(RegionRange regions, Type sum) {
  if (!isa<FloatType>(sum) || regions.empty() || regions.front()->empty() ||
      regions.front()->front().empty())
    return sum;
  Operation &last = regions.front()->front().back();
  auto yield = dyn_cast<YieldOp>(last);
  return yield && yield.getNumOperands() == 1 ? yield.getOperand(0).getType()
                                              : sum;
}

LogicalResult ConvOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  ArrayRef<int64_t> filter = dimsOf(adaptor.getFilter());
  bool last = ::isChannelsLast(adaptor.getLayout());
  if (filter.empty())
    return emitOptionalError(location, "filter must have at least 3 axes");
  FailureOr<Dims> spatial =
      spatialExtents(location, adaptor, spatialDims(input, last), false);
  if (failed(spatial))
    return failure();
  int64_t channels = last ? filter.back() : filter.front();
  if (adaptor.getOutputChannels())
    channels = *adaptor.getOutputChannels();
  types.push_back(RankedTensorType::get(
      activationDims(last, input.front(), channels, *spatial),
      resultElement(adaptor.getRegions(), elementType(adaptor.getInput()))));
  return success();
}

/// The epilogue takes the accumulator and one element of each extra input.
static LogicalResult verifyEpilogue(Operation *op, Region &epilogue,
                                    ValueRange inputs, Type result) {
  if (epilogue.empty())
    return inputs.empty() ? success()
                          : op->emitOpError("has epilogue inputs but no "
                                            "epilogue region");
  Block &block = epilogue.front();
  if (block.getNumArguments() != inputs.size() + 1)
    return op->emitOpError("epilogue takes ")
           << block.getNumArguments() << " elements, but needs "
           << inputs.size() + 1 << ": the accumulator and one per input";
  auto type = cast<RankedTensorType>(result);
  for (auto [input, argument] :
       llvm::zip(inputs, block.getArguments().drop_front())) {
    if (argument.getType() != ScalarBuilder::signless(elementType(input)))
      return op->emitOpError("epilogue argument of type ")
             << argument.getType() << " does not match its input "
             << input.getType();
    FailureOr<Dims> dims =
        broadcast(op->getLoc(), type.getShape(), dimsOf(input));
    if (failed(dims) || dims->size() != type.getShape().size())
      return op->emitOpError("epilogue input ")
             << input.getType() << " does not broadcast to " << result;
  }
  Type wanted = ScalarBuilder::signless(type.getElementType());
  if (block.getTerminator()->getOperandTypes() != TypeRange(wanted))
    return op->emitOpError("epilogue must yield one value of type ") << wanted;
  return success();
}

/// The axis that is contracted holds that many pieces in both factors.
template <typename Op>
static LogicalResult verifyPieces(Op op, Value lhs, Value rhs) {
  if (!op.getPieces())
    return success();
  int64_t pieces = *op.getPieces(), depth = dimsOf(lhs).back();
  if (pieces < 2 || pieces > 3 || !elementType(lhs).isBF16() ||
      !elementType(rhs).isBF16() || dimsOf(rhs).size() < 2 ||
      (!ShapedType::isDynamic(depth) && depth % pieces))
    return op.emitOpError("'pieces' is 2 or 3, of factors of bf16 that hold as "
                          "many along the axis that is contracted");
  return success();
}

/// What a convolution must be to have a transformed filter, and that filter.
static LogicalResult verifyWinograd(ConvOp op) {
  WinogradAttr winograd = *op.getWinograd();
  if (!WinogradTransform::get(winograd.getOutputs(), winograd.getTaps()) ||
      winograd.getRows() < 1)
    return op.emitOpError(
        "'winograd' needs at least 1 row, and outputs and taps "
        "of a transform, such as 2 of 3");
  auto tile = winogradTileOf(op);
  if (!op.isChannelsLast() || op.getGroup() != 1 || !op.getOutputChannels() ||
      !tile)
    return op.emitOpError("'winograd' needs channels_last, one group, "
                          "'output_channels' and a dense window of images");
  ArrayRef<int64_t> filter = dimsOf(op.getFilter());
  if (elementType(op.getInput()).isBF16() &&
      (op.getEpilogue().empty() ||
       !op.getEpilogue().getArgument(0).getType().isF32()))
    return op.emitOpError("'winograd' needs sums of f32, which an epilogue "
                          "takes");
  size_t rank = op.getPacked() ? 4 : 3;
  int64_t channels = dimsOf(op.getInput()).back(), depth;
  if (ShapedType::isDynamic(channels) ||
      llvm::MulOverflow(channels, tile->parts(), depth))
    return op.emitOpError(
        "'winograd' needs a number of channels that is known");
  if (int64_t width = op.getPacked().value_or(0);
      width > 0 && filter.size() == rank) {
    // Panels may have channels side by side.
    if (filter.back() == 0 || filter.back() % width != 0)
      return op.emitOpError("a filter of type ")
             << op.getFilter().getType() << " has no panels of " << width
             << " columns";
    depth = llvm::divideCeilSigned(depth, filter.back() / width);
  }
  if (filter.size() != rank || filter.front() != tile->products() ||
      filter[rank - 2] != depth)
    return op.emitOpError("a filter of type ")
           << op.getFilter().getType() << " does not hold " << tile->products()
           << " matrices with a row per input channel and part of the window";
  return success();
}

/// Whether floats of a type are multiplied by such, which are not wider than
/// the sums, of the input's type or f32.
static bool areMultiplied(Type input, Type weight) {
  return isa<FloatType>(input) &&
         (Weight24::is(weight) ||
          (isa<FloatType>(weight) &&
           weight.getIntOrFloatBitWidth() <=
               std::max(32u, input.getIntOrFloatBitWidth())));
}

LogicalResult ConvOp::verify() {
  ArrayRef<int64_t> input = dimsOf(getInput()), filter = dimsOf(getFilter());
  Type element = elementType(getInput());
  if (element != elementType(getFilter()) &&
      !isa<quant::QuantizedType>(element) &&
      !areMultiplied(element, elementType(getFilter())))
    return emitOpError("input ")
           << getInput().getType() << " and filter " << getFilter().getType()
           << " differ in element type";
  int64_t group = getGroup();
  if (group < 1)
    return emitOpError("'group' must be at least 1");
  if (getPacked() &&
      (*getPacked() < 1 || !getOutputChannels() || filter.size() < 3))
    return emitOpError(
        "a packed filter needs 3 axes, panels of at least one column and "
        "'output_channels'");
  bool last = isChannelsLast();
  int64_t channels = last ? input.back() : input[1];
  if (getWinograd()) {
    if (failed(verifyWinograd(*this)))
      return failure();
  } else if (!getPacked()) {
    if (filter.size() != input.size())
      return emitOpError("filter ")
             << getFilter().getType() << " needs " << input.size() << " axes";
    int64_t depth = last ? filter[filter.size() - 2] : filter[1];
    int64_t out = last ? filter.back() : filter.front();
    if (!ShapedType::isDynamic(channels) && !ShapedType::isDynamic(depth) &&
        channels != depth * group)
      return emitOpError("input has ")
             << channels << " channels, but the filter takes " << depth
             << " in each of " << group << " groups";
    auto stated = static_cast<int64_t>(getOutputChannels().value_or(out));
    if (!ShapedType::isDynamic(out) && stated != out)
      return emitOpError("'output_channels' says ")
             << *getOutputChannels() << " where the filter has " << out;
    if (!ShapedType::isDynamic(out) && out % group)
      return emitOpError("group ")
             << group << " does not divide " << out << " output channels";
    ArrayRef<int64_t> window =
        last ? filter.drop_back(2) : filter.drop_front(2);
    for (auto [stated, actual] : llvm::zip(getKernelShape(), window))
      if (stated != actual && !ShapedType::isDynamic(actual))
        return emitOpError("'kernel_shape' says ")
               << stated << " where the filter has " << actual;
  }
  ArrayRef<int64_t> result = dimsOf(getResult());
  if (getBias() && result.size() == input.size()) {
    int64_t outputs = last ? result.back() : result[1];
    if (dimsOf(getBias()).size() != 1 ||
        failed(verifyCompatibleShape(dimsOf(getBias()), {outputs})))
      return emitOpError("bias ")
             << getBias().getType() << " must have one axis of " << outputs
             << " channels";
  }
  if (getPieces() && (!last || group != 1 || getWinograd()))
    return emitOpError("'pieces' needs channels_last, one group and no "
                       "'winograd'");
  if (failed(verifyPieces(*this, getInput(), getFilter())))
    return failure();
  return verifyEpilogue(*this, getEpilogue(), getEpilogueInputs(), getType());
}

LogicalResult ConvTransposeOp::inferTypes(MaybeLocation location,
                                          Adaptor adaptor, TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  ArrayRef<int64_t> filter = dimsOf(adaptor.getFilter());
  if (input.size() < 3 || filter.size() != input.size())
    return emitOptionalError(location, "input and filter need the same number "
                                       "of axes, at least 3");
  ArrayRef<int64_t> kernel = filter.drop_front(2), pads = adaptor.getPads();
  int64_t rank = kernel.size(), group = adaptor.getGroup();
  if (static_cast<int64_t>(adaptor.getOutputPadding().size()) != rank ||
      group < 1)
    return emitOptionalError(location, "'output_padding' needs ", rank,
                             " entries and 'group' must be at least 1");
  if (adaptor.getPads().size() != static_cast<size_t>(2 * rank) ||
      adaptor.getStrides().size() != static_cast<size_t>(rank) ||
      adaptor.getDilations().size() != static_cast<size_t>(rank))
    return emitOptionalError(location,
                             "'strides', 'dilations' and 'pads' need ", rank,
                             ", ", rank, " and ", 2 * rank, " entries");
  auto isPositive = [](int64_t value) { return value >= 1; };
  if (!llvm::all_of(adaptor.getStrides(), isPositive) ||
      !llvm::all_of(adaptor.getDilations(), isPositive) ||
      llvm::is_contained(kernel, 0) ||
      llvm::any_of(adaptor.getOutputPadding(),
                   [](int64_t value) { return value < 0; }))
    return emitOptionalError(location,
                             "strides, dilations and the window's extents are "
                             "at least 1, 'output_padding' at least 0");
  int64_t channels = filter[1];
  if (!ShapedType::isDynamic(input[1]) && input[1] % group != 0)
    return emitOptionalError(location, "'group' is ", group,
                             ", which does not divide the ", input[1],
                             " channels of the input");
  if (!ShapedType::isDynamic(channels) &&
      mulOverflows(channels, group, channels))
    return emitOptionalError(location, "has too many channels");
  Dims dims{input[0], channels};
  for (int64_t i = 0; i < rank; ++i) {
    if (ShapedType::isDynamic(input[i + 2]) ||
        ShapedType::isDynamic(kernel[i])) {
      dims.push_back(ShapedType::kDynamic);
      continue;
    }
    int64_t body, span, extent;
    if (mulOverflows(adaptor.getStrides()[i], input[i + 2] - 1, body) ||
        mulOverflows(adaptor.getDilations()[i], kernel[i] - 1, span) ||
        addOverflows(body, span + 1 + adaptor.getOutputPadding()[i], extent))
      return emitOptionalError(location, "the result's extent overflows");
    extent -= pads[i] + pads[rank + i];
    if (extent < 0)
      return emitOptionalError(location,
                               "pads remove more than the result has");
    dims.push_back(extent);
  }
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  return success();
}

LogicalResult MatMulOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  Dims a(dimsOf(adaptor.getLhs())), b(dimsOf(adaptor.getRhs()));
  if (a.empty() || b.empty())
    return emitOptionalError(location, "operands must not be scalars");
  bool dropRow = a.size() == 1, dropColumn = b.size() == 1;
  if (dropRow)
    a.insert(a.begin(), 1);
  if (dropColumn)
    b.push_back(1);
  int64_t rows = a[a.size() - 2], columns = b.back();
  ArrayRef<int64_t> batchB = ArrayRef(b).drop_back(2);
  if (adaptor.getPacked()) {
    if (b.size() < 3 || !adaptor.getOutputChannels())
      return emitOptionalError(location, "a packed operand needs 3 axes and "
                                         "'output_channels'");
    columns = *adaptor.getOutputChannels();
    batchB = batchB.drop_back();
  }
  int64_t depthA = a.back(), depthB = b[b.size() - 2];
  int64_t width = adaptor.getPacked().value_or(b.back());
  // A row of a panel holds several rows of the matrix.
  if (width > 0 && b.back() > width && b.back() % width == 0 &&
      !ShapedType::isDynamic(depthA) && !ShapedType::isDynamic(depthB))
    depthA = llvm::divideCeil(depthA, b.back() / width);
  if (depthA != depthB && !ShapedType::isDynamic(depthA) &&
      !ShapedType::isDynamic(depthB))
    return emitOptionalError(location, "the left operand has ", depthA,
                             " columns, the right one ", depthB, " rows");
  FailureOr<Dims> dims = broadcast(location, ArrayRef(a).drop_back(2), batchB);
  if (failed(dims))
    return failure();
  if (!dropRow)
    dims->push_back(rows);
  if (!dropColumn)
    dims->push_back(columns);
  Type element =
      adaptor.getAccumulator().value_or(elementType(adaptor.getLhs()));
  types.push_back(RankedTensorType::get(
      *dims, resultElement(adaptor.getRegions(), element)));
  return success();
}

LogicalResult MatMulOp::verify() {
  if (getAccumulator() && !getAccumulator()->isIntOrFloat())
    return emitOpError("cannot add up elements of type ") << *getAccumulator();
  if (getPacked().value_or(1) < 1 || getOutputChannels().value_or(0) < 0)
    return emitOpError("'packed' must be positive and 'output_channels' not "
                       "negative");
  int64_t panel = dimsOf(getRhs()).back();
  if (getPacked() && !ShapedType::isDynamic(panel) &&
      (panel < 1 || panel % *getPacked() != 0))
    return emitOpError("panels of ")
           << *getPacked() << " columns have no rows of " << panel;
  if (elementType(getLhs()) != elementType(getRhs()) && !getAccumulator())
    return emitOpError("operands ")
           << getLhs().getType() << " and " << getRhs().getType()
           << " differ in element type and no 'accumulator' is given";
  if (getFewRows() && (*getFewRows() < 1 || !getPieces()))
    return emitOpError("'few_rows' is positive and needs 'pieces'");
  if (failed(verifyPieces(*this, getLhs(), getRhs())))
    return failure();
  return verifyEpilogue(*this, getEpilogue(), getEpilogueInputs(), getType());
}

LogicalResult PoolOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  bool last = ::isChannelsLast(adaptor.getLayout());
  FailureOr<Dims> spatial = spatialExtents(
      location, adaptor, spatialDims(input, last), adaptor.getCeilMode());
  if (failed(spatial))
    return failure();
  types.push_back(RankedTensorType::get(
      activationDims(last, input.front(), last ? input.back() : input[1],
                     *spatial),
      elementType(adaptor.getInput())));
  return success();
}

LogicalResult PoolOp::verify() {
  if (getKind() == PoolKind::Average &&
      !isa<FloatType, quant::QuantizedType>(elementType(getInput())))
    return emitOpError("averages floats only, not ") << getInput().getType();
  return success();
}

LogicalResult Col2ImOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  ArrayRef<int64_t> image = adaptor.getImageShape();
  if (input.size() != 3)
    return emitOptionalError(location, "input needs 3 axes: batch, channels "
                                       "times window and windows");
  FailureOr<Dims> places = spatialExtents(location, adaptor, image, false);
  if (failed(places))
    return failure();
  auto window = numElements(adaptor.getKernelShape());
  auto windows = numElements(*places);
  if (!window || !windows || !numElements(image))
    return emitOptionalError(location, "the image or its windows overflow");
  if (ShapedType::isStatic(input[2]) && input[2] != *windows)
    return emitOptionalError(location, "input has ", input[2],
                             " windows, but the image ", *windows);
  Dims dims{input[0], input[1]};
  if (ShapedType::isStatic(input[1]) && input[1] % *window != 0)
    return emitOptionalError(location, "a window of ", *window,
                             " does not divide ", input[1], " rows");
  if (ShapedType::isStatic(input[1]))
    dims[1] /= *window;
  llvm::append_range(dims, image);
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  return success();
}
