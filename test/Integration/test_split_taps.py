"""Convolutions whose rows of taps follow each other, as their lines do not stay
in a small second-level cache.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from compare import check_equal
from conv_chains import Chain
from cpu_code import check_cpu_code, random_inputs

import glow

MACHINES = {
    "native": {"machine": "l2=64K"},
    "avx2": {"mcpu": "haswell", "machine": "l2=64K"},
}
PADS = {"pads": [1, 1, 1, 1]}


def residual():
    """What is added to a convolution's result, which is in place or not."""
    c = Chain(1, 48, 26, 26).conv(64, 3, **PADS).add("Relu")
    first = c.last
    return c.conv(64, 3, **PADS).add("Add", first).add("Relu").model(first)


MODELS = {
    "lines": Chain(1, 64, 28, 28).conv(64, 3, **PADS).add("Relu").model(),
    "residual": residual(),
    "rest of lines": Chain(2, 80, 23, 30).conv(72, 3, **PADS).model(),
    "strides": Chain(1, 64, 41, 53).conv(48, 3, strides=[2, 2], **PADS).model(),
    "strides along lines": Chain(3, 64, 25, 90).conv(48, 5, strides=[1, 3]).model(),
    "dilations": Chain(1, 64, 60, 30).conv(48, 3, dilations=[3, 2], pads=[3, 2, 3, 2]).model(),
    "columns": Chain(1, 64, 12, 40).conv(256, 3, **PADS).model(),
    "deep": Chain(1, 600, 12, 26).conv(56, 3, **PADS).model(),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("precision,limit", [("strict", 3e-6), ("fp32", 3e-6), ("bf16", 3e-2)])
@pytest.mark.parametrize("name", MODELS)
def test_results(name, precision, limit, machine):
    model = MODELS[name]
    check_cpu_code(model, random_inputs(model), precision, limit, **MACHINES[machine])


@pytest.mark.parametrize("name", MODELS)
def test_threads(name):
    """The same bits for any number of threads."""
    model = MODELS[name]
    inputs = random_inputs(model)
    results = [
        glow.compile(model.SerializeToString(), precision="strict", threads=threads,
                     options=MACHINES["native"]).run(inputs)
        for threads in (1, 2, 3)
    ]
    for other in results[1:]:
        check_equal(other, results[0], tolerance=0)
