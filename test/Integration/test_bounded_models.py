"""Small models of each kind, bounded, against ONNX Runtime at many extents.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import zlib

import numpy as np
import onnx
import pytest

from bounded import Bounded, corners, make_inputs
from builders import decoder, recurrent, transformers
from compare import check_equal
from onnx import helper as oh

import glow

SEQUENCE = {"batch": (1, 3), "sequence": (1, 20)}
SMALL = {"layers": 2, "width": 64, "heads": 4}
# name: (what makes the model, bounds)
MODELS = {
    "bert": (functools.partial(transformers.bert_base, **SMALL, vocabulary=300,
                               sequence="sequence"), SEQUENCE),
    "gpt": (functools.partial(transformers.gpt, **SMALL, vocabulary=300), SEQUENCE),
    "vit": (functools.partial(transformers.vit_b16, **SMALL), {"batch": (1, 3)}),
    "lstm": (recurrent.lstm, {"batch": (1, 3)}),
    "gpt2-prefill": (functools.partial(decoder.gpt2_prefill, "sequence", layers=1,
                                       vocabulary=300),
                     SEQUENCE),
    "gpt2-decode": (functools.partial(decoder.gpt2_decode, layers=2, vocabulary=300),
                    {"batch": (1, 2), "past": (0, 20)}),
    "gpt2-chunks": (functools.partial(decoder.gpt2_decode, "sequence", layers=1,
                                       vocabulary=300),
                    {"batch": (1, 2), "sequence": (1, 9), "past": (0, 12)}),
}


@pytest.mark.parametrize("name", MODELS)
def test_model(name, backend, bin_dir, tmp_path):
    make, bounds = MODELS[name]
    model = make()
    compiled = Bounded(model, bounds, backend, bin_dir, tmp_path)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for values in corners(bounds):
        inputs = make_inputs(model, values, rng, 2)
        actual, expected = compiled.run(inputs, values)
        check_equal(actual, expected, 1e-4)


@pytest.mark.parametrize("batch", [1, 3])
def test_dimensions_of_one_name(batch):
    """Fixed for one input, they are so for the others, which are not named."""
    graph = oh.make_graph(
        [oh.make_node("Add", ["a", "b"], ["y"])], "shared",
        [oh.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", "S"]) for name in "ab"],
        [oh.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["N", "S"])])
    model = oh.make_model(graph, ir_version=10, opset_imports=[oh.make_opsetid("", 21)])
    program = glow.compile(model.SerializeToString(), shapes={"a": ((1, 4), 16)})
    assert [info.shape for info in program.inputs] == [(None, 16)] * 2
    inputs = make_inputs(model, {"N": batch, "S": 16}, np.random.default_rng(1), 2)
    np.testing.assert_array_equal(program.run(inputs)["y"], inputs["a"] + inputs["b"])
