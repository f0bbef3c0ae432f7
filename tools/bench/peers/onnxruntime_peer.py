"""ONNX Runtime with its default CPU provider.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import onnxruntime

from .base import System
from .onnx_shapes import named_extents


class Peer(System):
    def version(self):
        return onnxruntime.__version__

    def settings(self):
        return ("all graph optimisations, dynamic extents fixed by name, "
                "spinning as by default")

    def load(self, case, artifact):
        case.fp32_only("ONNX Runtime's CPU provider")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = case.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.graph_optimization_level = (
            onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL)
        for name, extent in named_extents(case.model, case.inputs).items():
            options.add_free_dimension_override_by_name(name, extent)
        session = onnxruntime.InferenceSession(
            str(case.model), options, providers=["CPUExecutionProvider"])
        return lambda: session.run(case.outputs, case.inputs)
