//===- ComputeOps.cpp - instructions that do work -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperandChecks.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Support/HostAttributes.h"
#include "glow/Support/NumberSyntax.h"
#include "glow/Support/Weight24.h"
#include "glow/Support/Winograd.h"

using namespace mlir;
using namespace mlir::glow::inst;
using glow::checkAxes;
using glow::LayoutAttr;
using glow::LayoutKind;
using glow::ReduceKind;
using glow::ScalarBuilder;
using glow::YieldOp;

#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstComputeOps.cpp.inc"

void InstDialect::registerComputeOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstComputeOps.cpp.inc"
      >();
}

LogicalResult CopyOp::verify() {
  if (failed(
          verifyShape(*this, "source", getSource(), shapeOf(getDestination()))))
    return failure();
  return verifySameElement(*this, getSource(), getDestination());
}

LogicalResult FillOp::verify() {
  for (Value destination : getOperands())
    if (getValue().getType() != ScalarBuilder::signless(elementOf(destination)))
      return emitOpError("value of type ")
             << getValue().getType() << " does not fit "
             << destination.getType();
  return success();
}

/// The region takes `types` and yields the elements of `outputs`.
static LogicalResult verifyRegion(Operation *op, Region &region,
                                  TypeRange arguments, ValueRange outputs) {
  Block &block = region.front();
  if (TypeRange(block.getArgumentTypes()) != arguments)
    return op->emitOpError("region must take ")
           << arguments << ", not " << block.getArgumentTypes();
  SmallVector<Type> results;
  for (Value output : outputs)
    results.push_back(ScalarBuilder::signless(elementOf(output)));
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || TypeRange(yield.getValues().getTypes()) != TypeRange(results))
    return op->emitOpError("region must yield ") << results;
  return success();
}

LogicalResult MapOp::verify() {
  if (getOutputs().empty())
    return emitOpError("needs an output");
  ArrayRef<int64_t> shape = shapeOf(getOutputs().front());
  for (Value output : getOutputs().drop_front())
    if (failed(verifyShape(*this, "output", output, shape)))
      return failure();
  SmallVector<Type> arguments;
  for (Value input : getInputs()) {
    if (!broadcastsTo(shapeOf(input), shape))
      return emitOpError("input ")
             << input.getType() << " does not broadcast to the outputs' shape ["
             << shape << "]";
    arguments.push_back(ScalarBuilder::signless(elementOf(input)));
  }
  return verifyRegion(*this, getBody(), arguments, getOutputs());
}

/// What the epilogue takes: the stated type, or for floats the region's own.
static Type sumType(Region &epilogue, Value output, Type stated) {
  Type type = ScalarBuilder::signless(stated ? stated : elementOf(output));
  if (stated || epilogue.empty() || epilogue.front().getNumArguments() == 0 ||
      !isa<FloatType>(type))
    return type;
  Type own = epilogue.front().getArgument(0).getType();
  return isa<FloatType>(own) ? own : type;
}

template <typename Op>
static LogicalResult verifyEpilogue(Op op, Type accumulator) {
  Region &epilogue = op.getEpilogue();
  Value output = op.getOutput();
  if (epilogue.empty())
    return op.getEpilogueOperands().empty()
               ? success()
               : op.emitOpError("has operands for an epilogue, but no region");
  SmallVector<Value> outputs{output};
  llvm::append_range(outputs, op.getFurther());
  for (Value further : op.getFurther())
    if (failed(verifyShape(op, "further output", further, shapeOf(output))))
      return failure();
  SmallVector<Type> arguments{accumulator};
  for (Value input : op.getEpilogueInputs()) {
    if (!broadcastsTo(shapeOf(input), shapeOf(output)))
      return op.emitOpError("epilogue input ")
             << input.getType() << " does not broadcast to "
             << output.getType();
    arguments.push_back(ScalarBuilder::signless(elementOf(input)));
  }
  return verifyRegion(op, epilogue, arguments, outputs);
}

