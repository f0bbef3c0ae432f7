"""Softmax and normalisations.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

for op in ["Softmax", "LogSoftmax", "Hardmax"]:
    for axis in (0, 1, 2, -1):
        add(op, data(3, 4, 5, low=-5, high=5), axis=axis, label=f"axis{axis}")
    add(op, data(3, 4, 5), label="default")
    add(op, data(7), axis=0, label="vector")
    for axis in (0, 1, 2):  # flattened to a matrix before opset 13
        add(op, data(3, 4, 5), axis=axis, opset=11, label=f"opset11-{axis}")
    add(op, data(3, 4, 5), opset=11, label="opset11-default")
    add(op, data(2, 1000), label="wide")
    if op != "Hardmax":
        for dtype in (np.float16, np.float64):
            add(op, data(3, 20, dtype=dtype), label=np.dtype(dtype).name)
add("Softmax", np.array([[1000, 1001, 999], [-1e30, 0, 1]], np.float32),
    label="large")
add("Softmax", np.array([[0, -np.inf, 1], [3, -np.inf, -np.inf]], np.float32),
    label="masked")
add("LogSoftmax", np.array([[1000, 1001, 999]], np.float32), label="large")
add("Hardmax", np.array([[1, 3, 3, 0]], np.float32), label="ties")


def affine(channels, dtype=np.float32):
    return (const(data(channels, low=0.5, dtype=dtype)),
            const(data(channels, dtype=dtype)))


def statistics(channels, dtype=np.float32):
    return (const(data(channels, dtype=dtype)),
            const(data(channels, low=0.3, dtype=dtype)))


for label, shape in {"2d": (2, 3, 5, 6), "1d": (2, 3, 7), "0d": (4, 3),
                     "3d": (1, 3, 2, 3, 4), "wide": (1, 70, 3, 3)}.items():
    add("BatchNormalization", data(*shape), *affine(shape[1]),
        *statistics(shape[1]), label=label)
add("BatchNormalization", data(2, 3, 4), *affine(3), *statistics(3),
    epsilon=0.1, label="epsilon")
add("BatchNormalization", data(2, 3, 4), *[c.array for c in affine(3)],
    *[c.array for c in statistics(3)], label="run-time-weights")
for opset in (7, 9, 14):
    add("BatchNormalization", data(2, 3, 4), *affine(3), *statistics(3),
        opset=opset, label=f"opset{opset}")
add("BatchNormalization", data(2, 3, 4, dtype=np.float64),
    *affine(3, np.float64), *statistics(3, np.float64), label="float64")
add("BatchNormalization", data(2, 3, 4), *affine(3), *statistics(3),
    training_mode=1, outputs=3, opset=15, label="training")

for axis in (-1, 1, 2, 0, -2):
    shape = (2, 3, 8)[axis:]
    scale, bias = const(data(*shape)), const(data(*shape))
    add("LayerNormalization", data(2, 3, 8), scale, bias, axis=axis,
        label=f"axis{axis}")
    add("LayerNormalization", data(2, 3, 8), scale, axis=axis,
        label=f"no-bias-axis{axis}")
add("LayerNormalization", data(2, 3, 8), *affine(8), outputs=3,
    label="statistics")
add("LayerNormalization", data(2, 3, 8), *affine(8), epsilon=0.3,
    label="epsilon")
add("LayerNormalization", data(4, 768), *affine(768), label="wide")
add("LayerNormalization", 1000 + data(2, 64), *affine(64), label="offset",
    tolerance=1e-3)
for dtype in (np.float16, np.float64):
    add("LayerNormalization", data(3, 16, dtype=dtype), *affine(16, dtype),
        label=np.dtype(dtype).name)
for axis in (-1, 1):
    shape = (2, 3, 8)[axis:]
    add("RMSNormalization", data(2, 3, 8), const(data(*shape)), axis=axis,
        opset=23, label=f"axis{axis}")

for label, shape in {"2d": (2, 4, 5, 6), "1d": (2, 4, 9),
                     "3d": (1, 4, 2, 3, 4)}.items():
    add("InstanceNormalization", data(*shape), *affine(4), label=label)
    add("GroupNormalization", data(*shape), *affine(4), num_groups=2,
        label=label)
add("InstanceNormalization", data(2, 4, 9), *affine(4), epsilon=0.2,
    label="epsilon")
for groups in (1, 4):
    add("GroupNormalization", data(2, 4, 5), *affine(4), num_groups=groups,
        label=f"groups{groups}")

for p in (1, 2):
    for axis in (0, 1, -1):
        add("LpNormalization", data(3, 4, 5), p=p, axis=axis,
            label=f"p{p}-axis{axis}")
add("MeanVarianceNormalization", data(2, 3, 4, 5))
add("MeanVarianceNormalization", data(2, 3, 4, 5), axes=[2, 3], label="axes")
for size in (1, 3, 5):
    add("LRN", data(2, 7, 4, 4), size=size, label=f"size{size}")
# ONNX Runtime takes odd sizes only, and the onnx package's evaluator leaves
# out channels whose number exceeds the batch: as many of both.
add("LRN", data(4, 4, 3, 3), size=2, label="size2")
add("LRN", data(2, 7, 4, 4), size=5, alpha=0.02, beta=0.6, bias=2.0,
    label="parameters")
add("Dropout", data(3, 4), label="inference")
add("Dropout", data(3, 4), outputs=2, label="mask")
add("Dropout", data(3, 4), const(0.4), const(False), label="flag")
add("Dropout", data(3, 4), ratio=0.3, opset=7, label="opset7")
add("Dropout", data(3, 4), ratio=0.3, is_test=1, opset=6, label="opset6",
    expected=lambda x0: [x0])


# Squares of these halves overflow, the results do not. Neither reference
# computes them in single precision.
LARGE = data(2, 4, 5, 6, dtype=np.float16, low=-900, high=900)


def halves(op, expected, **attributes):
    add(op, LARGE, label="large-halves",
        expected=lambda x0: [expected(x0.astype(np.float64)).astype(np.float16)],
        **attributes)


def neighbours(x):
    """Means of the squares of three channels, where those outside are zeros."""
    padded = np.pad(np.square(x), [(0, 0), (1, 1), (0, 0), (0, 0)])
    return (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3


halves("LpNormalization", lambda x: x / np.sqrt(np.square(x).sum(1, keepdims=True)),
       axis=1)
halves("MeanVarianceNormalization",
       lambda x: (x - x.mean((0, 2, 3), keepdims=True)) / x.std((0, 2, 3), keepdims=True))
halves("LRN", lambda x: x / (1 + 0.01 * neighbours(x)) ** 0.75, size=3, alpha=0.01)
halves("GlobalLpPool", lambda x: np.sqrt(np.square(x).sum((2, 3), keepdims=True)))
halves("LpPool", lambda x: np.sqrt(np.square(np.lib.stride_tricks.sliding_window_view(
    x, (2, 3), (2, 3))).sum((4, 5))), kernel_shape=[2, 3])
