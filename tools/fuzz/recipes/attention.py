"""Recipes for what transformers are made of.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from recipes.registry import F, recipe


@recipe()
def Attention(b, op):
    batch, heads, groups = b.rng.randint(1, 2), b.rng.randint(1, 2), b.rng.randint(1, 2)
    rows, columns, size = b.rng.randint(1, 9), b.rng.randint(1, 9), b.choose([1, 4, 8])
    q_heads, attributes = heads * groups, {}
    if b.chance(0.5):
        shapes = [(batch, q_heads, rows, size), *[(batch, heads, columns, size)] * 2]
    else:
        shapes = [(batch, rows, q_heads * size), *[(batch, columns, heads * size)] * 2]
        attributes = {"q_num_heads": q_heads, "kv_num_heads": heads}
    operands = [b.new("float32", shape) for shape in shapes]
    past = b.rng.randint(1, 4) if b.chance(0.3) else 0
    if b.chance(0.4):
        mask = b.data(b.choose(["float32", "bool"]), (rows, columns + past))
        if mask.dtype == np.bool_:
            mask[:, 0] = True  # what a row without any key gives is not defined
        operands.append(b.add(mask))
    elif past:
        operands.append(None)
    if past:
        operands += [b.new("float32", (batch, heads, past, size)) for _ in range(2)]
    # ONNX Runtime hides the past from a single query.
    causal = b.rng.randint(0, 1) if rows > 1 or not past else 0
    attributes.update(b.attributes(scale=0.3, is_causal=causal))
    if b.chance(0.2):
        attributes["softcap"] = 2.0
    b.node(op, operands, outputs=3 if past else 1, **attributes)


@recipe()
def RotaryEmbedding(b, op):
    batch, heads, steps = b.rng.randint(1, 2), b.rng.randint(1, 3), b.rng.randint(1, 5)
    half = b.rng.randint(1, 4)
    whole = 2 * half + b.choose([0, 0, 2])
    x = b.new("float32", (batch, heads, steps, whole))
    attributes = b.attributes(interleaved=b.rng.randint(0, 1))
    if whole != 2 * half:
        attributes["rotary_embedding_dim"] = 2 * half
    if b.chance(0.6):
        length = b.rng.randint(steps, 9)
        caches = [b.new("float32", (length, half)) for _ in range(2)]
        places = b.numbers.integers(0, length, (batch, steps)).astype(np.int64)
        b.node(op, [x, *caches, b.add(places)], **attributes)
    else:
        caches = [b.new("float32", (batch, steps, half)) for _ in range(2)]
        b.node(op, [x, *caches], **attributes)


@recipe()
def RMSNormalization(b, op):
    x = b.tensor(["float32"], least=1, test=lambda v: 0 not in v.shape)
    axis = b.axis(len(x.shape))
    b.node(op, [x, b.new(x.dtype, x.shape[axis % len(x.shape):])], axis=axis,
           **b.attributes(epsilon=1e-2))


@recipe()
def Swish(b, op):
    b.node(op, [b.tensor(F)], **b.attributes(alpha=b.rng.uniform(0.5, 1.5)))


@recipe()
def TensorScatter(b, op):
    batch, heads, length, size = (b.rng.randint(1, 2), b.rng.randint(1, 3),
                                  b.rng.randint(2, 8), b.rng.randint(1, 5))
    steps = b.rng.randint(1, length)
    mode = b.choose(["linear", "circular"])
    last = length - steps if mode == "linear" else length - 1
    operands = [b.new("float32", (batch, heads, length, size)),
                b.new("float32", (batch, heads, steps, size))]
    if b.chance(0.7):
        starts = b.numbers.integers(0, last + 1, batch)
        operands.append(b.add(starts.astype(np.int64)))
    b.node(op, operands, mode=mode, rounds=False)
