"""Makes tools/bench importable, and results to report on.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import sys

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "tools" / "bench"), str(TREE / "test" / "Models"),
                str(TREE / "test" / "Integration")]

import experiment  # noqa: E402
import timing  # noqa: E402


def measured(system, seconds, mode="fp32"):
    """The record of a system that took so long in each of three rounds."""
    return {"system": system, "mode": mode, "status": "ok", "version": "1.0",
            "settings": "as by default", "compile_s": 1.5,
            "compile_peak_mb": 200, "run_peak_mb": 150, "libraries_mb": 50,
            "artifact_bytes": 2_000_000 if system == "glow" else None,
            "error": 1e-6, "rms_error": 1e-7, "peak_fraction": 0.5,
            **timing.summary([[seconds], [seconds], [seconds]])}


@pytest.fixture
def results():
    systems = {
        "glow": measured("glow", 0.002),
        "glow strict": measured("glow", 0.005, "strict"),
        "onnxruntime": measured("onnxruntime", 0.003),
        "jax": measured("jax", 0.006),
        "openvino": {"system": "openvino", "mode": "fp32", "status": "absent",
                     "reason": "No module named 'openvino'"},
        "tvm": {"system": "tvm", "mode": "fp32", "status": "wrong",
                "reason": "relative error 0.5 | more than <1e-4>"},
    }
    peak = {unit: timing.summary_of_peaks([90.0, 100.0, 110.0])
            for unit in ("gflops", "gbps")}
    case = {"model": "small", "batch": 1, "threads": 1, "class": "fp32",
            "flops": 1_000_000, "weight_bytes": 4000, "peak": peak,
            "systems": systems, "ratios": experiment.ratios(systems)}
    kernels = [
        {"op": "conv", "name": "/a & b", "ns": 1000, "flops": 50_000,
         "bytes": 1000, "gflops": 50.0, "gbps": 1.0, "peak_fraction": 0.5,
         "bandwidth_fraction": 0.05},
        {"op": "copy", "name": "", "ns": 500, "flops": 0, "bytes": 5000,
         "gflops": 0.0, "gbps": 10.0, "peak_fraction": 0.0,
         "bandwidth_fraction": 0.5}]
    return {
        "date": "2026-01-02",
        "machine": {"processor": "a processor", "family_model": "6/1",
                    "processors": 2, "features": ["avx2", "fma"],
                    "caches": {"L1": "32K"}, "memory_gib": 8.0,
                    "kernel": "6.1", "load": 0.1},
        "method": {"rounds": 3, "turn_seconds": 0.02},
        "cases": [case],
        "layers": [{"model": "small", "threads": 1, "kernels": kernels,
                    "peak": {"gflops": 100.0, "gbps": 20.0}}]}
