"""A C program that runs an object compiled for a range of shapes.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import numpy as np
from backends import run_onnxruntime
from compare import check_equal
from digits import accuracy
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
