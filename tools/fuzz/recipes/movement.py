"""Recipes for what moves elements, and for shapes.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.helper

from generate import onnx_type
from recipes.registry import ALL, F, NUMBERS, recipe


def factorings(size, rng):
    """A random shape of `size` elements."""
    shape = []
    for divisor in (2, 3, 5, 7, 2, 3):
        if size % divisor == 0 and rng.random() < 0.5:
            shape.append(divisor)
            size //= divisor
    shape.append(size)
    rng.shuffle(shape)
    return shape


@recipe(weight=2)
def Reshape(b, op):
    x = b.tensor(ALL)
    size = x.array.size
    if size == 0:
        shape = list(x.shape)
        b.node(op, [x, b.constant(shape)], allowzero=1, rounds=False)
        return
    shape = factorings(size, b.rng)
    if b.chance(0.4):
        shape[b.rng.randrange(len(shape))] = -1
    elif b.chance(0.3):
        for i in range(min(len(shape), len(x.shape))):
            if shape[i] == x.shape[i]:
                shape[i] = 0
    b.node(op, [x, b.constant(shape)], rounds=False)


@recipe(weight=2)
def Transpose(b, op):
    x = b.tensor(ALL, least=1, most=5)
    b.node(op, [x], rounds=False,
           **b.attributes(perm=b.rng.sample(range(len(x.shape)), len(x.shape))))


@recipe()
def Flatten(b, op):
    x = b.tensor(ALL, least=1)
    b.node(op, [x], rounds=False, axis=b.rng.randint(-len(x.shape), len(x.shape)))


@recipe("Squeeze", "Unsqueeze")
def squeeze(b, op):
    x = b.tensor(ALL, test=lambda v: op == "Unsqueeze" or 1 in v.shape)
    rank = len(x.shape)
    if op == "Squeeze":
        ones = [i for i, e in enumerate(x.shape) if e == 1]
        axes = b.rng.sample(ones, b.rng.randint(1, len(ones)))
        b.node(op, [x, b.constant(axes) if b.chance(0.8) else None], rounds=False)
    else:
        more = b.rng.randint(1, 2)
        axes = b.rng.sample(range(rank + more), more)
        axes = [a - rank - more if b.chance(0.3) else a for a in axes]
        b.node(op, [x, b.constant(axes)], rounds=False)


@recipe(weight=3)
def Concat(b, op):
    x = b.tensor(ALL, least=1)
    axis = b.axis(len(x.shape))
    others = []
    for _ in range(b.rng.randint(0, 3)):
        shape = list(x.shape)
        if b.chance(0.6):
            shape[axis] = b.extent()
        others.append(b.new(x.dtype, tuple(shape)))
    operands = [x, *others]
    b.rng.shuffle(operands)
    b.node(op, operands, axis=axis, rounds=False)


@recipe()
def Split(b, op):
    x = b.tensor(NUMBERS, least=1)
    axis = b.axis(len(x.shape))
    extent = x.shape[axis]
    if b.chance(0.5):
        count = b.rng.randint(1, 3)
        cuts = sorted(b.rng.randint(0, extent) for _ in range(count - 1))
        sizes = [e - s for s, e in zip([0, *cuts], [*cuts, extent])]
        made = b.node(op, [x, b.constant(sizes)], outputs=count, axis=axis, rounds=False)
    else:
        count = b.rng.randint(1, max(1, min(4, extent)))
        b.node(op, [x], outputs=count, axis=axis, num_outputs=count, rounds=False)


@recipe(weight=3)
def Slice(b, op):
    x = b.tensor(ALL, least=1)
    rank = len(x.shape)
    axes = b.rng.sample(range(rank), b.rng.randint(1, rank))
    starts, ends, steps = [], [], []
    for axis in axes:
        extent = x.shape[axis]
        steps.append(b.choose([1, 1, 1, 2, 3, -1, -2]))
        far = [2**31 - 1, 2**63 - 1] if steps[-1] > 0 else [-2**31, -2**63]
        starts.append(b.rng.randint(-extent - 2, extent + 2))
        ends.append(b.choose([b.rng.randint(-extent - 2, extent + 2), *far]))
    operands = [x, b.constant(starts), b.constant(ends)]
    axes = [a - rank if b.chance(0.3) else a for a in axes]
    all_axes = axes == list(range(rank)) and b.chance(0.5)
    operands.append(None if all_axes else b.constant(axes))
    if any(s != 1 for s in steps):
        operands.append(b.constant(steps))
    b.node(op, operands, rounds=False)


@recipe()
def Pad(b, op):
    x = b.tensor(F + ["int32", "int64", "bool"], least=1)
    rank = len(x.shape)
    mode = b.choose(["constant", "constant", "reflect", "edge", "wrap"])
    low = -1 if mode == "constant" else 0
    pads = []
    for i in range(2 * rank):
        most = x.shape[i % rank] - 1 if mode != "constant" else 3
        pads.append(b.rng.randint(low if x.shape[i % rank] > 2 else 0,
                                  max(0, min(3, most))))
    operands = [x, b.constant(pads)]
    if mode == "constant" and b.chance(0.6):
        operands.append(b.add(b.data(x.dtype, ()), constant=b.chance(0.7)))
    b.node(op, operands, mode=mode, rounds=False)


@recipe()
def Expand(b, op):
    x = b.tensor(ALL, test=lambda v: v.array.size < 500)
    shape = [b.rng.randint(1, 4) if e == 1 else b.choose([e, e, 1]) for e in x.shape]
    if b.chance(0.4):
        shape = [b.rng.randint(1, 3), *shape]
    b.node(op, [x, b.constant(shape)], rounds=False)


@recipe()
def Tile(b, op):
    x = b.tensor(ALL, test=lambda v: v.array.size < 500)
    b.node(op, [x, b.constant([b.rng.randint(0 if b.chance(0.1) else 1, 3)
                               for _ in x.shape])], rounds=False)


@recipe("Shape", "Size")
def shape(b, op):
    x = b.tensor(ALL)
    attributes = {}
    if op == "Shape":
        attributes = b.attributes(start=b.rng.randint(-3, 3), end=b.rng.randint(-3, 4))
    b.node(op, [x], rounds=False, **attributes)


@recipe()
def ConstantOfShape(b, op):
    dtype = b.choose(["float32", "int64", "bool", "int8"])
    value = onnx.helper.make_tensor("value", onnx_type(dtype), [1], [1])
    b.node(op, [b.constant(b.shape(0, 3))], rounds=False, **b.attributes(value=value))


@recipe()
def Range(b, op):
    dtype = b.choose(["int64", "int32", "float32"])
    start, step = b.rng.randint(-5, 5), b.choose([1, 2, -1, -3])
    limit = start + step * b.rng.randint(0, 9)
    b.node(op, [b.constant(np.array(v), dtype) for v in (start, limit, step)],
           rounds=False)


@recipe()
def EyeLike(b, op):
    x = b.tensor(F + ["int32"], least=2, most=2)
    b.node(op, [x], rounds=False, **b.attributes(k=b.rng.randint(-2, 2)))


@recipe()
def Trilu(b, op):
    x = b.tensor(F + ["int64"], least=2)
    operands = [x]
    if b.chance(0.6):
        operands.append(b.constant(np.array(b.rng.randint(-4, 4))))
    b.node(op, operands, rounds=False, **b.attributes(upper=b.rng.randint(0, 1)))


@recipe("DepthToSpace", "SpaceToDepth")
def blocks(b, op):
    size = b.rng.randint(1, 3)
    if op == "DepthToSpace":
        shape = (b.rng.randint(1, 2), size * size * b.rng.randint(1, 3), 2, 3)
        b.node(op, [b.new("float32", shape)], blocksize=size, rounds=False,
               **b.attributes(mode=b.choose(["DCR", "CRD"])))
    else:
        shape = (1, 3, size * b.rng.randint(1, 3), size * b.rng.randint(1, 3))
        b.node(op, [b.new("float32", shape)], blocksize=size, rounds=False)


@recipe()
def CenterCropPad(b, op):
    x = b.tensor(F, least=1)
    axes = b.rng.sample(range(len(x.shape)), b.rng.randint(1, len(x.shape)))
    b.node(op, [x, b.constant([b.rng.randint(1, 9) for _ in axes])], axes=axes,
           rounds=False)


@recipe()
def Resize(b, op):
    x = b.new("float32", (1, b.rng.randint(1, 3), b.rng.randint(2, 7), b.rng.randint(2, 7)))
    mode = b.choose(["nearest", "linear", "cubic"])
    attributes = b.attributes(coordinate_transformation_mode=b.choose(
        ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]))
    if mode == "nearest":
        attributes.update(b.attributes(nearest_mode=b.choose(
            ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])))
    if b.chance(0.5):
        scales = b.constant([1, 1, b.choose([0.5, 1, 2, 3]), b.choose([0.5, 1, 2])], "float32")
        operands = [x, None, scales]
    else:
        operands = [x, None, None, b.constant(
            [*x.shape[:2], b.rng.randint(1, 9), b.rng.randint(1, 9)])]
    b.node(op, operands, mode=mode, **attributes)
