"""Walks along an axis, of rows one by one and of rows side by side.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import run_onnx_reference, run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code
from onnx import TensorProto, helper

import glow

TYPES = {"f4": TensorProto.FLOAT, "f2": TensorProto.FLOAT16,
         "f8": TensorProto.DOUBLE, "i4": TensorProto.INT32, "i8": TensorProto.INT64,
         "u1": TensorProto.UINT8}
# Rows that fill vectors and that do not, and positions that fill some.
SHAPES = [(5, 37), (9, 3, 17), (12, 70, 5), (3, 131), (40, 2)]
MACHINES = [{}, {"mcpu": "haswell"}, {"mcpu": "x86-64"}]


def walk(op, dtype, shape, outputs=1, constants=None, **attributes):
    """A node with outputs y0 and so on."""
    constants = constants or {}
    results = [f"y{i}" for i in range(outputs)]
    graph = helper.make_graph(
        [helper.make_node(op, ["x", *constants], results, **attributes)], "walk",
        [helper.make_tensor_value_info("x", TYPES[dtype], shape)],
        [helper.make_empty_tensor_value_info(name) for name in results],
        [onnx.numpy_helper.from_array(np.array(v), k) for k, v in constants.items()])
    model = helper.make_model(graph, ir_version=9,
                              opset_imports=[helper.make_opsetid("", 17)])
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def walks(dtype, shape):
    """All along each axis."""
    for axis, extent in enumerate(shape):
        for last in (0, 1):
            yield walk("ArgMax", dtype, shape, axis=axis, select_last_index=last)
        yield walk("ArgMin", dtype, shape, axis=axis, keepdims=0)
        for k in {1, min(5, extent)}:
            yield walk("TopK", dtype, shape, 2, {"k": [k]}, axis=axis, largest=k % 2)
        if dtype not in ("f2", "u1"):  # not in ONNX
            yield walk("CumSum", dtype, shape, 1, {"axis": axis},
                       exclusive=axis % 2, reverse=extent % 2)


def numbers(dtype, shape, distinct):
    """Some that are met again, or none."""
    rng = np.random.default_rng(sum(shape))
    if not distinct:
        return rng.integers(-4, 4, shape).astype(dtype)
    return rng.permutation(np.arange(-200, np.prod(shape) - 200)).reshape(
        shape).astype(dtype)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_against_the_reference(shape, dtype, machine):
    """Of equal elements the first one counts, or the last."""
    options = {**machine, "check-bounds": "1"}
    for model in walks(dtype, shape):
        program = glow.compile(model.SerializeToString(), options=options)
        for distinct in (True, False):
            inputs = {"x": numbers(dtype, shape, distinct)}
            check_equal(program.run(inputs), run_onnx_reference(model, inputs),
                        tolerance=0)


@pytest.mark.parametrize("axis", [0, 1])
def test_on_two_threads(axis):
    """Many rows, in parts."""
    shape = (70, 4099) if axis == 0 else (4099, 70)
    for model in (walk("ArgMax", "f4", shape, axis=axis),
                  walk("CumSum", "f4", shape, 1, {"axis": axis}),
                  walk("TopK", "f4", shape, 2, {"k": [8]}, axis=axis)):
        inputs = {"x": numbers("i4", shape, True).astype("f4") % 8191}
        check_cpu_code(model, inputs, "strict", 1e-6)


@pytest.mark.parametrize("axis", [0, 1])
def test_not_a_number(axis):
    """It is the largest of the best elements, and an extreme only if it comes
    first, wherever a vector begins."""
    shape = (40, 40)
    x = np.arange(1600, dtype="f4").reshape(shape)
    for place in (0, 5, 33):
        x[place, place] = np.nan
    extremes = glow.compile(walk("ArgMax", "f4", shape, axis=axis, keepdims=0)
                            .SerializeToString()).run({"x": x})["y0"]
    expected = np.where(np.arange(40) == 0, 0, np.nanargmax(x, axis))
    assert np.array_equal(extremes, expected)
    best = glow.compile(walk("TopK", "f4", shape, 2, {"k": [2]}, axis=axis)
                        .SerializeToString()).run({"x": x})["y1"]
    assert best.take(0, axis)[[0, 5, 33]].tolist() == [0, 5, 33]


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_ranges(axis):
    """Rows that are not there cost nothing and are not missed."""
    for model in (walk("ArgMax", "f4", ("n", "m", 6), axis=axis),
                  walk("TopK", "f4", ("n", "m", 6), 2, {"k": [1]}, axis=axis),
                  walk("CumSum", "f4", ("n", "m", 6), 1, {"axis": axis})):
        program = glow.compile(model.SerializeToString(),
                               shapes={"x": ((1, 5), (1, 40), 6)},
                               options={"check-bounds": "1"})
        for n, m in ((5, 40), (1, 1), (3, 17)):
            inputs = {"x": numbers("f4", (n, m, 6), True)}
            check_equal(program.run(inputs), run_onnxruntime(model, inputs),
                        tolerance=0)


@pytest.mark.parametrize("rows", [7, 8, 11, 30])
def test_indices_of_several_rows(rows):
    """Each index is looked at once for all of them; negative ones count from the
    end."""
    model = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
        gathers (float[{rows}, 3, 23] x, int64[50] i) =>
                (float[{rows}, 3, 50] y, float[{rows}, 50, 23] z) {{
            y = Gather<axis = 2>(x, i)
            three = Constant<value_int = 3>()
            j = Mod(i, three)
            z = Gather<axis = 1>(x, j) }}""")
    rng = np.random.default_rng(rows)
    inputs = {"x": rng.standard_normal((rows, 3, 23), "f4"),
              "i": rng.integers(-23, 23, 50)}
    check_cpu_code(model, inputs, "strict", 0)
