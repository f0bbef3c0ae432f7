"""Grouped-query attention: heads that share keys and values, which the model
repeats for each of them, with a cache that grows.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnxruntime
import pytest
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper

import glow

GROUPS, WIDTH, LONGEST = 2, 32, 70


def decoder(share, queries):
    """`share` heads per group, and so many queries at once."""
    heads = GROUPS * share
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def node(op, inputs, output, **attributes):
        nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def value(name, count, length):
        return helper.make_tensor_value_info(
            name, TensorProto.FLOAT, ["batch", count, length, WIDTH])

    place = {n: constant(n, np.array([i])) for n, i in (("batch", 0), ("length", 2))}
    ints = {n: constant(f"i{n}", np.array([n])) for n in {GROUPS, share, heads, WIDTH}}
    axis = constant("axis", np.array([2]))
    repeated = []
    for name in ("key", "value"):
        joined = node("Concat", [f"past_{name}", name], f"present_{name}", axis=2)
        shape = node("Shape", [joined], f"{name}_shape")
        batch, length = (node("Gather", [shape, place[n]], f"{name}_{n}", axis=0)
                         for n in ("batch", "length"))
        wide = node("Concat", [batch, ints[GROUPS], ints[share], length, ints[WIDTH]],
                    f"{name}_wide", axis=0)
        merged = node("Concat", [batch, ints[heads], length, ints[WIDTH]],
                      f"{name}_merged", axis=0)
        split = node("Unsqueeze", [joined, axis], f"{name}_split")
        expanded = node("Expand", [split, wide], f"{name}_expanded")
        repeated.append(node("Reshape", [expanded, merged], f"{name}_heads"))
    turned = node("Transpose", [repeated[0]], "turned", perm=[0, 1, 3, 2])
    scores = node("MatMul", ["query", turned], "scores")
    scaled = node("Mul", [scores, constant("scale", np.float32(WIDTH ** -0.5))],
                  "scaled")
    weights = node("Softmax", [scaled], "weights", axis=-1)
    node("MatMul", [weights, repeated[1]], "y")
    graph = helper.make_graph(
        nodes, "decoder",
        [value("query", heads, queries)] +
        [value(n, GROUPS, queries) for n in ("key", "value")] +
        [value(f"past_{n}", GROUPS, "past") for n in ("key", "value")],
        [value("y", heads, queries)] +
        [value(f"present_{n}", GROUPS, "present") for n in ("key", "value")],
        constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def inputs_of(model, batch, past):
    """Random ones."""
    rng = np.random.default_rng(batch + 100 * past)
    sizes = {"batch": batch, "past": past}
    return {i.name: rng.standard_normal(
        [sizes.get(d.dim_param, d.dim_value) for d in i.type.tensor_type.shape.dim],
        np.float32) for i in model.graph.input}


# Rows of a group are columns of one kernel, too many for it, and a batch.
@pytest.mark.parametrize("share, queries", [(4, 1), (3, 1), (8, 1), (2, 5)])
@pytest.mark.parametrize("precision", ["strict", "bf16"])
def test_ranges_and_fixed_shapes(share, queries, precision):
    """The same numbers on one thread and on two."""
    model = decoder(share, queries)
    text = model.SerializeToString()
    ranges = {"batch": (1, 3), "past": (0, LONGEST)}
    shapes = {i.name: tuple(ranges.get(d.dim_param, d.dim_value)
                            for d in i.type.tensor_type.shape.dim)
              for i in model.graph.input}
    one, two = (glow.compile(text, shapes=shapes, precision=precision, threads=n)
                for n in (1, 2))
    session = onnxruntime.InferenceSession(text, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    tolerance = 2e-2 if precision == "bf16" else 1e-5
    for batch, past in [(3, LONGEST), (1, 0), (2, 1), (1, 15), (3, 16), (2, 40)]:
        inputs = inputs_of(model, batch, past)
        expected = dict(zip(names, session.run(names, inputs)))
        result = one.run(inputs)
        check_equal(result, expected, tolerance=tolerance)
        check_equal(two.run(inputs), result, tolerance=0)
    fixed = glow.compile(text, shapes={n: v.shape for n, v in inputs.items()},
                         precision=precision, threads=1)
    check_equal(fixed.run(inputs), expected, tolerance=tolerance)
