"""Calls from Python: plain arrays through the compiled module, and others.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

import ml_dtypes
import numpy as np
import onnx
import pytest
from digits import accuracy
from onnx import helper as oh

import glow

PLAIN_TYPES = ["float32", "float64", "float16", "uint8", "int8", "uint16", "int16", "uint32",
               "int32", "uint64", "int64", "bool", "complex64"]


@pytest.mark.parametrize("dtype", PLAIN_TYPES)
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 3)])
def test_plain_arrays(dtype, shape):
    """Each type comes and goes unchanged, and like through ctypes."""
    code = oh.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = oh.make_graph(
        [oh.make_node("Transpose", ["x"], ["y"]), oh.make_node("Identity", ["x"], ["z"])], "move",
        [oh.make_tensor_value_info("x", code, shape)],
        [oh.make_tensor_value_info(n, code, None) for n in "yz"])
    program = glow.compile(oh.make_model(
        graph, ir_version=10, opset_imports=[oh.make_opsetid("", 21)]).SerializeToString())
    x = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 3).astype(dtype)
    first = program.run({"x": x})
    program._runner = None
    for results in (first, program.run({"x": x})):
        assert list(results) == ["y", "z"]
        for name, wanted in (("y", x.T), ("z", x)):
            assert results[name].dtype == x.dtype and results[name].flags.writeable
            np.testing.assert_array_equal(results[name], wanted)


def test_results_that_are_no_plain_arrays():
    """They come from the compiled module's run, and are decoded in Python."""
    graph = oh.make_graph(
        [oh.make_node("Cast", ["x"], ["b"], to=onnx.TensorProto.BFLOAT16),
         oh.make_node("Cast", ["x"], ["s"], to=onnx.TensorProto.STRING),
         oh.make_node("SplitToSequence", ["x"], ["q"], axis=0)], "others",
        [oh.make_tensor_value_info("x", onnx.TensorProto.INT64, [2])],
        [oh.make_tensor_value_info("b", onnx.TensorProto.BFLOAT16, [2]),
         oh.make_tensor_value_info("s", onnx.TensorProto.STRING, [2]),
         oh.make_tensor_sequence_value_info("q", onnx.TensorProto.INT64, None)])
    program = glow.compile(oh.make_model(
        graph, ir_version=10, opset_imports=[oh.make_opsetid("", 21)]).SerializeToString())
    assert program._runner
    results = program.run({"x": np.array([3, -4])})
    assert results["b"].astype(float).tolist() == [3, -4]
    assert results["s"].tolist() == ["3", "-4"]
    assert [part.tolist() for part in results["q"]] == [[3], [-4]]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_calls_leave_nothing(is_compiled):
    """Neither inputs nor results are kept, or their references lost."""
    image = np.random.default_rng(1).random((2, 1, 8, 8), np.float32)
    model = glow.compile(accuracy.MODEL, shapes={"image": image.shape})
    if not is_compiled:
        model._runner = None
    before = sys.getrefcount(image)
    for _ in range(3):
        results = model.run({"image": image})
        scores = next(iter(results.values()))
        del results
    assert sys.getrefcount(image) == before and sys.getrefcount(scores) == 2
    with pytest.raises(glow.GlowError):
        model.run({"image": image[:1]})
    assert sys.getrefcount(image) == before


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_elements_of_half_a_byte_in_a_range(n):
    """They take a byte each where they are bound."""
    int4 = onnx.TensorProto.INT4
    graph = oh.make_graph(
        [oh.make_node("Cast", ["x"], ["f"], to=onnx.TensorProto.FLOAT),
         oh.make_node("Neg", ["f"], ["g"]), oh.make_node("Cast", ["g"], ["y"], to=int4)], "half",
        [oh.make_tensor_value_info("x", int4, ["n"])],
        [oh.make_tensor_value_info("y", int4, ["n"])])
    program = glow.compile(oh.make_model(
        graph, ir_version=10, opset_imports=[oh.make_opsetid("", 21)]).SerializeToString(),
        shapes={"x": [(1, 8)]})
    x = (np.arange(n) % 7 - 3).astype(ml_dtypes.int4)
    y = program.run({"x": x})["y"]
    assert y.dtype == x.dtype and (y.astype(int) == -x.astype(int)).all()


def test_input_that_is_an_output():
    """It has the name that it has as an input, as ONNX wants."""
    graph = oh.make_graph(
        [oh.make_node("Neg", ["x"], ["y"])], "passed",
        [oh.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2])],
        [oh.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2]) for name in "yx"])
    model = glow.compile(oh.make_model(graph, ir_version=10, opset_imports=[
        oh.make_opsetid("", 21)]).SerializeToString())
    results = model.run({"x": np.array([1, 2], np.float32)})
    assert results["y"].tolist() == [-1, -2] and results["x"].tolist() == [1, 2]
