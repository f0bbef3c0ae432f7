"""Transformers, each in the idiom of a different exporter and opset.

BERT is what PyTorch's older exporter writes at opset 14: shape arithmetic for
the dynamic batch, layer normalisation and GELU as their parts. ViT uses the
whole operators of opset 20. GPT builds its causal mask from the input's shape.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np
from onnx import TensorProto, numpy_helper

from .graph import Graph


class Transformer(Graph):
    """The layers that the networks below share."""

    def embedding(self, name, ids, count, width):
        with self.scope(name):
            return self.node("Gather",
                             self.normal("weight", (count, width), 0.7), ids)

    def matmul(self, x, cin, cout, std=None):
        """A linear layer as the older exporter writes it for 3-D inputs."""
        weight = self.normal("weight", (cin, cout), std or 1 / math.sqrt(cin))
        bias = self.normal("bias", (cout,), 0.05)
        return self.node("Add", bias, self.node("MatMul", x, weight))

    def norm_weights(self, width):
        return (self.uniform("weight", (width,), 0.8, 1.2),
                self.normal("bias", (width,), 0.1))

    def layer_norm(self, x, width, epsilon):
        scale, bias = self.norm_weights(width)
        return self.node("LayerNormalization", x, scale, bias, axis=-1,
                         epsilon=epsilon)

    def layer_norm_parts(self, x, width, epsilon):
        scale, bias = self.norm_weights(width)
        mean = self.node("ReduceMean", x, axes=[-1])
        centred = self.node("Sub", x, mean)
        square = self.node("Pow", centred, 2.0)
        variance = self.node("ReduceMean", square, axes=[-1])
        sigma = self.node("Sqrt", self.node("Add", variance, epsilon))
        y = self.node("Div", centred, sigma)
        return self.node("Add", self.node("Mul", y, scale), bias)

    def gelu_parts(self, x):
        y = self.node("Erf", self.node("Div", x, math.sqrt(2)))
        y = self.node("Mul", x, self.node("Add", y, 1.0))
        return self.node("Mul", y, 0.5)

    def gelu_tanh_parts(self, x):
        cube = self.node("Pow", x, 3.0)
        inner = self.node("Add", x, self.node("Mul", cube, 0.044715))
        y = self.node("Tanh", self.node("Mul", inner, math.sqrt(2 / math.pi)))
        return self.node("Mul", self.node("Mul", x, 0.5),
                         self.node("Add", y, 1.0))

    def dim(self, x, axis):
        """x.size(axis) as a 1-element tensor."""
        size = self.node("Gather", self.node("Shape", x), axis, axis=0)
        return self.node("Unsqueeze", size, [0])

    def view(self, x, *dims):
        """x.view(dims): each a number or a value from `dim`."""
        parts = [d if isinstance(d, str) else self.constant([d])
                 for d in dims]
        return self.node("Reshape", x, self.node("Concat", *parts, axis=0))

    def expand(self, x, shape, rank):
        """x.expand(shape), where -1 keeps an extent."""
        ones = self.node("ConstantOfShape", [rank],
                         value=numpy_helper.from_array(np.array([1])))
        keeps = self.node("Equal", shape, self.node("Mul", ones, -1))
        return self.node("Expand", x, self.node("Where", keeps, ones, shape))


def bert_base(layers=12, width=768, heads=12, sequence=128, vocabulary=30522):
    g = Transformer("bert_base", opset=14)
    shape = ["batch", sequence]
    ids = g.input("input_ids", shape, TensorProto.INT64)
    mask = g.input("attention_mask", shape, TensorProto.INT64)
    types = g.input("token_type_ids", shape, TensorProto.INT64)

    # (1 - mask) * lowest, broadcast over heads and queries.
    bias = g.node("Unsqueeze", g.node("Unsqueeze", mask, [1]), [2])
    bias = g.node("Cast", bias, to=TensorProto.FLOAT)
    bias = g.node("Sub", 1.0, bias)
    bias = g.node("Mul", bias, np.finfo(np.float32).min)

    with g.scope("embeddings"):
        x = _bert_embeddings(g, ids, types, width, vocabulary)
    for layer in range(layers):
        with g.scope("encoder"), g.scope(f"layer.{layer}"):
            x = _bert_layer(g, x, bias, width, heads)
    x = g.output(x, "last_hidden_state", ["batch", sequence, width])
    with g.scope("pooler"):
        first = g.node("Gather", x, 0, axis=1)
        with g.scope("dense"):
            pooled = g.node("Gemm", first,
                            g.normal("weight", (width, width),
                                     1 / math.sqrt(width)),
                            g.normal("bias", (width,), 0.05),
                            alpha=1.0, beta=1.0, transB=1)
        pooled = g.node("Tanh", pooled)
    g.output(pooled, "pooler_output", ["batch", width])
    return g.model()


def bert_base_384():
    return bert_base(sequence=384)


def _bert_embeddings(g, ids, types, width, vocabulary):
    words = g.embedding("word_embeddings", ids, vocabulary, width)
    kinds = g.embedding("token_type_embeddings", types, 2, width)
    x = g.node("Add", words, kinds)
    # position_ids[:, :ids.size(1)]
    length = g.dim(ids, 1)
    positions = g.weight("position_ids",
                         np.arange(512, dtype=np.int64)[None])
    positions = g.node("Slice", positions, [0], length, [1], [1])
    x = g.node("Add", x, g.embedding("position_embeddings", positions, 512,
                                     width))
    with g.scope("LayerNorm"):
        return g.layer_norm_parts(x, width, 1e-12)


def _bert_layer(g, x, bias, width, heads):
    def split_heads(name):
        with g.scope(name):
            y = g.matmul(x, width, width)
        y = g.view(y, g.dim(y, 0), g.dim(y, 1), heads, width // heads)
        return g.node("Transpose", y, perm=[0, 2, 1, 3])

    with g.scope("attention"), g.scope("self"):
        query = split_heads("query")
        key = g.node("Transpose", split_heads("key"), perm=[0, 1, 3, 2])
        value = split_heads("value")
        scores = g.node("MatMul", query, key)
        scores = g.node("Div", scores, math.sqrt(width // heads))
        scores = g.node("Add", scores, bias)
        context = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        context = g.node("Transpose", context, perm=[0, 2, 1, 3])
        context = g.view(context, g.dim(context, 0), g.dim(context, 1), width)
    with g.scope("attention"), g.scope("output"):
        with g.scope("dense"):
            y = g.matmul(context, width, width)
        with g.scope("LayerNorm"):
            x = g.layer_norm_parts(g.node("Add", y, x), width, 1e-12)
    with g.scope("intermediate"), g.scope("dense"):
        y = g.gelu_parts(g.matmul(x, width, 4 * width))
    with g.scope("output"):
        with g.scope("dense"):
            y = g.matmul(y, 4 * width, width)
        with g.scope("LayerNorm"):
            return g.layer_norm_parts(g.node("Add", y, x), width, 1e-12)


def vit_b16(layers=12, width=768, heads=12):
    g = Transformer("vit_b16", opset=20)
    x = g.input("input", ["batch", 3, 224, 224])
    patches = 14 * 14
    with g.scope("patch_embed"):
        x = g.node("Conv", x,
                   g.normal("proj.weight", (width, 3, 16, 16),
                            1 / math.sqrt(3 * 16 * 16)),
                   g.normal("proj.bias", (width,), 0.1),
                   kernel_shape=[16, 16], strides=[16, 16])
        x = g.node("Reshape", x, [0, width, patches])
        x = g.node("Transpose", x, perm=[0, 2, 1])
    token = g.normal("cls_token", (1, 1, width), 0.5)
    batch = g.node("Shape", x, start=0, end=1)
    token = g.expand(token, g.node("Concat", batch, [-1, -1], axis=0), 3)
    x = g.node("Concat", token, x, axis=1)
    x = g.node("Add", x, g.normal("pos_embed", (1, patches + 1, width), 0.3))
    for layer in range(layers):
        with g.scope(f"blocks.{layer}"):
            x = _vit_block(g, x, width, heads, patches + 1)
    with g.scope("norm"):
        x = g.layer_norm(x, width, 1e-6)
    x = g.node("Gather", x, 0, axis=1)
    with g.scope("head"):
        x = g.node("Gemm", x,
                   g.normal("weight", (1000, width), 1 / math.sqrt(width)),
                   g.normal("bias", (1000,), 0.1), transB=1)
    g.output(x, "logits", ["batch", 1000])
    return g.model()


def _vit_block(g, x, width, heads, tokens):
    depth = width // heads
    with g.scope("norm1"):
        y = g.layer_norm(x, width, 1e-6)
    with g.scope("attn"):
        with g.scope("qkv"):
            y = g.matmul(y, width, 3 * width)
        y = g.node("Reshape", y, [0, tokens, 3, heads, depth])
        y = g.node("Transpose", y, perm=[2, 0, 3, 1, 4])
        parts = g.node("Split", y, outputs=3, axis=0, num_outputs=3)
        query, key, value = [g.node("Squeeze", p, [0]) for p in parts]
        # Both factors are scaled by depth ** -1/4, as torch's
        # scaled_dot_product_attention is exported.
        scale = depth ** -0.25
        key = g.node("Transpose", key, perm=[0, 1, 3, 2])
        scores = g.node("MatMul", g.node("Mul", query, scale),
                        g.node("Mul", key, scale))
        y = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        y = g.node("Transpose", y, perm=[0, 2, 1, 3])
        y = g.node("Reshape", y, [0, tokens, width])
        with g.scope("proj"):
            y = g.matmul(y, width, width, 0.5 / math.sqrt(width))
    x = g.node("Add", x, y)
    with g.scope("norm2"):
        y = g.layer_norm(x, width, 1e-6)
    with g.scope("mlp.fc1"):
        y = g.node("Gelu", g.matmul(y, width, 4 * width))
    with g.scope("mlp.fc2"):
        y = g.matmul(y, 4 * width, width, 0.5 / math.sqrt(width))
    return g.node("Add", x, y)


def gpt(layers=4, width=256, heads=8, vocabulary=5000, context=256):
    """A decoder whose batch and sequence are both dynamic."""
    g = Transformer("gpt", opset=17)
    ids = g.input("input_ids", ["batch", "sequence"], TensorProto.INT64)
    with g.scope("transformer"):
        x = g.embedding("wte", ids, vocabulary, width)
        length = g.node("Gather", g.node("Shape", ids), 1, axis=0)
        positions = g.node("Unsqueeze", g.node("Range", 0, length, 1), [0])
        x = g.node("Add", x, g.embedding("wpe", positions, context, width))
        tril = np.tril(np.ones((1, 1, context, context), np.bool_))
        tril = g.weight("bias", tril)
        for layer in range(layers):
            with g.scope(f"h.{layer}"):
                x = _gpt_block(g, x, tril, width, heads)
        with g.scope("ln_f"):
            x = g.layer_norm(x, width, 1e-5)
    with g.scope("lm_head"):
        x = g.node("MatMul", x, g.normal("weight", (width, vocabulary),
                                         1 / math.sqrt(width)))
    g.output(x, "logits", ["batch", "sequence", vocabulary])
    return g.model()


def _gpt_block(g, x, tril, width, heads):
    depth = width // heads
    batch, length = g.dim(x, 0), g.dim(x, 1)
    with g.scope("ln_1"):
        y = g.layer_norm(x, width, 1e-5)
    with g.scope("attn"):
        with g.scope("c_attn"):
            y = _conv1d(g, y, batch, length, width, 3 * width)
        query, key, value = g.node("Split", y, [width] * 3, outputs=3, axis=2)
        query, key, value = [g.view(v, batch, length, heads, depth)
                             for v in (query, key, value)]
        query = g.node("Transpose", query, perm=[0, 2, 1, 3])
        key = g.node("Transpose", key, perm=[0, 2, 3, 1])
        value = g.node("Transpose", value, perm=[0, 2, 1, 3])
        scores = g.node("Div", g.node("MatMul", query, key), math.sqrt(depth))
        # bias[:, :, :length, :length]
        mask = g.node("Slice", tril, [0], length, [2], [1])
        mask = g.node("Slice", mask, [0], length, [3], [1])
        scores = g.node("Where", mask, scores, np.finfo(np.float32).min)
        y = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        y = g.node("Transpose", y, perm=[0, 2, 1, 3])
        y = g.view(y, batch, length, width)
        with g.scope("c_proj"):
            y = _conv1d(g, y, batch, length, width, width)
    x = g.node("Add", y, x)
    with g.scope("ln_2"):
        y = g.layer_norm(x, width, 1e-5)
    with g.scope("mlp"):
        with g.scope("c_fc"):
            y = _conv1d(g, y, batch, length, width, 4 * width)
        y = g.gelu_tanh_parts(y)
        with g.scope("c_proj"):
            y = _conv1d(g, y, batch, length, 4 * width, width)
    return g.node("Add", x, y)


def _conv1d(g, x, batch, length, cin, cout):
    """GPT-2's linear layer: rows flattened, Gemm, rows restored."""
    y = g.view(x, -1, cin)
    y = g.node("Gemm", y,
               g.normal("weight", (cin, cout), 1 / math.sqrt(cin)),
               g.normal("bias", (cout,), 0.05), alpha=1.0, beta=1.0)
    return g.view(y, batch, length, cout)
