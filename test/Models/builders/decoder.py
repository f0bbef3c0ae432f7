"""GPT-2 small with its cache of keys and values as inputs and outputs.

Two models with the same weights: the prefill reads a prompt, the decoding step
one token more. Each layer's keys and values come out for the next step;
`past`, how many there are already, is dynamic. The length of the prompt may be
a name, which makes it dynamic too.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
from onnx import TensorProto

from .transformers import Transformer

LAYERS, WIDTH, HEADS, VOCABULARY, CONTEXT = 12, 768, 12, 50257, 1024
DEPTH = WIDTH // HEADS


def gpt2_prefill(sequence=128, layers=LAYERS, vocabulary=VOCABULARY):
    return _gpt2(sequence, past=None, layers=layers, vocabulary=vocabulary)


def gpt2_decode(sequence=1, layers=LAYERS, vocabulary=VOCABULARY):
    return _gpt2(sequence, past="past", layers=layers, vocabulary=vocabulary)


def _gpt2(sequence, past, layers=LAYERS, vocabulary=VOCABULARY):
    g = Transformer("gpt2", opset=17)
    ids = g.input("input_ids", ["batch", sequence], TensorProto.INT64)
    caches = []
    for layer in range(layers if past else 0):
        caches.append([
            g.input(f"past_{layer}_{part}", ["batch", HEADS, past, DEPTH])
            for part in ("key", "value")])
    total = f"{past} + {sequence}" if past else sequence
    with g.scope("transformer"):
        with g.scope("wte"):
            table = g.normal("weight", (vocabulary, WIDTH), 0.7)
            x = g.node("Gather", table, ids)
        positions, end = _positions(g, caches, sequence, ids)
        x = g.node("Add", x, g.embedding("wpe", positions, CONTEXT, WIDTH))
        mask = _mask(g, sequence, past, positions, end)
        for layer in range(layers):
            with g.scope(f"h.{layer}"):
                x, key, value = _block(g, x, mask, sequence,
                                       *(caches[layer] if past else ()))
            for part, tensor in [("key", key), ("value", value)]:
                g.output(tensor, f"present_{layer}_{part}",
                         ["batch", HEADS, total, DEPTH])
        with g.scope("ln_f"):
            x = g.layer_norm(x, WIDTH, 1e-5)
    # The embedding is also the last layer's weight; the scale keeps logits
    # of this random table moderate.
    x = g.node("Mul", x, np.float32(1 / math.sqrt(WIDTH)))
    x = g.node("MatMul", x, g.node("Transpose", table, perm=[1, 0]))
    g.output(x, "logits", ["batch", sequence, vocabulary])
    return g.model()


def _positions(g, caches, sequence, ids):
    """past, past + 1, ... as indices of position embeddings, and their end."""
    if isinstance(sequence, str):
        sequence = g.node("Gather", g.node("Shape", ids), 1, axis=0)
    elif not caches:
        return np.arange(sequence, dtype=np.int64)[None], sequence
    start, end = 0, sequence
    if caches:
        start = g.node("Gather", g.node("Shape", caches[0][0]), 2, axis=0)
        end = g.node("Add", start, sequence)
    return g.node("Unsqueeze", g.node("Range", start, end, 1), [0]), end


def _mask(g, sequence, past, positions, end):
    """What is added to scores so that no token sees a later one."""
    lowest = np.finfo(np.float32).min
    if isinstance(sequence, str):
        # One row per new token, one column per token.
        rows = g.node("Transpose", positions, perm=[1, 0])
        is_before = g.node("LessOrEqual", g.node("Range", 0, end, 1), rows)
        return g.node("Where", is_before, np.float32(0), lowest)
    if past:
        return None
    return g.weight("mask", np.triu(np.full((sequence, sequence), lowest), 1))


def _linear(g, name, x, cin, cout):
    with g.scope(name):
        return g.matmul(x, cin, cout)


def _block(g, x, mask, sequence, past_key=None, past_value=None):
    """One layer: its result, and all keys and values up to now."""
    if isinstance(sequence, str):
        sequence = 0  # as long as the operand of the reshape
    with g.scope("ln_1"):
        y = g.layer_norm(x, WIDTH, 1e-5)
    with g.scope("attn"):
        y = _linear(g, "c_attn", y, WIDTH, 3 * WIDTH)
        parts = g.node("Split", y, [WIDTH] * 3, outputs=3, axis=2)
        parts = [g.node("Reshape", p, [0, sequence, HEADS, DEPTH])
                 for p in parts]
        query, key, value = [g.node("Transpose", p, perm=[0, 2, 1, 3])
                             for p in parts]
        if past_key:
            key = g.node("Concat", past_key, key, axis=2)
            value = g.node("Concat", past_value, value, axis=2)
        scores = g.node("MatMul", query,
                        g.node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = g.node("Div", scores, math.sqrt(DEPTH))
        if mask:
            scores = g.node("Add", scores, mask)
        y = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        y = g.node("Transpose", y, perm=[0, 2, 1, 3])
        y = g.node("Reshape", y, [0, sequence, WIDTH])
        y = _linear(g, "c_proj", y, WIDTH, WIDTH)
    x = g.node("Add", y, x)
    with g.scope("ln_2"):
        y = g.layer_norm(x, WIDTH, 1e-5)
    with g.scope("mlp"):
        y = g.gelu_tanh_parts(_linear(g, "c_fc", y, WIDTH, 4 * WIDTH))
        y = _linear(g, "c_proj", y, 4 * WIDTH, WIDTH)
    return g.node("Add", x, y), key, value
