"""Every operator on its own, against ONNX Runtime, or against the onnx
package's evaluator where ONNX Runtime has no kernel.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import importlib
import warnings

import numpy as np
import pytest
from backends import run_onnx_reference, run_onnxruntime
from compare import check_equal
from onnx import TensorProto
from unsupported import expect_failure

FAMILIES = ["elementwise", "cast", "linear", "convolution", "pooling",
            "reduction", "normalization", "shape", "indexing", "recurrent",
            "quantization", "control", "graph", "classic",
            "runtime", "random_numbers"]


@functools.lru_cache(maxsize=None)
def all_cases():
    cases = {}
    for family in FAMILIES:
        table = importlib.import_module(f"cases.{family}").TABLE
        assert not cases.keys() & table.cases.keys()
        cases.update(table.cases)
    return cases


@functools.lru_cache(maxsize=None)
def reference(name):
    case = all_cases()[name]
    graph = case.model.graph
    if case.expected:
        return dict(zip([o.name for o in graph.output],
                        case.expected(**case.inputs)))
    # ONNX Runtime's Python interface knows no type that numpy does not.
    if not any(v.type.tensor_type.elem_type >= TensorProto.BFLOAT16
               for v in (*graph.input, *graph.output)):
        try:
            return run_onnxruntime(case.model, case.inputs)
        except Exception:  # ONNX Runtime has no single class for "no kernel"
            pass
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            return run_onnx_reference(case.model, case.inputs)


@pytest.mark.parametrize("name", all_cases())
def test_operator(name, run, backend, request):
    case = all_cases()[name]
    expected = reference(name)
    expect_failure(request, backend, "unsupported.txt", name, all_cases())
    check_equal(run(case.model, case.inputs), expected, case.tolerance)
