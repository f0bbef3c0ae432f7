"""wav2vec 2.0: 1-D convolutions over a waveform, then a transformer.

Structure and names follow the base model, with four of its twelve layers and
half a second of sound.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np

from .convnets import ConvNet
from .transformers import Transformer

CHANNELS, WIDTH, HEADS, CHARACTERS = 512, 768, 12, 32


class _Speech(ConvNet, Transformer):
    pass


def wav2vec2(samples=8000, layers=4):
    g = _Speech("wav2vec2", opset=17)
    x = g.node("Unsqueeze", g.input("input", ["batch", samples]), [1])
    length, cin = samples, 1
    for layer, (kernel, stride) in enumerate(
            [(10, 5)] + 4 * [(3, 2)] + 2 * [(2, 2)]):
        with g.scope(f"feature_extractor.{layer}"):
            x = g.conv(x, cin, CHANNELS, (kernel,), stride, pad=0)
            if layer == 0:
                x = _group_norm(g, x)
            x = g.gelu_parts(x)
        length, cin = (length - kernel) // stride + 1, CHANNELS
    x = g.node("Transpose", x, perm=[0, 2, 1])
    with g.scope("feature_projection"):
        with g.scope("layer_norm"):
            x = g.layer_norm(x, CHANNELS, 1e-5)
        with g.scope("projection"):
            x = g.matmul(x, CHANNELS, WIDTH)
    with g.scope("encoder"):
        x = g.node("Add", x, _positions(g, x))
        with g.scope("layer_norm"):
            x = g.layer_norm(x, WIDTH, 1e-5)
        for layer in range(layers):
            with g.scope(f"layers.{layer}"):
                x = _encoder_layer(g, x, length)
    with g.scope("lm_head"):
        x = g.matmul(x, WIDTH, CHARACTERS)
    g.output(x, "logits", ["batch", length, CHARACTERS])
    return g.model()


def _group_norm(g, x):
    """A group for each channel, as torch.nn.GroupNorm is exported."""
    y = g.node("Reshape", x, [0, CHANNELS, -1])
    y = g.node("InstanceNormalization", y, np.ones(CHANNELS, np.float32),
               np.zeros(CHANNELS, np.float32), epsilon=1e-5)
    y = g.node("Reshape", y, g.node("Shape", x))
    with g.scope("layer_norm"):
        y = g.node("Mul", y, g.uniform("weight", (CHANNELS, 1), 0.8, 1.2))
        return g.node("Add", y, g.normal("bias", (CHANNELS, 1), 0.1))


def _positions(g, x):
    """A convolution over 128 steps in 16 groups; its last output goes."""
    with g.scope("pos_conv_embed"):
        y = g.node("Transpose", x, perm=[0, 2, 1])
        y = g.conv(y, WIDTH, WIDTH, (128,), group=16, bias=True, gain=1.0)
        y = g.node("Slice", y, [0], [-1], [2], [1])
        return g.node("Transpose", g.gelu_parts(y), perm=[0, 2, 1])


def _encoder_layer(g, x, length):
    depth = WIDTH // HEADS

    def heads(name):
        with g.scope(name):
            y = g.matmul(x, WIDTH, WIDTH)
        y = g.node("Reshape", y, [-1, length, HEADS, depth])
        return g.node("Transpose", y, perm=[0, 2, 1, 3])

    with g.scope("attention"):
        query = g.node("Mul", heads("q_proj"), 1 / math.sqrt(depth))
        key = g.node("Transpose", heads("k_proj"), perm=[0, 1, 3, 2])
        scores = g.node("Softmax", g.node("MatMul", query, key), axis=-1)
        y = g.node("MatMul", scores, heads("v_proj"))
        y = g.node("Reshape", g.node("Transpose", y, perm=[0, 2, 1, 3]),
                   [-1, length, WIDTH])
        with g.scope("out_proj"):
            x = g.node("Add", x, g.matmul(y, WIDTH, WIDTH))
    with g.scope("layer_norm"):
        x = g.layer_norm(x, WIDTH, 1e-5)
    with g.scope("feed_forward"):
        with g.scope("intermediate_dense"):
            y = g.gelu_parts(g.matmul(x, WIDTH, 4 * WIDTH))
        with g.scope("output_dense"):
            x = g.node("Add", x, g.matmul(y, 4 * WIDTH, WIDTH))
    with g.scope("final_layer_norm"):
        return g.layer_norm(x, WIDTH, 1e-5)