SmallVector<int64_t> ReduceOp::spaceOf(ValueRange inputs) {
  SmallVector<int64_t> space;
  for (Value input : inputs) {
    ArrayRef<int64_t> shape = shapeOf(input);
    if (shape.size() > space.size())
      space.insert(space.begin(), shape.size() - space.size(), 1);
    for (auto [extent, own] :
         llvm::zip(MutableArrayRef(space).take_back(shape.size()), shape))
      extent = extent == 1 ? own : extent;
  }
  return space;
}

/// What is combined: the input, or what the region makes of several.
static LogicalResult verifyReduced(ReduceOp op, ArrayRef<int64_t> space) {
  if (op.getBody().empty()) {
    if (op.getInputs().size() != 1)
      return op.emitOpError("without a region combines one input, not ")
             << op.getInputs().size();
    return verifySameElement(op, op.getInputs().front(), op.getOutput());
  }
  SmallVector<Type> arguments;
  for (Value input : op.getInputs()) {
    if (!broadcastsTo(shapeOf(input), space))
      return op.emitOpError("input ")
             << input.getType() << " does not broadcast to [" << space << "]";
    arguments.push_back(ScalarBuilder::signless(elementOf(input)));
  }
  return verifyRegion(op, op.getBody(), arguments, op.getOutput());
}

LogicalResult ReduceOp::verify() {
  if (getKind() == ReduceKind::Mean)
    return emitOpError("cannot be a mean: use a sum and a map");
  SmallVector<int64_t> space = getSpace();
  if (failed(checkAxes(getLoc(), getAxes(), space.size())) ||
      failed(verifyReduced(*this, space)))
    return failure();
  SmallVector<int64_t> wanted;
  for (auto [i, extent] : llvm::enumerate(space))
    if (!llvm::is_contained(getAxes(), static_cast<int64_t>(i)))
      wanted.push_back(extent);
  return verifyShape(*this, "output", getOutput(), wanted);
}

LogicalResult ArgReduceOp::verify() {
  if (getKind() != ReduceKind::Max && getKind() != ReduceKind::Min)
    return emitOpError("kind must be max or min");
  if (failed(verifyIndices(*this, getOutput())))
    return failure();
  if (failed(verifyAxis(*this, getAxis(), getInput())))
    return failure();
  SmallVector<int64_t> wanted(shapeOf(getInput()));
  wanted.erase(wanted.begin() + getAxis());
  return verifyShape(*this, "output", getOutput(), wanted);
}

LogicalResult ScanOp::verify() {
  if (getKind() != ReduceKind::Sum && getKind() != ReduceKind::Prod)
    return emitOpError("kind must be sum or prod");
  if (failed(verifyAxis(*this, getAxis(), getInput())) ||
      failed(verifySameElement(*this, getInput(), getOutput())))
    return failure();
  return verifyShape(*this, "output", getOutput(), shapeOf(getInput()));
}

LogicalResult TopKOp::verify() {
  if (failed(verifyIndices(*this, getIndices())) ||
      failed(verifyAxis(*this, getAxis(), getInput())) ||
      failed(verifySameElement(*this, getInput(), getValues())))
    return failure();
  SmallVector<int64_t> wanted(shapeOf(getInput()));
  if (static_cast<size_t>(getAxis()) >= shapeOf(getValues()).size() ||
      shapeOf(getValues())[getAxis()] > wanted[getAxis()])
    return emitOpError("k is larger than the axis");
  wanted[getAxis()] = shapeOf(getValues())[getAxis()];
  if (failed(verifyShape(*this, "values", getValues(), wanted)))
    return failure();
  return verifyShape(*this, "indices", getIndices(), wanted);
}

static bool isLast(std::optional<LayoutAttr> layout) {
  return layout && layout->getKind() == LayoutKind::ChannelsLast;
}
bool ConvOp::isChannelsLast() { return isLast(getLayout()); }
bool PoolOp::isChannelsLast() { return isLast(getLayout()); }

/// Products of two do not overflow.
static constexpr int64_t kMostAlongAxis = int64_t(1) << 31;

