"""Recurrent operators.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from backends import run_onnxruntime
from onnx import helper

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

SEQUENCE, BATCH, FEATURES, HIDDEN = 5, 3, 4, 6
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
EVERYTHING = ["bias", "lengths", "initial"]


def recurrent(op, label, parts=("bias",), outputs=None, **attrs):
    """`parts` names the optional operands to give."""
    directions = 2 if attrs.get("direction") == "bidirectional" else 1
    rows = GATES[op] * HIDDEN
    state = (directions, BATCH, HIDDEN)
    operands = [
        data(SEQUENCE, BATCH, FEATURES),
        const(data(directions, rows, FEATURES, low=-0.6, high=0.6)),
        const(data(directions, rows, HIDDEN, low=-0.6, high=0.6)),
        const(data(directions, 2 * rows, low=-0.5, high=0.5))
        if "bias" in parts else None,
        const([5, 2, 4], np.int32) if "lengths" in parts else None,
        data(*state) if "initial" in parts else None,
    ]
    if op == "LSTM":
        operands.append(data(*state) if "initial" in parts else None)
        operands.append(const(data(directions, 3 * HIDDEN))
                        if "peepholes" in parts else None)
    while operands[-1] is None:
        operands.pop()
    return add(op, *operands, hidden_size=HIDDEN, label=label,
               outputs=outputs or (3 if op == "LSTM" else 2), **attrs)


def batch_first(case, op):
    """The case with layout=1, whose reference is the case itself."""
    def swapped(values):
        # Y is [sequence, directions, batch, hidden], the rest has batch at 1.
        return [v.transpose(2, 0, 1, 3) if v.ndim == 4 else v.swapaxes(0, 1)
                for v in values]

    names = list(case.inputs)

    def expected(**inputs):
        values = dict(zip(names, swapped(inputs.values())))
        return swapped(run_onnxruntime(case.model, values).values())

    node, = case.model.graph.node
    attributes = {a.name: helper.get_attribute_value(a)
                  for a in node.attribute}
    TABLE.add_graph(
        f"{op}-layout1",
        [helper.make_node(op, node.input, node.output, layout=1,
                          **attributes)],
        dict(zip(names, swapped(case.inputs.values()))),
        case.model.graph.initializer, expected=expected)


for op in GATES:
    recurrent(op, "plain", parts=())
    recurrent(op, "bias")
    batch_first(recurrent(op, "initial", parts=["bias", "initial"]), op)
    recurrent(op, "lengths", parts=["bias", "lengths"])
    for direction in ["reverse", "bidirectional"]:
        recurrent(op, direction, direction=direction)
        recurrent(op, f"{direction}-everything", parts=EVERYTHING,
                  direction=direction)
    recurrent(op, "clip", clip=0.3)
    recurrent(op, "first-output", outputs=[1])
    recurrent(op, "last-output", outputs=[0, 1])
    recurrent(op, "opset7", opset=7)
recurrent("LSTM", "cell-output", outputs=[0, 0, 1])
recurrent("LSTM", "peepholes", parts=["bias", "peepholes"])
recurrent("LSTM", "peepholes-everything", parts=[*EVERYTHING, "peepholes"],
          direction="bidirectional")
recurrent("LSTM", "input-forget", input_forget=1)
recurrent("LSTM", "activations", activations=["HardSigmoid", "Tanh", "Relu"])
recurrent("GRU", "linear-before-reset", linear_before_reset=1)
recurrent("GRU", "linear-before-reset-reverse", linear_before_reset=1,
          direction="reverse", parts=EVERYTHING)
recurrent("GRU", "activations", activations=["Sigmoid", "Relu"])
recurrent("LSTM", "activations-parameters", direction="bidirectional",
          activations=["HardSigmoid", "ScaledTanh", "LeakyRelu",
                       "Sigmoid", "HardSigmoid", "Elu"],
          activation_alpha=[0.3, 0.8, 0.2, 0.4], activation_beta=[0.4, 0.7])
for activation in ["Relu", "Sigmoid", "Softsign", "Softplus", "Elu", "LeakyRelu",
                   "HardSigmoid"]:
    recurrent("RNN", activation, activations=[activation])
recurrent("RNN", "more-parameters", activations=["Relu"], activation_alpha=[0.5])
recurrent("RNN", "ThresholdedRelu", activations=["ThresholdedRelu"],
          activation_alpha=[0.7])
for activation in ["Affine", "ScaledTanh", "HardSigmoid"]:
    recurrent("RNN", f"{activation}-parameters", activations=[activation],
              activation_alpha=[0.7], activation_beta=[0.1])
