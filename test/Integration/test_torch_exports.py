"""Models that PyTorch's two exporters write with open extents: each compiled
once and run at several sizes, against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import zlib

import numpy as np
import pytest
from compare import check_equal

pytestmark = pytest.mark.torch

TORCH = ["perceptron", "convolutions", "segmenter", "unet", "upscaler", "lstm", "gru",
         "encoder", "attention", "shapes", "windows", "picking", "reductions"]
TRANSFORMERS = ["bert_eager", "bert_sdpa", "gpt2", "llama", "vit", "whisper", "t5"]
# What the symbols of a model are, run by run.
SIZES = {"batch": [2, 1, 5, 3], "length": [6, 9, 2, 9], "count": [5, 1, 8, 3],
         "height": [12, 16, 20, 12], "width": [16, 10, 12, 14],
         "past": [5, 0, 7, 11], "length_out": [4, 1, 7, 3]}


def table(name):
    if name in TORCH:
        from torch_models import MODELS
    else:
        from transformer_models import MODELS
    return MODELS[name]


def sizes(run):
    values = {symbol: numbers[run] for symbol, numbers in SIZES.items()}
    return {**values, "total": values["past"] + values["length"]}


def values(name, shapes, axes, run):
    """Inputs for one run: {name: array}."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {run}".encode()))
    numbers, arrays = sizes(run), {}
    for key, shape in shapes.items():
        shape = [numbers[axes[key][axis]] if axis in axes.get(key, {}) else extent
                 for axis, extent in enumerate(shape)]
        if key.startswith("tokens"):
            arrays[key] = rng.integers(0, 40, shape)
        elif key == "places":
            # Below every length.
            arrays[key] = rng.integers(0, 2, shape)
        elif key == "mask":
            arrays[key] = mask(name, shape)
        else:
            arrays[key] = rng.standard_normal(shape).astype(np.float32)
    return arrays


def mask(name, shape):
    """Of the first text the last place is padding. PyTorch's layers take that
    as true, those of transformers as 0."""
    padding = np.zeros(shape, bool)
    padding[0, -1] = shape[1] > 1
    return padding if name in TORCH else (~padding).astype(np.int64)


@functools.lru_cache(maxsize=None)
def exported(name, exporter):
    import torch
    from torch_models import export
    torch.manual_seed(0)
    make, shapes, axes, outputs = table(name)
    inputs = {key: torch.from_numpy(array)
              for key, array in values(name, shapes, axes, 0).items()}
    module = make()
    module(*inputs.values())  # what is lazy gets its shape
    return export(module, inputs, axes, outputs, exporter)


# The older exporter writes the sizes of its example into these, and ONNX Runtime
# refuses others too.
FROZEN = ["encoder"]
EXPORTS = [(name, exporter) for name in [*TORCH, *TRANSFORMERS]
           for exporter in ("dynamo", "legacy")
           if exporter == "dynamo" or name not in FROZEN]


@pytest.mark.parametrize("name, exporter", EXPORTS)
def test_sizes(name, exporter, backend):
    import glow
    import onnxruntime
    model = exported(name, exporter).SerializeToString()
    _, shapes, axes, outputs = table(name)
    # Code for ranges of sizes only, none for a size by itself.
    compiled = glow.compile(model, target=backend,
                            options={"dynamic-shapes": "ranges"})
    session = onnxruntime.InferenceSession(model,
                                           providers=["CPUExecutionProvider"])
    for run in range(len(SIZES["batch"])):
        inputs = values(name, shapes, axes, run)
        # An exporter leaves out inputs that no output depends on.
        inputs = {i.name: inputs[i.name] for i in session.get_inputs()}
        expected = dict(zip(outputs, session.run(outputs, inputs)))
        check_equal(compiled.run(inputs), expected, 1e-4)
