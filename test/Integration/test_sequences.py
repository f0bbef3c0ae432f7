"""Sequences and optionals: inside of models, and as inputs and outputs.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from plain_c import call

import glow

F, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node = helper.make_node


def tensor(name, shape, kind=F):
    return helper.make_tensor_value_info(name, kind, shape)


def sequence(name, shape=None, kind=F):
    return helper.make_tensor_sequence_value_info(name, kind, shape)


def optional(name, of):
    return helper.make_value_info(name, helper.make_optional_type_proto(of))


def model(nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "main", inputs, outputs)
    return helper.make_model(graph, ir_version=8, opset_imports=[
        helper.make_opsetid("", 18)]).SerializeToString()


def floats(*shape, start=0):
    count = int(np.prod(shape))
    return np.arange(start, start + count, dtype=np.float32).reshape(shape)


def check(got, want):
    assert len(got) == len(want)
    for a, b in zip(got, want):
        np.testing.assert_array_equal(a, b)


@pytest.fixture
def double(backend):
    """Adds x to itself, tensor by tensor."""
    body = helper.make_graph([node("Add", ["e", "e"], ["d"])], "body",
                             [tensor("e", ["n"])], [tensor("d", ["n"])])
    return glow.compile(model([node("SequenceMap", ["x"], ["y"], body=body)],
                              [sequence("x", ["n"])], [sequence("y", ["n"])]),
                        target=backend)


def test_lengths(double):
    """Each length, and each shape of the tensors, has its program."""
    assert double.inputs[0].kind == "sequence"
    for lengths in ([3], [3, 1, 2], [], [2], [3, 1, 2]):
        x = [floats(n) for n in lengths]
        check(double.run({"x": x})["y"], [2 * e for e in x])


def test_wrong_inputs(double):
    with pytest.raises(glow.GlowError, match="x is missing"):
        double.run({})
    with pytest.raises(glow.GlowError, match=r"x\[1\].*shape is \[1, 1\]"):
        double.run({"x": [floats(3), floats(1, 1)]})
    with pytest.raises(glow.GlowError, match="must be float32"):
        double.run({"x": [np.zeros(3)]})
    with pytest.raises(glow.GlowError, match="give the shapes of its inputs"):
        double.save("/nowhere/model.so")


@pytest.mark.parametrize("given", [None, [], [floats(2)], [floats(2)] * 2])
def test_optional_sequence(backend, given):
    kind = helper.make_sequence_type_proto(
        helper.make_tensor_type_proto(F, [2]))
    program = glow.compile(model(
        [node("OptionalHasElement", ["x"], ["has"]),
         node("Identity", ["x"], ["y"])],
        [optional("x", kind)], [tensor("has", [], BOOL), optional("y", kind)]),
        target=backend)
    got = program.run({"x": given})
    assert got["has"] == (given is not None)
    if given is None:
        assert got["y"] is None
    else:
        check(got["y"], given)


def test_optional_tensor(backend):
    """A default in place of what is absent."""
    kind = helper.make_tensor_type_proto(F, [2])
    there = helper.make_graph([node("OptionalGetElement", ["x"], ["a"])],
                              "there", [], [tensor("a", [2])])
    absent = helper.make_graph([node("Neg", ["z"], ["b"])], "absent", [],
                               [tensor("b", [2])])
    program = glow.compile(model(
        [node("OptionalHasElement", ["x"], ["has"]),
         node("If", ["has"], ["y"], then_branch=there, else_branch=absent)],
        [optional("x", kind), tensor("z", [2])], [tensor("y", [2])]),
        target=backend)
    z = floats(2, start=5)
    check([program.run({"x": None, "z": z})["y"]], [-z])
    check([program.run({"x": floats(2), "z": z})["y"]], [floats(2)])


def test_positions(backend):
    """A position that is an input: known for lists, data for equal tensors."""
    program = glow.compile(model(
        [node("SequenceConstruct", ["a", "b"], ["s"]),
         node("SequenceInsert", ["s", "c", "p"], ["t"]),
         node("SequenceErase", ["t", "q"], ["y"]),
         node("SequenceAt", ["s", "q"], ["e"])],
        [tensor("a", [2]), tensor("b", [2]), tensor("c", [3]),
         tensor("p", [], I64), tensor("q", [], I64)],
        [sequence("y"), tensor("e", [2])]), target=backend)
    values = {"a": floats(2), "b": floats(2, start=2), "c": floats(3, start=4)}
    for p in range(-2, 3):
        for q in (-2, 1):
            want = [values["a"], values["b"]]
            at = want[q]
            want.insert(p, values["c"])
            want.pop(q)
            got = program.run({**values, "p": np.array(p), "q": np.array(q)})
            check(got["y"], want)
            check([got["e"]], [at])
    with pytest.raises(glow.GlowError, match="outside of the sequence"):
        program.run({**values, "p": np.array(3), "q": np.array(0)})


def test_place_at_run_time(backend):
    """One program for all places."""
    parts = helper.make_node("SplitToSequence", ["x"], ["s"], axis=1)
    bytes_ = model([parts, node("ReduceSum", ["i"], ["p"], keepdims=0),
                    node("SequenceAt", ["s", "p"], ["y"])],
                   [tensor("x", [2, 3]), tensor("i", [4000], I64)],
                   [tensor("y", [2, 1])])
    program = glow.compile(bytes_, target=backend)
    for place in range(-3, 3):
        i = np.zeros(4000, np.int64)
        i[7] = place
        got = program.run({"x": floats(2, 3), "i": i})["y"]
        np.testing.assert_array_equal(got[:, 0], floats(2, 3)[:, place])


def test_choice_of_lists(backend):
    """An If on data chooses between sequences tensor by tensor."""
    branches = {key: helper.make_graph(
        [node("SequenceConstruct", values, [key])], key, [], [sequence(key)])
        for key, values in (("s", ["x", "z"]), ("t", ["z", "x"]))}
    program = glow.compile(model(
        [node("ReduceSum", ["x"], ["sum"], keepdims=0),
         node("Greater", ["sum", "zero"], ["c"]),
         node("If", ["c"], ["y"], then_branch=branches["s"],
              else_branch=branches["t"])],
        [tensor("x", [3000]), tensor("z", [3000]), tensor("zero", [])],
        [sequence("y")]), target=backend)
    x, z = floats(3000), floats(3000, start=1)
    zero = np.zeros((), np.float32)
    check(program.run({"x": x, "z": z, "zero": zero})["y"], [x, z])
    check(program.run({"x": -x, "z": z, "zero": zero})["y"], [z, -x])


def test_wrong_kind(backend):
    with pytest.raises(glow.GlowError, match="sequence or an optional, not a"):
        glow.compile(model([node("SequenceConstruct", ["x"], ["s"]),
                            node("Relu", ["s"], ["y"])],
                           [tensor("x", [2])], [tensor("y", [2])]),
                     target=backend)


def test_shapes_of_loops(backend):
    """A loop over an axis whose extent is open."""
    body = helper.make_graph(
        [node("Add", ["state", "e"], ["next"]),
         node("Identity", ["next"], ["seen"])], "body",
        [tensor("state", [2]), tensor("e", [2])],
        [tensor("next", [2]), tensor("seen", [2])])
    program = glow.compile(model(
        [node("Scan", ["zero", "x"], ["last", "all"], num_scan_inputs=1,
              body=body)],
        [tensor("zero", [2]), tensor("x", ["n", 2])],
        [tensor("last", [2]), tensor("all", ["n", 2])]), target=backend)
    for n in (1, 3, 2, 3):
        x = floats(n, 2)
        got = program.run({"zero": np.zeros(2, np.float32), "x": x})
        np.testing.assert_array_equal(got["all"], x.cumsum(0))
        np.testing.assert_array_equal(got["last"], x.sum(0))


def test_ahead_of_time(tmp_path):
    bytes_ = model([node("SequenceInsert", ["x", "t"], ["y"])],
                   [sequence("x"), tensor("t", [1])], [sequence("y")])
    program = glow.compile(bytes_, shapes={"x[0]": (2,), "x[1]": (2, 2)})
    path = tmp_path / "model.so"
    program.save(path)
    x, t = [floats(2), floats(2, 2)], floats(1)
    for made in (program, glow.load(path)):
        assert [i.name for i in made.inputs] == ["x[0]", "x[1]", "t"]
        check(made.run({"x": x, "t": t})["y"], [*x, t])
    empty = glow.compile(bytes_, options={"shape": "x=[]"})
    check(empty.run({"x": [], "t": t})["y"], [t])


@pytest.mark.parametrize("name", [
    "sequence_insert_at_front", "identity_opt", "if_opt",
    "optional_has_element_empty_optional_input"])
def test_files(bin_dir, name):
    """glow-run reads and compares the files of ONNX's test data."""
    folder = (pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
              / "node" / f"test_{name}")
    data = folder / "test_data_set_0"
    call(bin_dir / "glow-run", folder / "model.onnx", "--input", data,
         "--compare", data)
