"""Products that stay in the second-level cache.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import operations
import pytest
import resident

ALL = resident.cases(1 << 40, 4)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_models_are_the_products_that_their_shapes_say(case, tmp_path):
    path, files = resident.write(case, tmp_path)
    inputs = {n: np.load(f) for n, f in files.items()}
    session = onnxruntime.InferenceSession(
        str(path), providers=["CPUExecutionProvider"])
    (out,) = session.run(None, inputs)
    node, _, second, _ = case
    depth = math.prod(second[1:]) if node == "Conv" else second[-2]
    assert operations.operations(path, inputs) == 2 * out.size * depth


def test_only_what_fits_the_cache_is_measured():
    fits = resident.cases(2 << 20, 4)
    assert ("Conv", (1, 64, 56, 56), (64, 64, 1, 1), {"pads": [0] * 4}) in fits
    # 128 x 768 times 768 x 768 takes 3 MiB in single precision, half in bf16.
    large = ("MatMul", (128, 768), (768, 768), {})
    assert large in ALL and large not in fits
    assert large in resident.cases(2 << 20, 2)


def test_products_of_bfloat16_have_no_other_type(tmp_path):
    path, files = resident.write(ALL[0], tmp_path, ml_dtypes.bfloat16)
    graph = onnx.load(path).graph
    kinds = {v.type.tensor_type.elem_type for v in (*graph.input, *graph.output)}
    kinds |= {t.data_type for t in graph.initializer}
    assert kinds == {onnx.TensorProto.BFLOAT16}
    assert np.load(files["x"]).dtype == "V2"


def test_something_fits_a_small_cache():
    assert resident.cases(256 << 10, 4)
