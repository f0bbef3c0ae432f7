"""Powers against IEEE arithmetic in NumPy, and of integers.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from special import SPECIAL, check, run

import glow


@pytest.mark.parametrize("exponent", [
    0, 1, 2, 3, 4, -1, -2, 0.5, -0.5, 0.75, 1.5, -3])
def test_constant_powers(exponent):
    """Products and roots in place of a power have its special values."""
    x = np.concatenate([SPECIAL, SPECIAL, SPECIAL[:7]])
    actual = run([("Pow", ["x", "e"], {})], {"x": x}, {"e": np.float32([exponent])})
    with np.errstate(all="ignore"):
        # Of a single number as exponent NumPy too makes a root, with its signs.
        expected = np.power(x.astype(np.float64), np.full(x.shape, exponent))
        # 1 / x^2 is 0 as soon as x^2 is infinite.
        if exponent == -2:
            expected[np.isinf(np.square(x))] = 0
    check(actual, expected, 2)
    signed = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(actual)[signed],
                                  np.signbit(expected)[signed])


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("exponent", [0, 1, 5, 31, -1, -2, -5])
def test_powers_of_integers(exponent, constant, kind):
    """They wrap, and negative ones are 0 but of 1 and -1."""
    most = np.iinfo(kind).max
    x = np.array([0, 1, -1, 2, -2, 3, most, -most, most - 1, -most - 1] * 4, kind)
    e = np.full_like(x, exponent)
    info, kinds = helper.make_tensor_value_info, TensorProto
    element = kinds.INT32 if kind == np.int32 else kinds.INT64
    graph = helper.make_graph(
        [helper.make_node("Pow", ["x", "e"], ["y"])], "powers",
        [info("x", element, x.shape)]
        + ([] if constant else [info("e", element, e.shape)]),
        [info("y", element, None)],
        [numpy_helper.from_array(e[:1], "e")] if constant else [])
    model = helper.make_model(graph, ir_version=9,
                              opset_imports=[helper.make_opsetid("", 17)])
    inputs = {"x": x} if constant else {"x": x, "e": e}
    actual = glow.compile(model.SerializeToString()).run(inputs)["y"]
    wrapped = [pow(int(a), exponent, 2 ** (8 * x.itemsize)) if exponent >= 0
               else int(a) ** -exponent if abs(int(a)) == 1 else 0 for a in x]
    unsigned = np.uint32 if kind == np.int32 else np.uint64
    expected = np.array([a % 2 ** (8 * x.itemsize) for a in wrapped],
                        unsigned).view(kind)
    np.testing.assert_array_equal(actual, expected)
