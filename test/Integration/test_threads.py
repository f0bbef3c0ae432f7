"""Results have the same bits for any number of threads.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from test_precision import LIMITS, SIZES, model

import glow


@pytest.mark.parametrize("size", [
    "batch", "deep", "deep-uneven", "row-groups",
    "row-groups-of-images", "row-groups-uneven"])
def test_convolutions(size):
    onnx_model, _, _, inputs = model(SIZES[size], np.random.default_rng(1))
    data = onnx_model.SerializeToString()
    for precision in LIMITS:
        one, two = (glow.compile(data, precision=precision, threads=n).run(inputs)
                    for n in (1, 2))
        assert one["y"].tobytes() == two["y"].tobytes()


@pytest.mark.parametrize("batch,rows,depth,columns,transposed", [
    (1, 1, 256, 1024, False),  # one row: cut along the columns
    (1, 3, 512, 1000, False),  # with a rest
    (1, 1, 700, 130, True),
    (2, 130, 64, 150, True),   # copied into panels
    (1, 400, 33, 48, False)])
def test_matrices(batch, rows, depth, columns, transposed):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((batch, rows, depth), dtype=np.float32)
    w = rng.standard_normal((batch, depth, columns), dtype=np.float32)
    given = w.swapaxes(1, 2).copy() if transposed else w
    nodes = [helper.make_node("MatMul", ["x", "v"], ["y"])]
    if transposed:
        nodes.insert(0, helper.make_node("Transpose", ["w"], ["v"],
                                         perm=[0, 2, 1]))
    else:
        nodes[0].input[1] = "w"
    value = helper.make_tensor_value_info
    float32 = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, "matrices", [value("x", float32, x.shape),
                            value("w", float32, given.shape)],
        [value("y", float32, (batch, rows, columns))])
    data = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)],
        ir_version=9).SerializeToString()
    one, two = (glow.compile(data, precision="strict", threads=n).run(
        {"x": x, "w": given})["y"] for n in (1, 2))
    assert one.tobytes() == two.tobytes()
    np.testing.assert_allclose(one, x @ w, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape", [(112, 96, 40), (2, 50, 60, 33),
                                   (1, 7, 7, 1280), (67, 90, 12)])
def test_means(shape):
    """Of all pixels, in parts of lines where their number has a divisor."""
    x = np.random.default_rng(5).standard_normal(shape, np.float32) + 1
    axes = [len(shape) - 3, len(shape) - 2]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("ReduceMean", ["x", "axes"], ["y"], keepdims=0)],
        "mean", [info("x", TensorProto.FLOAT, shape)],
        [info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array(axes), "axes")])
    data = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 18)],
        ir_version=9).SerializeToString()
    one, *others = (glow.compile(data, precision="strict", threads=n).run(
        {"x": x})["y"] for n in (1, 2, 3))
    for other in others:
        assert one.tobytes() == other.tobytes()
    np.testing.assert_allclose(one, x.mean(tuple(axes), np.float64), rtol=1e-5)
