"""PyTorch's torch.compile with the inductor back end and frozen weights.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import torch
import torch._inductor.config as config
from torch._dynamo.exc import BackendCompilerFailed
from torch._inductor.fx_passes import joint_graph

from .base import NotSupported, System
from .onnx_graph import Graph
from .torch_ops import TABLE


class OnnxModule(torch.nn.Module):
    """An ONNX graph; its constants are the parameters and buffers."""

    def __init__(self, path):
        super().__init__()
        self.graph = Graph(path)
        self.graph.check(TABLE, "PyTorch")
        self.names = {}
        for name, array in self.graph.constants.items():
            field = self.names[name] = f"constant{len(self.names)}"
            tensor = torch.from_numpy(np.array(array))
            if tensor.is_floating_point():
                tensor = torch.nn.Parameter(tensor, requires_grad=False)
                self.register_parameter(field, tensor)
            else:
                self.register_buffer(field, tensor)
        self.graph.constants = None

    def forward(self, *inputs):
        constants = {n: getattr(self, f) for n, f in self.names.items()}
        return tuple(self.graph.evaluate(TABLE, constants, inputs))


class Peer(System):
    def version(self):
        return torch.__version__

    def settings(self):
        return ("no gradients, frozen weights, C++ wrapper; bf16 by autocast; "
                "without the fusion of attention where that fails")

    def load(self, case, artifact):
        if case.precision not in ("fp32", "bf16"):
            raise NotSupported(f"no precision {case.precision}")
        torch.set_num_threads(case.threads)
        config.freezing = True
        config.cpp_wrapper = True
        module = OnnxModule(case.static).eval()
        inputs = [torch.from_numpy(a) for a in case.inputs.values()]
        bf16 = case.precision == "bf16"
        compiled = torch.compile(module, dynamic=False, fullgraph=True)

        def run():
            with torch.inference_mode(), torch.autocast(
                    "cpu", torch.bfloat16, enabled=bf16):
                return compiled(*inputs)
        try:
            run()
        except BackendCompilerFailed:
            # In 2.13 a pattern takes BERT's mask for one of another shape.
            joint_graph.patterns.patterns.clear()
            torch._dynamo.reset()
            run()
        return run

    def results(self, case, raw):
        return {name: value.float().numpy() if value.is_floating_point()
                else value.numpy() for name, value in zip(case.outputs, raw)}
