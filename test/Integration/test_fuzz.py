"""Random graphs against ONNX Runtime, and what they found before.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal

import glow

FUZZER = pathlib.Path(__file__).resolve().parents[2] / "tools" / "fuzz" / "run.py"

# name: a graph in ONNX's textual form, and the extents for which it is run.
FOUND = {
    "scale-is-known": ("""(float[n] x, float[6] s, float[m] b) => (float[n] y) {
        y = LayerNormalization<axis = -1>(x, s, b) }""", {"n": 6, "m": 6}),
    "index-for-each-update": (
        """(float[9, n, m] x, int64[i, j, k] at, float[p, q, r] u) => (float[9, n, m] y) {
        y = ScatterElements<axis = 0>(x, at, u) }""",
        dict(n=1, m=2, i=1, j=1, k=2, p=1, q=1, r=2)),
    "off-and-on": ("""(int64[n] i, float[m] v) => (float[p, n] y) <int64 d = {3}> {
        y = OneHot<axis = 0>(i, d, v) }""", dict(n=4, m=2)),
    "true-is-one": ("""() => (int64 y, int64[2] z) <bool c = {1}, bool[2] d = {1, 0}> {
        y = Cast<to = 7>(c)
        z = Cast<to = 7>(d) }""", {}),
    "constant-transposed-and-not": (
        """(float[3, n] x, float[n, 3] y) => (float[n, m] z) <float[2, 3] c = {1, 2, 3, 4, 5, 6}> {
        t = Transpose<perm = [1, 0]>(x)
        z = Concat<axis = 1>(c, t, y) }""", dict(n=2)),
    "scale-per-channel": ("""(float[2, 4, 5] x, float[n] s, float[4] b) => (float[2, 4, 5] y) {
        y = InstanceNormalization(x, s, b) }""", dict(n=4)),
    "longer-condition": ("""(float[n] x, bool[m] c) => (float[k] y) {
        y = Compress(x, c) }""", dict(n=2, m=5)),
    "nothing-to-take": ("""(bool[m] c) => (float[k] y) <float[0] none = {}> {
        y = Compress<axis = 0>(none, c) }""", dict(m=1)),
    "part-with-nothing": ("""(float[n] x, bool[m] c) => (float[k] y, float[p] z)
                                <int64[2] sizes = {0, 1}> {
        a, z = Split<axis = 0>(x, sizes)
        y = Compress<axis = 0>(a, c) }""", dict(n=1, m=1)),
    "sum-too-large": ("""(float16[n, m] x) => (float16[1, 1] y) {
        axes = Constant<value_ints = [0, 1]>()
        y = ReduceMean(x, axes) }""", dict(n=200, m=3)),
    "pads-of-an-axis": ("""(float[n, 3] x) => (float[n, k] y) {
        i = NonZero(x)
        found = Shape<start = 1>(i)
        one = Constant<value_ints = [1]>()
        pads = Concat<axis = 0>(one, found)
        axes = Constant<value_ints = [-1]>()
        y = Pad(x, pads, , axes) }""", dict(n=2)),
    "fewer-rows-of-indices": ("""(int32[n, m] i) => (float[n, m] y) <float[4, 2] c = {1, 2, 3, 4, 5, 6, 7, 8}> {
        y = GatherElements<axis = 1>(c, i) }""", dict(n=2, m=1)),
    "no-updates": ("""(float[6, 7, 1] x, float[6, 7, 0] u) => (float[6, 7, 1] y) <int64[6, 7, 0] i = {}> {
        y = ScatterElements<axis = -1, reduction = "add">(x, i, u) }""", {}),
}


def test_random_graphs(tmp_path):
    """Some seconds of what `tools/fuzz/run.py` does for hours."""
    done = subprocess.run(
        [sys.executable, FUZZER, "--seed", "0", "--count", "200", "--out", tmp_path],
        capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def made(info, extents):
    """Small numbers for an input, zeros for one of indices, every second bit."""
    shape = [extents[d.dim_param] if d.dim_param else d.dim_value
             for d in info.type.tensor_type.shape.dim]
    dtype = onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    if dtype.kind == "b":
        return numbers % 2 == 1
    return (numbers * (dtype.kind == "f") - 2.5 * (dtype.kind == "f")).astype(dtype)


@pytest.mark.parametrize("ranges", [False, True], ids=["fixed", "ranges"])
@pytest.mark.parametrize("name", FOUND)
def test_found(name, ranges):
    graph, extents = FOUND[name]
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 21]> agraph ' + graph)
    inputs = {i.name: made(i, extents) for i in model.graph.input}
    shapes = {n: x.shape for n, x in inputs.items()}
    if ranges:
        shapes = {i.name: [(1, 2 * extents[d.dim_param])
                           if d.dim_param else d.dim_value
                           for d in i.type.tensor_type.shape.dim]
                  for i in model.graph.input}
    actual = glow.compile(model.SerializeToString(), shapes=shapes).run(inputs)
    check_equal(actual, run_onnxruntime(model, inputs), 1e-5)
