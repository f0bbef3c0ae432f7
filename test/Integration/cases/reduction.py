"""Reductions, arg-reductions and cumulative sums.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

# Axes became an operand at these opsets; they were an attribute before.
AXES_AS_OPERAND = {"ReduceSum": 13}
REDUCTIONS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
              "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
              "ReduceLogSumExp", "ReduceSumSquare"]
X = (3, 4, 5)
for op in REDUCTIONS:
    low = 0.1 if op == "ReduceLogSum" else -2
    x = data(*X, low=low)
    add(op, x, label="all")
    add(op, x, keepdims=0, label="all-dropped")
    for axes in ([0], [1], [2], [-1], [0, 2], [1, 2], [0, 1, 2]):
        name = "".join(map(str, axes))
        add(op, x, const(axes), label=f"axes{name}")
        add(op, x, const(axes), keepdims=0, label=f"axes{name}-dropped")
    add(op, x, noop_with_empty_axes=1, label="noop") if op in (
        "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin") else None
    add(op, x, axes=[1], opset=12 if op in AXES_AS_OPERAND else 13,
        label="attribute")
    add(op, x, axes=[0, 2], keepdims=0, opset=11, label="opset11")
    add(op, data(2, 300, low=low), const([1]), label="long")
    add(op, data(300, 33, low=low), const([0]), label="tall")
    add(op, data(2, 9, dtype=np.float64, low=low), const([1]),
        label="float64")
    if op in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"):
        add(op, data(2, 64, dtype=np.float16, low=0.1), const([1]),
            label="float16")
for op in ["ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd",
           "ReduceSumSquare", "ReduceL1", "ReduceMean"]:
    for dtype in (np.int32, np.int64):
        add(op, data(3, 4, dtype=dtype, low=-5, high=6), const([1]),
            label=np.dtype(dtype).name)
for op in ["ReduceMax", "ReduceMin"]:
    for dtype in (np.int8, np.uint8):
        add(op, data(3, 4, dtype=dtype, low=-9, high=9), const([1]),
            label=np.dtype(dtype).name)
    add(op, data(3, 4, dtype=bool), const([1]), label="bool")
add("ReduceSum", data(2, 0, 3), const([1]), label="empty-axis")
add("ReduceMax", np.array([[1, np.inf], [-np.inf, 2]], np.float32),
    const([1]), label="special")
add("ReduceLogSumExp", np.array([[np.inf, 1], [-np.inf, -np.inf]], np.float32),
    const([1]), label="infinite")
add("ReduceLogSumExp", np.array([[1000, 1001], [-1000, -1001]], np.float32),
    const([1]), label="large")

for op in ["ArgMax", "ArgMin"]:
    for axis in (0, 1, -1):
        for keepdims in (0, 1):
            add(op, data(*X), axis=axis, keepdims=keepdims,
                label=f"axis{axis}-{keepdims}")
    ties = np.array([[1, 3, 3, 1, 1, 3]], np.float32)
    for last in (0, 1):
        add(op, ties, axis=1, select_last_index=last, label=f"ties{last}")
    for dtype in (np.int32, np.int64, np.float64, np.uint8, np.int8):
        add(op, data(3, 7, dtype=dtype, low=-50, high=50), axis=1,
            label=np.dtype(dtype).name)

for exclusive in (0, 1):
    for reverse in (0, 1):
        add("CumSum", data(3, 5), const(1, np.int64), exclusive=exclusive,
            reverse=reverse, label=f"{exclusive}{reverse}")
add("CumSum", data(3, 5), const(0, np.int32), label="axis0")
add("CumSum", data(9, 301), const(0, np.int32), label="wide")
add("CumSum", data(2, 3, 4), const(-2), label="axis-2")
for dtype in (np.int32, np.int64, np.float64):
    add("CumSum", data(3, 5, dtype=dtype), const(1),
        label=np.dtype(dtype).name)
