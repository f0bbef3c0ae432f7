"""Convolutions with different windows, each on some channels of one tensor, as
MixNet has them: the tensor gets one border for all.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import onnx
import numpy as np
import pytest
from cpu_code import check_cpu_code, random_inputs
from onnx import TensorProto, helper, numpy_helper
from plain_c import call

# Of each part: its channels, whether these are convolved one by one, the window,
# the pads before and after, and the dilation.
CASES = {
    "sizes": [(20, True, 3, 1, 1, 1), (20, True, 5, 2, 2, 1),
              (24, True, 9, 4, 4, 1)],
    "uneven": [(16, True, 3, 2, 0, 1), (16, True, 3, 0, 2, 1),
               (8, True, 5, 1, 3, 1)],
    "dilated": [(16, True, 3, 1, 1, 1), (16, True, 3, 3, 3, 3)],
    # One by Winograd's algorithm, whose tiles want more behind the tensor.
    "transformed": [(32, False, 3, 1, 1, 1), (32, False, 5, 2, 2, 1)],
    # Without a border one reads the tensor itself.
    "without-border": [(16, True, 3, 1, 1, 1), (16, False, 1, 0, 0, 1)],
}


def model_of(parts, strides, is_residual):
    rng = np.random.default_rng(0)
    channels = sum(part[0] for part in parts)
    weights, nodes, results = {}, [], []

    def weight(name, *dims):
        weights[name] = rng.standard_normal(dims, np.float32) / 4
        return name

    nodes.append(helper.make_node(
        "Conv", ["x", weight("w", channels, 8, 1, 1)], ["a"]))
    nodes.append(helper.make_node("Relu", ["a"], ["t"]))
    weights["sizes"] = np.array([part[0] for part in parts])
    names = [f"p{i}" for i in range(len(parts))]
    nodes.append(helper.make_node("Split", ["t", "sizes"], names, axis=1))
    for name, (size, is_depthwise, window, before, after, dilation) in zip(
            names, parts):
        groups = size if is_depthwise else 1
        w = weight("w" + name, size, size // groups, window, window)
        results.append("y" + name)
        nodes.append(helper.make_node(
            "Conv", [name, w], [results[-1]], group=groups,
            pads=[before, before, after, after], strides=[strides] * 2,
            dilations=[dilation] * 2))
    nodes.append(helper.make_node("Concat", results, ["c"], axis=1))
    if is_residual:
        nodes.append(helper.make_node("Add", ["c", "t"], ["y"]))
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "parts", [info("x", TensorProto.FLOAT, [2, 8, 30, 28])],
        [info("y" if is_residual else "c", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(v, n) for n, v in weights.items()])
    return onnx.shape_inference.infer_shapes(helper.make_model(
        graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]))


@pytest.mark.parametrize("strides,is_residual", [(1, False), (1, True),
                                                 (2, False)])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("precision", ["fp32", "strict"])
def test_parts(name, precision, strides, is_residual):
    model = model_of(CASES[name], strides, is_residual)
    check_cpu_code(model, random_inputs(model), precision, 1e-5)


def test_one_border(bin_dir, tmp_path):
    """Convolutions read it where the one before has written it."""
    path = tmp_path / "model.onnx"
    onnx.save(model_of(CASES["sizes"], 1, False), path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "--machine=l2=64M,l3=64M").decode()
    assert text.count("glow_inst.conv ins") == 4
    assert text.count("glow_inst.fill") == 1
    # Only of the model's input and output, whose layout is another one.
    assert text.count("glow_inst.copy") == 2
