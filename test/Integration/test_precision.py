"""The precisions of glow.compile: errors of convolutions against sums in
double precision, as docs/Precision.md states them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import host_has_amx
from onnx import TensorProto, helper, numpy_helper

import glow

# label: (images, in, height, width, out, pads)
SIZES = {
    "even": (1, 64, 28, 28, 64, [1, 1, 1, 1]),
    "odd": (1, 64, 15, 13, 96, [1, 1, 1, 1]),
    "batch": (3, 128, 7, 7, 128, [1, 1, 1, 1]),
    "uneven-pads": (2, 64, 12, 17, 70, [0, 2, 1, 0]),
    # Panels of which only parts stay in the caches.
    "deep": (1, 512, 7, 7, 64, [1, 1, 1, 1]),
    "deep-uneven": (2, 320, 9, 31, 40, [0, 2, 1, 0]),
    # All columns of a group of lines come before the next group.
    "row-groups": (1, 32, 28, 28, 160, [1, 1, 1, 1]),
    "row-groups-of-images": (4, 32, 14, 30, 130, [1, 1, 1, 1]),
    "row-groups-uneven": (1, 64, 15, 31, 160, [0, 1, 0, 1]),
}
# Root of the mean square error, relative to the results' own.
LIMITS = {"strict": 4e-7, "fp32": 4.5e-7, "fp32-fast": 2.5e-6}
if host_has_amx():
    LIMITS["fp32-fast"] = 6e-6


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
    limit = LIMITS[precision]
    if size[1] > 128:  # Winograd's sums and differences of many channels
        limit = max(limit, {"fp32": 6e-7, "fp32-fast": 4e-6}.get(precision, 0))
    assert 0 < error < limit


@pytest.mark.parametrize("inputs,weights", [
    # A part of the depth is a row of taps, a row of a plane, or less.
    ((2, 48, 9, 11), (40, 48, 7, 7)), ((1, 128, 3, 5, 9), (64, 128, 3, 3, 3)),
    ((1, 512, 3, 4, 7), (40, 512, 3, 3, 3)), ((1, 1024, 40), (64, 1024, 3))])
def test_deep_windows(inputs, weights):
    rng = np.random.default_rng(2)
    x, w = (rng.standard_normal(s, np.float32) for s in (inputs, weights))
    taps = weights[2:]
    pads = [k // 2 for k in taps]
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], pads=pads * 2)], "conv",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w")])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    padded = np.pad(x.astype(np.float64), [(0, 0)] * 2 + [(p, p) for p in pads])
    want = 0
    for tap in np.ndindex(taps):
        window = padded[(slice(None),) * 2 + tuple(
            slice(t, t + e) for t, e in zip(tap, inputs[2:]))]
        want = want + np.einsum("nc...,oc->no...", window, w[(...,) + tap])
    one, two = (glow.compile(model.SerializeToString(), precision="strict",
                             threads=n).run({"x": x})["y"] for n in (1, 2))
    assert rms(one - want) / rms(want) < LIMITS["strict"]
    assert one.tobytes() == two.tobytes()


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
    with pytest.raises(Exception, match="strict, fp32, fp32-fast or bf16"):
        glow.compile(onnx_model.SerializeToString(), precision="fp12")


@pytest.mark.parametrize("rows,depth,columns", [
    (1, 1024, 1301), (3, 1500, 1000), (8, 2000, 517), (9, 1024, 1040)])
@pytest.mark.parametrize("is_conv,has_outlier", [
    (False, False), (True, False), (False, True)])
def test_weights_of_few_rows(rows, depth, columns, is_conv, has_outlier):
    """In fp32-fast they may have 24 bits; one that is much larger than the others
    of its column leaves them theirs."""
    rng = np.random.default_rng(7)
    x = rng.standard_normal((rows, depth), np.float32)
    weight = rng.standard_normal((depth, columns), np.float32)
    if has_outlier:
        weight[5, 7] = 1e9
        x[:, 5] = 0
    given = (weight.T if is_conv else weight).reshape(
        (columns, depth, 1, 1) if is_conv else weight.shape)
    shape = (rows, depth, 1, 1) if is_conv else x.shape
    graph = helper.make_graph(
        [helper.make_node("Conv" if is_conv else "MatMul", ["x", "w"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.ascontiguousarray(given), "w")])
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                             ir_version=9).SerializeToString()

    def run(precision):
        compiled = glow.compile(data, precision=precision)
        return compiled.run({"x": x.reshape(shape)})["y"].reshape(rows, columns)

    def error(y):
        want = x.astype(np.float64) @ weight.astype(np.float64)
        return rms(y - want) / rms(want)
    assert error(run("fp32")) < LIMITS["fp32"]
    assert error(run("fp32-fast")) < LIMITS["fp32-fast"]


@pytest.mark.parametrize("rows", [300, 50_000, (40, 50, 60)])
def test_means_of_many_rows(rows):
    """Long sums lose no more digits than short ones, also of a range."""
    rows = rows if isinstance(rows, tuple) else (rows,)
    shape = (2, *rows, 24)
    graph = helper.make_graph(
        [helper.make_node("ReduceMean", ["x", "axes"], ["y"], keepdims=0)], "mean",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", *shape[1:]])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.arange(1, 1 + len(rows)), "axes")])
    data = helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 18)]).SerializeToString()
    x = np.random.default_rng(5).standard_normal(shape, np.float32) + np.float32(1)
    expected = x.astype(np.float64).mean(axis=tuple(range(1, 1 + len(rows))))
    for batch in (2, (1, 4)):
        y = glow.compile(data, shapes={"x": (batch, *shape[1:])}).run({"x": x})["y"]
        assert np.abs(y - expected).max() < 1.5e-6
