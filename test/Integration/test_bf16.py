"""The precision bf16: which factors are rounded, and what that does to results.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
import pytest
from backends import host_has_amx
from onnx import TensorProto, helper, numpy_helper
from test_precision import LIMITS, SIZES, model, reference, rms

import glow


def bf16(values):
    """Rounded to bf16, halves to even, denormals flushed."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(np.uint32)
    return np.where(bits & 0x7f800000, rounded, bits.astype(np.uint32)
                    & np.uint32(0x80000000)).astype(np.uint32).view(np.float32)


# Products of a smaller depth may keep their factors.
SHALLOW = 16
# Elements of activations that are multiplied as often are not rounded.
FEW_TIMES = 8
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
    (3, 40, 64, 48), (2, 17, 33, 50), (2, 9, 5, 3), (1, 3, 64, 20),
    (2, 257, 33, 50), (1, 300, 64, 20)])
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
    if min(rows, columns) <= FEW_TIMES:
        assert is_near(x, w)
    else:
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


# As in test_precision; with twelve channels transforms would take too long.
DIRECT = {"narrow": (2, 12, 14, 17, 40, [1, 1, 1, 1])}


@pytest.mark.parametrize("size", SIZES | DIRECT)
def test_bf16_convolution(size):
    """Factors rounded to 2^-9; the residual sum and bias are not. Winograd's
    algorithm, where it pays, rounds sums of four elements."""
    is_direct = size in DIRECT or host_has_amx()
    size = (SIZES | DIRECT)[size]
    onnx_model, filter, bias, inputs = model(size, np.random.default_rng(0))
    data = onnx_model.SerializeToString()
    one, two = (glow.compile(data, precision="bf16", threads=n,
                             options=ROUNDING).run(inputs)["y"] for n in (1, 2))
    rounded = {"x": bf16(inputs["x"]), "r": inputs["r"]}
    same = reference(bf16(filter), bias, rounded, size[-1])
    want = reference(filter, bias, inputs, size[-1])
    assert one.tobytes() == two.tobytes()
    if size[1] < SHALLOW and rms(one - want) / rms(want) < 1e-6:
        return
    if rms(one - same) / rms(same) > 1e-6:
        assert not is_direct
        same = np.maximum(winograd(filter, inputs["x"], size[-1]) + inputs["r"]
                          + bias.astype(np.float64)[:, None, None], 0)
        assert rms(one - same) / rms(same) < 5e-5
    assert 1e-4 < rms(one - want) / rms(want) < (4e-3 if is_direct else 6e-3)


def winograd(filter, x, pads):
    """Lavin and Gray (2015), F(2 x 2, 3 x 3), with factors rounded to bf16."""
    b = np.float64([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
    g = np.float64([[1, 0, 0], [.5, .5, .5], [.5, -.5, .5], [0, 0, 1]])
    a = np.float64([[1, 1, 1, 0], [0, 1, -1, -1]])
    rows, columns = (e + pads[i] + pads[i + 2] - 2 for i, e in enumerate(x.shape[2:]))
    x = np.pad(bf16(x), [(0, 0), (0, 0), (pads[0], pads[2] + rows % 2), (pads[1], pads[3] + columns % 2)])
    tiles = np.lib.stride_tricks.sliding_window_view(x, (4, 4), (2, 3))[:, :, ::2, ::2]
    tiles = bf16(np.einsum("pi,nchwij,qj->nchwpq", b, tiles, b))
    filter = bf16(np.einsum("pi,ocij,qj->ocpq", g, filter, g))
    sums = np.einsum("nchwpq,ocpq->nohwpq", tiles.astype(np.float64), filter.astype(np.float64))
    sums = np.einsum("ip,nohwpq,jq->nohiwj", a, sums, a)
    return sums.reshape(*sums.shape[:2], rows + rows % 2, -1)[:, :, :rows, :columns]


def test_bf16_clip():
    """Frame by frame, with sums of single precision between the frames."""
    rng = np.random.default_rng(9)
    x = rng.standard_normal((1, 64, 4, 20, 20), np.float32)
    w = rng.standard_normal((64, 64, 3, 3, 3), np.float32)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 6),
         helper.make_node("Relu", ["c"], ["y"])], "clip",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w")])
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                             ir_version=9).SerializeToString()
    y = glow.compile(data, precision="bf16", options=ROUNDING).run({"x": x})["y"]
    want = glow.compile(data, precision="strict").run({"x": x})["y"]
    assert 1e-4 < rms(y - want) / rms(want) < 6e-3


