"""Glow: compiled ahead of time to a shared object, then loaded.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import pathlib
import subprocess

import glow

from .base import System

TREE = pathlib.Path(__file__).resolve().parents[3]


class Peer(System):
    def version(self):
        found = subprocess.run(
            ["git", "-C", TREE, "describe", "--always", "--dirty"],
            capture_output=True, text=True)
        return found.stdout.strip() or "unknown revision"

    def settings(self):
        return "compiled by glow-compile, loaded in another process"

    def build(self, case):
        artifact = case.folder / "model.so"
        tools = pathlib.Path(os.environ.get("GLOW_BIN", TREE / "build/bin"))
        shapes = {name: "x".join(map(str, a.shape))
                  for name, a in case.inputs.items() if a.shape} | case.ranges
        found = subprocess.run(
            [tools / "glow-compile", case.model, "-o", artifact,
             *(f"--shape={name}={extents}" for name, extents in shapes.items()),
             f"--precision={case.precision}",
             # Nothing is known of earlier compilations.
             f"--kernel-cache={case.folder / 'kernels'}"],
            capture_output=True, text=True)
        if found.returncode:
            raise RuntimeError(found.stderr.strip())
        return artifact

    def load(self, case, artifact):
        model = glow.load(str(artifact), threads=case.threads)
        return lambda: model.run(case.inputs)

    def results(self, case, raw):
        return raw
