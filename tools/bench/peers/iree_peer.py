"""IREE: compiled to a module for this CPU, run by its task system.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import importlib.metadata
import subprocess
import sys

import iree.compiler as compiler
import iree.runtime as runtime

from .base import System

FLAGS = ["--iree-hal-target-device=local",
         "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host"]


class Peer(System):
    def version(self):
        return importlib.metadata.version("iree-base-compiler")

    def settings(self):
        return ("for this processor at O3, or at O1 where that fails; driver "
                "local-sync for one thread, else local-task")

    def build(self, case):
        case.fp32_only("IREE")
        imported = case.folder / "model.mlir"
        artifact = case.folder / "model.vmfb"
        subprocess.run(
            [sys.executable, "-m", "iree.compiler.tools.import_onnx",
             str(case.static), "-o", str(imported), "--opset-version", "17"],
            check=True, stdout=sys.stderr)
        try:
            self._compile(imported, artifact, "O3")
        except compiler.CompilerToolError:
            # In 3.13, O3 and O2 fuse more of BERT than the stack holds.
            self._compile(imported, artifact, "O1")
        return artifact

    def _compile(self, imported, artifact, level):
        compiler.compile_file(
            str(imported), input_type="onnx", output_file=str(artifact),
            extra_args=[*FLAGS, f"--iree-opt-level={level}"])

    def load(self, case, artifact):
        driver = "local-sync" if case.threads == 1 else "local-task"
        if driver == "local-task":
            runtime.flags.parse_flags(
                f"--task_topology_group_count={case.threads}")
        module = runtime.load_vm_flatbuffer_file(str(artifact), driver=driver)
        main = next(name for name in module.vm_module.function_names
                    if not name.startswith("__") and "$" not in name)
        device = module._context.config.device
        inputs = [runtime.asdevicearray(device, a)
                  for a in case.inputs.values()]
        function = module[main]

        def run():
            results = function(*inputs)
            return (results if isinstance(results, (list, tuple))
                    else [results])
        return run

    def results(self, case, raw):
        return {name: value.to_host() for name, value in zip(case.outputs,
                                                             raw)}
