"""Quotients and remainders in vectors, which have to be exact: of integers, and of
floating-point numbers far apart.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from plain_c import call

import glow

PROCESSORS = ["", "haswell", "x86-64"]


def model_of(op, inputs, constants=(), **attributes):
    """A node of x and z, whose result is like x."""
    def info(name, array):
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(name, kind, array.shape)

    graph = helper.make_graph(
        [helper.make_node(op, ["x", "z"], ["y"], **attributes)], "quotients",
        [info(name, array) for name, array in inputs.items()], [info("y", inputs["x"])],
        constants)
    return helper.make_model(graph, ir_version=10,
                             opset_imports=[helper.make_opsetid("", 18)])


def run(op, x, z, processor, **attributes):
    inputs = {"x": x, "z": z}
    model = model_of(op, inputs, **attributes)
    options = {"mcpu": processor} if processor else {}
    return glow.compile(model.SerializeToString(), options=options).run(inputs)["y"]


def pairs(dtype):
    """Random ones, small divisors, and all pairs of those at the limits."""
    rng = np.random.default_rng(0)
    limits = np.iinfo(dtype)
    x, z = rng.integers(limits.min, limits.max, (2, 5003), dtype, endpoint=True)
    z[:2000] = rng.integers(1, 9, 2000)
    # The least number by -1 is too large for the type, and is itself.
    edges = np.array([limits.min, limits.min + 1, limits.max - 1, limits.max, 1, 2, 3]
                     + [-1] * (limits.min < 0), dtype)
    ends = [a.ravel() for a in np.meshgrid(edges, edges)]
    x, z = np.concatenate([x, ends[0]]), np.concatenate([z, ends[1]])
    return x[z != 0], z[z != 0]


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.uint8,
                                   np.uint16, np.uint32])
def test_integers(dtype, processor):
    x, z = pairs(dtype)
    wide_x, wide_z = x.astype(np.int64), z.astype(np.int64)
    quotient = np.abs(wide_x) // np.abs(wide_z) * np.sign(wide_x) * np.sign(wide_z)
    np.testing.assert_array_equal(run("Div", x, z, processor),
                                  quotient.astype(dtype))
    np.testing.assert_array_equal(run("Mod", x, z, processor),
                                  np.mod(wide_x, wide_z).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.uint32])
def test_zero_divisors(dtype):
    """No trap and no random number: 0."""
    x = np.arange(100).astype(dtype)
    z = np.where(x % 3 == 0, 0, 7).astype(dtype)
    expected = np.where(z == 0, 0, x // 7).astype(dtype)
    np.testing.assert_array_equal(run("Div", x, z, ""), expected)


@pytest.mark.parametrize("divisor", [1, 7, 16, -3])
def test_constant_divisors(divisor, bin_dir, tmp_path):
    """LLVM multiplies or shifts instead."""
    x = np.arange(-50, 50, dtype=np.int32)
    model = model_of("Div", {"x": x},
                     [numpy_helper.from_array(np.int32(divisor), "z")])
    onnx.save(model, tmp_path / "model.onnx")
    code = call(bin_dir / "glow-compile", tmp_path / "model.onnx", "--stop-after=llvm",
                "-o", "-").decode()
    assert "fdiv" not in code
    y = glow.compile(model.SerializeToString()).run({"x": x})["y"]
    np.testing.assert_array_equal(y, np.trunc(x / divisor).astype(np.int32))


@pytest.mark.parametrize("processor", PROCESSORS)
def test_floating_point(processor):
    """From one subnormal number to the largest, so that quotients have up to 277
    bits; and infinities, zeros and NaNs in all pairs."""
    rng = np.random.default_rng(1)
    x, z = (np.float32(2.0 ** rng.uniform(-149, 128, 20003)
                       * rng.choice([-1, 1], 20003)) for _ in range(2))
    special = np.float32([np.inf, -np.inf, np.nan, 0, -0.0, 1, -1, 3, 1e-45, 3e38])
    ends = [a.ravel() for a in np.meshgrid(special, special)]
    x, z = np.concatenate([x, ends[0]]), np.concatenate([z, ends[1]])
    actual = run("Mod", x, z, processor, fmod=1)
    with np.errstate(all="ignore"):
        expected = np.fmod(x, z)
    np.testing.assert_array_equal(actual, expected)
    some = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(actual)[some],
                                  np.signbit(expected)[some])
