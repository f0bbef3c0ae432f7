"""Glow: compiled ahead of time to a shared object, then loaded.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

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
        return "compiled to a shared object, loaded in another process"

    def build(self, case):
        # The default must also work where the option is not known yet.
        precision = None if case.precision == "fp32" else case.precision
        model = glow.compile(
            str(case.model), threads=case.threads, precision=precision,
            shapes={name: a.shape for name, a in case.inputs.items()},
            # Nothing is known of earlier compilations.
            options={"kernel-cache": str(case.folder / "kernels")})
        artifact = case.folder / "model.so"
        model.save(str(artifact))
        return artifact

    def load(self, case, artifact):
        model = glow.load(str(artifact), threads=case.threads)
        return lambda: model.run(case.inputs)

    def results(self, case, raw):
        return raw
