"""Indices that are data and out of range: an error that names the node, on
every path, and none where the node does not matter.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess

import numpy as np
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal
from libraries import compile_library, run_compiled
from plain_c import build_program

import glow

X = np.arange(24, dtype=np.float32).reshape(4, 6)
U = np.ones((2, 6), np.float32)
# A graph whose node `at` has the index input i, indices in range and others.
CASES = {
    "gather": ("(float[a, 6] x, int64[n] i) => (float[p, q] y) { [at] y = Gather(x, i) }",
               [[0, 3], [-4, 2]], [[0, 4], [-5, 0]]),
    "columns": ("(float[a, 6] x, int32[n] i) => (float[p, q] y) { [at] y = Gather<axis = 1>(x, i) }",
                [[5, -6]], [[6, 0], [0, -7]]),
    "gather-elements": ("""(float[a, 6] x, int64[n, m] i) => (float[p, q] y) {
        [at] y = GatherElements(x, i) }""", [[[0, 3], [-4, 1]]], [[[0, 4], [0, 0]]]),
    # The second of a pair may be larger than the first.
    "gather-nd": ("(float[a, 6] x, int64[n, 2] i) => (float[p] y) { [at] y = GatherND(x, i) }",
                  [[[3, 5], [-4, -6]]], [[[3, 6], [0, 0]], [[4, 3], [0, 0]]]),
    "scatter-elements": ("""(float[a, 6] x, int64[2, 6] i, float[2, 6] u) => (float[p, q] y) {
        [at] y = ScatterElements(x, i, u) }""", [[[0] * 6, [3] * 6]], [[[0] * 6, [4] * 6]]),
    "scatter-nd": ("""(float[a, 6] x, int64[2, 1] i, float[2, 6] u) => (float[p, q] y) {
        [at] y = ScatterND(x, i, u) }""", [[[0], [-1]]], [[[0], [4]]]),
    # The label -1 counts for nothing.
    "labels": ("""(float[a, 6] x, int64[a] i) => (float y) {
        [at] y = NegativeLogLikelihoodLoss<ignore_index = -1>(x, i) }""",
               [[0, 5, -1, 2]], [[0, 6, -1, 2]]),
}
MESSAGE = "node 'at': an index is out of range"


def parsed(text):
    return onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 21]> g ' + text)


def made(name, indices):
    model = parsed(CASES[name][0])
    inputs = {"x": X, "i": np.array(indices, np.int32 if "int32" in CASES[name][0] else np.int64),
              "u": U}
    return model, {i.name: inputs[i.name] for i in model.graph.input}


def ranges_of(inputs):
    return {n: [(1, 2 * e) for e in a.shape[:1]] + list(a.shape[1:]) for n, a in inputs.items()}


@pytest.mark.parametrize("how", ["exact", "ranges", "interpret"])
@pytest.mark.parametrize("name", CASES)
def test_indices(name, how):
    _, right, wrong = CASES[name]
    model, inputs = made(name, right[0])
    shapes = ranges_of(inputs) if how == "ranges" and "scatter" not in name else None
    program = glow.compile(model.SerializeToString(), shapes=shapes,
                           target="interpret" if how == "interpret" else "cpu")
    for indices in right:
        inputs = made(name, indices)[1]
        check_equal(program.run(inputs), run_onnxruntime(model, inputs))
    for indices in wrong:
        inputs = made(name, indices)[1]
        with pytest.raises(glow.GlowError, match="index is out of range" if how == "interpret" else MESSAGE):
            program.run(inputs)


def test_fewer_rows():
    """What is out of range follows from the shape of the run."""
    model, inputs = made("gather", [0, 3])
    program = glow.compile(model.SerializeToString(), shapes=ranges_of(inputs))
    program.run(inputs)
    with pytest.raises(glow.GlowError, match=MESSAGE):
        program.run({**inputs, "x": X[:3]})


def test_library(bin_dir, tmp_path):
    """glow-run says which node; a program in C sees which instruction."""
    model, inputs = made("gather", [0, 4])
    compile_library(bin_dir, tmp_path, model, "--shape", "x=4x6", "--shape", "i=2")
    with pytest.raises(AssertionError, match=MESSAGE):
        run_compiled(bin_dir, tmp_path, inputs, ["y"])
    program = build_program("run-model.c", tmp_path)
    for indices, status in ((0, 3), 0), ((0, 4), 1):
        X.tofile(tmp_path / "x")
        np.array(indices, np.int64).tofile(tmp_path / "i")
        done = subprocess.run([program, tmp_path / "model.so", tmp_path / "x", tmp_path / "i"],
                              capture_output=True, check=False)
        assert done.returncode == status


def test_constant():
    model = parsed("(float[3] x) => (float y) <int64 i = {3}> { [at] y = Gather(x, i) }")
    with pytest.raises(glow.GlowError, match="'at' .*an index is out of range for extents of 3"):
        glow.compile(model.SerializeToString())


# Whether a node runs depends on data; it is right if it does not.
GUARDED = {
    "constant-in-branch": ("""(float[3] x, int64 n) => (float y) <int64 one = {1}> {
        c = Greater(n, one)
        y = If(c) <then_branch = t () => (float a) { five = Constant<value_int = 5>()
            [at] a = Gather(x, five) },
          else_branch = e () => (float b) { b = Gather(x, one) }> }""", [0, 1], [2]),
    "data-in-branch": ("""(float[3] x, int64 n) => (float y) <int64 three = {3}, int64 zero = {0}> {
        c = Less(n, three)
        y = If(c) <then_branch = t () => (float a) { [at] a = Gather(x, n) },
          else_branch = e () => (float b) { b = Gather(x, zero) }> }""", [2, 7], [-4]),
    "nested": ("""(float[3] x, int64 n) => (float y) <int64 three = {3}, int64 zero = {0}> {
        c = Less(n, three)
        d = GreaterOrEqual(n, zero)
        y = If(c) <then_branch = t () => (float a) {
            a = If(d) <then_branch = u () => (float p) { [at] p = Gather(x, n) },
              else_branch = v () => (float q) { q = Gather(x, zero) }> },
          else_branch = e () => (float b) { b = Gather(x, zero) }> }""", [1, 7, -9], []),
    "loop": ("""(float[3] x, int64 n) => (float y) <int64 ten = {10}, float none = {0}, bool go = {1}> {
        y = Loop(ten, go, none) <body = b (int64 i, bool c, float s) => (bool more, float next) {
            [at] v = Gather(x, i)
            next = Add(s, v)
            more = Less(i, n) }> }""", [0, 2], [3]),
}


@pytest.mark.parametrize("name", GUARDED)
def test_guarded(name):
    text, right, wrong = GUARDED[name]
    model, x = parsed(text), X[0, :3]
    program = glow.compile(model.SerializeToString())
    for n in right:
        inputs = {"x": x, "n": np.array(n, np.int64)}
        check_equal(program.run(inputs), run_onnxruntime(model, inputs))
    for n in wrong:
        with pytest.raises(glow.GlowError, match=MESSAGE):
            program.run({"x": x, "n": np.array(n, np.int64)})
