"""Counts the arithmetic of an ONNX model, independently of any system.

Multiplications and additions of convolutions, matrix products and recurrent
layers; everything else is small beside them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
import pathlib

import onnx
import onnxruntime
from onnx import TensorProto, helper

# Products of a recurrent layer, for each of its units.
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
COUNTED = {"Conv", "ConvTranspose", "Gemm", "MatMul", *GATES}


def operations(path, inputs):
    """2 x products of one run."""
    nodes, shapes = _counted(path, inputs)
    return sum(2 * _products(n, shapes) for n in nodes)


def shapes_of_nodes(path, inputs):
    """{node: its products in words}, as `128x28x28, 3x3 by 2, to 256` for a
    convolution and `128x768x3072` (rows, depth, columns) for matrices."""
    nodes, shapes = _counted(path, inputs)
    return {n.name: _describe(n, shapes) for n in nodes}


def _counted(path, inputs):
    model = onnx.load(path, load_external_data=False)
    nodes = [n for n in model.graph.node if n.op_type in COUNTED]
    return nodes, _shapes(model, pathlib.Path(path).parent, nodes, inputs)


def _describe(node, shapes):
    first, second, result = _shapes_of(node, shapes)
    if node.op_type in ("Conv", "ConvTranspose"):
        attributes = _attributes(node)
        text = "x".join(map(str, first[1:])) + ", " + "x".join(
            map(str, second[2:]))
        if max(attributes.get("strides", [1])) > 1:
            text += f" by {max(attributes['strides'])}"
        if attributes.get("group", 1) > 1:
            text += f" in {attributes['group']} groups"
        return f"{text}, to {result[1]}"
    if node.op_type in GATES:
        return "x".join(map(str, first))
    depth = _products(node, shapes) // math.prod(result)
    batch = math.prod(result[:-2]) if len(second) > 2 else 1
    rows = math.prod(result[:-1]) // batch
    text = f"{rows}x{depth}x{result[-1]}"
    return f"{batch} of {text}" if batch > 1 else text


def weight_bytes(path):
    model = onnx.load(path, load_external_data=False)
    return sum(math.prod(t.dims) * helper.tensor_dtype_to_np_dtype(
        t.data_type).itemsize for t in model.graph.initializer)


def _shapes(model, folder, nodes, inputs):
    """{value: shape}, as ONNX Runtime finds them: inference alone does not
    get through all shape arithmetic. Weights outside the model are in
    `folder`."""
    values = dict.fromkeys(v for n in nodes for v in _values_of(n))
    for index, value in enumerate(values):
        model.graph.node.append(helper.make_node("Shape", [value],
                                                 [f"shape:{index}"]))
    del model.graph.output[:]
    model.graph.output.extend(
        helper.make_tensor_value_info(f"shape:{i}", TensorProto.INT64, None)
        for i in range(len(values)))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(folder))
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"])
    results = session.run(None, inputs) if values else []
    return {v: tuple(map(int, s)) for v, s in zip(values, results)}


def _values_of(node):
    """Both factors and the result, which a recurrent layer may not have."""
    return node.input[0], node.input[1], node.output[0] or node.input[0]


def _shapes_of(node, shapes):
    return [shapes[v] for v in _values_of(node)]


def _attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def _products(node, shapes):
    first, second, result = _shapes_of(node, shapes)
    attributes = _attributes(node)
    if node.op_type == "Conv":  # weights: out, in / group, kernel
        return math.prod(result) * math.prod(second[1:])
    if node.op_type == "ConvTranspose":  # weights: in, out / group, kernel
        return math.prod(first) * math.prod(second[1:])
    if node.op_type == "Gemm":
        depth = first[0] if attributes.get("transA") else first[1]
        return math.prod(result) * depth
    if node.op_type == "MatMul":
        return math.prod(result) * first[-1]
    # Recurrent: gates from the input and from the state, in every step.
    steps, batch, features = first
    hidden = attributes["hidden_size"]
    return (steps * batch * second[0] * GATES[node.op_type] * hidden
            * (features + hidden))
