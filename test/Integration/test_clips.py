"""Convolutions of clips, which may be sums of convolutions of frames.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from cpu_code import check_cpu_code
from onnx import TensorProto, helper, numpy_helper

# label: (clip, filter, attributes of Conv)
SIZES = {
    "padded": ((1, 64, 6, 28, 28), (64, 64, 3, 3, 3), {"pads": [1] * 6}),
    "batch": ((2, 64, 4, 28, 30), (96, 64, 3, 3, 3), {"pads": [1] * 6}),
    "unpadded": ((1, 64, 7, 30, 30), (64, 64, 3, 3, 3), {}),
    "even-window": ((1, 64, 5, 30, 30), (64, 64, 2, 3, 3),
                    {"pads": [0, 1, 1, 0, 1, 1]}),
    # No tap adds to all frames of the result.
    "more-frames": ((1, 64, 5, 30, 30), (64, 64, 2, 3, 3), {"pads": [1] * 6}),
    "one-frame": ((1, 64, 1, 28, 28), (64, 64, 3, 3, 3), {"pads": [1] * 6}),
    "long-window": ((1, 64, 2, 28, 28), (64, 64, 5, 3, 3),
                    {"pads": [2, 1, 1, 2, 1, 1]}),
    "strided": ((1, 64, 6, 28, 28), (64, 64, 3, 3, 3),
                {"pads": [1] * 6, "strides": [2, 1, 1]}),
}
TOLERANCE = {"strict": 4e-6, "fp32": 4e-6, "fp32-fast": 1e-4}


def model(size, rng):
    """Convolution, bias, residual sum, scale of each channel and ReLU."""
    clip, filter, attributes = size
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], **attributes),
             helper.make_node("Add", ["c", "r"], ["s"]),
             helper.make_node("Mul", ["s", "f"], ["m"]),
             helper.make_node("Relu", ["m"], ["y"])]
    strides = attributes.get("strides", [1, 1, 1])
    pads = attributes.get("pads", [0] * 6)
    result = [clip[0], filter[0]] + [
        (clip[i + 2] + pads[i] + pads[i + 3] - filter[i + 2]) // strides[i] + 1
        for i in range(3)]
    weights = {"w": filter, "b": (filter[0],), "f": (1, filter[0], 1, 1, 1)}
    graph = helper.make_graph(
        nodes, "clip", [info("x", clip), info("r", result)],
        [info("y", result)],
        [numpy_helper.from_array(rng.standard_normal(s, np.float32), k)
         for k, s in weights.items()])
    inputs = {"x": rng.standard_normal(clip, np.float32),
              "r": rng.standard_normal(result, np.float32)}
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)]), inputs


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("label", SIZES)
def test_clips(label, precision):
    clip, inputs = model(SIZES[label], np.random.default_rng(3))
    onnx.checker.check_model(clip)
    check_cpu_code(clip, inputs, precision, TOLERANCE[precision])
