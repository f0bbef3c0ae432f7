"""OpenVINO's CPU plug-in.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import openvino

from .base import NotSupported, System

PRECISIONS = {"fp32": "f32", "bf16": "bf16"}


class Peer(System):
    def version(self):
        return openvino.__version__.split("-")[0]

    def settings(self):
        return ("latency hint, one stream, static shapes, precision hint set, "
                "no pinning of its own, inputs and outputs shared")

    def load(self, case, artifact):
        if case.precision not in PRECISIONS:
            raise NotSupported(f"no precision {case.precision}")
        core = openvino.Core()
        model = core.read_model(case.model)
        model.reshape({name: list(a.shape) for name, a in case.inputs.items()})
        compiled = core.compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": "1",
            "INFERENCE_NUM_THREADS": str(case.threads),
            "INFERENCE_PRECISION_HINT": PRECISIONS[case.precision],
            "ENABLE_CPU_PINNING": "NO",
        })
        request = compiled.create_infer_request()
        return lambda: request.infer(case.inputs, share_inputs=True,
                                     share_outputs=True)

    def results(self, case, raw):
        return {name: raw[name] for name in case.outputs}
