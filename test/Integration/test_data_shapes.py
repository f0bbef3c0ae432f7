"""Models whose shapes depend on data, against ONNX Runtime: with fixed and with
open inputs, compiled, interpreted and as a library in a process of its own.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib

import numpy as np
import onnx.parser
import pytest
from backends import run_onnx_reference, run_onnxruntime
from compare import check_equal
from libraries import compile_library, run_compiled

import glow

# name: a graph in ONNX's textual form. Extents n and m are open in the tests
# of ranges and have these values in the others.
SIZES = {"n": 5, "m": 4}
CASES = {
    "non-zero": """(float[n, 3, m] x) => (int64[3, k] z) {
        z = NonZero(x) }""",
    "non-zero-int8": """(int8[n, m] x) => (int64[2, k] z) { z = NonZero(x) }""",
    "non-zero-bool": """(bool[n] x) => (int64[1, k] z) { z = NonZero(x) }""",
    "non-zero-double": """(double[n, m] x) => (int64[2, k] z) {
        z = NonZero(x) }""",
    "non-zero-transposed": """(float[n, m] x) => (int64[2, k] z) {
        t = Transpose<perm = [1, 0]>(x)
        z = NonZero(t) }""",
    "gather-found": """(float[n, m] x, float[n, m] y) => (float[k] z, float s) {
        i = NonZero(x)
        t = Transpose<perm = [1, 0]>(i)
        z = GatherND(y, t)
        s = ReduceSum<keepdims = 0>(z) }""",
    "scatter-found": """(float[n, m] x, float[n, m] y) => (float[n, m] z) {
        i = NonZero(x)
        t = Transpose<perm = [1, 0]>(i)
        v = GatherND(y, t)
        w = Exp(v)
        z = ScatterND(y, t, w) }""",
    "rows-found": """(float[n] x, float[n, m] y)
          => (float[k, m] a, float[m] b, float[k, k] c, float[k, m] d, int64[2] e) {
        i = NonZero(x)
        zero = Constant<value_ints = [0]>()
        p = Squeeze(i, zero)
        a = Gather<axis = 0>(y, p)
        b = ReduceSumSquare<axes = [0], keepdims = 0>(a)
        t = Transpose<perm = [1, 0]>(a)
        c = MatMul(a, t)
        d = Softmax<axis = 0>(a)
        e = Shape(a) }""",
    "count-as-data": """(float[n] x) => (int64 c, int64[k] r, float q) {
        i = NonZero(x)
        s = Size(i)
        c = Identity(s)
        zero = Constant<value_int = 0>()
        one = Constant<value_int = 1>()
        r = Range(zero, s, one)
        f = Cast<to = 1>(s)
        q = Sqrt(f) }""",
    "found-twice": """(float[n] x, float[n] y) => (int64[1, k] a, int64[1, j] b, float[l] c) {
        a = NonZero(x)
        b = NonZero(y)
        zero = Constant<value_ints = [0]>()
        p = Squeeze(a, zero)
        q = Squeeze(b, zero)
        g = Gather<axis = 0>(x, p)
        h = Gather<axis = 0>(y, q)
        c = Concat<axis = 0>(g, h) }""",
    "slice-at-data": """(float[n, m] x, int64[1] s, int64[1] e)
          => (float[k, m] a, float[n, j] b, float[l] c) {
        zero = Constant<value_ints = [0]>()
        one = Constant<value_ints = [1]>()
        down = Constant<value_ints = [-2]>()
        a = Slice(x, s, e, zero)
        b = Slice(x, s, e, one, down)
        c = ReduceSum<keepdims = 0>(a, one) }""",
    # From the first one of none there is no way back.
    "found-backwards": """(float[n] x) => (int64[1, k] a, int64[1, j] b) {
        i = NonZero(x)
        zero = Constant<value_ints = [0]>()
        one = Constant<value_ints = [1]>()
        begin = Constant<value_ints = [-2147483648]>()
        down = Constant<value_ints = [-2]>()
        a = Slice(i, zero, begin, one, down)
        b = Slice(i, one, begin, one, down) }""",
    "best-of-data": """(float[8, m] x, int64[1] s) => (float[k, m] a, int64[k, m] b) {
        four = Constant<value_ints = [4]>()
        k = Add(s, four)
        a, b = TopK<axis = 0>(x, k) }""",
    "compress": """(float[n, m] x, bool[m] c) => (float[n, k] z) {
        z = Compress<axis = 1>(x, c) }""",
    "compress-flat": """(float[2, 3] x, bool[5] c) => (float[k] z) {
        z = Compress(x, c) }""",
    "compress-short": """(float[7, m] x, bool[n] c) => (float[k, m] z) {
        z = Compress<axis = 0>(x, c) }""",
}
for kind in ("float", "int64", "int8", "double"):
    for is_sorted in (0, 1):
        CASES[f"unique-{kind}-sorted{is_sorted}"] = f"""({kind}[n, m] x)
              => ({kind}[k] a, int64[k] b, int64[l] c, int64[k] d) {{
            a, b, c, d = Unique<sorted = {is_sorted}>(x) }}"""
for axis in (0, 1):
    for is_sorted in (0, 1):
        extents = ("n", "4", "k, 4") if axis == 0 else ("4", "n", "4, k")
        CASES[f"unique-axis{axis}-sorted{is_sorted}"] = f"""(float[{extents[0]}, {extents[1]}] x)
              => (float[{extents[2]}] a, int64[k] b, int64[l] c, int64[k] d) {{
            a, b, c, d = Unique<axis = {axis}, sorted = {is_sorted}>(x) }}"""
# A small detector: scores of classes, the best boxes of each, their features.
for name, center in (("corners", 0), ("centres", 1)):
    CASES[f"detector-{name}"] = f"""(float[2, n, 4] boxes, float[2, n, 8] features)
          => (int64[k, 3] z, float[k, 4] b, float[k, 8] f) {{
        w = Constant<value = float[8, 3] {{0.5, -1, 0.25, 1, 0.5, -0.5, 0.125, 2,
            1, -0.5, 0.75, 1, 0.5, -1, 0.25, 1, 0.5, -0.5, 0.125, 2, 1, -0.5, 0.75, 1}}>()
        l = MatMul(features, w)
        s = Softmax<axis = 2>(l)
        t = Transpose<perm = [0, 2, 1]>(s)
        most = Constant<value_ints = [3]>()
        iou = Constant<value_floats = [0.3]>()
        least = Constant<value_floats = [0.2]>()
        z = NonMaxSuppression<center_point_box = {center}>(boxes, t, most, iou, least)
        columns = Constant<value_ints = [0, 2]>()
        p = Gather<axis = 1>(z, columns)
        b = GatherND(boxes, p)
        f = GatherND(features, p) }}"""


CASES["boxes-at-most"] = """(float[1, n, 4] boxes, float[1, 2, n] features, int64[1] s)
      => (int64[k, 3] z) {
    iou = Constant<value_floats = [0.3]>()
    z = NonMaxSuppression(boxes, features, s, iou) }"""


# Two tensors of which one mask keeps elements are of one extent.
CASES["kept-twice"] = """(float[n, m] x, float[n, m] y, bool[n] c) => (float[k, m] z) {
    a = Compress<axis = 0>(x, c)
    b = Compress<axis = 0>(y, c)
    z = Add(a, b) }"""


def parse(graph, **sizes):
    for name, size in sizes.items():
        for before in ("[", ", "):
            for behind in ("]", ", "):
                graph = graph.replace(f"{before}{name}{behind}",
                                      f"{before}{size}{behind}")
    return onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 17]> g {graph}')


def make_inputs(model, seed, density, sizes=None):
    """Numbers of which this part is not zero; boxes that overlap."""
    rng = np.random.default_rng(seed)
    inputs = {}
    for info in model.graph.input:
        tensor = info.type.tensor_type
        shape = [sizes[d.dim_param] if d.dim_param else d.dim_value
                 for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        values = rng.integers(-3, 4, shape)
        values[values == 0] = 1
        if info.name in ("boxes", "features"):
            values = rng.random(shape) * 2
        else:
            values = np.where(rng.random(shape) < density, values, 0)
        inputs[info.name] = values.astype(dtype)
    return inputs


def reference(model, inputs):
    try:
        return run_onnxruntime(model, inputs)
    except Exception as error:  # it has no kernel for all types
        if "NOT_IMPLEMENTED" not in str(error):
            raise
        return run_onnx_reference(model, inputs)


def seeds(name):
    seed = zlib.crc32(name.encode())
    return [(seed, 0.0), (seed + 1, 0.5), (seed + 2, 1.0), (seed + 3, 0.3)]


@pytest.mark.parametrize("name", CASES)
def test_fixed_inputs(name, backend):
    model = parse(CASES[name], **SIZES)
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    compiled = glow.compile(model.SerializeToString(), target=backend)
    for seed, density in seeds(name):
        inputs = make_inputs(model, seed, density)
        check_equal(compiled.run(inputs), reference(model, inputs), 2e-5)


@pytest.mark.parametrize("name", [n for n in CASES if "flat" not in n
                                  and n != "kept-twice"])
def test_ranges(name):
    model = parse(CASES[name])
    shapes = {}
    for info in model.graph.input:
        shapes[info.name] = [(1, 6) if d.dim_param else d.dim_value
                             for d in info.type.tensor_type.shape.dim]
    compiled = glow.compile(model.SerializeToString(), shapes=shapes)
    for seed, density in seeds(name):
        for sizes in ({"n": 6, "m": 6}, {"n": 1, "m": 5}, {"n": 4, "m": 1}):
            inputs = make_inputs(model, seed, density, sizes)
            check_equal(compiled.run(inputs), reference(model, inputs),
                        2e-5)


@pytest.mark.parametrize("name", ["non-zero", "rows-found", "detector-corners"])
def test_library_in_its_own_process(name, tmp_path, bin_dir):
    model = parse(CASES[name], **SIZES)
    compile_library(bin_dir, tmp_path, model)
    for seed, density in seeds(name):
        inputs = make_inputs(model, seed, density)
        expected = reference(model, inputs)
        check_equal(run_compiled(bin_dir, tmp_path, inputs, expected), expected,
                    2e-5)


def test_outputs_are_described():
    model = parse(CASES["non-zero"], **SIZES)
    compiled = glow.compile(model.SerializeToString())
    assert [tuple(o.shape) for o in compiled.outputs] == [(3, None)]


def test_shapes_that_nothing_bounds_are_refused():
    model = parse("""(float[6] x, float[3] y) => (int64[1, k] z) {
        i = NonZero(x)
        j = NonZero(y)
        z = Add(i, j) }""")
    with pytest.raises(glow.GlowError, match="it needs count1 to be count0"):
        glow.compile(model.SerializeToString())


@pytest.mark.parametrize("extent", ["6", "n"])
def test_nan_is_one_value_and_the_last(extent, backend):
    """As NumPy and so ONNX's reference have it; ONNX Runtime leaves it open."""
    model = parse(f"""(float[{extent}] x)
          => (float[k] a, int64[k] b, int64[l] c, int64[k] d) {{
        a, b, c, d = Unique(x) }}""")
    x = np.array([np.nan, 1, np.inf, np.nan, -1, 1], np.float32)
    shapes = {"x": [(1, 9)]} if extent == "n" and backend == "cpu" else None
    got = glow.compile(model.SerializeToString(), target=backend,
                       shapes=shapes).run({"x": x})
    expected = np.unique(x, True, True, True)
    for name, want in zip("abcd", expected):
        np.testing.assert_array_equal(got[name], want)
