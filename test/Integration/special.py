"""Special values, and models of few nodes that get them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import glow

INF, NAN, MAX, TINY = np.inf, np.nan, np.finfo(np.float32).max, np.float32(1e-45)
SPECIAL = np.float32([INF, -INF, NAN, 0, -0.0, MAX, -MAX, TINY, -TINY, 1e-40,
                      1.1754944e-38, 1, -1, 0.5, 100, -100, 88.7, -104, 1e10, 3])


def build(nodes, inputs, constants=None, kind=TensorProto.FLOAT, opset=17):
    made = [helper.make_node(op, names, ["y" if i + 1 == len(nodes) else str(i)],
                             **attributes)
            for i, (op, names, attributes) in enumerate(nodes)]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        made, "special",
        [info(n, TensorProto.FLOAT, a.shape) for n, a in inputs.items()],
        [info("y", kind, None)],
        [numpy_helper.from_array(a, n) for n, a in (constants or {}).items()])
    return helper.make_model(graph, ir_version=9,
                             opset_imports=[helper.make_opsetid("", opset)])


def run(nodes, inputs, constants=None, precision="strict", opset=17):
    model = build(nodes, inputs, constants, opset=opset)
    # Factors are rounded where that is faster; here, wherever the tests run.
    compiled = glow.compile(model.SerializeToString(), precision=precision,
                            options={"machine": "bf16-percent=200"})
    return compiled.run(inputs)["y"]


def check(actual, expected, ulps):
    """NaNs and infinities at the same places, and the rest close."""
    with np.errstate(all="ignore"):
        expected = np.asarray(expected).astype(np.float32)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    infinite = np.isinf(expected)
    np.testing.assert_array_equal(actual[infinite], expected[infinite])
    finite = np.isfinite(expected)
    error = np.abs(actual[finite].astype(np.float64) - expected[finite])
    size = np.abs(expected[finite])
    # Towards 0, as there is nothing beyond the largest number.
    spacing = size.astype(np.float64) - np.nextafter(size, np.float32(0))
    assert (error <= ulps * spacing).all()
