"""Code for the CPU, held against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
from backends import run_onnxruntime
from compare import check_equal
from plain_c import call

import glow


def check_cpu_code(model, inputs, precision, tolerance, **options):
    """Asserts that results agree, that they are the same on one thread and on
    two, and that kernels stay within their buffers."""
    one, two = (glow.compile(model.SerializeToString(), precision=precision,
                             threads=threads,
                             options={**options, "check-bounds": "1"}).run(
                                 inputs) for threads in (1, 2))
    check_equal(one, run_onnxruntime(model, inputs), tolerance=tolerance)
    check_equal(two, one, tolerance=0)


def graph_text(model, precision, bin_dir, folder):
    """The graph dialect of a model, with what was chosen for a Zen 4."""
    onnx.save(model, folder / "model.onnx")
    return call(bin_dir / "glow-compile", folder / "model.onnx", "--stop-after=graph",
                "--mcpu=znver4", "--precision", precision, "--elide-resources", "-o", "-").decode()


def random_inputs(model, seed=1):
    """Normally distributed numbers of the shapes that the model states."""
    rng = np.random.default_rng(seed)
    return {
        i.name: rng.standard_normal(
            [d.dim_value for d in i.type.tensor_type.shape.dim], np.float32)
        for i in model.graph.input}
