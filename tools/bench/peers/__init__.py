"""The systems that are compared: one module each, a class called `Peer`.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import importlib

# In the order of tables and plots.
NAMES = ["glow", "onnxruntime", "openvino", "inductor", "jax", "iree", "tvm"]


def load(name):
    """An instance of the system; ImportError where it is not installed."""
    return importlib.import_module(f"peers.{name}_peer").Peer()
