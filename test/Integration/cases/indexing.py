"""Operators that select, place or order elements.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

X = (4, 5, 6)
for axis in (0, 1, 2, -1):
    add("Gather", data(*X), np.array([2, 0, 3]), axis=axis,
        label=f"axis{axis}")
    add("Gather", data(*X), const([1, -1]), axis=axis,
        label=f"constant-axis{axis}")
add("Gather", data(*X), np.array([[1, 2, 0], [3, 3, 1]]), label="matrix")
add("Gather", data(2, 12), const(np.arange(12).reshape(2, 3, 2).transpose(2, 1, 0)),
    axis=1, label="digits")
add("Gather", data(*X), np.array(2), label="scalar")
add("Gather", data(*X), np.array(-2), axis=1, label="negative-scalar")
add("Gather", data(*X), np.array([-1, -4, 0]), label="negative")
add("Gather", data(*X), np.array([1, 2], np.int32), label="int32-indices")
add("Gather", const(data(50, 16)), np.array([[3, 17, 49], [0, 0, 5]]),
    label="embedding")
for dtype in (np.int64, np.float16, np.uint8, bool):
    add("Gather", data(*X, dtype=dtype), np.array([2, 0]), axis=1,
        label=np.dtype(dtype).name)

for axis in (0, 1, -1):
    indices = np.array([[1, 0, 2], [-1, 2, 0]])
    add("GatherElements", data(3, 3), indices, axis=axis, label=f"axis{axis}")
add("GatherND", data(2, 3, 4), np.array([[0, 1], [1, 2]]), label="rows")
add("GatherND", data(2, 3, 4), np.array([[0, 1, 3], [1, -1, 0]]),
    label="elements")
add("GatherND", data(2, 3, 4), np.array([[[1]], [[0]]]), label="matrix")
add("GatherND", data(2, 3, 4), np.array([[2], [0]]), batch_dims=1,
    label="batch")

for reduction in ["none", "add", "mul", "max", "min"]:
    add("ScatterElements", data(3, 4), np.array([[1, 0], [2, 3]]),
        data(2, 2), axis=1, reduction=reduction, label=reduction)
    add("ScatterND", data(4, 5), np.array([[1], [3]]), data(2, 5),
        reduction=reduction, label=reduction)
add("ScatterElements", data(3, 4), np.array([[1, -1], [2, 0]]), data(2, 2),
    axis=0, label="negative")
add("ScatterElements", const(np.zeros(5, np.float32)), np.array([3, 0]),
    data(2), label="vector")
add("ScatterElements", data(3, 4), np.array([[1, 1], [1, 1]]), data(2, 2),
    axis=1, reduction="add", label="repeated")
add("ScatterND", data(4, 5), np.array([[1, 2], [3, 0]]), data(2),
    label="elements")
add("ScatterElements", data(3, 4), np.array([[1, 0]]), data(1, 2), axis=1,
    opset=11, label="opset11")
add("TensorScatter", data(2, 6, 3), data(2, 2, 3), const([1, 3]), axis=1,
    opset=24)

for largest in (0, 1):
    for axis in (0, 1, -1):
        add("TopK", data(5, 6), const([3]), axis=axis, largest=largest,
            outputs=2, label=f"{largest}-axis{axis}")
add("TopK", np.array([[1, 3, 3, 2, 1]], np.float32), const([4]), outputs=2,
    label="ties")
for dtype in (np.int32, np.int64, np.float64):
    add("TopK", data(4, 9, dtype=dtype, low=-99, high=99), const([2]),
        outputs=2, label=np.dtype(dtype).name)
# Many are kept as a heap.
for largest in (0, 1):
    add("TopK", data(3, 200, dtype=np.int32, low=-20, high=20), const([90]),
        largest=largest, outputs=2, label=f"heap{largest}")
    add("TopK", data(70, 3), const([70]), axis=0, largest=largest, outputs=2,
        label=f"sorted{largest}")
# Vectors of neighbours are passed over together: ties, and in the end a rest.
for k, dtype in [(1, np.float32), (1, np.int32), (5, np.float32), (40, np.int64)]:
    for largest in [0, 1]:
        add("TopK", data(3, 517, dtype=dtype, low=-60, high=60), const([k]),
            largest=largest, outputs=2, label=f"long-{k}-{dtype.__name__}-{largest}")
add("TopK", data(4, 9), const([2]), outputs=2, opset=10, label="opset10")
add("TopK", data(4, 9), k=2, outputs=2, opset=1, label="opset1")

add("OneHot", np.array([1, 0, 3, -1]), const(4), const([0.0, 1.0]))
add("OneHot", np.array([[1, 0], [3, 9]]), const(4), const([2.0, 5.0]), axis=0,
    label="axis0")
add("OneHot", np.array([1, 0]), const(3), const([0, 1]), axis=1,
    label="int64")
add("OneHot", np.array([1.0, 2.0], np.float32), const([3]), const([0.0, 1.0]),
    label="float-indices",
    expected=lambda x0: [np.eye(3, dtype=np.float32)[x0.astype(int)]])

# The shapes of these depend on the data.
add("NonZero", data(3, 4, dtype=np.int64, low=-1, high=2), label="int64")
add("NonZero", data(3, 4, dtype=bool), label="bool")
add("NonZero", np.array([0.0, 1.5, -0.0, np.nan], np.float32), label="float32")
add("Compress", data(3, 4), np.array([True, False, True]), axis=0,
    label="axis0")
add("Compress", data(3, 4), np.array([False, True, True]), label="flat")
DUPLICATES = np.array([2, 1, 1, 3, 4, 3], np.float32)
for is_sorted in (0, 1):
    add("Unique", DUPLICATES, sorted=is_sorted, outputs=4,
        label=f"sorted{is_sorted}")
add("Unique", np.array([[1, 0], [1, 0], [2, 3]], np.float32), axis=0,
    outputs=4, label="axis0")
BOXES = np.array([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9],
                   [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]]],
                 np.float32)
SCORES = np.array([[[0.9, 0.75, 0.6, 0.95, 0.5, 0.3]]], np.float32)
add("NonMaxSuppression", BOXES, SCORES, const([3]), const([0.5]),
    const([0.0]))
add("NonMaxSuppression", BOXES, SCORES, const([3]), const([0.5]),
    const([0.4]), center_point_box=1, label="centres")
