"""Graphs and extents that depend on the values of inputs, for which values or
ranges are given: one program, against ONNX Runtime, also as a library.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal
from libraries import compile_library, run_compiled

import glow

# name: (graph, range of n, values of n)
CASES = {
    "tile": ("""(float[2, 3] x, int64[2] n) => (float[a, b] y) {
        y = Tile(x, n) }""", (0, 3), [[1, 1], [2, 3], [3, 1], [0, 2]]),
    "tile-then-sum": ("""(float[2, 3] x, int64[2] n) => (float[b] y, int64[2] s) {
        t = Tile(x, n)
        zero = Constant<value_ints = [0]>()
        s = Shape(t)
        y = ReduceSum<keepdims = 0>(t, zero) }""", (1, 3),
        [[1, 1], [2, 3], [3, 1]]),
    "fill": ("""(int64[2] n) => (float[a, b] y) {
        y = ConstantOfShape<value = float[1] {2.5}>(n) }""", (0, 6),
        [[1, 1], [2, 6], [0, 3]]),
    "range": ("""(int64 n) => (int64[a] y) {
        zero = Constant<value_int = 2>()
        one = Constant<value_int = 3>()
        y = Range(zero, n, one) }""", (2, 20), [2, 3, 5, 6, 20]),
    "one-hot": ("""(int64[5] i, int64 n) => (float[5, a] y) {
        v = Constant<value_floats = [-1.0, 2.0]>()
        y = OneHot(i, n, v) }""", (1, 9), [1, 4, 9]),
    "one-hot-first": ("""(int64[5] i, int64[1] n) => (float[a, 5] y) {
        v = Constant<value_floats = [0.0, 1.0]>()
        y = OneHot<axis = 0>(i, n, v) }""", (2, 7), [[2], [7], [3]]),
    "pad": ("""(float[3, 2] x, int64[4] n) => (float[a, b] y) {
        v = Constant<value_float = 9.0>()
        y = Pad(x, n, v) }""", (0, 3), [[0, 0, 0, 0], [1, 0, 3, 2], [3, 3, 0, 1]]),
    "pad-less": ("""(float[3, 2] x, int64[4] n) => (float[a, b] y) {
        y = Pad(x, n) }""", (-1, 2), [[0, 0, 0, 0], [-1, 0, 2, 2], [-1, 0, -1, 1]]),
    "pad-edge": ("""(float[3, 2] x, int64[4] n) => (float[a, b] y) {
        y = Pad<mode = "edge">(x, n) }""", (0, 4), [[0, 0, 0, 0], [4, 1, 2, 3]]),
    "pad-reflect": ("""(float[4, 5] x, int64[4] n) => (float[a, b] y) {
        y = Pad<mode = "reflect">(x, n) }""", (0, 3), [[0, 0, 0, 0], [3, 1, 2, 3]]),
    "pad-wrap": ("""(float[4, 5] x, int64[4] n) => (float[a, b] y) {
        y = Pad<mode = "wrap">(x, n) }""", (0, 3), [[0, 0, 0, 0], [3, 1, 2, 3]]),
    "expand": ("""(float[3, 1] x, int64[3] n) => (float[a, b, c] y, float[a, b] z) {
        y = Expand(x, n)
        last = Constant<value_ints = [2]>()
        z = ReduceSum<keepdims = 0>(y, last) }""", (1, 4),
        [[2, 1, 4], [1, 3, 1], [4, 3, 2]]),
    "arithmetic": ("""(float[1, 3] x, int64 n) => (float[a, 3] y) {
        two = Constant<value_int = 2>()
        half = Div(n, two)
        more = Add(half, two)
        axis = Constant<value_ints = [0]>()
        rows = Unsqueeze(more, axis)
        three = Constant<value_ints = [3]>()
        shape = Concat<axis = 0>(rows, three)
        e = Expand(x, shape)
        y = Softmax<axis = 0>(e) }""", (0, 9), [0, 1, 5, 9]),
}


def parse(name):
    return onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 19]> g {CASES[name][0]}')


def runs(model, values):
    rng = np.random.default_rng(3)
    for value in values:
        inputs = {"n": np.array(value, np.int64)}
        for info in model.graph.input:
            shape = [d.dim_value for d in info.type.tensor_type.shape.dim]
            if info.name == "x":
                inputs["x"] = rng.random(shape).astype(np.float32)
            elif info.name == "i":
                inputs["i"] = rng.integers(-9, 9, shape)
        yield inputs


@pytest.mark.parametrize("name", CASES)
def test_in_process(name):
    model, (_, (lower, upper), values) = parse(name), CASES[name]
    program = glow.compile(model.SerializeToString(),
                           options={"values": f"n={lower}..{upper}"})
    for inputs in runs(model, values):
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), 1e-5)


@pytest.mark.parametrize("name", ["tile-then-sum", "pad", "arithmetic"])
def test_library_in_its_own_process(name, tmp_path, bin_dir):
    model, (_, (lower, upper), values) = parse(name), CASES[name]
    compile_library(bin_dir, tmp_path, model, f"--values=n={lower}..{upper}")
    for inputs in runs(model, values):
        expected = run_onnxruntime(model, inputs)
        check_equal(run_compiled(bin_dir, tmp_path, inputs, expected), expected,
                    1e-5)


@pytest.mark.parametrize("name", CASES)
def test_other_values_are_refused(name):
    model, (_, (lower, upper), values) = parse(name), CASES[name]
    program = glow.compile(model.SerializeToString(),
                           options={"values": f"n={lower}..{upper}"})
    for bad in (lower - 1, upper + 1, 1 << 40, -(1 << 62)):
        for inputs in runs(model, [np.full_like(values[0], bad)]):
            with pytest.raises(glow.GlowError, match=r"symbol 'n.*came out"):
                program.run(inputs)


# name: (graph, values of n, other values)
FIXED = {
    "axes": ("""(float[2, 3, 4] x, int64[2] n) => (float[a] y) {
        y = ReduceSum<keepdims = 0>(x, n) }""", [0, -1], [0, 1]),
    "axis": ("""(float[2, 3] x, int64 n) => (float[2, 3] y) {
        y = CumSum(x, n) }""", 1, 0),
    "shape": ("""(float[2, 6] x, int64[k] n) => (float[a, b, c] y) {
        y = Reshape(x, n) }""", [3, -1, 2], [2, -1, 2]),
    "scales": ("""(float[1, 1, 2, 3] x, float[4] n) => (float[1, 1, a, b] y) {
        y = Resize<mode = "nearest">(x, , n) }""", [1, 1, 2, 1.5],
        [1, 1, 2, 2]),
    "trips": ("""(float[2] x, int64 n) => (float[2] y, float[k, 2] all) {
        y, all = Loop(n, , x) <body = b (int64 i, bool c, float[2] s)
            => (bool d, float[2] t, float[2] u) {
          d = Identity(c)
          t = Add(s, s)
          u = Neg(t)
        }> }""", 3, 2),
}


@pytest.mark.parametrize("name", FIXED)
def test_fixed_values(name, tmp_path, bin_dir):
    text, value, other = FIXED[name]
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 19]> g {text}')
    kind = model.graph.input[1].type.tensor_type.elem_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(kind)
    inputs = next(runs(model, [0]))
    inputs["n"] = np.array(value, dtype)
    expected = run_onnxruntime(model, inputs)
    stated = "n=" + ",".join(str(v) for v in np.ravel(inputs["n"]))
    program = glow.compile(model.SerializeToString(),
                           options={"values": stated})
    check_equal(program.run(inputs), expected, 1e-5)
    with pytest.raises(glow.GlowError, match="values of n as compiled"):
        program.run({**inputs, "n": np.array(other, dtype)})
    compile_library(bin_dir, tmp_path, model, f"--values={stated}")
    check_equal(run_compiled(bin_dir, tmp_path, inputs, expected), expected, 1e-5)


@pytest.mark.parametrize("text, why", [
    ("n=1", "cannot have the values 1"), ("n=1,x", "cannot have the values"),
    ("n=1,2,3", "cannot have the values"),
    ("n=..3", "no range of values"), ("n=4..1", "no range of values"),
    ("m=0..4", "no input 'm'"), ("x=0..4", "no list of integers")])
def test_bad_ranges(text, why):
    with pytest.raises(glow.GlowError, match=why):
        glow.compile(parse("tile").SerializeToString(),
                     options={"values": text})
