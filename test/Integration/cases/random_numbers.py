"""Random numbers: what can be said of them without knowing the generator.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import TensorProto, helper

from .case import Table, const

TABLE = Table()
add, add_graph = TABLE.add, TABLE.add_graph


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def statistics(name, draw, expected, tolerance):
    """Mean, deviation, least and greatest of the tensor `d` that `draw`
    makes."""
    nodes = [draw, node("Cast", ["d"], ["f"], to=TensorProto.FLOAT),
             node("ReduceMean", ["f"], ["mean"], keepdims=0),
             node("Sub", ["f", "mean"], ["c"]), node("Mul", ["c", "c"], ["cc"]),
             node("ReduceMean", ["cc"], ["variance"], keepdims=0),
             node("Mul", ["zero", "x"], ["nothing"]),
             node("Add", ["mean", "nothing"], ["y0"]),
             node("Add", ["variance", "nothing"], ["y1"])]
    outputs = [helper.make_tensor_value_info(o, TensorProto.FLOAT, [])
               for o in ("y0", "y1")]
    zero = helper.make_tensor("zero", TensorProto.FLOAT, [], [0])
    add_graph(name, nodes, {"x": np.float32(1)}, [zero], 21, tolerance,
              outputs=outputs,
              expected=lambda x: [np.float32(e) for e in expected])


BIG = [200, 500]
for dtype in (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16):
    statistics(f"RandomUniform-{dtype}",
               node("RandomUniform", [], ["d"], shape=BIG, low=-1.0, high=3.0,
                    seed=5.0, dtype=dtype), [1, 16 / 12], 0.02)
    statistics(f"RandomNormal-{dtype}",
               node("RandomNormal", [], ["d"], shape=BIG, mean=2.0, scale=3.0,
                    dtype=dtype), [2, 9], 0.02)

# The words of Philox2x32-10 for key 0 and counter 0 are ff1dae59 6cd10df2; those
# of key 3f800000 (the number 1) as Random123's own code computes them.
add("RandomUniformLike", np.zeros(1, np.float32), seed=0.0, label="known",
    expected=lambda x0: [np.float32([0xff1dae59 >> 8]) / 2 ** 24])



ones = np.ones((4, 5), np.float32)
add("Dropout", ones, const(np.float32(0)), const(True), label="ratio0",
    outputs=2, seed=1, expected=lambda x0: [x0, np.ones(x0.shape, bool)])
add("Dropout", ones, const(np.float32(0.3)), np.array(False), label="mode-input",
    outputs=2, expected=lambda x0, x2: [x0, np.ones(x0.shape, bool)])
sure = np.array([[0, 1], [1, 0]], np.float32)
add("Bernoulli", sure, dtype=TensorProto.INT32, label="sure",
    expected=lambda x0: [x0.astype(np.int32)])
add("Multinomial", np.array([[-200, 0, -200], [0, -300, -300]], np.float32),
    sample_size=4, label="sure",
    expected=lambda x0: [np.repeat(np.int32([[1], [0]]), 4, 1)])
