#!/usr/bin/env python3
"""Writes the ONNX tensors beside it, which the tests read.

Needs the package onnx. Run it again after a change here and commit the results.
Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import pathlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent


def save(name, message):
    path = HERE / f"{name}.pb"
    path.parent.mkdir(exist_ok=True)
    data = message if isinstance(message, bytes) else message.SerializeToString()
    path.write_bytes(data)


def external(location):
    tensor = TensorProto(dims=[2, 3], data_type=TensorProto.FLOAT,
                         data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=location)
    return tensor


x = np.arange(6, dtype=np.float32).reshape(2, 3)
y = np.array([10, 0, 20], np.float32)

# Typed fields in one, raw data in the other.
save("test_data_set_0/input_0",
     helper.make_tensor("x", TensorProto.FLOAT, x.shape, x.flatten().tolist()))
save("test_data_set_0/input_1", numpy_helper.from_array(y, "y"))
save("test_data_set_0/output_0", numpy_helper.from_array(x + y, "sum"))
save("test_data_set_0/output_1",
     numpy_helper.from_array(np.array([2, 2], np.int64), "places"))

# The second output differs.
save("test_data_set_1/output_0", numpy_helper.from_array(x + y, "sum"))
save("test_data_set_1/output_1",
     numpy_helper.from_array(np.array([2, 0], np.int64), "places"))

# As many bytes as are expected, of another type.
save("test_data_set_2/output_0",
     numpy_helper.from_array((x + y).astype(np.int32), "sum"))

good = numpy_helper.from_array(x, "x").SerializeToString()
save("bad-truncated", good[:-3])
save("bad-short", TensorProto(dims=[2, 3], data_type=TensorProto.FLOAT,
                              raw_data=bytes(8)))
save("bad-negative", TensorProto(dims=[-2, 3], data_type=TensorProto.FLOAT))
save("bad-huge", TensorProto(dims=[1 << 40, 1 << 40],
                             data_type=TensorProto.FLOAT))
save("bad-strings", TensorProto(dims=[1], data_type=TensorProto.STRING,
                                string_data=[b"text"]))
save("bad-type", TensorProto(dims=[2, 3], data_type=99, raw_data=bytes(24)))
save("bad-escape", external("../../secret"))
save("bad-missing", external("no-such-file"))
save("bad-message", helper.make_model(helper.make_graph([], "g", [], [])))
save("double", numpy_helper.from_array(x.astype(np.float64), "x"))