/// Window attributes fit the rank, and every output window starts inside the
/// padded input, so that kernels need not check.
template <typename Op> static LogicalResult verifyWindow(Op op) {
  int64_t rank = op.getSpatialRank();
  ArrayRef<int64_t> in = shapeOf(op.getInput()), out = shapeOf(op.getOutput());
  if (rank < 1 || static_cast<int64_t>(in.size()) != rank + 2 ||
      out.size() != in.size() ||
      static_cast<int64_t>(op.getKernelShape().size()) != rank ||
      static_cast<int64_t>(op.getDilations().size()) != rank ||
      static_cast<int64_t>(op.getPads().size()) != 2 * rank)
    return op.emitOpError("window attributes do not fit buffers of rank ")
           << in.size();
  int64_t first = op.getFirstSpatialAxis(), taps = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t low = op.getPads()[i], high = op.getPads()[rank + i];
    auto isWithin = [](int64_t value, int64_t least) {
      return value >= least && value <= kMostAlongAxis;
    };
    if (!isWithin(op.getStrides()[i], 1) ||
        !isWithin(op.getDilations()[i], 1) ||
        !isWithin(op.getKernelShape()[i], 1) || !isWithin(low, 0) ||
        !isWithin(high, 0))
      return op.emitOpError("stride, dilation, window or padding along spatial "
                            "axis ")
             << i << " is out of range";
    taps *= op.getKernelShape()[i];
    if (taps > kMostAlongAxis)
      return op.emitOpError("the window has too many elements");
    int64_t reach = (out[first + i] - 1) * op.getStrides()[i];
    if (reach >= in[first + i] + low + high)
      return op.emitOpError("window along spatial axis ")
             << i << " starts outside the padded input";
  }
  if (in[0] != out[0])
    return op.emitOpError("input and output differ in their batch");
  return success();
}

/// Rows of a matrix that share a row of its panels.
static int64_t rowsTogether(Value packed, int64_t width) {
  return std::max<int64_t>(1, shapeOf(packed).back() / width);
}

/// A matrix with a row per input channel and part of the window for each of the
/// products.
static FailureOr<SmallVector<int64_t>>
winogradFilter(ConvOp op, int64_t channels, int64_t outputs) {
  auto tile = glow::winogradTileOf(op);
  if (!tile || op.getWinograd()->getRows() < 1 || !op.isChannelsLast() ||
      op.getGroup() != 1)
    return op.emitOpError(
        "'winograd' needs outputs and taps of a transform, at "
        "least 1 row, channels_last, one group and a dense "
        "window of images");
  int64_t depth = channels * tile->parts();
  if (op.getPacked()) {
    int64_t width = *op.getPacked();
    int64_t together = rowsTogether(op.getFilter(), width);
    return SmallVector<int64_t>{tile->products(), (outputs + width - 1) / width,
                                (depth + together - 1) / together,
                                width * together};
  }
  return SmallVector<int64_t>{tile->products(), depth, outputs};
}

/// `depth` elements hold that many pieces, and a packed operand likewise.
static LogicalResult verifyPieces(Operation *op, std::optional<int64_t> pieces,
                                  int64_t depth, bool isPacked) {
  if (pieces && (*pieces < 2 || depth % *pieces || !isPacked))
    return op->emitOpError("'pieces' is at least 2, divides ")
           << depth << " and needs 'packed'";
  return success();
}

