"""The nine `light_*` graphs of the onnx package, with weights worth comparing.

Published without their weights: a ConstantOfShape fills each one with a single
value, so every output is the same number. Random initialisers replace them
here; the rest of the graph is untouched.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
import pathlib
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .calibrate import calibrate_batch_norms

FOLDER = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"


def paths():
    """The files as published, by name."""
    return {p.stem: p for p in sorted(FOLDER.glob("light_*.onnx"))}


def randomised(name):
    model = onnx.load(paths()[name])
    graph = model.graph
    shapes = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    uses = _first_uses(graph)
    kept = []
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        value, = node.output
        shape = shapes[node.input[0]].tolist()
        rng = np.random.default_rng(zlib.crc32(f"{name}/{value}".encode()))
        weights = _draw(rng, shape, uses, *uses[value]).astype(np.float32)
        graph.initializer.append(numpy_helper.from_array(weights, value))
        # IR version 3 wants each initialiser among the inputs.
        graph.input.append(helper.make_tensor_value_info(
            value, TensorProto.FLOAT, shape))
    del graph.node[:]
    graph.node.extend(kept)
    _drop_unused(graph)
    calibrate_batch_norms(model)
    onnx.checker.check_model(model)
    return model


def _first_uses(graph):
    """Maps a value to the first (node, operand) that computes with it."""
    uses, aliases = {}, {}
    for node in graph.node:
        for index, value in enumerate(node.input):
            if node.op_type == "Unsqueeze":
                aliases[node.output[0]] = value
            else:
                uses.setdefault(aliases.get(value, value), (node, index))
    return uses


def _draw(rng, shape, uses, node, operand):
    if node.op_type == "Conv" and operand == 1:
        return rng.standard_normal(shape) * math.sqrt(2 / np.prod(shape[1:]))
    if node.op_type == "Gemm" and operand == 1:
        return rng.standard_normal(shape) * math.sqrt(2 / shape[1])
    if node.op_type == "BatchNormalization" and operand == 1:
        consumer, _ = uses[node.output[0]]
        # The sum of 16 residual branches must stay bounded.
        scale = 0.5 if consumer.op_type == "Sum" else 1.0
        return rng.uniform(0.8 * scale, 1.2 * scale, shape)
    if node.op_type == "Mul":
        return rng.uniform(0.8, 1.2, shape)
    return rng.standard_normal(shape) * 0.1


def _drop_unused(graph):
    used = {value for node in graph.node for value in node.input}
    for field in (graph.initializer, graph.input):
        kept = [entry for entry in field if entry.name in used]
        del field[:]
        field.extend(kept)
