"""glow.backend, the interface that ONNX defines for backends.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import unittest

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx.backend.test import BackendTest

import glow.backend

X = np.array([[1, -2], [-3, 4]], np.float32)


def relu():
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"]),
         helper.make_node("Add", ["x", "y"], ["0"])], "main",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, "n"])],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, None)
         for n in ("y", "0")])
    return helper.make_model(graph, ir_version=8, opset_imports=[
        helper.make_opsetid("", 18)])


@pytest.mark.parametrize("device", ["CPU", "CPU:0", "INTERPRET"])
def test_prepare(device):
    prepared = glow.backend.prepare(relu(), device)
    for given in ([X], X, {"x": X}):
        outputs = prepared.run(given)
        np.testing.assert_array_equal(outputs[0], X.clip(0))
        np.testing.assert_array_equal(outputs["0"], X + X.clip(0))


def test_run_model():
    y, _ = glow.backend.run_model(relu(), [X], precision="strict")
    np.testing.assert_array_equal(y, X.clip(0))


def test_run_node():
    node = helper.make_node("Clip", ["x", "", "most"], ["y"])
    got = glow.backend.run_node(node, [X, np.float32(1)], opset_version=13)
    np.testing.assert_array_equal(got[0], X.clip(None, 1))


def test_devices():
    assert glow.backend.supports_device("CPU")
    assert not glow.backend.supports_device("CUDA")


def test_runner_of_onnx():
    """A few tests through ONNX's runner; backend_suite.py runs them all."""
    tests = BackendTest(glow.backend.GlowBackend, __name__).tests
    names = ["test_relu_cpu", "test_add_uint8_cpu", "test_cast_FLOAT_to_BFLOAT16_cpu",
             "test_sequence_insert_at_front_cpu", "test_identity_opt_cpu",
             "test_relu_cuda"]
    result = unittest.TestResult()
    unittest.TestSuite(tests(name) for name in names).run(result)
    assert not result.failures + result.errors
    assert result.testsRun == len(names) and len(result.skipped) == 1
