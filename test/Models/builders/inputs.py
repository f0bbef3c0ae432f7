"""Plausible input data for a model, the same on every run.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib

import numpy as np
from onnx import TensorProto

# Sizes of dynamic axes other than the batch, by their name in the model.
AXES = {"sequence": 64, "past": 128}


def make_inputs(model, batch, seed=0):
    """{input name: array}, where an axis of unknown size is `AXES` or batch."""
    weights = {t.name for t in model.graph.initializer}
    inputs = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        shape = [d.dim_value or AXES.get(d.dim_param, batch)
                 for d in value.type.tensor_type.shape.dim]
        rng = np.random.default_rng(zlib.crc32(value.name.encode()) + seed)
        if value.type.tensor_type.elem_type == TensorProto.INT64:
            inputs[value.name] = _integers(value.name, shape, rng)
        else:
            inputs[value.name] = _floats(shape, rng)
    return inputs


def _integers(name, shape, rng):
    if "mask" in name:  # ones, then padding at the end of every second row
        mask = np.ones(shape, np.int64)
        mask[1::2, shape[1] * 3 // 4:] = 0
        return mask
    return rng.integers(0, 2 if "type" in name else 1000, shape)


def _floats(shape, rng):
    noise = rng.standard_normal(shape, dtype=np.float32)
    if len(shape) != 4 or shape[2] < 64:
        return noise
    # Images have structure; pure noise averages out in every pooling.
    coarse = rng.standard_normal((*shape[:2], 8, 8), dtype=np.float32)
    blocks = np.ones([-(-size // 8) for size in shape[2:]], np.float32)
    coarse = np.kron(coarse, blocks)[:, :, :shape[2], :shape[3]]
    return np.float32(0.8) * coarse + np.float32(0.5) * noise
