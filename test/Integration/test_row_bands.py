"""Chains of convolutions as loops over bands of rows compute what they do
one after the other, to the last bit.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from conv_chains import Chain
from plain_c import call

import glow


# High images have many rows in a cache, of which few are computed twice.
CHAINS = {
    "inverted-residual": lambda: Chain(2, 16, 240, 10).conv(96, 1).add("Relu")
    .depthwise(3, pads=[1, 1, 1, 1]).add("Relu").conv(16, 1).add("Add", "x"),
    "strided": lambda: Chain(1, 16, 64, 64).conv(96, 1).add("Relu")
    .depthwise(3, pads=[1, 1, 1, 1], strides=[2, 2]).conv(24, 1),
    "uneven-pads": lambda: Chain(1, 16, 238, 12).conv(96, 1).add("HardSwish")
    .depthwise(5, pads=[1, 3, 4, 0], strides=[2, 1]),
    "dilated": lambda: Chain(3, 16, 240, 12).conv(64, 1).add("Relu")
    .depthwise(3, pads=[2, 2, 2, 2], dilations=[2, 2]),
    "stem": lambda: Chain(1, 3, 480, 40)
    .conv(32, 3, pads=[1, 1, 1, 1], strides=[2, 2]).add("Relu")
    .depthwise(3, pads=[1, 1, 1, 1]).add("Relu").conv(16, 1),
    "two-halos": lambda: Chain(1, 8, 96, 64).conv(64, 1).add("Relu")
    .depthwise(3, pads=[1, 1, 1, 1]).add("Relu")
    .depthwise(5, pads=[2, 2, 2, 2]),
    "pooled": lambda: Chain(1, 8, 65, 65).conv(64, 1).add("Relu")
    .add("MaxPool", kernel_shape=[3, 3], strides=[2, 2]),
}


@pytest.mark.parametrize("name", CHAINS)
def test_bands(name, bin_dir, tmp_path):
    model = CHAINS[name]().model()
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    shape = [d.dim_value for d in
             model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(1).standard_normal(shape, np.float32)
    # A processor with a small cache gains by bands, one with a large cache
    # does not. Which ones depends on its vectors as well.
    small, large = "l2=256K", "l2=64M,l3=64M"
    steps = {machine: call(bin_dir / "glow-compile", path, "--stop-after=inst",
                           "--elide-resources", "--mcpu=znver4",
                           f"--machine={machine}").decode()
             for machine in (small, large)}
    # Evenly spaced bands need no table of their places.
    sign = "glow_inst.forall" if name == "pooled" else "glow_inst.slide"
    assert sign in steps[small]
    assert sign not in steps[large]
    apart = glow.compile(path, options={"machine": large}).run({"x": x})
    check_equal(apart, run_onnxruntime(str(path), {"x": x}))
    for threads in (1, 2):
        bands = glow.compile(path, threads=threads,
                             options={"machine": small}).run({"x": x})
        for output, value in apart.items():
            np.testing.assert_array_equal(bands[output], value)
