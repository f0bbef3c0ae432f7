"""Convolutions whose vectors lie along the width and step over elements.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code, random_inputs
from onnx import helper
from product_models import float_model

import glow

# Input, outputs, groups, window, strides, padding before and behind.
CASES = {
    "channels": ((1, 6, 15, 75), 6, 6, (5, 5), (2, 2), (2, 2, 2, 2)),
    "colours": ((1, 3, 18, 66), 3, 1, (3, 3), (2, 2), (0, 1, 0, 1)),
    "narrow": ((2, 4, 9, 13), 4, 4, (3, 3), (1, 2), (1, 1, 1, 1)),
    "sequence": ((1, 5, 301), 5, 5, (9,), (3,), (4, 4)),
    "far-apart": ((1, 2, 7, 260), 2, 2, (2, 8), (2, 8), (0, 0, 0, 0)),
    "further": ((1, 1, 400), 3, 1, (40,), (16,), (0, 0)),
}
MACHINES = [{}, {"mcpu": "haswell"}, {"mcpu": "x86-64"}]


def strided(name, batch=None):
    """A convolution with an epilogue that reads its output's shape."""
    shape, outputs, groups, window, strides, pads = CASES[name]
    rank = len(window)
    rng = np.random.default_rng(0)
    constants = {"w": rng.standard_normal((outputs, shape[1] // groups, *window), "f4"),
                 "b": rng.standard_normal(outputs, "f4")}
    lines = [(n + pads[i] + pads[rank + i] - window[i]) // strides[i] + 1
             for i, n in enumerate(shape[2:])]
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], kernel_shape=window,
                              strides=strides, pads=pads, group=groups),
             helper.make_node("Add", ["c", "z"], ["s"]),
             helper.make_node("Relu", ["s"], ["y"])]
    batch = batch or shape[0]
    return float_model(nodes, {"x": (batch, *shape[1:]), "z": (1, outputs, *lines)},
                       [None] * len(shape), constants)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", CASES)
def test_lines(name, machine):
    model = strided(name)
    check_cpu_code(model, random_inputs(model), "strict", 1e-5, **machine)


@pytest.mark.parametrize("precision", ["fp32", "fp32-fast"])
def test_one_column_of_many_weights(precision):
    """More than a cache holds, for a line of positions two elements apart."""
    weights = np.random.default_rng(0).standard_normal((1, 2, 100, 100), "f4")
    nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=(0, 3, 1, 2)),
             helper.make_node("Conv", ["t", "w"], ["c"], kernel_shape=(100, 100)),
             helper.make_node("Transpose", ["c"], ["y"], perm=(0, 2, 3, 1))]
    model = float_model(nodes, {"x": (1, 100, 107, 2)}, [None] * 4, {"w": weights / 100})
    check_cpu_code(model, random_inputs(model), precision, 1e-4,
                   machine="l1=16K,l2=32K,l3=32K")


@pytest.mark.parametrize("name", ["channels", "sequence"])
def test_half_precision(name):
    model = strided(name)
    check_cpu_code(model, random_inputs(model), "bf16", 0.05)


@pytest.mark.parametrize("name", ["channels", "narrow"])
def test_ranges(name):
    model = strided(name, "n")
    shape = CASES[name][0]
    program = glow.compile(model.SerializeToString(), precision="strict",
                           shapes={"x": ((1, 4), *shape[1:])},
                           options={"check-bounds": "1"})
    inputs = random_inputs(strided(name))
    for n in (4, 1, 3):
        inputs["x"] = np.random.default_rng(n).standard_normal((n, *shape[1:]), "f4")
        check_equal(program.run(inputs), run_onnxruntime(model, inputs),
                    tolerance=1e-5)
