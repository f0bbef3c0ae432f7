"""Recipes for what works element by element.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import FLOATS, INTS, Discard, onnx_type
from recipes.registry import ALL, F, NUMBERS, recipe


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
    x = b.tensor(FLOATS + ["int32", "int64", "uint8", "int8", "uint32"])
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
    dtypes = F if op in ("Mean", "Sum") else NUMBERS + ["uint64"]
    x = b.tensor(dtypes)
    others = [b.like(x) for _ in range(b.rng.randint(0, 3))]
    b.node(op, [x, *others], rounds=op in ("Mean", "Sum"))


@recipe("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
def compare(b, op):
    x = b.tensor((ALL if op == "Equal" else NUMBERS) + ["uint64"], exact=True)
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
    x = b.tensor(F + ["int32", "int64", "int8", "uint8"])
    low = b.constant(int(x.dtype == "uint8") * 3 - 1, x.dtype) if b.chance(0.7) else None
    high = b.constant(5, x.dtype) if b.chance(0.7) else None
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


@recipe()
def CastLike(b, op):
    x = b.tensor(ALL, exact=True)
    like = b.new(b.choose(["float32", "int64", "bool", "float64"]), b.shape(0, 1))
    if x.array.dtype.kind == "f" and not np.isfinite(x.array).all():
        raise Discard("not a number that others know")
    b.node(op, [x, like], rounds=False)


@recipe()
def BitCast(b, op):
    pairs = {"float32": ["int32", "uint32"], "int32": ["float32", "uint32"],
             "int64": ["float64", "uint64"], "int8": ["uint8"], "uint8": ["int8"]}
    x = b.tensor(list(pairs), exact=True)
    b.node(op, [x], to=onnx_type(b.choose(pairs[x.dtype])), rounds=False)


@recipe()
def Dropout(b, op):
    x = b.tensor(F)
    operands = [x]
    if b.chance(0.5):
        operands.append(b.constant(np.array(0.3), "float32"))
    b.node(op, operands, outputs=b.choose([1, 1, 2]), rounds=False)
