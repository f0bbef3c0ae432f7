"""Code for processors with AMX, run by an emulator of its instructions: families
of kernels and whole models in each precision, against sums in double precision.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from amx_emulation import LIMITS, needs_vectors, rms
from onnx import TensorProto, helper, numpy_helper

pytestmark = needs_vectors


def graph(nodes, inputs, weights, output):
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    made = helper.make_graph(
        nodes, "products", [info(n, a.shape) for n, a in inputs.items()],
        [info("y", output)],
        [numpy_helper.from_array(a, n) for n, a in weights.items()])
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)],
                             ir_version=9)


def matrices(rows, depth, columns, rng, scale=1):
    """x w + b, and the same with ReLU in double precision."""
    x = rng.standard_normal((rows, depth), np.float32) * np.float32(scale)
    w = rng.standard_normal((depth, columns), np.float32)
    b = rng.standard_normal(columns, np.float32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]),
             helper.make_node("Add", ["p", "b"], ["s"]),
             helper.make_node("Relu", ["s"], ["y"])]
    model = graph(nodes, {"x": x}, {"w": w, "b": b}, (rows, columns))
    exact = np.maximum(x.astype(np.float64) @ w + b, 0)
    return model, {"x": x}, exact


# Rows, depth, columns and the modes in which tiles pay, or else vectors do.
MATRICES = [
    ((64, 128, 1024), "fp32 fp32-fast bf16"),  # whole tiles
    ((328, 100, 530), "fp32 fp32-fast bf16"),  # rests of all
    ((136, 128, 600), "fp32 fp32-fast bf16"),
    ((41, 100, 600), "fp32-fast bf16"),
    ((25, 128, 600), "fp32-fast bf16"),        # part of a register
    ((9, 64, 300), "bf16"),
    ((2, 65, 300), "bf16"),
    ((1, 64, 300), ""),
    ((330, 800, 330), "fp32 fp32-fast bf16"),   # parts of the depth
    ((128, 4608, 512), "fp32 fp32-fast bf16")]  # long sums


@pytest.mark.parametrize("precision", LIMITS)
@pytest.mark.parametrize("shape, modes", MATRICES)
def test_matrices(shape, modes, precision, amx):
    model, inputs, exact = matrices(*shape, np.random.default_rng(0))
    y, = amx.run(model, inputs, precision, [exact.astype(np.float32)])
    assert 0 < rms(y - exact) / rms(exact) < LIMITS[precision]
    assert (amx.products > 0) == (precision in modes.split())


# Images, input channels, height, width, output channels, window, further
# attributes.
CONVOLUTIONS = {
    "3x3": ((1, 64, 28, 28, 64, 3), {"pads": [1, 1, 1, 1]}),
    "narrow": ((2, 128, 9, 14, 128, 3), {"pads": [1, 1, 1, 1]}),
    "strided": ((1, 64, 46, 65, 128, 3), {"strides": [2, 2]}),
    "1x1": ((1, 64, 14, 14, 256, 1), {}),
    "odd-channels": ((1, 72, 12, 32, 200, 3), {"pads": [1, 1, 1, 1]}),
    "dilated": ((1, 64, 14, 36, 96, 3), {"dilations": [2, 2]}),
    "image": ((2, 3, 41, 52, 64, 7), {"pads": [3] * 4, "strides": [2, 2]}),
    "few-channels": ((1, 6, 20, 33, 40, 5), {"pads": [2] * 4}),
    "26-channels": ((1, 26, 20, 28, 48, 3), {"strides": [2, 2]}),
    "8-a-group": ((1, 64, 14, 20, 64, 3), {"pads": [1] * 4, "group": 8}),
    "24-a-group": ((1, 48, 14, 20, 48, 3), {"strides": [2, 2], "group": 2})}
# Rather by Winograd's algorithm than in six products.
FEWER_PRODUCTS = "3x3", "narrow", "odd-channels", "dilated"
# A register of their channels would be nearly empty; one of a line's taps is not.
IN_BF16 = "image", "few-channels", "26-channels", "8-a-group", "24-a-group"


def convolution(size, attributes, rng):
    images, channels, height, width, out, window = size
    groups = attributes.get("group", 1)
    x = rng.standard_normal((images, channels, height, width), np.float32)
    w = rng.standard_normal((out, channels // groups, window, window), np.float32)
    strides = attributes.get("strides", [1, 1])
    dilations = attributes.get("dilations", [1, 1])
    before = attributes.get("pads", [0] * 4)[0]
    padded = np.pad(x.astype(np.float64),
                    [(0, 0), (0, 0), (before, before), (before, before)])
    rows, columns = ((extent - dilations[i] * (window - 1) - 1) // strides[i] + 1
                     for i, extent in enumerate(padded.shape[2:]))
    exact = np.zeros((images, groups, out // groups, rows, columns))
    for i in range(window):
        for j in range(window):
            top, left = i * dilations[0], j * dilations[1]
            part = padded[:, :, top:top + rows * strides[0]:strides[0],
                          left:left + columns * strides[1]:strides[1]]
            part = part[:, :, :rows, :columns]
            exact += np.einsum(
                "ngchw,goc->ngohw", part.reshape(images, groups, -1, rows, columns),
                w[:, :, i, j].reshape(groups, out // groups, -1).astype(np.float64),
                optimize=True)
    exact = exact.reshape(images, out, rows, columns)
    node = helper.make_node("Conv", ["x", "w"], ["y"], **attributes)
    return graph([node], {"x": x}, {"w": w}, exact.shape), {"x": x}, exact


@pytest.mark.parametrize("precision", ["fp32", "fp32-fast", "bf16"])
@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolutions(case, precision, amx):
    model, inputs, exact = convolution(*CONVOLUTIONS[case],
                                       np.random.default_rng(1))
    y, = amx.run(model, inputs, precision, [exact.astype(np.float32)])
    in_tiles = (precision == "bf16" or case not in IN_BF16
                and (precision == "fp32-fast" or case not in FEWER_PRODUCTS))
    # Vectors sum up as `strict` does, or by Winograd's algorithm.
    limit = LIMITS["strict" if precision == "fp32" and not in_tiles else precision]
    assert 0 < rms(y - exact) / rms(exact) < limit
    assert (amx.products > 0) == in_tiles


def test_special_values_beside_a_line_of_taps(amx):
    """What a register has behind the taps of a line is not read."""
    model, inputs, exact = convolution((1, 3, 24, 40, 32, 7), {"pads": [3] * 4},
                                       np.random.default_rng(4))
    inputs["x"][0, :, 5, 9], inputs["x"][0, 1, 17, 30] = np.nan, np.inf
    y, = amx.run(model, inputs, "bf16", [exact.astype(np.float32)])
    assert amx.products > 0
    finite = np.ones(exact.shape[2:], bool)
    finite[2:9, 6:13] = finite[14:21, 27:34] = False
    assert (np.isfinite(y[0]).all(0) == finite).all()


def test_registers_keep_their_forms(amx):
    """LLVM's schedule for another processor would rename tile registers."""
    model, inputs, exact = convolution((1, 64, 15, 13, 96, 3),
                                       {"pads": [1, 1, 1, 1]},
                                       np.random.default_rng(3))
    machine = ["--mcpu=znver4", "--mattr=+amx-tile,+amx-bf16,+amx-int8"]
    for precision in ("fp32-fast", "bf16"):
        y, = amx.run(model, inputs, precision, [exact.astype(np.float32)],
                     machine)
        assert 0 < rms(y - exact) / rms(exact) < LIMITS[precision]
        assert amx.products > 0


