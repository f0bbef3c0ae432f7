//===- DecomposeRecurrent.cpp - RNN, GRU and LSTM, step by step -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequence is unrolled. One product computes the input projections of all
// steps, gates and directions; only the small recurrent products are left in
// the steps. Sequence lengths become masks.
//
// What has all steps has the batch before them: of a batch whose size is open
// the steps of each sequence then follow each other in memory.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct Parameters {
  double alpha, beta;
};

/// An activation by ONNX's name in lower case.
struct Activation {
  StringLiteral name;
  Value (*build)(GraphBuilder &b, Value x, Parameters parameters);
  bool hasAlpha = false, hasBeta = false;
  Parameters defaults = {};
};
} // namespace

template <typename Op>
static Value plain(GraphBuilder &b, Value x, Parameters) {
  return b.create<Op>(x);
}
template <typename Op>
static Value withAlpha(GraphBuilder &b, Value x, Parameters parameters) {
  return b.create<Op>(x, APFloat(parameters.alpha));
}

static Value hardSigmoid(GraphBuilder &b, Value x, Parameters parameters) {
  return b.create<HardSigmoidOp>(x, APFloat(parameters.alpha),
                                 APFloat(parameters.beta));
}
static Value affine(GraphBuilder &b, Value x, Parameters parameters) {
  Type type = elementType(x);
  return b.add(b.mul(x, b.scalar(parameters.alpha, type)),
               b.scalar(parameters.beta, type));
}
static Value scaledTanh(GraphBuilder &b, Value x, Parameters parameters) {
  Type type = elementType(x);
  Value tanh = b.create<TanhOp>(b.mul(x, b.scalar(parameters.beta, type)));
  return b.mul(tanh, b.scalar(parameters.alpha, type));
}

static constexpr Activation kActivations[] = {
    {"sigmoid", plain<SigmoidOp>},
    {"tanh", plain<TanhOp>},
    {"relu", plain<ReluOp>},
    {"softsign", plain<SoftsignOp>},
    {"softplus", plain<SoftplusOp>},
    {"leakyrelu", withAlpha<LeakyReluOp>, true, false, {0.01, 0}},
    {"elu", withAlpha<EluOp>, true, false, {1, 0}},
    {"thresholdedrelu", withAlpha<ThresholdedReluOp>, true, false, {1, 0}},
    {"hardsigmoid", hardSigmoid, true, true, {0.2, 0.5}},
    {"affine", affine, true, true, {1, 0}},
    {"scaledtanh", scaledTanh, true, true, {1, 1}},
};

/// Null if the activation is unknown.
static const Activation *findActivation(StringRef name) {
  const Activation *found =
      llvm::find_if(kActivations, [&](const Activation &activation) {
        return activation.name == name;
      });
  return found == std::end(kActivations) ? nullptr : found;
}

/// Those of a layer's activations. There may be more numbers than these take.
static SmallVector<Parameters> parametersOf(RecurrentOp op) {
  ArrayRef<double> alphas = op.getActivationAlpha();
  ArrayRef<double> betas = op.getActivationBeta();
  auto take = [](bool isTaken, ArrayRef<double> &values, double &value) {
    if (isTaken && !values.empty())
      value = values.consume_front();
  };
  SmallVector<Parameters> all;
  for (auto name : op.getActivations().getAsRange<StringAttr>()) {
    const Activation *activation = findActivation(name);
    all.push_back(activation->defaults);
    take(activation->hasAlpha, alphas, all.back().alpha);
    take(activation->hasBeta, betas, all.back().beta);
  }
  return all;
}

namespace {

/// What one step hands to the next.
struct State {
  Value hidden, cell;
};

/// One direction of the layer.
class Unroller {
public:
  Unroller(GraphBuilder &b, RecurrentOp op, int64_t direction, Value projected)
      : b(b), op(op), direction(direction), size(op.getHiddenSize()),
        type(elementType(op.getInput())), projected(projected) {
    recurrence = b.transpose(ofDirection(op.getRecurrence()), {1, 0});
    numGates = dimsOf(op.getRecurrence())[1] / size;
    parameters = parametersOf(op);
    if (op.getBias())
      bias = ofDirection(op.getBias());
    if (op.getPeepholes())
      peepholes = ofDirection(op.getPeepholes());
    zero = b.scalar(0.0, type);
    one = b.scalar(1.0, type);
  }

