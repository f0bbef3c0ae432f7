"""The precisions of glow.compile: errors of convolutions against sums in
double precision, as docs/Precision.md states them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import glow

# label: (images, in, height, width, out, pads)
SIZES = {
    "even": (1, 64, 28, 28, 64, [1, 1, 1, 1]),
    "odd": (1, 64, 15, 13, 96, [1, 1, 1, 1]),
    "batch": (3, 128, 7, 7, 128, [1, 1, 1, 1]),
    "uneven-pads": (2, 64, 12, 17, 70, [0, 2, 1, 0]),
}
# Root of the mean square error, relative to the results' own.
LIMITS = {"strict": 4e-7, "fp32": 4.5e-7, "fp32-fast": 2.5e-6}


def model(size, rng):
    """Convolution, bias, residual sum and ReLU; returns it with its arrays."""
    images, channels, height, width, out, pads = size
    filter = rng.standard_normal((out, channels, 3, 3), np.float32)
    bias = rng.standard_normal(out, np.float32)
    rows, columns = height + pads[0] + pads[2] - 2, width + pads[1] + pads[3] - 2
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=pads),
        helper.make_node("Add", ["c", "r"], ["s"]),
        helper.make_node("Relu", ["s"], ["y"])]
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    residual = (images, out, rows, columns)
    graph = helper.make_graph(
        nodes, "conv", [info("x", (images, channels, height, width)),
                        info("r", residual)], [info("y", residual)],
        [numpy_helper.from_array(filter, "w"), numpy_helper.from_array(bias, "b")])
    inputs = {"x": rng.standard_normal((images, channels, height, width), np.float32),
              "r": rng.standard_normal(residual, np.float32)}
    opset = [helper.make_opsetid("", 17)]
    return (helper.make_model(graph, opset_imports=opset, ir_version=9),
            filter, bias, inputs)


def reference(filter, bias, inputs, pads):
    """In double precision, as the sum over the taps."""
    x = np.pad(inputs["x"].astype(np.float64), [
        (0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    rows, columns = inputs["r"].shape[2:]
    total = inputs["r"] + bias.astype(np.float64)[:, None, None]
    for i in range(3):
        for j in range(3):
            total += np.einsum("nchw,oc->nohw", x[:, :, i:i + rows, j:j + columns],
                               filter[:, :, i, j].astype(np.float64))
    return np.maximum(total, 0)


def rms(values):
    return np.sqrt(np.mean(np.square(values, dtype=np.float64)))


@pytest.mark.parametrize("precision", LIMITS)
@pytest.mark.parametrize("size", SIZES)
def test_convolution(size, precision):
    size = SIZES[size]
    onnx_model, filter, bias, inputs = model(size, np.random.default_rng(0))
    compiled = glow.compile(onnx_model.SerializeToString(), precision=precision)
    want = reference(filter, bias, inputs, size[-1])
    error = rms(compiled.run(inputs)["y"] - want) / rms(want)
    assert 0 < error < LIMITS[precision]


def test_threads_do_not_matter():
    onnx_model, _, _, inputs = model(SIZES["batch"], np.random.default_rng(1))
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
def test_threads_do_not_matter_for_matrices(batch, rows, depth, columns,
                                            transposed):
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


def test_infinite_input():
    """Strict keeps an infinity where it belongs; the others may spread NaN over
    the tiles that read it, and nowhere else."""
    onnx_model, _, _, inputs = model(SIZES["even"], np.random.default_rng(2))
    inputs["x"][0, :, 10, 10] = np.inf
    data = onnx_model.SerializeToString()
    strict = glow.compile(data, precision="strict").run(inputs)["y"]
    default = glow.compile(data).run(inputs)["y"]
    far = np.ones(strict.shape, bool)
    far[:, :, 6:16, 6:16] = False
    assert np.isfinite(strict[far]).all() and np.isfinite(default[far]).all()
    assert not np.isfinite(default[0, :, 10, 10]).any()


def test_unknown_precision():
    onnx_model, *_ = model(SIZES["odd"], np.random.default_rng(0))
    with pytest.raises(Exception, match="strict, fp32 or fp32-fast"):
        glow.compile(onnx_model.SerializeToString(), precision="fp12")
