"""Large results, which are stored past the caches.

Caches are said to be small, so that arrays need not be large. Outputs whose size
is no multiple of a line end before a page that nobody may touch, and so begin
within a line: those are stored as all others are.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from conftest import HERE
from cpu_code import check_cpu_code, random_inputs
from onnx import TensorProto, helper
from plain_c import call

import glow

CACHES = "l1=16K,l2=32K,l3=32K"


def model_of(nodes, dims, element=TensorProto.FLOAT):
    """Of one input, x, whose result y has the shape that they infer."""
    graph = helper.make_graph(
        nodes, "large", [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)],
        [helper.make_tensor_value_info("y", element, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    return onnx.shape_inference.infer_shapes(model)


def clipped(dims, element):
    """Numbers of another type."""
    return model_of([helper.make_node("Relu", ["x"], ["a"]),
                     helper.make_node("Cast", ["a"], ["y"], to=element)], dims, element)


def transposed(dims, *axes):
    """One copy between crossed axes."""
    return model_of([helper.make_node("Transpose", ["x"], ["y"], perm=axes)], dims)


def joined(dims, axis):
    """A copy to each of two parts."""
    return model_of([helper.make_node("Relu", ["x"], ["a"]),
                     helper.make_node("Concat", ["x", "a"], ["y"], axis=axis)], dims)


MODELS = {
    "f32": clipped([32768], TensorProto.FLOAT),
    "rest": clipped([3, 10001], TensorProto.FLOAT),
    "f64": clipped([16, 1024], TensorProto.DOUBLE),
    "f16": clipped([64, 1024], TensorProto.FLOAT16),
    "int8": clipped([64, 1040], TensorProto.INT8),
    "bool": clipped([64, 1040], TensorProto.BOOL),
    "squares": transposed([256, 192], 1, 0),
    "rows with a rest": transposed([200, 250], 1, 0),
    "columns with a rest": transposed([250, 208], 1, 0),
    "batches": transposed([8, 64, 48], 0, 2, 1),
    "planes": transposed([3, 16000], 1, 0),
    "rows": joined([64, 512], 0),
    "parts of rows": joined([64, 512], 1),
    "parts within vectors": joined([64, 515], 1),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("cpu", ["native", "x86-64-v3"])
def test_results(name, cpu):
    """Equal to ONNX Runtime's, on one thread and on two."""
    model = MODELS[name]
    check_cpu_code(model, random_inputs(model), "strict", 0, machine=CACHES, mcpu=cpu)


@pytest.mark.parametrize("name", ["f32", "squares", "rows", "rest", "rows with a rest"])
def test_outputs_within_a_line(compile_model, bin_dir, tmp_path, name):
    """What is not aligned is not stored as if it were."""
    model = MODELS[name]
    onnx.save(model, tmp_path / "model.onnx")
    compile_model(tmp_path / "model.onnx", tmp_path / "model.so",
                  f"--machine={CACHES}")
    inputs = random_inputs(model)
    np.savez(tmp_path / "in.npz", **inputs)
    subprocess.run([sys.executable, HERE / "guarded.py",
                    bin_dir.parent / "lib" / "libGlowRuntime.so",
                    tmp_path / "model.so", tmp_path / "in.npz", tmp_path / "out.npz"],
                   check=True)
    results = dict(np.load(tmp_path / "out.npz"))
    del results["compact"]
    check_equal(results, run_onnxruntime(model, inputs), tolerance=0)


@pytest.mark.parametrize("name,machine,stores", [
    ("f32", CACHES, True), ("squares", CACHES, True), ("rows", CACHES, True),
    ("parts within vectors", CACHES, False), ("f32", "l2=1M,l3=1M", False)])
def test_code(bin_dir, tmp_path, name, machine, stores):
    """Such stores are there where they are worth it and vectors lie in lines."""
    onnx.save(MODELS[name], tmp_path / "model.onnx")
    code = call(bin_dir / "glow-compile", tmp_path / "model.onnx", "--stop-after=llvm",
                "--mcpu=znver4", f"--machine={machine}", "-o", "-").decode()
    assert ("nontemporal" in code) == stores


@pytest.mark.parametrize("rows", [1, 5, 24, 64])
def test_ranges(rows):
    """Only a run knows whether a result is large; on either side it is right."""
    nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
             helper.make_node("Concat", ["x", "x"], ["c"], axis=1),
             helper.make_node("Relu", ["x"], ["r"])]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "ranges", [info("x", TensorProto.FLOAT, ["n", 16, 64])],
        [info(name, TensorProto.FLOAT, None) for name in "tcr"])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    inputs = {"x": np.random.default_rng(rows).standard_normal(
        (rows, 16, 64), np.float32)}
    compiled = glow.compile(model.SerializeToString(), shapes={"x": ((1, 64), 16, 64)},
                            options={"machine": CACHES, "check-bounds": "1"})
    check_equal(compiled.run(inputs), run_onnxruntime(model, inputs), tolerance=0)
