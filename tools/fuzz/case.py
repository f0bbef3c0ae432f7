"""A graph without its history: some nodes and what they start from.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

from generate import Discard, Value, evaluate, make_model, reads


class Case:
    """Nodes, the values that they start from, and all others."""

    def __init__(self, nodes, values, opset, symbolic):
        self.nodes, self.opset, self.symbolic = nodes, opset, symbolic
        self.values = dict(values)
        made = {n for node in nodes for n in node.output}
        read = [n for node in nodes for n in reads(node)]
        given = [n for n in dict.fromkeys(read) if n not in made]
        self.inputs = [n for n in given if not values[n].is_constant]
        self.constants = [n for n in given if values[n].is_constant]

    def model(self):
        read = {n for node in self.nodes for n in reads(node)}
        outputs = [n for node in self.nodes for n in node.output
                   if n and n not in read and not self.values[n].is_sequence]
        if not outputs:
            raise Discard("no outputs")
        return make_model(self, self.inputs, self.constants, outputs, self.symbolic)

    def only(self, nodes):
        """Some of the nodes, with the values that they read."""
        case = Case(nodes, self.values, self.opset, self.symbolic)
        if any(case.values[n].is_sequence for n in case.inputs):
            raise Discard("a sequence as an input")
        return case

    def recomputed(self):
        """The same with the answers for other inputs."""
        values = {n: self.values[n] for n in (*self.inputs, *self.constants)}
        for node in self.nodes:
            for name, array in zip(node.output, evaluate(node, values, self.opset)):
                values[name] = Value(name, array, False, self.values[name].is_exact)
        return Case(self.nodes, values, self.opset, self.symbolic)

    def extents(self):
        """Those of the inputs, large ones first."""
        return sorted({e for n in self.inputs for e in self.values[n].shape if e > 1},
                      reverse=True)

    def cut(self, extent, less):
        """The same for the first `less` of all axes of `extent` elements."""
        values = dict(self.values)
        for name in self.inputs:
            old = values[name]
            part = tuple(slice(less if e == extent else e) for e in old.shape)
            values[name] = Value(name, np.array(old.array[part]),
                                 False, old.is_exact)
        return Case(self.nodes, values, self.opset, self.symbolic).recomputed()
