"""Recipes for sequences of tensors.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import ALL, F, recipe


def sequence(b, alike):
    """A sequence of tensors; if `alike` their shapes differ on axis 0 at most."""
    x = b.tensor(F + ["int64", "bool"], least=1)
    if b.chance(0.4):
        axis = b.axis(len(x.shape))
        extent = x.shape[axis]
        if extent == 0:
            axis, extent = 0, x.shape[0]
        if b.chance(0.3):
            return b.node("SplitToSequence", [x], rounds=False, axis=axis,
                          **b.attributes(keepdims=b.rng.randint(0, 1))), axis
        cut = b.rng.randint(0, extent)
        sizes = [cut, extent - cut] if b.chance(0.7) or not extent else b.rng.choice(
            [e for e in range(1, extent + 1)])
        return b.node("SplitToSequence", [x, b.constant(sizes)], rounds=False,
                      axis=axis), axis
    values = [x]
    for _ in range(b.rng.randint(0, 2)):
        shape = list(x.shape)
        shape[0] = b.extent() if b.chance(0.5) else shape[0]
        values.append(b.new(x.dtype, tuple(shape)) if alike or b.chance(0.7)
                      else b.new(x.dtype, b.shape()))
    made = b.node("SequenceConstruct", values, rounds=False)
    if b.chance(0.4):
        place = [b.constant(np.array(b.rng.randint(-len(values), len(values))))
                 ] if b.chance(0.7) else []
        made = b.node("SequenceInsert", [made, b.new(x.dtype, x.shape), *place],
                      rounds=False)
    if len(made.array) > 1 and b.chance(0.3):
        place = b.rng.randint(-len(made.array), len(made.array) - 1)
        made = b.node("SequenceErase", [made, b.constant(np.array(place))], rounds=False)
    return made, 0


@recipe("SequenceAt", "SequenceLength")
def element(b, op):
    made, _ = sequence(b, alike=False)
    operands = [made]
    if op == "SequenceAt":
        count = len(made.array)
        if not count:
            raise Discard("an empty sequence")
        operands.append(b.constant(np.array(b.rng.randint(-count, count - 1)),
                                   b.choose(["int64", "int32"])))
    b.node(op, operands, rounds=False)


@recipe()
def ConcatFromSequence(b, op):
    made, axis = sequence(b, alike=True)
    shapes = {v.shape for v in made.array}
    if len(shapes) == 1 and b.chance(0.5):
        b.node(op, [made], axis=b.rng.randint(0, len(made.array[0].shape)), new_axis=1,
               rounds=False)
    else:
        b.node(op, [made], axis=axis, rounds=False)


@recipe()
def OptionalGetElement(b, op):
    x = b.tensor(ALL)
    b.node(b.choose([op, "OptionalHasElement"]), [x], rounds=False)
