"""Pools whose vectors lie along the width, with windows over the edges.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from cpu_code import check_cpu_code, random_inputs
from onnx import helper
from product_models import float_model

# Shape, window, strides, padding before and behind, and other attributes.
CASES = {
    "keypoints": ((1, 1, 24, 70), (9, 9), (1, 1), (4, 4, 4, 4), {}),
    "one-side": ((2, 1, 9, 40), (3, 5), (1, 1), (0, 4, 2, 0), {}),
    "no-padding": ((1, 1, 9, 67), (2, 3), (1, 1), (0, 0, 0, 0), {}),
    "rows-strided": ((1, 1, 21, 50), (3, 3), (2, 1), (1, 1, 1, 1), {}),
    "strided": ((1, 1, 21, 50), (3, 4), (2, 3), (1, 2, 1, 1), {}),
    "halved": ((1, 3, 14, 98), (3, 3), (2, 2), (1, 1, 1, 1), {}),
    "far-apart": ((1, 2, 9, 177), (2, 9), (2, 8), (0, 1, 0, 0), {}),
    "further": ((2, 1, 4, 190), (1, 9), (1, 9), (0, 0, 0, 0), {}),
    "wider-than-inside": ((1, 1, 5, 6), (3, 5), (1, 1), (1, 2, 1, 2), {}),
    "sequence": ((3, 1, 130), (7,), (1,), (3, 3), {}),
    "volume": ((1, 1, 4, 5, 40), (2, 3, 3), (1, 1, 1), (0, 1, 1, 1, 1, 1), {}),
    "shrinking": ((1, 2, 31, 40), (7, 8), (3, 2), (3, 2, 3, 4), {}),
    "cube": ((1, 1, 7, 8, 40), (5, 5, 5), (1, 2, 1), (2, 2, 2, 2, 2, 2), {}),
    "ceil": ((1, 1, 10, 33), (3, 3), (3, 1), (0, 1, 0, 1), {"ceil_mode": 1}),
}
MACHINES = [{}, {"mcpu": "haswell"}, {"mcpu": "x86-64"}]


def check(op, name, **more):
    shape, window, strides, pads, attributes = CASES[name]
    node = helper.make_node(op, ["x"], ["y"], kernel_shape=window, strides=strides,
                            pads=pads, **attributes, **more)
    model = float_model([node], {"x": shape}, [None] * len(shape), {})
    for machine in MACHINES:
        check_cpu_code(model, random_inputs(model), "strict", 1e-6, **machine)


@pytest.mark.parametrize("name", CASES)
def test_largest(name):
    check("MaxPool", name)


@pytest.mark.parametrize("counted", [0, 1])
@pytest.mark.parametrize("name", CASES)
def test_mean(name, counted):
    check("AveragePool", name, count_include_pad=counted)


def test_dilated():
    check("MaxPool", "keypoints", dilations=(2, 3))
    check("MaxPool", "no-padding", dilations=(3, 4))
