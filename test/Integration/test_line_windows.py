"""Convolutions whose windows lie along one axis, and long ones: by Winograd's
algorithm, dilated sequences as images, windows in parts.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import subprocess

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code, graph_text, random_inputs
from onnx import TensorProto, helper, numpy_helper

import glow

# Input, window, dilations, pads.
CASES = {
    "three": ((2, 64, 190), (3,), (1,), (1, 1)),
    "causal": ((1, 64, 291), (3,), (1,), (2, 0)),
    "dilated": ((1, 64, 292), (3,), (4,), (4, 4)),
    "dilated, no divisor": ((2, 64, 295), (3,), (3,), (3, 3)),
    "dilated, pads of no row": ((1, 64, 296), (3,), (4,), (5, 3)),
    "five": ((1, 64, 164), (5,), (1,), (2, 2)),
    "seven": ((1, 64, 161), (7,), (1,), (3, 3)),
    "eleven, dilated": ((1, 64, 220), (11,), (3,), (15, 15)),
    "without pads": ((3, 64, 80), (7,), (1,), (0, 0)),
    "odd channels": ((1, 61, 180), (7,), (1,), (3, 3)),
    "rows": ((1, 64, 34, 23), (3, 1), (1, 1), (1, 0, 1, 0)),
    "columns": ((1, 64, 22, 34), (1, 3), (1, 1), (0, 1, 0, 1)),
    "long columns": ((1, 64, 17, 17), (1, 7), (1, 1), (0, 3, 0, 3)),
    "dilated rows": ((1, 64, 36, 21), (3, 1), (4, 1), (4, 0, 4, 0)),
    "dilated columns": ((1, 64, 21, 36), (1, 3), (1, 4), (0, 4, 0, 4)),
    "five by five": ((1, 64, 20, 22), (5, 5), (1, 1), (2, 2, 2, 2)),
    "seven by five": ((1, 64, 20, 22), (7, 5), (1, 1), (3, 2, 3, 2)),
    "frames": ((1, 64, 12, 9, 8), (3, 1, 1), (1, 1, 1), (1, 0, 0, 1, 0, 0)),
}


def model_of(inputs, window, dilations, pads):
    """A convolution, a bias and a residual that is a convolution as well."""
    rng = np.random.default_rng(1)
    channels = inputs[1]
    weights = {
        "w": rng.standard_normal((48, channels, *window)).astype(np.float32)
             / np.sqrt(channels * np.prod(window)),
        "v": rng.standard_normal((48, channels, *window)).astype(np.float32) / 20,
        "b": rng.standard_normal(48).astype(np.float32)}
    places = dict(dilations=dilations, pads=pads)
    nodes = [helper.make_node("Conv", ["x", "v"], ["r"], **places),
             helper.make_node("Conv", ["x", "w", "b"], ["c"], **places),
             helper.make_node("Relu", ["c"], ["d"]),
             helper.make_node("Add", ["d", "r"], ["y"])]
    graph = helper.make_graph(
        nodes, "windows", [helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array.astype(np.float32), name)
         for name, array in weights.items()])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])


@pytest.mark.parametrize("precision,limit", [("fp32", 3e-6), ("fp32-fast", 1e-5), ("bf16", 2e-2)])
@pytest.mark.parametrize("name", CASES)
def test_results(name, precision, limit, bin_dir, tmp_path):
    model = model_of(*CASES[name])
    if precision != "bf16":
        assert "glow.winograd" in graph_text(model, precision, bin_dir, tmp_path)
    check_cpu_code(model, random_inputs(model), precision, limit)


@pytest.mark.parametrize("name", ["seven", "odd channels", "dilated, no divisor", "seven by five"])
@pytest.mark.parametrize("precision,limit", [("fp32", 2e-6), ("bf16", 1e-2)])
def test_report(name, precision, limit, bin_dir, tmp_path):
    """The evaluation in double precision takes windows back out of their parts."""
    onnx.save(model_of(*CASES[name]), tmp_path / "model.onnx")
    report = subprocess.run(
        [bin_dir / "glow-run", tmp_path / "model.onnx", "--accuracy-report",
         f"--precision={precision}"], capture_output=True, text=True, check=True).stdout
    rms = float(re.search(r"^ *\S+ +\S+ +(\S+) .* y$", report, re.M)[1])
    assert 0 < rms < limit, report


@pytest.mark.parametrize("precision,limit", [("strict", 3e-6), ("fp32", 3e-6), ("bf16", 2e-2)])
@pytest.mark.parametrize("name", ["three", "dilated, no divisor", "eleven, dilated", "rows"])
def test_ranges(name, precision, limit):
    """Of up to that many places, and of sequences. Those that are not there have
    been NaN in the run before."""
    (_, channels, places, *beside), *window = CASES[name]
    model = model_of((1, channels, places, *beside), *window)
    for axis, symbol in ((0, "n"), (2, "l")):
        model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = symbol
    program = glow.compile(model.SerializeToString(), precision=precision,
                           shapes={"x": [(1, 3), channels, (1, places), *beside]})
    for count, length in ((1, places), (3, 31), (2, places - 1), (1, 1)):
        program.run({"x": np.full((3, channels, places, *beside), np.nan, np.float32)})
        x = np.random.default_rng(3).standard_normal(
            (count, channels, length, *beside)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=limit)


def test_last_place():
    """Strides, a mean that is masked, and the last element of a sequence."""
    rng = np.random.default_rng(4)
    weights = {name: rng.standard_normal((32, 32, taps)).astype(np.float32) / 10
               for name, taps in (("a", 7), ("b", 3), ("c", 5))}
    nodes = [helper.make_node("Conv", ["x", "a"], ["p"], strides=[2], pads=[3, 3]),
             helper.make_node("Relu", ["p"], ["q"]),
             helper.make_node("Conv", ["q", "b"], ["r"], strides=[3], pads=[1, 0]),
             helper.make_node("Conv", ["r", "c"], ["s"], pads=[2, 2]),
             helper.make_node("ReduceMean", ["s"], ["mean"], axes=[2], keepdims=0),
             helper.make_node("Gather", ["s", "last"], ["end"], axis=2)]
    graph = helper.make_graph(
        nodes, "last", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 32, "l"])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("mean", "end")],
        [numpy_helper.from_array(array, name) for name, array in weights.items()]
        + [numpy_helper.from_array(np.array(-1), "last")])
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])
    program = glow.compile(model.SerializeToString(), shapes={"x": [1, 32, (5, 300)]})
    for length in (300, 5, 6, 7, 150, 299):
        program.run({"x": np.full((1, 32, 300), np.nan, np.float32)})
        x = rng.standard_normal((1, 32, length)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=3e-6)


def test_transposed_ranges():
    """Each place of an open axis makes several, which overlap or leave gaps."""
    rng = np.random.default_rng(5)
    weights = {"w": rng.standard_normal((24, 24, 4, 3)).astype(np.float32) / 10,
               "v": rng.standard_normal((24, 24, 2, 1)).astype(np.float32) / 5,
               "b": rng.standard_normal(24).astype(np.float32)}
    nodes = [helper.make_node("ConvTranspose", ["x", "w", "b"], ["y"], strides=[2, 1],
                              pads=[1, 1, 1, 1]),
             helper.make_node("ConvTranspose", ["y", "v"], ["z"], strides=[3, 1],
                              output_padding=[1, 0])]
    graph = helper.make_graph(
        nodes, "up", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 24, "l", 5])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "yz"],
        [numpy_helper.from_array(array, name) for name, array in weights.items()])
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])
    program = glow.compile(model.SerializeToString(), shapes={"x": [(1, 2), 24, (1, 40), 5]})
    for count, length in ((2, 40), (1, 1), (2, 7), (1, 39)):
        program.run({"x": np.full((2, 24, 40, 5), np.nan, np.float32)})
        x = rng.standard_normal((count, 24, length, 5)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=3e-6)
