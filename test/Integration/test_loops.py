"""Conditions and loops that depend on data, against ONNX Runtime: compiled,
interpreted and as a library in a process of its own.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal
from libraries import compile_library, run_compiled
from loop_models import CASES, parse
from plain_c import build_program, call

import glow


def inputs_of(model):
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    rng = np.random.default_rng(7)
    for scale in (0.01, 1, 3, 40, -5):
        yield {"x": (rng.random(shape) * scale).astype(np.float32)}


@pytest.mark.parametrize("name", CASES)
def test_data_decides(name, backend):
    model = parse(name)
    program = glow.compile(model.SerializeToString(), target=backend)
    for inputs in inputs_of(model):
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), 1e-5)


@pytest.mark.parametrize("name, extent", [("halve", 3), ("guarded", 2),
                                          ("nested", 3)])
def test_in_a_range(name, extent):
    """All iterations that there may be are written out."""
    model = parse(name, extent)
    program = glow.compile(model.SerializeToString(), shapes={"x": [(1, 9)]})
    for size in (extent, 9, 1):
        for inputs in inputs_of(parse(name)):
            inputs = {"x": np.resize(inputs["x"], size)}
            check_equal(program.run(inputs), run_onnxruntime(model, inputs), 1e-5)


@pytest.mark.parametrize("name", CASES)
def test_library_in_its_own_process(name, tmp_path, bin_dir):
    model = parse(name)
    compile_library(bin_dir, tmp_path, model)
    for inputs in inputs_of(model):
        expected = run_onnxruntime(model, inputs)
        check_equal(run_compiled(bin_dir, tmp_path, inputs, expected), expected,
                    1e-5)


def test_in_plain_c(tmp_path, bin_dir):
    """The last output says how much there is of the others."""
    model = parse("halve")
    onnx.save(model, tmp_path / "model.onnx")
    call(bin_dir / "glow-compile", tmp_path / "model.onnx", "-o",
         tmp_path / "model.so")
    program = build_program("run-model.c", tmp_path)
    for inputs in inputs_of(model):
        (tmp_path / "x").write_bytes(inputs["x"].tobytes())
        data = call(program, tmp_path / "model.so", tmp_path / "x")
        expected = run_onnxruntime(model, inputs)
        counts = np.frombuffer(data[-16:], np.int64)
        assert set(counts) == {len(expected["numbers"])}
        whole = np.frombuffer(data, np.float32, 3 + 12 * 3)
        got = {"y": whole[:3], "all": whole[3:].reshape(12, 3)[:counts[0]],
               "numbers": np.frombuffer(data[whole.nbytes:-16],
                                        np.int64)[:counts[0]]}
        check_equal(got, expected, 1e-5)


def test_without_a_most_it_is_refused():
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 17]>
        g (float[2000] x) => (float[k] y) {
          y = Loop( , , x) <body = step (int64 i, bool c, float[2000] s)
              => (bool more, float[4000] twice) {
            next = Add(s, s)
            twice = Concat<axis = 0>(next, next)
            sum = ReduceSum<keepdims = 0>(next)
            limit = Constant<value_float = 9.0>()
            more = Less(sum, limit)
          }> }""")
    model.graph.node[0].name = "search"
    with pytest.raises(glow.GlowError, match="'search'.*maximal trip count.*"
                       "state 0 changes its type"):
        glow.compile(model.SerializeToString())


def counting():
    """As many rows as x says, in a node that has a name."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 17]>
        g (float[2000] x) => (int64[k] y) {
          most = ReduceMax<keepdims = 0>(x)
          n = Cast<to = 7>(most)
          y = Loop(n, ) <body = count (int64 i, bool c) => (bool d, int64 j) {
            d = Identity(c)
            j = Identity(i)
          }> }""")
    model.graph.node[2].name = "search"
    return model.SerializeToString()


def test_more_rows_than_there_is_room_for(tmp_path, bin_dir):
    x = np.zeros(2000, np.float32)
    programs = {1024: glow.compile(counting()),
                40: glow.compile(counting(), options={"most": "search=40"})}
    for rows, program in programs.items():
        for count in (rows, 0):
            x[7] = count
            assert program.run({"x": x})["y"].tolist() == list(range(count))
        x[7] = rows + 1
        with pytest.raises(glow.GlowError, match=f"search.*more than {rows} rows.*"
                           "--most=search="):
            program.run({"x": x})
    with pytest.raises(glow.GlowError, match="has no node 'other'"):
        glow.compile(counting(), options={"most": "other=40"})
    (tmp_path / "model.onnx").write_bytes(counting())
    call(bin_dir / "glow-compile", tmp_path / "model.onnx", "-o",
         tmp_path / "model.so", "--most=search=2000")
    x[7] = 2000
    library = glow.load(tmp_path / "model.so")
    assert library.run({"x": x})["y"].shape == (2000,)


