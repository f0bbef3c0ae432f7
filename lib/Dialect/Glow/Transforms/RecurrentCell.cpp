//===- RecurrentCell.cpp - one step of RNN, GRU and LSTM ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One product computes the input projections of all steps, gates and
// directions; only the small recurrent products are left in the steps.
//
//===----------------------------------------------------------------------===//
#include "RecurrentCell.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

// -- Activations --------------------------------------------------------------

namespace {
/// An activation by ONNX's name in lower case.
struct Activation {
  StringLiteral name;
  Value (*build)(GraphBuilder &b, Value x, double alpha, double beta);
  bool hasAlpha = false, hasBeta = false;
  double alpha = 0, beta = 0; // by default
};
} // namespace

template <typename Op>
static Value plain(GraphBuilder &b, Value x, double, double) {
  return b.create<Op>(x);
}
template <typename Op>
static Value withAlpha(GraphBuilder &b, Value x, double alpha, double) {
  return b.create<Op>(x, APFloat(alpha));
}

static Value hardSigmoid(GraphBuilder &b, Value x, double alpha, double beta) {
  return b.create<HardSigmoidOp>(x, APFloat(alpha), APFloat(beta));
}
static Value affine(GraphBuilder &b, Value x, double alpha, double beta) {
  Type type = elementType(x);
  return b.add(b.mul(x, b.scalar(alpha, type)), b.scalar(beta, type));
}
static Value scaledTanh(GraphBuilder &b, Value x, double alpha, double beta) {
  Type type = elementType(x);
  Value tanh = b.create<TanhOp>(b.mul(x, b.scalar(beta, type)));
  return b.mul(tanh, b.scalar(alpha, type));
}

static constexpr Activation kActivations[] = {
    {"sigmoid", plain<SigmoidOp>},
    {"tanh", plain<TanhOp>},
    {"relu", plain<ReluOp>},
    {"softsign", plain<SoftsignOp>},
    {"softplus", plain<SoftplusOp>},
    {"leakyrelu", withAlpha<LeakyReluOp>, true, false, 0.01},
    {"elu", withAlpha<EluOp>, true, false, 1},
    {"thresholdedrelu", withAlpha<ThresholdedReluOp>, true, false, 1},
    {"hardsigmoid", hardSigmoid, true, true, 0.2, 0.5},
    {"affine", affine, true, true, 1, 0},
    {"scaledtanh", scaledTanh, true, true, 1, 1},
};

/// Null if the activation is unknown.
static const Activation *findActivation(StringRef name) {
  const Activation *found =
      llvm::find_if(kActivations, [&](const Activation &activation) {
        return activation.name == name;
      });
  return found == std::end(kActivations) ? nullptr : found;
}

// -- The layer ----------------------------------------------------------------

LogicalResult glow::checkRecurrentForm(RecurrentOp op) {
  int64_t steps = dimsOf(op.getInput())[0];
  if (ShapedType::isDynamic(steps) || steps < 1)
    return op->emitOpError("needs a known sequence length of at least 1, not ")
           << op.getInput().getType()
           << "; fix the input's shape, for example with --shape";
  for (Value weights : {op.getWeights(), op.getRecurrence()})
    if (!cast<RankedTensorType>(weights.getType()).hasStaticShape())
      return op.emitOpError("needs weights of known shape, not ")
             << weights.getType();
  for (auto name : op.getActivations().getAsRange<StringAttr>())
    if (!findActivation(name))
      return op.emitOpError("activation '")
             << name.getValue() << "' is not supported; use one of "
             << llvm::join(llvm::map_range(kActivations,
                                           [](const Activation &activation) {
                                             return activation.name;
                                           }),
                           ", ");
  return success();
}

int64_t glow::numDirections(RecurrentOp op) {
  return op.getDirection() == Direction::Bidirectional ? 2 : 1;
}

/// Whether the bias of h takes part in the reset and is added there.
static bool resetsBias(RecurrentOp op) {
  return op.getLinearBeforeReset() && op.getKind() == RecurrentKind::GRU;
}