@pytest.mark.parametrize("precision", ["strict", "fp32", "fp32-fast", "bf16"])
@pytest.mark.parametrize("dilation", [1, 2])
def test_models_in_bf16(dilation, precision):
    """Convolutions that are in bf16 themselves, with and without more behind
    them: as exact in each precision as their results can be."""
    rng = np.random.default_rng(10)
    x = rng.standard_normal((1, 64, 24, 24), np.float32)
    w = rng.standard_normal((64, 64, 3, 3), np.float32) / 24
    bias = rng.standard_normal(64).astype(np.float32)
    window = dict(pads=[dilation] * 4, dilations=[dilation] * 2)
    nodes = [helper.make_node("Cast", [n], [n + "b"], to=TensorProto.BFLOAT16) for n in ("x", "w", "b")]
    nodes += [helper.make_node("Conv", ["xb", "wb"], ["c"], **window),
              helper.make_node("Conv", ["xb", "wb", "bb"], ["d"], **window),
              helper.make_node("Relu", ["d"], ["r"])]
    nodes += [helper.make_node("Cast", [n], [n + "f"], to=TensorProto.FLOAT) for n in ("c", "r")]
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(
        nodes, "bf16", [info("x", x.shape)], [info("cf", x.shape), info("rf", x.shape)],
        [numpy_helper.from_array(a, n) for n, a in (("w", w), ("b", bias))])
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)],
                             ir_version=10).SerializeToString()
    want = glow.compile(data, target="interpret-double").run({"x": x})
    got = glow.compile(data, precision=precision, options=ROUNDING).run({"x": x})
    limit = 6e-3 if precision == "bf16" else 4e-3
    for name in ("cf", "rf"):
        assert rms(got[name] - want[name]) / rms(want[name]) < limit


FUNCTIONS = {"Exp": np.exp, "Tanh": np.tanh, "Erf": np.vectorize(math.erf),
             "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
             "Gelu": lambda x: x * (0.5 + 0.5 * np.vectorize(math.erf)(x / 2 ** 0.5))}


def gelu_tanh(x):
    return x * (0.5 + 0.5 * np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x ** 3)))


def test_gelu_is_nothing_far_below():
    """tanh reaches -1, which is left of the sum with 1 times any number."""
    x = bf16(np.resize([-5, -10, -100, -1e4, -1e10, -3, 2, 10], (40, 32)).astype(np.float32))
    def info(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
    graph = helper.make_graph(
        [helper.make_node("Gelu", ["x"], ["f"], approximate="tanh"),
         helper.make_node("MatMul", ["w", "f"], ["y"])], "gelu", [info("x")], [info("y")],
        [numpy_helper.from_array(np.eye(40, dtype=np.float32), "w")])
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    y = glow.compile(data.SerializeToString(), precision="bf16", options=ROUNDING).run({"x": x})["y"]
    want = gelu_tanh(x.astype(np.float64))
    assert (np.abs(y - want) <= np.abs(want) * 2 ** -7.9 + 1e-4).all()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_numbers_that_are_rounded(function):
    """To half a unit in the last place of bf16 and a sixteenth of that."""
    rows, columns = 160, 64
    numbers = np.concatenate([np.linspace(-9, 9, 9 * 1024), np.geomspace(1e-6, 60, 1015),
                              [np.inf, -np.inf, np.nan, 0, 89.5, -89.5, -1e30, 1e30, 88]])
    x = bf16(np.resize(numbers, (rows, columns)).astype(np.float32))
    def info(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
    graph = helper.make_graph(
        [helper.make_node(function, ["x"], ["f"]), helper.make_node("MatMul", ["w", "f"], ["y"])],
        "function", [info("x")], [info("y")],
        [numpy_helper.from_array(np.eye(rows, dtype=np.float32), "w")])
    # One product a sum, and no others beside what is not finite.
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    one = glow.compile(data.SerializeToString(), precision="bf16", options=ROUNDING)
    with np.errstate(over="ignore", invalid="ignore"):
        want = FUNCTIONS[function](x.astype(np.float64))
    largest = float(np.finfo(np.float32).max)
    isFinite = np.isfinite(x) & (np.abs(want) < largest)
    y = one.run({"x": np.where(isFinite, x, np.float32(1))})["y"][isFinite]
    want = want[isFinite]
    limit = np.abs(want) * 2 ** -8 * (1 + 2 ** -4) + 6e-5 * (function in ("Erf", "Gelu"))
    assert (np.abs(y - want) <= limit + 1.2e-38 * 100).all()


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
