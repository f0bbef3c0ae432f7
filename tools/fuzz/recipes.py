"""How to use each operator: types, attributes and shapes that go together.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.helper

from generate import FLOATS, INTS, Discard, onnx_type

RECIPES = []  # (name, function of a Builder)
NUMBERS = FLOATS + INTS
ALL = NUMBERS + ["bool"]
F = ["float32"] * 5 + ["float64"]


def recipe(*names, weight=1):
    def register(function):
        for name in names or [function.__name__]:
            RECIPES.extend([(name, function)] * weight)
        return function
    return register


# -- Element by element.

UNARY = {  # op: (types, lowest, highest)
    "Abs": (NUMBERS, None, None), "Neg": (FLOATS + ["int32", "int64", "int8"], None, None),
    "Relu": (FLOATS + ["int32", "int8"], None, None), "Sigmoid": (FLOATS, None, None),
    "Tanh": (FLOATS, None, None), "Exp": (FLOATS, None, None),
    "Log": (FLOATS, 0.1, 9), "Sqrt": (FLOATS, 0, 9), "Erf": (F, None, None),
    "Sin": (F, None, None), "Cos": (F, None, None), "Tan": (F, -1.2, 1.2),
    "Asin": (F, -0.9, 0.9), "Acos": (F, -0.9, 0.9), "Atan": (F, None, None),
    "Sinh": (F, -3, 3), "Cosh": (F, -3, 3), "Asinh": (F, None, None),
    "Acosh": (F, 1.1, 9), "Atanh": (F, -0.9, 0.9), "Reciprocal": (F, 0.2, 9),
    "Softplus": (F, None, None), "Softsign": (F, None, None), "Mish": (F, None, None),
    "HardSwish": (F, None, None), "Identity": (ALL, None, None),
}


@recipe(*UNARY)
def unary(b, op):
    dtypes, low, high = UNARY[op]
    if low is None:
        x = b.tensor(dtypes)
    else:
        x = b.new(b.choose(dtypes), b.shape(), low=low, high=high)
    b.node(op, [x], rounds=op not in ("Abs", "Neg", "Relu", "Identity"))


@recipe("Floor", "Ceil", "Round", "Sign", "Not", "IsNaN", "IsInf", "BitwiseNot")
def steps(b, op):
    dtypes = {"Not": ["bool"], "BitwiseNot": INTS, "Sign": NUMBERS}.get(op, F)
    b.node(op, [b.tensor(dtypes, exact=True)], rounds=False)


@recipe("LeakyRelu", "Elu", "Selu", "Celu", "HardSigmoid", "ThresholdedRelu", "Gelu",
        "Shrink", "PRelu")
def activation(b, op):
    exact = op in ("ThresholdedRelu", "Shrink")
    x = b.tensor(["float32"] if op == "Celu" else F, exact=exact)
    alpha = b.attributes(alpha=b.rng.uniform(0.1, 1.5))
    if op in ("LeakyRelu", "Elu", "Celu", "ThresholdedRelu"):
        b.node(op, [x], **alpha)
    elif op == "Selu":
        b.node(op, [x], **alpha, **b.attributes(gamma=1.2))
    elif op == "HardSigmoid":
        b.node(op, [x], **alpha, **b.attributes(beta=0.4))
    elif op == "Gelu":
        b.node(op, [x], **b.attributes(approximate=b.choose(["none", "tanh"])))
    elif op == "Shrink":
        b.node(op, [x], **b.attributes(lambd=0.7, bias=0.2))
    else:
        b.node(op, [x, b.like(x)])


@recipe("Add", "Sub", "Mul", "Div", "Pow", weight=3)
def arithmetic(b, op):
    x = b.tensor(FLOATS + ["int32", "int64"])
    if op == "Div" or op == "Pow":
        is_int = x.array.dtype.kind != "f"
        shape = x.shape if b.chance(0.6) else x.shape[b.rng.randint(0, len(x.shape)):]
        if op == "Pow":
            x = b.new(x.dtype, x.shape, low=0 if is_int else 0.2, high=4)
            y = b.new(x.dtype, shape, low=0 if is_int else -2, high=3)
        else:
            y = b.new(x.dtype, shape, low=1 if is_int else 0.3, high=5)
        operands = [x, y]
    else:
        operands = [x, b.like(x)]
        if b.chance(0.3):
            operands.reverse()
    b.node(op, operands)


@recipe("Min", "Max", "Mean", "Sum")
def variadic(b, op):
    dtypes = F if op in ("Mean", "Sum") else F + ["int32", "int64"]
    x = b.tensor(dtypes)
    others = [b.like(x) for _ in range(b.rng.randint(0, 3))]
    b.node(op, [x, *others], rounds=op in ("Mean", "Sum"))


@recipe("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
def compare(b, op):
    x = b.tensor(F + ["int32", "int64"], exact=True)
    y = b.new(x.dtype, x.shape) if b.chance(0.5) else x
    if y is not x and b.chance(0.4):
        y = b.new(x.dtype, x.shape[len(x.shape) // 2:])
    b.node(op, [x, y], rounds=False)


@recipe("And", "Or", "Xor")
def logic(b, op):
    x = b.tensor(["bool"])
    b.node(op, [x, b.like(x)], rounds=False)


@recipe("BitwiseAnd", "BitwiseOr", "BitwiseXor")
def bits(b, op):
    x = b.tensor(INTS)
    b.node(op, [x, b.like(x)])


@recipe()
def BitShift(b, op):
    x = b.new(b.choose(["uint8", "uint32", "uint64"]), b.shape())
    b.node(op, [x, b.new(x.dtype, x.shape, high=7)],
           direction=b.choose(["LEFT", "RIGHT"]))


@recipe()
def Mod(b, op):
    if b.chance(0.3):
        x = b.tensor(F, exact=True)
        b.node(op, [x, b.new(x.dtype, x.shape, low=0.5, high=4)], fmod=1)
        return
    x = b.tensor(["int32", "int64", "uint8", "int8"])
    y = b.data(x.dtype, x.shape, 1, 6)
    if x.array.dtype.kind == "i" and b.chance(0.5):
        y = -y
    b.node(op, [x, b.add(y)], **b.attributes(fmod=b.rng.randint(0, 1)))


@recipe()
def Clip(b, op):
    x = b.tensor(F + ["int32", "int64"])
    low = b.constant(-1, x.dtype) if b.chance(0.7) else None
    high = b.constant(2, x.dtype) if b.chance(0.7) else None
    b.node(op, [x, low, high], rounds=False)


@recipe(weight=2)
def Cast(b, op):
    x = b.tensor(ALL, exact=True)
    to = b.choose(ALL)
    if np.dtype(to).kind == "u" and x.array.dtype.kind in "fi":
        to = "int64"  # what becomes of negative numbers is not defined
    if x.array.dtype.kind == "f" and not np.isfinite(x.array).all():
        to = "float32"
    b.node(op, [x], to=onnx_type(to), rounds=to == "float16")


@recipe(weight=2)
def Where(b, op):
    x = b.tensor(F + ["int32", "int64", "uint8", "bool"])
    b.node(op, [b.like(x, dtype="bool"), x, b.like(x)], rounds=False)


# -- Reductions and normalisations.

@recipe("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
        "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")
def reduce(b, op):
    dtypes = F + ["int32", "int64"]
    if op in ("ReduceMean", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"):
        dtypes = F
    x = b.tensor(dtypes, test=lambda v: 0 not in v.shape)
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
    x = b.tensor(F + ["int32"], least=1, exact=True, test=lambda v: 0 not in v.shape)
    b.node(op, [x], axis=b.axis(len(x.shape)), rounds=False,
           **b.attributes(keepdims=b.rng.randint(0, 1),
                          select_last_index=b.rng.randint(0, 1)))


@recipe("Softmax", "LogSoftmax", "Hardmax")
def softmax(b, op):
    x = b.tensor(F, least=1, exact=op == "Hardmax", test=lambda v: 0 not in v.shape)
    b.node(op, [x], **b.attributes(axis=b.axis(len(x.shape))))


@recipe()
def LayerNormalization(b, op):
    x = b.tensor(["float32"], least=1, test=lambda v: 0 not in v.shape)
    axis = b.axis(len(x.shape))
    inner = x.shape[axis % len(x.shape):]
    operands = [x, b.new(x.dtype, inner)]
    if b.chance(0.6):
        operands.append(b.new(x.dtype, inner))
    b.node(op, operands, axis=axis, **b.attributes(epsilon=1e-2))


@recipe("BatchNormalization", "InstanceNormalization", "GroupNormalization")
def normalization(b, op):
    least = 2 if op == "BatchNormalization" else 3
    x = b.tensor(["float32"], least=least, test=lambda v: 0 not in v.shape)
    channels = x.shape[1]
    vector = lambda **limits: b.new(x.dtype, (channels,), **limits)
    if op == "BatchNormalization":
        b.node(op, [x, vector(), vector(), vector(), vector(low=0.2, high=2)],
               **b.attributes(epsilon=1e-2))
    elif op == "InstanceNormalization":
        b.node(op, [x, vector(), vector()], **b.attributes(epsilon=1e-2))
    else:
        groups = b.choose([g for g in range(1, channels + 1) if channels % g == 0])
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


@recipe()
def CumSum(b, op):
    x = b.tensor(F + ["int32", "int64"], least=1)
    axis = b.constant(b.axis(len(x.shape)), b.choose(["int64", "int32"]))
    b.node(op, [x, axis], **b.attributes(exclusive=b.rng.randint(0, 1),
                                         reverse=b.rng.randint(0, 1)))


# -- Products and windows.

@recipe(weight=3)
def MatMul(b, op):
    x = b.tensor(["float32"] * 4 + ["float64", "int32"], least=1)
    depth = x.shape[-1]
    columns = b.extent()
    shape = [(depth,), (depth, columns)][b.chance(0.8)]
    if len(x.shape) > 2 and len(shape) == 2 and b.chance(0.5):
        batch = [1 if b.chance(0.3) else e for e in x.shape[:-2]]
        shape = (*batch[b.rng.randint(0, len(batch)):], *shape)
    b.node(op, [x, b.new(x.dtype, shape)])


@recipe()
def Gemm(b, op):
    x = b.tensor(["float32"] * 3 + ["float64"], least=2, most=2)
    trans_a, trans_b = b.rng.randint(0, 1), b.rng.randint(0, 1)
    rows, depth = x.shape[::-1] if trans_a else x.shape
    columns = b.extent()
    y = b.new(x.dtype, (columns, depth) if trans_b else (depth, columns))
    operands = [x, y]
    if b.chance(0.7):
        operands.append(b.new(x.dtype, b.choose(
            [(), (columns,), (1, columns), (rows, 1), (rows, columns)])))
    b.node(op, operands, transA=trans_a, transB=trans_b,
           **b.attributes(alpha=0.5, beta=b.choose([0.0, 2.0])))


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
    elif pads:
        most = [d * (k - 1) // 2 for d, k in zip(dilations, kernel)]
        attributes["pads"] = [b.rng.randint(0, m) for m in most * 2]
    return kernel, attributes


@recipe("Conv", "ConvTranspose", weight=2)
def conv(b, op):
    rank = b.choose([1, 2, 2, 2, 3])
    group = b.choose([1, 1, 1, 2, 4])
    channels = group * b.choose([1, 1, 2, 3, 8])
    extents = [b.rng.randint(3, 9 if rank < 3 else 5) for _ in range(rank)]
    x = b.tensor(["float32"], rank + 2, rank + 2,
                 test=lambda v: v.shape[1] % group == 0 and 0 not in v.shape
                 and np.prod(v.shape) < 5000
                 ) if b.chance(0.3) else b.new(
                     "float32", (b.rng.randint(1, 3), channels, *extents))
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
    operands = [x, b.new("float32", shape, constant=b.chance(0.6))]
    if b.chance(0.6):
        operands.append(b.new("float32", (group * outputs,)))
    b.node(op, operands, group=group, **b.attributes(kernel_shape=kernel), **attributes)


@recipe("MaxPool", "AveragePool", "LpPool")
def pool(b, op):
    rank = b.choose([1, 2, 2, 3])
    x = b.new("float32", (b.rng.randint(1, 2), b.choose([1, 3, 8]),
                          *[b.rng.randint(3, 9) for _ in range(rank)]))
    kernel, attributes = window(b, rank, x.shape[2:])
    if b.chance(0.3):
        attributes["ceil_mode"] = 1
    if op == "AveragePool":
        attributes.update(b.attributes(count_include_pad=b.rng.randint(0, 1)))
    if op == "LpPool":
        attributes["p"] = b.rng.randint(1, 3)
    b.node(op, [x], kernel_shape=kernel, rounds=op != "MaxPool", **attributes)


@recipe("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
def global_pool(b, op):
    x = b.tensor(["float32"], 3, 4, test=lambda v: 0 not in v.shape)
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


# -- Shapes and places.

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


# -- By index.

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
    x = b.tensor(["int64", "int32"], most=3)
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


# -- Shapes that depend on data.

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


# -- Quantised.

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
