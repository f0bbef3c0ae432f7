"""Sets the statistics of batch normalisation to those of real activations.

With statistics that do not fit, a deep network of random weights forgets its
input or overflows. One run of ONNX Runtime measures them all: in a copy of the
graph each BatchNormalization takes the mean and variance of its own operand.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper

from .inputs import make_inputs


def calibrate_batch_norms(model, batch=4):
    if not any(n.op_type == "BatchNormalization" for n in model.graph.node):
        return
    stats = _measure(model, batch)
    for tensor in model.graph.initializer:
        if tensor.name in stats:
            # Rounded, so that all machines store the same weights.
            value = stats[tensor.name].astype(np.float16).astype(np.float32)
            tensor.CopyFrom(numpy_helper.from_array(value, tensor.name))


def _measure(model, batch):
    """{name of a running mean or variance: what it should be}."""
    probe = copy.deepcopy(model)
    graph, nodes, outputs = probe.graph, [], {}
    rank = max(len(i.type.tensor_type.shape.dim) for i in graph.input)
    for node in graph.node:
        if node.op_type == "BatchNormalization":
            x, mean, variance = node.input[0], node.input[3], node.input[4]
            nodes += _statistics(x, mean, variance, rank)
            node.input[3], node.input[4] = f"{mean}_now", f"{variance}_now"
            outputs |= {f"{mean}_now": mean, f"{variance}_now": variance}
        nodes.append(node)
    nodes = [copy.deepcopy(node) for node in nodes]
    del graph.node[:], graph.output[:]
    graph.node.extend(nodes)
    graph.output.extend(helper.make_empty_tensor_value_info(name)
                        for name in outputs)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        probe.SerializeToString(), options, ["CPUExecutionProvider"])
    values = session.run(list(outputs), make_inputs(model, batch))
    return dict(zip(outputs.values(), values))


def _statistics(x, mean, variance, rank):
    """Nodes for the mean and variance of `x` per channel (opset < 18)."""
    def reduce(value, result, keepdims):
        return helper.make_node("ReduceMean", [value], [result],
                                axes=[0, *range(2, rank)],
                                keepdims=keepdims)
    return [
        reduce(x, f"{mean}_now", 0),
        reduce(x, f"{mean}_kept", 1),
        helper.make_node("Sub", [x, f"{mean}_kept"], [f"{mean}_centred"]),
        helper.make_node("Mul", [f"{mean}_centred"] * 2, [f"{mean}_square"]),
        reduce(f"{mean}_square", f"{variance}_now", 0),
    ]
