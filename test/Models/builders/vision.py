"""ConvNeXt and Swin: convolutional networks and transformers side by side.

Both keep channels last for their linear layers and channels first for
convolutions, and permute in between, as PyTorch's exporter writes them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np

from .convnets import ConvNet
from .transformers import Transformer


class _Hierarchical(ConvNet, Transformer):
    """Four stages, each with half the size of the one before."""

    def permuted(self, x, *permutation):
        return self.node("Transpose", x, perm=list(permutation))

    def norm(self, name, x, width, epsilon):
        with self.scope(name):
            return self.layer_norm(x, width, epsilon)

    def mlp(self, x, width, std):
        with self.scope("mlp.0"):
            x = self.gelu_parts(self.matmul(x, width, 4 * width))
        with self.scope("mlp.3"):
            return self.matmul(x, 4 * width, width, std)

    def classifier(self, x, width):
        with self.scope("head"):
            x = self.linear(x, width, 1000)
        self.output(x, "logits", ["batch", 1000])
        return self.model()


def convnext_tiny():
    g = _Hierarchical("convnext_tiny", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])

    def norm_channels(x, width):
        x = g.norm("norm", g.permuted(x, 0, 2, 3, 1), width, 1e-6)
        return g.permuted(x, 0, 3, 1, 2)

    with g.scope("features.0"):
        x = norm_channels(g.conv(x, 3, 96, 4, 4, bias=True, pad=0), 96)
    cin = 96
    for stage, (width, blocks) in enumerate(
            [(96, 3), (192, 3), (384, 9), (768, 3)]):
        if stage:
            with g.scope(f"features.{2 * stage}"):
                x = g.conv(norm_channels(x, cin), cin, width, 2, 2, bias=True,
                           gain=1.0, pad=0)
        for block in range(blocks):
            with g.scope(f"features.{2 * stage + 1}.{block}"):
                x = _convnext_block(g, x, width)
        cin = width
    x = norm_channels(g.node("GlobalAveragePool", x), cin)
    return g.classifier(g.node("Flatten", x, axis=1), cin)


def _convnext_block(g, x, width):
    y = g.conv(x, width, width, 7, group=width, bias=True, gain=1.0)
    y = g.norm("norm", g.permuted(y, 0, 2, 3, 1), width, 1e-6)
    y = g.permuted(g.mlp(y, width, 1 / math.sqrt(width)), 0, 3, 1, 2)
    scale = g.uniform("layer_scale", (width, 1, 1), 0.2, 0.4)
    return g.node("Add", g.node("Mul", scale, y), x)


WINDOW = 7


def swin_t():
    g = _Hierarchical("swin_t", opset=17)
    x = g.input("input", ["batch", 3, 224, 224])
    width, size = 96, 56
    with g.scope("features.0"):
        x = g.permuted(g.conv(x, 3, width, 4, 4, bias=True, pad=0), 0, 2, 3, 1)
        x = g.norm("norm", x, width, 1e-5)
    for stage, blocks in enumerate([2, 2, 6, 2]):
        if stage:
            with g.scope(f"features.{2 * stage}"):
                x = _merge_patches(g, x, width)
            width, size = 2 * width, size // 2
        for block in range(blocks):
            shift = WINDOW // 2 if block % 2 and size > WINDOW else 0
            with g.scope(f"features.{2 * stage + 1}.{block}"):
                x = _swin_block(g, x, width, size, shift)
    x = g.norm("norm", x, width, 1e-5)
    x = g.node("GlobalAveragePool", g.permuted(x, 0, 3, 1, 2))
    return g.classifier(g.node("Flatten", x, axis=1), width)


def _every_second(g, x, row, column):
    limit = np.iinfo(np.int64).max
    return g.node("Slice", x, [row, column], [limit, limit], [1, 2], [2, 2])


def _merge_patches(g, x, width):
    parts = [_every_second(g, x, row, column)
             for column in range(2) for row in range(2)]
    x = g.layer_norm(g.node("Concat", *parts, axis=-1), 4 * width, 1e-5)
    with g.scope("reduction"):
        weight = g.normal("weight", (4 * width, 2 * width),
                          1 / math.sqrt(4 * width))
        return g.node("MatMul", x, weight)


def _roll(g, x, shift):
    """torch.roll by -shift along both axes, as the exporter unfolds it."""
    limit = np.iinfo(np.int64).max
    for axis in (1, 2):
        x = g.node("Concat", g.node("Slice", x, [shift], [limit], [axis], [1]),
                   g.node("Slice", x, [0], [shift], [axis], [1]), axis=axis)
    return x


def _shifted_mask(size, shift):
    """-100 between positions that the roll made neighbours."""
    region = np.zeros((size, size), np.int64)
    cuts = [0, size - WINDOW, size - shift, size]
    for i in range(3):
        for j in range(3):
            region[cuts[i]:cuts[i + 1], cuts[j]:cuts[j + 1]] = 3 * i + j
    count = size // WINDOW
    region = region.reshape(count, WINDOW, count, WINDOW).swapaxes(1, 2)
    region = region.reshape(count * count, WINDOW * WINDOW)
    differs = region[:, None, :] != region[:, :, None]
    return np.where(differs, -100, 0).astype(np.float32)


def _swin_block(g, x, width, size, shift):
    y = g.norm("norm1", x, width, 1e-5)
    with g.scope("attn"):
        y = _window_attention(g, y, width, size, shift)
    x = g.node("Add", x, y)
    y = g.norm("norm2", x, width, 1e-5)
    return g.node("Add", x, g.mlp(y, width, 0.5 / math.sqrt(width)))


def _window_attention(g, x, width, size, shift):
    count, tokens, heads = size // WINDOW, WINDOW * WINDOW, width // 32
    if shift:
        x = _roll(g, x, shift)
    x = g.node("Reshape", x, [-1, count, WINDOW, count, WINDOW, width])
    x = g.node("Reshape", g.permuted(x, 0, 1, 3, 2, 4, 5), [-1, tokens, width])
    with g.scope("qkv"):
        x = g.matmul(x, width, 3 * width)
    x = g.permuted(g.node("Reshape", x, [-1, tokens, 3, heads, 32]),
                   2, 0, 3, 1, 4)
    query, key, value = [g.node("Gather", x, i, axis=0) for i in range(3)]
    query = g.node("Mul", query, 32 ** -0.5)
    scores = g.node("MatMul", query, g.permuted(key, 0, 1, 3, 2))
    scores = g.node("Add", scores,
                    g.normal("relative_position_bias",
                             (1, heads, tokens, tokens), 0.3))
    if shift:
        mask = _shifted_mask(size, shift)[None, :, None]
        scores = g.node("Reshape", scores,
                        [-1, count * count, heads, tokens, tokens])
        scores = g.node("Add", scores, g.weight("mask", mask))
        scores = g.node("Reshape", scores, [-1, heads, tokens, tokens])
    x = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
    x = g.node("Reshape", g.permuted(x, 0, 2, 1, 3), [-1, tokens, width])
    with g.scope("proj"):
        x = g.matmul(x, width, width)
    x = g.node("Reshape", x, [-1, count, count, WINDOW, WINDOW, width])
    x = g.node("Reshape", g.permuted(x, 0, 1, 3, 2, 4, 5),
               [-1, size, size, width])
    return _roll(g, x, size - shift) if shift else x
