"""Single operations beside oneDNN: what they are compared with, and the report.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

import numpy as np
import onednn
import onnxruntime
import page
import pytest

import docs


@pytest.mark.parametrize("name", sorted(onednn.NODES))
def test_expectations_are_those_of_the_onnx_nodes(name, tmp_path):
    x, second = onednn.data(name, 6, 32)
    # The model that Glow gets, without a compiler.
    ours = onednn.Ours.__new__(onednn.Ours)
    ours._folder = tmp_path
    path, files = ours._model(name, x, second)
    inputs = {f.split("=")[1]: np.load(f.split("=")[2]) for f in files}
    session = onnxruntime.InferenceSession(
        str(path), providers=["CPUExecutionProvider"])
    (actual,) = session.run(None, inputs)
    assert onednn._error(actual, onednn.expected(name, x, second)) < 1e-6


def test_the_process_apart_has_loaded_nothing(monkeypatch, tmp_path):
    """Least of all the OpenMP library of another system."""
    (tmp_path / "fresh_or_not.py").write_text(
        "import sys\n"
        "def modules(threads, binaries):\n"
        "    return threads, binaries, sorted(sys.modules)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import fresh_or_not
    monkeypatch.setattr(onednn, "measure_all", fresh_or_not.modules)
    threads, binaries, modules = onednn.measure_apart(2, "bin")
    assert (threads, binaries) == (2, "bin")
    assert "onnxruntime" in sys.modules and "onnxruntime" not in modules


@pytest.fixture
def operations():
    return {"version": "2.6.3", "records": [{
        "operation": "softmax", "rows": 6, "columns": 32, "threads": 1,
        "bytes": 1536, "errors": {"glow": 1e-7, "onednn": 2e-7},
        "us": {"glow": 2.0, "onednn": 3.0}, "gbps": 0.8, "memory_gbps": 20.0,
        "ratio": 1.5}]}


def test_report_has_the_ratio(results, operations):
    results["operations"] = {"1": operations}
    row = "| softmax 6 x 32 | 2.0 | 3.0 | 1.50 | 1 | 2.0e-07 |"
    text = docs.markdown(results)
    assert "## Single operations beside oneDNN 2.6.3, 1 thread\n" in text
    assert row in text
    assert "beside oneDNN 2.6.3, 1 thread</h2>" in page.html(results)


def test_report_says_that_onednn_is_missing(results):
    results["operations"] = {"1": {"version": None, "records": []}}
    assert "were not there" in docs.markdown(results)
