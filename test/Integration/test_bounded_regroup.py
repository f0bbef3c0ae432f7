"""glow-bound-shapes against ONNX Runtime: reshapes after which valid elements
stand elsewhere within their bounds.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from bounded import check_case
from test_bounded_shapes import NM, parse

# The shift of relative positions, as Transformer-XL's code has it: a matrix of
# n rows and 2 n columns is read as 2 n rows, of which the first is dropped.
SHIFT = """
        s = Shape(x)
        zero = Constant<value_ints = [0]>()
        one = Constant<value_ints = [1]>()
        two = Constant<value_ints = [2]>()
        three = Constant<value_ints = [3]>()
        end = Constant<value_ints = [9223372036854775807]>()
        lead = Slice(s, zero, two)
        q = Slice(s, two, three)
        p = Slice(s, three, end)
        turned = Concat<axis = 0>(lead, p, q)
        t = Reshape(x, turned)
        u = Slice(t, one, end, two)
        less = Sub(p, one)
        back = Concat<axis = 0>(lead, q, less)
        v = Reshape(u, back)"""

# name: (bounds, graph in ONNX's textual form)
CASES = {
    "diagonal": ({"n": (1, 7)}, """(float[n, 4, 4] x) => (float[n, 4] z) {
        z = Einsum<equation = "bii->bi">(x) }"""),
    "shift": ({"b": (1, 3), "n": (1, 5), "m": (2, 9)},
              f"(float[b, 2, n, m] x) => (float[b, 2, n, k] v) {{{SHIFT} }}"),
    # Only a part of the columns is needed, by range or by index.
    "shift-columns": ({"b": (1, 2), "n": (1, 7)},
                      f"""(float[b, 2, n, n] y, float[b, 2, n, n] w) => (float[b, 2, n, n] z, float[b, 2, n, n] i) {{
        x = Concat<axis = 3>(y, w)
        {SHIFT}
        z = Slice(v, zero, q, three)
        n0 = Squeeze(q, zero)
        z0 = Constant<value_int = 0>()
        o0 = Constant<value_int = 1>()
        places = Range(z0, n0, o0)
        i = Gather<axis = 3>(v, places) }}"""),
    "split-outer": (NM, """(float[n, m, 6] x) => (float[3, k, 2] z) {
        to = Constant<value_ints = [3, -1, 2]>()
        z = Reshape(x, to) }"""),
    "merge-inner": (NM, """(float[n, 4, m] x) => (float[2, n, k] z) {
        s = Shape<end = 1>(x)
        two = Constant<value_ints = [2]>()
        rest = Constant<value_ints = [-1]>()
        to = Concat<axis = 0>(two, s, rest)
        z = Reshape(x, to) }"""),
    # Axes change places, between others that stay.
    "turn": (NM, """(float[2, n, m, 3] x) => (float[2, m, n, 3] z) {
        s = Shape(x)
        order = Constant<value_ints = [0, 2, 1, 3]>()
        to = Gather<axis = 0>(s, order)
        z = Reshape(x, to) }"""),
    "turn-empty": ({"n": (0, 3), "m": (0, 4)}, """(float[n, m, 3] x) => (float[m, n, 3] z) {
        s = Shape(x)
        order = Constant<value_ints = [1, 0, 2]>()
        to = Gather<axis = 0>(s, order)
        z = Reshape<allowzero = 1>(x, to) }"""),
    "truths": (NM, """(bool[n, m] x) => (bool[m, n] z) {
        s = Shape(x)
        order = Constant<value_ints = [1, 0]>()
        to = Gather<axis = 0>(s, order)
        z = Reshape(x, to) }"""),
    # Small matrices of each token of each text, as ConvBERT's convolutions.
    "matrices": (NM, """(float[n, m, 24] x, float[n, m, 40] w) => (float[n, m, 30] z) {
        a = Constant<value_ints = [-1, 3, 4]>()
        b = Constant<value_ints = [-1, 4, 5]>()
        c = Constant<value_ints = [-1, 30]>()
        lhs = Reshape(x, a)
        rhs = Reshape(w, b)
        p = MatMul(lhs, rhs)
        rows = Reshape(p, c)
        s = Shape<start = 0, end = 2>(x)
        width = Constant<value_ints = [30]>()
        back = Concat<axis = 0>(s, width)
        z = Reshape(rows, back) }"""),
    # Windows of three tokens, before and behind which there are zeros.
    "windows": (NM, """(float[n, m, 5] x) => (float[n, m, 15] z) {
        pads = Constant<value_ints = [0, 0, 1, 0, 0, 1]>()
        t = Transpose<perm = [0, 2, 1]>(x)
        p = Pad(t, pads)
        z0 = Constant<value_int = 0>()
        o0 = Constant<value_int = 1>()
        length = Shape<start = 1, end = 2>(x)
        m0 = Squeeze(length)
        first = Range(z0, m0, o0)
        taps = Constant<value = int64[3, 1] {0, 1, 2}>()
        places = Add(taps, first)
        g = Gather<axis = 2>(p, places)
        batch = Shape<start = 0, end = 1>(x)
        fifteen = Constant<value_ints = [15]>()
        to = Concat<axis = 0>(batch, fifteen, length)
        r = Reshape(g, to)
        z = Transpose<perm = [0, 2, 1]>(r) }"""),
    # What is computed before ends where the reshape reads last.
    "after-a-product": (NM, """(float[n, 4] x, float[4, m] w) => (float[m, n] z) {
        p = MatMul(x, w)
        s = Shape(p)
        order = Constant<value_ints = [1, 0]>()
        to = Gather<axis = 0>(s, order)
        t = Reshape(p, to)
        z = Relu(t) }"""),
    "before-a-sum": (NM, """(float[n, m] x) => (float[m, 1] z, float[1, n] e) {
        s = Shape(x)
        order = Constant<value_ints = [1, 0]>()
        to = Gather<axis = 0>(s, order)
        t = Reshape(x, to)
        one = Constant<value_ints = [1]>()
        z = ReduceSum(t, one)
        e = ReduceMax<axes = [0]>(t) }"""),
    # Group normalisation as PyTorch writes it, of images and of what only looks
    # like them: two halves of each are images of their own.
    "group-norm": ({"n": (1, 4), "h": (2, 5)}, """(float[n, 6, h, 4] x, float[3] s, float[3] t)
            => (float[n, 6, h, 4] z) {
        to = Constant<value_ints = [0, 3, -1]>()
        r = Reshape(x, to)
        i = InstanceNormalization(r, s, t)
        shape = Shape(x)
        z = Reshape(i, shape) }"""),
    "group-norm-of-halves": ({"n": (1, 4)}, """(float[n, 6, 4, 4] x, float[3] s, float[3] t)
            => (float[k, 3, 16] z) {
        to = Constant<value_ints = [-1, 3, 16]>()
        r = Reshape(x, to)
        z = InstanceNormalization(r, s, t) }"""),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, graph = CASES[name]
    check_case(name, bounds, parse(graph), backend, bin_dir, tmp_path)
