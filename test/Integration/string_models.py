"""What the tests of strings share: models of a few nodes, and their results.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from backends import run_onnxruntime
from onnx import TensorProto, helper, numpy_helper

import glow

S, F, I64, BOOL = (TensorProto.STRING, TensorProto.FLOAT, TensorProto.INT64,
                   TensorProto.BOOL)
ML = "ai.onnx.ml"


def value(name, shape, kind=S):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, constants=(), ml=2):
    graph = helper.make_graph(nodes, "main", inputs, outputs, [
        numpy_helper.from_array(array, name) for name, array in constants])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 20), helper.make_opsetid(ML, ml)])


def node(op, inputs=("x",), outputs=("y",), **attributes):
    return helper.make_node(op, inputs, outputs, name="node", **attributes)


def text(values):
    return np.array(values, np.object_)


def compiled(made, backend):
    return glow.compile(made.SerializeToString(), target=backend)


def check(made, inputs, backend, want=None):
    got = compiled(made, backend).run(inputs)
    for name, expected in (want or run_onnxruntime(made, inputs)).items():
        assert got[name].shape == np.shape(expected)
        if np.asarray(expected).dtype.kind == "f":
            np.testing.assert_allclose(got[name], expected, rtol=1e-6)
        else:
            assert got[name].tolist() == np.asarray(expected).tolist()
