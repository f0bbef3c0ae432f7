"""Convolutional networks for images, in the idiom of PyTorch's exporters.

Weights follow He et al. so that activations keep their scale from layer to
layer, and batch normalisation is calibrated on sample images.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np

from .calibrate import calibrate_batch_norms
from .graph import Graph


def _extents(value, rank):
    return [value] * rank if isinstance(value, int) else list(value)


class ConvNet(Graph):
    """The layers that the networks below share."""

    def conv(self, x, cin, cout, kernel, stride=1, group=1, bias=False,
             gain=2.0, pad=None):
        """`gain` is 2 after a ReLU, which halves the second moment, else 1.

        Extents are numbers for square windows, else one per spatial axis.
        """
        kernel = _extents(kernel, 2)
        rank = len(kernel)
        pad = _extents([k // 2 for k in kernel] if pad is None else pad, rank)
        fan_in = cin // group * math.prod(kernel)
        inputs = [x, self.normal("weight", (cout, cin // group, *kernel),
                                 math.sqrt(gain / fan_in))]
        if bias:
            inputs.append(self.normal("bias", (cout,), 0.1))
        return self.node("Conv", *inputs, dilations=[1] * rank, group=group,
                         kernel_shape=kernel, pads=pad * 2,
                         strides=_extents(stride, rank))

    def conv_transpose(self, x, cin, cout, kernel, stride, pad=0, gain=2.0):
        """Each output meets kernel / stride taps per axis."""
        fan_in = cin * (kernel / stride) ** 2
        return self.node("ConvTranspose", x,
                         self.normal("weight", (cin, cout, kernel, kernel),
                                     math.sqrt(gain / fan_in)),
                         self.normal("bias", (cout,), 0.1),
                         dilations=[1, 1], group=1, pads=[pad] * 4,
                         kernel_shape=[kernel] * 2, strides=[stride] * 2)

    def batch_norm(self, x, channels, scale=1.0):
        return self.node(
            "BatchNormalization", x,
            self.uniform("weight", (channels,), 0.8 * scale, 1.2 * scale),
            self.normal("bias", (channels,), 0.2),
            self.weight("running_mean", np.zeros(channels, np.float32)),
            self.weight("running_var", np.ones(channels, np.float32)),
            epsilon=1e-5, momentum=0.9)

    def conv_bn(self, x, cin, cout, kernel, stride=1, group=1, gain=2.0,
                scale=1.0, names=("conv", "bn"), pad=None):
        with self.scope(names[0]):
            x = self.conv(x, cin, cout, kernel, stride, group, gain=gain,
                          pad=pad)
        with self.scope(names[1]):
            return self.batch_norm(x, cout, scale)

    def linear(self, x, cin, cout, gain=1.0):
        return self.node("Gemm", x,
                         self.normal("weight", (cout, cin),
                                     math.sqrt(gain / cin)),
                         self.normal("bias", (cout,), 0.1),
                         alpha=1.0, beta=1.0, transB=1)

    def model(self):
        model = super().model()
        calibrate_batch_norms(model)
        return model

    def relu6(self, x):
        return self.node("Clip", x, np.float32(0), np.float32(6))

    def silu(self, x):
        return self.node("Mul", x, self.node("Sigmoid", x))

    def max_pool(self, x, kernel, stride, pad=0, ceil=0):
        return self.node("MaxPool", x, ceil_mode=ceil, dilations=[1, 1],
                         kernel_shape=[kernel, kernel], pads=[pad] * 4,
                         strides=[stride, stride])


def resnet50():
    return _resnet("resnet50")


def resnext50():
    """ResNeXt-50 32x4d: 3x3 convolutions twice as wide, in 32 groups."""
    return _resnet("resnext50", widen=2, group=32)


def _resnet(name, widen=1, group=1):
    g = ConvNet(name, opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    x = g.node("Relu", g.conv_bn(x, 3, 64, 7, 2, names=("conv1", "bn1")))
    with g.scope("maxpool"):
        x = g.max_pool(x, 3, 2, 1)
    cin = 64
    stages = [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]
    for stage, (width, blocks, stride) in enumerate(stages, 1):
        for block in range(blocks):
            with g.scope(f"layer{stage}"), g.scope(f"layer{stage}.{block}"):
                x = bottleneck(g, x, cin, width * widen, width * 4,
                               stride if block == 0 else 1, group)
            cin = width * 4
    x = g.node("GlobalAveragePool", x)
    x = g.node("Flatten", x, axis=1)
    with g.scope("fc"):
        x = g.linear(x, 2048, 1000)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def bottleneck(g, x, cin, width, cout, stride, group=1, excite=None):
    """1x1, 3x3 and 1x1; `excite` may scale the channels before the last."""
    skip = x
    y = g.node("Relu", g.conv_bn(x, cin, width, 1, names=("conv1", "bn1")))
    y = g.node("Relu", g.conv_bn(y, width, width, 3, stride, group,
                                 names=("conv2", "bn2")))
    if excite:
        y = excite(y)
    # A small last scale keeps the sum of 16 residual branches bounded.
    y = g.conv_bn(y, width, cout, 1, scale=0.5, names=("conv3", "bn3"))
    if cin != cout:
        with g.scope("downsample"):
            skip = g.conv_bn(x, cin, cout, 1, stride, gain=1.0,
                             names=("downsample.0", "downsample.1"))
    return g.node("Relu", g.node("Add", y, skip))


def mobilenetv2():
    g = ConvNet("mobilenetv2", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("features.0"):
        x = g.relu6(g.conv_bn(x, 3, 32, 3, 2))
    cin, index = 32, 1
    settings = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expand, cout, blocks, stride in settings:
        for block in range(blocks):
            with g.scope(f"features.{index}"):
                x = _inverted_residual(g, x, cin, cout, expand,
                                       stride if block == 0 else 1)
            cin, index = cout, index + 1
    with g.scope("features.18"):
        x = g.relu6(g.conv_bn(x, 320, 1280, 1, gain=1.0))
    # torch's mean([2, 3]) instead of a pooling node.
    x = g.node("ReduceMean", x, axes=[2, 3], keepdims=0)
    with g.scope("classifier.1"):
        x = g.linear(x, 1280, 1000)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def _inverted_residual(g, x, cin, cout, expand, stride):
    y, hidden = x, cin * expand
    if expand != 1:
        y = g.relu6(g.conv_bn(y, cin, hidden, 1, gain=1.0,
                              names=("conv.0.0", "conv.0.1")))
    y = g.relu6(g.conv_bn(y, hidden, hidden, 3, stride, group=hidden,
                          names=("conv.1.0", "conv.1.1")))
    y = g.conv_bn(y, hidden, cout, 1, names=("conv.2", "conv.3"))
    return g.node("Add", x, y) if stride == 1 and cin == cout else y


def vgg19():
    g = ConvNet("vgg19", opset=13)
    x = g.input("input", ["batch", 3, 224, 224])
    cin, index = 3, 0
    for width, convs in [(64, 2), (128, 2), (256, 4), (512, 4), (512, 4)]:
        for _ in range(convs):
            with g.scope("features"), g.scope(f"features.{index}"):
                x = g.node("Relu", g.conv(x, cin, width, 3, bias=True))
            cin, index = width, index + 2
        with g.scope("features"), g.scope(f"features.{index}"):
            x = g.max_pool(x, 2, 2)
        index += 1
    # view(x.size(0), -1), with the batch size read from the tensor.
    batch = g.node("Gather", g.node("Shape", x), 0, axis=0)
    shape = g.node("Concat", g.node("Unsqueeze", batch, [0]), [-1], axis=0)
    x = g.node("Reshape", x, shape)
    for name, cin, cout in [("classifier.0", 25088, 4096),
                            ("classifier.3", 4096, 4096)]:
        with g.scope(name):
            x = g.node("Relu", g.linear(x, cin, cout, gain=2.0))
    with g.scope("classifier.6"):
        x = g.linear(x, 4096, 1000, gain=2.0)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def densenet121():
    g = ConvNet("densenet121", opset=17)
    growth = 32
    x = g.input("input", ["batch", 3, 224, 224])
    with g.scope("features"):
        x = g.node("Relu", g.conv_bn(x, 3, 64, 7, 2, names=("conv0", "norm0")))
        x = g.max_pool(x, 3, 2, 1)
        channels = 64
        for block, layers in enumerate([6, 12, 24, 16], 1):
            parts = [x]
            for layer in range(1, layers + 1):
                with g.scope(f"denseblock{block}.denselayer{layer}"):
                    parts.append(_dense_layer(g, parts, channels, growth))
                channels += growth
            x = g.node("Concat", *parts, axis=1)
            if block < 4:
                with g.scope(f"transition{block}"):
                    x = _transition(g, x, channels)
                channels //= 2
        with g.scope("norm5"):
            x = g.batch_norm(x, channels)
    x = g.node("GlobalAveragePool", g.node("Relu", x))
    x = g.node("Flatten", x, axis=1)
    with g.scope("classifier"):
        x = g.linear(x, channels, 1000)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def _dense_layer(g, parts, cin, growth):
    x = g.node("Concat", *parts, axis=1) if len(parts) > 1 else parts[0]
    with g.scope("norm1"):
        x = g.node("Relu", g.batch_norm(x, cin))
    x = g.node("Relu", g.conv_bn(x, cin, 4 * growth, 1,
                                 names=("conv1", "norm2")))
    with g.scope("conv2"):
        return g.conv(x, 4 * growth, growth, 3)


def _transition(g, x, channels):
    with g.scope("norm"):
        x = g.node("Relu", g.batch_norm(x, channels))
    with g.scope("conv"):
        x = g.conv(x, channels, channels // 2, 1)
    return g.node("AveragePool", x, ceil_mode=0, count_include_pad=1,
                  kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])
