"""glow-bound-shapes against ONNX Runtime: ops that make their padding zero, so
that what reads it needs no mask, where there is nothing but padding.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from bounded import check_case
from test_bounded_shapes import parse

NONE = {"m": (1, 8), "n": (0, 1)}

# name: (bounds, graph in ONNX's textual form)
CASES = {
    # The last part is at most one row, and may be none.
    "row-or-none-product": (NONE, """(float[m, 4] x, float[n, 4] v) => (float[4, 4] z) {
        e = Exp(x)
        f = Exp(v)
        j = Concat<axis = 0>(e, f)
        t = Transpose(j)
        z = MatMul(t, j) }"""),
    "row-or-none-pool": (NONE, """(float[1, 4, m] x, float[1, 4, n] v) => (float[1, 4, k] z) {
        e = Exp(x)
        f = Exp(v)
        j = Concat<axis = 2>(e, f)
        z = AveragePool<kernel_shape = [3], pads = [1, 1], count_include_pad = 1>(j) }"""),
    "softmax-of-nothing": ({"n": (0, 8)}, """(float[1, 2, n] x) => (float[1, 2, k] z) {
        one = Constant<value_floats = [0.25]>()
        to = Constant<value_ints = [2, 2, 3]>()
        w = Expand(one, to)
        s = Softmax<axis = -1>(x)
        z = Conv<pads = [2, 2]>(s, w) }"""),
    "softmax-of-some": ({"n": (1, 8)}, """(float[1, 2, n] x) => (float[1, 2, k] z) {
        one = Constant<value_floats = [0.25]>()
        to = Constant<value_ints = [2, 2, 3]>()
        w = Expand(one, to)
        s = Softmax<axis = -1>(x)
        z = Conv<pads = [2, 2]>(s, w) }"""),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, text = CASES[name]
    check_case(name, bounds, parse(text), backend, bin_dir, tmp_path)
