"""Convolutions in groups of a few channels: RegNet and ShuffleNetV2.

Structure and node names follow torchvision's models; the weights are drawn and
calibrated as in convnets.py, where ResNeXt is too.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .convnets import ConvNet, bottleneck
from .mobile import squeeze_excite


def _relu(g, x):
    return g.node("Relu", x)


def _sigmoid(g, x):
    return g.node("Sigmoid", x)


def _classifier(g, x, channels):
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    with g.scope("fc"):
        x = g.linear(x, channels, 1000, gain=2.0)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def regnet_y_400mf(group_width=8):
    g = ConvNet("regnet_y_400mf", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("stem"):
        x = _relu(g, g.conv_bn(x, 3, 32, 3, 2))
    cin = 32
    for stage, (width, blocks) in enumerate(
            [(48, 1), (104, 3), (208, 6), (440, 6)], 1):
        for block in range(blocks):
            def excite(y, cin=cin, width=width):
                with g.scope("se"):
                    return squeeze_excite(g, y, width, cin // 4, _relu,
                                          _sigmoid)
            with g.scope(f"block{stage}"), g.scope(f"block{stage}.{block}"):
                x = bottleneck(g, x, cin, width, width,
                               2 if block == 0 else 1, width // group_width,
                               excite)
            cin = width
    return _classifier(g, x, cin)


def shufflenetv2():
    g = ConvNet("shufflenetv2", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("conv1"):
        x = _relu(g, g.conv_bn(x, 3, 24, 3, 2))
    x = g.max_pool(x, 3, 2, 1)
    cin, size = 24, 56
    for stage, (cout, blocks) in enumerate([(116, 4), (232, 8), (464, 4)], 2):
        size //= 2
        for block in range(blocks):
            with g.scope(f"stage{stage}.{block}"):
                x = _shuffle_unit(g, x, cin, cout, 2 if block == 0 else 1, size)
            cin = cout
    with g.scope("conv5"):
        x = _relu(g, g.conv_bn(x, cin, 1024, 1))
    return _classifier(g, x, 1024)


def _shuffle_unit(g, x, cin, cout, stride, size):
    half = cout // 2
    if stride == 1:
        left, right = g.node("Split", x, [half, half], outputs=2, axis=1)
        width = half
    else:
        with g.scope("branch1"):
            left = g.conv_bn(x, cin, cin, 3, 2, group=cin)
            left = _relu(g, g.conv_bn(left, cin, half, 1,
                                      names=("conv2", "bn2")))
        right, width = x, cin
    with g.scope("branch2"):
        right = _relu(g, g.conv_bn(right, width, half, 1,
                                   names=("conv1", "bn1")))
        right = g.conv_bn(right, half, half, 3, stride, group=half,
                          names=("conv2", "bn2"))
        right = _relu(g, g.conv_bn(right, half, half, 1,
                                   names=("conv3", "bn3")))
    x = g.node("Concat", left, right, axis=1)
    # Channel shuffle: of both halves in turn.
    x = g.node("Reshape", x, [0, 2, half, size, size])
    x = g.node("Transpose", x, perm=[0, 2, 1, 3, 4])
    return g.node("Reshape", x, [0, cout, size, size])
