"""ResNet-18 over clips: convolutions of 3x3x3, as torchvision's r3d_18.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .convnets import ConvNet


def r3d_18(frames=8):
    g = ConvNet("r3d_18", opset=17)
    x = g.input("input", ["batch", 3, frames, 112, 112])
    with g.scope("stem"):
        x = g.node("Relu", g.conv_bn(x, 3, 64, (3, 7, 7), (1, 2, 2)))
    cin = 64
    for layer, width in enumerate([64, 128, 256, 512], 1):
        for block in range(2):
            stride = 2 if width != cin else 1
            with g.scope(f"layer{layer}"), g.scope(f"layer{layer}.{block}"):
                x = _basic_block(g, x, cin, width, stride)
            cin = width
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    with g.scope("fc"):
        x = g.linear(x, 512, 400, gain=2.0)
    g.output(x, "logits", ["batch", 400])
    return g.model()


def _basic_block(g, x, cin, cout, stride):
    window = (3, 3, 3)
    y = g.node("Relu", g.conv_bn(x, cin, cout, window, stride,
                                 names=("conv1", "bn1")))
    y = g.conv_bn(y, cout, cout, window, scale=0.5, names=("conv2", "bn2"))
    if cin != cout:
        with g.scope("downsample"):
            x = g.conv_bn(x, cin, cout, (1, 1, 1), stride, gain=1.0)
    return g.node("Relu", g.node("Add", y, x))
