"""Products with a transposed right-hand side, whose columns are turned on their
way into panels.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from cpu_code import check_cpu_code, random_inputs
from onnx import helper

# Batch, rows, depth and columns. Of the last ones a copy is made first.
SHAPES = {"deep": (3, 24, 200, 160), "odd": (2, 7, 33, 19),
          "shallow": (4, 40, 5, 300), "rest": (1, 129, 64, 50),
          "most-rows": (2, 256, 31, 8), "more-rows": (2, 257, 64, 61)}
MACHINES = {"native": {}, "avx2": {"mcpu": "haswell"},
            "sse2": {"mcpu": "x86-64"}}
DTYPES = {"float32": 2e-6, "float64": 1e-14, "float16": 2e-3, "int32": 0}


def model_of(shape, dtype):
    batch, rows, depth, columns = shape
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Transpose", ["k"], ["t"], perm=[0, 2, 1]),
             helper.make_node("MatMul", ["q", "t"], ["y"])]
    graph = helper.make_graph(
        nodes, "turned", [value("q", element, [batch, rows, depth]),
                          value("k", element, [batch, columns, depth])],
        [value("y", element, [batch, rows, columns])])
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)])


def inputs_of(model, dtype):
    scale = 5 if dtype == "int32" else 1
    return {name: (values * scale).astype(dtype)
            for name, values in random_inputs(model, seed=3).items()}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_products(name, dtype, machine):
    model = model_of(SHAPES[name], dtype)
    check_cpu_code(model, inputs_of(model, dtype), "strict", DTYPES[dtype],
                   **MACHINES[machine])


@pytest.mark.parametrize("name", SHAPES)
def test_pairs_of_bfloat16(name):
    model = model_of(SHAPES[name], "float32")
    check_cpu_code(model, random_inputs(model, seed=3), "bf16", 2e-2)
