"""Recipes for reductions, scans and normalisations.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard
from recipes.registry import F, recipe, SHORT


@recipe("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
        "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")
def reduce(b, op):
    dtypes = F + ["int32", "int64"]
    if op in ("ReduceMax", "ReduceMin"):
        dtypes = dtypes + ["int8", "uint8", "bool"]
    if op in ("ReduceMean", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"):
        dtypes = F
    x = b.tensor(dtypes, test=lambda v: 0 not in v.shape)
    if x.array.dtype.kind == "i":  # nobody says what becomes of an overflow
        sizes = np.abs(x.array.astype(np.float64))
        largest = np.prod(np.maximum(sizes, 1)) if op == "ReduceProd" else (sizes**2).sum()
        if largest > 2**30:
            raise Discard("too large")
    if op == "ReduceLogSum":
        x = b.new(x.dtype, x.shape, low=0.2, high=3)
    rank = len(x.shape)
    axes = [a - rank if b.chance(0.3) else a
            for a in b.rng.sample(range(rank), b.rng.randint(0, rank))]
    attributes = b.attributes(keepdims=b.rng.randint(0, 1))
    if b.chance(0.2):
        attributes["noop_with_empty_axes"] = b.rng.randint(0, 1)
    operand = b.constant(axes) if axes or b.chance(0.5) else None
    b.node(op, [x, operand], rounds=op not in ("ReduceMax", "ReduceMin"), **attributes)


@recipe("ArgMax", "ArgMin")
def arg(b, op):
    x = b.tensor(F + ["int32", "int64", "int8", "uint8"], least=1, exact=True, test=lambda v: 0 not in v.shape)
    b.node(op, [x], axis=b.axis(len(x.shape)), rounds=False,
           **b.attributes(keepdims=b.rng.randint(0, 1),
                          select_last_index=b.rng.randint(0, 1)))


@recipe("Softmax", "LogSoftmax", "Hardmax")
def softmax(b, op):
    x = b.tensor(F, least=1, exact=op == "Hardmax", test=lambda v: 0 not in v.shape)
    b.node(op, [x], **b.attributes(axis=b.axis(len(x.shape))))


@recipe()
def LayerNormalization(b, op):
    x = b.tensor(SHORT + ["float64"], least=1, test=lambda v: 0 not in v.shape)
    axis = b.axis(len(x.shape))
    inner = x.shape[axis % len(x.shape):]
    operands = [x, b.new(x.dtype, inner)]
    if b.chance(0.6):
        operands.append(b.new(x.dtype, inner))
    b.node(op, operands, axis=axis, **b.attributes(epsilon=1e-2))


@recipe("BatchNormalization", "InstanceNormalization", "GroupNormalization")
def normalization(b, op):
    least = 2 if op == "BatchNormalization" else 3
    x = b.tensor(SHORT, least=least, test=lambda v: 0 not in v.shape)
    channels = x.shape[1]
    vector = lambda **limits: b.new(x.dtype, (channels,), **limits)
    if op == "BatchNormalization":
        b.node(op, [x, vector(), vector(), vector(), vector(low=0.2, high=2)],
               **b.attributes(epsilon=1e-2))
    elif op == "InstanceNormalization":
        b.node(op, [x, vector(), vector()], **b.attributes(epsilon=1e-2))
    else:
        groups = b.choose([g for g in range(1, channels + 1) if channels % g == 0])
        if b.opset < 21:
            channels = groups  # one scale for each group
        b.node(op, [x, vector(), vector()], num_groups=groups)


@recipe("LpNormalization", "MeanVarianceNormalization", "LRN")
def old_normalization(b, op):
    x = b.new("float32", b.shape(4, 4) if op != "LpNormalization" else b.shape(1, 4))
    if 0 in x.shape:
        raise Discard("empty")
    if op == "LpNormalization":
        b.node(op, [x], axis=b.axis(len(x.shape)), p=b.rng.randint(1, 2))
    elif op == "LRN":
        b.node(op, [x], size=b.choose([1, 3, 5]), **b.attributes(alpha=0.1, beta=0.6, bias=2.0))
    else:
        b.node(op, [x])


@recipe("CumSum", "CumProd")
def scan(b, op):
    x = b.tensor(F + ["int32", "int64"], least=1)
    if op == "CumProd":
        x = b.new(x.dtype, x.shape, low=-2, high=3)
    axis = b.constant(b.axis(len(x.shape)), b.choose(["int64", "int32"]))
    b.node(op, [x, axis], **b.attributes(exclusive=b.rng.randint(0, 1),
                                         reverse=b.rng.randint(0, 1)))
