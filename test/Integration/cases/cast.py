"""Conversions between element types.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

from .case import Table

TABLE = Table()
add = TABLE.add

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
         "uint32", "uint64", "float16", "bfloat16", "float32", "float64"]
NARROW = {"float8_e4m3fn": "FLOAT8E4M3FN", "float8_e5m2": "FLOAT8E5M2",
          "float8_e4m3fnuz": "FLOAT8E4M3FNUZ",
          "float8_e5m2fnuz": "FLOAT8E5M2FNUZ"}


def dtype(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def code(name):
    return helper.np_dtype_to_tensor_dtype(dtype(name))


VALUES = np.array([0, 1, 2, 3, 7, 15, 100, 120])
FRACTIONS = np.array([0.0, -0.0, 0.25, -0.75, 1.5, 2.5, -2.5, 3.49, 100.7])

for source in TYPES:
    for target in TYPES:
        add("Cast", VALUES.astype(dtype(source)), to=code(target),
            label=f"{source}-{target}")
for source in ["float16", "bfloat16", "float32", "float64"]:
    for target in ["bool", "int8", "int32", "int64", "float16", "bfloat16",
                   "float32", "float64"]:
        add("Cast", FRACTIONS.astype(dtype(source)), to=code(target),
            label=f"fractions-{source}-{target}")
for source in ["int8", "int16", "int32", "int64"]:
    for target in ["int8", "int32", "int64", "float32"]:
        add("Cast", -VALUES.astype(source), to=code(target),
            label=f"negative-{source}-{target}")
EXTREMES = np.array([np.inf, -np.inf, np.nan, 70000.0, -1e-8, 1e-41, 500.0],
                    np.float32)
for target in ["float16", "bfloat16", "float64", "bool"]:
    add("Cast", EXTREMES, to=code(target), label=f"extremes-{target}")
for name, onnx_name in NARROW.items():
    to = getattr(TensorProto, onnx_name)
    for saturate in (0, 1):
        add("Cast", np.append(FRACTIONS, [1e6, 0.001]).astype(np.float32),
            to=to, saturate=saturate, label=f"to-{name}-{saturate}",
            tolerance=0)
    add("Cast", FRACTIONS.astype(dtype(name)), to=TensorProto.FLOAT,
        label=f"from-{name}")
    for source in (np.int32, np.uint8, np.bool_):
        add("Cast", VALUES.astype(source), to=to, saturate=0, tolerance=0,
            label=f"unsaturated-{np.dtype(source).name}-{name}")
add("CastLike", FRACTIONS.astype(np.float32), np.zeros(1, np.int32))
add("Cast", np.array(3.7, np.float32), to=TensorProto.INT64, label="scalar")
add("Cast", np.zeros((0, 2), np.float32), to=TensorProto.INT64, label="empty")
add("Cast", FRACTIONS.astype(np.float32), to=TensorProto.INT32, opset=6,
    label="opset6")
