"""Convolutions of which a part is wanted, beside ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper

import glow


def made(rng, rank):
    """A convolution with any window, pads and strides, and a slice of it."""
    kernel, strides, dilations = (rng.integers(1, 4, rank).tolist() for _ in range(3))
    pads = rng.integers(0, 5, 2 * rank).tolist()
    x = rng.standard_normal((2, 4, *rng.integers(9, 14, rank))).astype(np.float32)
    starts = rng.integers(0, 4, rank)
    ends = rng.choice([100, -1, -2, -3, 6], rank)
    steps = rng.choice([1, 1, 2, 3], rank)
    group = int(rng.choice([1, 2]))
    constants = {"w": rng.standard_normal((6, 4 // group, *kernel)).astype(np.float32),
                 "starts": starts, "ends": ends, "axes": np.arange(2, 2 + rank), "steps": steps}
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["c"], strides=strides, dilations=dilations,
                          pads=pads, group=group),
         helper.make_node("Slice", ["c", "starts", "ends", "axes", "steps"], ["s"]),
         helper.make_node("Relu", ["s"], ["y"])], "part",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    return model, {"x": x}


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_parts(rank):
    rng = np.random.default_rng(rank)
    for _ in range(12):
        model, inputs = made(rng, rank)
        program = glow.compile(model.SerializeToString())
        check_equal(program.run(inputs), run_onnxruntime(model, inputs))
