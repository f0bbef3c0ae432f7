"""Control flow: If, Loop and Scan.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from .case import Table

TABLE = Table()
node, typed = helper.make_node, helper.make_tensor_value_info


def body(name, nodes, inputs, outputs, weights=()):
    """A subgraph; inputs and outputs as (name, type, shape)."""
    return helper.make_graph(
        nodes, name, [helper.make_tensor_value_info(*i) for i in inputs],
        [helper.make_tensor_value_info(*o) for o in outputs], weights)


FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def branch(name, op):
    # The operand comes from the graph around it.
    return body(name, [node(op, ["x"], [f"{name}_y"])], [],
                [(f"{name}_y", FLOAT, [2, 3])])


for condition in (True, False):
    TABLE.add_graph(
        f"If-{condition}",
        [node("If", ["condition"], ["y"], then_branch=branch("then", "Relu"),
              else_branch=branch("else", "Neg"))],
        {"condition": np.array(condition), "x": X})
TABLE.add_graph(
    "If-constant",
    [node("If", ["condition"], ["y"], then_branch=branch("then", "Relu"),
          else_branch=branch("else", "Neg"))],
    {"x": X}, [numpy_helper.from_array(np.array(True), "condition")])

COUNT = body(
    "count",
    [node("Identity", ["going"], ["still"]), node("Add", ["sum", "x"],
     ["next"]), node("Identity", ["next"], ["each"])],
    [("i", INT64, []), ("going", BOOL, []), ("sum", FLOAT, [2, 3])],
    [("still", BOOL, []), ("next", FLOAT, [2, 3]), ("each", FLOAT, [2, 3])])
TABLE.add_graph(
    "Loop-count",
    [node("Loop", ["trips", "", "start"], ["last", "all"], body=COUNT)],
    {"x": X, "start": np.zeros((2, 3), np.float32)},
    [numpy_helper.from_array(np.array(4), "trips")],
    outputs=[typed("last", FLOAT, [2, 3]), typed("all", FLOAT, [4, 2, 3])])
WHILE = body(
    "while",
    [node("Add", ["sum", "x"], ["next"]),
     node("ReduceMax", ["next"], ["most"], keepdims=0),
     node("Less", ["most", "limit"], ["still"])],
    [("i", INT64, []), ("going", BOOL, []), ("sum", FLOAT, [2, 3])],
    [("still", BOOL, []), ("next", FLOAT, [2, 3])],
    [numpy_helper.from_array(np.array(17, np.float32), "limit")])
TABLE.add_graph(
    "Loop-while",
    [node("Loop", ["", "yes", "start"], ["last"], body=WHILE)],
    {"x": X, "start": np.zeros((2, 3), np.float32)},
    [numpy_helper.from_array(np.array(True), "yes")],
    outputs=[typed("last", FLOAT, [2, 3])])

PREFIX = body(
    "prefix",
    [node("Add", ["sum", "row"], ["next"]), node("Relu", ["next"], ["each"])],
    [("sum", FLOAT, [3]), ("row", FLOAT, [3])],
    [("next", FLOAT, [3]), ("each", FLOAT, [3])])
for direction in (0, 1):
    TABLE.add_graph(
        f"Scan-direction{direction}",
        [node("Scan", ["start", "x"], ["last", "all"], body=PREFIX,
              num_scan_inputs=1, scan_input_directions=[direction])],
        {"start": np.zeros(3, np.float32), "x": X})
