"""Branches of convolutions that become one, as RepVGG and MobileOne have them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code, random_inputs
from onnx import helper, numpy_helper
from plain_c import call

import glow

# Input, groups, strides, and the branches: a window with its dilation, "norm"
# for a batch normalisation, "input" for the input itself.
CASES = {
    "block": ((1, 16, 12, 12), 1, 1, [(3, 1), (1, 1), "norm"]),
    "wide": ((2, 40, 9, 9), 1, 1, ["norm", (5, 1), (3, 1), (1, 1)]),
    "strided": ((1, 8, 13, 13), 1, 2, [(1, 1), (3, 1)]),
    "depthwise": ((1, 24, 14, 14), 24, 1, [(3, 1), (5, 1), "norm", "input"]),
    "groups": ((1, 32, 8, 8), 4, 1, [(3, 1), "norm", (1, 1)]),
    "dilated": ((1, 6, 16, 16), 1, 1, [(3, 3), (1, 1), "norm"]),
    "line": ((1, 12, 50), 1, 1, [(7, 1), (3, 1), "norm"]),
    "clip": ((1, 5, 4, 6, 6), 1, 1, [(3, 1), (1, 1)]),
}


def model_of(shape, groups, stride, branches):
    rng = np.random.default_rng(5)
    channels, rank = shape[1], len(shape) - 2
    nodes, weights = [], {}

    def weight(name, dims, low=-1.0):
        weights[name] = rng.uniform(low, 1, dims).astype(np.float32)
        return name

    def norm(source, i):
        inputs = [source, weight(f"s{i}", channels, .5),
                  weight(f"o{i}", channels), weight(f"m{i}", channels),
                  weight(f"v{i}", channels, .5)]
        nodes.append(helper.make_node("BatchNormalization", inputs, [f"n{i}"]))
        return f"n{i}"

    total = None
    for i, branch in enumerate(branches):
        if branch == "input":
            result = "x"
        elif branch == "norm":
            result = norm("x", i)
        else:
            size, dilation = branch
            w = weight(f"w{i}", (channels, channels // groups, *[size] * rank))
            nodes.append(helper.make_node(
                "Conv", ["x", w, weight(f"b{i}", channels)], [f"c{i}"],
                group=groups, strides=[stride] * rank,
                dilations=[dilation] * rank,
                pads=[dilation * (size // 2)] * (2 * rank)))
            result = norm(f"c{i}", f"c{i}")
        if total:
            nodes.append(helper.make_node("Add", [total, result], [f"a{i}"]))
        total = f"a{i}" if total else result
    # One more behind the sum, which is a convolution by then.
    nodes.append(helper.make_node("Relu", [norm(total, "last")], ["y"]))
    graph = helper.make_graph(
        nodes, "branches",
        [helper.make_tensor_value_info("x", 1, shape)],
        [helper.make_tensor_value_info("y", 1, None)],
        [numpy_helper.from_array(v, n) for n, v in weights.items()])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)])


@pytest.mark.parametrize("precision", ["strict", "fp32"])
@pytest.mark.parametrize("name", CASES)
def test_sums(name, precision):
    model = model_of(*CASES[name])
    check_cpu_code(model, random_inputs(model), precision, 2e-6)


@pytest.mark.parametrize("name", [n for n in CASES if n != "clip"])
def test_these_are_one(name, bin_dir, tmp_path):
    path = tmp_path / "branches.onnx"
    onnx.save(model_of(*CASES[name]), path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=graph",
                "--elide-resources", "-o", "-").decode()
    assert text.count("glow.conv ") == 1, text
    assert "glow.mul" not in text and "glow.map" not in text, text


def test_infinities_meet_no_zeros():
    """A branch that passes the input on must not multiply its neighbours by
    zero. Where branches would be infinities of both signs, the sum is one."""
    model = model_of(*CASES["block"])
    inputs = random_inputs(model)
    inputs["x"][0, 3, 4, 5] = np.inf
    actual = glow.compile(model.SerializeToString(),
                          precision="strict").run(inputs)["y"]
    expected = run_onnxruntime(model, inputs)["y"]
    known = ~np.isnan(expected)
    assert not known.all() and not np.isfinite(expected[known]).all()
    check_equal({"y": actual[known]}, {"y": expected[known]}, tolerance=2e-6)
    assert np.isinf(actual).any() and not np.isnan(actual).any()
