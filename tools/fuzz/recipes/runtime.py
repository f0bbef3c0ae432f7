"""Recipes for operators of ONNX Runtime's own domain.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

import numpy as np

from generate import Discard
from recipes.quantised import scaled
from recipes.registry import recipe as register

DOMAIN = "com.microsoft"


def recipe(*names):
    """The list says whose an operator is, for several have two."""
    return register(*[f"{DOMAIN}.{n}" for n in names])


def node(b, op, *inputs, **attributes):
    return b.node(op.split(".")[-1], *inputs, domain=DOMAIN, **attributes)


@recipe("Gelu", "QuickGelu", "FastGelu", "BiasGelu")
def activation(b, op):
    x = b.tensor(["float32"], least=1, test=lambda v: 0 not in v.shape)
    operands = [x]
    if op.endswith("BiasGelu") or op.endswith("FastGelu") and b.chance(0.5):
        operands.append(b.new("float32", x.shape[-1:]))
    attributes = b.attributes(alpha=1.3) if op.endswith("QuickGelu") else {}
    node(b, op, operands, **attributes)


@recipe("FusedMatMul")
def product(b, op):
    trans_a, trans_b = b.rng.randint(0, 1), b.rng.randint(0, 1)
    rows, depth, columns = (b.extent() or 1 for _ in range(3))
    batch = b.choose([(), (), (2,), (2, 3)])
    x = b.new("float32", (*batch, *((depth, rows) if trans_a else (rows, depth))))
    y = b.new("float32", (*batch, *((columns, depth) if trans_b else (depth, columns))))
    node(b, op, [x, y], transA=trans_a, transB=trans_b, **b.attributes(alpha=0.5))


@recipe("SkipLayerNormalization", "SkipSimplifiedLayerNormalization")
def skip_norm(b, op):
    shape = (b.rng.randint(1, 2), b.rng.randint(1, 5), b.rng.randint(1, 17))
    vector = functools.partial(b.new, "float32", shape[-1:])
    operands = [b.new("float32", shape), b.new("float32", shape), vector()]
    if "Simplified" not in op:
        operands.append(vector() if b.chance(0.7) else None)
    if b.chance(0.5):
        operands.append(vector())
    node(b, op, operands, **b.attributes(epsilon=1e-2))


@recipe("MultiHeadAttention")
def attention(b, op):
    batch, rows, columns = b.rng.randint(1, 2), b.rng.randint(1, 6), b.rng.randint(1, 6)
    heads, size = b.rng.randint(1, 3), b.choose([2, 4, 8])
    operands = [b.new("float32", (batch, length, heads * size))
                for length in (rows, columns, columns)]
    operands.append(b.new("float32", (3 * heads * size,)) if b.chance(0.4) else None)
    operands.append(None)
    if b.chance(0.3):
        operands.append(b.new("float32", (1, heads, rows, columns)))
    node(b, op, operands, num_heads=heads)


@recipe("RotaryEmbedding")
def rotary(b, op):
    batch, steps, half = b.rng.randint(1, 2), b.rng.randint(1, 4), b.rng.randint(1, 4)
    heads = b.rng.randint(1, 3)
    places = b.numbers.integers(0, 9, (batch, steps)).astype(np.int64)
    caches = [b.new("float32", (9, half)) for _ in range(2)]
    x = b.new("float32", (batch, heads, steps, 2 * half))
    node(b, op, [x, b.add(places), *caches], **b.attributes(
        interleaved=b.rng.randint(0, 1)))


@recipe("QLinearAdd", "QLinearMul")
def quantised_pair(b, op):
    kind = b.choose(["uint8", "int8"])
    shape = tuple(max(1, e) for e in b.shape(0, 3))
    other = shape if b.chance(0.6) else shape[b.rng.randint(0, len(shape)):]
    node(b, op, [*scaled(b, kind, shape), *scaled(b, kind, other),
                 *scaled(b, kind, ())[1:]])


@recipe("QLinearSigmoid", "QLinearLeakyRelu")
def quantised_activation(b, op):
    kind = b.choose(["uint8", "int8"])
    shape = tuple(max(1, e) for e in b.shape(0, 3))
    constant = [b.new("float32", (), constant=True, low=0.05, high=0.5),
                b.new(kind, (), constant=True)]
    node(b, op, [b.new(kind, shape), *constant, *[
        b.new("float32", (), constant=True, low=0.01, high=0.1),
        b.new(kind, (), constant=True)]])


@recipe("QLinearConcat")
def quantised_concat(b, op):
    kind, shape = b.choose(["uint8", "int8"]), [max(1, e) for e in b.shape(1, 3)]
    axis, parts = b.rng.randrange(len(shape)), []
    for _ in range(b.rng.randint(1, 3)):
        shape[axis] = b.rng.randint(1, 5)
        parts += scaled(b, kind, tuple(shape))
    node(b, op, [*scaled(b, kind, ())[1:], *parts], axis=axis)


@recipe("MatMulIntegerToFloat")
def integer_product(b, op):
    rows, depth, columns = b.rng.randint(1, 9), b.rng.randint(1, 33), b.rng.randint(1, 17)
    kinds = [b.choose(["uint8", "int8"]), b.choose(["uint8", "int8"])]
    scale = functools.partial(b.new, "float32", low=0.01, high=0.3)
    width = b.choose([(), (columns,)])
    operands = [b.new(kinds[0], (rows, depth)), b.new(kinds[1], (depth, columns)),
                scale(()), scale(width)]
    if b.chance(0.6):
        operands += [b.new(kinds[0], ()), b.new(kinds[1], width)]
    node(b, op, operands)


@recipe("DynamicQuantizeMatMul")
def dynamic_product(b, op):
    rows, depth, columns = b.rng.randint(1, 9), b.rng.randint(1, 33), b.rng.randint(1, 17)
    operands = [b.new("float32", (rows, depth)), b.new("int8", (depth, columns)),
                b.new("float32", (), low=0.01, high=0.3)]
    if b.chance(0.5):
        operands.append(b.new("int8", ()))
    node(b, op, operands)


@recipe("MatMulNBits")
def packed_product(b, op):
    bits, block = b.choose([4, 4, 8]), b.choose([16, 32])
    rows, depth, columns = b.rng.randint(1, 5), b.rng.randint(1, 70), b.rng.randint(1, 9)
    blocks = -(-depth // block)
    packed = b.numbers.integers(0, 256, (columns, blocks, block * bits // 8))
    operands = [b.new("float32", (rows, depth), constant=False),
                b.add(packed.astype(np.uint8), constant=True),
                b.new("float32", (columns * blocks,), constant=True, low=0.01, high=0.2)]
    if b.chance(0.4):
        zeros = b.numbers.integers(0, 256, columns * -(-blocks * bits // 8))
        operands.append(b.add(zeros.astype(np.uint8), constant=True))
    node(b, op, operands, K=depth, N=columns, bits=bits, block_size=block)


@recipe("GroupQueryAttention")
def grouped(b, op):
    batch, heads, groups, size = b.rng.randint(1, 2), 2, b.rng.randint(1, 2), 16
    past = b.rng.randint(0, 5)
    steps = 1 if past else b.rng.randint(1, 4)
    if steps > 1 and batch > 1:
        raise Discard("prompts of one length only")
    total = past + steps
    operands = [b.new("float32", (batch, steps, heads * groups * size)),
                *[b.new("float32", (batch, steps, heads * size)) for _ in range(2)]]
    operands += [b.new("float32", (batch, heads, past, size)) if past else None
                 for _ in range(2)]
    operands += [b.add(np.full(batch, total - 1, np.int32)),
                 b.constant(np.array(total), np.int32)]
    node(b, op, operands, outputs=3, num_heads=heads * groups, kv_num_heads=heads,
         **(b.attributes(local_window_size=2) if b.chance(0.2) else {}))
