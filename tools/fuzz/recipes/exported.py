"""Recipes for several nodes as exporters write them: what compilers look for.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import ALL, F, recipe


def scalar(b, number, dtype="float32"):
    return b.constant(np.array(number), dtype)


def extent_of(b, x, axis, keep=False):
    """An extent as a number that the graph computes; a vector if `keep`."""
    place = b.constant([axis] if keep else np.array(axis))
    return b.node("Gather", [b.node("Shape", [x]), place], axis=0)


def full(b, dtypes=("float32",), least=2, most=4):
    return b.tensor(list(dtypes), least=least, most=most,
                    test=lambda v: 0 not in v.shape)


@recipe("ReshapeByShape", weight=2)
def reshape_by_shape(b, op):
    x = full(b, ALL)
    kept = b.rng.randint(1, len(x.shape) - 1)
    parts = [extent_of(b, x, axis, keep=True) for axis in range(kept)]
    shape = b.node("Concat", [*parts, b.constant([-1])], axis=0)
    y = b.node("Reshape", [x, shape], rounds=False)
    if b.chance(0.5):
        y = b.node("Transpose", [y], rounds=False,
                   perm=b.rng.sample(range(kept + 1), kept + 1))
    if b.chance(0.4):
        b.node("Reshape", [y, b.node("Shape", [x])], rounds=False) if not b.chance(
            0.5) else b.node("Flatten", [y], rounds=False)


@recipe("ExpandByShape")
def expand_by_shape(b, op):
    x = full(b, ALL, least=1)
    y = b.like(x)
    both = b.node("Shape", [x])
    b.node("Expand", [y, both], rounds=False)


@recipe("PositionMask", weight=2)
def position_mask(b, op):
    """Which places are before others, from the extents alone."""
    x = full(b)
    rows, columns = extent_of(b, x, len(x.shape) - 2), extent_of(b, x, len(x.shape) - 1)
    zero, one = scalar(b, 0, "int64"), scalar(b, 1, "int64")
    row = b.node("Range", [zero, rows, one])
    column = b.node("Range", [zero, columns, one])
    row = b.node("Unsqueeze", [row, b.constant([1])])
    mask = b.node(b.choose(["LessOrEqual", "Greater", "Less"]), [column, row])
    b.node("Where", [mask, x, scalar(b, b.choose([0.0, -1e4]))], rounds=False)


@recipe("HalfSlice")
def half_slice(b, op):
    x = full(b, ALL, least=1)
    axis = b.rng.randrange(len(x.shape))
    whole = extent_of(b, x, axis, keep=True)
    half = b.node("Div", [whole, b.constant([2])])
    first = b.node("Slice", [x, b.constant([0]), half, b.constant([axis])], rounds=False)
    second = b.node("Slice", [x, half, whole, b.constant([axis])], rounds=False)
    if x.dtype in F and b.chance(0.6):
        second = b.node("Neg", [second], rounds=False)
    b.node("Concat", [second, first], axis=axis, rounds=False)


@recipe("FilledLike")
def filled_like(b, op):
    x = full(b, ALL, least=1)
    shape = b.node("Shape", [x])
    b.node("ConstantOfShape", [shape], rounds=False)
    if b.chance(0.4):
        total = b.node("ReduceProd", [shape], keepdims=0)
        b.node("Cast", [total], to=1)


@recipe("SelfAttention", weight=2)
def self_attention(b, op):
    batch, steps, heads, size = (b.rng.randint(1, 2), b.choose([1, 3, 8, 17, 33]),
                                 b.rng.randint(1, 3), b.choose([2, 4, 8, 16]))
    x = b.new("float32", (batch, steps, heads * size), constant=False)

    def projected(axes):
        y = b.node("MatMul", [x, b.new("float32", (heads * size, heads * size),
                                       constant=b.chance(0.7), low=-0.3, high=0.3)])
        if b.chance(0.5):
            y = b.node("Add", [y, b.new("float32", (heads * size,))])
        y = b.node("Reshape", [y, b.constant([0, 0, heads, size])])
        return b.node("Transpose", [y], perm=axes)

    q, k, v = projected([0, 2, 1, 3]), projected([0, 2, 3, 1]), projected([0, 2, 1, 3])
    scores = b.node("MatMul", [q, k])
    scores = (b.node("Div", [scores, scalar(b, size ** 0.5)]) if b.chance(0.5)
              else b.node("Mul", [scores, scalar(b, size ** -0.5)]))
    if b.chance(0.4):
        scores = b.node("Add", [scores, b.new(
            "float32", b.choose([(steps, steps), (batch, 1, 1, steps)]))])
    weights = b.node("Softmax", [scores], axis=-1)
    y = b.node("Transpose", [b.node("MatMul", [weights, v])], perm=[0, 2, 1, 3])
    b.node("Reshape", [y, b.constant([0, 0, -1])])


@recipe("GroupedQueryCache")
def cache(b, op):
    """New keys behind those that are known."""
    heads, size, past, new = (b.rng.randint(1, 2), b.choose([2, 4, 8]),
                              b.rng.randint(1, 7), b.choose([1, 1, 2, 3]))
    old = b.new("float32", (1, heads, past, size), constant=False)
    keys = b.node("Concat", [old, b.new("float32", (1, heads, new, size), constant=False)],
                  axis=2, rounds=False)
    query = b.new("float32", (1, heads, new, size), constant=False)
    scores = b.node("MatMul", [query, b.node("Transpose", [keys], perm=[0, 1, 3, 2])])
    b.node("MatMul", [b.node("Softmax", [scores]), keys])


@recipe("NormByParts", weight=2)
def norm_by_parts(b, op):
    x = full(b, least=1)
    axes, root_mean = b.constant([-1]), b.chance(0.4)
    if b.opset < 18:
        raise Discard("its axes were an attribute")
    centred = x if root_mean else b.node("Sub", [x, b.node("ReduceMean", [x, axes])])
    squares = (b.node("Pow", [centred, scalar(b, 2.0)]) if b.chance(0.6)
               else b.node("Mul", [centred, centred]))
    variance = b.node("Add", [b.node("ReduceMean", [squares, axes]), scalar(b, 1e-2)])
    if b.chance(0.5):
        y = b.node("Div", [centred, b.node("Sqrt", [variance])])
    else:
        y = b.node("Mul", [centred, b.node("Reciprocal", [b.node("Sqrt", [variance])])])
    y = b.node("Mul", [y, b.new("float32", x.shape[-1:])])
    if b.chance(0.5):
        b.node("Add", [y, b.new("float32", x.shape[-1:])])


@recipe("GeluByParts")
def gelu_by_parts(b, op):
    x = full(b, least=1)
    if b.chance(0.5):
        y = b.node("Erf", [b.node("Div", [x, scalar(b, 2 ** 0.5)])])
    else:
        cubed = b.node("Mul", [b.node("Pow", [x, scalar(b, 3.0)]), scalar(b, 0.044715)])
        y = b.node("Tanh", [b.node("Mul", [b.node("Add", [x, cubed]), scalar(b, 0.79788)])])
    y = b.node("Mul", [x, b.node("Add", [y, scalar(b, 1.0)])])
    b.node("Mul", [y, scalar(b, 0.5)])


@recipe("ConvBlock", weight=2)
def conv_block(b, op):
    channels, outputs, size = b.choose([1, 3, 8, 16]), b.choose([1, 4, 8, 16, 33]), b.choose([1, 3])
    x = b.new("float32", (b.rng.randint(1, 2), channels, b.rng.randint(3, 12),
                          b.rng.randint(3, 12)), constant=False)
    depthwise = b.chance(0.25)
    group = channels if depthwise else 1
    outputs = channels if depthwise else outputs
    y = b.node("Conv", [x, b.new("float32", (outputs, channels // group, size, size),
                                 constant=True)],
               group=group, pads=[size // 2] * 4, strides=[b.rng.randint(1, 2)] * 2)
    if b.chance(0.7):
        vector = lambda **limits: b.new("float32", (outputs,), constant=True, **limits)
        y = b.node("BatchNormalization", [y, vector(), vector(), vector(),
                                          vector(low=0.3, high=2)])
    way = b.choose(["Relu", "HardSwish", "Sigmoid", "Clip", ""])
    if way == "Clip":
        y = b.node("Clip", [y, scalar(b, 0.0), scalar(b, 6.0)])
    elif way:
        gate = b.node(way, [y])
        y = b.node("Mul", [y, gate]) if way == "Sigmoid" else gate
    if b.chance(0.4):
        y = b.node("Add", [y, b.new("float32", y.shape, constant=False)])
        y = b.node("Relu", [y])
    if b.chance(0.3):
        pooled = b.node("GlobalAveragePool", [y])
        b.node("Mul", [y, b.node("Sigmoid", [pooled])])
    elif b.chance(0.3) and min(y.shape[2:]) >= 2:
        b.node("MaxPool", [y], kernel_shape=[2, 2], strides=[2, 2])


@recipe("QuantisedProduct")
def quantised_product(b, op):
    rows, depth, columns = b.rng.randint(1, 9), b.rng.randint(1, 33), b.rng.randint(1, 17)

    def rounded(value, dtype):
        scale = [scalar(b, b.rng.uniform(0.02, 0.1)), scalar(b, 0, dtype)]
        return b.node("DequantizeLinear", [b.node("QuantizeLinear", [value, *scale]), *scale])

    x = rounded(b.new("float32", (rows, depth), constant=False), "uint8")
    y = b.node("MatMul", [x, rounded(b.new("float32", (depth, columns), constant=True), "int8")])
    if b.chance(0.5):
        y = b.node("Relu", [y])
    if b.chance(0.5):
        rounded(y, "uint8")
