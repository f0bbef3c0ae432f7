"""Convolutions in groups of few channels, which share vectors.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from cpu_code import check_cpu_code, random_inputs
from test_row_bands import Chain
from test_wide_groups import TOLERANCE


def chain(channels, height, width, count=1):
    return Chain(count, 16, height, width).conv(channels, 1).add("Relu")


PADDED = {"pads": [1, 1, 1, 1]}

CASES = {
    "of 2": lambda: chain(64, 15, 17).conv(64, 3, 32, **PADDED).conv(8, 1),
    "of 4": lambda: chain(128, 14, 14).conv(128, 3, 32, **PADDED)
    .add("Relu").conv(8, 1),
    "of 8": lambda: chain(64, 28, 28).conv(64, 3, 8, **PADDED).add("Relu")
    .conv(8, 1),
    # The last vector is not whole.
    "rest of 4": lambda: chain(52, 9, 20).conv(52, 3, 13, **PADDED).conv(8, 1),
    "rest of 8": lambda: chain(24, 12, 12).conv(24, 3, 3, **PADDED).conv(8, 1),
    "strided": lambda: chain(64, 29, 31, 2)
    .conv(64, 3, 8, strides=[2, 2], **PADDED).add("HardSwish").conv(8, 1),
    "far apart": lambda: chain(64, 29, 31)
    .conv(64, 3, 16, strides=[4, 4], **PADDED).conv(8, 1),
    "dilated": lambda: chain(64, 20, 20)
    .conv(64, 3, 8, pads=[2, 2, 2, 2], dilations=[2, 2]).conv(8, 1),
    "large window": lambda: chain(48, 21, 19)
    .conv(48, 9, 6, pads=[4, 4, 4, 4]).conv(8, 1),
    "few places": lambda: chain(64, 5, 5).conv(64, 3, 8, **PADDED).conv(8, 1),
    "pointwise": lambda: chain(96, 11, 11).conv(96, 1, 12).conv(8, 1),
    "first": lambda: Chain(1, 32, 16, 16).conv(32, 3, 4, **PADDED),
    "to one channel": lambda: chain(32, 20, 20)
    .conv(2, 7, 2, pads=[3, 3, 3, 3]).add("Relu").conv(8, 1),
    "to three channels": lambda: chain(100, 12, 12)
    .conv(12, 5, 4, pads=[2, 2, 2, 2]).conv(8, 1),
    "from seven channels": lambda: chain(28, 15, 15)
    .conv(128, 3, 4, **PADDED).add("Relu").conv(8, 1),
    "nine to eight channels": lambda: chain(72, 12, 12)
    .conv(64, 3, 8, **PADDED).add("Relu").conv(8, 1),
    "three inputs for each": lambda: chain(48, 12, 12)
    .conv(16, 3, 16, **PADDED).conv(8, 1),
    "more results": lambda: chain(32, 12, 12).conv(64, 3, 8, **PADDED)
    .conv(8, 1),
}


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("name", CASES)
def test_groups(name, precision):
    model = CASES[name]().model()
    check_cpu_code(model, random_inputs(model), precision,
                   TOLERANCE[precision])
