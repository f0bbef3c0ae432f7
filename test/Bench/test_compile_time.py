"""The synthetic models of compile_time.py: they compile and the table is whole.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import compile_time
import onnx
import pytest


@pytest.mark.parametrize("kind", compile_time.KINDS)
def test_models_have_the_size_asked_for(kind):
    model = kind(100)
    onnx.checker.check_model(model, full_check=True)
    assert 100 <= len(model.graph.node) < 120
    assert kind(100).SerializeToString() == model.SerializeToString()


def test_table_and_page():
    stages = "import graph inst kernels llvm codegen total".split()
    rows = [(compile_time.chain, 1000, dict.fromkeys(stages, 0.5))]
    page = compile_time.page(compile_time.table(rows))
    assert "| chain | 1,000 | 0.50 |" in page
    assert page.rstrip().endswith("| 0.50 | 0.50 |")
