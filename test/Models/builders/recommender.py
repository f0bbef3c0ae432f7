"""A recommender in the shape of DLRM: tables, two perceptrons, dot products.

13 numbers go through a perceptron, 26 categories each through a table; the
products of all pairs of these 27 vectors go through a second perceptron.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
from onnx import TensorProto

from .graph import Graph

NUMBERS, TABLES, ROWS, WIDTH = 13, 26, 10000, 64


def dlrm():
    g = Graph("dlrm", opset=17)
    numbers = g.input("dense", ["batch", NUMBERS])
    categories = g.input("sparse", ["batch", TABLES], TensorProto.INT64)
    with g.scope("bottom"):
        dense = _perceptron(g, numbers, [NUMBERS, 512, 256, WIDTH])
    vectors = [g.node("Unsqueeze", dense, [1])]
    for table in range(TABLES):
        with g.scope(f"tables.{table}"):
            index = g.node("Gather", categories, [table], axis=1)
            rows = g.normal("weight", (ROWS, WIDTH), 0.7)
            vectors.append(g.node("Gather", rows, index))
    x = g.node("Concat", *vectors, axis=1)
    products = g.node("MatMul", x, g.node("Transpose", x, perm=[0, 2, 1]))
    count = TABLES + 1
    products = g.node("Reshape", products, [-1, count * count])
    lower = np.flatnonzero(np.tril(np.ones((count, count)), -1))
    products = g.node("Gather", products, lower.astype(np.int64), axis=1)
    # Products of random vectors grow with their width.
    products = g.node("Mul", products, np.float32(1 / math.sqrt(WIDTH)))
    x = g.node("Concat", dense, products, axis=1)
    with g.scope("top"):
        x = _perceptron(g, x, [WIDTH + lower.size, 512, 256])
        x = _layer(g, "last", x, 256, 1)
    g.output(g.node("Sigmoid", x), "probability", ["batch", 1])
    return g.model()


def _perceptron(g, x, widths):
    for layer, (cin, cout) in enumerate(zip(widths, widths[1:])):
        x = g.node("Relu", _layer(g, str(layer), x, cin, cout))
    return x


def _layer(g, name, x, cin, cout):
    with g.scope(name):
        return g.node("Gemm", x,
                      g.normal("weight", (cout, cin), math.sqrt(2 / cin)),
                      g.normal("bias", (cout,), 0.1),
                      alpha=1.0, beta=1.0, transB=1)