Value glow::projectInputs(GraphBuilder &b, RecurrentOp op) {
  ArrayRef<int64_t> dims = dimsOf(op.getWeights());
  int64_t directions = dims[0], width = dims[1], size = op.getHiddenSize();
  Value weights = b.reshape(op.getWeights(), {directions * width, dims[2]});
  Value result = b.matmul(b.transpose(op.getInput(), {1, 0, 2}),
                          b.transpose(weights, {1, 0}));
  if (!op.getBias())
    return result;
  Value input = b.slice(op.getBias(), 1, 0, width);
  Value recurrent = b.slice(op.getBias(), 1, width, 2 * width);
  if (resetsBias(op)) {
    Value none = b.create<SplatOp>(b.scalar(0.0, elementType(op.getBias())),
                                   b.ints({directions, size}));
    recurrent = b.concat({b.slice(recurrent, 1, 0, 2 * size), none}, 1);
  }
  return b.add(result,
               b.reshape(b.add(input, recurrent), {directions * width}));
}

Value glow::rowOfStep(GraphBuilder &b, Value all, int64_t step) {
  return b.create<SqueezeOp>(b.slice(all, 1, step, step + 1),
                             ArrayRef<int64_t>(1));
}

/// The part of an operand whose first axis is the direction; null for null.
static Value partOfDirection(GraphBuilder &b, Value operand,
                             int64_t direction) {
  if (!operand)
    return {};
  Value part = b.slice(operand, 0, direction, direction + 1);
  return b.create<SqueezeOp>(part, ArrayRef<int64_t>(0));
}

RecurrentParameters RecurrentParameters::of(GraphBuilder &b, RecurrentOp op,
                                            int64_t direction) {
  Value bias = resetsBias(op) ? op.getBias() : Value();
  return {
      b.transpose(partOfDirection(b, op.getRecurrence(), direction), {1, 0}),
      partOfDirection(b, bias, direction),
      partOfDirection(b, op.getPeepholes(), direction)};
}

/// Whether a tensor is zeros, as exporters state what a layer begins with
/// anyway.
static bool isZero(Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat() && isa<FloatType>(constant.getElementType()) &&
           constant.getSplatValue<APFloat>().isZero();
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<ExpandOp, SplatOp, SliceOp, ReshapeOp, SqueezeOp,
                         UnsqueezeOp, TransposeOp>(op) &&
         isZero(op->getOperand(0));
}

RecurrentState RecurrentState::initial(GraphBuilder &b, RecurrentOp op,
                                       int64_t direction) {
  auto part = [&](Value given) {
    return given && !isZero(given) ? partOfDirection(b, given, direction)
                                   : Value();
  };
  return {part(op.getInitialH()), part(op.getInitialC())};
}

// -- The cell -----------------------------------------------------------------

RecurrentCell::RecurrentCell(GraphBuilder &b, RecurrentOp op, int64_t direction,
                             const RecurrentParameters &parameters)
    : b(b), op(op), direction(direction), size(op.getHiddenSize()),
      numGates(dimsOf(op.getRecurrence())[1] / size),
      type(elementType(op.getInput())), parameters(parameters) {
  zero = b.scalar(0.0, type);
  one = b.scalar(1.0, type);
  // There may be more numbers than activations take.
  ArrayRef<double> alphas = op.getActivationAlpha();
  ArrayRef<double> betas = op.getActivationBeta();
  auto take = [](bool isTaken, ArrayRef<double> &values, double &value) {
    if (isTaken && !values.empty())
      value = values.consume_front();
  };
  for (auto name : op.getActivations().getAsRange<StringAttr>()) {
    const Activation *activation = findActivation(name);
    Factors &own =
        factors.emplace_back(Factors{activation->alpha, activation->beta});
    take(activation->hasAlpha, alphas, own.alpha);
    take(activation->hasBeta, betas, own.beta);
  }
}

bool RecurrentCell::isReversed(RecurrentOp op, int64_t direction) {
  return op.getDirection() == Direction::Reverse || direction == 1;
}

Value RecurrentCell::number(int64_t value) {
  Value &known = numbers[value];
  if (!known)
    known = b.ints(value);
  return known;
}

Value RecurrentCell::slice(Value input, int64_t axis, int64_t start,
                           int64_t end) {
  return b.create<SliceOp>(input, number(start), number(end), number(1),
                           ArrayRef<int64_t>(axis));
}

/// Columns of gate number `gate`.
Value RecurrentCell::gate(Value all, int64_t gate) {
  return slice(all, dimsOf(all).size() - 1, gate * size, (gate + 1) * size);
}

