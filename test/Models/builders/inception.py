"""Inception-v3: branches of 1x7 and 7x1 convolutions side by side.

Structure and names follow torchvision's model, without the auxiliary head.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .convnets import ConvNet


class _Inception(ConvNet):
    def unit(self, name, x, cin, cout, kernel, stride=1, pad=None):
        with self.scope(name):
            return self.node("Relu", self.conv_bn(x, cin, cout, kernel, stride,
                                                  pad=pad))

    def chain(self, name, x, cin, *layers):
        """Units one after the other, each (channels, kernel[, stride, pad])."""
        for index, (cout, *rest) in enumerate(layers, 1):
            x = self.unit(f"{name}_{index}", x, cin, cout, *rest)
            cin = cout
        return x

    def average_pool(self, x):
        return self.node("AveragePool", x, kernel_shape=[3, 3], pads=[1] * 4,
                         strides=[1, 1], count_include_pad=1, ceil_mode=0)

    def join(self, *parts):
        return self.node("Concat", *parts, axis=1)


def inception_v3():
    g = _Inception("inception_v3", opset=17)
    x = g.input("input", ["batch", 3, 299, 299])
    x = g.chain("stem", x, 3, (32, 3, 2, 0), (32, 3, 1, 0), (64, 3))
    x = g.max_pool(x, 3, 2)
    x = g.chain("stem_b", x, 64, (80, 1), (192, 3, 1, 0))
    x, cin = g.max_pool(x, 3, 2), 192
    for index, pooled in enumerate([32, 64, 64]):
        with g.scope(f"Mixed_5{'bcd'[index]}"):
            x = _squares(g, x, cin, pooled)
        cin = 224 + pooled
    with g.scope("Mixed_6a"):
        x = g.join(g.unit("3x3", x, cin, 384, 3, 2, 0),
                   g.chain("dbl", x, cin, (64, 1), (96, 3), (96, 3, 2, 0)),
                   g.max_pool(x, 3, 2))
    for index, width in enumerate([128, 160, 160, 192]):
        with g.scope(f"Mixed_6{'bcde'[index]}"):
            x = _sevens(g, x, 768, width)
    with g.scope("Mixed_7a"):
        x = g.join(g.chain("3x3", x, 768, (192, 1), (320, 3, 2, 0)),
                   g.chain("7x7", x, 768, (192, 1), (192, (1, 7)),
                           (192, (7, 1)), (192, 3, 2, 0)),
                   g.max_pool(x, 3, 2))
    for index, cin in enumerate([1280, 2048]):
        with g.scope(f"Mixed_7{'bc'[index]}"):
            x = _threes(g, x, cin)
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    with g.scope("fc"):
        x = g.linear(x, 2048, 1000, gain=2.0)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def _squares(g, x, cin, pooled):
    return g.join(g.unit("1x1", x, cin, 64, 1),
                  g.chain("5x5", x, cin, (48, 1), (64, 5)),
                  g.chain("3x3dbl", x, cin, (64, 1), (96, 3), (96, 3)),
                  g.unit("pool", g.average_pool(x), cin, pooled, 1))


def _sevens(g, x, cin, width):
    row, column = (1, 7), (7, 1)
    return g.join(g.unit("1x1", x, cin, 192, 1),
                  g.chain("7x7", x, cin, (width, 1), (width, row),
                          (192, column)),
                  g.chain("7x7dbl", x, cin, (width, 1), (width, column),
                          (width, row), (width, column), (192, row)),
                  g.unit("pool", g.average_pool(x), cin, 192, 1))


def _threes(g, x, cin):
    row, column = (1, 3), (3, 1)

    def both(name, y):
        return g.join(g.unit(f"{name}a", y, 384, 384, row),
                      g.unit(f"{name}b", y, 384, 384, column))
    return g.join(g.unit("1x1", x, cin, 320, 1),
                  both("3x3", g.chain("3x3", x, cin, (384, 1))),
                  both("3x3dbl", g.chain("3x3dbl", x, cin, (448, 1), (384, 3))),
                  g.unit("pool", g.average_pool(x), cin, 192, 1))
