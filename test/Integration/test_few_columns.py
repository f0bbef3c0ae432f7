"""Products with few columns, whose vectors lie along the depth.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code
from onnx import TensorProto, helper, numpy_helper

import glow

# Vectors of 16, 8 and 4 floats, with masks and without.
MACHINES = {"native": {}, "avx2": {"mcpu": "haswell"},
            "sse2": {"mcpu": "x86-64"}}


def conv(x, w, **attributes):
    return [("Conv", ["x", "w", "b"], attributes), ("Sigmoid", ["0"], {})], {
        "x": x}, {"w": w, "b": (w[0],)}


def matmul(x, w):
    return [("MatMul", ["x", "w"], {}), ("Add", ["0", "b"], {})], {"x": x}, {
        "w": w, "b": (w[-1],)}


def transposed(x, z):
    perm = [*range(len(z) - 2), len(z) - 1, len(z) - 2]
    return [("Transpose", ["z"], {"perm": perm}), ("MatMul", ["x", "0"], {})], {
        "x": x, "z": z}, {}


# Nodes whose last one ends in "y", shapes of inputs and of weights.
CASES = {
    "one-channel": conv((1, 64, 20, 35), (1, 64, 3, 3), pads=[1, 1, 1, 1]),
    "one-channel-pointwise": conv((2, 96, 9, 9), (1, 96, 1, 1)),
    # Too shallow for a vector along the depth.
    "shallow": conv((1, 12, 20, 35), (1, 12, 3, 3), pads=[1, 1, 1, 1]),
    "shallow-pointwise": conv((2, 13, 9, 30), (1, 13, 1, 1)),
    "shallow-strided": conv((1, 5, 21, 33), (1, 5, 3, 3), strides=[2, 2]),
    "shallow-line": conv((1, 7, 500), (1, 7, 9), pads=[4, 4]),
    "two-channels": conv((1, 40, 12, 21), (2, 40, 3, 3), pads=[1, 1, 1, 1]),
    "three-channels": conv((1, 64, 13, 50), (3, 64, 5, 5), pads=[2, 2, 2, 2]),
    "four-channels": conv((3, 70, 7, 18), (4, 70, 3, 3), pads=[0, 2, 1, 0]),
    "five-channels": conv((1, 96, 11, 17), (5, 96, 3, 3), pads=[1, 1, 1, 1]),
    "seven-channels": conv((2, 500, 7, 9), (7, 500, 1, 1)),
    "thirteen-channels": conv((1, 40, 9, 14), (13, 40, 3, 3),
                              pads=[1, 1, 1, 1]),
    "twelve-channels": conv((1, 40, 9, 14), (12, 40, 3, 3), pads=[1, 1, 1, 1]),
    "strided": conv((1, 64, 21, 64), (1, 64, 3, 3), pads=[1, 1, 1, 1],
                    strides=[2, 2]),
    "dilated": conv((1, 33, 30, 30), (2, 33, 3, 3), pads=[4, 4, 4, 4],
                    dilations=[4, 4]),
    "all-at-the-border": conv((1, 64, 3, 5), (1, 64, 3, 7),
                              pads=[1, 3, 1, 3]),
    "wide-strides": conv((1, 64, 9, 40), (2, 64, 2, 2), strides=[3, 3],
                         pads=[1, 1, 1, 1]),
    "line": conv((1, 32, 500), (1, 32, 7), pads=[3, 3]),
    "volume": conv((1, 48, 5, 6, 19), (1, 48, 3, 3, 3),
                   pads=[1, 1, 1, 1, 1, 1]),
    "matrix-vector": matmul((100, 259), (259, 1)),
    "matrix-3": matmul((2, 37, 128), (128, 3)),
    "matrix-6": matmul((37, 700), (700, 6)),
    "row-1": matmul((1, 256), (256, 1)),
    "rows-4": matmul((4, 1000), (1000, 4)),
    "deep": matmul((19, 5000), (5000, 2)),
    "computed-vector": ([("MatMul", ["x", "z"], {})],
                        {"x": (3, 50, 70), "z": (3, 70, 1)}, {}),
    "shared-vector": ([("MatMul", ["x", "z"], {})],
                      {"x": (3, 50, 70), "z": (70, 1)}, {}),
    "dots": ([("MatMul", ["x", "z"], {})],
             {"x": (50, 1, 70), "z": (50, 70, 1)}, {}),
    "transposed-1": transposed((2, 5, 77, 64), (2, 5, 1, 64)),
    "transposed-3": transposed((5, 90, 40), (5, 3, 40)),
    "turned-rows": ([("Transpose", ["x"], {"perm": [1, 0]}),
                     ("MatMul", ["0", "w"], {})],
                    {"x": (64, 100)}, {"w": (64, 3)}),
}


def build(name, rows=None):
    nodes, inputs, weights = CASES[name]
    rng = np.random.default_rng(len(name))
    made = []
    for i, (op, operands, attributes) in enumerate(nodes):
        result = "y" if i + 1 == len(nodes) else str(i)
        made.append(helper.make_node(op, operands, [result], name=op,
                                     **attributes))
    def info(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    shapes = {k: [rows or s[0], *s[1:]] for k, s in inputs.items()}
    graph = helper.make_graph(
        made, name, [info(k, s) for k, s in shapes.items()], [info("y", None)],
        [numpy_helper.from_array(rng.standard_normal(s, np.float32) / 8, k)
         for k, s in weights.items()])
    model = helper.make_model(graph, ir_version=9,
                              opset_imports=[helper.make_opsetid("", 17)])
    model = onnx.shape_inference.infer_shapes(model)
    return model, {k: rng.standard_normal(s, np.float32)
                   for k, s in inputs.items()}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", CASES)
def test_against_onnxruntime(name, machine):
    model, inputs = build(name)
    check_cpu_code(model, inputs, "strict", 2e-6, **MACHINES[machine])


@pytest.mark.parametrize("name", CASES)
def test_bf16(name):
    model, inputs = build(name)
    result = glow.compile(model.SerializeToString(), precision="bf16").run(
        inputs)
    check_equal(result, run_onnxruntime(model, inputs), tolerance=2e-2)


@pytest.mark.parametrize("name", ["one-channel-pointwise", "matrix-vector",
                                  "matrix-3", "rows-4"])
def test_rows_known_at_run_time(name):
    """Of a range, the rows that there are get what they get alone."""
    model, inputs = build(name, "rows")
    most = inputs["x"].shape
    compiled = glow.compile(
        model.SerializeToString(), precision="strict",
        shapes={"x": [(1, most[0]), *most[1:]]},
        options={"check-bounds": "1"})
    for rows in {1, max(1, most[0] - 1), most[0]}:
        some = {"x": inputs["x"][:rows]}
        check_equal(compiled.run(some), run_onnxruntime(model, some),
                    tolerance=2e-6)


def test_what_is_no_number():
    """Rests of the depth are filled up with zeros of both factors, so nothing
    behind an end makes a NaN; what is inside does."""
    model, inputs = build("matrix-3")
    inputs["x"][0, 3, 5] = np.inf
    inputs["x"][1, 36, 127] = np.nan
    result = glow.compile(model.SerializeToString(), precision="strict").run(
        inputs)["y"]
    finite = np.isfinite(result).all(axis=-1)
    assert finite.sum() == 2 * 37 - 2
    assert not finite[0, 3] and not finite[1, 36]