@pytest.mark.parametrize("more, collected", [(False, 1), (True, 100)])
def test_known_number_of_rows(more, collected, backend):
    """A long loop that ends at once has one row, or none if it does not begin."""
    for entered in (True, False):
        model = onnx.parser.parse_model(f"""<ir_version: 10, opset_import: ["": 17]>
            g (float[3] x) => (float[3] y, float[k, 3] all) {{
              most = Constant<value_int = 100>()
              entered = Constant<value = bool {{{int(entered)}}}>()
              y, all = Loop(most, entered, x) <body = step (
                    int64 i, bool c, float[3] s)
                  => (bool more, float[3] next, float[3] each) {{
                more = Constant<value = bool {{{int(more)}}}>()
                next = Neg(s)
                each = Identity(next)
              }}> }}""")
        x = np.array([1, 2, 3], np.float32)
        outputs = glow.compile(model.SerializeToString(), target=backend).run({"x": x})
        assert outputs["all"].shape == (collected if entered else 0, 3)
        check_equal(outputs, run_onnxruntime(model, {"x": x}))


def test_scan_without_steps(backend):
    """ONNX Runtime divides by their number."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 17]>
        g (float[2, 0] x, float[2] s) => (float[2] last, float[p, 2] sums, float[3, q] rows) {
          last, sums, rows = Scan<num_scan_inputs = 1, scan_input_axes = [1],
              scan_output_axes = [0, -1], body = step (float[2] before, float[2] a)
              => (float[2] next, float[2] sum, float[3] row) {
            next = Add(before, a)
            sum = Neg(next)
            three = Constant<value_ints = [3]>()
            most = ReduceMax(sum)
            row = Expand(most, three)
          }>(s, x) }""")
    s = np.array([1, 2], np.float32)
    outputs = glow.compile(model.SerializeToString(), target=backend).run(
        {"x": np.zeros((2, 0), np.float32), "s": s})
    check_equal(outputs, {"last": s, "sums": np.zeros((0, 2), np.float32),
                          "rows": np.zeros((3, 0), np.float32)})


BODY = """<body = step (int64 i, bool c, float[3] a) => (bool c2, float[3] next) {
    c2 = Identity(c)
    next = Neg(a)
  }>"""
WRONG = {
    "state 0 is left out": """y = Loop(most, , , x) <body = step (
          int64 i, bool c, float[3] a, float[3] b)
        => (bool c2, float[3] next, float[3] last) {
      c2 = Identity(c)
      next = Neg(b)
      last = Identity(b)
    }>""",
    "input 0 is a sequence": f"s = SequenceConstruct(most) y = Loop(s, , x) {BODY}",
    "input 1 is a sequence": f"s = SequenceConstruct(most) y = Loop(most, s, x) {BODY}",
    "no truth value|same element type": f"y = Loop( , x0, x) {BODY}",
}


@pytest.mark.parametrize("reason", WRONG)
def test_wrong_loops(reason):
    model = onnx.parser.parse_model(f"""<ir_version: 10, opset_import: ["": 17]>
        g (float[3] x, float x0) => (float[3] y) {{
          most = Constant<value_int = 100>()
          {WRONG[reason]} }}""")
    # It may wait for the values of small inputs.
    with pytest.raises(glow.GlowError, match=f"'y'.*({reason})"):
        glow.compile(model.SerializeToString()).run(
            {"x": np.zeros(3, np.float32), "x0": np.float32(1)})


def test_known_condition_of_a_long_loop(backend):
    """It is written out, so extents are known and memory is for 3 rows."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 17]>
        g (float[3] x) => (float[3] y, float[k, 3] all) {
          most = Constant<value_int = 1000000>()
          y, all = Loop(most, , x) <body = step (int64 i, bool c, float[3] a)
              => (bool more, float[3] next, float[3] each) {
            two = Constant<value_int = 2>()
            more = Less(i, two)
            next = Add(a, x)
            each = Neg(next)
          }> }""")
    program = glow.compile(model.SerializeToString(), target=backend)
    x = np.array([1, 2, 3], np.float32)
    check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}))


def test_random_numbers_differ_in_each_iteration():
    graph = """<ir_version: 10, opset_import: ["": 17]>
        g (float[3000] x) => (float[3000] y) {
          MOST
          y = Loop(NAME, , x) <body = step (int64 i, bool c, float[3000] a)
              => (bool more, float[3000] next) {
            noise = RandomNormalLike(a)
            next = Add(a, noise)
            largest = ReduceMax<keepdims = 0>(next)
            limit = Constant<value_float = 90.0>()
            more = Less(largest, limit)
          }> }"""
    open_ended = onnx.parser.parse_model(
        graph.replace("MOST", "").replace("NAME", ""))
    with pytest.raises(glow.GlowError, match="draws other numbers in each iteration"):
        glow.compile(open_ended.SerializeToString())
    written_out = onnx.parser.parse_model(
        graph.replace("MOST", "m = Constant<value_int = 100>()").replace("NAME", "m"))
    x = np.zeros(3000, np.float32)
    y = glow.compile(written_out.SerializeToString()).run({"x": x})["y"]
    # The same noise a hundred times would have ten times the deviation.
    assert 9 < np.std(y) < 11
