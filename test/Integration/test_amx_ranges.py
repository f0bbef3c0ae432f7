"""Ranges of shapes with the tiles of AMX, in the emulator.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from amx_emulation import LIMITS, needs_vectors, rms
from onnx import helper
from product_models import attention, float_model

pytestmark = needs_vectors


@pytest.mark.parametrize("precision", ["fp32-fast", "bf16"])
def test_rows_of_a_range(precision, amx):
    most, depth, columns = 72, 128, 600
    rng = np.random.default_rng(4)
    w = rng.standard_normal((depth, columns), np.float32)
    model = float_model([helper.make_node("MatMul", ["x", "w"], ["y"])],
                        {"x": ["n", depth]}, ["n", columns], {"w": w})
    for rows in (1, 15, 16, 17, 33, 64, most):
        x = rng.standard_normal((rows, depth), np.float32)
        y, = amx.run(model, {"x": x, "n": np.array([rows])}, precision,
                     [np.zeros((rows, columns), np.float32)],
                     ranges=[f"x=1..{most}x{depth}"])
        exact = x.astype(np.float64) @ w
        assert 0 < rms(y - exact) / rms(exact) < LIMITS[precision]
        # Few rows in pieces are left to vectors.
        assert amx.products > 0 or (precision == "fp32-fast" and rows < 33)


@pytest.mark.parametrize("lines", [1, 20])
def test_few_rows_of_a_range(lines, amx):
    """Those of no range fill a register; vectors multiply one."""
    most, depth, columns = 12, 100, 70
    rng = np.random.default_rng(7)
    w = rng.standard_normal((depth, columns), np.float32)
    model = float_model([helper.make_node("MatMul", ["x", "w"], ["y"])],
                        {"x": [lines, "n", depth]}, [lines, "n", columns], {"w": w})
    for rows in (1, 2, 7, 8, 9, most):
        x = rng.standard_normal((lines, rows, depth), np.float32)
        y, = amx.run(model, {"x": x, "n": np.array([rows])}, "bf16",
                     [np.zeros((lines, rows, columns), np.float32)],
                     ranges=[f"x={lines}x1..{most}x{depth}"])
        exact = x.astype(np.float64) @ w
        assert 0 < rms(y - exact) / rms(exact) < LIMITS["bf16"]
        assert (amx.products > 0) == (rows > 1)


@pytest.mark.parametrize("precision", ["fp32", "fp32-fast"])
def test_few_rows_of_pieces(precision, amx):
    """Fewer rows than tiles are worth are multiplied by vectors, of one text or several."""
    texts, most, depth, columns = 4, 60, 256, 512
    rng = np.random.default_rng(8)
    w, v = (rng.standard_normal(shape, np.float32)
            for shape in ((depth, columns), (columns, depth)))
    model = float_model([helper.make_node("MatMul", ["x", "w"], ["h"]),
                         helper.make_node("Relu", ["h"], ["r"]),
                         helper.make_node("MatMul", ["r", "v"], ["s"]),
                         helper.make_node("Add", ["s", "x"], ["y"])],
                        {"x": ["b", "n", depth]}, ["b", "n", depth], {"w": w, "v": v})
    tiles = {}
    for b, n in ((1, 1), (1, 17), (1, most), (3, 2), (2, 31), (texts, most)):
        x = rng.standard_normal((b, n, depth), np.float32)
        y, = amx.run(model, {"x": x, "n": np.array([b, n])}, precision,
                     [np.zeros((b, n, depth), np.float32)],
                     ranges=[f"x=1..{texts}x1..{most}x{depth}"])
        exact = np.maximum(x.astype(np.float64) @ w, 0) @ v + x
        assert 0 < rms(y - exact) / rms(exact) < 2 * LIMITS[precision]
        tiles[b * n] = amx.products > 0
    assert tiles[texts * most] and not (tiles[1] or tiles[6])


def test_one_text_of_few_rows(amx):
    """Rows that products are added to in place are added to once."""
    texts, rows, width = 4, 64, 256
    rng = np.random.default_rng(9)
    w, v = (rng.standard_normal((width, width), np.float32) / 16 for _ in range(2))
    model = float_model([helper.make_node("MatMul", ["x", "w"], ["p"]),
                         helper.make_node("Add", ["x", "p"], ["h"]),
                         helper.make_node("MatMul", ["h", "v"], ["s"]),
                         helper.make_node("Add", ["h", "s"], ["y"])],
                        {"x": ["b", rows, width]}, ["b", rows, width], {"w": w, "v": v})
    for b in range(1, texts + 1):
        x = rng.standard_normal((b, rows, width), np.float32)
        y, = amx.run(model, {"x": x, "b": np.array([b])}, "fp32",
                     [np.zeros((b, rows, width), np.float32)],
                     ranges=[f"x=1..{texts}x{rows}x{width}"])
        middle = x + x.astype(np.float64) @ w
        exact = middle + middle @ v
        assert rms(y - exact) / rms(exact) < 2 * LIMITS["fp32"]


@pytest.mark.parametrize("precision", ["fp32-fast", "bf16"])
def test_one_of_several_texts(precision, amx):
    """Registers of 12 rows for one text of 24, of 16 for more of them."""
    texts, rows, depth, columns = 8, 24, 384, 400
    rng = np.random.default_rng(11)
    w = rng.standard_normal((depth, columns), np.float32)
    model = float_model([helper.make_node("MatMul", ["x", "w"], ["p"]),
                         helper.make_node("Relu", ["p"], ["y"])],
                        {"x": ["b", rows, depth]}, ["b", rows, columns], {"w": w})
    for b in (1, 2, 3, texts):
        x = rng.standard_normal((b, rows, depth), np.float32)
        y, = amx.run(model, {"x": x, "b": np.array([b])}, precision,
                     [np.zeros((b, rows, columns), np.float32)],
                     ranges=[f"x=1..{texts}x{rows}x{depth}"])
        exact = np.maximum(x.astype(np.float64) @ w, 0)
        assert 0 < rms(y - exact) / rms(exact) < LIMITS[precision]
        assert amx.products > 0


def test_attention_of_a_range(amx):
    """Rows, columns and the depth stop at the extent, or in whole registers."""
    most = 100
    model, rng = attention(0), np.random.default_rng(5)
    for length in (1, 31, 32, 33, 64, 97, most):
        inputs = {name: rng.standard_normal((2, length, 64), np.float32)
                  for name in "xz"}
        y, = amx.run(model, {**inputs, "n": np.array([length])}, "bf16",
                     [inputs["x"]],
                     ranges=[f"{name}=2x1..{most}x64" for name in "xz"])
        x, z = (a.astype(np.float64) for a in inputs.values())
        # Heads, rows, columns.
        q, k = (a.reshape(2, length, 2, 32).swapaxes(1, 2) for a in (x, z))
        p = np.exp(q @ k.swapaxes(2, 3) * 0.2)
        heads = p / p.sum(3, keepdims=True) @ k
        exact = (heads.swapaxes(1, 2).reshape(2, length, 64)
                 * np.exp(z).sum(1, keepdims=True))
        assert 0 < rms(y - exact) / rms(exact) < 2e-2
        assert amx.products > 0


@pytest.mark.parametrize("precision", ["fp32-fast", "bf16"])
@pytest.mark.parametrize("stride", [1, 2])
def test_windows_of_a_range(precision, stride, amx):
    """Convolutions along a sequence stop with it too."""
    most, channels = 90, 96
    rng = np.random.default_rng(6)
    weights = {n: rng.standard_normal((channels, channels, 5), np.float32) / 20 for n in "vw"}
    model = float_model(
        [helper.make_node("Conv", ["x", "v"], ["h"], pads=[2, 2], strides=[stride]),
         helper.make_node("Conv", ["h", "w"], ["y"], pads=[2, 2])],
        {"x": [1, channels, "n"]}, [1, channels, None], weights)

    def windows(x, w, step):
        padded = np.pad(x, ((0, 0), (2, 2)))
        return sum(w[:, :, tap] @ padded[:, tap:tap + x.shape[1]] for tap in range(5))[:, ::step]

    for length in (1, 2, 15, 33, 64, most):
        x = rng.standard_normal((1, channels, length), np.float32)
        places = (length - 1) // stride + 1
        y, = amx.run(model, {"x": x, "n": np.array([length])}, precision,
                     [np.zeros((1, channels, places), np.float32)],
                     ranges=[f"x=1x{channels}x1..{most}"])
        exact = windows(windows(x[0].astype(np.float64), weights["v"], stride),
                        weights["w"], 1)
        error = rms(y[0] - exact) / rms(exact)
        assert 0 < error < 2 * LIMITS[precision]
        assert amx.products > 0
