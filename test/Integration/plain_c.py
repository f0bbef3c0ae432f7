"""Compiles models ahead of time and runs them in C programs without Glow.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

TREE = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def program_text(name):
    """A program in docs/ABI.md, by the name that it begins with."""
    page = (TREE / "docs" / "ABI.md").read_text()
    blocks = re.findall(r"```c\n(.*?)```", page, re.DOTALL)
    found = [text for text in blocks if text.startswith(f"/* {name}:")]
    assert len(found) == 1, f"{len(found)} programs called {name}"
    return found[0]


def call(*command, **options):
    """Runs a command; what it says if it fails is the test's message."""
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          timeout=300, **options)
    assert done.returncode == 0, (
        f"{command}: {done.returncode}\n"
        + done.stderr.decode(errors="replace"))
    return done.stdout


# A machine that has only what the build needs has no `cc`.
CC = shutil.which("cc") or "clang-22"


def build_program(name, folder, *objects, cc=(CC,)):
    """Compiles a program of docs/ABI.md, without a warning."""
    source = folder / name
    source.write_text(program_text(name))
    program = source.with_suffix("")
    call(*cc, *FLAGS, f"-I{TREE}/include", f"-I{folder}", source, *objects,
         "-lm", "-ldl", "-o", program)
    return program


def run_library(folder, library, inputs, outputs):
    """Outputs of a .so, {name: array}, through run-model.c.

    outputs: {name: array} that gives names, shapes and types.
    """
    program = build_program("run-model.c", folder)
    files = []
    for i, array in enumerate(inputs.values()):
        files.append(folder / f"input{i}")
        files[-1].write_bytes(np.ascontiguousarray(array).tobytes())
    data = call(program, library, *files)
    assert len(data) == sum(a.nbytes for a in outputs.values())
    results, start = {}, 0
    for name, like in outputs.items():
        flat = np.frombuffer(data, like.dtype, like.size, start)
        results[name] = flat.reshape(like.shape)
        start += like.nbytes
    return results


def peak_kibibytes(command):
    """Started by a small process: a child's peak is at least what its parent
    held when it was forked."""
    script = ("import resource, subprocess, sys\n"
              "subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-c", script, *command],
                              check=True, stdout=subprocess.PIPE).stdout)
