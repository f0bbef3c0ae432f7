"""Strings and complex numbers in models that are compiled once for ranges of
shapes, with several extents open: against ONNX's reference and NumPy.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.parser
import onnx.reference
import pytest

import glow

SHAPES = [(2, 3), (4, 5), (3, 2)]
# name: a graph of x: string[m, n], u: string[n], f: bool[n], and of c, d, which
# are complex64, of the shapes of x and u.
CASES = {
    "pad": """=> (string[p, q] y, complex64[p, q] z) <int64[4] pads = {0, 1, 1, 2}> {
        y = Pad(x, pads)
        z = Pad(c, pads) }""",
    "pad-by-data": """=> (string[p, q] y) <int64[2] zeros = {0, 0}> {
        s = Shape(u)
        t = Concat<axis = 0>(zeros, s, s)
        y = Pad(x, t) }""",
    "triangle": "=> (string[m, n] y, complex64[m, n] z) { y = Trilu(x) z = Trilu(c) }",
    "crop": """=> (string[6, 2] y) <int64[2] to = {6, 2}> {
        y = CenterCropPad(x, to) }""",
    "choose": """=> (string[m, n] y, complex64[m, n] z) {
        y = Where(f, x, u)
        z = Where(f, c, d) }""",
    "joined": """=> (string[p] y) <int64[1] all = {-1}> {
        l = Reshape(x, all)
        y = Concat<axis = 0>(u, l, u) }""",
    "moved": """=> (string[p, q] y) <int64[2] i = {-1, 0}, int64[2] twice = {2, 1}> {
        t = Transpose(x)
        j = Concat<axis = 1>(t, t)
        g = Gather<axis = 0>(j, i)
        y = Tile(g, twice) }""",
    "functions": """=> (string[m, n] y, bool[m, n] z) {
        y = StringConcat(x, u)
        z = Equal(x, u) }""",
    "merged-and-split": """=> (string[m, n] y, string[m, n, k] z) <int64[1] all = {-1}> {
        s = Shape(x)
        l = Reshape(x, all)
        t = StringConcat(l, l)
        y = Reshape(t, s)
        w, w_counts = StringSplit<delimiter = "g">(y)
        z = Identity(w) }""",
    "scattered": """=> (complex64[m, n] y)
        <int64[2, 2] i = {0, -1, 0, -1}, int64[2] two = {0, 0}> {
        v = Gather(d, two)
        y = ScatterND<reduction = "mul">(c, i, v) }""",
}


def inputs_of(rows, columns):
    rng = np.random.default_rng(rows)
    words = np.array(["", "a", "é", "b0", "long " * 9], object)

    def numbers(*shape):
        return (rng.integers(-5, 5, shape)
                + 1j * rng.integers(-5, 5, shape)).astype(np.complex64)
    return {"x": words[rng.integers(0, 5, (rows, columns))],
            "u": words[rng.integers(0, 5, columns)], "f": rng.random(columns) > 0.5,
            "c": numbers(rows, columns), "d": numbers(columns)}


@pytest.mark.parametrize("name", CASES)
def test_several_open_extents(name):
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 21]> agraph (string[m, n] x, string[n] u, '
        f"bool[n] f, complex64[m, n] c, complex64[n] d) {CASES[name]}")
    compiled = glow.compile(model.SerializeToString(),
                            options={"dynamic-shapes": "ranges"})
    for shape in SHAPES:
        inputs = inputs_of(*shape)
        actual = compiled.run(inputs)
        expected = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
        for info, wanted in zip(model.graph.output, expected):
            if wanted.dtype.kind == "O":  # NumPy fills with the number 0
                wanted = np.vectorize(lambda s: s or "", otypes=[object])(wanted)
            np.testing.assert_array_equal(actual[info.name], wanted)
