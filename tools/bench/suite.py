#!/usr/bin/env python3
"""Measures all that a page of docs/Benchmarks*.md holds, and writes the page.

    tools/bench/suite.py                        docs/Benchmarks.md, in some hours
    tools/bench/suite.py --page docs/Mine.md    another page
    tools/bench/suite.py --parts ranges         one part again, then the page

Each part is a command of tools/bench/run.py, with results of its own; the page
is of those that are there. Nothing else may run on the machine meanwhile.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]

# By name, in the order of the page.
PARTS = {
    "latency": "--systems glow onnxruntime openvino "
               "--modes fp32 strict fp32-fast bf16 --threads 1 2 --batch 1 "
               "--rounds 3 --layers resnet50 bert_base --onednn",
    "batches": "--systems glow onnxruntime openvino --modes fp32 bf16 "
               "--threads 1 2 --batch 8 --rounds 2",
    "systems": "resnet50 mobilenetv2 minilm --modes fp32 --threads 1 "
               "--batch 1 --rounds 1",
    "products": "--no-models --products strict bf16 --threads 1 2",
    "ranges": "--systems glow --modes fp32 --threads 1 2 --batch 1 3 8 "
              "--ranges batch=1..8 past=0..1023 --rounds 6 --turn 0.1",
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("--parts", nargs="+", choices=PARTS, default=list(PARTS),
        help="which to measure; the page has the others as they were")
    add("--out", type=pathlib.Path, default=TREE / "build" / "bench",
        help="folder for the parts' results; default build/bench")
    add("--page", metavar="FILE", help="which page; default docs/Benchmarks.md")
    return parser.parse_args()


def run(*words):
    """Whether it could measure everything."""
    return not subprocess.run(
        [sys.executable, HERE / "run.py", *map(str, words)]).returncode


def main():
    args = arguments()
    complete = [run(*PARTS[part].split(), "--out", args.out / part)
                for part in PARTS if part in args.parts]
    results = [args.out / part / "results.json" for part in PARTS]
    page = ["--page", args.page] if args.page else []
    complete.append(run(
        "--from", *(file for file in results if file.exists()),
        "--out", args.out, "--write-docs", *page))
    sys.exit(not all(complete))


if __name__ == "__main__":
    main()
