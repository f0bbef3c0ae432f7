"""Models with extents that are known only when they run, compiled once.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import numpy as np
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal
from digits import accuracy
from onnx import TensorProto, helper, numpy_helper

import glow

# One layer, whose batch is the outermost axis.
LAYER = """
func.func @main(
    %x: tensor<8x16xf32> {glow.name = "x",
                          glow.extents = affine_map<()[s0] -> (s0, 16)>},
    %symbols: tensor<1xi64> {glow.symbols =
        [{name = "batch", lower = 1 : i64, upper = 8 : i64}]})
    -> (tensor<8x4xf32> {glow.name = "y",
                         glow.extents = affine_map<()[s0] -> (s0, 4)>}) {
  %w = glow.constant dense<0.125> : tensor<16x4xf32>
  %0 = glow.matmul %x, %w
      : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = glow.tanh %0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
"""

# The sum along an inner axis, and what is written along two of them.
SUM = """
func.func @main(
    %x: tensor<3x6x4xf32> {glow.name = "x",
        glow.extents = affine_map<()[s0, s1] -> (s1, s0, 4)>},
    %symbols: tensor<2xi64> {glow.symbols =
        [{name = "length", lower = 0 : i64, upper = 6 : i64},
         {name = "batch", lower = 1 : i64, upper = 3 : i64}]})
    -> (tensor<3x4xf32> {glow.name = "sum",
            glow.extents = affine_map<()[s0, s1] -> (s1, 4)>},
        tensor<3x6x4xf32> {glow.name = "twice",
            glow.extents = affine_map<()[s0, s1] -> (s1, s0, 4)>},
        tensor<2xi64> {glow.name = "values"}) {
  %zero = glow.constant dense<0.0> : tensor<f32>
  %first = glow.constant dense<0> : tensor<i64>
  %positions = glow.constant dense<[[0], [1], [2], [3], [4], [5]]>
      : tensor<6x1xi64>
  %length = glow.gather %symbols, %first {axis = 0 : i64}
      : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %valid = glow.less %positions, %length
      : (tensor<6x1xi64>, tensor<i64>) -> tensor<6x1xi1>
  %masked = glow.where %valid, %x, %zero
      : (tensor<6x1xi1>, tensor<3x6x4xf32>, tensor<f32>) -> tensor<3x6x4xf32>
  %sum = glow.reduce sum %masked {axes = array<i64: 1>}
      : (tensor<3x6x4xf32>) -> tensor<3x4xf32>
  %twice = glow.add %x, %x
      : (tensor<3x6x4xf32>, tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  return %sum, %twice, %symbols
      : tensor<3x4xf32>, tensor<3x6x4xf32>, tensor<2xi64>
}
"""


@pytest.fixture(params=["jit", "so"])
def compile_text(request, tmp_path):
    """Compiles the text of a module, in this process or ahead of time."""
    def compile_one(text):
        path = tmp_path / "model.mlir"
        path.write_text(text)
        model = glow.compile(str(path))
        if request.param == "jit":
            return model
        model.save(tmp_path / "model.so")
        return glow.load(tmp_path / "model.so")
    return compile_one


def test_outermost_axis(compile_text):
    model = compile_text(LAYER)
    assert model.inputs == [("x", np.float32, (None, 16))]
    assert model.outputs == [("y", np.float32, (None, 4))]
    rng = np.random.default_rng(0)
    model.run({"x": np.full((8, 16), np.nan, np.float32)})
    for batch in [8, 1, 3, 7]:
        x = rng.normal(size=(batch, 16)).astype(np.float32)
        y = np.tanh(np.repeat(x.sum(1, keepdims=True) / 8, 4, 1))
        check_equal(model.run({"x": x}), {"y": y}, 1e-5)


def test_inner_axes(compile_text):
    model = compile_text(SUM)
    assert model.inputs[0].shape == (None, None, 4)
    assert [o.shape for o in model.outputs] == [(None, 4), (None, None, 4),
                                                (2,)]
    rng = np.random.default_rng(0)
    model.run({"x": np.full((3, 6, 4), np.nan, np.float32)})
    for batch in [3, 1, 2]:
        for length in [6, 1, 0, 5]:
            x = rng.normal(size=(batch, length, 4)).astype(np.float32)
            check_equal(model.run({"x": x}),
                        {"sum": x.sum(1), "twice": x + x,
                         "values": np.array([length, batch])}, 1e-5)


def test_results_outlive_runs_of_other_shapes(compile_text):
    model = compile_text(SUM)
    x = np.ones((2, 3, 4), np.float32)
    first = model.run({"x": x})
    second = model.run({"x": np.zeros((3, 6, 4), np.float32)})
    assert first["twice"].tolist() == (x + x).tolist()
    assert second["sum"].tolist() == np.zeros((3, 4)).tolist()


def test_an_error_does_not_bring_the_whole_function():
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
        g (float[2, 3] x) => (float[2, 3] y) { y = Relu(x) }""")
    with pytest.raises(glow.GlowError, match="cannot have the range") as error:
        glow.compile(model.SerializeToString(), shapes={"x": ((1, 4), 3)})
    assert "func.func" not in str(error.value)


def test_extents_beyond_the_range(compile_text):
    model = compile_text(LAYER)
    with pytest.raises(glow.GlowError, match="'batch' is 9, .* 1 to 8"):
        model.run({"x": np.zeros((9, 16), np.float32)})


def test_range_with_one_shape_left():
    """What is added has the only shape that fits; one of as many elements does
    not."""
    model = onnx.parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21]> agraph (float[n, m] x) => (float[n, m] y)
        <float[2, 3] w = {1, 2, 3, 4, 5, 6}> { y = Add(x, w) }""")
    compiled = glow.compile(model.SerializeToString(), shapes={"x": [(1, 4), (1, 8)]})
    assert compiled.run({"x": np.zeros((2, 3), np.float32)})["y"][1, 2] == 6
    with pytest.raises(glow.GlowError, match=r"shape is \[3, 2\], .* takes \[2, 3\]"):
        compiled.run({"x": np.zeros((3, 2), np.float32)})


@pytest.mark.parametrize("graph, why", [
    ("""(float[n] x) => (float[m] y) <int64[1] s = {4}> {
        y = CenterCropPad<axes = [0]>(x, s) }""", "'y' .CenterCropPad.* known extents"),
    ("""(float[n] x, float[1, 1, 5] z) => (float[p, q, r] y) <int64[3] s = {1, 1, -1}> {
        w = Reshape(x, s)
        y = Conv(z, w) }""", "'y' .Conv.* extents of its filter must be known"),
], ids=["crop", "filter"])
def test_range_of_what_must_be_known(graph, why):
    """The error is about the operator, and comes when the model is compiled."""
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 21]> agraph ' + graph)
    with pytest.raises(glow.GlowError, match=f"{why}.* fix the shapes of its inputs"):
        glow.compile(model.SerializeToString(), shapes={"x": [(1, 4)]})


def test_ranges_of_shapes(compile_model, tmp_path):
    """From Python and from the command line."""
    model = glow.compile(accuracy.MODEL, shapes={"image": ((1, 4), 1, 8, 8)})
    assert model.inputs[0].shape == (None, 1, 8, 8)
    compile_model(accuracy.MODEL, tmp_path / "digits.so",
                  "--shape=image=1..4x1x8x8")
    loaded = glow.load(tmp_path / "digits.so")
    for count in [4, 1, 3]:
        inputs = {"image": accuracy.held_out()[0][:count]}
        expected = run_onnxruntime(accuracy.MODEL, inputs)
        check_equal(model.run(inputs), expected, 1e-4)
        check_equal(loaded.run(inputs), expected, 1e-4)
    with pytest.raises(glow.GlowError, match="1 to 4"):
        model.run({"image": accuracy.held_out()[0][:5]})


@pytest.mark.parametrize("mode", ["auto", "exact", "ranges"])
def test_shapes_that_vary(mode):
    model = glow.compile(accuracy.MODEL, options={"dynamic-shapes": mode})
    for count in [1, 3, 2, 8, 3]:
        inputs = {"image": accuracy.held_out()[0][:count]}
        check_equal(model.run(inputs), run_onnxruntime(accuracy.MODEL, inputs),
                    1e-4)
    with pytest.raises(glow.GlowError, match="dynamic-shapes"):
        glow.compile(accuracy.MODEL, options={"dynamic-shapes": "often"})


def test_function_of_function():
    """In scalar loops, LLVM's vectorizer took minutes for such expressions."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
        main (float x) => (float last, float[?] all)
            <int64 size = {31}, float most = {1.25}> {
          window = BlackmanWindow <periodic = 0> (size)
          soft = Softplus (window)
          last, all = Scan <num_scan_inputs = 1, body = body
              (float sum, float each) => (float next, float clipped) {
            both = Add (sum, each)
            next = Sub (both, both)
            clipped = Min (next, most)
          }> (x, soft)
        }""").SerializeToString()
    code = ("import glow, sys; glow.compile(sys.stdin.buffer.read(), options={"
            "'dynamic-shapes': 'ranges', 'kernel-cache': 'off'})")
    subprocess.run([sys.executable, "-c", code], input=model, check=True,
                   timeout=60)


@pytest.mark.parametrize("rows", [1, 9, 40])
def test_rows_in_one_set_of_the_cache(rows):
    """Rows 4096 bytes apart, which products read from a copy."""
    random = np.random.default_rng(0)
    w, v = (random.standard_normal(s, np.float32) for s in ((1024, 1024), (1024, 256)))
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"]),
         helper.make_node("Relu", ["h"], ["r"]),
         helper.make_node("MatMul", ["r", "v"], ["y"])], "products",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 1024])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 256])],
        [numpy_helper.from_array(w, "w"), numpy_helper.from_array(v, "v")])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    compiled = glow.compile(model.SerializeToString(),
                            shapes={"x": [(1, 40), 1024]}, precision="strict")
    x = random.standard_normal((rows, 1024), np.float32)
    wanted = np.maximum(x.astype(np.float64) @ w, 0) @ v
    np.testing.assert_allclose(compiled.run({"x": x})["y"], wanted, rtol=1e-4,
                               atol=1e-6 * abs(wanted).max())
