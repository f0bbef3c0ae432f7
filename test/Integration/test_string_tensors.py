"""Strings that other operators move, bad ones, and those of a shared library.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import numpy as np
import pytest
from onnx import helper
from plain_c import build_program
from string_models import (BOOL, F, I64, ML, S, check, compiled, model, node,
                           text, value)

import glow


def test_movement(backend):
    """Every operator that only moves elements moves strings."""
    nodes = [node("Transpose", ["x"], ["t"]),
             node("Concat", ["t", "c"], ["u"], axis=1),
             node("Gather", ["u", "i"], ["g"], axis=1),
             node("Expand", ["g", "shape"], ["e"]),
             node("Slice", ["e", "from", "to", "axes"], ["s"]),
             node("ScatterElements", ["s", "at", "new"], ["w"], axis=1),
             node("Tile", ["w", "twice"], ["d"]),
             node("Reshape", ["d", "flat"], ["y"])]
    constants = {
        "c": text([["p"], ["q"], ["r"]]), "i": np.array([2, 0, -1]),
        "shape": np.array([2, 3, 3]), "from": np.array([1]),
        "to": np.array([3]), "axes": np.array([1]),
        "at": np.full((2, 1, 1), 1), "new": text([[["N"]], [["M"]]]),
        "twice": np.array([1, 1, 2]), "flat": np.array([-1])}
    # Scattering along axis 1 wants rank 3.
    made = model(nodes, [value("x", [2, 3])], [value("y", [None])],
                 constants.items())
    x = text([["a", "b", "c"], ["d", "e", "ff"]])
    u = np.concatenate([x.T, constants["c"]], 1)
    s = np.broadcast_to(u[:, [2, 0, 2]], (2, 3, 3))[:, 1:3].copy()
    s[0, 1, 0], s[1, 1, 0] = "N", "M"
    check(made, {"x": x}, backend,
          {"y": np.tile(s, (1, 1, 2)).reshape(-1)})


def test_where_and_identity(backend):
    nodes = [node("Where", ["m", "a", "b"], ["w"]), node("Identity", ["w"])]
    made = model(nodes, [value("m", [2, 1], BOOL), value("a", [3])],
                 [value("y", [2, 3]), value("a", [3])], [("b", text(["z"]))])
    check(made, {"m": np.array([[True], [False]]),
                 "a": text(["1", "2", "3"])}, backend,
          {"y": [["1", "2", "3"], ["z"] * 3], "a": ["1", "2", "3"]})


def test_if_on_data(backend):
    then = helper.make_graph([node("StringConcat", ["x", "x"], ["a"])], "then",
                             [], [value("a", [2])])
    other = helper.make_graph([node("Identity", ["x"], ["b"])], "other", [],
                              [value("b", [2])])
    made = model([node("ReduceMax", ["f"], ["c"], keepdims=0),
                  node("Greater", ["c", "zero"], ["condition"]),
                  node("If", ["condition"], then_branch=then,
                       else_branch=other)],
                 [value("x", [2]), value("f", [2000], F)], [value("y", [2])],
                 [("zero", np.float32(0))])
    for flag, want in ((1, ["pp", ""]), (-1, ["p", ""])):
        check(made, {"x": text(["p", ""]),
                     "f": np.full(2000, flag, np.float32)}, backend,
              {"y": want})


def test_loop(backend):
    body = helper.make_graph(
        [node("StringConcat", ["s", "x"], ["t"]),
         node("Identity", ["go"], ["on"])],
        "body", [value("k", [], I64), value("go", [], BOOL), value("s", [2])],
        [value("on", [], BOOL), value("t", [2])])
    made = model([node("Loop", ["n", "", "x"], body=body)], [value("x", [2])],
                 [value("y", [2])], [("n", np.array(3))])
    check(made, {"x": text(["a", "b"])}, backend, {"y": ["aaaa", "bbbb"]})


def test_constant_result(backend):
    made = model([node("StringConcat", ["a", "b"])], [], [value("y", [2])],
                 [("a", text(["x", "y"])), ("b", text(["", "z"]))])
    check(made, {}, backend, {"y": ["x", "yz"]})


# -- Bad data -----------------------------------------------------------------

def test_bytes_that_are_no_text(backend):
    made = model([node("StringNormalizer", case_change_action="UPPER")],
                 [value("x", [3])], [value("y", [None])])
    x = text([b"a\xffb", b"\xc3", b"\xed\xa0\x80z"])
    got = compiled(made, backend).run({"x": x})["y"]
    assert [t.encode(errors="surrogateescape") for t in got] == [
        b"A\xffB", b"\xc3", b"\xed\xa0\x80Z"]


def test_wrong_shape_and_type(backend):
    made = model([node("Equal", ["x", "x"])], [value("x", [2])],
                 [value("y", [2], BOOL)])
    with pytest.raises(glow.GlowError, match="shape"):
        compiled(made, backend).run({"x": text(["a"])})
    with pytest.raises(glow.GlowError, match="must be object"):
        compiled(made, backend).run({"x": np.zeros(2, np.float32)})
    with pytest.raises(glow.GlowError, match="1.5 is not a string"):
        compiled(made, backend).run({"x": text(["a", 1.5])})


# -- Ahead of time ------------------------------------------------------------

SCRIPT = """
import sys, numpy as np, glow
model = glow.load(sys.argv[1])
for words in (["b", "a"], ["", "long " * 50]):
    out = model.run({"x": np.array(words, np.object_)})
    print(out["n"].tolist(), out["y"].tolist())
"""


def test_shared_library(tmp_path):
    """In a process that has not compiled the model."""
    nodes = [node("StringConcat", ["x", "end"], ["e"]),
             node("Gather", ["e", "i"], ["y"]),
             node("LabelEncoder", ["x"], ["n"], domain=ML,
                  keys_strings=["a", "b"], values_int64s=[1, 2])]
    made = model(nodes, [value("x", [2])], [value("y", [3]),
                                            value("n", [2], I64)],
                 [("end", text(["!"])), ("i", np.array([1, 0, 1]))])
    library = tmp_path / "m.so"
    glow.compile(made.SerializeToString()).save(library)
    printed = subprocess.run([sys.executable, "-c", SCRIPT, library],
                             check=True, capture_output=True, text=True).stdout
    long = "long " * 50
    assert printed.splitlines() == [
        "[2, 1] ['a!', 'b!', 'a!']",
        f"[-1, -1] ['{long}!', '!', '{long}!']"]


@pytest.mark.parametrize("op, status", [("Equal", 4), ("Identity", 0)])
def test_caller_without_functions(tmp_path, op, status):
    """What needs one is refused, the rest runs. Zeros are empty strings."""
    kind = {"Equal": BOOL, "Identity": S}[op]
    made = model([node(op, ["x", "x"][:1 + (op == "Equal")])],
                 [value("x", [2])], [value("y", [2], kind)])
    glow.compile(made.SerializeToString()).save(tmp_path / "m.so")
    (tmp_path / "x").write_bytes(bytes(32))
    program = build_program("run-model.c", tmp_path)
    done = subprocess.run([program, tmp_path / "m.so", tmp_path / "x"],
                          stdout=subprocess.DEVNULL)
    assert done.returncode == status
