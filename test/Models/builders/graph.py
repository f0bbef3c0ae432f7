"""A small layer over onnx.helper: names nodes by scope and draws weights.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Collects nodes in order. Every value is handled by its name.

    Weights are drawn from a stream seeded by their own name, so they stay the
    same when a model gains or loses other layers.
    """

    def __init__(self, name, opset, producer="glow-models"):
        self.name = name
        self.opset = opset
        self.producer = producer
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self._scope, self._counts = [], {}

    @contextlib.contextmanager
    def scope(self, name):
        self._scope.append(name)
        yield
        self._scope.pop()

    def _unique(self, stem):
        """`/layer1/Conv`, `/layer1/Conv_1`, ... as PyTorch's exporter writes."""
        path = "/".join(["", *self._scope, stem])
        count = self._counts.get(path, 0)
        self._counts[path] = count + 1
        return f"{path}_{count}" if count else path

    def input(self, name, shape, dtype=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, value, name, shape, dtype=TensorProto.FLOAT):
        """Declares `value` an output and renames it; returns the name."""
        for node in self.nodes:
            node.input[:] = [name if v == value else v for v in node.input]
            node.output[:] = [name if v == value else v for v in node.output]
        info = helper.make_tensor_value_info(name, dtype, shape)
        self.outputs.append(info)
        return name

    def node(self, op, *inputs, outputs=1, domain=None, **attrs):
        """Adds a node; returns its output name, or a list if there are more."""
        name = self._unique(op)
        results = [f"{name}_output_{i}" for i in range(outputs)]
        inputs = [self._as_value(v) for v in inputs]
        self.nodes.append(
            helper.make_node(op, inputs, results, name, domain=domain, **attrs))
        return results[0] if outputs == 1 else results

    def _as_value(self, value):
        if value is None:
            return ""
        return value if isinstance(value, str) else self.constant(value)

    def constant(self, value, dtype=None):
        """A Constant node; Python integers become int64, floats float32."""
        array = np.asarray(value, dtype)
        if dtype is None and array.dtype == np.float64:
            array = array.astype(np.float32)
        name = self._unique("Constant")
        self.nodes.append(helper.make_node(
            "Constant", [], [name + "_output_0"], name,
            value=numpy_helper.from_array(array)))
        return name + "_output_0"

    def weight(self, name, array):
        """An initialiser, named with dots like a PyTorch parameter."""
        full = self._parameter_name(name)
        self.weights.append(numpy_helper.from_array(
            np.ascontiguousarray(array), full))
        return full

    def random(self, name):
        full = f"{self.name}.{self._parameter_name(name)}"
        return np.random.default_rng(zlib.crc32(full.encode()))

    def _parameter_name(self, name):
        """`layer1.0.conv1.weight` for the scopes layer1, layer1.0, conv1."""
        path = [*self._scope, name]
        return ".".join(p for p, nxt in zip(path, [*path[1:], ""])
                        if not nxt.startswith(p + "."))

    def normal(self, name, shape, std, mean=0.0):
        values = self.random(name).standard_normal(shape, dtype=np.float32)
        return self.weight(name, values * np.float32(std) + np.float32(mean))

    def uniform(self, name, shape, low, high):
        values = self.random(name).uniform(low, high, shape)
        return self.weight(name, values.astype(np.float32))

    def model(self):
        graph = helper.make_graph(
            self.nodes, self.name, self.inputs, self.outputs, self.weights)
        model = helper.make_model(
            graph, producer_name=self.producer,
            opset_imports=[helper.make_opsetid("", self.opset)])
        # The oldest IR version that allows the opset: what exporters write.
        model.ir_version = helper.find_min_ir_version_for(model.opset_import)
        onnx.checker.check_model(model)
        return model
