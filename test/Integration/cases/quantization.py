"""Quantisation.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from onnx import TensorProto

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

X = np.array([-3e9, -50.3, -1.5, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1.5, 2.5,
              63.7, 400, 3e9], np.float32)
for dtype in (np.int8, np.uint8, np.int16, np.uint16):
    name = np.dtype(dtype).name
    add("QuantizeLinear", X, const(0.5), const(3, dtype), label=name)
    add("DequantizeLinear", data(9, dtype=dtype, low=-99, high=99),
        const(0.25), const(7, dtype), label=name)
add("QuantizeLinear", X, const(0.5), label="no-zero-point")
add("QuantizeLinear", X, const(0.5), output_dtype=TensorProto.INT8,
    label="output-dtype")
add("DequantizeLinear", data(9, dtype=np.int32, low=-9999, high=9999),
    const(0.01), label="int32")
add("DequantizeLinear", data(9, dtype=np.uint8, high=255), const(0.1),
    label="no-zero-point")
SCALES = const([0.1, 0.5, 2.0])
for axis, shape in [(0, (3, 4)), (1, (2, 3, 4)), (-1, (4, 3))]:
    add("QuantizeLinear", data(*shape, low=-20, high=20), SCALES,
        const([0, 10, -10], np.int8), axis=axis, label=f"axis{axis}")
    add("DequantizeLinear", data(*shape, dtype=np.int8, low=-99, high=99),
        SCALES, const([0, 10, -10], np.int8), axis=axis, label=f"axis{axis}")
add("DequantizeLinear", const(data(3, 2, 3, 3, dtype=np.int8, low=-99,
    high=99)), SCALES, axis=0, label="weights")
BLOCKS = data(3, 2, low=0.1)
add("QuantizeLinear", data(3, 8, low=-9, high=9), const(BLOCKS),
    const(np.zeros((3, 2)), np.int8), axis=1, block_size=4, label="blocks")
add("DequantizeLinear", data(3, 8, dtype=np.int8, low=-99, high=99),
    const(BLOCKS), axis=1, block_size=4, label="blocks")
add("QuantizeLinear", X, const(0.5), const(3, np.uint8), opset=10,
    label="opset10")
add("DequantizeLinear", data(9, dtype=np.uint8, high=255), const(0.1),
    const(3, np.uint8), opset=10, label="opset10")
add("DynamicQuantizeLinear", data(3, 4), outputs=3)
add("DynamicQuantizeLinear", data(3, 4, low=1), outputs=3, label="positive")

# Rounding may differ by one step where products are summed in floats.
for dtype in (np.uint8, np.int8):
    name = np.dtype(dtype).name
    zero = [const(5, dtype), const(2, dtype), const(9, dtype)]
    a = data(4, 6, dtype=dtype, low=-99, high=99)
    b = const(data(6, 3, dtype=dtype, low=-99, high=99))
    add("QLinearMatMul", a, const(0.1), zero[0], b, const(0.05), zero[1],
        const(0.7), zero[2], tolerance=1, label=name)
    x = data(1, 2, 6, 6, dtype=dtype, low=-99, high=99)
    w = const(data(3, 2, 3, 3, dtype=dtype, low=-99, high=99))
    conv = [x, const(0.1), zero[0], w, const(0.05), zero[1], const(0.9),
            zero[2]]
    add("QLinearConv", *conv, pads=[1] * 4, tolerance=1, label=name)
    add("QLinearConv", *conv, const(data(3, dtype=np.int32, low=-500,
        high=500)), strides=[2, 2], tolerance=1, label=f"bias-{name}")
add("QLinearConv", data(1, 2, 6, 6, dtype=np.uint8, high=255), const(0.1),
    const(5, np.uint8), const(data(3, 2, 3, 3, dtype=np.int8, low=-99,
    high=99)), const([0.05, 0.1, 0.02]), const([0, 0, 0], np.int8),
    const(0.9), const(128, np.uint8), tolerance=1, label="channels")
