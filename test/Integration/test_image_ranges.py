"""Networks whose images have any height and width up to a bound: what lies
beyond has been NaN in the run before.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper

import glow

MOST = (97, 121)


class Network:
    """Layers one after the other, on images of three channels."""

    def __init__(self):
        self.rng = np.random.default_rng(7)
        self.nodes, self.constants = [], []
        self.last, self.channels = "x", 3

    def add(self, op, *inputs, **attributes):
        self.last = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [self.last], **attributes))
        return self.last

    def conv(self, channels, size=3, group=1, act=True, **attributes):
        shape = (channels, self.channels // group, size, size)
        weights = self.rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) / 2)
        names = [f"{part}_{len(self.nodes)}" for part in "wb"]
        for name, array in zip(names, (weights, self.rng.standard_normal(channels))):
            self.constants.append(numpy_helper.from_array(array.astype(np.float32), name))
        self.add("Conv", self.last, *names, group=group, pads=[size // 2] * 4, **attributes)
        self.channels = channels
        return self.add("Relu", self.last) if act else self.last

    def model(self):
        mean = self.last + "_mean"
        self.nodes.append(helper.make_node("GlobalAveragePool", [self.last], [mean]))
        graph = helper.make_graph(
            self.nodes, "images",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
             for name in (self.last, mean)], self.constants)
        return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])


def plain():
    """Bands of rows with strides, and Winograd's tiles."""
    net = Network()
    for channels, stride in ((32, 2), (64, 1), (64, 1), (96, 2), (96, 1)):
        net.conv(channels, strides=[stride] * 2)
    return net.model()


def separable():
    """Depthwise convolutions between products, with residuals."""
    net = Network()
    net.conv(16, strides=[2, 2])
    for channels, stride in ((24, 2), (24, 1), (32, 1)):
        before = net.last, net.channels
        net.conv(4 * net.channels, size=1)
        net.conv(net.channels, group=net.channels, strides=[stride] * 2)
        net.conv(channels, size=1, act=False)
        if (channels, 1) == (before[1], stride):
            net.add("Add", before[0], net.last)
    return net.model()


def pooled():
    """Pools, dilated and large windows, and joined branches."""
    net = Network()
    net.conv(32, size=5)
    net.add("MaxPool", net.last, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    source, channels = net.last, net.channels
    branches = []
    for size in (1, 3, 5):
        net.last, net.channels = source, channels
        branches.append(net.conv(24, size=size))
    net.add("Concat", *branches, axis=1)
    net.channels = 72
    net.conv(32)
    net.add("AveragePool", net.last, kernel_shape=[2, 2], strides=[2, 2])
    net.conv(48)
    return net.model()


@pytest.mark.parametrize("precision,limit", [("strict", 3e-6), ("fp32", 5e-6), ("bf16", 3e-2)])
@pytest.mark.parametrize("make", [plain, separable, pooled])
def test_any_size(make, precision, limit):
    model = make()
    program = glow.compile(model.SerializeToString(), precision=precision, shapes={
        "x": [(1, 2), 3, (8, MOST[0]), (8, MOST[1])]})
    for count, *size in ((2, *MOST), (1, 8, 8), (1, 64, 64), (2, 9, 121), (1, 97, 9), (1, 33, 57)):
        program.run({"x": np.full((2, 3, *MOST), np.nan, np.float32)})
        x = np.random.default_rng(3).standard_normal((count, 3, *size)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=limit)
