"""Graphs of a few nodes: what the shape of a graph can do to a compiler.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

from .case import Table

TABLE = Table()
data, graph = TABLE.data, TABLE.add_graph
node, tensor = helper.make_node, numpy_helper.from_array


def weight(name, *shape):
    return tensor(data(*shape), name)


X = {"x": data(2, 3, 4)}
graph("graph-input-is-output", [node("Identity", ["x"], ["y"])], X)
graph("graph-one-value-twice",
      [node("Relu", ["x"], ["a"]), node("Identity", ["a"], ["b"])], X,
      outputs=["a", "b"])
graph("graph-constant-output",
      [node("Relu", ["x"], ["y"]),
       node("Add", ["w", "w"], ["z"])], X, [weight("w", 3)],
      outputs=["y", "z"])
graph("graph-initialiser-is-output", [node("Relu", ["x"], ["y"]),
      node("Identity", ["w"], ["z"])], X, [weight("w", 3)],
      outputs=["y", "z"])
graph("graph-dead-nodes",
      [node("Exp", ["x"], ["unused"]), node("Relu", ["x"], ["y"])], X)
graph("graph-unused-input", [node("Relu", ["x"], ["y"])],
      {**X, "unused": data(3)})
graph("graph-shared-weights",
      [node("MatMul", ["x", "w"], ["a"]), node("MatMul", ["a", "w"], ["y"])],
      {"x": data(3, 4)}, [weight("w", 4, 4)])
graph("graph-diamond",
      [node("Relu", ["x"], ["a"]), node("Exp", ["a"], ["b"]),
       node("Neg", ["a"], ["c"]), node("Add", ["b", "c"], ["d"]),
       node("Mul", ["d", "a"], ["y"])], X)
graph("graph-long-chain",
      [node("Tanh" if i % 2 else "Neg", [f"v{i}" if i else "x"],
            [f"v{i + 1}"]) for i in range(40)], X)
graph("graph-names-need-quoting",
      [node("Relu", ["x:0/a b\"%"], ["y\\n@é"], name="a\"b/c")],
      {"x:0/a b\"%": data(3)})
graph("graph-conv-bn-relu",
      [node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
       node("BatchNormalization", ["a", "s", "b", "m", "v"], ["c"]),
       node("Relu", ["c"], ["y"])], {"x": data(1, 3, 6, 6)},
      [weight("w", 4, 3, 3, 3), weight("s", 4), weight("b", 4),
       weight("m", 4), tensor(data(4, low=0.5), "v")])
graph("graph-bn-conv",
      [node("BatchNormalization", ["x", "s", "b", "m", "v"], ["a"]),
       node("Conv", ["a", "w"], ["y"], pads=[1] * 4)],
      {"x": data(1, 3, 6, 6)},
      [weight("w", 4, 3, 3, 3), weight("s", 3), weight("b", 3),
       weight("m", 3), tensor(data(3, low=0.5), "v")])
graph("graph-residual",
      [node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
       node("Add", ["a", "x"], ["b"]), node("Relu", ["b"], ["y"])],
      {"x": data(1, 4, 6, 6)}, [weight("w", 4, 4, 3, 3)])
graph("graph-concat-of-slices",
      [node("Split", ["x"], ["a", "b"], axis=1, num_outputs=2),
       node("Relu", ["a"], ["c"]), node("Neg", ["b"], ["d"]),
       node("Concat", ["d", "c"], ["e"], axis=1),
       node("Add", ["e", "x"], ["y"])], {"x": data(2, 4, 5)})
graph("graph-transposes-cancel",
      [node("Transpose", ["x"], ["a"], perm=[0, 2, 1]),
       node("Relu", ["a"], ["b"]),
       node("Transpose", ["b"], ["y"], perm=[0, 2, 1])], X)
graph("graph-layer-norm-parts",
      [node("ReduceMean", ["x"], ["m"], axes=[-1]),
       node("Sub", ["x", "m"], ["c"]), node("Pow", ["c", "two"], ["q"]),
       node("ReduceMean", ["q"], ["v"], axes=[-1]),
       node("Add", ["v", "eps"], ["e"]), node("Sqrt", ["e"], ["s"]),
       node("Div", ["c", "s"], ["y"])], {"x": data(3, 16)},
      [tensor(np.array(2, np.float32), "two"),
       tensor(np.array(1e-5, np.float32), "eps")], opset=17)

# Sizes the model leaves open, with the arithmetic exporters write for them.
BATCH = {"x": ["batch", 3, 4]}
graph("dynamic-relu", [node("Relu", ["x"], ["y"])], X, shapes=BATCH)
graph("dynamic-all", [node("Relu", ["x"], ["y"])], X,
      shapes={"x": ["a", "b", "c"]})
graph("dynamic-unknown", [node("Relu", ["x"], ["y"])], X,
      shapes={"x": [None, None, None]})
graph("dynamic-two-inputs", [node("Add", ["x", "z"], ["y"])],
      {**X, "z": data(2, 1, 4)},
      shapes={"x": ["n", 3, 4], "z": ["n", 1, 4]})
graph("dynamic-flatten",
      [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]),
       node("Unsqueeze", ["n", "axis"], ["n1"]),
       node("Concat", ["n1", "rest"], ["shape"], axis=0),
       node("Reshape", ["x", "shape"], ["y"])], X,
      [tensor(np.array(0), "zero"), tensor(np.array([0]), "axis"),
       tensor(np.array([-1]), "rest")], shapes=BATCH)
graph("dynamic-heads",
      [node("Reshape", ["x", "split"], ["a"]),
       node("Transpose", ["a"], ["b"], perm=[0, 2, 1, 3]),
       node("Reshape", ["b", "join"], ["y"])], {"x": data(2, 5, 12)},
      [tensor(np.array([0, 0, 3, 4]), "split"),
       tensor(np.array([0, -1, 12]), "join")],
      shapes={"x": ["batch", "sequence", 12]})
graph("dynamic-range-mask",
      [node("Shape", ["x"], ["s"]), node("Gather", ["s", "one"], ["n"]),
       node("Range", ["zero", "n", "one"], ["r"]),
       node("Unsqueeze", ["r", "axis"], ["column"]),
       node("LessOrEqual", ["r", "column"], ["mask"]),
       node("Where", ["mask", "x", "low"], ["y"])], {"x": data(5, 5)},
      [tensor(np.array(0), "zero"), tensor(np.array(1), "one"),
       tensor(np.array([1]), "axis"),
       tensor(np.array(-1e9, np.float32), "low")],
      shapes={"x": ["n", "n"]})
graph("dynamic-expand-like",
      [node("Shape", ["z"], ["s"]), node("Expand", ["x", "s"], ["y"])],
      {"x": data(1, 4), "z": data(3, 4)}, shapes={"z": ["n", 4]})

# A function of the model, called twice and nested.
HALVE = helper.make_function(
    "local", "Halve", ["a"], ["b"],
    [node("Constant", [], ["h"], value_float=0.5),
     node("Mul", ["a", "h"], ["b"])], [helper.make_opsetid("", 21)])
QUARTER = helper.make_function(
    "local", "Quarter", ["a"], ["b"],
    [node("Halve", ["a"], ["t"], domain="local"),
     node("Halve", ["t"], ["b"], domain="local")],
    [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)])
SCALED = helper.make_function(
    "local", "Leaky", ["a"], ["b"], [node("LeakyRelu", ["a"], ["b"])],
    [helper.make_opsetid("", 21)], attributes=["alpha"])
SCALED.node[0].attribute.append(
    helper.make_attribute_ref("alpha", AttributeProto.FLOAT))
graph("function-nested",
      [node("Quarter", ["x"], ["a"], domain="local"),
       node("Halve", ["a"], ["b"], domain="local"),
       node("Relu", ["b"], ["y"])], X, functions=[HALVE, QUARTER])
graph("function-attribute",
      [node("Leaky", ["x"], ["a"], domain="local", alpha=0.3),
       node("Neg", ["a"], ["y"])], X, functions=[SCALED])

for kind, value in {"value_int": 3, "value_ints": [1, 2],
                    "value_floats": [1.5, 2.5]}.items():
    dtype = TensorProto.FLOAT if "float" in kind else TensorProto.INT64
    graph(f"constant-{kind}",
          [node("Constant", [], ["c"], **{kind: value}),
           node("Cast", ["x"], ["t"], to=dtype),
           node("Add", ["t", "c"], ["y"])], {"x": data(3, 2)})
sparse = helper.make_sparse_tensor(
    helper.make_tensor("v", TensorProto.FLOAT, [2], [5.0, 7.0]),
    helper.make_tensor("i", TensorProto.INT64, [2], [1, 4]), [2, 3])
graph("constant-sparse",
      [node("Constant", [], ["c"], sparse_value=sparse),
       node("Add", ["x", "c"], ["y"])], {"x": data(2, 3)})
