"""Convolutions.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data


def conv(label, x, w, bias=False, op="Conv", run_time_weights=False, **attrs):
    """A convolution of shape `x` by weights of shape `w`."""
    group = attrs.get("group", 1)
    weights = [data(*w)]
    if bias:
        weights.append(data(w[0] if op == "Conv" else w[1] * group))
    if not run_time_weights:
        weights = [const(v) for v in weights]
    add(op, data(*x), *weights, label=label, **attrs)


X, W = (2, 3, 9, 11), (4, 3, 3, 3)
conv("plain", X, W)
conv("bias", X, W, bias=True)
conv("run-time-weights", X, W, bias=True, run_time_weights=True)
conv("kernel-shape", X, W, kernel_shape=[3, 3])
conv("pads", X, W, pads=[1, 1, 1, 1])
conv("uneven-pads", X, W, pads=[0, 1, 2, 3])
conv("large-pads", X, W, pads=[4, 4, 4, 4])
conv("stride", X, W, strides=[2, 2])
conv("uneven-strides", X, W, strides=[3, 1], pads=[1, 1, 1, 1])
conv("dilation", X, W, dilations=[2, 2])
conv("uneven-dilations", X, W, dilations=[1, 3], pads=[1, 3, 1, 3])
conv("stride-dilation", X, W, strides=[2, 2], dilations=[2, 2],
     pads=[2, 2, 2, 2], bias=True)
for auto_pad in ["SAME_UPPER", "SAME_LOWER", "VALID"]:
    conv(f"{auto_pad}", X, W, auto_pad=auto_pad)
    conv(f"{auto_pad}-stride", X, W, auto_pad=auto_pad, strides=[2, 2])
    conv(f"{auto_pad}-even-kernel", X, (4, 3, 2, 4), auto_pad=auto_pad)
conv("1x1", X, (4, 3, 1, 1), bias=True)
conv("1x1-stride", X, (4, 3, 1, 1), strides=[2, 2])
conv("1x1-pads", X, (4, 3, 1, 1), pads=[1, 1, 1, 1])
conv("1x1-wide", (1, 64, 7, 7), (96, 64, 1, 1), bias=True)
conv("1x1-one-channel", (1, 16, 9, 11), (1, 16, 1, 1), bias=True)
conv("3x3-one-channel", (1, 16, 9, 11), (1, 16, 3, 3), pads=[1, 1, 1, 1])
conv("3x3-wide", (1, 32, 14, 14), (48, 32, 3, 3), pads=[1, 1, 1, 1])
# Panels that leave the second-level cache: the depth is done in parts.
DEEP = (2, 512, 7, 7)
conv("deep", DEEP, (64, 512, 3, 3), pads=[1, 1, 1, 1], bias=True)
conv("deep-stride", (1, 512, 14, 14), (64, 512, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
conv("deep-dilation", DEEP, (64, 512, 3, 3), pads=[2, 2, 2, 2], dilations=[2, 2])
conv("deep-uneven", DEEP, (40, 512, 2, 3), pads=[0, 2, 1, 1])
conv("deep-1x1", (1, 2304, 5, 9), (96, 2304, 1, 1))
conv("deep-1d", (1, 1024, 40), (64, 1024, 3), pads=[1, 1])
conv("deep-3d", (1, 128, 3, 5, 9), (64, 128, 3, 3, 3), pads=[1] * 6)
conv("5x5", X, (2, 3, 5, 5), pads=[2, 2, 2, 2])
conv("7x7-stride", (1, 3, 32, 32), (8, 3, 7, 7), pads=[3, 3, 3, 3],
     strides=[2, 2])
conv("uneven-kernel", X, (4, 3, 1, 5), pads=[0, 2, 0, 2])
conv("patches", (1, 3, 32, 32), (8, 3, 16, 16), strides=[16, 16], bias=True)
conv("whole-image", X, (4, 3, 9, 11))
conv("batch", (5, 3, 6, 6), W)
conv("one-pixel", (1, 3, 1, 1), W, pads=[1, 1, 1, 1])
conv("groups", (2, 6, 8, 8), (4, 3, 3, 3), group=2, bias=True)
conv("groups3", (1, 6, 8, 8), (9, 2, 3, 3), group=3)
conv("groups-1x1", (1, 8, 5, 5), (8, 2, 1, 1), group=4)
# Vectors over several groups, some of them not whole.
for width in (2, 4, 8):
    conv(f"groups-of-{width}", (1, 40, 13, 15), (40, width, 3, 3),
         group=40 // width, pads=[1] * 4, bias=True)
conv("groups-stride", (2, 48, 15, 14), (48, 4, 3, 3), group=12, pads=[1] * 4,
     strides=[2, 2])
conv("groups-of-4-1x1", (1, 72, 14, 14), (72, 4, 1, 1), group=18)
conv("groups-of-4-1d", (1, 64, 99), (64, 4, 9), group=16, dilations=[2])
conv("groups-uneven", (1, 32, 14, 14), (64, 4, 3, 3), group=8)
conv("depthwise", (2, 6, 8, 8), (6, 1, 3, 3), group=6, pads=[1] * 4, bias=True)
conv("depthwise-stride", (1, 16, 9, 9), (16, 1, 3, 3), group=16,
     pads=[1] * 4, strides=[2, 2])
conv("depthwise-lines", (1, 3, 28, 30), (3, 1, 3, 3), group=3, pads=[1] * 4,
     bias=True)
conv("depthwise-multiplier", (1, 3, 8, 8), (6, 1, 3, 3), group=3)
conv("depthwise-5x5", (1, 40, 7, 7), (40, 1, 5, 5), group=40, pads=[2] * 4)
conv("depthwise-dilation", (1, 4, 9, 9), (4, 1, 3, 3), group=4,
     dilations=[2, 2])
conv("1d", (2, 3, 20), (4, 3, 5), pads=[2, 2], bias=True)
conv("1d-stride-dilation", (2, 3, 20), (4, 3, 3), strides=[2], dilations=[2])
conv("1d-depthwise", (2, 4, 20), (4, 1, 3), group=4)
conv("1d-same", (2, 3, 21), (4, 3, 4), auto_pad="SAME_LOWER", strides=[2])
conv("3d", (1, 2, 5, 6, 7), (3, 2, 3, 3, 3), pads=[1] * 6, bias=True)
conv("3d-stride", (1, 2, 7, 6, 7), (3, 2, 3, 2, 3), strides=[2, 1, 2])
conv("3d-flat", (1, 16, 2, 9, 9), (16, 16, 3, 3, 3), pads=[1] * 6, bias=True)
conv("3d-flat-stride", (1, 16, 3, 9, 8), (24, 16, 3, 3, 3), pads=[1] * 6,
     strides=[2, 2, 2])
conv("3d-groups", (1, 4, 5, 5, 5), (4, 2, 2, 2, 2), group=2)
conv("opset11", X, W, opset=11, bias=True)
for dtype in (np.float16, np.float64):
    add("Conv", data(*X, dtype=dtype), const(data(*W, dtype=dtype)),
        label=np.dtype(dtype).name)

T, TW = (2, 3, 5, 6), (3, 4, 3, 3)
conv("plain", T, TW, op="ConvTranspose")
conv("bias", T, TW, op="ConvTranspose", bias=True)
conv("run-time-weights", T, TW, op="ConvTranspose", run_time_weights=True)
conv("stride", T, TW, op="ConvTranspose", strides=[2, 2])
conv("pads", T, TW, op="ConvTranspose", strides=[2, 2], pads=[1, 1, 1, 1])
conv("uneven-pads", T, TW, op="ConvTranspose", strides=[3, 2],
     pads=[0, 1, 2, 1])
conv("output-padding", T, TW, op="ConvTranspose", strides=[2, 2],
     pads=[1, 1, 1, 1], output_padding=[1, 1])
conv("output-shape", T, TW, op="ConvTranspose", strides=[2, 2],
     output_shape=[10, 12])
conv("dilation", T, TW, op="ConvTranspose", dilations=[2, 2])
conv("groups", (1, 4, 5, 5), (4, 3, 3, 3), op="ConvTranspose", group=2,
     bias=True)
conv("depthwise", (1, 4, 5, 5), (4, 1, 4, 4), op="ConvTranspose", group=4,
     strides=[2, 2], pads=[1] * 4)
conv("2x2-upsample", (1, 8, 5, 5), (8, 4, 2, 2), op="ConvTranspose",
     strides=[2, 2], bias=True)
conv("1d", (1, 2, 7), (2, 3, 3), op="ConvTranspose", strides=[2])
conv("3d", (1, 2, 3, 4, 5), (2, 2, 2, 3, 2), op="ConvTranspose",
     strides=[2, 1, 2])
# Phases of the stride: with taps of different numbers, with none, with all of
# one window, with windows beside the input.
conv("uneven-phases", T, (3, 4, 5, 3), op="ConvTranspose", strides=[3, 2],
     bias=True)
conv("gaps", T, (3, 4, 1, 2), op="ConvTranspose", strides=[2, 3], bias=True)
conv("gaps-in-rows", T, (3, 4, 1, 2), op="ConvTranspose", strides=[2, 2])
conv("4x4-upsample", (1, 16, 9, 7), (16, 8, 4, 4), op="ConvTranspose",
     strides=[2, 2], pads=[1] * 4, bias=True)
conv("stride8", (1, 4, 3, 5), (4, 3, 16, 16), op="ConvTranspose",
     strides=[8, 8], pads=[4] * 4)
conv("stride-dilation", T, (3, 4, 3, 4), op="ConvTranspose", strides=[2, 3],
     dilations=[3, 2], pads=[1, 0, 2, 3])
conv("stride-dilation-common", T, TW, op="ConvTranspose", strides=[4, 2],
     dilations=[2, 4])
conv("large-pads", T, (3, 4, 5, 5), op="ConvTranspose", strides=[2, 1],
     pads=[4, 4, 3, 4])
conv("pads-beyond-the-window", (1, 3, 9, 9), (3, 4, 1, 2), op="ConvTranspose",
     strides=[1, 2], pads=[3, 5, 2, 6])
conv("large-output-padding", T, (3, 4, 2, 2), op="ConvTranspose",
     strides=[5, 4], dilations=[6, 6], output_padding=[4, 3])
conv("groups-stride", (2, 4, 5, 4), (4, 3, 3, 3), op="ConvTranspose", group=2,
     strides=[2, 2], bias=True)
conv("3d-stride", (1, 2, 3, 2, 3), (2, 3, 3, 2, 4), op="ConvTranspose",
     strides=[2, 2, 2], pads=[1, 0, 1, 0, 0, 1], bias=True)
for auto_pad in ["SAME_UPPER", "SAME_LOWER"]:
    conv(auto_pad, T, TW, op="ConvTranspose", auto_pad=auto_pad,
         strides=[2, 2])

for dtype in (np.uint8, np.int8):
    x = data(1, 2, 6, 6, dtype=np.uint8, high=255)
    w = const(data(3, 2, 3, 3, dtype=dtype, low=-99, high=99))
    add("ConvInteger", x, w, const(7, np.uint8), pads=[1] * 4,
        label=np.dtype(dtype).name)
add("ConvInteger", data(1, 2, 6, 6, dtype=np.uint8, high=255),
    const(data(3, 2, 3, 3, dtype=np.uint8, high=255)), label="no-zeros")
add("DeformConv", data(1, 2, 6, 6), data(3, 2, 3, 3),
    data(1, 18, 4, 4, low=-0.5, high=0.5), data(3), data(1, 9, 4, 4, low=0),
    opset=22, tolerance=1e-4)
