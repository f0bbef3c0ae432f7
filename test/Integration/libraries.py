"""Compiled libraries in a process of their own, through the tools.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
from plain_c import call


def compile_library(bin_dir, folder, model, *options):
    """Writes model.so into `folder`, with these options of glow-compile."""
    onnx.save(model, folder / "model.onnx")
    call(bin_dir / "glow-compile", folder / "model.onnx", "-o",
         folder / "model.so", *options)


def run_compiled(bin_dir, folder, inputs, outputs):
    """What glow-run gives for model.so: {name: array} of the names `outputs`."""
    arguments = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy",
                array.astype(str) if array.dtype == object else array)
        arguments += ["--input", f"{name}={folder / name}.npy"]
    call(bin_dir / "glow-run", folder / "model.so", *arguments,
         "--output-dir", folder / "out")
    return {name: np.load(folder / "out" / f"{name}.npy", allow_pickle=True)
            for name in outputs}
