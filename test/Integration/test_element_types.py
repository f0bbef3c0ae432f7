"""Every element type that ONNX allows an operator, and what was found so.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx.backend.test
import onnx.parser
import pytest

import glow

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "fuzz" / "retype.py"
SUITE = pathlib.Path(onnx.backend.test.__file__).parent / "data" / "node"


@pytest.mark.skipif(not SUITE.is_dir(), reason="this package has no tests")
def test_types_of_all_operators(backend):
    done = subprocess.run([sys.executable, TOOL, SUITE, "--target", backend],
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def text(*strings):
    return np.array(strings, object)


X = np.arange(-4, 8).reshape(3, 4)
F8 = np.array([1, np.nan, -np.inf, 0, np.inf], ml_dtypes.float8_e5m2)
POWERS = np.array([0, 1, 127, 254, 255], np.uint8).view(ml_dtypes.float8_e8m0fnu)
C = np.complex64([[1 + 2j, 0, -3j], [5, 0j, 7 - 1j]])
ROW = np.array([[[[1, 2, 4, 100]]]])

# name: a graph in ONNX's textual form, its inputs, and its outputs.
FOUND = {
    "value-of-another-type": ("""(float[1, 1, 1, 2] q, float16[1, 1, 1, 2] v) => (float[1, 1, 1, 2] y) {
        y = Attention(q, q, v) }""",
        [np.ones((1, 1, 1, 2), np.float32), np.full((1, 1, 1, 2), 3, np.float16)],
        [np.full((1, 1, 1, 2), 3, np.float32)]),
    "statistics-of-another-type": (
        """(float16[1, 4] x, float16[4] s) => (float16[1, 4] y, float[1, 1] m, float[1, 1] d) {
        y, m, d = LayerNormalization<epsilon = 0.0>(x, s) }""",
        [np.float16([[1, 1, 3, 3]]), np.ones(4, np.float16)],
        [np.float16([[-1, -1, 1, 1]]), np.float32([[2]]), np.float32([[1]])]),
    "result-of-the-scale's-type": (
        """(float16[1, 2] x, float[2] s) => (float[1, 2] y) {
        y = RMSNormalization<epsilon = 0.0>(x, s) }""",
        [np.float16([[3, -3]]), np.float32([1, 100000])], [np.float32([[1, -100000]])]),
    "nan-of-8-bits": ("(float8e5m2[5] x) => (bool[5] y) { y = IsNaN(x) }",
                      [F8], [np.array([0, 1, 0, 0, 0], bool)]),
    "infinity-of-8-bits": (
        "(float8e5m2[5] x) => (bool[5] y) { y = IsInf<detect_negative = 0>(x) }",
        [F8], [np.array([0, 0, 0, 0, 1], bool)]),
    "nan-among-powers": ("(float8e8m0[5] x) => (float[5] y) { y = Cast<to = 1>(x) }",
                         [POWERS], [POWERS.astype(np.float32)]),
    "fractions-of-integers": (
        """(int32[3, 4] a, int32[4, 3] b, int32[3] c) => (int32[3, 3] y) {
        y = Gemm<alpha = 0.5, beta = 0.25>(a, b, c) }""",
        [np.int32(X), np.int32(X.T), np.int32([1, 2, 7])],
        [np.trunc(X @ X.T * 0.5 + np.array([1, 2, 7]) * 0.25).astype(np.int32)]),
    "root-of-integers": (
        "(int64[3, 4] x) => (int64[1, 1] y) { y = ReduceL2(x) }",
        [X], [np.sqrt((X * X).sum()).astype(np.int64).reshape(1, 1)]),
    "logarithm-of-integers": (
        "(uint32[3] x) => (uint32[1] y, uint32[1] z) { y = ReduceLogSum(x) z = ReduceLogSumExp(x) }",
        [np.uint32([1, 2, 5])], [np.uint32([2]), np.uint32([5])]),
    "shrunk-integers": (
        "(int8[5] x) => (int8[5] y) { y = Shrink<lambd = 1.5, bias = 1.5>(x) }",
        [np.int8([-3, -1, 0, 1, 3])], [np.int8([-1, 0, 0, 0, 1])]),
    "between-integers": (
        """(uint8[1, 1, 1, 4] x) => (uint8[1, 1, 1, 8] y)
        <float[4] by = {1, 1, 1, 2}> { y = Resize<mode = "linear">(x, , by) }""",
        [np.uint8(ROW)], [np.uint8([[[[1, 1, 2, 2, 4, 28, 76, 100]]]])]),
    "between-large-integers": (
        """(int32[1, 1, 1, 4] x) => (int32[1, 1, 1, 2] y) <float[4] by = {1, 1, 1, 0.5}> {
        y = Resize<mode = "linear", antialias = 1, exclude_outside = 1,
            coordinate_transformation_mode = "asymmetric">(x, , by) }""",
        [np.int32(ROW + 2**24 + 1)], [np.int32([[[[2, 28]]]]) + 2**24]),
    "between-booleans": (
        """(bool[1, 1, 1, 2] x, float[1, 1, 2, 2] g) => (bool[1, 1, 1, 2] y) {
        y = GridSample<align_corners = 1>(x, g) }""",
        [np.array([[[[True, True]]]]), np.float32([[[[0, 0], [3, 0]]]])],
        [np.array([[[[True, False]]]])]),
    "crop-of-another-type": (
        """(float[1, 1, 1, 4] x) => (float[1, 1, 1, 2] y)
        <double[8] roi = {0, 0, 0, 0, 1, 1, 1, 0.34}, int64[4] to = {1, 1, 1, 2}> {
        y = Resize<mode = "nearest",
            coordinate_transformation_mode = "tf_crop_and_resize">(x, roi, , to) }""",
        [np.float32(ROW)], [np.float32([[[[1, 2]]]])]),
    "scale-of-integers": (
        "(float[4] x, int32 s, int8 z) => (int8[4] y) { y = QuantizeLinear(x, s, z) }",
        [np.float32([-9, 4, 10, 1000]), np.int32(4), np.int8(1)], [np.int8([-1, 2, 3, 127])]),
    "strings-cropped": (
        """(string[3, 2] x) => (string[1, 4] y) <int64[2] to = {1, 4}> {
        y = CenterCropPad(x, to) }""",
        [text("a", "b", "c", "d", "e", "f").reshape(3, 2)], [text(["", "c", "d", ""])]),
    "strings-resampled": (
        """(string[1, 1, 1, 2] x, float[1, 1, 3, 2] g) => (string[1, 1, 1, 4] y, string[1, 1, 1, 3] z)
        <float[4] by = {1, 1, 1, 2}> {
        y = Resize(x, , by)
        z = GridSample<mode = "nearest">(x, g) }""",
        [text("é", "b").reshape(1, 1, 1, 2), np.float32([[[[0.9, 0], [-0.9, 0], [5, 0]]]])],
        [text("é", "é", "b", "b").reshape(1, 1, 1, 4), text("b", "é", "").reshape(1, 1, 1, 3)]),
    "strings-outside-a-crop": (
        """(string[1, 1, 1, 2] x) => (string[1, 1, 1, 2] y)
        <float[8] roi = {0, 0, 0, 0, 1, 1, 1, 2}, int64[4] to = {1, 1, 1, 2}> {
        y = Resize<coordinate_transformation_mode = "tf_crop_and_resize",
            extrapolation_value = 7.0>(x, roi, , to) }""",
        [text("a", "b").reshape(1, 1, 1, 2)], [text("a", "").reshape(1, 1, 1, 2)]),
    "strings-that-are-not-empty": (
        "(string[2, 2] x) => (int64[2, n] y) { y = NonZero(x) }",
        [text(["a", ""], ["", "0"])], [np.array([[0, 1], [0, 1]])]),
    "strings-off-and-on": (
        "(int64[2] i, string[2] v) => (string[2, 3] y) <int64 d = {3}> { y = OneHot(i, d, v) }",
        [np.array([2, -3]), text("no", "yes")],
        [text(["no", "no", "yes"], ["yes", "no", "no"])]),
    "triangle-of-strings": (
        "(string[2, n] x) => (string[2, n] y) { y = Trilu<upper = 0>(x) }",
        [text(["a", "b", "c"], ["d", "e", "f"])], [text(["a", "", ""], ["d", "e", ""])]),
    "unique-strings": (
        """(string[n] x) => (string[p] y, int64[q] i, int64[r] j, int64[s] c) {
        y, i, j, c = Unique(x) }""",
        [text("b", "é", "a", "b", "", "a")],
        [text("", "a", "b", "é"), np.array([4, 2, 0, 1]), np.array([2, 3, 1, 2, 0, 1]),
         np.array([1, 2, 2, 1])]),
    "unique-rows-of-strings": (
        "(string[3, 2] x) => (string[p, 2] y) { y = Unique<axis = 0, sorted = 0>(x) }",
        [text(["b", "a"], ["a", "z"], ["b", "a"])], [text(["b", "a"], ["a", "z"])]),
    "complex-moved": (
        """(complex64[2, n] x, complex64[1] v, bool[n] m)
        => (complex64[k, 2] y, complex64[2, n] w, complex64[2, n] z, complex64[p, q] t)
        <int64[4] pads = {0, 1, 0, 0}> {
        l = Transpose<perm = [1, 0]>(x)
        y = Compress<axis = 0>(l, m)
        w = Where(m, x, v)
        o = Pad(x, pads)
        from = Constant<value_ints = [0]>()
        to = Constant<value_ints = [-1]>()
        axis = Constant<value_ints = [1]>()
        z = Slice(o, from, to, axis)
        t = Trilu<upper = 1>(x) }""",
        [C, C[0, 1:2] * 3, np.array([True, False, True])],
        [C.T[[0, 2]], np.where([True, False, True], C, C[0, 1] * 3),
         np.pad(C, ((0, 0), (1, 0)))[:, :3], np.triu(C)]),
    "complex-that-are-not-zero": (
        "(complex64[2, 3] x) => (int64[2, n] y) { y = NonZero(x) }",
        [C], [np.array(np.nonzero(C))]),
    "unique-complex": (
        """(complex128[n] x) => (complex128[p] y, int64[q] i, int64[r] j, int64[s] c) {
        y, i, j, c = Unique(x) }""",
        [np.array([1j, 2, 1 + 1j, 1j, 1])],
        [np.array([1j, 1, 1 + 1j, 2]), np.array([0, 4, 2, 1]), np.array([0, 3, 2, 0, 1]),
         np.array([2, 1, 1, 1])]),
    "between-complex": (
        """(complex64[1, 1, 1, 2] x) => (complex64[1, 1, 1, 3] y) <float[4] by = {1, 1, 1, 1.5}> {
        y = Resize<mode = "linear", coordinate_transformation_mode = "align_corners">(x, , by) }""",
        [np.complex64([[[[1 + 2j, 3 - 2j]]]])], [np.complex64([[[[1 + 2j, 2, 3 - 2j]]]])]),
    # Two updates of one element, at an index from the end.
    "complex-scattered": (
        """(complex64[2, n] x, complex64[2, 1] u, complex128[4] v)
        => (complex64[2, n] y, complex64[2, n] z, complex128[4] w)
        <int64[2, 1] i = {-1, 2}, int64[2, 2] at = {1, 1, -1, -2}, int64[3, 1] to = {3, 0, 3}> {
        y = ScatterElements<axis = 1, reduction = "add">(x, i, u)
        flat = Constant<value_ints = [-1]>()
        list = Reshape(u, flat)
        z = ScatterND<reduction = "mul">(x, at, list)
        first = Constant<value_ints = [0]>()
        three = Constant<value_ints = [3]>()
        updates = Slice(v, first, three)
        w = ScatterND<reduction = "mul">(v, to, updates) }""",
        [C, np.complex64([[1j], [2 - 1j]]), np.array([1j, 2, 1 + 1j, 3 - 1j])],
        [C + np.complex64([[0, 0, 1j], [0, 0, 2 - 1j]]),
         C * np.complex64([[1, 1, 1], [1, 1j * (2 - 1j), 1]]),
         np.array([2j, 2, 1 + 1j, (3 - 1j) * 1j * (1 + 1j)])]),
    "bits-of-complex": (
        """(complex64[2, n] x, double[2] d, complex128[3] z) => (uint64[2, n] a,
        double[2, n] b, int64[2, n] i, complex64[2, n] y, complex64[2] e, complex128[3] w) {
        a = BitCast<to = 13>(x)
        b = BitCast<to = 11>(x)
        i = BitCast<to = 7>(x)
        y = BitCast<to = 14>(i)
        e = BitCast<to = 14>(d)
        w = BitCast<to = 15>(z) }""",
        [C, np.array([-0.1, np.nan]), np.array([1j, 2, 1 + 1j])],
        [C.view(np.uint64), C.view(np.float64), C.view(np.int64), C,
         np.array([-0.1, np.nan]).view(np.complex64), np.array([1j, 2, 1 + 1j])]),
    # Neither strings nor complex numbers have kernels; the loop ends on data.
    "states-that-only-move": (
        """(complex64[2, 3] x, string[2] s, int64 n) => (complex64[2, 3] y, string[2] t,
        complex64[k, 3] rows, string[k] words) {
        most = Constant<value_int = 50>()
        y, t, left, rows, words = Loop(most, , x, s, n) <body = step (
              int64 i, bool c, complex64[2, 3] a, string[2] b, int64 m)
            => (bool more, complex64[2, 3] a2, string[2] b2, int64 m2,
                complex64[3] row, string word) {
          order = Constant<value_ints = [1, 0]>()
          a2 = Gather(a, order)
          zero = Constant<value_int = 0>()
          one = Constant<value_int = 1>()
          row = Gather(a, zero)
          word = Gather(b, zero)
          dash = Constant<value_string = "-">()
          bs = StringConcat(b, dash)
          b2 = Gather(bs, order)
          m2 = Sub(m, one)
          more = Greater(m2, zero)
        }> }""",
        [C, text("a", "b"), np.array(3)],
        [C[[1, 0]], text("b---", "a---"), C[[0, 1, 0]], text("a", "b-", "a--")]),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name, backend):
    graph, inputs, expected = FOUND[name]
    model = onnx.parser.parse_model(
        '<ir_version: 13, opset_import: ["" : 26]> agraph ' + graph)
    given = dict(zip([i.name for i in model.graph.input], inputs))
    actual = glow.compile(model.SerializeToString(), target=backend).run(given)
    for info, wanted in zip(model.graph.output, expected):
        assert actual[info.name].dtype == wanted.dtype
        np.testing.assert_array_equal(actual[info.name], wanted, strict=True)


def test_nothing_between_strings():
    model = onnx.parser.parse_model("""<ir_version: 12, opset_import: ["" : 25]>
        agraph (string[2] x) => (string[4] y) <float[1] by = {2}> {
        y = Resize<mode = "linear">(x, , by) }""")
    with pytest.raises(glow.GlowError, match="nothing between strings"):
        glow.compile(model.SerializeToString())


@pytest.mark.parametrize("dtype", [
    np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e5m2, ml_dtypes.float8_e5m2fnuz])
def test_constants_are_rounded(dtype):
    """Casts at compile time, of any bits: pieces of ordinary numbers, and those with
    some that are not."""
    rng = np.random.default_rng(0)
    ordinary = rng.standard_normal(200_000, np.float32)
    halfway = np.arange(1 << 16, dtype=np.uint16).astype(np.uint32) << 16 | 0x8000
    bits = rng.integers(0, 1 << 32, 200_000, np.uint64).astype(np.uint32)
    least = np.ldexp(rng.standard_normal(4096), rng.integers(-30, -5, 4096)).astype(np.float32)
    x = np.concatenate([ordinary, np.float32([0, -0.0, 1]), halfway.view(np.float32),
                        bits.view(np.float32), least, np.zeros(100, np.float32)])
    to = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    cast = onnx.helper.make_node("Cast", ["c"], ["y"], to=to, saturate=0)
    graph = onnx.helper.make_graph(
        [cast], "casts", [], [onnx.helper.make_tensor_value_info("y", to, x.shape)],
        [onnx.numpy_helper.from_array(x, "c")])
    model = onnx.helper.make_model(graph, ir_version=10,
                                   opset_imports=[onnx.helper.make_opsetid("", 21)])
    actual = glow.compile(model.SerializeToString()).run({})["y"]
    with np.errstate(over="ignore", invalid="ignore"):
        expected = x.astype(dtype)
    wide, wanted = actual.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_array_equal(wide, wanted)
    zeros = wanted == 0
    np.testing.assert_array_equal(np.signbit(wide[zeros]), np.signbit(wanted[zeros]))
