"""The conformity tests that the onnx package carries: a model, inputs and
outputs for nearly every operator in nearly every version.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import pathlib

import pytest
from onnx.backend.test import loader
from onnx_values import check_folder
from unsupported import expect_failure

CASES = {case.name: case
         for kind in ["node", "simple", "pytorch-converted",
                      "pytorch-operator"]
         for case in loader.load_model_tests(kind=kind)}

# Glow runs through the interface that ONNX defines for backends.
DEVICES = {"cpu": "CPU", "interpret": "INTERPRET"}


@pytest.mark.parametrize("name", CASES)
def test_onnx(name, run, backend, request):
    expect_failure(request, backend, "unsupported-onnx.txt", name, CASES)
    case = CASES[name]

    def prepare(model):
        if backend not in DEVICES:
            return functools.partial(run, model)
        import glow.backend
        return glow.backend.prepare(model, DEVICES[backend]).run

    check_folder(pathlib.Path(case.model_dir), prepare, case.rtol, case.atol)
