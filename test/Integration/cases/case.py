"""How the tables in this folder state a case.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections.abc
import dataclasses

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

# The opset of a case that names none.
OPSET = 21
# The versions of other domains.
DOMAINS = {"ai.onnx.ml": 3, "com.microsoft": 1}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    model: onnx.ModelProto
    inputs: dict
    tolerance: float = None
    # inputs -> list of outputs, where neither reference has the operator.
    expected: collections.abc.Callable = None


@dataclasses.dataclass(frozen=True)
class Const:
    """An operand that is an initialiser instead of an input of the model."""
    array: np.ndarray


def const(value, dtype=None):
    """Integers become int64 and floats float32 unless `dtype` says."""
    if isinstance(value, np.ndarray):
        return Const(value if dtype is None else value.astype(dtype))
    array = np.asarray(value, dtype)
    if dtype is None and array.dtype == np.float64:
        array = array.astype(np.float32)
    return Const(array)


class Table:
    """Collects the cases of one family."""

    def __init__(self):
        self.cases = {}
        self._rng = np.random.default_rng(1)

    def data(self, *shape, dtype=np.float32, low=-2, high=2):
        """Random values in [low, high); for unsigned types from 0."""
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            return self._rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in "iu":
            low = 0 if dtype.kind == "u" else low
            return self._rng.integers(low, high, shape, dtype)
        return self._rng.uniform(low, high, shape).astype(dtype)

    def add(self, op, *operands, label="", opset=OPSET, outputs=1,
            tolerance=None, expected=None, domain="", **attributes):
        """A model of one node. An operand is an array (then it is an input),
        a Const, or None where it is left out. `outputs` is a number, or a
        list with 0 where an output is left out, and a type where it cannot be
        inferred. An attribute called opset is `opset_`. Gives the case."""
        inputs, weights, names = {}, [], []
        for index, operand in enumerate(operands):
            name = "" if operand is None else f"x{index}"
            names.append(name)
            if isinstance(operand, Const):
                weights.append(numpy_helper.from_array(operand.array, name))
            elif operand is not None:
                inputs[name] = np.asarray(operand)
        if isinstance(outputs, int):
            outputs = [1] * outputs
        results = [f"y{i}" if used else "" for i, used in enumerate(outputs)]
        attributes = {key.rstrip("_"): value for key, value in attributes.items()}
        node = helper.make_node(op, names, results, f"{op}_node",
                                domain=domain, **attributes)
        name = "-".join(filter(None, [op, label]))
        typed = [o if used == 1 else helper.make_value_info(
            o, helper.make_tensor_type_proto(
                helper.np_dtype_to_tensor_dtype(np.dtype(used)), None))
            for o, used in zip(results, outputs) if used]
        return self.add_graph(name, [node], inputs, weights, opset, tolerance,
                              typed, expected=expected)

    def add_graph(self, name, nodes, inputs, weights=(), opset=OPSET,
                  tolerance=None, outputs=None, shapes=None, functions=(),
                  expected=None):
        """A model of several nodes. Its outputs are the last node's unless
        listed, by name or with their types; `shapes` replaces the declared
        shapes of inputs."""
        assert name not in self.cases, f"two cases are called {name}"
        outputs = outputs or [o for o in nodes[-1].output if o]
        declared = [helper.make_tensor_value_info(
            key, helper.np_dtype_to_tensor_dtype(value.dtype),
            (shapes or {}).get(key, value.shape))
            for key, value in inputs.items()]
        outputs = [helper.make_empty_tensor_value_info(o)
                   if isinstance(o, str) else o for o in outputs]
        model_graph = helper.make_graph(nodes, name, declared, outputs,
                                        weights)
        others = {node.domain: DOMAINS[node.domain] for node in nodes
                  if node.domain in DOMAINS}
        opsets = [helper.make_opsetid("", opset)] + [
            helper.make_opsetid(*d) for d in others.items()] + [
            helper.make_opsetid(f.domain, 1) for f in functions]
        model = helper.make_model(model_graph, opset_imports=opsets,
                                  functions=functions)
        model.ir_version = helper.find_min_ir_version_for(
            opsets[:1], ignore_unknown=True)
        if functions:
            model.ir_version = max(model.ir_version, 8)
        if model.ir_version < 4:  # initialisers had to be inputs too
            model.graph.input.extend(helper.make_tensor_value_info(
                t.name, t.data_type, t.dims) for t in weights)
        case = Case(name, _with_output_types(model), inputs, tolerance,
                    expected)
        self.cases[name] = case
        return case


def _with_output_types(model):
    """Fills in the types of the outputs, which ONNX requires."""
    inferred = shape_inference.infer_shapes(model, data_prop=True)
    first = model.graph.input[0] if model.graph.input else None
    for output, known in zip(model.graph.output, inferred.graph.output):
        if output.type.tensor_type.elem_type:
            continue
        if known.type.tensor_type.elem_type:
            output.type.CopyFrom(known.type)
        else:  # no inference for this operator: it keeps type and rank
            output.type.CopyFrom(first.type)
    return model