  /// Runs `steps` steps. `outputs` gets the hidden state of each, at its place
  /// in the sequence.
  State run(int64_t steps, SmallVectorImpl<Value> &outputs) {
    State state;
    if (op.getInitialH())
      state.hidden = ofDirection(op.getInitialH());
    if (op.getInitialC())
      state.cell = ofDirection(op.getInitialC());
    bool reverse = op.getDirection() == Direction::Reverse || direction == 1;
    outputs.resize(steps);
    for (int64_t i = 0; i < steps; ++i) {
      int64_t time = reverse ? steps - 1 - i : i;
      State next = step(time, state);
      outputs[time] = next.hidden;
      if (op.getSequenceLengths()) {
        Value valid = isWithin(time);
        outputs[time] = b.create<WhereOp>(valid, next.hidden, zero);
        next.hidden = choose(valid, next.hidden, state.hidden);
        if (next.cell)
          next.cell = choose(valid, next.cell, state.cell);
      }
      state = next;
    }
    return state;
  }

private:
  /// The part of an operand whose first axis is the direction.
  Value ofDirection(Value operand) {
    Value part = b.slice(operand, 0, direction, direction + 1);
    return b.create<SqueezeOp>(part, ArrayRef<int64_t>(0));
  }

  /// There are many steps: what they have in common is made once.
  Value number(int64_t value) {
    Value &known = numbers[value];
    if (!known)
      known = b.ints(value);
    return known;
  }
  Value slice(Value input, int64_t axis, int64_t start, int64_t end) {
    return b.create<SliceOp>(input, number(start), number(end), number(1),
                             ArrayRef<int64_t>(axis));
  }

  /// Columns of gate number `gate`.
  Value gate(Value all, int64_t gate) {
    return slice(all, dimsOf(all).size() - 1, gate * size, (gate + 1) * size);
  }
  /// Those of a parameter, which all steps read.
  Value parameter(Value all, int64_t from, int64_t to) {
    Value &known = slices[{all, {from, to}}];
    if (!known)
      known = slice(all, dimsOf(all).size() - 1, from * size, to * size);
    return known;
  }

  /// Columns `from` to `to` of the recurrent product; nothing while the hidden
  /// state is zero.
  Value recur(Value hidden, int64_t from, int64_t to) {
    if (!hidden)
      return {};
    Value weights = from == 0 && to == numGates
                        ? recurrence
                        : parameter(recurrence, from, to);
    return b.matmul(hidden, weights);
  }

  Value sum(Value a, Value c) { return !a ? c : !c ? a : b.add(a, c); }

  Value choose(Value condition, Value a, Value other) {
    return b.create<WhereOp>(condition, a, other ? other : zero);
  }

  /// For each sequence of the batch: is it longer than `time`?
  Value isWithin(int64_t time) {
    Value lengths = op.getSequenceLengths();
    Value now = b.scalar(time, elementType(lengths));
    return b.unsqueeze(b.create<LessOp>(now, lengths), 1);
  }

  /// The activation number `index`, after clipping.
  Value activation(int64_t index, Value x, bool clipped = true) {
    double clip = op.getClip().convertToDouble();
    if (clipped && clip > 0)
      x = b.create<ClampOp>(x, b.scalar(-clip, type), b.scalar(clip, type));
    int64_t perDirection =
        op.getActivations().size() /
        (op.getDirection() == Direction::Bidirectional ? 2 : 1);
    auto name =
        cast<StringAttr>(op.getActivations()[direction * perDirection + index]);
    return findActivation(name)->build(
        b, x, parameters[direction * perDirection + index]);
  }

  State step(int64_t time, const State &state) {
    Value row = b.create<SqueezeOp>(slice(projected, 1, time, time + 1),
                                    ArrayRef<int64_t>(1));
    int64_t width = numGates * size;
    Value input = slice(row, 1, direction * width, (direction + 1) * width);
    switch (op.getKind()) {
    case RecurrentKind::RNN:
      return {activation(0, sum(input, recur(state.hidden, 0, 1))), Value()};
    case RecurrentKind::GRU:
      return {stepGRU(input, state.hidden), Value()};
    case RecurrentKind::LSTM:
      return stepLSTM(input, state);
    }
    llvm_unreachable("unknown recurrent kind");
  }

