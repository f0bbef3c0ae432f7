"""What goes along an open axis, or is updated along it, ends where its elements
do; loops make as many steps as there are.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import onnx
import pytest
from bounded import check_case

N = {"n": (1, 37)}
CASES = {
    "last-of-equals": (N, """(float[3, n] x) => (int64[3] a, int64[1, n] b) {
        y = Round(x)
        a = ArgMax<axis = 1, keepdims = 0, select_last_index = 1>(y)
        b = ArgMin<axis = 0, select_last_index = 1>(y) }"""),
    "extremes-of-integers": (N, """(int32[n, 40] x, int32[3, n] y) => (int64[1, 40] a, int64[3] b) {
        a = ArgMax<axis = 0>(x)
        b = ArgMin<axis = 1, keepdims = 0>(y) }"""),
    "integers-combined": (N, """(int64[3, n] x, int32[n, 40] y) => (int64[3] a, int32[40] b, int32[1, 1] c) {
        one = Constant<value_ints = [1]>()
        zero = Constant<value_ints = [0]>()
        a = ReduceSum<keepdims = 0>(x, one)
        d = Sub(y, y)
        e = Sub(d, y)
        b = ReduceMax<axes = [0], keepdims = 0>(e)
        f = ReduceMin<axes = [0]>(y)
        c = ReduceProd<axes = [1]>(f) }"""),
    "best-of-rows": ({"n": (5, 37)}, """(float[n, 40] x, float[40, n] y)
          => (float[5, 40] a, int64[5, 40] i, float[40, 4] b, int64[40, 4] j) {
        five = Constant<value_ints = [5]>()
        four = Constant<value_ints = [4]>()
        a, i = TopK<axis = 0>(x, five)
        b, j = TopK<axis = 1, largest = 0>(y, four) }"""),
    # So many that they are a heap, or inserted if there are few.
    "half-of-them": ({"n": (2, 150)}, """(float[3, n] x) => (float[3, k] a, int64[3, k] i) {
        s = Shape<start = 1>(x)
        two = Constant<value_ints = [2]>()
        k = Div(s, two)
        a, i = TopK<axis = 1>(x, k) }"""),
    "few-of-few": ({"n": (1, 7)}, """(float[n, 40] x) => (float[n, 40] a, int64[n, 40] i) {
        k = Shape<end = 1>(x)
        a, i = TopK<axis = 0, largest = 0>(x, k) }"""),
    "backwards": (N, """(float[n, 40] x, int32[2, n] y) => (float[n, 40] a, int32[2, n] b) {
        one = Constant<value_int = 1>()
        zero = Constant<value_int = 0>()
        a = CumSum<reverse = 1>(x, zero)
        b = CumSum<reverse = 1, exclusive = 1>(y, one) }"""),
    "updates": ({"n": (0, 9), "m": (1, 6)}, """(float[m, 8] x, int64[m, n] i, float[m, n] u, int64[n, m] k, float[n, m] v)
          => (float[m, 8] z, float[8] y, float[8] w) {
        z = ScatterElements<axis = 1, reduction = "add">(x, i, u)
        flat = Constant<value_ints = [-1]>()
        j = Reshape(k, flat)
        t = Reshape(v, flat)
        first = Constant<value_int = 0>()
        row = Gather(x, first)
        y = ScatterElements<reduction = "max">(row, j, t)
        last = Constant<value_ints = [1]>()
        p = Unsqueeze(j, last)
        w = ScatterND<reduction = "add">(row, p, t) }"""),
    "rows-that-are-kept": (N, """(float[n, 4] x, bool[n] c) => (float[k, 4] a, int64[1, k] i, float[m] u) {
        a = Compress<axis = 0>(x, c)
        i = NonZero(c)
        y = Round(x)
        u = Unique<sorted = 1>(y) }"""),
    "windows-at-each-place": ({"n": (1, 9), "m": (1, 9)}, """(float[1, 3, n, m] x, float[4, 3, 4, 3] w)
          => (float[1, 4, n, m] y, float[1, 3, n, m] z) {
        y = Conv<auto_pad = "SAME_UPPER">(x, w)
        z = MaxPool<auto_pad = "SAME_LOWER", kernel_shape = [2, 3]>(x) }"""),
    "across-channels": ({"n": (1, 6), "m": (1, 9)}, """(float[2, 7, n, m] x) => (float[2, 7, n, m] y) {
        y = LRN<size = 3>(x) }"""),
    "scan": ({"n": (1, 9)}, """(float[4] s, float[4, n] x, float[n, 2] u, float[4, 4] w)
          => (float[4] last, float[4, n] y, float[n, 2] z) {
        v = Tanh(w)
        last, y, z = Scan<num_scan_inputs = 2, scan_input_axes = [1, 0],
            scan_input_directions = [1, 0], scan_output_axes = [1, 0],
            scan_output_directions = [0, 1],
            body = step (float[4] a, float[4] e, float[2] f) => (float[4] b, float[4] p, float[2] q) {
                c = MatMul(a, v)
                b = Add(c, e)
                p = Tanh(b)
                q = Neg(f) }>(s, x, u) }"""),
    "loop": ({"n": (0, 9)}, """(float[4] s, float[n, 4] x, float[3, n] u)
          => (float[4] last, float[k, 4] y, float[k, 3] z) {
        e = Shape<end = 1>(x)
        zero = Constant<value_ints = [0]>()
        t = Squeeze(e, zero)
        c = Constant<value = bool {1}>()
        last, y, z = Loop<body = step (int64 i, bool more, float[4] a)
              => (bool goes, float[4] b, float[4] p, float[3] q) {
            f = Gather(x, i)
            g = Cast<to = 1>(i)
            h = Add(a, f)
            b = Sub(h, g)
            p = Tanh(b)
            q = Gather<axis = 1>(u, i)
            goes = Identity(more) }>(t, c, s) }"""),
}


def parse(graph):
    return onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 17]> main {graph}')


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, graph = CASES[name]
    check_case(name, bounds, parse(graph), backend, bin_dir, tmp_path)
