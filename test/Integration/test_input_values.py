"""Models whose graph depends on the values of inputs, and bodies of control
flow, whose iterations are written out.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from onnx import TensorProto, helper

import glow

F, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, shape, kind=F):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "main", inputs, outputs)
    return helper.make_model(graph, ir_version=8, opset_imports=[
        helper.make_opsetid("", 18)]).SerializeToString()


def compiled(model, backend):
    return glow.compile(model, target=backend)


def test_axes(backend):
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)]
    program = compiled(model(nodes, [value("x", [2, 3]), value("axes", [1], I64)],
                             [value("y", [None])]), backend)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for axis in (0, 1, -1, 0):
        got = program.run({"x": x, "axes": np.array([axis])})["y"]
        np.testing.assert_array_equal(got, x.sum(axis))


def test_values_behind_arithmetic(backend):
    """The shape is computed, and a second input matters after the first."""
    nodes = [helper.make_node("Add", ["shape", "more"], ["total"]),
             helper.make_node("Reshape", ["x", "total"], ["r"]),
             helper.make_node("ReduceMax", ["r", "axes"], ["y"], keepdims=0)]
    program = compiled(model(
        nodes, [value("x", [6]), value("shape", [2], I64),
                value("more", [2], I64), value("axes", [1], I64)],
        [value("y", [None])]), backend)
    x = np.array([3, 1, 2, 6, 5, 4], np.float32)
    for rows in (1, 2, 3):
        got = program.run({"x": x, "shape": np.array([rows - 1, 0]),
                           "more": np.array([1, 6 // rows]),
                           "axes": np.array([1])})["y"]
        np.testing.assert_array_equal(got, x.reshape(rows, -1).max(1))


def test_range(backend):
    nodes = [helper.make_node("Range", ["from", "to", "by"], ["y"])]
    program = compiled(model(nodes, [value(n, []) for n in ("from", "to", "by")],
                             [value("y", [None])]), backend)
    for ends in ((0, 3, 1), (5, 1, -2), (1, 1, 1)):
        numbers = [np.float32(e) for e in ends]
        got = program.run(dict(zip(("from", "to", "by"), numbers)))["y"]
        np.testing.assert_array_equal(got, np.arange(*numbers))


def test_bad_value(backend):
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["y"], name="sum")]
    program = compiled(model(nodes, [value("x", [2, 3]), value("axes", [1], I64)],
                             [value("y", [None, None])]), backend)
    with pytest.raises(glow.GlowError, match="'sum'.*axis 7 is out of range"):
        program.run({"x": np.zeros((2, 3), np.float32), "axes": np.array([7])})


def test_cannot_be_saved(tmp_path):
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["y"])]
    program = glow.compile(model(
        nodes, [value("x", [2, 3]), value("axes", [1], I64)],
        [value("y", [None, None])]))
    with pytest.raises(glow.GlowError, match="values of the inputs axes"):
        program.save(tmp_path / "m.so")


def test_large_values_are_data(backend):
    """What has thousands of elements is no list to compile for."""
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    with pytest.raises(glow.GlowError):
        program = compiled(model(
            nodes, [value("x", [1]), value("shape", [5000], I64)],
            [value("y", None)]), backend)
        program.run({"x": np.zeros(1, np.float32),
                     "shape": np.ones(5000, np.int64)})


def test_if_on_data(backend):
    """Both branches are computed where the condition is data."""
    then = helper.make_graph([helper.make_node("Neg", ["x"], ["a"])], "then",
                             [], [value("a", [3])])
    other = helper.make_graph([helper.make_node("Exp", ["x"], ["b"])], "other",
                              [], [value("b", [3])])
    # Only the element itself decides, so it is no small list of extents.
    nodes = [helper.make_node("ReduceMax", ["flags"], ["c"], keepdims=0),
             helper.make_node("Greater", ["c", "zero"], ["condition"]),
             helper.make_node("If", ["condition"], ["y"], then_branch=then,
                              else_branch=other)]
    nodes.insert(0, helper.make_node("Constant", [], ["zero"], value_float=0.0))
    program = compiled(model(nodes, [value("x", [3]), value("flags", [2000])],
                             [value("y", [3])]), backend)
    x = np.array([-1, 0, 2], np.float32)
    for flag, want in ((1, -x), (-1, np.exp(x))):
        got = program.run({"x": x, "flags": np.full(2000, flag, np.float32)})
        np.testing.assert_allclose(got["y"], want, rtol=1e-6)


def test_if_with_branches_of_any_extent(backend):
    """One row and several are not broadcast to each other."""
    then = helper.make_graph([helper.make_node("Neg", ["x"], ["a"])], "then",
                             [], [value("a", None)])
    other = helper.make_graph([helper.make_node("Exp", ["z"], ["b"])], "other",
                              [], [value("b", None)])
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=then,
                              else_branch=other)]
    program = compiled(model(
        nodes, [value("c", [], BOOL), value("x", ["n"]), value("z", ["m"])],
        [value("y", None)]), backend)
    inputs = {"x": np.float32([2]), "z": np.float32([0, 1, 0])}
    for condition, want in ((True, [-2]), (False, [1, np.e, 1])):
        got = program.run({"c": np.array(condition), **inputs})["y"]
        np.testing.assert_allclose(got, np.float32(want), rtol=1e-6)


def test_loop_until_known_condition(backend):
    """The condition is arithmetic on the number of the iteration."""
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "s"], ["s2"]),
         helper.make_node("Identity", ["s2"], ["each"]),
         helper.make_node("Constant", [], ["last"], value_int=3),
         helper.make_node("Less", ["i", "last"], ["more"])],
        "body", [value("i", [], I64), value("c", [], BOOL), value("s", [2])],
        [value("more", [], BOOL), value("s2", [2]), value("each", [2])])
    nodes = [helper.make_node("Loop", ["", "", "x"], ["y", "all"], body=body)]
    program = compiled(model(nodes, [value("x", [2])],
                             [value("y", [2]), value("all", [None, 2])]),
                       backend)
    got = program.run({"x": np.array([1, 3], np.float32)})
    np.testing.assert_array_equal(got["y"], [16, 48])
    np.testing.assert_array_equal(got["all"], [[2, 6], [4, 12], [8, 24],
                                               [16, 48]])


def test_endless_loop(backend):
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "s"], ["s2"])], "body",
        [value("i", [], I64), value("c", [], BOOL), value("s", [2])],
        [value("c", [], BOOL), value("s2", [2])])
    nodes = [helper.make_node("Loop", ["", "", "x"], ["y"], name="forever",
                              body=body)]
    with pytest.raises(glow.GlowError, match="'forever'.*more than 10000 times"):
        compiled(model(nodes, [value("x", [2])], [value("y", [2])]), backend)
