"""The conformity tests that the onnx package carries: a model, inputs and
outputs for nearly every operator in nearly every version.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import numpy as np
import onnx
import pytest
from compare import is_float
from onnx import numpy_helper
from onnx.backend.test import loader
from unsupported import expect_failure

CASES = {case.name: case
         for kind in ["node", "simple", "pytorch-converted",
                      "pytorch-operator"]
         for case in loader.load_model_tests(kind=kind)}


def load_tensors(folder, stem, count):
    """The values stored as STEM_0.pb, STEM_1.pb, ..."""
    tensors = []
    for index in range(count):
        data = (folder / f"{stem}_{index}.pb").read_bytes()
        tensors.append(numpy_helper.to_array(
            onnx.TensorProto.FromString(data)))
    return tensors


def all_tensors(values):
    return all(v.type.WhichOneof("value") == "tensor_type" for v in values)


@pytest.mark.parametrize("name", CASES)
def test_onnx(name, run, backend, request):
    expect_failure(request, backend, "unsupported-onnx.txt", name, CASES)
    case = CASES[name]
    folder = pathlib.Path(case.model_dir)
    model = onnx.load(folder / "model.onnx")
    # Old models list their weights among the inputs, without data for them.
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in weights]
    outputs = model.graph.output
    assert all_tensors([*inputs, *outputs]), "sequences, maps and optionals"
    for data in sorted(folder.glob("test_data_set_*")):
        given = load_tensors(data, "input", len(inputs))
        wanted = load_tensors(data, "output", len(outputs))
        actual = run(model, {i.name: v for i, v in zip(inputs, given)})
        for output, want in zip(outputs, wanted):
            check_close(actual[output.name], want, case.rtol, case.atol)


def check_close(actual, expected, rtol, atol):
    assert actual.shape == expected.shape
    if expected.dtype.kind in "OSU":
        assert actual.astype(str).tolist() == expected.astype(str).tolist()
        return
    assert actual.dtype == expected.dtype
    if is_float(expected.dtype):
        actual, expected = (a.astype(np.float64) for a in (actual, expected))
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)
