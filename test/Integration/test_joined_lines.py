"""Convolutions whose lines are too short for tiles of few registers, so that
rows of several lines are a tile.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from conv_chains import Chain
from cpu_code import check_cpu_code, random_inputs

import glow

MACHINES = {"native": {}, "avx2": {"mcpu": "haswell"}}
PADS = {"pads": [1, 1, 1, 1]}


def chain(lines, places, depth=40, batch=1):
    """1 x 1 convolutions with and without borders around them, a residual, and
    strides in both directions."""
    c = Chain(batch, depth, lines, places).conv(48, 1).add("Relu")
    residual = c.last
    c.conv(48, 3, **PADS).add("Relu").conv(48, 1).add("Add", residual)
    c.add("Relu").conv(40, 1, strides=[2, 2]).conv(56, 3, **PADS, strides=[2, 1])
    return c.model(residual)


MODELS = {
    "seven": chain(7, 7),
    "nine": chain(11, 9),
    "rest": chain(5, 11),
    "one line": chain(1, 13),
    "fourteen": chain(14, 14),
    "strides": Chain(1, 96, 14, 14).conv(64, 1, strides=[2, 2]).model(),
    "windows": Chain(1, 256, 14, 14).conv(128, 1).conv(256, 3, **PADS).conv(64, 1).model(),
    "windows, strides": Chain(1, 256, 14, 14).conv(512, 3, strides=[2, 2], **PADS).model(),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("precision,limit", [("strict", 3e-6), ("fp32", 3e-6), ("bf16", 3e-2)])
@pytest.mark.parametrize("name", MODELS)
def test_results(name, precision, limit, machine):
    model = MODELS[name]
    check_cpu_code(model, random_inputs(model), precision, limit, **MACHINES[machine])


@pytest.mark.parametrize("machine", MACHINES)
def test_long_sums(machine):
    """Parts of sums in memory, with several images."""
    model = chain(7, 7, depth=2048, batch=3)
    check_cpu_code(model, random_inputs(model), "strict", 3e-6, **MACHINES[machine])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("precision", ["strict", "fp32"])
def test_images(precision, machine):
    """Of a batch that is open, each image's lines. What has no image has been
    NaN in the run before."""
    model = chain(7, 7)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    program = glow.compile(model.SerializeToString(), precision=precision,
                           shapes={"x": [(1, 4), 40, 7, 7]}, options=MACHINES[machine])
    rng = np.random.default_rng(2)
    for count in (4, 1, 3):
        program.run({"x": np.full((4, 40, 7, 7), np.nan, np.float32)})
        x = rng.standard_normal((count, 40, 7, 7)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=3e-6)
