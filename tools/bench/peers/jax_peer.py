"""JAX: XLA's compiler for CPUs.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import jax
import jax.numpy as jnp

from .base import System
from .jax_ops import TABLE
from .onnx_graph import Graph


class Peer(System):
    def version(self):
        return jax.__version__

    def settings(self):
        return ("jit, weights as arguments on the device; XLA takes as many "
                "threads as processors it is bound to; the ONNX graph is "
                "traced operator by operator")

    def load(self, case, artifact):
        case.fp32_only("JAX")
        jax.config.update("jax_enable_x64", True)  # for 64-bit indices
        graph = Graph(case.static)
        graph.check(TABLE, "JAX")
        weights = {n: jnp.asarray(a) for n, a in graph.constants.items()}
        inputs = [jnp.asarray(a) for a in case.inputs.values()]
        graph.constants = None

        def model(weights, inputs):
            return graph.evaluate(TABLE, weights, inputs)
        compiled = jax.jit(model).lower(weights, inputs).compile()
        return lambda: jax.block_until_ready(compiled(weights, inputs))
