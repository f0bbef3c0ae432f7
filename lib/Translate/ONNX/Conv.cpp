//===- Conv.cpp - convolutions --------------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

FailureOr<WindowAttrs> onnx::readWindow(Node &node, ArrayRef<int64_t> spatial,
                                        ArrayRef<int64_t> kernel) {
  size_t rank = spatial.size();
  WindowAttrs w;
  w.kernel = node.integers("kernel_shape", kernel);
  w.strides = node.integers("strides", SmallVector<int64_t>(rank, 1));
  w.dilations = node.integers("dilations", SmallVector<int64_t>(rank, 1));
  w.pads = node.integers("pads", SmallVector<int64_t>(2 * rank, 0));
  w.autoPad = node.string("auto_pad", "NOTSET");
  if (rank == 0)
    return node.fail("input needs at least 3 axes: batch, channels and one "
                     "spatial axis");
  if (w.kernel.size() != rank || w.strides.size() != rank ||
      w.dilations.size() != rank || w.pads.size() != 2 * rank)
    return node.fail("kernel_shape, strides and dilations need " + Twine(rank) +
                     " entries, and pads twice as many");
  if (llvm::any_of(w.kernel, ShapedType::isDynamic))
    return node.fail("the spatial extents of its filter must be known");
  constexpr int64_t limit = int64_t(1) << 31;
  for (ArrayRef<int64_t> list :
       {ArrayRef(w.kernel), ArrayRef(w.strides), ArrayRef(w.dilations)})
    if (llvm::any_of(list, [](int64_t v) { return v < 1 || v > limit; }))
      return node.fail("kernel_shape, strides and dilations must be positive");
  if (llvm::any_of(w.pads, [](int64_t v) { return v < 0 || v > limit; }))
    return node.fail("pads must not be negative");
  return w;
}

LogicalResult onnx::padSame(Node &node, ArrayRef<int64_t> spatial,
                            WindowAttrs &w) {
  if (w.autoPad == "NOTSET")
    return success();
  size_t rank = spatial.size();
  w.pads.assign(2 * rank, 0);
  if (w.autoPad == "VALID")
    return success();
  if (w.autoPad != "SAME_UPPER" && w.autoPad != "SAME_LOWER")
    return node.fail("unknown auto_pad '" + w.autoPad + "'");
  for (size_t i = 0; i < rank; ++i) {
    // Windows at each place need as many, whatever the extent is.
    if (w.strides[i] == 1) {
      w.splitPad(i, (w.kernel[i] - 1) * w.dilations[i]);
      continue;
    }
    if (ShapedType::isDynamic(spatial[i]))
      return node.fail("auto_pad needs spatial extents that are known where "
                       "strides are not 1; fix them in the model");
    int64_t out = (spatial[i] + w.strides[i] - 1) / w.strides[i];
    int64_t covered =
        (out - 1) * w.strides[i] + (w.kernel[i] - 1) * w.dilations[i] + 1;
    w.splitPad(i, std::max<int64_t>(covered - spatial[i], 0));
  }
  return success();
}

static LogicalResult importConv(Node &node) {
  Value x = node.in(0), filter = node.in(1);
  return node.result(buildConv(node, x, filter, node.in(2)));
}

static LogicalResult exportConv(ConvOp op, NodeWriter &n) {
  if (!op.getEpilogue().empty() || op.getPacked() || op.isChannelsLast())
    return hasNoForm(op, "with an epilogue or another layout");
  n.type("Conv").input(op.getInput()).input(op.getFilter());
  if (op.getBias())
    n.input(op.getBias());
  return n.attr("kernel_shape", op.getKernelShape())
      .attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("group", static_cast<int64_t>(op.getGroup()))
      .done();
}

Value onnx::buildConv(Node &node, Value x, Value filter, Value bias) {
  auto spatial = Node::dims(x).drop_front(std::min<size_t>(2, Node::rank(x)));
  auto kernel =
      Node::dims(filter).drop_front(std::min<size_t>(2, Node::rank(filter)));
  FailureOr<WindowAttrs> w = readWindow(node, spatial, kernel);
  if (failed(w) || failed(padSame(node, spatial, *w)))
    return {};
  return node.emit<ConvOp>(
      {x, filter, bias, Value()},
      {node.i64s("kernel_shape", w->kernel), node.i64s("strides", w->strides),
       node.i64s("pads", w->pads), node.i64s("dilations", w->dilations),
       node.i64("group", node.integer("group", 1))});
}

