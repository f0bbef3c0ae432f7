"""Products of ResNet-50 and BERT-base by themselves, as models of one node.

In a model, weights come from memory; here a run before has left all data in the
second-level cache, so that what is measured is the kernel.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
import tempfile

import layers
import numpy as np
import one_node

WARM_UP = 50

# Channels, extent, kernel, filters of a convolution.
CONVOLUTIONS = [(64, 56, 1, 64), (64, 56, 3, 64), (128, 28, 3, 128),
                (256, 28, 1, 128), (1024, 14, 1, 256), (256, 14, 1, 1024),
                (256, 14, 3, 256), (512, 7, 1, 2048), (2048, 7, 1, 512)]
# Batch, rows, depth, columns; without a batch, the right side is constant.
# One head of attention fits every second-level cache, twelve do not.
MATRICES = [(1, 128, 64, 128), (1, 128, 128, 64), (12, 128, 64, 128),
            (12, 128, 128, 64), (0, 128, 768, 768)]


def cases(cache_bytes, element_bytes):
    """(node, shape of x, shape of the second operand, attributes) of those
    whose data stay in a cache of that size."""
    found = []
    for channels, extent, kernel, filters in CONVOLUTIONS:
        x = (1, channels, extent, extent)
        out = (1, filters, extent, extent)
        found.append(("Conv", x, (filters, channels, kernel, kernel), out,
                      {"pads": [kernel // 2] * 4}))
    for batch, rows, depth, columns in MATRICES:
        around = (batch,) if batch else ()
        found.append(("MatMul", (*around, rows, depth),
                      (*around, depth, columns), (*around, rows, columns), {}))
    return [(node, x, second, attributes)
            for node, x, second, out, attributes in found
            if element_bytes * sum(map(math.prod, (x, second, out)))
            <= cache_bytes]


def write(case, folder, element=np.float32):
    """The model of one case, and the files of its inputs."""
    from onnx import helper
    node, x, second, attributes = case
    random = np.random.default_rng(0)
    arrays, weights = ({name: random.standard_normal(shape).astype(element)}
                       for name, shape in (("x", x), ("w", second)))
    if node == "MatMul" and len(second) > 2:
        arrays, weights = {**arrays, **weights}, {}
    return one_node.write(
        folder, helper.make_node(node, ["x", "w"], ["out"], name="product",
                                 **attributes), arrays, weights)


def profile(mode, probe, cache_bytes, binaries):
    """A record as that of a model's layers, with one kernel for each case."""
    import ml_dtypes

    # In models of the mode bf16, what is between two products has that type.
    element = np.dtype(ml_dtypes.bfloat16 if mode == "bf16" else np.float32)
    rows, peaks = [], []
    for case in cases(cache_bytes, element.itemsize):
        with tempfile.TemporaryDirectory() as folder:
            # ONNX Runtime, which knows the shapes, has no products of bfloat16.
            shapes = layers.shapes_of_nodes(*write(case, folder))
            path, files = write(case, folder, element)
            kernels, peak = layers.measure(path, files, shapes, mode, probe,
                                           binaries, WARM_UP)
        rows.append(max(kernels, key=lambda kernel: kernel["flops"]))
        peaks.append(peak)
    return layers.record("single products", mode, probe, rows, peaks)
