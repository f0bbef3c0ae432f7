"""TVM's Relax compiler without tuning.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess

import numpy as np
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

from .base import System


def _processor():
    """LLVM's name of this processor, where a compiler is there to tell it."""
    found = subprocess.run(["cc", "-march=native", "-Q", "--help=target"],
                           capture_output=True, text=True)
    for line in found.stdout.splitlines():
        words = line.split()
        if words[:1] == ["-march="] and len(words) == 2:
            return words[1]
    return "x86-64-v3"


class Peer(System):
    def version(self):
        return tvm.__version__

    def settings(self):
        return "Relax, default pipeline for the CPU, not tuned"

    def build(self, case):
        case.fp32_only("TVM")
        module = from_onnx(onnx.load(case.static), keep_params_in_input=False)
        target = tvm.target.Target({"kind": "llvm", "mcpu": _processor()})
        compiled = tvm.compile(module, target=target)
        artifact = case.folder / "model.so"
        compiled.export_library(str(artifact))
        return artifact

    def load(self, case, artifact):
        machine = relax.VirtualMachine(
            tvm.runtime.load_module(str(artifact)), tvm.cpu())
        inputs = [tvm.runtime.tensor(np.ascontiguousarray(a))
                  for a in case.inputs.values()]
        function = machine["main"]

        def run():
            results = function(*inputs)
            return ([results] if hasattr(results, "numpy")
                    else list(results))
        return run

    def results(self, case, raw):
        return {name: value.numpy() for name, value in zip(case.outputs, raw)}