LogicalResult ConvOp::verify() {
  if (failed(verifyWindow(*this)))
    return failure();
  Type filterElement = elementOf(getFilter());
  bool areWeights =
      isa<FloatType>(elementOf(getInput())) &&
      (isa<FloatType>(filterElement) || glow::Weight24::is(filterElement));
  if (!areWeights && failed(verifySameElement(*this, getInput(), getFilter())))
    return failure();
  ArrayRef<int64_t> in = shapeOf(getInput()), out = shapeOf(getOutput());
  bool last = isChannelsLast();
  int64_t channels = last ? in.back() : in[1];
  int64_t outputs = last ? out.back() : out[1];
  int64_t group = getGroup();
  if (group < 1 || channels % group || outputs % group)
    return emitOpError("group ")
           << group << " does not divide " << channels << " input or "
           << outputs << " output channels";
  SmallVector<int64_t> wanted;
  if (getPacked().value_or(1) < 1 || shapeOf(getFilter()).empty())
    return emitOpError("'packed' must be at least 1, and the filter no scalar");
  if (getWinograd()) {
    auto matrices = winogradFilter(*this, channels, outputs);
    if (failed(matrices))
      return failure();
    wanted = *matrices;
  } else if (getPacked()) {
    if (group != 1 || !last)
      return emitOpError("a packed filter needs channels_last and one group");
    int64_t width = *getPacked(), together = rowsTogether(getFilter(), width);
    int64_t depth = llvm::divideCeil(channels, together);
    for (int64_t extent : getKernelShape())
      depth *= extent;
    wanted = {(outputs + width - 1) / width, depth, width * together};
  } else if (last) {
    wanted.assign(getKernelShape().begin(), getKernelShape().end());
    wanted.append({channels / group, outputs});
  } else {
    wanted = {outputs, channels / group};
    llvm::append_range(wanted, getKernelShape());
  }
  if (failed(verifyShape(*this, "filter", getFilter(), wanted)) ||
      failed(verifyPieces(*this, getPieces(), channels,
                          getPacked() && !getWinograd())))
    return failure();
  return verifyEpilogue(*this, sumType(getEpilogue(), getOutput(), {}));
}

LogicalResult MatMulOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getLhs()), b = shapeOf(getRhs()),
                    c = shapeOf(getOutput());
  size_t matrix = getPacked() ? 3 : 2;
  if (a.size() < 2 || b.size() < matrix || c.size() < 2)
    return emitOpError("operands must be matrices");
  int64_t width = getPacked().value_or(1);
  int64_t columns = getPacked() ? b[b.size() - 3] : b.back();
  int64_t together =
      getPacked() && width > 0 ? rowsTogether(getRhs(), width) : 1;
  if (width < 1 || a[a.size() - 2] != c[c.size() - 2] ||
      (a.back() + together - 1) / together != b[b.size() - 2] ||
      (c.back() + width - 1) / width != columns ||
      (getPacked() && b.back() != width * together))
    return emitOpError("shapes do not fit: ")
           << getLhs().getType() << " times " << getRhs().getType()
           << " is not " << getOutput().getType();
  ArrayRef<int64_t> batch = c.drop_back(2);
  if (!broadcastsTo(a.drop_back(2), batch) ||
      !broadcastsTo(b.drop_back(matrix), batch))
    return emitOpError("batches do not broadcast to the output's");
  if (getFewRows() && (*getFewRows() < 1 || !getPieces()))
    return emitOpError("'few_rows' is positive and needs 'pieces'");
  if (failed(
          verifyPieces(*this, getPieces(), a.back(), getPacked().has_value())))
    return failure();
  return verifyEpilogue(*this, sumType(getEpilogue(), getOutput(),
                                       getAccumulator().value_or(Type())));
}

LogicalResult PoolOp::verify() {
  if (failed(verifyWindow(*this)))
    return failure();
  int64_t channels = isChannelsLast() ? getSpatialRank() + 1 : 1;
  if (shapeOf(getInput())[channels] != shapeOf(getOutput())[channels])
    return emitOpError("input and output differ in their channels");
  return verifySameElement(*this, getInput(), getOutput());
}

LogicalResult CallHostOp::verify() {
  if (getFunction().empty())
    return emitOpError("names no function");
  if (getOutputs().empty())
    return emitOpError("needs an output");
  for (Value buffer : getOperands())
    if (!isDense(typeOf(buffer)))
      return emitOpError("functions take dense buffers, not ")
             << buffer.getType();
  return glow::verifyHostAttributes(*this, getConfig());
}
