"""Recurrent layers of many steps, or of a number of them that is known at run
time, are loops.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import itertools

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code
from onnx import TensorProto
from onnx.helper import make_node
from onnx.numpy_helper import from_array
from plain_c import call
from test_ahead_of_time import save_model

import glow

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FEATURES, HIDDEN = 5, 19
EVERYTHING = ("bias", "lengths", "initial")


class Layer:
    """A recurrent layer whose sequence, or batch, may be a name."""

    def __init__(self, path, op, parts=(), steps="s", batch=2,
                 direction="bidirectional", **attributes):
        self.path, self.op, self.parts = path, op, parts
        self.steps, self.batch = steps, batch
        self.directions = 2 if direction == "bidirectional" else 1
        rng = np.random.default_rng(0)
        rows = GATES[op] * HIDDEN
        weights = {"w": (rows, FEATURES), "r": (rows, HIDDEN)}
        operands = ["x", "w", "r", "", "", "", "", ""]
        inputs = {"x": (TensorProto.FLOAT, [steps, batch, FEATURES])}
        if "bias" in parts:
            weights["b"], operands[3] = (2 * rows,), "b"
        if "lengths" in parts:
            inputs["l"], operands[4] = (TensorProto.INT32, [batch]), "l"
        state = (TensorProto.FLOAT, [self.directions, batch, HIDDEN])
        if "initial" in parts:
            inputs["h"], operands[5] = state, "h"
        if "initial" in parts and op == "LSTM":
            inputs["c"], operands[6] = state, "c"
        if "peepholes" in parts:
            weights["p"], operands[7] = (3 * HIDDEN,), "p"
        results = ["y", "last", "cell"][:3 if op == "LSTM" else 2]
        node = make_node(op, operands if op == "LSTM" else operands[:6],
                         results, hidden_size=HIDDEN, direction=direction,
                         **attributes)
        outputs = {"y": (TensorProto.FLOAT,
                         [steps, self.directions, batch, HIDDEN])}
        outputs |= {name: state for name in results[1:]}
        save_model(path, [node], inputs, outputs, [
            from_array(rng.standard_normal((self.directions, *shape), np.float32)
                       / HIDDEN ** 0.5, name)
            for name, shape in weights.items()])

    def inputs(self, steps, batch):
        rng = np.random.default_rng(steps)

        def state():
            return rng.standard_normal((self.directions, batch, HIDDEN), np.float32)

        given = {"x": rng.standard_normal((steps, batch, FEATURES), np.float32)}
        if "lengths" in self.parts:
            given["l"] = rng.integers(1, steps + 1, batch).astype(np.int32)
        if "initial" in self.parts:
            given["h"] = state()
        if "initial" in self.parts and self.op == "LSTM":
            given["c"] = state()
        return given


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("parts", [(), ("bias", "lengths"), EVERYTHING])
def test_known_steps(op, direction, parts, tmp_path):
    layer = Layer(tmp_path / "model.onnx", op, parts, 33, 3, direction)
    check_cpu_code(onnx.load(layer.path), layer.inputs(33, 3), "strict", 5e-6)


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("parts", [(), ("bias", "lengths"), EVERYTHING])
def test_ranges_of_steps(op, direction, parts, tmp_path):
    """Each sequence has its own last state, however long the longest may be."""
    layer = Layer(tmp_path / "model.onnx", op, parts, "s", "b", direction)
    model = onnx.load(layer.path)
    ranges = {"x": ((1, 40), (1, 3), FEATURES)}
    one, two = (glow.compile(layer.path, shapes=ranges, threads=threads,
                             precision="strict", options={"check-bounds": "1"})
                for threads in (1, 2))
    for steps, batch in itertools.product((40, 1, 2, 17), (3, 1)):
        inputs = layer.inputs(steps, batch)
        results = one.run(inputs)
        check_equal(results, run_onnxruntime(model, inputs), tolerance=5e-6)
        check_equal(two.run(inputs), results, tolerance=0)


@pytest.mark.parametrize("op,parts,attributes", [
    ("LSTM", ("peepholes",), {}), ("LSTM", ("bias",), {"input_forget": 1}),
    ("LSTM", ("bias",), {"clip": 0.3}), ("GRU", ("bias",), {"linear_before_reset": 1})])
def test_forms(op, parts, attributes, tmp_path):
    layer = Layer(tmp_path / "model.onnx", op, parts, 20, 1, **attributes)
    check_cpu_code(onnx.load(layer.path), layer.inputs(20, 1), "strict", 5e-6)


@pytest.mark.parametrize("precision,tolerance",
                         [("fp32", 5e-6), ("fp32-fast", 5e-5), ("bf16", 0.05)])
@pytest.mark.parametrize("op", GATES)
def test_precisions(op, precision, tolerance, tmp_path):
    layer = Layer(tmp_path / "model.onnx", op, ("bias",), 24, 2)
    check_cpu_code(onnx.load(layer.path), layer.inputs(24, 2), precision, tolerance)


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("parts", [(), ("bias", "initial")])
def test_no_steps(op, parts, tmp_path):
    """What a layer begins with is its last state then."""
    layer = Layer(tmp_path / "model.onnx", op, parts)
    model = glow.compile(layer.path, shapes={"x": ((0, 40), 2, FEATURES)},
                         precision="strict", options={"check-bounds": "1"})
    for steps in (40, 0, 1, 0):
        inputs = layer.inputs(steps, 2)
        results = model.run(inputs)
        none = np.zeros((2, 2, HIDDEN), np.float32)
        expected = run_onnxruntime(onnx.load(layer.path), inputs) if steps else {
            "y": np.zeros((0, 2, 2, HIDDEN), np.float32), "last": inputs.get("h", none),
            "cell": inputs.get("c", none)}
        check_equal(results, {name: expected[name] for name in results}, tolerance=5e-6)


def test_steps_that_are_chosen(tmp_path):
    """Their number depends on data, and may be none."""
    rows = 4 * HIDDEN
    rng = np.random.default_rng(0)
    path = save_model(
        tmp_path / "model.onnx",
        [make_node("Compress", ["x", "keep"], ["some"], axis=0),
         make_node("LSTM", ["some", "w", "r"], ["y", "last"], hidden_size=HIDDEN)],
        {"x": (TensorProto.FLOAT, [20, 2, FEATURES]), "keep": (TensorProto.BOOL, [20])},
        {"y": (TensorProto.FLOAT, ["n", 1, 2, HIDDEN]),
         "last": (TensorProto.FLOAT, [1, 2, HIDDEN])},
        [from_array(rng.standard_normal((1, rows, size), np.float32) / 4, name)
         for name, size in (("w", FEATURES), ("r", HIDDEN))])
    model = glow.compile(path, precision="strict", options={"check-bounds": "1"})
    for kept in (20, 0, 7, 0):
        inputs = {"x": rng.standard_normal((20, 2, FEATURES), np.float32),
                  "keep": np.arange(20) < kept}
        check_equal(model.run(inputs), run_onnxruntime(onnx.load(path), inputs),
                    tolerance=5e-6)


def test_more_steps_than_rows(bin_dir, tmp_path):
    """A number that is too large is that of the rows."""
    graph = tmp_path / "sums.mlir"
    graph.write_text("""
      func.func @sums(%x: tensor<1x8x4xf32>, %zero: tensor<1x4xf32>, %n: tensor<i64>) -> tensor<1x9x4xf32> {
        %y = glow.for_steps @add steps %n : tensor<i64> histories(%zero : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
        return %y : tensor<1x9x4xf32>
      }
      func.func private @add(%sum: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
        %y = glow.add %sum, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        return %y : tensor<1x4xf32>
      }
    """)
    rows = np.random.default_rng(0).standard_normal((1, 8, 4), np.float32)
    np.save(tmp_path / "x.npy", rows)
    np.save(tmp_path / "zero.npy", np.zeros((1, 4), np.float32))
    np.save(tmp_path / "n.npy", np.array(10 ** 8))
    expected = np.concatenate([np.zeros((1, 1, 4), np.float32), np.cumsum(rows, axis=1)],
                              axis=1)
    for interpret in ((), ("--interpret",)):
        out = tmp_path / f"out{len(interpret)}"
        call(bin_dir / "glow-run", graph, *interpret, f"--output-dir={out}",
             *(f"--input=input{i}={tmp_path / name}.npy"
               for i, name in enumerate(("x", "zero", "n"))))
        check_equal({"y": np.load(next(out.iterdir()))}, {"y": expected}, tolerance=1e-6)


def test_weights_at_run_time(tmp_path):
    """They are no constants that a step could have of its own."""
    shapes = {"x": [20, 2, FEATURES], "w": [1, HIDDEN, FEATURES],
              "r": [1, HIDDEN, HIDDEN], "b": [1, 2 * HIDDEN]}
    path = save_model(
        tmp_path / "model.onnx",
        [make_node("RNN", list(shapes), ["y"], hidden_size=HIDDEN)],
        {name: (TensorProto.FLOAT, shape) for name, shape in shapes.items()},
        {"y": (TensorProto.FLOAT, [20, 1, 2, HIDDEN])}, [])
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(shape, np.float32) / 4
              for name, shape in shapes.items()}
    check_cpu_code(onnx.load(path), inputs, "strict", 5e-6)


def test_code_does_not_grow_with_steps(bin_dir, tmp_path):
    def lines(steps):
        layer = Layer(tmp_path / "model.onnx", "LSTM", ("bias",), steps, 1)
        return call(bin_dir / "glow-compile", layer.path, "--stop-after=inst",
                    "--elide-resources", "-o", "-").count(b"\n")

    assert lines(40) == lines(4000)


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("parts", [(), EVERYTHING])
def test_interpreter(op, parts, bin_dir, tmp_path):
    """What the graph says of a loop is what its code does."""
    layer = Layer(tmp_path / "model.onnx", op, parts, 6, 2)
    inputs = layer.inputs(6, 2)
    graph = tmp_path / "graph.mlir"
    call(bin_dir / "glow-compile", layer.path, "--stop-after=import", "-o", graph)
    rolled = call(bin_dir / "glow-opt", graph, "--glow-roll-recurrences=least-steps=2")
    assert rolled.count(b"glow.for_steps") == 2
    graph.write_bytes(rolled)
    for name, value in inputs.items():
        np.save(tmp_path / f"{name}.npy", value)
    call(bin_dir / "glow-run", graph, "--interpret", f"--output-dir={tmp_path / 'out'}",
         *(f"--input={name}={tmp_path / name}.npy" for name in inputs))
    expected = run_onnxruntime(onnx.load(layer.path), inputs)
    check_equal({name: np.load(tmp_path / "out" / f"{name}.npy") for name in expected},
                expected, tolerance=5e-6)
