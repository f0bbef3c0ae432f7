"""Passes on instructions keep the meaning of random programs.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess

import numpy as np
import pytest

from instructions.generate import Program
from instructions.simulate import run

PROGRAMS = 60
PLAN = "glow-inst-plan-memory{alignment=4},glow-inst-verify-plan"
PASSES = [
    "glow-inst-eliminate-copies", "glow-inst-eliminate-dead-stores",
    "glow-inst-schedule", "glow-inst-share-buffers",
    "glow-inst-insert-deallocs", PLAN,
    "glow-inst-eliminate-copies,cse,glow-inst-eliminate-dead-stores,"
    "glow-inst-schedule,glow-inst-share-buffers,glow-inst-insert-deallocs," + PLAN]


@pytest.mark.parametrize("passes", PASSES)
def test_meaning(passes, request):
    programs = [Program(seed) for seed in range(PROGRAMS)]
    separator = "// -----\n"
    tool = request.config.getoption("bin_dir") / "glow-opt"
    result = subprocess.run(
        [tool, "--split-input-file",
         f"--pass-pipeline=builtin.module(func.func({passes}))"],
        input=separator.join(p.text() for p in programs),
        capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    after = result.stdout.split(separator)
    assert len(after) == PROGRAMS
    for program, text in zip(programs, after):
        random = np.random.default_rng(1)
        inputs = [random.random(n).astype(np.float32) for n in program.sizes()]
        for wanted, got in zip(run(program.text(), inputs), run(text, inputs)):
            np.testing.assert_array_equal(
                got, wanted, f"before:\n{program.text()}\nafter:\n{text}")
            assert not np.isnan(wanted).any()
