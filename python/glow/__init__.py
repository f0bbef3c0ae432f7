"""Glow: compile ONNX models to machine code and run them.

    model = glow.compile("resnet50.onnx", shapes={"input": (1, 3, 224, 224)})
    logits = model.run({"input": image})["logits"]

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .errors import GlowError
from .model import Model, TensorInfo, compile, load

__all__ = ["GlowError", "Model", "TensorInfo", "compile", "load"]
