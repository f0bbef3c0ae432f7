"""glow-bound-shapes against ONNX Runtime: what is computed from extents.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from bounded import check_case
from test_bounded_shapes import NM, parse

# name: (bounds, graph in ONNX's textual form)
CASES = {
    "where-shape": (NM, """(float[n, m] x, float[1, 1] y) => (float[n, m] z) {
        s = Shape(x)
        m1 = Constant<value_ints = [-1]>()
        e = Equal(s, m1)
        one = Constant<value_ints = [1, 1]>()
        t = Where(e, one, s)
        z = Expand(y, t) }"""),
    "scale-by-extent": (NM, """(float[n, m] x) => (float[n, m] z) {
        s = Shape<start = 1>(x)
        f = Cast<to = 1>(s)
        r = Sqrt(f)
        z = Div(x, r) }"""),
    # The export of ALiBi takes the last of as many distances as it can have.
    "last-elements": ({"n": (1, 9)}, """(float[2, n] x, float[2, 9] y) => (float[2, n] z) {
        s = Shape<start = 1>(x)
        nine = Constant<value_ints = [9]>()
        zero = Constant<value_ints = [0]>()
        one = Constant<value_ints = [1]>()
        rest = Sub(nine, s)
        first = Max(rest, zero)
        part = Slice(y, first, nine, one)
        z = Add(x, part) }"""),
    # What counts from the end counts from that of the data, which has one more
    # place while it is written to.
    "scatter-from-the-end": ({"n": (1, 7)}, """(float[5] x, int64[n] k, float[n] u) => (float[5] z, float[5] y) {
        five = Constant<value_int = 5>()
        low = Mod(k, five)
        i = Sub(low, five)
        z = ScatterElements<reduction = "add">(x, i, u)
        last = Constant<value_ints = [1]>()
        t = Unsqueeze(i, last)
        y = ScatterND<reduction = "max">(x, t, u) }"""),
    # What strided windows over strided windows leave, in one division.
    "windows-of-windows": ({"n": (7, 23)}, """(float[1, 1, n] x, float[4, 1, 3] w, float[4, 4, 3] v)
          => (float[2, 2, m] z) {
        a = Conv<strides = [2]>(x, w)
        b = Conv<strides = [2]>(a, v)
        s = Shape<start = 2>(x)
        seven = Constant<value_ints = [7]>()
        four = Constant<value_ints = [4]>()
        one = Constant<value_ints = [1]>()
        two = Constant<value_ints = [2]>()
        rest = Sub(s, seven)
        steps = Div(rest, four)
        m = Add(steps, one)
        last = Constant<value_ints = [-1]>()
        shape = Concat<axis = 0>(two, last, m)
        z = Reshape(b, shape) }"""),
    "einsum-rows": (NM, """(float[n, m, 6] x, float[6, 2, 3] w) => (float[n, m, 2, 3] z) {
        z = Einsum<equation = "ibh,hnd->ibnd">(x, w) }"""),
    "einsum-columns": (NM, """(float[4, 6] x, float[6, n, m] y) => (float[4, n, m] z) {
        z = Einsum<equation = "ah,hnm->anm">(x, y) }"""),
    "einsum-contracted": (NM, """(float[4, n, m] x, float[n, m, 5] y) => (float[4, 5] z) {
        z = Einsum<equation = "anm,nmb->ab">(x, y) }"""),
    "eye-like": (NM, """(float[n, m] x) => (float[n, m] z) {
        e = EyeLike<k = 1>(x)
        z = Add(x, e) }"""),
    "range-down": (NM, """(float[n, m] x) => (int64[p] z) {
        axes = Constant<value_ints = [0]>()
        s = Shape<start = 0, end = 1>(x)
        n = Squeeze(s, axes)
        low = Neg(n)
        step = Constant<value = int64 {-2}>()
        z = Range(n, low, step) }"""),
    "merged-rows": (NM, """(float[n, m, 6] x, float[6, 5] w, float[5] c, float[5] g)
          => (float[n, m, 5] z, float[r, 5] q, bool[r, 5] t) {
        to = Constant<value_ints = [-1, 6]>()
        rows = Reshape(x, to)
        p = Gemm<alpha = 0.5>(rows, w, c)
        l = LayerNormalization<axis = -1>(p, g)
        e = LogSoftmax<axis = 1>(l)
        q = Add(e, p)
        t = Less(e, q)
        s = Shape<end = 2>(x)
        five = Constant<value_ints = [5]>()
        back = Concat<axis = 0>(s, five)
        y = Where(t, q, c)
        z = Reshape(y, back) }"""),
    # Rows and what is in a row are merged, too.
    "merged-rows-and-columns": (NM, """(float[n, m, 2, 3] x) => (float[n, m, 2, 3] z) {
        to = Constant<value_ints = [-1, 1, 6]>()
        rows = Reshape(x, to)
        e = Softmax<axis = 1>(rows)
        s = Shape(x)
        z = Reshape(e, s) }"""),
    "attention-over-pixels": ({"n": (1, 2), "h": (1, 4), "w": (1, 5)}, """(float[n, 6, h, w] x, float[6, 6] v)
          => (float[n, 6, h, w] z) {
        to = Constant<value_ints = [0, 6, -1]>()
        c = Reshape(x, to)
        p = Transpose<perm = [0, 2, 1]>(c)
        q = MatMul(p, v)
        s = MatMul(q, c)
        e = Softmax<axis = -1>(s)
        y = MatMul(e, p)
        t = Transpose<perm = [0, 2, 1]>(y)
        shape = Shape(x)
        z = Reshape(t, shape) }"""),
    "attention-over-rows": (NM, """(float[n, m, 4] x) => (float[n, m, 4] z) {
        to = Constant<value_ints = [-1, 4]>()
        rows = Reshape(x, to)
        t = Transpose<perm = [1, 0]>(rows)
        s = MatMul(rows, t)
        e = Softmax<axis = 1>(s)
        y = MatMul(e, rows)
        shape = Shape(x)
        z = Reshape(y, shape) }"""),
    "grid-sample-places": ({"b": (1, 3), "n": (1, 6)}, """(float[b, 3, 4, 5] x, float[b, 2, n, 2] g)
          => (float[b, 3, 2, n] z) {
        z = GridSample<mode = "bilinear">(x, g) }"""),
    "grid-sample-images": ({"h": (1, 5), "w": (1, 6)}, """(float[2, 3, h, w] x, float[2, h, 4, 2] g)
          => (float[2, 3, h, 4] a, float[2, 3, h, 4] b, float[2, 3, h, 4] c, float[2, 3, h, 4] d) {
        a = GridSample<mode = "bilinear">(x, g)
        b = GridSample<mode = "bicubic", padding_mode = "border", align_corners = 1>(x, g)
        c = GridSample<mode = "bilinear", padding_mode = "reflection">(x, g)
        d = GridSample<mode = "nearest", padding_mode = "reflection", align_corners = 1>(x, g) }"""),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, graph = CASES[name]
    check_case(name, bounds, parse(graph), backend, bin_dir, tmp_path)
