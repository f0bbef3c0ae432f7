"""C programs and the headers of objects: ranges of shapes, names.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import re

import numpy as np
import onnx
from backends import run_onnxruntime
from compare import check_equal
from digits import accuracy
from onnx import helper as oh
from plain_c import CC, TREE, call


def test_range_in_plain_c(compile_model, tmp_path):
    compile_model(accuracy.MODEL, tmp_path / "digits.o",
                  "--shape", "image=2..5x1x8x8")
    manifest = json.loads((tmp_path / "digits.json").read_text())
    assert manifest["symbols"] == [
        {"name": "batch", "min": 2, "max": 5, "computed": False}]
    call(CC, "-std=c11", f"-I{TREE}/include", f"-I{tmp_path}",
         TREE / "test/Integration/bundled_range.c", tmp_path / "digits.o",
         "-lm", "-o", tmp_path / "range")
    images = accuracy.held_out()[0][:5]
    images.tofile(tmp_path / "pictures")
    lines = call(tmp_path / "range", tmp_path / "digits.weights.bin",
                 tmp_path / "pictures").decode().splitlines()
    # Batches of 1 and of 6 are refused, and nothing is written.
    for line in lines[0], lines[-1]:
        assert [float(value) for value in line.split()] == [1] + [0] * 50
    for batch, line in enumerate(lines[1:-1], 2):
        status, *values = line.split()
        assert status == "0"
        check_equal(
            {"probabilities": np.array(values[:10 * batch], np.float32)
             .reshape(batch, 10)},
            run_onnxruntime(accuracy.MODEL, {"image": images[:batch]}), 1e-4)


def test_names_that_look_alike(compile_model, tmp_path):
    """All macros of a header differ: `x_bytes` has the size of `x` in C."""
    names = ["x", "x.bytes", "X", "x_1", "X.1", "x_1_bytes"]
    float32 = onnx.TensorProto.FLOAT
    graph = oh.make_graph(
        [oh.make_node("Neg", [name], ["y " + name]) for name in names], "alike",
        [oh.make_tensor_value_info(name, float32, [2]) for name in names],
        [oh.make_tensor_value_info("y " + name, float32, [2]) for name in names])
    onnx.save(oh.make_model(graph, ir_version=10, opset_imports=[
        oh.make_opsetid("", 21)]), tmp_path / "alike.onnx")
    compile_model(tmp_path / "alike.onnx", tmp_path / "alike.o")
    macros = re.findall(r"#define (\w+) (\d+)", (tmp_path / "alike.h").read_text())
    values = dict(macros)
    assert len(values) == len(macros)
    for kind in ("INPUT", "OUTPUT"):
        places = [name for name in values if name.startswith(f"ALIKE_{kind}_")
                  and f"{name}_BYTES" in values]
        assert sorted(values[name] for name in places) == list("012345")
        assert {values[f"{name}_BYTES"] for name in places} == {"8"}
