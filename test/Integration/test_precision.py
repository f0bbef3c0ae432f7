"""The precisions of glow.compile: errors of convolutions against sums in
double precision, as docs/Precision.md states them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
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


def bf16(values):
    """Rounded to bf16, halves to even, denormals flushed."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(np.uint32)
    return np.where(bits & 0x7f800000, rounded, bits.astype(np.uint32)
                    & np.uint32(0x80000000)).astype(np.uint32).view(np.float32)


# Products of a smaller depth may keep their factors.
SHALLOW = 16
# Factors are rounded where that is faster; here, wherever the tests run.
ROUNDING = {"machine": "bf16-percent=200"}
KEEPING = {"machine": "bf16-percent=50", "mattr": "-amx-bf16"}


def product(x, weight, options=ROUNDING):
    """MatMul by a constant; compiled in bf16, on `x`."""
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], "product",
        [info("x", x.shape)], [info("y", (x.shape[0], weight.shape[1]))],
        [numpy_helper.from_array(weight, "w")])
    opset = [helper.make_opsetid("", 17)]
    data = helper.make_model(graph, opset_imports=opset, ir_version=9)
    return glow.compile(data.SerializeToString(), precision="bf16",
                        options=options).run({"x": x})["y"]


@pytest.mark.parametrize("shape", [
    (5, 64, 48), (1, 33, 7), (17, 1, 40), (14, 3, 32), (40, 301, 65)])
def test_bf16_factors_are_rounded_and_sums_are_not(shape):
    """Exactly the products of rounded factors, up to the order of sums."""
    rows, depth, columns = shape
    rng = np.random.default_rng(3)
    x = rng.standard_normal((rows, depth), np.float32)
    weight = rng.standard_normal((depth, columns), np.float32)
    y, limit = product(x, weight), 2 ** -23 * (4 + np.sqrt(depth))

    def is_near(x, weight):
        x, weight = x.astype(np.float64), weight.astype(np.float64)
        return (np.abs(y - x @ weight) / (np.abs(x) @ np.abs(weight))).max() < limit
    assert is_near(bf16(x), bf16(weight)) or depth < SHALLOW and is_near(x, weight)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", [
    (3, 40, 64, 48), (2, 17, 33, 50), (2, 9, 5, 3), (1, 3, 64, 20)])
def test_bf16_product_of_activations(shape, transposed):
    """As in attention; its factors are put in pairs when the model runs."""
    batch, rows, depth, columns = shape
    rng = np.random.default_rng(5)
    x = rng.standard_normal((batch, rows, depth), np.float32)
    w = rng.standard_normal((batch, depth, columns), np.float32)
    given = np.ascontiguousarray(w.transpose(0, 2, 1)) if transposed else w
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    nodes = [helper.make_node("Transpose", ["w"], ["v"],
                              perm=[0, 2, 1] if transposed else [0, 1, 2]),
             helper.make_node("MatMul", ["x", "v"], ["y"])]
    graph = helper.make_graph(
        nodes, "product", [info("x", x.shape), info("w", given.shape)],
        [info("y", (batch, rows, columns))])
    opset = [helper.make_opsetid("", 17)]
    data = helper.make_model(graph, opset_imports=opset, ir_version=9)
    y = glow.compile(data.SerializeToString(), precision="bf16",
                     options=ROUNDING).run({"x": x, "w": given})["y"]

    def is_near(x, w):
        exact = x.astype(np.float64) @ w.astype(np.float64)
        return np.abs(y - exact).max() < 1e-6 * np.abs(exact).max()
    assert is_near(bf16(x), bf16(w)) or depth < SHALLOW and is_near(x, w)


def test_bf16_pairs_in_order():
    """Bit by bit: where there are instructions for pairs, the second product of
    a pair is added before the first."""
    rng = np.random.default_rng(4)
    depth = SHALLOW
    x = rng.standard_normal((3, depth), np.float32)
    weight = rng.standard_normal((depth, 32), np.float32)
    a, b = bf16(x), bf16(weight)
    in_pairs, one_by_one = np.zeros((2, 3, 32), np.float32)
    for k in range(depth):
        one_by_one += a[:, k, None] * b[k]
        in_pairs += a[:, k ^ 1, None] * b[k ^ 1]
    assert product(x, weight).tobytes() in (in_pairs.tobytes(), one_by_one.tobytes())


def test_bf16_special_values():
    """Infinities and NaNs go where they belong, also beside the element that an
    odd depth leaves over; too large factors become infinite."""
    x = np.ones((6, 3), np.float32)
    x[1, 2] = np.inf
    x[2, 0] = np.nan
    x[3] = 3.4e38  # rounds to infinity
    x[4] = 3e38    # the sum overflows
    x[5] = [1e-40, 0, 0]
    y = product(x, np.ones((3, 32), np.float32))
    assert (y[0] == 3).all() and np.isnan(y[2]).all()
    assert np.isposinf(y[[1, 3, 4]]).all()
    assert (np.abs(y[5]) <= 1e-40).all()


@pytest.mark.parametrize("size", SIZES)
def test_bf16_convolution(size):
    """Factors rounded to 2^-9; the residual sum and bias are not."""
    size = SIZES[size]
    onnx_model, filter, bias, inputs = model(size, np.random.default_rng(0))
    data = onnx_model.SerializeToString()
    one, two = (glow.compile(data, precision="bf16", threads=n,
                             options=ROUNDING).run(inputs)["y"] for n in (1, 2))
    rounded = {"x": bf16(inputs["x"]), "r": inputs["r"]}
    same = reference(bf16(filter), bias, rounded, size[-1])
    want = reference(filter, bias, inputs, size[-1])
    assert rms(one - same) / rms(same) < 1e-6
    assert 1e-4 < rms(one - want) / rms(want) < 4e-3
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("rows", [1, 8, 9])
def test_bf16_where_it_is_no_faster(rows):
    """Weights that few rows read are rounded, as they take half the time to
    read; all else is as in single precision."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal((rows, 301), np.float32)
    weight = rng.standard_normal((301, 650), np.float32)
    y = product(x, weight, KEEPING)
    want = x.astype(np.float64) @ (bf16(weight) if rows <= 8 else weight)
    assert rms(y - want) / rms(want) < 1e-6


@pytest.mark.parametrize("size", SIZES)
def test_bf16_convolution_where_it_is_no_faster(size):
    size = SIZES[size]
    onnx_model, filter, bias, inputs = model(size, np.random.default_rng(0))
    y = glow.compile(onnx_model.SerializeToString(), precision="bf16",
                     options=KEEPING).run(inputs)["y"]
    want = reference(filter, bias, inputs, size[-1])
    limit = 4e-6 if size[1] > 128 else LIMITS["fp32-fast"]
    assert rms(y - want) / rms(want) < limit