/// Pads so that the result has the spatial extents `wanted`.
static LogicalResult padForOutput(Node &node, ArrayRef<int64_t> spatial,
                                  ArrayRef<int64_t> wanted,
                                  MutableArrayRef<int64_t> outputPadding,
                                  WindowAttrs &w) {
  if (wanted.size() != spatial.size())
    return node.fail("output_shape needs " + Twine(spatial.size()) +
                     " entries, one per spatial axis");
  for (size_t i = 0; i < spatial.size(); ++i) {
    if (ShapedType::isDynamic(spatial[i]))
      return node.fail("a fixed output shape needs spatial extents that are "
                       "known");
    int64_t natural, pad;
    if (mulOverflows(w.strides[i], spatial[i] - 1, natural) ||
        addOverflows(natural,
                     (w.kernel[i] - 1) * w.dilations[i] + 1 + outputPadding[i],
                     natural) ||
        __builtin_sub_overflow(natural, wanted[i], &pad))
      return node.fail("the result's extent overflows");
    // What is too much is cut off on both sides, what is missing is added
    // behind.
    w.splitPad(i, std::max<int64_t>(pad, 0));
    if (pad < -INT32_MAX)
      return node.fail("the result's extent is too large");
    if (pad < 0)
      outputPadding[i] -= pad;
  }
  return success();
}

static LogicalResult importConvTranspose(Node &node) {
  Value x = node.in(0), filter = node.in(1);
  if (Node::rank(x) < 3 || Node::rank(filter) != Node::rank(x))
    return node.fail("input and filter need the same number of axes, at least "
                     "3");
  auto spatial = Node::dims(x).drop_front(2);
  auto kernel = Node::dims(filter).drop_front(2);
  FailureOr<WindowAttrs> w = readWindow(node, spatial, kernel);
  if (failed(w))
    return failure();
  size_t rank = spatial.size();
  auto extra = node.integers("output_padding", SmallVector<int64_t>(rank, 0));
  if (extra.size() != rank)
    return node.fail("output_padding needs " + Twine(rank) + " entries");
  if (llvm::any_of(extra, [](int64_t v) { return v < 0 || v > INT32_MAX; }))
    return node.fail("output_padding must not be negative");
  SmallVector<int64_t> wanted = node.integers("output_shape");
  if (!wanted.empty() && wanted.size() == rank + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (wanted.empty() && StringRef(w->autoPad).starts_with("SAME"))
    for (size_t i = 0; i < rank; ++i)
      wanted.push_back(spatial[i] * w->strides[i]);
  if (w->autoPad == "VALID")
    w->pads.assign(2 * rank, 0);
  if (!wanted.empty() && failed(padForOutput(node, spatial, wanted, extra, *w)))
    return failure();
  return node.result(node.emit<ConvTransposeOp>(
      {x, filter, node.in(2)},
      {node.i64s("strides", w->strides), node.i64s("pads", w->pads),
       node.i64s("dilations", w->dilations), node.i64s("output_padding", extra),
       node.i64("group", node.integer("group", 1))}));
}

static LogicalResult importCol2Im(Node &node) {
  auto image = node.constant(1, "'image_shape'");
  auto kernel = node.constant(2, "'block_shape'");
  if (failed(image) || failed(kernel))
    return failure();
  FailureOr<WindowAttrs> w = readWindow(node, *image, *kernel);
  if (failed(w))
    return failure();
  return node.result(node.emit<Col2ImOp>(
      node.in(0),
      {node.i64s("image_shape", *image), node.i64s("kernel_shape", w->kernel),
       node.i64s("strides", w->strides), node.i64s("pads", w->pads),
       node.i64s("dilations", w->dilations)}));
}

static LogicalResult exportCol2Im(Col2ImOp op, NodeWriter &n) {
  return n.type("Col2Im")
      .input(op.getInput())
      .ints(op.getImageShape())
      .ints(op.getKernelShape())
      .shared({"strides", "pads", "dilations"})
      .done();
}

void onnx::addConvOps(OpTable &table) {
  table.add("Col2Im", 18, 3, importCol2Im).perPart().exports(exportCol2Im);
  table.add("Conv", 1, {2, 3}, importConv).alike({0, 1, 2}).exports(exportConv);
  table.add("ConvTranspose", 1, {2, 3}, importConvTranspose)
      .alike({0, 1, 2})
      .exports<ConvTransposeOp>(
          {"strides", "pads", "dilations", "output_padding", "group"});
}
