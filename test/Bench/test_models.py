"""Models that the user names: files, and names that do not exist.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import subprocess
import sys

import models
import numpy as np
import onnx
import operations
import pytest
from conftest import TREE
from onnx import TensorProto, helper, numpy_helper


def value(name, dtype, shape):
    return helper.make_tensor_value_info(name, dtype, shape)


def save(path, nodes, inputs, weights=(), result=TensorProto.FLOAT,
         **options):
    graph = helper.make_graph(
        nodes, "g", inputs, [value("y", result, None)],
        [numpy_helper.from_array(a, n) for n, a in weights])
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
        path, **options)
    return path


@pytest.fixture
def lookup(tmp_path):
    """Rows of two tables, then a product, for `tokens` of open extents."""
    return save(
        tmp_path / "lookup.onnx",
        [helper.make_node("Gather", ["large", "tokens"], ["a"]),
         helper.make_node("Gather", ["small", "tokens"], ["b"]),
         helper.make_node("Add", ["a", "b"], ["c"]),
         helper.make_node("MatMul", ["c", "w"], ["y"])],
        [value("tokens", TensorProto.INT64, ["n", "length"])],
        [("large", np.random.rand(100, 4).astype("f")),
         ("small", np.random.rand(3, 4).astype("f")),
         ("w", np.random.rand(4, 5).astype("f"))])


def find(path, folder, batch=1, **shapes):
    return models.find(str(path), batch, folder, shapes)


def test_random_inputs(lookup, tmp_path):
    model = find(lookup, tmp_path, tokens=[2, 7])
    tokens = model.inputs()["tokens"]
    assert tokens.shape == (2, 7) and tokens.dtype == np.int64
    assert 0 <= tokens.min() < tokens.max() < 3  # every table has these rows
    assert model.name == "lookup" and model.batch == 1
    assert operations.operations(lookup, model.inputs()) == 2 * 14 * 4 * 5
    manifest = json.loads((model.data / "manifest.json").read_text())
    assert np.load(model.data / manifest["outputs"]["y"]).shape == (2, 7, 5)


@pytest.mark.parametrize("batch, shapes, words", [
    (1, {}, "input tokens is 1xlength: say how large with --shape=tokens="),
    (1, {"tokens": [2]}, "--shape gives input tokens 1 axes; it has 2"),
    (1, {"t": [2, 3]}, "no input is called t; its inputs: tokens"),
])
def test_open_extents(lookup, tmp_path, batch, shapes, words):
    with pytest.raises(models.Unusable, match=words):
        find(lookup, tmp_path, batch, **shapes)


def test_batch(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    path = save(tmp_path / "open.onnx", nodes,
                [value("x", TensorProto.FLOAT16, ["n", 3])],
                result=TensorProto.FLOAT16)
    x = find(path, tmp_path, 8).inputs()["x"]
    assert x.shape == (8, 3) and x.dtype == np.float16
    path = save(tmp_path / "fixed.onnx", nodes,
                [value("x", TensorProto.FLOAT, [1, 3])])
    with pytest.raises(models.Unusable, match="batch of input x is fixed"):
        find(path, tmp_path, 8)


def test_ranges_of_open_extents(lookup, tmp_path):
    model = find(lookup, tmp_path, tokens=[2, 7])
    ranges = {"length": (1, 16), "other": (1, 2)}
    assert models.with_ranges(model, ranges).ranges == {"tokens": "2x1..16"}
    assert not models.with_ranges(model, {"other": (1, 2)}).ranges
    with pytest.raises(models.Unusable, match="length is 7, outside of"):
        models.with_ranges(model, {"length": (8, 16)})


def test_stored_inputs(tmp_path):
    path = save(tmp_path / "m" / "model.onnx",
                [helper.make_node("Relu", ["x"], ["y"])],
                [value("x", TensorProto.FLOAT, ["n"])])
    stored = np.float32([1, -2, 3])
    folder = path.parent / models.DATA_SET
    folder.mkdir()
    onnx.save_tensor(numpy_helper.from_array(stored),
                     str(folder / "input_0.pb"))
    assert np.array_equal(find(path, tmp_path).inputs()["x"], stored)
    # The data set is of one size.
    assert find(path, tmp_path, x=[5]).inputs()["x"].shape == (5,)


def test_weights_beside_the_model(tmp_path):
    """Operations are counted where the file alone is not the whole model."""
    path = save(tmp_path / "m" / "model.onnx",
                [helper.make_node("MatMul", ["x", "w"], ["y"])],
                [value("x", TensorProto.FLOAT, [2, 300])],
                [("w", np.random.rand(300, 400).astype("f"))],
                save_as_external_data=True, location="model.data")
    model = find(path, tmp_path)
    assert operations.operations(path, model.inputs()) == 2 * 2 * 300 * 400
    assert operations.weight_bytes(path) == 4 * 300 * 400


def test_rounding_that_the_model_magnifies(tmp_path):
    """What is left of x w - x w is what rounding left."""
    weights = [("w", np.random.default_rng(1).random((8, 8, 3, 3), "f")),
               *((n, np.full(8, v, "f"))
                 for n, v in (("one", 1), ("none", 0)))]
    whole = [helper.make_node("Conv", ["x", "w"], ["a"]),
             helper.make_node("BatchNormalization",
                              ["a", "one", "none", "none", "one"], ["y"])]
    difference = [helper.make_node("Conv", ["x", "w"], ["a"]),
                  helper.make_node("Conv", ["x", "w"], ["b"]),
                  helper.make_node("BatchNormalization",
                                   ["b", "one", "none", "none", "one"], ["c"]),
                  helper.make_node("Sub", ["a", "c"], ["y"])]
    rounding = [
        find(save(tmp_path / "m.onnx", nodes,
                  [value("x", TensorProto.FLOAT, [1, 8, 9, 9])], weights),
             tmp_path).rounding() for nodes in (whole, difference)]
    assert rounding[0] < 1e-5 < 1e-3 < rounding[1]


@pytest.mark.parametrize("operator, gates", operations.GATES.items())
def test_recurrent_layers_are_counted(tmp_path, operator, gates):
    weights = [("w", np.zeros((1, gates * 6, 5), "f")),
               ("r", np.zeros((1, gates * 6, 6), "f"))]
    path = save(tmp_path / "m.onnx",
                [helper.make_node(operator, ["x", "w", "r"], ["", "y"],
                                  hidden_size=6)],
                [value("x", TensorProto.FLOAT, [4, 2, 5])], weights)
    inputs = {"x": np.zeros((4, 2, 5), "f")}
    assert operations.operations(path, inputs) == (
        2 * 4 * 2 * gates * 6 * (5 + 6))


def test_all_that_cannot_be_measured_is_said(tmp_path):
    """In one run, which fails, and with what could be measured."""
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"no model")
    relu = save(tmp_path / "relu.onnx",
                [helper.make_node("Relu", ["x"], ["y"])],
                [value("x", TensorProto.FLOAT, [4])])
    result = subprocess.run(
        [sys.executable, TREE / "tools/bench/run.py", "nosuch", path, relu,
         "--systems", "onnxruntime", "--threads", "1", "--rounds", "1",
         "--models", tmp_path / "models", "--out", tmp_path],
        capture_output=True, text=True)
    assert result.returncode == 1
    assert "nosuch: no such model: give a name" in result.stderr
    assert "broken.onnx: DecodeError" in result.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    assert len(results["missing"]) == 2
    assert [c["model"] for c in results["cases"]] == ["relu"]
