#!/usr/bin/env python3
"""Times models on Glow and on ONNX Runtime, side by side in one process.

The two take turns, run by run, so that a busy or warm machine hits both alike.
The answers of the timed runs are compared; a wrong one fails the model. Models
come from test/Models/generate.py, which writes them first if need be.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import pathlib
import sys
import time

import numpy as np
import onnxruntime

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "test" / "Models"),
                str(TREE / "test" / "Integration")]
import generate  # noqa: E402
from compare import check_equal  # noqa: E402

import glow  # noqa: E402

DEFAULT = ["digits", "mobilenetv2", "resnet50", "vgg19", "densenet121",
           "bert_base", "vit_b16", "lstm", "gpt"]
TOLERANCE = 1e-4


def glow_runner(path, inputs, threads):
    model = glow.compile(str(path), threads=threads, shapes={
        name: array.shape for name, array in inputs.items()})
    return lambda: model.run(inputs)


def onnxruntime_runner(path, inputs, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Spinning workers would take time from the other side's turn.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return lambda: dict(zip(names, session.run(names, inputs)))


def timed(function):
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


def compare(name, threads, models, batch, seconds):
    """One row of the table: medians in milliseconds, and compile time."""
    path, _ = generate.generate(name, models, batch)
    manifest = json.loads((models / name / "manifest.json").read_text())
    inputs = {key: np.load(models / name / file)
              for key, file in manifest["inputs"].items()}
    ours, compile_seconds = timed(lambda: glow_runner(path, inputs, threads))
    theirs = onnxruntime_runner(path, inputs, threads)
    check_equal(ours(), theirs(), TOLERANCE)  # warms both up
    times = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[0]) < 5:
        actual, our_time = timed(ours)
        expected, their_time = timed(theirs)
        times[0].append(our_time)
        times[1].append(their_time)
    check_equal(actual, expected, TOLERANCE)
    glow_ms, ort_ms = (1e3 * float(np.median(t)) for t in times)
    return {"model": name, "batch": batch, "threads": threads,
            "runs": len(times[0]), "compile_s": compile_seconds,
            "glow_ms": glow_ms, "onnxruntime_ms": ort_ms,
            "ratio": glow_ms / ort_ms}


def print_row(*cells):
    print(f"{cells[0]:24}" + "".join(f"{c:>12}" for c in cells[1:]),
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=DEFAULT, metavar="model")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5,
                        help="to measure each model for (default 5)")
    parser.add_argument("--models", type=pathlib.Path,
                        default=TREE / "build" / "models")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    rows, failed = [], False
    print_row("model", "threads", "compile s", "glow ms", "ort ms",
              "glow/ort")
    for name in args.names:
        for threads in args.threads:
            try:
                row = compare(name, threads, args.models, args.batch,
                              args.seconds)
            except (glow.GlowError, AssertionError) as error:
                failed = True
                row = {"model": name, "batch": args.batch,
                       "threads": threads, "error": str(error)}
                print_row(name, threads, f"failed: {error}".splitlines()[0])
            else:
                print_row(name, threads, *[f"{row[key]:.2f}" for key in (
                    "compile_s", "glow_ms", "onnxruntime_ms", "ratio")])
            rows.append(row)
    if args.json:
        record = {"onnxruntime": onnxruntime.__version__, "rows": rows}
        args.json.write_text(json.dumps(record, indent=2) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
