"""Models of float graphs, among them products and what follows them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

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
