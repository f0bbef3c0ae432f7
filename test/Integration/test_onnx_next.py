"""The conformity tests of operator set 28, which a later version of onnx than
the one imported here generates: with glow-conformance in all its modes, and
through glow.backend. unsupported-onnx-28.txt lists what must fail.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import pathlib
import subprocess
import sys

import pytest
from onnx_values import check_folder
from unsupported import entries

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
LIST = HERE / "unsupported-onnx-28.txt"


@pytest.fixture(scope="module")
def suite():
    folder = TREE / "build" / "onnx-tests"
    done = subprocess.run(
        [sys.executable, TREE / "tools" / "dev" / "onnx_tests.py", folder,
         "--since=28"], capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout).splitlines()[-1:]
        pytest.skip(f"the tests cannot be generated: {' '.join(said)}; see "
                    "python/requirements-onnx-next.txt")
    return folder / "node"


@pytest.mark.parametrize("options", [
    ["--mode=given,dynamic,constant,object"], ["--target=interpret"]],
    ids=["cpu", "interpret"])
def test_modes(suite, options, bin_dir):
    done = subprocess.run(
        [bin_dir / "glow-conformance", suite, f"--expected={LIST}", *options],
        capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("device", ["cpu", "interpret"])
def test_adapter(suite, device):
    import glow.backend
    failed = {}
    for folder in sorted(suite.iterdir()):
        tolerance = json.loads((folder / "data.json").read_text())
        try:
            check_folder(folder, lambda model: glow.backend.prepare(
                model, device.upper()).run, **tolerance)
        except (AssertionError, glow.GlowError) as error:
            failed[folder.name] = str(error)
    listed = {name for name, backend in entries(LIST.name) if backend == device}
    assert set(failed) == listed, failed
