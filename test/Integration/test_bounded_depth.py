"""Products of few columns whose depth is open add up the elements that there
are, in vectors along the depth.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from compare import check_equal
from onnx import TensorProto
from onnx.helper import make_node
from test_ahead_of_time import save_model

import glow

DEPTH = 300
SHAPES = {"vector": ((37, "n"), ("n",), (37,)), "two": ((5, 9, "n"), ("n", 2), (5, 9, 2)),
          "dot": (("n",), ("n",), ())}


@pytest.mark.parametrize("machine", [{}, {"mcpu": "haswell"}])
@pytest.mark.parametrize("precision,tolerance", [("strict", 1e-4), ("fp32", 1e-4), ("bf16", 0.5)])
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_few_columns(shapes, precision, tolerance, machine, tmp_path):
    lhs, rhs, result = shapes
    path = save_model(tmp_path / "model.onnx", [make_node("MatMul", ["x", "w"], ["y"])],
                      {"x": (TensorProto.FLOAT, lhs), "w": (TensorProto.FLOAT, rhs)},
                      {"y": (TensorProto.FLOAT, result)}, [])

    def sized(shape, depth):
        return tuple(depth if size == "n" else size for size in shape)

    one, two = (glow.compile(
        path, precision=precision, threads=threads,
        shapes={name: sized(shape, (1, DEPTH)) for name, shape in (("x", lhs), ("w", rhs))},
        options={"check-bounds": "1", **machine}) for threads in (1, 2))
    rng = np.random.default_rng(0)
    # Longer ones first: what is left of them is not added.
    for depth in (DEPTH, 1, 15, 16, 17, 255):
        inputs = {"x": rng.standard_normal(sized(lhs, depth), np.float32),
                  "w": rng.standard_normal(sized(rhs, depth), np.float32)}
        results = one.run(inputs)
        expected = np.matmul(inputs["x"].astype(np.float64), inputs["w"].astype(np.float64))
        check_equal(results, {"y": expected.astype(np.float32)}, tolerance=tolerance)
        check_equal(two.run(inputs), results, tolerance=0)
