"""Runs an ONNX graph on the operators of another library, node by node.

What a tracing compiler needs to get at an ONNX model: it traces `evaluate`.
The graph must be one that `write_static` wrote: operands that are shapes, axes
and the like are constants then.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import pathlib

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .base import NotSupported


@dataclasses.dataclass
class Node:
    op: str
    inputs: list
    outputs: list
    attributes: dict


# Operands that a tracer must see as numbers: shapes, axes, splits, bounds.
STATIC = {"Clip": [1, 2], "ReduceMean": [1], "Reshape": [1], "Resize": [2, 3],
          "Split": [1], "Squeeze": [1], "Unsqueeze": [1]}


def _attribute(attribute):
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    return value


def _use_new_form(node, constants, opset):
    """Axes and splits as constant operands: the form of opset 13 to 18."""
    for name in ("axes", "split"):
        if name in node.attributes and node.op != "Gather":
            value = f"{node.outputs[0]}:{name}"
            constants[value] = np.array(node.attributes.pop(name), np.int64)
            node.inputs.append(value)
    if node.op == "Softmax" and "axis" not in node.attributes:
        if opset < 13:
            raise NotSupported("Softmax of opset < 13 without axis")


class Graph:
    """constants: {name: numpy array}; literals: {name: number or list of
    numbers}; nodes in order."""

    def __init__(self, path):
        path = pathlib.Path(path)
        graph = onnx.load(path)
        opset = graph.opset_import[0].version
        graph = graph.graph
        self.constants = {t.name: numpy_helper.to_array(t)
                          for t in graph.initializer}
        self.inputs = [v.name for v in graph.input
                       if v.name not in self.constants]
        self.outputs = [v.name for v in graph.output]
        self.nodes = []
        for proto in graph.node:
            node = Node(proto.op_type, list(proto.input), list(proto.output),
                        {a.name: _attribute(a) for a in proto.attribute})
            _use_new_form(node, self.constants, opset)
            self.nodes.append(node)
        self.literals = {}
        for node in self.nodes:
            self._make_literal(node)
        used = {i for node in self.nodes for i in node.inputs}
        self.constants = {n: a for n, a in self.constants.items() if n in used}

    def _make_literal(self, node):
        for place, name in enumerate(node.inputs):
            array = self.constants.get(name)
            if array is not None and (
                    array.ndim == 0 or place in STATIC.get(node.op, ())):
                literal = f"{name}:literal"
                self.literals[literal] = array.tolist()
                node.inputs[place] = literal

    def check(self, table, system):
        missing = sorted({n.op for n in self.nodes} - set(table))
        if missing:
            raise NotSupported(f"the conversion from ONNX for {system} lacks "
                               f"{', '.join(missing)}")

    def evaluate(self, table, constants, inputs):
        """The outputs, in order. `table`: {operator: function}, called with
        the operands (None where left out) and the attributes."""
        values = {**self.literals, **constants,
                  **dict(zip(self.inputs, inputs)), "": None}
        for node in self.nodes:
            results = table[node.op](*[values[i] for i in node.inputs],
                                     **node.attributes)
            if len(node.outputs) == 1 and not isinstance(results, tuple):
                results = [results]
            values.update(zip(node.outputs, results))
        return [values[o] for o in self.outputs]
