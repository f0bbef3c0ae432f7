"""glow-bound-shapes against ONNX Runtime: one compilation, many extents.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib

import numpy as np
import onnx.parser
import pytest

from bounded import Bounded, corners, make_inputs
from compare import check_equal

N = {"n": (1, 7)}
NM = {"n": (1, 6), "m": (1, 5)}
PAST = {"past": (0, 6), "n": (1, 4)}

# name: (bounds, graph in ONNX's textual form)
CASES = {
    "add": (NM, """(float[n, m] x, float[m] y) => (float[n, m] z) {
        z = Add(x, y) }"""),
    "matmul-rows": (N, """(float[n, 8] x, float[8, 5] y) => (float[n, 5] z) {
        z = MatMul(x, y) }"""),
    "matmul-depth": (NM, """(float[2, n, m] x, float[m, 5] y) => (float[2, n, 5] z) {
        z = MatMul(x, y) }"""),
    "matmul-vector": (N, """(float[n] x, float[n] y) => (float z) {
        z = MatMul(x, y) }"""),
    "gemm": (NM, """(float[n, m] x, float[5, n] y, float[m, 5] c) => (float[m, 5] z) {
        z = Gemm<transA = 1, transB = 1, alpha = 0.5>(x, y, c) }"""),
    "softmax": (NM, """(float[n, m] x) => (float[n, m] z) {
        z = Softmax<axis = 1>(x) }"""),
    "log-softmax": (NM, """(float[n, m] x) => (float[n, m] z) {
        z = LogSoftmax<axis = 0>(x) }"""),
    "attention": (NM, """(float[n, m, 8] x) => (float[n, m, 8] z) {
        t = Transpose<perm = [0, 2, 1]>(x)
        s = MatMul(x, t)
        p = Softmax<axis = -1>(s)
        z = MatMul(p, x) }"""),
    "reduce": (NM, """(float[n, 3, m] x)
          => (float[3] a, float[n, 1, m] b, float[1, 3, 1] c, float[n, 3] d, float[3, m] e) {
        ax = Constant<value_ints = [0, 2]>()
        a = ReduceSum<keepdims = 0>(x, ax)
        b = ReduceMean<axes = [1]>(x)
        c = ReduceMax<axes = [0, 2]>(x)
        d = ReduceMin<axes = [2], keepdims = 0>(x)
        e = ReduceMean<axes = [0], keepdims = 0>(x) }"""),
    "reduce-prod-l2": (NM, """(float[n, m] x) => (float[n] a, float[m] b, float[n] c) {
        a = ReduceProd<axes = [1], keepdims = 0>(x)
        b = ReduceL2<axes = [0], keepdims = 0>(x)
        c = ReduceLogSumExp<axes = [1], keepdims = 0>(x) }"""),
    "reduce-integers": (NM, """(int64[n, m] x) => (int64[n] a, int64[m] b) {
        a = ReduceMax<axes = [1], keepdims = 0>(x)
        b = ReduceMin<axes = [0], keepdims = 0>(x) }"""),
    "layer-norm": (NM, """(float[n, m, 8] x, float[8] s, float[8] b) => (float[n, m, 8] z) {
        z = LayerNormalization<axis = -1>(x, s, b) }"""),
    "layer-norm-open": (NM, """(float[n, m, 8] x, float[1, 8] s) => (float[n, m, 8] z) {
        z = LayerNormalization<axis = 1>(x, s) }"""),
    "batch-norm": (N, """(float[n, 3, 4] x, float[3] s, float[3] b, float[3] m, float[3] v)
          => (float[n, 3, 4] z) {
        w = Abs(v)
        z = BatchNormalization(x, s, b, m, w) }"""),
    "group-norm": ({"n": (1, 6), "m": (3, 5)}, """(float[n, 4, m] x, float[4] s, float[4] b) => (float[n, 4, m] z) {
        z = InstanceNormalization(x, s, b) }"""),
    "arg-max": (NM, """(float[n, m] x) => (int64[n] a, int64[1, m] b) {
        a = ArgMax<axis = 1, keepdims = 0>(x)
        b = ArgMin<axis = 0>(x) }"""),
    "cum-sum": (NM, """(float[n, m] x) => (float[n, m] a, float[n, m] b, float[n, m] c) {
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        a = CumSum(x, one)
        b = CumSum<reverse = 1>(x, one)
        c = CumSum<exclusive = 1, reverse = 1>(x, zero) }"""),
    "top-k": ({"n": (3, 7)}, """(float[2, n] x) => (float[2, 3] a, int64[2, 3] b) {
        k = Constant<value_ints = [3]>()
        a, b = TopK<axis = 1>(x, k) }"""),
    "sort": (N, """(float[2, n] x) => (float[2, n] a, int64[2, n] b) {
        s = Shape<start = 1>(x)
        a, b = TopK<axis = 1, largest = 0>(x, s) }"""),
    "conv-batch": (N, """(float[n, 3, 8, 8] x, float[4, 3, 3, 3] w) => (float[n, 4, 4, 4] z) {
        y = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(x, w)
        z = Relu(y) }"""),
    "conv-spatial": ({"n": (3, 9), "m": (2, 6)},
                     """(float[1, 3, n, m] x, float[8, 3, 3, 3] w) => (float[1, 8, h, k] z) {
        z = Conv<pads = [1, 1, 1, 1]>(x, w) }"""),
    "conv-strided": ({"n": (5, 12)}, """(float[2, 3, n] x, float[4, 3, 3] w) => (float[2, 4, h] z) {
        z = Conv<pads = [0, 1], strides = [2], dilations = [2]>(x, w) }"""),
    "conv-transpose": (N, """(float[n, 3, 4] x, float[3, 2, 3] w) => (float[n, 2, 9] z) {
        z = ConvTranspose<strides = [2]>(x, w) }"""),
    "pool-no-window": ({"m": (1, 8)}, """(float[2, 2, m, 6] x) => (float[2, 2, h, 4] a) {
        a = MaxPool<kernel_shape = [2, 3]>(x) }"""),
    "pool": ({"n": (1, 3), "m": (3, 8)},
             """(float[n, 2, m, 6] x) => (float[n, 2, h, 4] a, float[n, 2, h, 6] b, float[n, 2, h, 4] c,
                 float[n, 2, 1, 1] d, float[n, 2, m, 6] e) {
        a = MaxPool<kernel_shape = [2, 3]>(x)
        b = MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(x)
        c = AveragePool<kernel_shape = [2, 3], strides = [2, 1]>(x)
        d = GlobalAveragePool(x)
        e = MaxPool<kernel_shape = [9, 7], pads = [4, 3, 4, 3]>(x) }"""),
    "reshape-split": (NM, """(float[n, m, 12] x) => (float[n, 3, m, 4] z) {
        s = Constant<value_ints = [0, 0, 3, 4]>()
        y = Reshape(x, s)
        z = Transpose<perm = [0, 2, 1, 3]>(y) }"""),
    "reshape-merge": (NM, """(float[n, m, 4] x, float[4, 6] w) => (float[n, m, 6] z) {
        s = Constant<value_ints = [-1, 4]>()
        y = Reshape(x, s)
        p = MatMul(y, w)
        h = Shape<end = 2>(x)
        six = Constant<value_ints = [6]>()
        t = Concat<axis = 0>(h, six)
        z = Reshape(p, t) }"""),
    "reshape-merged-result": (NM, """(float[n, m, 4] x) => (float[k, 4] z, float[k] r) {
        s = Constant<value_ints = [-1, 4]>()
        z = Reshape(x, s)
        ax = Constant<value_ints = [1]>()
        r = ReduceSum<keepdims = 0>(z, ax) }"""),
    "flatten": (N, """(float[n, 3, 4] x, float[12, 5] w) => (float[n, 5] z) {
        y = Flatten(x)
        z = MatMul(y, w) }"""),
    "expand": (NM, """(float[n, 1] x, float[n, m] y) => (float[n, m] z) {
        s = Shape(y)
        z = Expand(x, s) }"""),
    "tile": (N, """(float[n, 2] x, float[2] w) => (float[k, 4] z) {
        r = Constant<value_ints = [3, 2]>()
        z = Tile(x, r) }"""),
    "constant-of-shape": (NM, """(float[n, m] x) => (float[m, n] z) {
        s = Shape(x)
        i = Constant<value_ints = [1, 0]>()
        t = Gather(s, i)
        z = ConstantOfShape<value = float[1] {2.5}>(t) }"""),
    "range": (NM, """(float[n, m] x) => (int64[k] a, int64[j] b) {
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        two = Constant<value_int = 2>()
        s = Shape(x)
        n = Gather(s, zero)
        m = Gather(s, one)
        e = Add(n, m)
        a = Range(n, e, one)
        b = Range(zero, e, two) }"""),
    "causal-mask": (PAST, """(float[1, n, 8] x, float[1, past, 8] p) => (float[1, n, k] z) {
        one = Constant<value_int = 1>()
        zero = Constant<value_int = 0>()
        axis = Constant<value_ints = [1]>()
        k = Concat<axis = 1>(p, x)
        t = Transpose<perm = [0, 2, 1]>(k)
        s = MatMul(x, t)
        ks = Shape(k)
        ps = Shape(p)
        nk = Gather(ks, one)
        np = Gather(ps, one)
        columns = Range(zero, nk, one)
        rows = Range(np, nk, one)
        r = Unsqueeze(rows, axis)
        keep = LessOrEqual(columns, r)
        low = Constant<value_float = -10000.0>()
        m = Where(keep, s, low)
        z = Softmax<axis = -1>(m) }"""),
    "trilu": (NM, """(float[n, m] x) => (float[n, m] a, float[n, m] b) {
        one = Constant<value_int = 1>()
        a = Trilu(x)
        b = Trilu<upper = 0>(x, one) }"""),
    "slice": ({"n": (3, 8)}, """(float[n, 6] x)
          => (float[2, 6] a, float[k, 6] b, float[1, 6] c, float[j, 2] d, float[n, 6] e, float[k, 6] f) {
        c0 = Constant<value_ints = [0]>()
        c1 = Constant<value_ints = [1]>()
        c2 = Constant<value_ints = [2]>()
        cm1 = Constant<value_ints = [-1]>()
        far = Constant<value_ints = [9223372036854775807]>()
        low = Constant<value_ints = [-9223372036854775807]>()
        a = Slice(x, c0, c2, c0)
        b = Slice(x, c1, far, c0)
        c = Slice(x, cm1, far, c0)
        st = Constant<value_ints = [0, 1]>()
        en = Constant<value_ints = [9999, 5]>()
        both = Constant<value_ints = [0, 1]>()
        step = Constant<value_ints = [2, 2]>()
        d = Slice(x, st, en, both, step)
        e = Slice(x, cm1, low, c0, cm1)
        f = Slice(x, c0, cm1, c0) }"""),
    "slice-table": (PAST, """(float[n, 2] x, float[past, 2] p, float[1, 10] w) => (float[1, n] z) {
        c1 = Constant<value_ints = [1]>()
        np = Shape<end = 1>(p)
        nx = Shape<end = 1>(x)
        e = Add(np, nx)
        z = Slice(w, np, e, c1) }"""),
    "split": (NM, """(float[n, m, 6] x) => (float[n, m, 2] a, float[n, m, 4] b) {
        s = Constant<value_ints = [2, 4]>()
        a, b = Split<axis = 2>(x, s) }"""),
    "concat-static": (N, """(float[2, 4] c, float[n, 4] x) => (float[k, 4] z) {
        z = Concat<axis = 0>(c, x) }"""),
    "concat-cache": ({"past": (0, 6)}, """(float[2, past, 4] p, float[2, 1, 4] x) => (float[2, k, 4] z) {
        z = Concat<axis = 1>(p, x) }"""),
    "concat-two": (PAST, """(float[2, past, 4] p, float[2, n, 4] x, float[2, 3, 4] y) => (float[2, k, 4] z) {
        z = Concat<axis = 1>(p, x, y, p) }"""),
    "pad": ({"n": (3, 7)}, """(float[n, 4] x) => (float[k, 5] a, float[j, 4] b, float[k, 5] c, float[k, 5] d) {
        p = Constant<value_ints = [1, 0, 2, 1]>()
        q = Constant<value_ints = [-1, 0, 2, 0]>()
        v = Constant<value_float = 7.0>()
        a = Pad(x, p, v)
        b = Pad(x, q)
        c = Pad<mode = "edge">(x, p)
        d = Pad<mode = "reflect">(x, p) }"""),
    "gather": (NM, """(float[10, 4] w, int64[n, m] i) => (float[n, m, 4] z) {
        z = Gather(w, i) }"""),
    "gather-last": (NM, """(float[n, m, 4] x) => (float[n, 4] z) {
        i = Constant<value_int = -1>()
        z = Gather<axis = 1>(x, i) }"""),
    "gather-merged": (NM, """(float[n, m, 4] x, int64[n, 2] i) => (float[n, 2, 4] z) {
        rows = Constant<value_ints = [-1, 4]>()
        flat = Reshape(x, rows)
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        s = Shape(x)
        n = Gather(s, zero)
        m = Gather(s, one)
        images = Range(zero, n, one)
        first = Mul(images, m)
        axis = Constant<value_ints = [1]>()
        column = Unsqueeze(first, axis)
        k = Mod(i, m)
        places = Add(column, k)
        z = Gather(flat, places) }"""),
    "gather-elements": (NM, """(float[4, n] x, int64[m, n] i) => (float[m, n] z) {
        z = GatherElements<axis = 0>(x, i) }"""),
    "gather-elements-repeated": (NM, """(float[n, m, 9] x) => (float[n, m, 9] z) {
        c = Constant<value = int64[1, 1, 9] {8, 0, -9, 3, 1, 2, -1, 7, 7}>()
        s = Shape(x)
        i = Expand(c, s)
        z = GatherElements<axis = 2>(x, i) }"""),
    "gather-nd": ({"n": (4, 7), "m": (1, 4)}, """(float[n, 4, 3] x, int64[m, 2] i) => (float[m, 3] z) {
        z = GatherND(x, i) }"""),
    "scatter-elements": (N, """(float[n, 6] x, int64[n, 2] i, float[n, 2] u) => (float[n, 6] z) {
        z = ScatterElements<axis = 1, reduction = "add">(x, i, u) }"""),
    "scatter-nd": (N, """(float[6, n] x, float[2, n] u) => (float[6, n] z) {
        i = Constant<value = int64[2, 1] {4, -6}>()
        z = ScatterND(x, i, u) }"""),
    "reverse-sequence": (NM, """(float[n, m, 2] x) => (float[n, m, 2] z) {
        t = Shape<end = 1>(x)
        b = Shape<start = 1, end = 2>(x)
        k = Expand(t, b)
        z = ReverseSequence<time_axis = 0, batch_axis = 1>(x, k) }"""),
    "one-hot": (N, """(int64[n] i) => (float[n, 4] z) {
        d = Constant<value_int = 4>()
        v = Constant<value_floats = [0.0, 1.0]>()
        z = OneHot(i, d, v) }"""),
    "quantize": (N, """(float[n, 4] x) => (float[n, 4] z) {
        s = Constant<value_float = 0.02>()
        p = Constant<value = uint8 {128}>()
        q = QuantizeLinear(x, s, p)
        z = DequantizeLinear(q, s, p) }"""),
    "lstm-batch": (N, """(float[3, n, 4] x, float[1, 20, 4] w, float[1, 20, 5] r)
          => (float[3, 1, n, 5] y, float[1, n, 5] h, float[1, n, 5] c) {
        y, h, c = LSTM<hidden_size = 5>(x, w, r) }"""),
    "gru-sequence": ({"n": (1, 4), "m": (1, 3)},
                     """(float[n, m, 4] x, float[2, 15, 4] w, float[2, 15, 5] r)
          => (float[n, 2, m, 5] y, float[2, m, 5] h) {
        y, h = GRU<hidden_size = 5, direction = "bidirectional">(x, w, r) }"""),
    "equal-names": ({"n": (1, 6), "k": (1, 9)}, """(float[n, 4] x, float[k, 4] y) => (float[n, 4] z) {
        z = Mul(x, y) }"""),
    # The batch of one input where that of another stands.
    "equal-batches": ({"n": (1, 6), "k": (1, 9)}, """(float[n, 4, 6] x, int64[k, 2] y) => (float[k, p, 2, 3] z) {
        k = Shape<start = 0, end = 1>(y)
        rest = Constant<value_ints = [-1, 2, 3]>()
        shape = Concat<axis = 0>(k, rest)
        z = Reshape(x, shape) }"""),
    "derived-name": ({"past": (0, 6)}, None),
}


def parse(graph):
    return onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 17]> main {graph}')


def derived_name():
    """A mask as long as the cache and one more, called 'past + 1'."""
    model = parse("""(float[2, past, 4] p, float[2, 1, 4] x, float[2, q] m) => (float[2, k] z) {
        c = Concat<axis = 1>(p, x)
        axes = Constant<value_ints = [2]>()
        s = ReduceSum<keepdims = 0>(c, axes)
        z = Mul(s, m) }""")
    model.graph.input[2].type.tensor_type.shape.dim[1].dim_param = "past + 1"
    return model


@pytest.mark.parametrize("name", CASES)
def test_case(name, backend, bin_dir, tmp_path):
    bounds, graph = CASES[name]
    model = parse(graph) if graph else derived_name()
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    compiled = Bounded(model, bounds, backend, bin_dir, tmp_path)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for values in corners(bounds):
        if name.startswith("equal-"):
            values["k"] = values["n"]
        actual, expected = compiled.run(make_inputs(model, values, rng), values)
        check_equal(actual, expected, 2e-5 if name != "top-k" else None)
