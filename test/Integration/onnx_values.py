"""The inputs and outputs of ONNX's conformity tests.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
from compare import is_float
from onnx import numpy_helper


def read_value(data, kind):
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def load_values(folder, stem, infos):
    """The values stored as STEM_0.pb, STEM_1.pb, ..."""
    return [read_value((folder / f"{stem}_{index}.pb").read_bytes(),
                       info.type.WhichOneof("value"))
            for index, info in enumerate(infos)]


def check_folder(folder, prepare, rtol, atol):
    """Runs the test in a folder: a model, and sets of inputs and outputs.

    prepare: model -> ({input name: value} -> {output name: value})
    """
    model = onnx.load(folder / "model.onnx")
    # Old models list their weights among the inputs, without data for them.
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in weights]
    outputs = model.graph.output
    run = prepare(model)
    for data in sorted(folder.glob("test_data_set_*")):
        given = load_values(data, "input", inputs)
        wanted = load_values(data, "output", outputs)
        actual = run({i.name: v for i, v in zip(inputs, given)})
        for output, want in zip(outputs, wanted):
            check_close(actual[output.name], want, rtol, atol)


def check_close(actual, expected, rtol, atol):
    if isinstance(expected, list) or expected is None:
        assert type(actual) is type(expected)
        assert len(actual or []) == len(expected or [])
        for pair in zip(actual or [], expected or []):
            check_close(*pair, rtol, atol)
        return
    assert actual.shape == expected.shape
    if expected.dtype.kind in "OSU":
        assert actual.astype(str).tolist() == expected.astype(str).tolist()
        return
    assert actual.dtype == expected.dtype
    if is_float(expected.dtype):
        actual, expected = (a.astype(np.float64) for a in (actual, expected))
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)