/// Those of a parameter, which all steps read.
Value RecurrentCell::parameter(Value all, int64_t from, int64_t to) {
  Value &known = slices[{all, {from, to}}];
  if (!known)
    known = slice(all, dimsOf(all).size() - 1, from * size, to * size);
  return known;
}

/// Columns `from` to `to` of the recurrent product; nothing while the hidden
/// state is zero.
Value RecurrentCell::recur(Value hidden, int64_t from, int64_t to) {
  if (!hidden)
    return {};
  Value weights = from == 0 && to == numGates
                      ? parameters.recurrence
                      : parameter(parameters.recurrence, from, to);
  return b.matmul(hidden, weights);
}

static Value sum(GraphBuilder &b, Value a, Value c) {
  return !a ? c : !c ? a : b.add(a, c);
}

/// The activation number `index`, after clipping.
Value RecurrentCell::activation(int64_t index, Value x, bool clipped) {
  double clip = op.getClip().convertToDouble();
  if (clipped && clip > 0)
    x = b.create<ClampOp>(x, b.scalar(-clip, type), b.scalar(clip, type));
  index += direction * (op.getActivations().size() / numDirections(op));
  auto name = cast<StringAttr>(op.getActivations()[index]);
  return findActivation(name)->build(b, x, factors[index].alpha,
                                     factors[index].beta);
}

RecurrentState RecurrentCell::step(Value row, const RecurrentState &state) {
  int64_t width = numGates * size;
  Value input = slice(row, 1, direction * width, (direction + 1) * width);
  switch (op.getKind()) {
  case RecurrentKind::RNN:
    return {activation(0, sum(b, input, recur(state.hidden, 0, 1))), Value()};
  case RecurrentKind::GRU:
    return {stepGRU(input, state.hidden), Value()};
  case RecurrentKind::LSTM:
    return stepLSTM(input, state);
  }
  llvm_unreachable("unknown recurrent kind");
}

RecurrentState RecurrentCell::keepEnded(Value goOn, const RecurrentState &next,
                                        const RecurrentState &before) {
  auto choose = [&](Value value, Value other) -> Value {
    return value ? b.create<WhereOp>(goOn, value, other ? other : zero)
                 : Value();
  };
  return {choose(next.hidden, before.hidden), choose(next.cell, before.cell)};
}

/// Gates z, r, h.
Value RecurrentCell::stepGRU(Value input, Value hidden) {
  bool linear = op.getLinearBeforeReset();
  Value product = recur(hidden, 0, linear ? 3 : 2);
  auto gateInput = [&](int64_t index) {
    return sum(b, gate(input, index), product ? gate(product, index) : Value());
  };
  Value update = activation(0, gateInput(0));
  Value reset = activation(0, gateInput(1));
  Value candidate;
  if (linear) {
    // The recurrent bias of h lies inside the product with r.
    Value inner =
        sum(b, product ? gate(product, 2) : Value(),
            parameters.bias ? parameter(parameters.bias, 5, 6) : Value());
    candidate = inner ? b.mul(reset, inner) : Value();
  } else if (hidden) {
    candidate = recur(b.mul(reset, hidden), 2, 3);
  }
  candidate = activation(1, sum(b, gate(input, 2), candidate));
  Value fresh = b.mul(b.sub(one, update), candidate);
  return hidden ? b.add(fresh, b.mul(update, hidden)) : fresh;
}

/// Gates i, o, f, c; peepholes i, o, f.
RecurrentState RecurrentCell::stepLSTM(Value input,
                                       const RecurrentState &state) {
  Value all = sum(b, input, recur(state.hidden, 0, 4));
  auto peep = [&](int64_t index, Value cell) {
    return parameters.peepholes && cell
               ? b.mul(parameter(parameters.peepholes, index, index + 1), cell)
               : Value();
  };
  Value in = activation(0, sum(b, gate(all, 0), peep(0, state.cell)));
  Value forget = op.getInputForget()
                     ? b.sub(one, in)
                     : activation(0, sum(b, gate(all, 2), peep(2, state.cell)));
  Value cell = b.mul(in, activation(1, gate(all, 3)));
  if (state.cell)
    cell = b.add(b.mul(forget, state.cell), cell);
  Value out = activation(0, sum(b, gate(all, 1), peep(1, cell)));
  return {b.mul(out, activation(2, cell, /*clipped=*/false)), cell};
}
