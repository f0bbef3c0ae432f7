"""Recipes for quantised numbers.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from recipes.registry import recipe
from recipes.windows import window


@recipe("QuantizeLinear", "DequantizeLinear")
def quantize(b, op):
    kind = b.choose(["uint8", "int8"])
    x = b.new("float32" if op == "QuantizeLinear" else kind, b.shape(1, 4))
    scale, attributes = (), {}
    if b.chance(0.4):
        axis = b.axis(len(x.shape))
        scale, attributes = (x.shape[axis],), {"axis": axis}
    operands = [x, b.new("float32", scale, low=0.05, high=0.5)]
    if b.chance(0.7) or kind == "int8":
        operands.append(b.new(kind, scale))
    b.node(op, operands, rounds=op != "QuantizeLinear", **attributes)


@recipe()
def DynamicQuantizeLinear(b, op):
    b.node(op, [b.new("float32", tuple(max(1, e) for e in b.shape(1, 3)))], outputs=3)


@recipe()
def MatMulInteger(b, op):
    kinds = [b.choose(["uint8", "int8"]) for _ in range(2)]
    rows, depth, columns = b.rng.randint(1, 9), b.rng.randint(1, 33), b.rng.randint(1, 17)
    operands = [b.new(kinds[0], (rows, depth)), b.new(kinds[1], (depth, columns))]
    if b.chance(0.6):
        operands.append(b.new(kinds[0], ()))
        operands.append(b.new(kinds[1], b.choose([(), (columns,)])))
    b.node(op, operands, rounds=False)


def scaled(b, dtype, shape):
    """A quantised tensor, its scale and its zero point."""
    return [b.new(dtype, shape), b.new("float32", (), low=0.05, high=0.5),
            b.new(dtype, ())]


@recipe()
def QLinearMatMul(b, op):
    kinds = [b.choose(["uint8", "int8"]) for _ in range(2)]
    rows, depth, columns = b.rng.randint(1, 9), b.rng.randint(1, 33), b.rng.randint(1, 17)
    b.node(op, [*scaled(b, kinds[0], (rows, depth)),
                *scaled(b, kinds[1], (depth, columns)), *scaled(b, kinds[0], ())[1:]])


@recipe("ConvInteger", "QLinearConv")
def quantised_conv(b, op):
    group = b.choose([1, 1, 2])
    channels, outputs = group * b.rng.randint(1, 4), group * b.rng.randint(1, 8)
    extents = [b.rng.randint(3, 8) for _ in range(b.choose([1, 2, 2]))]
    kernel, attributes = window(b, len(extents), extents)
    x_shape = (b.rng.randint(1, 2), channels, *extents)
    w_shape = (outputs, channels // group, *kernel)
    if op == "ConvInteger":
        operands = [b.new("uint8", x_shape), b.new("uint8", w_shape)]
        if b.chance(0.7):
            operands += [b.new("uint8", ()), b.new("uint8", ())]
    else:
        kind = b.choose(["uint8", "int8"])
        operands = [*scaled(b, kind, x_shape), *scaled(b, kind, w_shape),
                    *scaled(b, kind, ())[1:]]
        if b.chance(0.5):
            operands.append(b.new("int32", (outputs,)))
    b.node(op, operands, group=group, rounds=op == "QLinearConv", **attributes)
