"""Infinities, NaNs, denormals and numbers near the limits, in each precision:
what docs/Precision.md says of them, against IEEE arithmetic in NumPy.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import ml_dtypes
import numpy as np
import pytest
from backends import host_has_amx, run_onnxruntime
from onnx import TensorProto
from special import INF, MAX, NAN, SPECIAL, TINY, build, check, run

import glow

PRECISIONS = ["strict", "fp32", "fp32-fast", "bf16"]
if host_has_amx():
    # There infinite factors make NaN; test_amx.py has the cases.
    PRECISIONS.remove("fp32-fast")


def factor(values, precision):
    """What products take of an array: in bf16 it is rounded, beyond the largest
    number to infinity, and denormals are 0."""
    if precision != "bf16":
        return values
    with np.errstate(all="ignore"):
        rounded = values.astype(ml_dtypes.bfloat16).astype(np.float32)
    rounded[np.abs(rounded) < np.finfo(np.float32).tiny] = 0
    return rounded


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("op, function", [
    ("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply),
    ("Div", np.divide), ("Min", np.minimum), ("Max", np.maximum)])
def test_two_operands(op, function, precision):
    x, z = (a.copy() for a in np.meshgrid(SPECIAL, SPECIAL))
    actual = run([(op, ["x", "z"], {})], {"x": x, "z": z}, precision=precision)
    with np.errstate(all="ignore"):
        check(actual, function(x, z), 0)


def test_remainders():
    """The sign of Mod's zeros, which comparisons do not see."""
    x = np.float32([0, -0.0, 0, -0.0, 4, -4, -3, 3, -3, INF, 1, NAN])
    z = np.float32([-2, 2, 2, -2, -2, 2, INF, INF, -INF, 2, 0, 1])
    actual = run([("Mod", ["x", "z"], {"fmod": 0})], {"x": x, "z": z}, opset=28)
    with np.errstate(all="ignore"):
        expected = np.mod(x, z)
    check(actual, expected, 0)
    some = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(actual)[some],
                                  np.signbit(expected)[some])


def softplus(x):
    """log(1 + e^x), without overflow."""
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


FUNCTIONS = {
    "Exp": (np.exp, 1), "Log": (np.log, 1), "Sqrt": (np.sqrt, 0),
    "Tanh": (np.tanh, 5), "Sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 3),
    "Abs": (np.abs, 0), "Neg": (np.negative, 0),
    "Relu": (lambda x: np.maximum(x, 0), 0),
    "Floor": (np.floor, 0), "Reciprocal": (np.reciprocal, 0),
    "Sin": (np.sin, 2), "Cos": (np.cos, 2), "Erf": (np.vectorize(math.erf), 4),
    "Tan": (np.tan, 4), "Asin": (np.arcsin, 3), "Acos": (np.arccos, 2),
    "Atan": (np.arctan, 2),
    "Sinh": (np.sinh, 4), "Asinh": (np.arcsinh, 2),
    "Cosh": (np.cosh, 4), "Acosh": (np.arccosh, 3), "Atanh": (np.arctanh, 3),
    "Softplus": (softplus, 2), "Mish": (lambda x: x * np.tanh(softplus(x)), 5)}


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_functions(op, precision):
    function, ulps = FUNCTIONS[op]
    # Twice, for whole vectors and for rests.
    x = np.concatenate([SPECIAL, SPECIAL, SPECIAL[:7]])
    rng = np.random.default_rng(4)
    x = np.concatenate([x] + [rng.uniform(-bound, bound, 5001).astype(np.float32)
                              for bound in (0.01, 4, 90)])
    if op in ("Sin", "Cos", "Tan"):
        x = x[np.isnan(x) | np.isinf(x) | (np.abs(x) < 1e8)]
    actual = run([(op, ["x"], {})], {"x": x}, precision=precision, opset=18)
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float64))
    if op in ("Exp", "Sigmoid", "Softplus", "Mish"):
        # Subnormal powers are 0. Mish multiplies them by up to -104.
        least = np.finfo(np.float32).tiny * (104 if op == "Mish" else 1)
        small = np.abs(expected) < least
        assert (np.abs(actual[small]) <= least).all()
        actual, expected = actual[~small], expected[~small]
    check(actual, expected, ulps)


REDUCTIONS = {"ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max,
              "ReduceMin": np.min}


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions(op, axis, precision):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((40, 40)).astype(np.float32)
    for i, value in enumerate(SPECIAL):
        x[i, i] = value
    x[25, 3:9] = INF, 1, -INF, 2, 3, 4
    with np.errstate(all="ignore"):
        expected = REDUCTIONS[op](x.astype(np.float64), axis=axis)
    arguments = {"keepdims": 0}
    constants = {}
    names = ["x"]
    if op == "ReduceSum":
        constants["axes"], names = np.int64([axis]), ["x", "axes"]
    else:
        arguments["axes"] = [axis]
    actual = run([(op, names, arguments)], {"x": x}, constants, precision)
    check(actual, expected, 64)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("constant", [True, False])