@pytest.mark.parametrize("rows", [40, 260])
@pytest.mark.parametrize("transposed", [False, True])
def test_product_of_activations(transposed, rows, amx):
    """As in attention: in bf16 the right-hand side is put in panels while the
    model runs, that of many rows by an instruction of its own; in single
    precision it is not taken apart."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((3, rows, 72), np.float32)
    w = rng.standard_normal((3, 72, 50), np.float32)
    given = np.ascontiguousarray(w.swapaxes(1, 2)) if transposed else w
    nodes = [helper.make_node("Transpose", ["w"], ["v"],
                              perm=[0, 2, 1] if transposed else [0, 1, 2]),
             helper.make_node("MatMul", ["x", "v"], ["y"])]
    inputs = {"x": x, "w": given}
    exact = x.astype(np.float64) @ w
    for precision in ("fp32", "bf16"):
        y, = amx.run(graph(nodes, inputs, {}, exact.shape), inputs, precision,
                     [exact.astype(np.float32)])
        assert rms(y - exact) / rms(exact) < LIMITS[precision]
        assert (amx.products > 0) == (precision == "bf16")


def special_product(values, precision, amx):
    """Rows that begin with `values`, times ones, in tiles."""
    x = np.zeros((64, 128), np.float32)
    x[:len(values), 0] = values
    w = np.ones((128, 1024), np.float32)
    model = graph([helper.make_node("MatMul", ["x", "w"], ["y"])], {"x": x},
                  {"w": w}, (64, 1024))
    y, = amx.run(model, {"x": x}, precision, [np.zeros((64, 1024), np.float32)])
    assert amx.products > 0
    assert (y[len(values):] == 0).all()
    assert y.tobytes() == np.repeat(y[:, :1], 1024, 1).tobytes()
    return y[:len(values), 0]


@pytest.mark.parametrize("precision", ["fp32", "fp32-fast"])
def test_special_values_in_pieces(precision, amx):
    """What docs/Precision.md says of them."""
    values = np.array([np.inf, -np.inf, np.nan, 3.4e38, 3.38e38, 1.0 / 3, 1e-30,
                       1e-36, 2e-38, 1e-40], np.float32)
    y = special_product(values, precision, amx)
    assert np.isnan(y[:4]).all()
    error = np.abs(y[4:].astype(np.float64) - values[4:])
    bits = 2.0 ** -24 if precision == "fp32" else 2.0 ** -16
    assert (error <= bits * np.abs(values[4:]) + 2.0 ** -126).all()


def test_special_values_in_bf16(amx):
    values = np.array([np.inf, -np.inf, np.nan, 3.4e38, 3e38, 1e-40], np.float32)
    y = special_product(values, "bf16", amx)
    assert np.isposinf(y[[0, 3]]).all() and np.isneginf(y[1]) and np.isnan(y[2])
    assert abs(y[4] / 3e38 - 1) < 2 ** -8 and y[5] == 0