  /// Gates z, r, h.
  Value stepGRU(Value input, Value hidden) {
    bool linear = op.getLinearBeforeReset();
    Value product = recur(hidden, 0, linear ? 3 : 2);
    auto gateInput = [&](int64_t index) {
      return sum(gate(input, index), product ? gate(product, index) : Value());
    };
    Value update = activation(0, gateInput(0));
    Value reset = activation(0, gateInput(1));
    Value candidate;
    if (linear) {
      // The recurrent bias of h lies inside the product with r.
      Value inner = sum(product ? gate(product, 2) : Value(),
                        bias ? parameter(bias, 5, 6) : Value());
      candidate = inner ? b.mul(reset, inner) : Value();
    } else if (hidden) {
      candidate = recur(b.mul(reset, hidden), 2, 3);
    }
    candidate = activation(1, sum(gate(input, 2), candidate));
    Value fresh = b.mul(b.sub(one, update), candidate);
    return hidden ? b.add(fresh, b.mul(update, hidden)) : fresh;
  }

  /// Gates i, o, f, c; peepholes i, o, f.
  State stepLSTM(Value input, const State &state) {
    Value all = sum(input, recur(state.hidden, 0, 4));
    auto peep = [&](int64_t index, Value cell) {
      return peepholes && cell
                 ? b.mul(parameter(peepholes, index, index + 1), cell)
                 : Value();
    };
    Value in = activation(0, sum(gate(all, 0), peep(0, state.cell)));
    Value forget = op.getInputForget()
                       ? b.sub(one, in)
                       : activation(0, sum(gate(all, 2), peep(2, state.cell)));
    Value cell = b.mul(in, activation(1, gate(all, 3)));
    if (state.cell)
      cell = b.add(b.mul(forget, state.cell), cell);
    Value out = activation(0, sum(gate(all, 1), peep(1, cell)));
    return {b.mul(out, activation(2, cell, /*clipped=*/false)), cell};
  }

  GraphBuilder &b;
  RecurrentOp op;
  int64_t direction, size, numGates;
  Type type;
  Value projected, recurrence, bias, peepholes, zero, one;
  DenseMap<int64_t, Value> numbers;
  DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value> slices;
  SmallVector<Parameters> parameters;
};

} // namespace

/// X W' + biases for every step, gate and direction at once: B, S, D G H.
static Value projectInputs(GraphBuilder &b, RecurrentOp op) {
  ArrayRef<int64_t> dims = dimsOf(op.getWeights());
  int64_t directions = dims[0], width = dims[1], size = op.getHiddenSize();
  Value weights = b.reshape(op.getWeights(), {directions * width, dims[2]});
  Value result = b.matmul(b.transpose(op.getInput(), {1, 0, 2}),
                          b.transpose(weights, {1, 0}));
  if (!op.getBias())
    return result;
  Value input = b.slice(op.getBias(), 1, 0, width);
  Value recurrent = b.slice(op.getBias(), 1, width, 2 * width);
  if (op.getLinearBeforeReset() && op.getKind() == RecurrentKind::GRU) {
    // The bias of h takes part in the reset and is added there.
    Value none = b.create<SplatOp>(b.scalar(0.0, elementType(op.getBias())),
                                   b.ints({directions, size}));
    recurrent = b.concat({b.slice(recurrent, 1, 0, 2 * size), none}, 1);
  }
  return b.add(result,
               b.reshape(b.add(input, recurrent), {directions * width}));
}

/// What the decomposition cannot do, reported before anything is built.
static LogicalResult checkForm(RecurrentOp op) {
  int64_t steps = dimsOf(op.getInput())[0];
  if (ShapedType::isDynamic(steps) || steps < 1)
    return op.emitOpError("needs a known sequence length of at least 1, not ")
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

FailureOr<SmallVector<Value>> RecurrentOp::decompose(OpBuilder &builder) {
  if (failed(checkForm(*this)))
    return failure();
  GraphBuilder b(builder, getLoc());
  int64_t steps = dimsOf(getInput())[0];
  int64_t directions = getDirection() == Direction::Bidirectional ? 2 : 1;
  Value projected = projectInputs(b, *this);
  SmallVector<SmallVector<Value>> outputs(directions);
  SmallVector<Value> hiddens, cells, all;
  for (int64_t d = 0; d < directions; ++d) {
    State last = Unroller(b, *this, d, projected).run(steps, outputs[d]);
    hiddens.push_back(b.unsqueeze(last.hidden, 0));
    cells.push_back(last.cell ? b.unsqueeze(last.cell, 0) : hiddens.back());
  }
  for (SmallVector<Value> &ofSteps : outputs) {
    for (Value &output : ofSteps)
      output = b.unsqueeze(output, {1, 2});
    all.push_back(b.concat(ofSteps, 1));
  }
  return SmallVector<Value>{b.transpose(b.concat(all, 2), {1, 2, 0, 3}),
                            b.concat(hiddens, 0), b.concat(cells, 0)};
}
