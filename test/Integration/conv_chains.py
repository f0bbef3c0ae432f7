"""Models that are chains of convolutions and what stands between them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Chain:
    """A model of one input, built node by node."""

    def __init__(self, *shape):
        self.rng = np.random.default_rng(0)
        self.shape, self.channels = shape, shape[1]
        self.nodes, self.weights, self.last = [], [], "x"

    def add(self, op, *others, **attributes):
        """A node that reads the last one's result and others."""
        result = f"{op}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, [self.last, *others], [result],
                                           name=result, **attributes))
        self.last = result
        return self

    def concat(self, other, channels):
        """Joins the channels of another result, which has so many."""
        self.channels += channels
        return self.add("Concat", other, axis=1)

    def conv(self, channels, size, group=1, **attributes):
        name = f"w{len(self.nodes)}"
        shape = (channels, self.channels // group, size, size)
        weights = [self.rng.standard_normal(shape, np.float32) / 4,
                   self.rng.standard_normal(channels, np.float32)]
        for suffix, value in zip("wb", weights):
            self.weights.append(numpy_helper.from_array(value, name + suffix))
        self.channels = channels
        return self.add("Conv", name + "w", name + "b", group=group,
                        **attributes)

    def depthwise(self, size, **attributes):
        return self.conv(self.channels, size, self.channels, **attributes)

    def model(self, *more):
        """Its results are the last one and those that `more` names."""
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "chain", [info("x", TensorProto.FLOAT, self.shape)],
            [info(name, TensorProto.FLOAT, None)
             for name in (self.last, *more)], self.weights)
        return onnx.shape_inference.infer_shapes(helper.make_model(
            graph, ir_version=9,
            opset_imports=[helper.make_opsetid("", 17)]))
