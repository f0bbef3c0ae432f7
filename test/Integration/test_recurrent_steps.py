"""Steps of a recurrent network, which read their weights forth and back where
these do not fit a cache, give the same numbers either way.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

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
STEPS, FEATURES = 5, 20


def recurrent(path, op, batch, hidden):
    """From one direction, whose outputs are those of all steps."""
    rng = np.random.default_rng(0)
    rows = GATES[op] * hidden
    weights = {"w": (1, rows, FEATURES), "r": (1, rows, hidden)}
    return save_model(
        path, [make_node(op, ["x", *weights], ["y"], hidden_size=hidden)],
        {"x": (TensorProto.FLOAT, [STEPS, batch, FEATURES])},
        {"y": (TensorProto.FLOAT, [STEPS, 1, batch, hidden])},
        [from_array(rng.standard_normal(shape, np.float32) / hidden ** 0.5, n)
         for n, shape in weights.items()])


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("batch,hidden", [(1, 200), (3, 129)])
def test_forth_and_back(op, batch, hidden, tmp_path):
    path = recurrent(tmp_path / "model.onnx", op, batch, hidden)
    model = onnx.load(path)
    inputs = {"x": np.random.default_rng(1).standard_normal(
        (STEPS, batch, FEATURES), np.float32)}
    caches = {"machine": "l1=16K,l2=32K"}
    check_cpu_code(model, inputs, "strict", 5e-6, **caches)
    alternating, forwards = (
        glow.compile(path, precision="strict", options=options).run(inputs)
        for options in (caches, {"machine": "l1=16K,l2=8M"}))
    check_equal(alternating, forwards, tolerance=0)


@pytest.mark.parametrize("op", GATES)
def test_weights_are_stored_once(op, bin_dir, tmp_path):
    """Not once for each step, of which GRU's take parts."""
    path = recurrent(tmp_path / "model.onnx", op, 1, 128)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "-o", "-")
    assert text.count(b"glow_inst.constant dense_resource") <= 3


@pytest.mark.parametrize("machine", [{}, {"mcpu": "haswell"}])
@pytest.mark.parametrize("op", ["LSTM", "GRU"])
@pytest.mark.parametrize("batch", [1, 3, 16])
def test_gates_of_a_unit_together(op, batch, machine, bin_dir, tmp_path):
    """Steps of several rows with a matrix that stays in the cache are loops
    over units."""
    path = recurrent(tmp_path / "model.onnx", op, batch, 256)
    inputs = {"x": np.random.default_rng(1).standard_normal(
        (STEPS, batch, FEATURES), np.float32)}
    caches = {"machine": "l2=2M", **machine}
    check_cpu_code(onnx.load(path), inputs, "strict", 5e-6, **caches)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "--machine=l2=2M", "-o", "-",
                *(f"--{k}={v}" for k, v in machine.items()))
    assert (b"glow_inst.forall" in text) == (op == "LSTM" and batch > 3)


@pytest.mark.parametrize("precision,tolerance",
                         [("strict", 5e-6), ("bf16", 0.05)])
@pytest.mark.parametrize("op", ["LSTM", "GRU"])
def test_gates_of_a_range_of_rows(op, precision, tolerance, bin_dir, tmp_path):
    """Such a loop computes the rows that there are."""
    path = recurrent(tmp_path / "model.onnx", op, "n", 256)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                f"--shape=x={STEPS}x1..8x{FEATURES}", "--elide-resources",
                "--machine=l2=2M", "-o", "-")
    assert (b"glow_inst.forall" in text) == (op == "LSTM")
    one, two = (
        glow.compile(path, precision=precision, threads=threads,
                     shapes={"x": (STEPS, (1, 8), FEATURES)},
                     options={"machine": "l2=2M", "check-bounds": "1"})
        for threads in (1, 2))
    for rows in (8, 1, 5):
        inputs = {"x": np.random.default_rng(rows).standard_normal(
            (STEPS, rows, FEATURES), np.float32)}
        results = one.run(inputs)
        check_equal(results, run_onnxruntime(onnx.load(path), inputs),
                    tolerance=tolerance)
        check_equal(two.run(inputs), results, tolerance=0)
