"""A small decoder in the manner of LLaMA: RMS normalisation, rotary positions,
fewer heads of keys than of queries, gated linear units.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
from onnx import TensorProto

from .transformers import Transformer

LAYERS, WIDTH, HEADS, KEY_HEADS, DEPTH = 4, 768, 12, 4, 64
HIDDEN, VOCABULARY = 2048, 8000


def llama(sequence=128):
    g = Transformer("llama", opset=17)
    ids = g.input("input_ids", ["batch", sequence], TensorProto.INT64)
    x = g.embedding("embed_tokens", ids, VOCABULARY, WIDTH)
    mask = g.weight("mask", np.triu(np.full((sequence, sequence),
                                            np.finfo(np.float32).min), 1))
    angles = np.outer(np.arange(sequence),
                      10000 ** (-np.arange(0, DEPTH, 2) / DEPTH))
    angles = np.concatenate([angles, angles], 1).astype(np.float32)
    turn = (g.weight("cos", np.cos(angles)), g.weight("sin", np.sin(angles)))
    for layer in range(LAYERS):
        with g.scope(f"layers.{layer}"):
            x = _layer(g, x, sequence, mask, turn)
    with g.scope("norm"):
        x = _rms_norm(g, x)
    with g.scope("lm_head"):
        x = _linear(g, x, WIDTH, VOCABULARY)
    g.output(x, "logits", ["batch", sequence, VOCABULARY])
    return g.model()


def _rms_norm(g, x):
    square = g.node("ReduceMean", g.node("Pow", x, 2.0), axes=[-1])
    root = g.node("Sqrt", g.node("Add", square, 1e-5))
    y = g.node("Mul", x, g.node("Div", 1.0, root))
    return g.node("Mul", g.uniform("weight", (WIDTH,), 0.8, 1.2), y)


def _linear(g, x, cin, cout):
    return g.node("MatMul", x, g.normal("weight", (cin, cout),
                                        1 / math.sqrt(cin)))


def _rotate(g, x, turn):
    half, limit = DEPTH // 2, np.iinfo(np.int64).max
    low = g.node("Slice", x, [0], [half], [3], [1])
    high = g.node("Slice", x, [half], [limit], [3], [1])
    rotated = g.node("Concat", g.node("Neg", high), low, axis=-1)
    return g.node("Add", g.node("Mul", x, turn[0]),
                  g.node("Mul", rotated, turn[1]))


def _layer(g, x, sequence, mask, turn):
    def heads(name, y, count):
        with g.scope(name):
            y = _linear(g, y, WIDTH, count * DEPTH)
        y = g.node("Reshape", y, [-1, sequence, count, DEPTH])
        return g.node("Transpose", y, perm=[0, 2, 1, 3])

    def repeat(y):
        """Each head of keys or values serves some of queries."""
        times = HEADS // KEY_HEADS
        y = g.node("Expand", g.node("Unsqueeze", y, [2]),
                   [1, KEY_HEADS, times, sequence, DEPTH])
        return g.node("Reshape", y, [-1, HEADS, sequence, DEPTH])

    with g.scope("input_layernorm"):
        y = _rms_norm(g, x)
    with g.scope("self_attn"):
        query = _rotate(g, heads("q_proj", y, HEADS), turn)
        key = repeat(_rotate(g, heads("k_proj", y, KEY_HEADS), turn))
        value = repeat(heads("v_proj", y, KEY_HEADS))
        scores = g.node("MatMul", query,
                        g.node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = g.node("Div", scores, math.sqrt(DEPTH))
        scores = g.node("Softmax", g.node("Add", scores, mask), axis=-1)
        y = g.node("Transpose", g.node("MatMul", scores, value),
                   perm=[0, 2, 1, 3])
        y = g.node("Reshape", y, [-1, sequence, WIDTH])
        with g.scope("o_proj"):
            x = g.node("Add", x, _linear(g, y, WIDTH, WIDTH))
    with g.scope("post_attention_layernorm"):
        y = _rms_norm(g, x)
    with g.scope("mlp"):
        with g.scope("gate_proj"):
            gate = _linear(g, y, WIDTH, HIDDEN)
        with g.scope("up_proj"):
            up = _linear(g, y, WIDTH, HIDDEN)
        y = g.node("Mul", g.node("Mul", gate, g.node("Sigmoid", gate)), up)
        with g.scope("down_proj"):
            return g.node("Add", x, _linear(g, y, HIDDEN, WIDTH))
