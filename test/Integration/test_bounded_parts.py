"""glow-bound-shapes against ONNX Runtime: parts of open axes, windows that end
behind them, walks along axes beside open ones, and merged axes where ops want
others.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from bounded import check_case
from test_bounded_shapes import NM, N, parse

import glow

HW = {"h": (2, 9), "w": (3, 8)}


def pool(attributes, kind="AveragePool"):
    return HW, f"""(float[2, 3, h, w] x) => (float[2, 3, p, q] z) {{
        z = {kind}<{attributes}>(x) }}"""


# name: (bounds, graph in ONNX's textual form)
CASES = {
    "split-sizes": (NM, """(float[n, m] x) => (float[1, m] y, float[k, m] z) {
        one = Constant<value_ints = [1]>()
        two = Constant<value_ints = [2]>()
        d = Concat<axis = 0>(x, x)
        s = Shape<end = 1>(d)
        rest = Sub(s, one)
        sizes = Concat<axis = 0>(one, rest)
        y, z = Split<axis = 0>(d, sizes) }"""),
    "split-equal": (NM, """(float[n, m] x) => (float[n, m] y, float[n, m] z) {
        d = Concat<axis = 1>(x, x)
        y, z = Split<axis = 1>(d) }"""),
    "halves": (NM, """(float[n, m] x) => (float[p, m] y, float[q, m] z) {
        s = Shape<end = 1>(x)
        two = Constant<value_ints = [2]>()
        half = Div(s, two)
        rest = Sub(s, half)
        sizes = Concat<axis = 0>(half, rest)
        y, z = Split<axis = 0>(x, sizes) }"""),
    # Rows are added up to whole windows and taken away again.
    "crop-to-size": ({"n": (1, 9)}, """(float[n, 2] x) => (float[n, 2] z) {
        s = Shape<end = 1>(x)
        four = Constant<value_ints = [4]>()
        three = Constant<value_ints = [3]>()
        zero = Constant<value_ints = [0]>()
        up = Add(s, three)
        windows = Div(up, four)
        whole = Mul(windows, four)
        more = Sub(whole, s)
        pads = Concat<axis = 0>(zero, zero, more, zero)
        p = Pad(x, pads)
        to = Constant<value_ints = [-1, 4, 2]>()
        r = Reshape(p, to)
        e = Softmax<axis = 1>(r)
        back = Constant<value_ints = [-1, 2]>()
        f = Reshape(e, back)
        z = Slice(f, zero, s) }"""),
    "range-of-centres": (NM, """(float[n, m] x) => (float[n, m] z) {
        s = Shape<start = 1>(x)
        f = Cast<to = 1>(s)
        axes = Constant<value_ints = [0]>()
        limit = Squeeze(f, axes)
        half = Constant<value = float {0.5}>()
        one = Constant<value = float {1.0}>()
        r = Range(half, limit, one)
        c = Div(r, limit)
        z = Mul(x, c) }"""),
    "max-ceil": pool("kernel_shape = [3, 2], strides = [2, 2], ceil_mode = 1", "MaxPool"),
    "max-ceil-padded": pool("kernel_shape = [3, 3], strides = [2, 3], pads = [1, 0, 1, 1],"
                            " ceil_mode = 1", "MaxPool"),
    "mean-ceil": pool("kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1"),
    "mean-ceil-padded": pool("kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1],"
                             " ceil_mode = 1"),
    "mean-inside": pool("kernel_shape = [3, 3], pads = [1, 1, 1, 1]"),
    "mean-inside-strided": pool("kernel_shape = [3, 2], strides = [2, 1], pads = [1, 0, 1, 1]"),
    "mean-with-pads": pool("kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1],"
                           " count_include_pad = 1"),
    # Something is repeated to as many rows as others have that were merged.
    "repeated-rows": (NM, """(float[n, m, 4] x, float[1, 4] y) => (float[r, 4] z, float[r, 4] e) {
        to = Constant<value_ints = [-1, 4]>()
        rows = Reshape(x, to)
        s = Shape(rows)
        one = Constant<value_ints = [1]>()
        zero = Constant<value_ints = [0]>()
        first = Slice(s, zero, one)
        repeats = Concat<axis = 0>(first, one)
        t = Tile(y, repeats)
        z = Mul(rows, t)
        w = Expand(y, s)
        e = Sub(w, rows) }"""),
    "tuples-into-merged": (NM, """(float[n, m, 4] x, int64[3, 2] i) => (float[3] z) {
        to = Constant<value_ints = [-1, 4]>()
        rows = Reshape(x, to)
        two = Constant<value_ints = [2, 1]>()
        more = Tile(rows, two)
        z = GatherND(more, i) }"""),
    # Indices that count the places, as PyTorch exports as_strided; and others.
    "places-in-order": (N, """(float[n, 4, 3] x) => (float[n, 4] y, float[n, 4] z) {
        b = ReduceMean<axes = [2], keepdims = 0>(x)
        all = Constant<value_ints = [-1]>()
        flat = Reshape(b, all)
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        four = Constant<value_int = 4>()
        s = Shape<end = 1>(x)
        count = Squeeze(s)
        rows = Range(zero, count, one)
        starts = Mul(rows, four)
        column = Unsqueeze(starts, all)
        within = Constant<value = int64[1, 4] {0, 1, 2, 3}>()
        back = Constant<value = int64[1, 4] {3, 2, 1, 0}>()
        i = Add(column, within)
        j = Add(column, back)
        y = Gather(flat, i)
        z = Gather(flat, j) }"""),
    # Rows behind a mask are zeros, and the largest of those is the first one.
    "indices-behind-masks": ({"n": (1, 7)}, """(float[n] q, float[7, 4] x, float[9, 6] t)
          => (float[7, 6] y, float[7, 2, 6] z, float[7, 6] w) {
        places = Constant<value = int64[7, 1] {0, 1, 2, 3, 4, 5, 6}>()
        s = Shape(q)
        holds = Less(places, s)
        zero = Constant<value_float = 0.0>()
        rows = Where(holds, x, zero)
        i = ArgMax<axis = 1, keepdims = 0>(rows)
        y = Gather(t, i)
        two = Constant<value_ints = [2]>()
        best, j = TopK<axis = 1>(rows, two)
        z = Gather(t, j)
        first = Constant<value_int = 0>()
        ones = Cast<to = 1>(holds)
        sums = CumSum(ones, first)
        counts = Cast<to = 7>(sums)
        last = Constant<value_ints = [1]>()
        k = Squeeze(counts, last)
        w = Gather(t, k) }"""),
    "part-of-merged": (NM, """(float[n, m, 4] x) => (float[k, 4] z) {
        to = Constant<value_ints = [-1, 4]>()
        rows = Reshape(x, to)
        d = Concat<axis = 0>(rows, rows)
        one = Constant<value_ints = [1]>()
        end = Constant<value_ints = [-1]>()
        z = Slice(d, one, end) }"""),
    "top-k-rows": (NM, """(float[n, 9, m] x) => (float[n, 3, m] a, int64[n, 3, m] b) {
        k = Constant<value_ints = [3]>()
        y = Exp(x)
        a, b = TopK<axis = 1>(y, k) }"""),
    "gather-nd-batches": (NM, """(float[n, 4, m] x, int64[n, 2, 1] i) => (float[n, 2, m] z) {
        y = Exp(x)
        z = GatherND<batch_dims = 1>(y, i) }"""),
    # Eight queries of each point, and as many rows of a table as there are points.
    "relative-places": ({"n": (1, 70)}, """(float[n, 8, 32] q, int64[n, n] i) => (float[n, 8, n] z) {
        zero = Constant<value_float = 0.0>()
        end = Constant<value_float = 288.0>()
        one = Constant<value_float = 1.0>()
        counted = Range(zero, end, one)
        numbers = Sin(counted)
        to = Constant<value_ints = [9, 32]>()
        t = Reshape(numbers, to)
        rows = Gather(t, i)
        keys = Transpose<perm = [0, 2, 1]>(rows)
        s = MatMul(q, keys)
        z = Softmax(s) }"""),
    "triangle-of-merged": (NM, """(float[n, m, 4] x) => (float[r, 4] z) {
        to = Constant<value_ints = [-1, 4]>()
        rows = Reshape(x, to)
        z = Trilu(rows) }"""),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, graph = CASES[name]
    check_case(name, bounds, parse(graph), backend, bin_dir, tmp_path, high=2)


# Each place of an image's patches becomes one with those of the other patches.
PATCHES = """(float[n, 2, 4, 6] x) => (float[n, 2, 4, 6] z) {
        rows = Constant<value = int64[2, 2] {0, 2, 1, 3}>()
        columns = Constant<value = int64[3, 2] {0, 3, 1, 4, 2, 5}>()
        a = Gather<axis = 2>(x, rows)
        b = Gather<axis = 4>(a, columns)
        t = Transpose<perm = [0, 1, 2, 4, 3, 5]>(b)
        to = Constant<value_ints = [0, 2, 6, 4]>()
        p = Reshape(t, to)
        e = Softmax<axis = 2>(p)
        back = Constant<value_ints = [0, 12, 4]>()
        f = Reshape(e, back)
        image = Constant<value_ints = [4, 6]>()
        block = Constant<value_ints = [2, 3]>()
        z = Col2Im<strides = [2, 3]>(f, image, block) }"""


def test_patches(backend, bin_dir, tmp_path):
    model = parse(PATCHES)
    model.opset_import[0].version = 18  # Col2Im's first
    check_case("patches", {"n": (1, 9)}, model, backend, bin_dir, tmp_path,
               high=2)


# Sizes that are computed, known, and equal before version 18 of the operators.
SIZES = {
    "computed": (17, """
        s = Shape<end = 1>(x)
        one = Constant<value_ints = [1]>()
        rest = Sub(s, one)
        less = Sub(rest, one)
        sizes = Concat<axis = 0>(one, less)
        y, z = Split<axis = 0>(x, sizes)"""),
    "known": (17, """
        sizes = Constant<value_ints = [2, 2]>()
        y, z = Split<axis = 0>(x, sizes)"""),
    "attribute": (11, "y, z = Split<axis = 0, split = [2, 2]>(x)"),
    "equal": (13, "y, z = Split<axis = 0>(x)"),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_do_not_add_up(name, backend):
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    opset, body = SIZES[name]
    model = parse(f"(float[n, 2] x) => (float[p, 2] y, float[q, 2] z) {{ {body} }}")
    model.opset_import[0].version = opset
    program = glow.compile(model.SerializeToString(), target=backend,
                           shapes={"x": ((4, 5), 2)})
    with pytest.raises(glow.GlowError, match="sizes do not add up to the extent"):
        program.run({"x": np.zeros((5, 2), np.float32)})


def test_numbers_are_not_places(backend):
    """Eight for each row count places of the largest shape, not elements."""
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    model = parse("""(float[n, m] x) => (float[n, m] y) {
        all = Constant<value_ints = [-1]>()
        flat = Reshape(x, all)
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        eight = Constant<value_int = 8>()
        a = Shape<end = 1>(x)
        rows = Squeeze(a)
        b = Shape<start = 1>(x)
        columns = Squeeze(b)
        r = Range(zero, rows, one)
        starts = Mul(r, eight)
        column = Unsqueeze(starts, all)
        c = Range(zero, columns, one)
        i = Add(column, c)
        y = Gather(flat, i) }""")
    program = glow.compile(model.SerializeToString(), target=backend,
                           shapes={"x": ((1, 8), (1, 8))})
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    np.testing.assert_array_equal(program.run({"x": x})["y"], x)
    with pytest.raises(glow.GlowError, match="an index is out of range"):
        program.run({"x": x[:, :4]})


def test_negative_sizes():
    model = parse("""(float[n, 2] x) => (float[p, 2] y, float[q, 2] z) {
        sizes = Constant<value_ints = [-1, 4]>()
        y, z = Split<axis = 0>(x, sizes) }""")
    with pytest.raises(glow.GlowError, match="a size is negative"):
        glow.compile(model.SerializeToString(), shapes={"x": ((2, 5), 2)})
