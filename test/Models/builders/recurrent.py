"""Recurrent networks: an LSTM classifier, batch first, as torch.nn.LSTM is
exported, and taggers of words with two directions.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
from onnx import TensorProto

from .graph import Graph


def lstm(layers=2, features=64, hidden=128, sequence=32, classes=10):
    g = Graph("lstm", opset=14)
    x = g.input("input", ["batch", sequence, features])
    x = g.node("Transpose", x, perm=[1, 0, 2])
    # torch.zeros(layers, batch, hidden), one slice per layer.
    batch = g.node("Gather", g.node("Shape", x), 1, axis=0)
    shape = g.node("Concat", [1], g.node("Unsqueeze", batch, [0]), [hidden],
                   axis=0)
    zeros = g.node("Expand", np.zeros((1, 1, 1), np.float32), shape)
    states, cells = [], []
    width = features
    with g.scope("lstm"):
        for layer in range(layers):
            bound = 1.5 / math.sqrt(hidden)
            y, state, cell = g.node(
                "LSTM", x,
                g.uniform(f"W_{layer}", (1, 4 * hidden, width), -bound, bound),
                g.uniform(f"R_{layer}", (1, 4 * hidden, hidden), -bound, bound),
                g.uniform(f"B_{layer}", (1, 8 * hidden), -bound, bound),
                None, zeros, zeros, outputs=3, hidden_size=hidden)
            x = g.node("Squeeze", y, [1])
            width = hidden
            states.append(state)
            cells.append(cell)
    g.output(g.node("Concat", *states, axis=0), "h_n",
             [layers, "batch", hidden])
    g.output(g.node("Concat", *cells, axis=0), "c_n",
             [layers, "batch", hidden])
    x = g.node("Transpose", x, perm=[1, 0, 2])
    x = g.node("Gather", x, -1, axis=1)
    with g.scope("fc"):
        x = g.node("Gemm", x,
                   g.normal("weight", (classes, hidden), 3 / math.sqrt(hidden)),
                   g.normal("bias", (classes,), 0.1),
                   alpha=1.0, beta=1.0, transB=1)
    g.output(x, "logits", ["batch", classes])
    return g.model()


def lstm_2x256():
    """The size of a small acoustic model: a second of speech, 80 bands."""
    return lstm(features=80, hidden=256, sequence=100)


def tagger(op, sequence=200, vocabulary=2000, width=128, hidden=128, tags=12):
    """Two bidirectional layers over embedded words, a tag for each word."""
    g = Graph(f"{op.lower()}_tagger", opset=14)
    ids = g.input("input_ids", ["batch", sequence], TensorProto.INT64)
    gates = {"LSTM": 4, "GRU": 3}[op]
    x = g.node("Gather", g.normal("embedding.weight", (vocabulary, width), 0.7),
               ids)
    x = g.node("Transpose", x, perm=[1, 0, 2])
    bound = 1.5 / math.sqrt(hidden)
    options = {"linear_before_reset": 1} if op == "GRU" else {}
    for layer in range(2):
        def weight(name, *shape):
            return g.uniform(f"{name}_{layer}", shape, -bound, bound)
        y = g.node(op, x, weight("W", 2, gates * hidden, width),
                   weight("R", 2, gates * hidden, hidden),
                   weight("B", 2, 2 * gates * hidden),
                   hidden_size=hidden, direction="bidirectional", **options)
        # S, D, B, H to S, B, D H.
        x = g.node("Transpose", y, perm=[0, 2, 1, 3])
        x = g.node("Reshape", x, [0, 0, -1])
        width = 2 * hidden
    x = g.node("Transpose", x, perm=[1, 0, 2])
    x = g.node("Add", g.normal("fc.bias", (tags,), 0.1),
               g.node("MatMul", x, g.normal("fc.weight", (width, tags),
                                            3 / math.sqrt(width))))
    g.output(x, "tags", ["batch", sequence, tags])
    return g.model()
