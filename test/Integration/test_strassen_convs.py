"""Strassen's algorithm for convolutions of single taps.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

import numpy as np
import pytest
from cpu_code import random_inputs
from onnx import helper
from product_models import float_model
from test_strassen import MACHINES, check, instructions

LINES = {"image": (1, 1056), "images": (4, 512), "residual": (2, 512)}


@pytest.mark.parametrize("name", LINES)
def test_lines_of_padded_images(name, bin_dir, tmp_path):
    """What a depthwise convolution reads has borders, which its writer leaves
    room for: pixels of a line are at one distance, those of an image are not."""
    count, columns = LINES[name]
    rng = np.random.default_rng(7)
    constants = {"w": rng.standard_normal((columns, 512, 1, 1), np.float32) / 16,
                 "b": rng.standard_normal(columns, np.float32),
                 "k": rng.standard_normal((columns, 1, 3, 3), np.float32)}
    conv = functools.partial(helper.make_node, "Conv")
    nodes = [conv(["x", "w", "b"], ["p"]), helper.make_node("Relu", ["p"], ["q"])]
    if name == "residual":
        nodes.append(helper.make_node("Add", ["q", "x"], ["s"]))
    last = nodes[-1].output[0]
    nodes.append(conv([last, "k"], ["y"], group=columns, pads=[1] * 4))
    shape = [count, 512, 12, 14]
    model = float_model(nodes, {"x": shape}, [count, columns, 12, 14], constants)
    assert b"memref<7x" in instructions(model, bin_dir, tmp_path, "--machine=l2=1M")
    for machine in MACHINES.values():
        check(model, random_inputs(model, seed=8), **machine)


def test_pointwise_convolution(bin_dir, tmp_path):
    rng = np.random.default_rng(9)
    constants = {"w": rng.standard_normal((512, 512, 1, 1), np.float32) / 16,
                 "b": rng.standard_normal(512, np.float32)}
    shape = [1, 512, 14, 14]
    model = float_model(
        [helper.make_node("Conv", ["x", "w", "b"], ["c"]),
         helper.make_node("Relu", ["c"], ["y"])], {"x": shape}, shape, constants)
    assert b"memref<7x" in instructions(model, bin_dir, tmp_path)
    check(model, random_inputs(model, seed=8))
