"""Matrix products.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ml_dtypes
import numpy as np

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

MATMULS = {
    "matrix": ((5, 7), (7, 3)), "vector-matrix": ((7,), (7, 3)),
    "matrix-vector": ((5, 7), (7,)), "dot": ((7,), (7,)),
    "batch": ((2, 5, 7), (2, 7, 3)), "batch-matrix": ((2, 5, 7), (7, 3)),
    "matrix-batch": ((5, 7), (2, 7, 3)), "rank4": ((2, 3, 5, 7), (2, 3, 7, 4)),
    "broadcast": ((2, 1, 5, 7), (3, 7, 4)), "one": ((1, 1), (1, 1)),
    "batch-vector": ((2, 5, 7), (7,)), "vector-batch": ((7,), (2, 7, 3)),
    "tiles": ((64, 64), (64, 64)), "odd": ((33, 65), (65, 49)),
    "row": ((1, 129), (129, 200)), "column": ((130, 50), (50, 1)),
    "long": ((3, 1000), (1000, 5)), "rank5": ((2, 1, 2, 3, 4), (3, 1, 4, 2)),
    "empty": ((0, 4), (4, 3)), "no-depth": ((2, 0), (0, 3)),
}
for label, (left, right) in MATMULS.items():
    add("MatMul", data(*left), data(*right), label=label)
for label in ["matrix", "batch-matrix", "odd", "row", "rank4"]:
    left, right = MATMULS[label]
    add("MatMul", data(*left), const(data(*right)), label=f"weight-{label}")
for dtype in [np.float16, np.float64, ml_dtypes.bfloat16, np.int32, np.int64,
              np.uint32, np.uint64]:
    add("MatMul", data(9, 17, dtype=dtype, high=4), data(
        17, 5, dtype=dtype, high=4), label=np.dtype(dtype).name)

for ta in (0, 1):
    for tb in (0, 1):
        a = data(*((7, 5) if ta else (5, 7)))
        b = data(*((3, 7) if tb else (7, 3)))
        add("Gemm", a, b, data(3), transA=ta, transB=tb, label=f"{ta}{tb}")
        add("Gemm", a, const(b), const(data(3)), transA=ta, transB=tb,
            label=f"weights-{ta}{tb}")
BIASES = {"none": None, "scalar": (), "one": (1,), "row": (3,),
          "row2": (1, 3), "column": (5, 1), "full": (5, 3)}
for label, shape in BIASES.items():
    add("Gemm", data(5, 7), data(7, 3),
        None if shape is None else data(*shape), alpha=0.5, beta=2.0,
        label=f"bias-{label}")
add("Gemm", data(5, 7), data(7, 3), data(5, 3), beta=0.0, label="beta0")
add("Gemm", data(40, 70), const(data(50, 70)), const(data(50)), transB=1,
    label="linear")
add("Gemm", data(40, 70), const(data(1, 70)), const(data(1)), transB=1,
    label="one-column")
for dtype in [np.float16, np.float64, np.int32]:
    add("Gemm", data(5, 7, dtype=dtype, high=4), data(7, 3, dtype=dtype,
        high=4), data(3, dtype=dtype), label=np.dtype(dtype).name)
add("Gemm", data(5, 7), data(7, 3), data(3), opset=9, label="opset9")
add("Gemm", data(5, 7), data(7, 3), data(3), broadcast=1, opset=6,
    label="opset6")

EINSUMS = {
    "ij,jk->ik": [(3, 4), (4, 5)], "bij,bjk->bik": [(2, 3, 4), (2, 4, 5)],
    "ij->ji": [(3, 4)], "ij->": [(3, 4)], "ij->i": [(3, 4)],
    "ii->i": [(4, 4)], "ii": [(4, 4)], "i,j->ij": [(3,), (4,)],
    "i,i": [(5,), (5,)], "bhqd,bhkd->bhqk": [(2, 3, 4, 5), (2, 3, 6, 5)],
    "bhqk,bkhd->bqhd": [(2, 3, 4, 6), (2, 6, 3, 5)],
    "...ij,...jk->...ik": [(2, 3, 4), (2, 4, 5)],
    "ij,jk,kl->il": [(2, 3), (3, 4), (4, 5)], "ij,ij->ij": [(3, 4), (3, 4)],
    "bij,jk": [(2, 3, 4), (4, 5)],
}
for index, (equation, shapes) in enumerate(EINSUMS.items()):
    add("Einsum", *[data(*s) for s in shapes], equation=equation,
        label=f"{index}-{equation.replace('->', '=')}")

for dtype in (np.uint8, np.int8):
    a = data(5, 7, dtype=dtype, low=-99, high=99)
    b = data(7, 3, dtype=dtype, low=-99, high=99)
    name = np.dtype(dtype).name
    add("MatMulInteger", a, b, label=name)
    add("MatMulInteger", a, b, const(3, dtype), const(5, dtype),
        label=f"zeros-{name}")
add("MatMulInteger", data(5, 7, dtype=np.uint8, high=255),
    const(data(7, 3, dtype=np.int8, low=-99, high=99)), const(128, np.uint8),
    const([1, -2, 3], np.int8), label="column-zeros")
