"""An object detector in the shape of YOLOv8n: 640x640 pixels, 80 classes.

A backbone of split-and-concatenate blocks, a pyramid that mixes three scales,
and heads whose boxes are expected values over 16 bins. The output holds, for
each of 8400 places, a box (centre and size in pixels) and 80 class scores.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .convnets import ConvNet

CLASSES, BINS = 80, 16
STRIDES = (8, 16, 32)


class Detector(ConvNet):
    """The layers of the network; each convolution ends in a SiLU."""

    def conv_silu(self, name, x, cin, cout, kernel, stride=1):
        with self.scope(name):
            return self.silu(self.conv_bn(x, cin, cout, kernel, stride))

    def bottleneck(self, x, channels, shortcut):
        y = self.conv_silu("cv1", x, channels, channels, 3)
        y = self.conv_silu("cv2", y, channels, channels, 3)
        return self.node("Add", x, y) if shortcut else y

    def c2f(self, name, x, cin, cout, blocks, shortcut):
        """Keeps the output of every bottleneck for the last convolution."""
        half = cout // 2
        with self.scope(name):
            x = self.conv_silu("cv1", x, cin, cout, 1)
            parts = self.node("Split", x, [half, half], outputs=2, axis=1)
            for block in range(blocks):
                with self.scope(f"m.{block}"):
                    parts.append(self.bottleneck(parts[-1], half, shortcut))
            x = self.node("Concat", *parts, axis=1)
            return self.conv_silu("cv2", x, (2 + blocks) * half, cout, 1)

    def sppf(self, name, x, channels):
        """Pools the same map over 5, 9 and 13 pixels."""
        with self.scope(name):
            parts = [self.conv_silu("cv1", x, channels, channels // 2, 1)]
            for _ in range(3):
                parts.append(self.max_pool(parts[-1], 5, 1, 2))
            x = self.node("Concat", *parts, axis=1)
            return self.conv_silu("cv2", x, 2 * channels, channels, 1)

    def upsample(self, x):
        return self.node("Resize", x, None, np.float32([1, 1, 2, 2]),
                         mode="nearest", nearest_mode="floor",
                         coordinate_transformation_mode="asymmetric")

    def head(self, name, x, cin, width, cout):
        with self.scope(name):
            x = self.conv_silu("0", x, cin, width, 3)
            x = self.conv_silu("1", x, width, width, 3)
            with self.scope("2"):
                return self.conv(x, width, cout, 1, bias=True)


def yolov8n():
    g = Detector("yolov8n", opset=17)
    x = g.input("images", ["batch", 3, 640, 640])
    fine, middle, coarse = _backbone(g, x)
    levels = _pyramid(g, fine, middle, coarse)
    with g.scope("model.22"):
        _detect(g, levels)
    return g.model()


def _backbone(g, x):
    x = g.conv_silu("model.0", x, 3, 16, 3, 2)
    x = g.conv_silu("model.1", x, 16, 32, 3, 2)
    x = g.c2f("model.2", x, 32, 32, 1, True)
    x = g.conv_silu("model.3", x, 32, 64, 3, 2)
    fine = g.c2f("model.4", x, 64, 64, 2, True)
    x = g.conv_silu("model.5", fine, 64, 128, 3, 2)
    middle = g.c2f("model.6", x, 128, 128, 2, True)
    x = g.conv_silu("model.7", middle, 128, 256, 3, 2)
    x = g.c2f("model.8", x, 256, 256, 1, True)
    return fine, middle, g.sppf("model.9", x, 256)


def _pyramid(g, fine, middle, coarse):
    """Coarse to fine and back: [(map, channels)], the finest first."""
    x = g.node("Concat", g.upsample(coarse), middle, axis=1)
    down = g.c2f("model.12", x, 384, 128, 1, False)
    x = g.node("Concat", g.upsample(down), fine, axis=1)
    first = g.c2f("model.15", x, 192, 64, 1, False)
    x = g.conv_silu("model.16", first, 64, 64, 3, 2)
    second = g.c2f("model.18", g.node("Concat", x, down, axis=1), 192, 128, 1,
                   False)
    x = g.conv_silu("model.19", second, 128, 128, 3, 2)
    third = g.c2f("model.21", g.node("Concat", x, coarse, axis=1), 384, 256, 1,
                  False)
    return [(first, 64), (second, 128), (third, 256)]


def _detect(g, levels):
    maps = []
    for level, (x, channels) in enumerate(levels):
        boxes = g.head(f"cv2.{level}", x, channels, 64, 4 * BINS)
        scores = g.head(f"cv3.{level}", x, channels, CLASSES, CLASSES)
        y = g.node("Concat", boxes, scores, axis=1)
        maps.append(g.node("Reshape", y, [0, 4 * BINS + CLASSES, -1]))
    x = g.node("Concat", *maps, axis=2)
    boxes, scores = g.node("Split", x, [4 * BINS, CLASSES], outputs=2, axis=1)
    with g.scope("dfl"):
        boxes = _expected_distances(g, boxes)
    places, strides = _anchors()
    low, high = g.node("Split", boxes, [2, 2], outputs=2, axis=1)
    low, high = g.node("Sub", places, low), g.node("Add", places, high)
    centre = g.node("Div", g.node("Add", low, high), np.float32(2))
    boxes = g.node("Concat", centre, g.node("Sub", high, low), axis=1)
    boxes = g.node("Mul", boxes, strides)
    x = g.node("Concat", boxes, g.node("Sigmoid", scores), axis=1)
    g.output(x, "output0", ["batch", 4 + CLASSES, strides.size])


def _expected_distances(g, boxes):
    """From 16 logits per side to the expected distance of the side."""
    places = sum((640 // s) ** 2 for s in STRIDES)
    y = g.node("Reshape", boxes, [0, 4, BINS, places])
    y = g.node("Softmax", g.node("Transpose", y, perm=[0, 2, 1, 3]), axis=1)
    bins = np.arange(BINS, dtype=np.float32).reshape(1, BINS, 1, 1)
    y = g.node("Conv", y, g.weight("conv.weight", bins), kernel_shape=[1, 1])
    return g.node("Reshape", y, [0, 4, places])


def _anchors():
    """The centre of every place in units of its stride, and the stride."""
    places, strides = [], []
    for stride in STRIDES:
        count = 640 // stride
        y, x = np.mgrid[:count, :count].astype(np.float32) + np.float32(0.5)
        places.append(np.stack([x.ravel(), y.ravel()]))
        strides.append(np.full((1, count * count), stride, np.float32))
    return (np.concatenate(places, axis=1)[None],
            np.concatenate(strides, axis=1))
