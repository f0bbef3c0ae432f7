"""Code for the CPU, held against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from backends import run_onnxruntime
from compare import check_equal

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
