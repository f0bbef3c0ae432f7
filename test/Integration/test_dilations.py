"""Dilated convolutions, which may become dense ones of their phases.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import graph_text
from onnx import TensorProto, helper, numpy_helper

import glow

# Frames, rows and columns, dilations, pads, images or clips.
CASES = {
    "even": ((24, 24), (2, 2), (2, 2, 2, 2), 1),
    "odd": ((25, 23), (2, 2), (2, 2, 2, 2), 1),
    "images": ((20, 22), (3, 3), (3, 3, 3, 3), 3),
    "rows": ((24, 24), (4, 1), (4, 1, 4, 1), 1),
    "columns": ((21, 30), (1, 3), (1, 3, 1, 3), 2),
    "unpadded": ((30, 31), (2, 3), (0, 0, 0, 0), 1),
    "one side": ((22, 22), (2, 2), (4, 0, 0, 4), 1),
    "clip": ((6, 18, 21), (2, 2, 2), (2, 2, 2, 2, 2, 2), 1),
    "clips": ((7, 17, 16), (1, 3, 2), (1, 3, 2, 1, 3, 2), 2),
    "clip, one side": ((8, 16, 16), (3, 2, 2), (6, 2, 2, 0, 2, 2), 1),
}


def model_of(size, dilations, pads, images):
    """Two convolutions, the second one added to the first one's result."""
    rng = np.random.default_rng(1)
    shape = (images, 48, *size)
    weights = {f"w{i}": rng.standard_normal((48, 48, *[3] * len(size))).astype(np.float32) / 20
               for i in (0, 1)}
    weights["b"] = rng.standard_normal(48).astype(np.float32)
    second = dict(dilations=[2] * len(size), pads=[2, 2] * len(size))
    nodes = [helper.make_node("Conv", ["x", "w0", "b"], ["c"], dilations=dilations, pads=pads),
             helper.make_node("Relu", ["c"], ["r"]),
             helper.make_node("Conv", ["r", "w1"], ["d"], **second),
             helper.make_node("Add", ["d", "r"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    graph = helper.make_graph(
        nodes, "dilated", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])


@pytest.mark.parametrize("precision,limit", [("fp32", 2e-6), ("fp32-fast", 4e-5), ("bf16", 1.5e-2)])
@pytest.mark.parametrize("name", CASES)
def test_results(name, precision, limit, bin_dir, tmp_path):
    model = model_of(*CASES[name])
    text = graph_text(model, precision, bin_dir, tmp_path)
    assert text.count("glow.winograd") >= (1 if precision == "bf16" else 2), text
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    inputs = {"x": np.random.default_rng(2).standard_normal(shape).astype(np.float32)}
    expected = run_onnxruntime(model, inputs)
    for threads in (1, 2):
        program = glow.compile(model.SerializeToString(), threads=threads, precision=precision)
        check_equal(program.run(inputs), expected, tolerance=limit)


# As above, of which the borders are convolutions of their own. There is one
# column of taps in the second, and there are too many parts of the fourth.
WIDE = {
    "corners": ((24, 20), (10, 10), (10, 10, 10, 10), 2),
    "column": ((64, 16), (2, 16), (0, 16, 0, 16), 1),
    "one side": ((30, 32), (9, 12), (0, 24, 18, 0), 1),
    "larger": ((20, 30), (9, 11), (12, 15, 12, 15), 1),
    "clip": ((5, 20, 22), (2, 9, 10), (2, 9, 10, 2, 9, 10), 1),
}


@pytest.mark.parametrize("precision,limit", [("strict", 2e-6), ("fp32", 2e-6), ("bf16", 1.5e-2)])
@pytest.mark.parametrize("name", WIDE)
def test_borders(name, precision, limit, bin_dir, tmp_path):
    """The convolution's second reader gets its results in one piece."""
    model = model_of(*WIDE[name])
    if precision == "strict" and name not in ("column", "larger"):
        assert graph_text(model, precision, bin_dir, tmp_path).count("glow.conv") > 2
    inputs = {"x": np.random.default_rng(2).standard_normal(
        [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim], np.float32)}
    expected = run_onnxruntime(model, inputs)
    results = [glow.compile(model.SerializeToString(), threads=threads,
                            precision=precision).run(inputs) for threads in (1, 2)]
    check_equal(results[0], expected, tolerance=limit)
    check_equal(results[1], results[0], tolerance=0 if precision == "strict" else limit)


@pytest.mark.parametrize("case", [CASES["images"], WIDE["corners"]], ids=["phases", "borders"])
def test_ranges(case):
    """Of up to four images."""
    model = model_of(*case)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    size = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim][1:]
    program = glow.compile(model.SerializeToString(), shapes={"x": [(1, 4), *size]})
    for images in (1, 3, 4):
        inputs = {"x": np.random.default_rng(3).standard_normal((images, *size)).astype(np.float32)}
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), tolerance=2e-6)
