"""Pooling.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

X = (2, 3, 9, 11)
VARIANTS = {
    "plain": dict(kernel_shape=[3, 3]),
    "stride": dict(kernel_shape=[2, 2], strides=[2, 2]),
    "pads": dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    "uneven-pads": dict(kernel_shape=[3, 4], pads=[0, 1, 2, 2]),
    "uneven": dict(kernel_shape=[1, 4], strides=[3, 2]),
    "ceil": dict(kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
    "ceil-pads": dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1,
                      pads=[1, 1, 1, 1]),
    "dilation": dict(kernel_shape=[3, 3], dilations=[2, 2]),
    "SAME_UPPER": dict(kernel_shape=[3, 3], strides=[2, 2],
                       auto_pad="SAME_UPPER"),
    "SAME_LOWER": dict(kernel_shape=[2, 3], strides=[2, 2],
                       auto_pad="SAME_LOWER"),
    "VALID": dict(kernel_shape=[2, 3], strides=[2, 2], auto_pad="VALID"),
    "whole": dict(kernel_shape=[9, 11]),
    "too-large": dict(kernel_shape=[10, 3]),  # no window fits: an empty result
    "too-large-ceil": dict(kernel_shape=[10, 3], strides=[2, 1], ceil_mode=1),
}
for label, attributes in VARIANTS.items():
    add("MaxPool", data(*X), label=label, **attributes)
    add("AveragePool", data(*X), label=label, **attributes)
    add("AveragePool", data(*X), label=f"count-pads-{label}",
        count_include_pad=1, **attributes)
for op in ["MaxPool", "AveragePool"]:
    add(op, data(2, 3, 20), kernel_shape=[3], strides=[2], pads=[1, 1],
        label="1d")
    add(op, data(1, 2, 6, 7, 8), kernel_shape=[2, 3, 2], strides=[2, 1, 2],
        pads=[0, 1, 0, 1, 1, 0], label="3d")
    add(op, data(*X, dtype=np.float16), kernel_shape=[2, 2], label="float16")
    add(op, data(*X, dtype=np.float64), kernel_shape=[2, 2], label="float64")
    add(op, data(*X), kernel_shape=[3, 3], pads=[1] * 4, opset=7,
        label="opset7")
    add(op, data(1, 40, 8, 8), kernel_shape=[3, 3], pads=[1] * 4,
        strides=[2, 2], label="channels")
for dtype in (np.int8, np.uint8):
    add("MaxPool", data(*X, dtype=dtype, low=-99, high=99),
        kernel_shape=[2, 2], label=np.dtype(dtype).name)
add("MaxPool", data(*X), kernel_shape=[3, 3], strides=[2, 2], outputs=2,
    label="indices")
add("MaxPool", data(*X), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4,
    outputs=2, label="indices-pads")
add("MaxPool", data(*X), kernel_shape=[3, 3], outputs=2, storage_order=1,
    label="indices-column-major")
add("MaxPool", -1 - data(1, 1, 4, 4, low=0), kernel_shape=[3, 3],
    pads=[1] * 4, label="negative")

for op in ["GlobalAveragePool", "GlobalMaxPool"]:
    add(op, data(*X))
    add(op, data(2, 3, 20), label="1d")
    add(op, data(2, 3, 4, 5, 6), label="3d")
    add(op, data(1, 512, 7, 7), label="channels")
    add(op, data(*X, dtype=np.float16), label="float16")
add("LpPool", data(*X), kernel_shape=[10, 3], label="too-large")
add("GlobalLpPool", data(*X))
add("GlobalLpPool", data(*X), p=1, label="p1")
for p in (1, 2, 3):
    add("LpPool", data(*X), kernel_shape=[3, 3], strides=[2, 2], p=p,
        label=f"p{p}")
add("LpPool", data(*X), kernel_shape=[2, 3], strides=[3, 2], pads=[1, 0, 0, 1],
    ceil_mode=1, label="ceil")
add("LpPool", data(*X), kernel_shape=[3, 3], pads=[1] * 4, label="pads")

ROIS = np.array([[0, 0, 6, 6], [2, 1, 8, 8]], np.float32)
# ONNX Runtime says its maximum is right for one sample only.
for mode, samples in [("avg", 2), ("max", 1)]:
    add("RoiAlign", data(1, 2, 10, 10), ROIS, const([0, 0]), mode=mode,
        output_height=3, output_width=2, sampling_ratio=samples, label=mode)
add("RoiAlign", data(1, 2, 10, 10), ROIS, const([0, 0]), output_height=2,
    output_width=2, spatial_scale=0.5,
    coordinate_transformation_mode="output_half_pixel", sampling_ratio=2,
    label="output-half-pixel")
# As many samples as a region asks for, also beyond the image.
WIDE = np.array([[0, 0, 6, 6], [2, 1, 8, 8], [-40, 3, 60, 5], [1, -7, 2, 300],
                 [12, 12, 30, 30], [4, 4, 4, 4]], np.float32)
for label, half in [("half-pixel", "half_pixel"), ("corner", "output_half_pixel")]:
    add("RoiAlign", data(2, 3, 10, 7), WIDE, const([0, 1, 1, 0, 1, 0]), output_height=3,
        output_width=2, coordinate_transformation_mode=half, opset=16,
        label=f"samples-as-needed-{label}")
add("RoiAlign", data(1, 3, 1, 7), WIDE, const([0] * 6), opset=16, label="one-image")
# Inside, over the edges, beyond them, one element, smaller than its bins.
REGIONS = np.array([[0, 1, 2, 9, 8], [1, -3, -2, 20, 30], [0, 40, 0, 50, 5],
                    [1, 4, 4, 4, 4], [1, 2.5, 3.5, 4.5, 5.5]], np.float32)
add("MaxRoiPool", data(2, 3, 10, 13), REGIONS, pooled_shape=[3, 4])
add("MaxRoiPool", data(2, 3, 10, 13), REGIONS, pooled_shape=[2, 2],
    spatial_scale=0.6, label="scale")
add("MaxRoiPool", data(2, 1, 1, 1), REGIONS, pooled_shape=[2, 2], label="pixel")
add("MaxUnpool", np.array([[[[1, 2], [3, 4]]]], np.float32),
    np.array([[[[5, 7], [13, 15]]]], np.int64), kernel_shape=[2, 2],
    strides=[2, 2])
# The least number of the type is in the input: padding does not win over it.
for dtype, low in ((np.uint8, 0), (np.int8, -128)):
    add("MaxPool", data(1, 2, 4, 5, dtype=dtype, low=low, high=low + 2),
        kernel_shape=[2, 2], dilations=[2, 1], strides=[3, 1], pads=[1] * 4,
        outputs=2, label=f"indices-least-{np.dtype(dtype).name}")
add("MaxPool", np.full((1, 1, 3, 3), -np.inf, np.float32), kernel_shape=[3, 3],
    pads=[1] * 4, outputs=2, label="indices-least-float32")
