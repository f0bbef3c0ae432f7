#!/usr/bin/env python3
"""Writes ONNX's conformity tests of operators into a folder.

    tools/dev/onnx_tests.py FOLDER [--since OPSET]

The package onnx carried these files up to version 1.22. Later ones generate
them: of the version in python/requirements-onnx-next.txt, which pip puts into
FOLDER/package, the tests whose model needs operator set OPSET or later are
written into FOLDER/node. Does nothing if they are there.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = (pathlib.Path(__file__).resolve().parents[2] / "python" /
                "requirements-onnx-next.txt")


def serialize(value, info, numpy_helper):
    kind = info.type.WhichOneof("value")
    make = {"sequence_type": numpy_helper.from_list,
            "optional_type": numpy_helper.from_optional}.get(
                kind, numpy_helper.from_array)
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString()
    return make(value, info.name).SerializeToString()


def write(case, folder, numpy_helper):
    graph = case.model.graph
    for i, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{i}"
        data.mkdir(parents=True, exist_ok=True)
        for stem, values, infos in (("input", inputs, graph.input),
                                    ("output", outputs, graph.output)):
            for j, (value, info) in enumerate(zip(values, infos)):
                (data / f"{stem}_{j}.pb").write_bytes(
                    serialize(value, info, numpy_helper))
    (folder / "data.json").write_text(
        json.dumps({"rtol": case.rtol, "atol": case.atol}))
    # Last: a folder with a model is complete.
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())


def generate(folder, since):
    """Called in a process that imports the package."""
    import warnings

    from onnx import numpy_helper
    from onnx.backend.test import loader
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # infinities and NaNs are on purpose
        cases = loader.load_model_tests(kind="node")
    for case in cases:
        opsets = {o.domain: o.version for o in case.model.opset_import}
        if case.data_sets and opsets.get("", 0) >= since:
            write(case, folder / case.name, numpy_helper)
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--since", type=int, default=1)
    parser.add_argument("--generate", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.generate:
        print(generate(folder / "node", options.since), "tests in", folder / "node")
        return
    made_from = f"{options.since} {REQUIREMENTS.read_text()}{pathlib.Path(__file__).read_text()}"
    stamp = folder / "made-from"
    if stamp.exists() and stamp.read_text() == made_from:
        return
    for name in ("node", "package"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for command, environment in (
            (["-m", "pip", "install", "-q", "--no-deps", "--target",
              folder / "package", "-r", REQUIREMENTS], {}),
            # Another version may be in this process's reach: start anew.
            ([__file__, folder, f"--since={options.since}", "--generate"],
             {"PYTHONPATH": str(folder / "package")})):
        done = subprocess.run([sys.executable, *command],
                              env={**os.environ, **environment})
        if done.returncode:
            sys.exit(done.returncode)
    stamp.write_text(made_from)


if __name__ == "__main__":
    main()
