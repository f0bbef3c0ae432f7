"""Recipes for products, convolutions, pooling and recurrent layers.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import recipe, SHORT


@recipe(weight=3)
def MatMul(b, op):
    x = b.tensor(["float32"] * 6 + ["float64", "float16", "int32", "int64"], least=1)
    depth = x.shape[-1]
    columns = b.extent()
    shape = [(depth,), (depth, columns)][b.chance(0.8)]
    if len(x.shape) > 2 and len(shape) == 2 and b.chance(0.5):
        batch = [1 if b.chance(0.3) else e for e in x.shape[:-2]]
        shape = (*batch[b.rng.randint(0, len(batch)):], *shape)
    b.node(op, [x, b.new(x.dtype, shape)])


@recipe("LargeProduct")
def large_product(b, op):
    """Beyond the tiles of kernels."""
    rows, depth, columns = (b.rng.randint(1, 200) for _ in range(3))
    dtype = b.choose(SHORT + ["float64"])
    y = b.node("MatMul", [b.new(dtype, (rows, depth), constant=False),
                          b.new(dtype, (depth, columns), constant=b.chance(0.6))])
    if b.chance(0.5):
        y = b.node("Add", [y, b.new(dtype, b.choose([(columns,), (rows, 1)]))])
    if b.chance(0.5):
        b.node(b.choose(["Relu", "Sigmoid", "Softmax"]), [y])


@recipe("LargeConv")
def large_conv(b, op):
    channels, outputs, size = b.choose([3, 16, 20, 64, 512]), b.choose([8, 24, 33, 64]), b.rng.randint(1, 4)
    most = 20 if channels < 100 else 9
    x = b.new("float32", (1, channels, b.rng.randint(size, most), b.rng.randint(size, most)),
              constant=False)
    y = b.node("Conv", [x, b.new("float32", (outputs, channels, size, size),
                                 constant=b.chance(0.8))],
               pads=[b.rng.randint(0, size - 1) for _ in range(4)],
               strides=[b.rng.randint(1, 2)] * 2)
    if b.chance(0.5):
        b.node(b.choose(["Relu", "Sigmoid"]), [y])


@recipe()
def Gemm(b, op):
    x = b.tensor(["float32"] * 4 + ["float64", "float16", "int32"], least=2, most=2)
    trans_a, trans_b = b.rng.randint(0, 1), b.rng.randint(0, 1)
    rows, depth = x.shape[::-1] if trans_a else x.shape
    if depth == 0:
        raise Discard("ONNX Runtime forgets beta")
    columns = b.extent()
    y = b.new(x.dtype, (columns, depth) if trans_b else (depth, columns))
    operands = [x, y]
    if b.chance(0.7):
        operands.append(b.new(x.dtype, b.choose(
            [(), (columns,), (1, columns), (rows, 1), (rows, columns)])))
    b.node(op, operands, transA=trans_a, transB=trans_b,
           **b.attributes(alpha=2.0 if x.array.dtype.kind == "i" else 0.5,
                          beta=b.choose([0.0, 2.0])))


def window(b, rank, extents, pads=True):
    """Attributes of a window that fits, and its shape."""
    kernel = [b.rng.randint(1, min(3, e)) for e in extents]
    dilations = [b.rng.randint(1, 2) if (k - 1) * 2 < e else 1
                 for k, e in zip(kernel, extents)]
    attributes = b.attributes(strides=[b.rng.randint(1, 3) for _ in kernel])
    attributes["dilations"] = dilations
    if pads and b.chance(0.2):
        attributes["auto_pad"] = b.choose(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if attributes["auto_pad"] != "VALID":
            attributes["dilations"] = [1] * rank
            # ONNX's formula pads by a negative number where strides are larger.
            if "strides" in attributes:
                attributes["strides"] = [
                    min(s, k) for s, k in zip(attributes["strides"], kernel)]
    elif pads:
        most = [d * (k - 1) // 2 for d, k in zip(dilations, kernel)]
        attributes["pads"] = [b.rng.randint(0, m) for m in most * 2]
    return kernel, attributes


@recipe("Conv", "ConvTranspose", weight=2)
def conv(b, op):
    dtype, rank = b.choose(SHORT), b.choose([1, 2, 2, 2, 3])
    group = b.choose([1, 1, 1, 2, 4])
    channels = group * b.choose([1, 1, 2, 3, 8])
    extents = [b.rng.randint(3, 9 if rank < 3 else 5) for _ in range(rank)]
    x = b.tensor([dtype], rank + 2, rank + 2,
                 test=lambda v: v.shape[1] % group == 0 and 0 not in v.shape
                 and np.prod(v.shape) < 5000
                 ) if b.chance(0.3) else b.new(
                     dtype, (b.rng.randint(1, 3), channels, *extents))
    channels, extents = x.shape[1], x.shape[2:]
    kernel, attributes = window(b, rank, extents)
    outputs = b.choose([1, 2, 3, 8, 16])
    if op == "Conv":
        shape = (group * outputs, channels // group, *kernel)
    else:
        shape = (channels, outputs, *kernel)
        if b.chance(0.3):
            attributes["output_padding"] = [
                b.rng.randint(0, max(0, s - 1))
                for s in attributes.get("strides", [1] * rank)]
    operands = [x, b.new(dtype, shape, constant=b.chance(0.6))]
    if b.chance(0.6):
        operands.append(b.new(dtype, (group * outputs,)))
    b.node(op, operands, group=group, **b.attributes(kernel_shape=kernel), **attributes)


@recipe("MaxPool", "AveragePool", "LpPool")
def pool(b, op):
    rank = b.choose([1, 2, 2, 3])
    dtypes = SHORT + (["float64", "int8", "uint8"] if op == "MaxPool" else [])
    x = b.new(b.choose(dtypes), (b.rng.randint(1, 2), b.choose([1, 3, 8]),
                          *[b.rng.randint(3, 9) for _ in range(rank)]))
    kernel, attributes = window(b, rank, x.shape[2:])
    if b.chance(0.3):
        attributes["ceil_mode"] = 1
    if op == "AveragePool":
        attributes.update(b.attributes(count_include_pad=b.rng.randint(0, 1)))
    if op == "LpPool":
        attributes["p"] = b.rng.randint(1, 3)
    outputs = 2 if op == "MaxPool" and b.chance(0.2) else 1
    b.node(op, [x], outputs=outputs, kernel_shape=kernel, rounds=op != "MaxPool",
           **attributes)


@recipe("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
def global_pool(b, op):
    x = b.tensor(SHORT, 3, 4, test=lambda v: 0 not in v.shape)
    b.node(op, [x])


@recipe("LSTM", "GRU", "RNN")
def recurrent(b, op):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    steps, batch, width, hidden = (b.rng.randint(1, 5), b.rng.randint(1, 3),
                                   b.rng.randint(1, 8), b.rng.randint(1, 9))
    direction = b.choose(["forward", "reverse", "bidirectional"])
    count = 2 if direction == "bidirectional" else 1
    x = b.new("float32", (steps, batch, width))
    operands = [x, b.new("float32", (count, gates * hidden, width)),
                b.new("float32", (count, gates * hidden, hidden))]
    operands.append(b.new("float32", (count, 2 * gates * hidden))
                    if b.chance(0.6) else None)
    operands.append(b.add(b.numbers.integers(1, steps + 1, batch).astype(np.int32))
                    if b.chance(0.3) else None)
    operands.append(b.new("float32", (count, batch, hidden))
                    if b.chance(0.4) else None)
    attributes = b.attributes(clip=1.5) if b.chance(0.2) else {}
    if op == "GRU":
        attributes.update(b.attributes(linear_before_reset=b.rng.randint(0, 1)))
    b.node(op, operands, outputs=3 if op == "LSTM" else 2, hidden_size=hidden,
           direction=direction, **attributes)


@recipe()
def Einsum(b, op):
    i, j, k, l = (b.rng.randint(1, 6) for _ in range(4))
    size = dict(i=i, j=j, k=k, l=l)
    equation = b.choose(["ij,jk->ik", "bij,bjk->bik".replace("b", "l"), "ij->ji", "ij->i",
                         "i,j->ij", "ijk,ikl->ijl", "ij,ij->", "ijk->kj", "ij,kj->ik"])
    operands = [b.new("float32", tuple(size[c] for c in term))
                for term in equation.split("->")[0].split(",")]
    b.node(op, operands, equation=equation)


@recipe()
def Col2Im(b, op):
    extents = [b.rng.randint(2, 6) for _ in range(b.choose([1, 2]))]
    kernel, attributes = window(b, len(extents), extents)
    attributes.pop("auto_pad", None)
    count, steps, dilations = len(extents), attributes.get("strides"), attributes["dilations"]
    pads = attributes.get("pads", [0] * 2 * count)
    places = [(e + pads[i] + pads[i + count] - dilations[i] * (kernel[i] - 1) - 1)
              // (steps[i] if steps else 1) + 1 for i, e in enumerate(extents)]
    shape = (b.rng.randint(1, 2), b.rng.randint(1, 3) * int(np.prod(kernel)),
             int(np.prod(places)))
    b.node(op, [b.new("float32", shape), b.constant(extents), b.constant(kernel)],
           **attributes)


@recipe()
def DeformConv(b, op):
    kernel = [b.rng.randint(1, 3), b.rng.randint(1, 3)]
    extents = [b.rng.randint(3, 6), b.rng.randint(3, 6)]
    channels, outputs = b.rng.randint(1, 3), b.rng.randint(1, 4)
    places = [e - k + 1 for e, k in zip(extents, kernel)]
    taps = kernel[0] * kernel[1]
    operands = [b.new("float32", (1, channels, *extents)),
                b.new("float32", (outputs, channels, *kernel)),
                b.new("float32", (1, 2 * taps, *places), low=-1.5, high=1.5)]
    if b.chance(0.5):
        operands.append(b.new("float32", (outputs,)) if b.chance(0.6) else None)
        operands.append(b.new("float32", (1, taps, *places), low=0, high=1))
    b.node(op, operands, kernel_shape=kernel, pads=[0] * 4)
