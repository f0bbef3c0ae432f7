"""Recipes for what reads or writes by index.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import ALL, F, NUMBERS, recipe


def indices(b, extent, shape):
    if extent == 0:
        raise Discard("no places")
    array = b.numbers.integers(-extent if b.chance(0.3) else 0, extent, shape)
    return b.add(array.astype(b.choose(["int64", "int32"])), constant=b.chance(0.4))


@recipe(weight=2)
def Gather(b, op):
    x = b.tensor(ALL, least=1)
    axis = b.axis(len(x.shape))
    b.node(op, [x, indices(b, x.shape[axis], b.shape(0, 2))], axis=axis, rounds=False)


@recipe()
def GatherElements(b, op):
    x = b.tensor(NUMBERS, least=1)
    axis = b.axis(len(x.shape))
    shape = list(x.shape)
    shape[axis] = b.extent()
    b.node(op, [x, indices(b, x.shape[axis], tuple(shape))], axis=axis, rounds=False)


def tuples(b, shape, length, leading):
    """Index tuples into the first axes of a shape."""
    if 0 in shape[:length]:
        raise Discard("no places")
    columns = [b.numbers.integers(-e if b.chance(0.3) else 0, e, leading)
               for e in shape[:length]]
    return b.add(np.stack(columns, -1).astype(np.int64), constant=b.chance(0.4))


@recipe()
def GatherND(b, op):
    x = b.tensor(NUMBERS, least=1)
    batch = b.rng.randint(0, len(x.shape) - 1)
    length = b.rng.randint(1, len(x.shape) - batch)
    leading = (*x.shape[:batch], *b.shape(0, 2))
    b.node(op, [x, tuples(b, x.shape[batch:], length, leading)], batch_dims=batch,
           rounds=False)


@recipe()
def ScatterElements(b, op):
    x = b.tensor(F + ["int64", "int32"], least=1)
    axis = b.axis(len(x.shape))
    if x.shape[axis] == 0:
        raise Discard("no places")
    kind = b.choose(["none", "none", "add", "mul", "max", "min"])
    shape = list(x.shape)
    if kind == "none":  # each place once
        shape[axis] = b.rng.randint(1, x.shape[axis])
        order = np.argsort(b.numbers.random(x.shape), axis=axis)
        places = np.take(order, range(shape[axis]), axis)
        operand = b.add(places.astype(np.int64))
    else:
        shape[axis] = b.extent()
        operand = indices(b, x.shape[axis], tuple(shape))
    b.node(op, [x, operand, b.new(x.dtype, tuple(shape))], axis=axis, reduction=kind,
           rounds=kind in ("add", "mul"))


@recipe()
def ScatterND(b, op):
    x = b.tensor(F + ["int64"], least=1)
    kind = b.choose(["none", "add", "mul", "max", "min"])
    length = b.rng.randint(1, len(x.shape))
    if 0 in x.shape:
        raise Discard("no places")
    size = int(np.prod(x.shape[:length]))
    count = b.rng.randint(0, size) if kind == "none" else b.rng.randint(1, 6)
    flat = (b.numbers.permutation(size)[:count] if kind == "none"
            else b.numbers.integers(0, size, count))
    places = np.stack(np.unravel_index(flat, x.shape[:length]), -1).astype(np.int64)
    updates = b.new(x.dtype, (count, *x.shape[length:]))
    b.node(op, [x, b.add(places), updates], reduction=kind, rounds=kind in ("add", "mul"))


@recipe()
def OneHot(b, op):
    x = b.tensor(["int64"], most=3)  # the evaluator wraps others around
    dtype = b.choose(["float32", "int64"])
    axis = b.rng.randint(-1, len(x.shape))
    b.node(op, [x, b.constant(np.array(b.rng.randint(1, 9))),
                b.constant([0, 1], dtype)], axis=axis, rounds=False)


@recipe()
def ReverseSequence(b, op):
    x = b.tensor(F + ["int64"], least=2, test=lambda v: 0 not in v.shape)
    time, batch = b.choose([(0, 1), (1, 0)])
    lengths = b.numbers.integers(1, x.shape[time] + 1, x.shape[batch])
    b.node(op, [x, b.add(lengths.astype(np.int64))], time_axis=time, batch_axis=batch,
           rounds=False)


@recipe()
def TopK(b, op):
    x = b.tensor(F + ["int32", "int64"], least=1, exact=True)
    axis = b.axis(len(x.shape))
    k = b.constant([b.rng.randint(0 if b.chance(0.1) else min(1, x.shape[axis]),
                                  x.shape[axis])])
    b.node(op, [x, k], outputs=2, axis=axis, rounds=False,
           **b.attributes(largest=b.rng.randint(0, 1)))
