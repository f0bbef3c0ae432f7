"""Models of float graphs, among them products and what follows them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import helper, numpy_helper


def float_model(nodes, inputs, result, constants):
    """inputs: {name: shape}, of which those count that a node reads, as of the
    constants {name: array}; result: the shape of the last node's."""
    used = {name for node in nodes for name in node.input}
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "model",
        [info(name, 1, shape) for name, shape in inputs.items()
         if name in used],
        [info(nodes[-1].output[0], 1, result)],
        [numpy_helper.from_array(value, name)
         for name, value in constants.items() if name in used])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)])


def followed_by(nodes, followers):
    """`nodes` and one for each (op, inputs) of `followers`, whose results are
    "0", "1" and so on."""
    return nodes + [helper.make_node(op, inputs, [str(i)])
                    for i, (op, inputs) in enumerate(followers)]


def attention(queries):
    """Of `queries` rows, or of as many as there are keys, in two heads."""
    constants = {"split": np.array([0, 0, 2, 32]), "join": np.array([0, 0, 64]),
                 "scale": np.array(0.2, "f4")}
    nodes = []
    for name, source in (("q", "x"), ("k", "z"), ("v", "z")):
        nodes += [
            helper.make_node("Reshape", [source, "split"], [name + "s"]),
            helper.make_node("Transpose", [name + "s"], [name],
                             perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3])]
    nodes += [
        helper.make_node("MatMul", ["q", "k"], ["products"]),
        helper.make_node("Mul", ["products", "scale"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["p"]),
        helper.make_node("MatMul", ["p", "v"], ["heads"]),
        helper.make_node("Transpose", ["heads"], ["t"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["t", "join"], ["a"]),
        helper.make_node("Exp", ["z"], ["e"]),
        helper.make_node("ReduceSum", ["e", "axes"], ["total"]),
        helper.make_node("Mul", ["a", "total"], ["y"])]
    constants["axes"] = np.array([1])
    rows = queries or "n"
    return float_model(nodes, {"x": [2, rows, 64], "z": [2, "n", 64]},
                       [2, rows, 64], constants)
