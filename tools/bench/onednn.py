"""Single operations beside oneDNN's: element-wise ones, softmax and layer
normalisation on the shapes of BERT-base and ViT-B/16, in turns.

Both sides read and write matrices in memory that stay in the caches; a time is
that of one call, without Python. Needs the headers and the library of oneDNN
2.x (Debian: libdnnl-dev); without these the results say so.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import concurrent.futures
import ctypes
import json
import math
import multiprocessing
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import machine
import numpy as np
import one_node

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS, CALLS = 9, 201
# Relative to the largest value.
TOLERANCE = 1e-5

# (operation, rows, columns); what it is in the models.
CASES = [
    ("softmax", 12 * 128, 128), ("softmax", 12 * 384, 384),
    ("softmax", 12 * 197, 197), ("layer_norm", 128, 768),
    ("layer_norm", 384, 768), ("layer_norm", 197, 768),
    *((name, rows, columns) for name in ("gelu", "sigmoid", "relu")
      for rows, columns in ((128, 3072), (197, 3072))),
    *((name, rows, 768) for name in ("add", "mul") for rows in (128, 197))]

NODES = {"softmax": "Softmax", "layer_norm": "LayerNormalization",
         "gelu": "Gelu", "sigmoid": "Sigmoid", "relu": "Relu", "add": "Add",
         "mul": "Mul"}


def expected(name, x, second):
    """In double precision."""
    x = x.astype(np.float64)
    if name == "softmax":
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
    if name == "layer_norm":
        centred = x - x.mean(axis=1, keepdims=True)
        scale, shift = second.reshape(2, -1)
        return (centred / np.sqrt((centred ** 2).mean(axis=1, keepdims=True)
                                  + 1e-5) * scale + shift)
    if name == "gelu":
        return x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    return {"sigmoid": lambda: 1 / (1 + np.exp(-x)),
            "relu": lambda: np.maximum(x, 0), "add": lambda: x + second,
            "mul": lambda: x * second}[name]()


def data(name, rows, columns):
    """The operand and, where there is one, the second."""
    random = np.random.default_rng(0)
    x = (2 * random.standard_normal((rows, columns))).astype(np.float32)
    shape = {"layer_norm": (2, columns), "add": (rows, columns),
             "mul": (rows, columns)}.get(name, (0,))
    return x, random.standard_normal(shape).astype(np.float32)


def library(folder):
    """oneDNN's side, compiled here; None if that is not possible."""
    compiler = next(filter(None, map(shutil.which, (
        "c++", "g++", "clang++", "clang++-22"))), None)
    out = pathlib.Path(folder) / "onednn.so"
    if not compiler or subprocess.run(
            [compiler, "-O2", "-std=c++17", "-fPIC", "-shared",
             HERE / "onednn.cpp", "-ldnnl", "-o", out],
            capture_output=True).returncode:
        return None
    found = ctypes.CDLL(str(out))
    found.glow_bench_onednn_make.restype = ctypes.c_void_p
    found.glow_bench_onednn_make.argtypes = [
        ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 3]
    found.glow_bench_onednn_time.restype = ctypes.c_double
    found.glow_bench_onednn_time.argtypes = [ctypes.c_void_p, ctypes.c_int]
    return found


def version(onednn):
    text = ctypes.create_string_buffer(32)
    onednn.glow_bench_onednn_version(text, 32)
    return text.value.decode()


class Ours:
    """The operation as a model of one node, compiled and run by the tools."""

    def __init__(self, name, x, second, threads, binaries, folder):
        self._folder = pathlib.Path(folder)
        self._threads, self._tool = threads, binaries / "glow-run"
        self._compiled = str(self._folder / "node.so")
        path, self._input = self._model(name, x, second)
        _run([binaries / "glow-compile", path, "-o", self._compiled])

    def _model(self, name, x, second):
        """The file, and the options that give it its inputs."""
        from onnx import helper
        names, weights, arrays = ["x"], {}, {"x": x}
        if name in ("add", "mul"):
            names, arrays["y"] = ["x", "y"], second
        elif name == "layer_norm":
            names = ["x", "scale", "shift"]
            weights = dict(zip(names[1:], second))
        path, files = one_node.write(
            self._folder, helper.make_node(NODES[name], names, ["out"]),
            arrays, weights)
        return path, [f"--input={n}={f}" for n, f in files.items()]

    def time(self):
        text = _run([self._tool, self._compiled, *self._input, "--benchmark",
                     f"--threads={self._threads}", "--warm-up=20", "--json",
                     f"--runs={CALLS}"])
        return 1e-3 * json.loads(text)["benchmark"]["median_ms"]

    def result(self):
        _run([self._tool, self._compiled, *self._input,
              f"--output-dir={self._folder}"])
        return np.load(self._folder / "out.npy")


def _run(command):
    found = subprocess.run([str(c) for c in command], capture_output=True,
                           text=True)
    if found.returncode:
        raise SystemExit(f"{command[0]}: {found.stderr.strip()}")
    return found.stdout


def _error(actual, want):
    return float(np.abs(actual - want).max() / np.abs(want).max())


def measure(onednn, case, threads, probe, binaries, folder):
    """The record of one operation."""
    name, rows, columns = case
    x, second = data(name, rows, columns)
    out = np.empty_like(x)
    theirs = onednn.glow_bench_onednn_make(
        name.encode(), rows, columns, x.ctypes.data, second.ctypes.data,
        out.ctypes.data)
    if not theirs:
        return None
    ours = Ours(name, x, second, threads, binaries, folder)
    times, peaks = {"glow": [], "onednn": []}, []
    for _ in range(ROUNDS):
        peaks.append(probe.measure()["gbps"])
        times["glow"].append(ours.time())
        times["onednn"].append(onednn.glow_bench_onednn_time(theirs, CALLS))
    want = expected(name, x, second)
    errors = {"glow": _error(ours.result(), want), "onednn": _error(out, want)}
    for system, error in errors.items():
        if error > TOLERANCE:
            raise SystemExit(f"{system}: {name} {rows} x {columns} is wrong: "
                             f"relative error {error:.2g}")
    moved = (2 + (name in ("add", "mul"))) * x.nbytes
    seconds = {s: statistics.median(t) for s, t in times.items()}
    return {"operation": name, "rows": rows, "columns": columns,
            "threads": threads, "bytes": moved, "errors": errors,
            "us": {s: 1e6 * t for s, t in seconds.items()},
            "gbps": 1e-9 * moved / seconds["glow"],
            "memory_gbps": statistics.median(peaks),
            "ratio": seconds["onednn"] / seconds["glow"]}


def measure_all(threads, binaries):
    """{version, records}; the version is None without oneDNN."""
    os.environ["OMP_NUM_THREADS"] = str(threads)  # read when it is loaded
    os.sched_setaffinity(0, machine.processors(threads))
    with tempfile.TemporaryDirectory() as folder:
        onednn = library(folder)
        if onednn is None:
            return {"version": None, "records": []}
        probe = machine.Probe(folder, threads)
        records = [measure(onednn, case, threads, probe, binaries, folder)
                   for case in CASES]
    return {"version": version(onednn),
            "records": [r for r in records if r]}


def measure_apart(threads, binaries):
    """`measure_all` in a process of its own, which has loaded nothing yet: an
    OpenMP library takes its number of threads once, and threads without a
    processor of their own wait for others' time slices (8 ms a call)."""
    with concurrent.futures.ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measure_all, threads, binaries).result()
