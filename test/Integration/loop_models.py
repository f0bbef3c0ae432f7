"""Conditions and loops that depend on data, in ONNX's textual form.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import onnx.parser

# Each has an input x; what depends on it cannot be known before.
CASES = {
    # Halves until the norm is small, at most 12 times.
    "halve": """(float[3] x) => (float[3] y, float[k, 3] all, int64[k] numbers) {
        most = Constant<value_int = 12>()
        y, all, numbers = Loop(most, , x) <body = step (
              int64 i, bool c, float[3] s)
            => (bool more, float[3] next, float[3] each, int64 number) {
          two = Constant<value_float = 2.0>()
          next = Div(s, two)
          each = Neg(next)
          number = Identity(i)
          norm = ReduceL2<keepdims = 0>(next)
          one = Constant<value_float = 1.0>()
          more = Greater(norm, one)
        }> }""",
    # May not run at all.
    "guarded": """(float[2] x) => (float[2] y, float[k] sums) {
        most = Constant<value_int = 6>()
        total = ReduceSum<keepdims = 0>(x)
        zero = Constant<value_float = 0.0>()
        go = Greater(total, zero)
        y, sums = Loop(most, go, x) <body = step (
              int64 i, bool c, float[2] s)
            => (bool more, float[2] next, float sum) {
          three = Constant<value_float = 3.0>()
          next = Sub(s, three)
          sum = ReduceSum<keepdims = 0>(next)
          more = Greater(sum, zero)
        }> }""",
    # A body without states, and the results of a loop as data of the next.
    "two-loops": """(float[4] x) => (float[k, 4] all, int64 n, float[4] y) {
        most = Constant<value_int = 5>()
        yes = Constant<value = bool {1}>()
        all = Loop(most, yes) <body = first (int64 i, bool c)
            => (bool more, float[4] each) {
          f = Cast<to = 1>(i)
          each = Mul(x, f)
          m = ReduceMax<keepdims = 0>(each)
          four = Constant<value_float = 4.0>()
          more = Less(m, four)
        }>
        s = Shape<end = 1>(all)
        n = Squeeze(s)
        sum = ReduceSum(all, axis, keep)
        y, last = Loop(most, , sum, n) <body = second (
              int64 i, bool c, float[4] s, int64 left)
            => (bool more, float[4] next, int64 less) {
          ones = Constant<value_int = 1>()
          less = Sub(left, ones)
          next = Add(s, x)
          more = Greater(less, ones)
        }> }""",
    # Nested, with a condition on data inside.
    "nested": """(float[3] x) => (float[3] y, int64 count) {
        most = Constant<value_int = 3>()
        none = Constant<value_int = 0>()
        y, count = Loop(most, , x, none) <body = outer (
              int64 i, bool c, float[3] s, int64 n)
            => (bool more, float[3] next, int64 total) {
          inner_most = Constant<value_int = 4>()
          next, total = Loop(inner_most, , s, n) <body = inner (
                int64 j, bool d, float[3] t, int64 m)
              => (bool go, float[3] u, int64 k) {
            one = Constant<value_int = 1>()
            k = Add(m, one)
            up = Constant<value_float = 1.5>()
            v = Mul(t, up)
            top = ReduceMax<keepdims = 0>(t)
            ten = Constant<value_float = 10.0>()
            low = Less(top, ten)
            u = If(low) <then_branch = rise () => (float[3] a) { a = Add(v, up) },
                         else_branch = fall () => (float[3] b) { b = Neg(v) }>
            most_of = ReduceMax<keepdims = 0>(u)
            go = Less(most_of, ten)
          }>
          sum = ReduceSum<keepdims = 0>(next)
          limit = Constant<value_float = 20.0>()
          more = Less(sum, limit)
        }> }""",
    # Branches whose results differ in size.
    "if-sizes": """(float[2, 3] x) => (float[p, q] y, float[q] z) {
        total = ReduceSum<keepdims = 0>(x)
        zero = Constant<value_float = 0.0>()
        go = Greater(total, zero)
        y = If(go) <then_branch = larger () => (float[4, 3] a) {
              a = Concat<axis = 0>(x, x) },
            else_branch = smaller () => (float[2, 1] b) {
              axes = Constant<value_ints = [1]>()
              b = ReduceMax<axes = [1]>(x) }>
        rows = Constant<value_ints = [0]>()
        z = ReduceSum<keepdims = 0>(y, rows) }""",
    # Ends when it has converged; nothing says after how many iterations.
    "roots": """(float[5] x) => (float[5] y, int64 n) {
        start = Abs(x)
        one = Constant<value_float = 1.0>()
        above = Add(start, one)
        none = Constant<value_int = 0>()
        y, n = Loop( , , above, none) <body = step (
              int64 i, bool c, float[5] s, int64 before)
            => (bool more, float[5] next, int64 so_far) {
          step_one = Constant<value_int = 1>()
          so_far = Add(before, step_one)
          q = Div(start, s)
          sum = Add(s, q)
          half = Constant<value_float = 0.5>()
          next = Mul(sum, half)
          change = Sub(next, s)
          most = ReduceL2<keepdims = 0>(change)
          small = Constant<value_float = 0.001>()
          more = Greater(most, small)
        }> }""",
    # What is collected has no known most: halvings, and as many as x says.
    "collected": """(float[2000] x) => (float[p] all, int64[p] numbers, float[q] counted) {
        y, all, numbers = Loop( , , x) <body = step (int64 i, bool c, float[2000] s)
            => (bool more, float[2000] next, float largest, int64 number) {
          half = Constant<value_float = 0.5>()
          next = Mul(s, half)
          largest = ReduceMax<keepdims = 0>(s)
          number = Identity(i)
          small = Constant<value_float = 1.0>()
          more = Greater(largest, small)
        }>
        most = ReduceMax<keepdims = 0>(x)
        ten = Constant<value_float = 10.0>()
        many = Mul(most, ten)
        n = Cast<to = 7>(many)
        yes = Constant<value = bool {1}>()
        counted = Loop(n, yes) <body = count (int64 j, bool d) => (bool e, float f) {
          e = Identity(d)
          f = Cast<to = 1>(j)
        }> }""",
    # Long, with what it collects, and states that change places.
    "long": """(float[2, 3] x) => (float[2, 3] y, float[2, 3] z, float[200, 3] all,
                                   int64[200] numbers, float[3] after) {
        most = Constant<value_int = 200>()
        start = Neg(x)
        y, z, all, numbers = Loop(most, , x, start) <body = step (
              int64 i, bool c, float[2, 3] a, float[2, 3] b)
            => (bool c2, float[2, 3] b2, float[2, 3] next, float[3] each, int64 number) {
          number = Identity(i)
          c2 = Identity(c)
          b2 = Identity(b)
          product = MatMul(a, weight)
          next = Tanh(product)
          rows = Constant<value_ints = [0]>()
          each = ReduceSum<keepdims = 0>(a, rows)
        }>
        after = ReduceMax<axes = [0], keepdims = 0>(weight) }""",
    # Long, but it may end earlier.
    "long-guarded": """(float[3] x) => (float[3] y, float[k, 3] all) {
        most = Constant<value_int = 100>()
        total = ReduceSum<keepdims = 0>(x)
        zero = Constant<value_float = 0.0>()
        go = Greater(total, zero)
        y, all = Loop(most, go, x) <body = step (
              int64 i, bool c, float[3] s)
            => (bool more, float[3] next, float[3] each) {
          f = Cast<to = 1>(i)
          next = Sub(s, f)
          each = Mul(next, x)
          sum = ReduceSum<keepdims = 0>(next)
          low = Constant<value_float = -400.0>()
          more = Greater(sum, low)
        }> }""",
    # The number of iterations is computed, as are those of the loop inside. A
    # loop in a branch that is not taken would not end.
    "counted": """(float[3] x) => (float[3] y, int64 total) {
        largest = ReduceMax<keepdims = 0>(x)
        n = Cast<to = 7>(largest)
        none = Constant<value_int = 0>()
        y, total = Loop(n, , x, none) <body = outer (
              int64 i, bool c, float[3] s, int64 sum)
            => (bool c2, float[3] next, int64 sum2) {
          c2 = Identity(c)
          t, count = Loop(i, , s, sum) <body = inner (
                int64 j, bool d, float[3] u, int64 m)
              => (bool d2, float[3] v, int64 k) {
            d2 = Identity(d)
            one = Constant<value_int = 1>()
            k = Add(m, one)
            down = Constant<value_float = 0.3>()
            w = Sub(u, down)
            v = Tanh(w)
          }>
          sum2 = Identity(count)
          small = Constant<value_float = 0.0>()
          least = ReduceMin<keepdims = 0>(t)
          low = Less(least, small)
          next = If(low) <then_branch = endless () => (float[3] a) {
                a = Loop( , , t) <body = lift (int64 l, bool e, float[3] p)
                    => (bool lower, float[3] q) {
                  up = Constant<value_float = 0.25>()
                  q = Add(p, up)
                  min = ReduceMin<keepdims = 0>(q)
                  lower = Less(min, small)
                }> },
              else_branch = keep () => (float[3] b) { b = Identity(t) }>
        }> }""",
    # A state of which each iteration updates a row and reads others.
    "updated": """(float[4, 3] x) => (float[4, 3] y) {
        y = Loop( , , x) <body = step (int64 i, bool c, float[4, 3] s)
            => (bool more, float[4, 3] next) {
          rows = Constant<value_int = 4>()
          at = Mod(i, rows)
          one = Constant<value_ints = [1, 1]>()
          place = Reshape(at, one)
          old = Gather<axis = 0>(s, at)
          half = Constant<value_float = 0.5>()
          less = Mul(old, half)
          first = Constant<value_ints = [0]>()
          row = Unsqueeze(less, first)
          next = ScatterND(s, place, row)
          norm = ReduceL2<keepdims = 0>(next)
          more = Greater(norm, half)
        }> }""",
    # Long scans, forwards and backwards, along other axes than the first.
    "scans": """(float[2, 40] x) => (float[2] last, float[40, 2] sums,
                                    float[2, 40] backwards) {
        zero = Constant<value_floats = [0.0, 0.0]>()
        last, sums, backwards = Scan<num_scan_inputs = 2, scan_input_axes = [1, -1],
            scan_input_directions = [0, 1], scan_output_axes = [0, 1],
            scan_output_directions = [1, 0], body = step (
              float[2] s, float[2] a, float[2] b)
            => (float[2] next, float[2] sum, float[2] product) {
          half = Constant<value_float = 0.5>()
          less = Mul(s, half)
          next = Add(less, a)
          sum = Add(next, b)
          product = Mul(a, b)
        }>(zero, x, x) }""",
}
WEIGHTS = {
    "two-loops": {"axis": np.array([0])},
    "long": {"weight": np.random.default_rng(0).random((3, 3), np.float32) - 0.5},
}


def parse(name, extent=None):
    """An `extent` of tensors is open, called n."""
    text = CASES[name].replace("ReduceSum(all, axis, keep)",
                               "ReduceSum<keepdims = 0>(all, axis)")
    if extent:
        text = text.replace(f"{extent}]", "n]")
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 17]> g {text}')
    for key, array in WEIGHTS.get(name, {}).items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, key))
    return model
