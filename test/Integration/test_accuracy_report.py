"""glow-run --accuracy-report, on models whose errors are known.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import numpy as np
import onnx
import pytest
from backends import run_double, run_glow
from onnx import TensorProto, helper
from plain_c import call


@pytest.fixture
def report(bin_dir, tmp_path):
    """(nodes, inputs, outputs, options) -> the report as JSON and as text."""
    def run(nodes, inputs, outputs, *options):
        path = tmp_path / "model.onnx"
        onnx.save(model(nodes, inputs, outputs), path)
        files = []
        for name, array in inputs.items():
            np.save(tmp_path / f"{name}.npy", array)
            files += ["--input", f"{name}={tmp_path / name}.npy"]
        command = [bin_dir / "glow-run", path, *files, "--accuracy-report", *options]
        text = call(*command).decode()
        return json.loads(call(*command, "--json"))["accuracy"], text
    return run


def model(nodes, inputs, outputs):
    graph = helper.make_graph(
        [helper.make_node(*node[:3], **(node[3] if len(node) > 3 else {}))
         for node in nodes], "g",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(
            array.dtype), array.shape) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, kind, None)
         for name, kind in outputs.items()])
    return helper.make_model(graph, ir_version=9,
                             opset_imports=[helper.make_opsetid("", 17)])


def test_one_rounding(report):
    # 1 + 2^-25 rounds to 1, a quarter of the distance to the next number.
    x, y = np.float32([1, 0]), np.float32([2**-25, 3])
    errors, text = report([("Add", ["x", "y"], ["sum"])], {"x": x, "y": y},
                          {"sum": TensorProto.FLOAT})
    error = errors["sum"]
    assert error["max_absolute"] == 2**-25
    assert error["max_relative"] == pytest.approx(2**-25)
    assert error["rms_relative"] == pytest.approx(2**-25 / np.sqrt(10), rel=1e-6)
    assert error["max_ulps"] == 0.25 and error["mean_ulps"] == 0.125
    assert error["special_mismatches"] == 0
    assert "max abs" in text and "0.25" in text and text.endswith(" sum\n")


def test_exact_and_special(report):
    # An overflow is no mismatch: the exact sum has no other rounding.
    x = np.float32([3e38, np.inf, np.nan, -1, 1e-40])
    errors, _ = report(
        [("Add", ["x", "x"], ["double"]), ("ArgMax", ["i"], ["place"])],
        {"x": x, "i": np.int32([3, 9, 4])},
        {"double": TensorProto.FLOAT, "place": TensorProto.INT64})
    assert set(errors) == {"double", "place"}
    for error in errors.values():
        assert not any(error.values())


def test_cancellation(report):
    """Single-precision intermediates must not hide errors: the evaluation keeps
    double precision from one op to the next."""
    x = np.float32([1, 2, 3, 4]) + np.float32(1 << 20)
    nodes = [("Mul", ["x", "x"], ["square"]),
             ("Sub", ["square", "y"], ["rest"])]
    square = (x.astype(np.float64)**2).astype(np.float32)
    errors, _ = report(nodes, {"x": x, "y": square}, {"rest": TensorProto.FLOAT})
    exact = x.astype(np.float64)**2 - square
    assert errors["rest"]["max_absolute"] == np.abs(exact).max() > 0
    assert errors["rest"]["rms_relative"] == pytest.approx(1)


@pytest.mark.parametrize("precision", ["strict", "fp32", "fp32-fast"])
def test_long_sums(report, precision):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((8, 4096), np.float32)
    y = rng.standard_normal((4096, 48), np.float32)
    errors, _ = report([("MatMul", ["x", "y"], ["z"])], {"x": x, "y": y},
                       {"z": TensorProto.FLOAT}, f"--precision={precision}")
    # One chain of 4096 sums has 1.2e-6.
    assert 1e-8 < errors["z"]["rms_relative"] < 4e-7


def test_normalisation_is_double():
    """Where the mean is large against the deviation, single precision keeps
    few digits."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 256), np.float32) + np.float32(1000)
    ones = np.ones(256, np.float32)
    nodes = [("LayerNormalization", ["x", "one", "zero"], ["y"], {"axis": -1})]
    inputs = {"x": x, "one": ones, "zero": 0 * ones}
    m = model(nodes, inputs, {"y": TensorProto.FLOAT})
    wide = x.astype(np.float64)
    exact = ((wide - wide.mean(1, keepdims=True)) /
             np.sqrt(wide.var(1, keepdims=True) + np.float32(1e-5)))
    actual = run_glow(m, inputs, "interpret-double")["y"]
    assert actual.dtype == np.float64
    np.testing.assert_allclose(actual, exact, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run_double(m, inputs)["y"], exact, rtol=1e-6)


def test_needs_a_model(bin_dir, tmp_path):
    import subprocess
    done = subprocess.run([bin_dir / "glow-run", tmp_path / "x.so", "--accuracy-report"],
                          capture_output=True, text=True)
    assert done.returncode == 2 and "--accuracy-report needs a model" in done.stderr
