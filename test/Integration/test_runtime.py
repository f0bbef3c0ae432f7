"""libGlowRuntime in the C programs of docs/ABI.md: a pool of the caller's,
several requests at once, memory.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess
import sys

import generate
import pytest
from plain_c import build_program, call, peak_kibibytes


def runtime_program(name, folder, bin_dir):
    """Compiles a program of docs/ABI.md that uses the runtime."""
    library = bin_dir.resolve().parent / "lib" / "libGlowRuntime.so"
    return build_program(name, folder, library, "-pthread",
                         f"-Wl,-rpath,{library.parent}")


@pytest.mark.parametrize("name", ["resnet50", "squeezenet1_1"])
def test_pool_of_the_program(name, bin_dir, compile_model, models_dir,
                             tmp_path):
    path, _ = generate.generate(name, models_dir)
    compile_model(path, tmp_path / "model.so",
                  "--shape", "input=1x3x224x224")
    program = runtime_program("own-pool.c", tmp_path, bin_dir)
    said = call(program, tmp_path / "model.so").decode()
    count, same = re.fullmatch(r"(\d+) instructions, (.*) results\n",
                               said).groups()
    assert int(count) > 5 and same == "the same"


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["resnet50", "squeezenet1_1"])
def test_memory_while_running(name, threads, bin_dir, compile_model,
                              models_dir, tmp_path):
    """What a process that runs a model holds, beside weights and arenas."""
    path, _ = generate.generate(name, models_dir)
    compile_model(path, tmp_path / "model.so",
                  "--shape", "input=1x3x224x224")
    command = [runtime_program("requests.c", tmp_path, bin_dir),
               tmp_path / "model.so", str(threads)]
    said = call(*command).decode()
    count, weights, arena = map(int, re.fullmatch(
        r"(\d+) threads, (\d+) \+ (\d+) bytes\n", said).groups())
    assert count == threads
    limit = weights + threads * arena + 40e6
    assert peak_kibibytes(command) * 1024 <= limit


def test_affinity_bounds_the_threads():
    processors = sorted(os.sched_getaffinity(0))
    script = ("from glow import library\n"
              "print(library.library().glow_rt_max_threads())")
    for allowed in (processors[:1], processors):
        counted = subprocess.run(
            [sys.executable, "-c", script], check=True, stdout=subprocess.PIPE,
            preexec_fn=lambda: os.sched_setaffinity(0, allowed)).stdout
        assert 1 <= int(counted) <= len(allowed)
