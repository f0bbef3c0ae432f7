"""Convolutions in wide groups, each of which is one of its own.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from cpu_code import check_cpu_code, random_inputs
from test_row_bands import Chain

TOLERANCE = {"strict": 5e-6, "fp32": 5e-6, "fp32-fast": 5e-5, "bf16": 5e-2}


def chain(*shape):
    return Chain(*shape).conv(128, 1).add("Relu")


CASES = {
    "padded": lambda: chain(1, 16, 28, 28).conv(128, 3, 2, pads=[1, 1, 1, 1])
    .add("Relu").conv(32, 1),
    "strided": lambda: chain(2, 16, 15, 17)
    .conv(256, 3, 2, pads=[1, 1, 1, 1], strides=[2, 2]).add("HardSwish")
    .conv(24, 1),
    "pointwise": lambda: chain(3, 16, 7, 9).conv(192, 1, 2).add("Sigmoid"),
    "residual": lambda: Chain(1, 128, 14, 14)
    .conv(128, 3, 2, pads=[1, 1, 1, 1]).add("Add", "x").add("Relu")
    .conv(128, 3, 2, pads=[1, 1, 1, 1]),
    # Bands of two heights, with scratch memory of two sizes; one band.
    "many": lambda: Chain(1, 16, 14, 14).conv(288, 1)
    .conv(288, 3, 6, pads=[1, 1, 1, 1]).add("Relu").conv(288, 1)
    .conv(288, 3, 6, pads=[1, 1, 1, 1], strides=[2, 2]).conv(288, 1)
    .conv(288, 3, 6, pads=[1, 1, 1, 1]).conv(24, 1),
    "narrow": lambda: Chain(2, 16, 13, 11).conv(96, 1)
    .conv(96, 3, 6, pads=[1, 1, 1, 1]).add("Relu").conv(96, 1)
    .conv(120, 5, 6, pads=[2, 2, 2, 2], strides=[2, 2]).conv(24, 1),
    "pooled": lambda: chain(1, 16, 12, 12).conv(192, 3, 2, pads=[1, 1, 1, 1])
    .add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    .add("GlobalAveragePool"),
}


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("name", CASES)
def test_groups(name, precision):
    model = CASES[name]().model()
    check_cpu_code(model, random_inputs(model), precision,
                   TOLERANCE[precision])
