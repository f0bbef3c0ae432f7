"""Element-wise operators: types, special values, broadcasting.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ml_dtypes
import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

F16, F32, F64, BF16 = np.float16, np.float32, np.float64, ml_dtypes.bfloat16
FLOATS = [F16, F32, F64, BF16]
SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
INTEGERS = SIGNED + UNSIGNED
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1.0,
                    -1.0, 0.5, 1.5, 2.5, -0.5, -1.5, 88.0, -88.0, 1e4, -1e4,
                    3e38, -3e38], F32)


def typename(dtype):
    return np.dtype(dtype).name


# Operator: (lowest, highest) argument.
UNARY = {
    "Abs": (-2, 2), "Acos": (-1, 1), "Acosh": (1, 5), "Asin": (-1, 1),
    "Asinh": (-5, 5), "Atan": (-5, 5), "Atanh": (-0.99, 0.99),
    "Ceil": (-5, 5), "Cos": (-7, 7), "Cosh": (-3, 3), "Elu": (-3, 3),
    "Erf": (-4, 4), "Exp": (-10, 10), "Floor": (-5, 5), "Gelu": (-5, 5),
    "HardSigmoid": (-4, 4), "HardSwish": (-5, 5), "Identity": (-2, 2),
    "LeakyRelu": (-2, 2), "Log": (1e-6, 10), "Mish": (-5, 5), "Neg": (-2, 2),
    "Reciprocal": (0.1, 3), "Relu": (-2, 2), "Round": (-5, 5),
    "Selu": (-3, 3), "Shrink": (-2, 2), "Sigmoid": (-9, 9), "Sign": (-2, 2),
    "Sin": (-7, 7), "Sinh": (-3, 3), "Softplus": (-5, 5), "Softsign": (-5, 5),
    "Sqrt": (0, 9), "Tan": (-1.4, 1.4), "Tanh": (-5, 5),
    "ThresholdedRelu": (-2, 3), "Celu": (-3, 3),
}
# What ONNX Runtime computes in single precision, or with single constants.
SINGLE = {"Erf", "Gelu", "HardSwish", "Shrink"}
for op, (low, high) in UNARY.items():
    add(op, data(3, 5, 7, low=low, high=high), label="float32")
    for dtype in (F16, F64):
        if op not in ("Celu",):
            add(op, data(2, 9, dtype=dtype, low=low, high=high),
                label=typename(dtype),
                tolerance=1e-6 if op in SINGLE and dtype is F64 else None)

for op in ["Abs", "Ceil", "Erf", "Exp", "Floor", "Log", "Neg", "Reciprocal",
           "Relu", "Round", "Sigmoid", "Sign", "Sqrt", "Tanh", "IsNaN",
           "Softplus", "HardSigmoid", "LeakyRelu"]:
    add(op, SPECIAL, label="special")
for op in ["Abs", "Exp", "Neg", "Relu", "Sqrt", "Tanh", "Sigmoid"]:
    add(op, data(3, 4, dtype=BF16, low=0.1), label="bfloat16")
for op in ["Abs", "Neg", "Sign"]:
    for dtype in SIGNED:
        add(op, data(11, dtype=dtype, low=-100, high=100),
            label=typename(dtype))
for op in ["Abs", "Sign"]:
    for dtype in UNSIGNED:
        add(op, data(11, dtype=dtype, high=100), label=typename(dtype))
for dtype in SIGNED:
    add("Relu", data(11, dtype=dtype, low=-9, high=9), label=typename(dtype))
for dtype in INTEGERS:
    add("BitwiseNot", data(7, dtype=dtype, high=100), label=typename(dtype))
add("Not", data(3, 4, dtype=bool))
add("Relu", data(), label="scalar")
add("Relu", data(0, 3), label="empty")
add("Relu", data(1031), label="odd-length")
add("Exp", data(2, 1, 3, 1, 2, 1, 2), label="rank7")
for positive in (0, 1):
    for negative in (0, 1):
        add("IsInf", SPECIAL, detect_positive=positive,
            detect_negative=negative, label=f"{positive}{negative}")
add("Elu", data(20), alpha=0.3, label="alpha")
add("Celu", data(20), alpha=0.7, label="alpha")
add("Selu", data(20), alpha=1.2, gamma=0.8, label="parameters")
add("LeakyRelu", data(20), alpha=0.2, label="alpha")
add("ThresholdedRelu", data(20), alpha=0.4, label="alpha")
add("HardSigmoid", data(20), alpha=0.4, beta=0.3, label="parameters")
add("Shrink", data(20), bias=0.3, lambd=0.7, label="parameters")
add("Gelu", data(40, low=-5, high=5), approximate="tanh", label="tanh")
add("Swish", data(20), label="opset24", opset=24)

# Clip: bounds as operands since opset 11, as attributes before.
add("Clip", data(30), const(-0.5), const(0.75), label="both")
add("Clip", data(30), const(-0.5), label="low")
add("Clip", data(30), None, const(0.5), label="high")
add("Clip", data(30), label="none")
add("Clip", data(30), np.float32(-1), np.float32(1), label="run-time-bounds")
add("Clip", data(30), const(1.0), const(-1.0), label="crossed-bounds")
add("Clip", data(30), min=-0.5, max=0.5, label="opset6", opset=6)
for dtype in (np.int8, np.int32, np.int64, np.uint8, F16, F64):
    add("Clip", data(30, dtype=dtype, low=-9, high=9), const(1, dtype),
        const(3, dtype), label=typename(dtype))

SHAPES = {
    "equal": ((2, 3, 4), (2, 3, 4)), "scalar": ((2, 3), ()),
    "scalar-first": ((), (2, 3)), "vector": ((2, 3, 4), (4,)),
    "channel": ((2, 3, 4, 5), (3, 1, 1)), "both": ((2, 1, 4), (3, 1)),
    "ones": ((1, 1, 1), (2, 3, 4)), "empty": ((0, 3), (1, 3)),
}
for label, (left, right) in SHAPES.items():
    for op in ["Add", "Sub", "Mul", "Div"]:
        add(op, data(*left), data(*right, low=0.5), label=label)
    add("Less", data(*left), data(*right), label=label)
    add("PRelu", data(*left), data(*right), label=label) if label in (
        "equal", "vector", "channel", "scalar") else None
add("Add", data(2, 3, 4, 5), const(np.ones((3, 1, 1), F32)), label="weight")
add("Add", *[data(6)] * 2, label="self")

for op in ["Add", "Sub", "Mul", "Div"]:
    for dtype in FLOATS + INTEGERS:
        high = 6 if dtype in INTEGERS else 2
        right = data(3, 4, dtype=dtype, low=1, high=high)
        add(op, data(3, 4, dtype=dtype, low=-high, high=high),
            np.maximum(right, 1), label=typename(dtype))
add("Div", np.array([7, -7, 7, -7], np.int32),
    np.array([2, 2, -2, -2], np.int32), label="truncates")
add("Div", np.array([1, -1, 0], F32), np.zeros(3, F32), label="by-zero")
add("Add", np.array([2**31 - 1, -2**31], np.int32),
    np.array([1, -1], np.int32), label="wraps")
add("Mul", np.array([200, 3], np.uint8), np.array([2, 100], np.uint8),
    label="wraps-uint8")

add("Pow", data(4, 5, low=0.1), data(5), label="float32")
add("Pow", data(4, 5, low=-3, high=3), const(2.0), label="square")
add("Pow", data(4, 5, low=-3, high=3), const(3.0), label="cube")
add("Pow", data(4, 5, low=0.1), const(0.5), label="root")
add("Pow", data(4, 5, low=0.1), const(-0.5), label="inverse-root")
add("Pow", data(6, low=-3, high=3), np.array([0, 1, 2, 3, 4, 5], np.int64),
    label="float-int")
add("Pow", data(6, dtype=np.int32, low=-4, high=4), const(3, np.int32),
    label="int32")
add("Pow", data(6, dtype=np.int64, low=-4, high=4), const(2.0),
    label="int-float")
add("Pow", data(6, dtype=F64, low=0.1), const(1.7, F64), label="float64")

MOD = np.array([-7, -5, 5, 7, 8, -8]), np.array([3, -3, 3, -3, 8, 5])
for dtype in SIGNED:
    add("Mod", *[v.astype(dtype) for v in MOD], label=typename(dtype))
    add("Mod", *[v.astype(dtype) for v in MOD], fmod=1,
        label=f"fmod-{typename(dtype)}")
for dtype in UNSIGNED:
    add("Mod", *[np.abs(v).astype(dtype) for v in MOD], label=typename(dtype))
for dtype in (F32, F64, F16):
    add("Mod", *[v.astype(dtype) * dtype(0.75) for v in MOD], fmod=1,
        label=f"fmod-{typename(dtype)}")

for op in ["Max", "Min", "Sum", "Mean"]:
    add(op, data(3, 4), label="one")
    add(op, data(3, 4), data(3, 4), label="two")
    add(op, data(3, 4), data(4), data(3, 1), label="three-broadcast")
    add(op, data(7, dtype=F16), data(7, dtype=F16), label="float16")
    add(op, data(7, dtype=F64), data(7, dtype=F64), label="float64")
for op in ["Max", "Min"]:
    for dtype in INTEGERS:
        add(op, data(9, dtype=dtype, low=-9, high=9),
            data(9, dtype=dtype, low=-9, high=9), label=typename(dtype))
    add(op, SPECIAL, SPECIAL[::-1].copy(), label="special")

for op in ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"]:
    for dtype in [F32, F64, F16, BF16] + INTEGERS:
        add(op, data(5, 6, dtype=dtype, low=-1, high=2).round(0),
            data(5, 6, dtype=dtype, low=-1, high=2).round(0),
            label=typename(dtype))
    add(op, SPECIAL, SPECIAL[::-1].copy(), label="special")
add("Equal", data(9, dtype=bool), data(9, dtype=bool), label="bool")
for op in ["And", "Or", "Xor"]:
    add(op, data(9, dtype=bool), data(9, dtype=bool), label="bool")
    add(op, data(3, 4, dtype=bool), data(4, dtype=bool), label="broadcast")
for op in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]:
    for dtype in INTEGERS:
        add(op, data(9, dtype=dtype, low=-99, high=99),
            data(9, dtype=dtype, low=-99, high=99), label=typename(dtype))
for dtype in UNSIGNED:
    for direction in ("LEFT", "RIGHT"):
        add("BitShift", data(9, dtype=dtype, high=100),
            data(9, dtype=dtype, high=8), direction=direction,
            label=f"{direction}-{typename(dtype)}")

for dtype in [F32, F64, F16, BF16, bool] + INTEGERS:
    add("Where", data(3, 4, dtype=bool), data(3, 4, dtype=dtype),
        data(3, 4, dtype=dtype), label=typename(dtype))
add("Where", data(3, 1, dtype=bool), data(4), data(2, 1, 1), label="broadcast")
add("Where", data(2, 3, dtype=bool), data(2, 3), const(-np.inf),
    label="mask")

# Before opset 7 the second operand was placed by `axis`.
add("Add", data(2, 3, 4, 5), data(3, 4), broadcast=1, axis=1, opset=6,
    label="opset6-axis", expected=lambda x0, x1: [x0 + x1[:, :, None]])
add("Mul", data(2, 3), data(2, 3), opset=6, label="opset6")
add("Div", data(2, 3), data(2, 3, low=1), opset=7, label="opset7")
for op in ["Relu", "Exp", "Sqrt", "Tanh", "Sigmoid"]:
    add(op, data(2, 3, low=0.1), opset=6, label="opset6")
