"""Small convolutional networks: MobileNetV3, EfficientNet and SqueezeNet.

Structure and node names follow torchvision's models; the weights are drawn and
calibrated as in convnets.py.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .convnets import ConvNet


def _hard_swish(g, x):
    return g.node("HardSwish", x)


def _relu(g, x):
    return g.node("Relu", x)


def _silu(g, x):
    return g.silu(x)


def _hard_sigmoid(g, x):
    return g.node("HardSigmoid", x, alpha=1 / 6)


def _sigmoid(g, x):
    return g.node("Sigmoid", x)


def squeeze_excite(g, x, channels, squeezed, activation, gate):
    """Scales each channel by a number computed from all channels' means."""
    y = g.node("GlobalAveragePool", x)
    with g.scope("fc1"):
        y = activation(g, g.conv(y, channels, squeezed, 1, bias=True))
    with g.scope("fc2"):
        y = gate(g, g.conv(y, squeezed, channels, 1, bias=True))
    return g.node("Mul", y, x)


def _inverted_residual(g, x, cin, hidden, cout, kernel, stride, activation,
                       excite=None):
    """Expand, filter each channel, excite, project; add where shapes agree."""
    y = x
    if hidden != cin:
        with g.scope("expand"):
            y = activation(g, g.conv_bn(y, cin, hidden, 1, gain=1.0))
    with g.scope("depthwise"):
        y = activation(g, g.conv_bn(y, hidden, hidden, kernel, stride,
                                    group=hidden))
    if excite:
        with g.scope("se"):
            y = squeeze_excite(g, y, hidden, *excite)
    with g.scope("project"):
        y = g.conv_bn(y, hidden, cout, 1)
    return g.node("Add", y, x) if stride == 1 and cin == cout else y


def _eighths(channels):
    """The multiple of 8 nearest to `channels`, as torchvision rounds."""
    return max(8, int(channels + 4) // 8 * 8)


def mobilenetv3_large():
    g = ConvNet("mobilenetv3_large", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("features.0"):
        x = _hard_swish(g, g.conv_bn(x, 3, 16, 3, 2))
    # kernel, hidden, out, squeeze and excite, activation, stride
    relu, swish = _relu, _hard_swish
    settings = [
        (3, 16, 16, False, relu, 1), (3, 64, 24, False, relu, 2),
        (3, 72, 24, False, relu, 1), (5, 72, 40, True, relu, 2),
        (5, 120, 40, True, relu, 1), (5, 120, 40, True, relu, 1),
        (3, 240, 80, False, swish, 2), (3, 200, 80, False, swish, 1),
        (3, 184, 80, False, swish, 1), (3, 184, 80, False, swish, 1),
        (3, 480, 112, True, swish, 1), (3, 672, 112, True, swish, 1),
        (5, 672, 160, True, swish, 2), (5, 960, 160, True, swish, 1),
        (5, 960, 160, True, swish, 1)]
    cin = 16
    for index, (kernel, hidden, cout, excite, activation, stride) in enumerate(
            settings, 1):
        with g.scope(f"features.{index}"):
            x = _inverted_residual(
                g, x, cin, hidden, cout, kernel, stride, activation,
                (_eighths(hidden // 4), relu, _hard_sigmoid) if excite
                else None)
        cin = cout
    with g.scope("features.16"):
        x = swish(g, g.conv_bn(x, 160, 960, 1, gain=1.0))
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    with g.scope("classifier.0"):
        x = swish(g, g.linear(x, 960, 1280))
    with g.scope("classifier.3"):
        x = g.linear(x, 1280, 1000, gain=2.0)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def efficientnet_b0():
    g = ConvNet("efficientnet_b0", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("features.0"):
        x = _silu(g, g.conv_bn(x, 3, 32, 3, 2))
    # expansion, kernel, stride, out, blocks
    settings = [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2),
                (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4),
                (6, 3, 1, 320, 1)]
    cin = 32
    for stage, (expand, kernel, stride, cout, blocks) in enumerate(
            settings, 1):
        for block in range(blocks):
            with g.scope(f"features.{stage}.{block}"):
                x = _inverted_residual(
                    g, x, cin, cin * expand, cout, kernel,
                    stride if block == 0 else 1, _silu,
                    (cin // 4, _silu, _sigmoid))
            cin = cout
    with g.scope("features.8"):
        x = _silu(g, g.conv_bn(x, 320, 1280, 1, gain=1.0))
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    with g.scope("classifier.1"):
        x = g.linear(x, 1280, 1000, gain=2.0)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def squeezenet1_1():
    g = ConvNet("squeezenet1_1", opset=13)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("features.0"):
        x = g.node("Relu", g.conv(x, 3, 64, 3, 2, bias=True, pad=0))
    x = g.max_pool(x, 3, 2, ceil=1)
    cin, index = 64, 3
    for squeezed, expanded, blocks in [(16, 64, 2), (32, 128, 2),
                                       (48, 192, 2), (64, 256, 2)]:
        for _ in range(blocks):
            with g.scope(f"features.{index}"):
                x = _fire(g, x, cin, squeezed, expanded)
            cin, index = 2 * expanded, index + 1
        if index in (5, 8):
            x = g.max_pool(x, 3, 2, ceil=1)
            index += 1
    with g.scope("classifier.1"):
        x = g.node("Relu", g.conv(x, 512, 1000, 1, bias=True))
    x = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def _fire(g, x, cin, squeezed, expanded):
    with g.scope("squeeze"):
        x = g.node("Relu", g.conv(x, cin, squeezed, 1, bias=True))
    with g.scope("expand1x1"):
        small = g.node("Relu", g.conv(x, squeezed, expanded, 1, bias=True))
    with g.scope("expand3x3"):
        large = g.node("Relu", g.conv(x, squeezed, expanded, 3, bias=True))
    return g.node("Concat", small, large, axis=1)
