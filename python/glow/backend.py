"""Glow as a backend of ONNX, for programs that take any: onnx.backend.base.

    import onnx, glow.backend
    rep = glow.backend.prepare(onnx.load("model.onnx"))
    outputs = rep.run([x, y])

Needs the package onnx. Devices are "CPU" and "INTERPRET", which evaluates the
graph without generating code.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
from onnx import helper
from onnx.backend import base

from . import model as glow_model

_TARGETS = {"CPU": "cpu", "INTERPRET": "interpret"}


def _target(device):
    return _TARGETS[device.split(":")[0]]


class GlowBackendRep(base.BackendRep):
    """A compiled model that takes its inputs in order, or by their names."""

    def __init__(self, compiled):
        self.model = compiled

    def run(self, inputs, **kwargs):
        if not isinstance(inputs, dict):
            names = [info.name for info in self.model.inputs]
            if isinstance(inputs, np.ndarray):
                inputs = [inputs]
            inputs = dict(zip(names, inputs, strict=True))
        results = self.model.run(inputs)
        return base.namedtupledict("Outputs", results)(*results.values())


class GlowBackend(base.Backend):
    """Compiles ONNX models with Glow; keyword arguments go to glow.compile."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        if isinstance(model, onnx.ModelProto):
            model = model.SerializeToString()
        return GlowBackendRep(glow_model.compile(
            model, target=_target(device), **kwargs))

    @classmethod
    def run_model(cls, model, inputs, device="CPU", **kwargs):
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """Runs one node; its outputs' types are found by inference."""
        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        arrays = {name: np.asarray(value) for name, value in
                  zip([n for n in node.input if n], inputs, strict=True)}
        graph = helper.make_graph(
            [node], "node",
            [helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype),
                array.shape) for name, array in arrays.items()],
            [onnx.ValueInfoProto(name=name) for name in node.output if name])
        model = helper.make_model(graph, opset_imports=[
            helper.make_opsetid(node.domain, opset)])
        return cls.run_model(model, arrays, device, **kwargs)

    @classmethod
    def supports_device(cls, device):
        return device.split(":")[0] in _TARGETS


prepare = GlowBackend.prepare
run_model = GlowBackend.run_model
run_node = GlowBackend.run_node
supports_device = GlowBackend.supports_device
