"""Products as loops over blocks, whose rows and sums stay in the cache.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import without_tiles
from cpu_code import check_cpu_code, random_inputs
from onnx import helper
from plain_c import call
from product_models import float_model, followed_by

# With this cache small products are deep ones.
MACHINES = {"native": {"machine": "l2=256K"},
            "avx2": {"machine": "l2=256K", "mcpu": "haswell"}}

# Shapes of both factors and the nodes behind the product "y".
BIAS = ("Add", ["y", "bias"])
CASES = {
    "plain": ((96, 2048), 64, []),
    "bias": ((128, 2048), 160, [BIAS, ("Relu", ["0"])]),
    "residual": ((128, 2048), 96, [BIAS, ("Add", ["0", "residual"])]),
    "rest-of-rows": ((101, 2048), 128, [BIAS]),
    "rest-of-depth": ((96, 2700), 64, [("Sigmoid", ["y"])]),
    "rest-of-columns": ((96, 2048), 75, [BIAS]),
    "batches": ((3, 48, 2048), 128, [BIAS, ("Add", ["0", "residual"])]),
    "square": ((96, 2048), 2048, [BIAS]),
    "scaled": ((96, 2048), 64, [("Mul", ["y", "one"])]),
}


def model_of(rows, columns, nodes):
    rng = np.random.default_rng(7)
    weights = {
        "w": rng.standard_normal((rows[-1], columns), np.float32) / 64,
        "bias": rng.standard_normal(columns, np.float32),
        "one": rng.standard_normal(1, np.float32),
        "u": rng.standard_normal((8, rows[-1]), np.float32)}
    # The rows are computed, so that they can lie anywhere.
    product = [helper.make_node("MatMul", ["x", "u"], ["h"]),
               helper.make_node("MatMul", ["h", "w"], ["y"])]
    wide = [*rows[:-1], columns]
    return float_model(followed_by(product, nodes),
                       {"x": [*rows[:-1], 8], "residual": wide}, wide, weights)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", CASES)
def test_deep_products(name, machine):
    model = model_of(*CASES[name])
    inputs = random_inputs(model, seed=8)
    check_cpu_code(model, inputs, "strict", 2e-6, **MACHINES[machine])


@pytest.mark.parametrize("name", CASES)
def test_these_are_loops(name, bin_dir, tmp_path):
    path = tmp_path / "deep.onnx"
    onnx.save(model_of(*CASES[name]), path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "--machine=l2=256K", *without_tiles(), "-o", "-")
    assert b"glow_inst.forall" in text
