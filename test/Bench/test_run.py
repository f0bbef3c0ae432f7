"""The whole command, on a small model and the one peer that tests need anyway.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import pathlib
import subprocess
import sys

import pytest
import turns

RUN = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench" / "run.py"


def run(*arguments):
    return subprocess.run([sys.executable, RUN, *map(str, arguments)],
                          capture_output=True, text=True)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    result = run("digits", "--systems", "onnxruntime", "--modes", "fp32",
                 "bf16", "--threads", 1, "--batch", 2, "--rounds", 2,
                 "--models", folder / "models", "--out", folder)
    assert result.returncode == 0, result.stderr
    return folder


def test_measures_and_checks(out):
    case, other = json.loads((out / "results.json").read_text())["cases"]
    record = case["systems"]["onnxruntime"]
    assert record["status"] == "ok"
    assert record["error"] == record["rms_error"] == 0
    # The turns of two rounds, and the ones of a system whose turns lie apart;
    # of these the quiet ones, or all.
    assert 1 <= len(record["rounds_ms"]) <= 2 + turns.MORE_TURNS
    assert record["runs"] >= len(record["rounds_ms"])
    assert 0 < record["min_ms"] <= record["median_ms"]
    assert record["run_peak_mb"] >= record["libraries_mb"] > 1
    assert case["peak"]["gflops"]["median"] > 0.1
    assert case["batch"] == 2 and case["flops"] > 1e5


def test_says_what_a_system_does_not_offer(out):
    _, case = json.loads((out / "results.json").read_text())["cases"]
    record = case["systems"]["onnxruntime"]
    assert record["status"] == "failed" and "fp32 only" in record["reason"]
    assert "fp32 only" in (out / "table.md").read_text()


def test_one_compilation_for_a_range(tmp_path):
    result = run("digits", "--systems", "glow", "--ranges", "batch=1..4",
                 "--threads", 1, "--batch", 3, "--rounds", 1,
                 "--models", tmp_path / "models", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    (case,) = json.loads((tmp_path / "results.json").read_text())["cases"]
    static, ranged = (case["systems"][s] for s in ("glow", "glow range"))
    assert static["status"] == ranged["status"] == "ok"
    assert ranged["ranges"] == {"image": "1..4x1x8x8"}
    assert "glow range / static" in (tmp_path / "table.md").read_text()


def test_each_precision_is_compiled(tmp_path):
    result = run("digits", "--systems", "glow", "--modes", "fp32", "bf16",
                 "--threads", 1, "--rounds", 1,
                 "--models", tmp_path / "models", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    cases = json.loads((tmp_path / "results.json").read_text())["cases"]
    for measure in ("error", "rms_error"):
        exact, rounded = (case["systems"]["glow"][measure] for case in cases)
        assert exact < 1e-5 < 1e-4 < rounded < 0.1


def test_reports_again_from_the_file(out):
    again = out / "again"
    assert run("--from", out / "results.json", "--out", again).returncode == 0
    assert (again / "report.html").read_text() == (
        out / "report.html").read_text()
