"""Recipes for results whose shapes depend on data.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from recipes.registry import F, recipe


@recipe(weight=2)
def NonZero(b, op):
    x = b.tensor(["float32", "int32", "int64", "bool", "uint8"], least=1, exact=True)
    if b.chance(0.5):
        x = b.add(np.where(b.numbers.random(x.shape) < 0.5, x.array,
                           np.zeros_like(x.array)))
    b.node(op, [x], rounds=False)


@recipe(weight=2)
def Compress(b, op):
    x = b.tensor(F + ["int64"], least=1)
    if b.chance(0.7):
        axis = b.axis(len(x.shape))
        extent, attributes = x.shape[axis], {"axis": axis}
    else:
        extent, attributes = x.array.size, {}
    condition = b.data("bool", (b.rng.randint(min(1, extent), extent),))
    b.node(op, [x, b.add(condition)], rounds=False, **attributes)


@recipe(weight=2)
def Unique(b, op):
    x = b.tensor(["float32", "int64", "int32", "int8"], least=1, exact=True,
                 test=lambda v: 0 not in v.shape)
    attributes = b.attributes(sorted=b.rng.randint(0, 1))
    if b.chance(0.4):
        attributes["axis"] = b.axis(len(x.shape))
    b.node(op, [x], outputs=4, rounds=False, **attributes)


@recipe(weight=2)
def NonMaxSuppression(b, op):
    batch, classes, count = b.rng.randint(1, 2), b.rng.randint(1, 3), b.rng.randint(1, 12)
    boxes = b.new("float32", (batch, count, 4), low=0, high=2)
    scores = b.new("float32", (batch, classes, count), low=0, high=1)
    operands = [boxes, scores, b.constant([b.rng.randint(0, 5)])]
    if b.chance(0.8):
        operands.append(b.constant([b.rng.uniform(0.1, 0.8)], "float32"))
        if b.chance(0.7):
            operands.append(b.constant([b.rng.uniform(0.0, 0.7)], "float32"))
    b.node(op, operands, rounds=False,
           **b.attributes(center_point_box=b.rng.randint(0, 1)))