def test_products(constant, precision):
    """One special value makes special what it is summed up into, and nothing
    else; products of denormals with large numbers are kept."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20, 600)).astype(np.float32)
    w = rng.standard_normal((600, 50)).astype(np.float32)
    for i, value in enumerate(SPECIAL):
        x[i, 13 * i] = value
    w[5, 3], w[7, 4] = INF, NAN
    x[11:14, 5:9] = 0
    x[15] = 0
    x[15, 100], w[100, 20] = 1e-40, 1e30
    with np.errstate(all="ignore"):
        expected = (factor(x, precision).astype(np.float64)
                    @ factor(w, precision).astype(np.float64))
    inputs = {"x": x} if constant else {"x": x, "w": w}
    actual = run([("MatMul", ["x", "w"], {})], inputs,
                 {"w": w} if constant else {}, precision)
    with np.errstate(over="ignore"):
        expected = expected.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    # A sum that goes beyond the largest number on its way is infinite.
    near = np.abs(expected) > MAX / 4
    np.testing.assert_allclose(actual[~near], expected[~near], rtol=1e-3, atol=1e-4)
    if precision != "bf16":
        assert actual[15, 20] == pytest.approx(1e-10, rel=1e-5)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("channels", [5, 64])
def test_convolutions(channels, precision):
    """Each special value reaches its own window at least; beyond it only the
    tiles of Winograd convolutions, which `strict` has not."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((64, channels, 3, 3)).astype(np.float32)
    nodes = [("Conv", ["x", "w"], {"pads": [1, 1, 1, 1]})]
    is_winograd = precision != "strict" and channels >= 16
    for value in [INF, -INF, NAN, MAX]:
        x = rng.standard_normal((1, channels, 28, 28)).astype(np.float32)
        x[0, 2, 9, 10] = value
        actual = run(nodes, {"x": x}, {"w": w}, precision)
        rounded = {"x": factor(x, precision)}
        expected = run_onnxruntime(
            build(nodes, rounded, {"w": factor(w, precision)}), rounded)["y"]
        reach = {"fp32": 2, "fp32-fast": 4, "bf16": 4}[precision] if is_winograd else 0
        far = np.ones(actual.shape, bool)
        far[:, :, 8 - reach:11 + reach, 9 - reach:12 + reach] = False
        if precision == "bf16":  # a small depth may keep its factors
            error = np.square(actual[far] - expected[far]).mean() / np.square(expected[far]).mean()
            assert np.sqrt(error) < 6e-3
        else:
            np.testing.assert_allclose(actual[far], expected[far], rtol=1e-3, atol=1e-3)
        window = np.s_[0, :, 8:11, 9:12]
        if value != MAX:
            assert not np.isfinite(actual[window]).any()
        if reach == 0 and value != MAX:
            np.testing.assert_array_equal(actual[window], expected[window])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_denormals(precision):
    """Kept in sums, products and moves."""
    x = np.float32([[TINY, 1e-40, -1e-39, 1e-38] * 8])
    w = np.eye(32, dtype=np.float32)
    for nodes in ([("Add", ["x", "x"], {})], [("Transpose", ["x"], {})],
                  [("MatMul", ["x", "w"], {})], [("Relu", ["x"], {})]):
        if nodes[0][0] == "MatMul" and precision == "bf16":
            continue
        actual = run(nodes, {"x": x}, {"w": w}, precision)
        expected = {"Add": x + x, "Transpose": x.T, "MatMul": x,
                    "Relu": np.maximum(x, 0)}[nodes[0][0]]
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("op", ["MaxPool", "ReduceMax", "ReduceMin"])
def test_denormals_of_bfloat16(op):
    """Kept by conversions and by what chooses among numbers."""
    x = np.float32([TINY, 1e-40, -1e-39, 9e-41] * 8).reshape(1, 2, 16)
    attributes = ({"kernel_shape": [2], "strides": [2]} if op == "MaxPool"
                  else {"axes": [2]})
    nodes = [("Cast", ["x"], {"to": TensorProto.BFLOAT16}),
             (op, ["0"], attributes), ("Cast", ["1"], {"to": TensorProto.FLOAT})]
    narrow = x.astype(ml_dtypes.bfloat16).astype(np.float32)
    expected = {"MaxPool": narrow.reshape(1, 2, 8, 2).max(3),
                "ReduceMax": narrow.max(2, keepdims=True),
                "ReduceMin": narrow.min(2, keepdims=True)}[op]
    actual = run(nodes, {"x": x}, precision="bf16", opset=17 if op != "MaxPool" else 22)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_softmax(precision):
    x = np.float32([[1, 2, 3, 4], [INF, 1, 2, 3], [-INF, 1, 1, -INF],
                    [NAN, 1, 2, 3], [MAX, 1, MAX, 0], [-MAX, -MAX, -MAX, -MAX],
                    [1e-45, 0, 0, 0], [-INF] * 4])
    actual = run([("Softmax", ["x"], {})], {"x": x}, precision=precision)
    with np.errstate(all="ignore"):
        exponents = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        expected = exponents / exponents.sum(1, keepdims=True)
    check(actual, expected, 8)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_pools(op, precision):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 20, 8, 8)).astype(np.float32)
    for i, value in enumerate(SPECIAL):
        x[0, i, i % 8, i % 5] = value
    x[0, 0, 0, :2] = INF, NAN
    nodes = [(op, ["x"], {"kernel_shape": [2, 2], "strides": [2, 2]})]
    windows = x.astype(np.float64).reshape(1, 20, 4, 2, 4, 2)
    with np.errstate(all="ignore"):
        expected = (windows.max((3, 5)) if op == "MaxPool"
                    else windows.mean((3, 5)))
    actual = run(nodes, {"x": x}, precision=precision)
    near = np.abs(expected) > MAX / 8
    near &= np.isfinite(expected)
    actual, expected = actual[~near], expected[~near]
    if op == "MaxPool":
        check(actual, expected, 0)
    else:
        np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-6)
