"""Convolutions whose weights are long beside the caches, of narrow images.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from cpu_code import check_cpu_code, random_inputs
from onnx import TensorProto, helper, numpy_helper


def narrow(batch, height, width, kernel, pads, strides):
    """128 to 96 channels: panels of 16 KB and more for each tap."""
    weights = np.random.default_rng(0).standard_normal((96, 128, *kernel), np.float32) / 40
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], pads=pads * 2, strides=strides)], "narrow",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 128, height, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(weights, "w")])
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])


@pytest.mark.parametrize("machine", [{}, {"mcpu": "haswell"}])
@pytest.mark.parametrize("case", [
    (4, 4, 1, (3, 3), [1, 1], [1, 1]),
    (16, 8, 1, (3, 1), [1, 0], [1, 1]),
    (16, 2, 5, (5, 5), [2, 0], [1, 1]),
    (9, 7, 2, (3, 3), [1, 1], [2, 2]),
    (3, 5, 7, (3, 3), [1, 1], [1, 1]),
])
def test_rows_over_the_edge(case, machine):
    """Parts of a panel are no sums of their own where some taps of a row lie
    outside the image, as do those of images of one column."""
    model = narrow(*case)
    check_cpu_code(model, random_inputs(model), "strict", 1e-5,
                   machine="l1=16K,l2=128K,l3=128K", **machine)
