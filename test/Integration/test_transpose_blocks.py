"""Transposes in squares whose vectors are shorter than a line, with rests along
both axes.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from onnx import helper

import glow

MACHINES = {"native": {}, "avx2": {"mcpu": "haswell"}, "sse": {"mcpu": "x86-64"}}
SHAPES = [(64, 40), (40, 36), (17, 31), (16, 512), (512, 33), (512, 512), (9, 15), (3, 100),
          (24, 1024), (1024, 20)]
TYPES = [np.float32, np.float64, np.float16, np.int8]


def transpose(dtype, shape, order):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    result = [shape[axis] for axis in order]
    graph = helper.make_graph(
        [helper.make_node("Transpose", ["x"], ["y"], perm=order)], "transpose",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info("y", kind, result)])
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])
    onnx.checker.check_model(model)
    return model.SerializeToString()


def numbers(dtype, shape):
    rng = np.random.default_rng(3)
    return rng.integers(-128, 128, shape).astype(dtype)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: dtype.__name__)
def test_matrices(dtype, machine):
    for shape in SHAPES:
        x = numbers(dtype, shape)
        program = glow.compile(transpose(dtype, shape, [1, 0]), options=MACHINES[machine])
        assert np.array_equal(program.run({"x": x})["y"], x.T), shape


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("order", [(0, 2, 3, 1), (0, 3, 1, 2), (0, 2, 1, 3), (3, 1, 0, 2)])
def test_images(order, machine):
    for shape in ((2, 32, 16, 16), (1, 20, 9, 7), (3, 5, 6, 24)):
        x = numbers(np.float32, shape)
        program = glow.compile(transpose(np.float32, shape, list(order)),
                               options=MACHINES[machine])
        assert np.array_equal(program.run({"x": x})["y"], x.transpose(order)), shape


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("axis", [0, 1])
def test_open_axes(axis, machine):
    """Along either side of the squares."""
    shape = [40, 40]
    shape[axis] = "n"
    model = transpose(np.float32, shape, [1, 0])
    bound = [(1, 100) if size == "n" else size for size in shape]
    program = glow.compile(model, shapes={"x": bound}, options=MACHINES[machine])
    for extent in (100, 1, 7, 16, 33, 90):
        shape[axis] = extent
        x = numbers(np.float32, shape)
        assert np.array_equal(program.run({"x": x})["y"], x.T), extent
