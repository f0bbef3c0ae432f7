"""Recipes for transforms, windows, grids and losses.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import F, recipe


@recipe()
def DFT(b, op):
    if b.opset < 20:
        raise Discard("its axis was an attribute")
    shape = [max(1, e) for e in b.shape(1, 3)]
    inverse = b.chance(0.3)
    complex_input = inverse or b.chance(0.4)
    x = b.new(b.choose(F), (*shape, 2 if complex_input else 1))
    axis = b.rng.randrange(len(shape))
    length = b.constant(np.array(b.rng.randint(1, 12))) if b.chance(0.4) else None
    attributes = {"inverse": 1} if inverse else b.attributes(
        onesided=0 if complex_input else b.rng.randint(0, 1))
    b.node(op, [x, length, b.constant(np.array(axis - len(shape) - 1))], **attributes)


@recipe()
def STFT(b, op):
    length = b.rng.randint(8, 40)
    frame = b.rng.randint(2, min(16, length))
    x = b.new("float32", (b.rng.randint(1, 2), length, 1))
    step = b.constant(np.array(b.rng.randint(1, frame)))
    window = b.new("float32", (frame,)) if b.chance(0.6) else None
    b.node(op, [x, step, window, b.constant(np.array(frame))],
           **b.attributes(onesided=b.rng.randint(0, 1)))


@recipe("HannWindow", "HammingWindow", "BlackmanWindow")
def window(b, op):
    size = np.array(b.rng.randint(2, 40))  # of 1 the evaluators have opinions
    b.node(op, [b.constant(size, b.choose(["int64", "int32"]))],
           **b.attributes(periodic=b.rng.randint(0, 1)))


@recipe()
def GridSample(b, op):
    x = b.new("float32", (b.rng.randint(1, 2), b.rng.randint(1, 3),
                          b.rng.randint(1, 6), b.rng.randint(1, 6)))
    grid = b.new("float32", (x.shape[0], b.rng.randint(1, 5), b.rng.randint(1, 5), 2),
                 low=-1.3, high=1.3)
    modes = ["linear", "nearest", "cubic"] if b.opset >= 20 else [
        "bilinear", "nearest", "bicubic"]
    b.node(op, [x, grid], **b.attributes(
        mode=b.choose(modes), align_corners=b.rng.randint(0, 1),
        padding_mode=b.choose(["zeros", "border", "reflection"])))


@recipe()
def AffineGrid(b, op):
    batch = b.rng.randint(1, 2)
    # Where the corners of a single element lie is anybody's guess.
    size = b.constant([batch, b.rng.randint(1, 3), b.rng.randint(2, 6), b.rng.randint(2, 6)])
    b.node(op, [b.new("float32", (batch, 2, 3)), size],
           **b.attributes(align_corners=b.rng.randint(0, 1)))


@recipe()
def RoiAlign(b, op):
    x = b.new("float32", (b.rng.randint(1, 2), b.rng.randint(1, 4),
                          b.rng.randint(3, 9), b.rng.randint(3, 9)))
    count = b.rng.randint(1, 4)
    corner = b.numbers.uniform(0, 4, (count, 2))
    boxes = np.concatenate([corner, corner + b.numbers.uniform(0.5, 5, (count, 2))], 1)
    batch = b.numbers.integers(0, x.shape[0], count)
    b.node(op, [x, b.add(boxes.astype(np.float32)), b.add(batch.astype(np.int64))],
           output_height=b.rng.randint(1, 3), output_width=b.rng.randint(1, 3),
           sampling_ratio=b.rng.randint(0, 2), spatial_scale=b.choose([1.0, 0.5]),
           **b.attributes(coordinate_transformation_mode=b.choose(
               ["half_pixel", "output_half_pixel"])))


@recipe()
def Det(b, op):
    size = b.rng.randint(1, 4)
    b.node(op, [b.new("float32", (*[max(1, e) for e in b.shape(0, 2)], size, size))])


@recipe("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(b, op):
    batch, classes = b.rng.randint(1, 4), b.rng.randint(1, 6)
    more = b.choose([(), (), (3,), (2, 3)])
    x = b.new("float32", (batch, classes, *more))
    labels = b.numbers.integers(0, classes, (batch, *more))
    attributes = b.attributes(reduction=b.choose(["none", "sum", "mean"]))
    if b.chance(0.3) and classes > 1:
        attributes["ignore_index"] = 0
        if (labels == 0).all():
            raise Discard("nothing is left")
    operands = [x, b.add(labels.astype(b.choose(["int64", "int32"])))]
    if b.chance(0.4):
        operands.append(b.new("float32", (classes,), low=0.2, high=2))
    outputs = 2 if op == "SoftmaxCrossEntropyLoss" and b.chance(0.4) else 1
    b.node(op, operands, outputs=outputs, **attributes)
