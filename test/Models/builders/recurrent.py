"""A two-layer LSTM classifier, batch first, as torch.nn.LSTM is exported.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np

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
