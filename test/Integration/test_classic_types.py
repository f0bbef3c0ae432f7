"""Results of ai.onnx.ml's operators are of single precision, whatever goes in.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from onnx import TensorProto, helper

import glow

X = np.array([[1, 2, 3], [4, 5, 6]])
CASES = {
    "Scaler": (dict(offset=[1.0], scale=[0.5]), (X - 1) * 0.5),
    "Normalizer": (dict(norm="L1"), X / X.sum(1, keepdims=True)),
    "LinearRegressor": (dict(coefficients=[1.0, 2.0, 3.0]), X @ [[1], [2], [3]]),
    "FeatureVectorizer": (dict(inputdimensions=[3]), X),
}


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("op", CASES)
def test_single_precision(op, kind):
    attributes, expected = CASES[op]
    info, x = helper.make_tensor_value_info, X.astype(kind)
    graph = helper.make_graph(
        [helper.make_node(op, ["x"], ["y"], domain="ai.onnx.ml", **attributes)], op,
        [info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)],
        [info("y", TensorProto.FLOAT, None)])
    model = helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("ai.onnx.ml", 1)])
    y = glow.compile(model.SerializeToString()).run({"x": x})["y"]
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, expected, rtol=1e-6)
