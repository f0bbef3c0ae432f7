"""Products of a number of rows that is known at run time only.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import helper
from product_models import float_model

import glow

MOST = 34


def product(depth, columns):
    weights = np.random.default_rng(1).standard_normal((depth, columns), "f4")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["s"]),
             helper.make_node("Tanh", ["s"], ["y"])]
    return float_model(nodes, {"x": ["n", depth]}, ["n", columns],
                       {"w": weights / np.float32(depth) ** 0.5})


@pytest.mark.parametrize("depth, columns", [(96, 80), (700, 33), (512, 512)])
@pytest.mark.parametrize("precision, tolerance", [("strict", 1e-5),
                                                  ("bf16", 2e-2)])
def test_every_number_of_rows(depth, columns, precision, tolerance):
    model = product(depth, columns)
    bounded = [glow.compile(model.SerializeToString(), threads=threads,
                            precision=precision,
                            shapes={"x": [(1, MOST), depth]},
                            options={"check-bounds": "1"})
               for threads in (1, 2)]
    rng = np.random.default_rng(2)
    # Numbers of rows before would be seen in what they leave behind.
    for rows in rng.permutation(np.arange(1, MOST + 1)):
        inputs = {"x": rng.standard_normal((rows, depth), "f4")}
        one, two = (program.run(inputs) for program in bounded)
        check_equal(one, run_onnxruntime(model, inputs), tolerance=tolerance)
        check_equal(two, one, tolerance=0)
