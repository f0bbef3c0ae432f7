#!/usr/bin/env python3
"""Shows how compile time grows with the number of nodes.

    tools/bench/compile_time.py                       print a table
    tools/bench/compile_time.py --write-docs          write docs/CompileTime.md
    tools/bench/compile_time.py --write-models DIR    only write the models

The models are made here: chains, residual blocks, dense blocks, and branches
that all begin and end together. Shapes are small, so that compiling is all that
takes time.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

TREE = pathlib.Path(__file__).resolve().parents[2]
SIZES = (100, 1000, 10000)
CHANNELS, EXTENT = 8, 8
WIDTHS = range(16, 80)  # of distinct matrix products


class Graph:
    """A graph that grows node by node."""

    def __init__(self, shape):
        self.nodes, self.weights, self.rank = [], [], len(shape)
        self.random = np.random.default_rng(1)
        self.input = helper.make_tensor_value_info(
            "x", onnx.TensorProto.FLOAT, shape)

    def weight(self, *shape):
        name = f"w{len(self.weights)}"
        values = self.random.standard_normal(shape, np.float32) / 8
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def variance(self):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(
            np.ones(CHANNELS, np.float32), name))
        return name

    def add(self, kind, *inputs, **attributes):
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name,
                                           **attributes))
        return name

    def conv(self, value, inputs=CHANNELS):
        return self.add("Conv", value, self.weight(CHANNELS, inputs, 3, 3),
                        self.weight(CHANNELS), pads=[1] * 4)

    def model(self, result):
        output = helper.make_tensor_value_info(
            result, onnx.TensorProto.FLOAT, [None] * self.rank)
        graph = helper.make_graph(self.nodes, "synthetic", [self.input],
                                  [output], self.weights)
        return helper.make_model(
            graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


def chain(size):
    """Convolutions and activations, one after another."""
    graph, value = Graph((1, CHANNELS, EXTENT, EXTENT)), "x"
    while len(graph.nodes) < size:
        value = graph.add("Relu", graph.conv(value))
    return graph.model(value)


def residual(size):
    """Residual blocks of two convolutions, with normalisation."""
    graph, value = Graph((1, CHANNELS, EXTENT, EXTENT)), "x"
    while len(graph.nodes) < size:
        inner = graph.add("Relu", graph.conv(value))
        scale = graph.weight(CHANNELS)
        inner = graph.add("BatchNormalization", graph.conv(inner), scale,
                          graph.weight(CHANNELS), graph.weight(CHANNELS),
                          graph.variance())
        value = graph.add("Relu", graph.add("Add", inner, value))
    return graph.model(value)


def dense(size):
    """Blocks in which each convolution reads all results before it."""
    graph, value = Graph((1, CHANNELS, EXTENT, EXTENT)), "x"
    while len(graph.nodes) < size:
        values = [value]
        for _ in range(8):
            joined = graph.add("Concat", *values, axis=1) \
                if len(values) > 1 else value
            values.append(graph.add("Relu", graph.conv(
                joined, CHANNELS * len(values))))
        value = values[-1]
    return graph.model(value)


def products(size):
    """Matrix products of 64 widths, with functions between them."""
    graph, value, width = Graph((4, WIDTHS[0])), "x", WIDTHS[0]
    while len(graph.nodes) < size:
        last, width = width, WIDTHS[len(graph.nodes) // 3 % len(WIDTHS)]
        value = graph.add("Gemm", value, graph.weight(last, width),
                          graph.weight(width))
        value = graph.add("Tanh", value)
        value = graph.add("Softmax", value)
    return graph.model(value)


def branches(size):
    """Chains of three nodes between one input and one concatenation: all are
    ready at once, and the last results live to the end."""
    graph, ends = Graph((1, CHANNELS, EXTENT, EXTENT)), []
    while len(graph.nodes) < size - 1:
        value = graph.add("Sigmoid", graph.conv("x"))
        ends.append(graph.conv(value))
    return graph.model(graph.add("Concat", *ends, axis=1))


KINDS = (chain, residual, dense, products, branches)


def compile_model(tool, model, folder):
    """{stage: seconds} and the number of kernels of a cold compilation."""
    result = subprocess.run(
        [tool, model, "-o", folder / "model.so", "--time-stages",
         "--kernel-cache=off"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{model}: {result.stderr}")
    rows = re.findall(r"^(\w+) +(\d+\.\d+)", result.stderr, re.M)
    return {name: float(seconds) for name, seconds in rows}


def measure(tool, sizes, kinds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in kinds:
            for size in sizes:
                model = folder / "model.onnx"
                onnx.save(kind(size), model)
                yield kind, size, compile_model(tool, model, folder)


def table(rows):
    stages = ("import", "graph", "inst", "kernels", "llvm", "codegen")
    lines = ["| model | nodes | " + " | ".join(stages)
             + " | total s | ms per node |",
             "|---" * (len(stages) + 4) + "|"]
    for kind, size, times in rows:
        cells = [kind.__name__, f"{size:,}"]
        cells += [f"{times[stage]:.2f}" for stage in stages]
        cells += [f"{times['total']:.2f}", f"{1000 * times['total'] / size:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def page(text):
    kinds = "".join(f"* {kind.__name__}: {' '.join(kind.__doc__.split())}\n"
                    for kind in KINDS)
    return f"""# Compile time and the number of nodes

Written by `tools/bench/compile_time.py --write-docs`; do not edit. Seconds of each stage of
`glow-compile` without kernels of earlier runs, on two cores. The models:

{kinds}
{text}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", type=pathlib.Path,
                        default=TREE / "build/bin/glow-compile")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--kinds", nargs="+",
                        choices=[kind.__name__ for kind in KINDS],
                        default=[kind.__name__ for kind in KINDS])
    parser.add_argument("--write-docs", action="store_true")
    parser.add_argument("--write-models", type=pathlib.Path)
    arguments = parser.parse_args()
    kinds = [kind for kind in KINDS if kind.__name__ in arguments.kinds]
    if arguments.write_models:
        for kind in kinds:
            for size in arguments.sizes:
                onnx.save(kind(size), arguments.write_models
                          / f"{kind.__name__}-{size}.onnx")
        return
    text = table(measure(arguments.tool, arguments.sizes, kinds))
    if arguments.write_docs:
        (TREE / "docs/CompileTime.md").write_text(page(text))


if __name__ == "__main__":
    main()
