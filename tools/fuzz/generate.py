"""Random ONNX graphs that are valid by construction.

Every node is evaluated while the graph grows, by ONNX Runtime or, where that has
no kernel, by the onnx package's evaluator: what neither runs is not used. So the
shapes of all values are known, and so is what comes out.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import random
import warnings

import numpy as np
import onnx
import onnx.helper
import onnx.reference
import onnxruntime

OPSET = 21

# Element types by how often they are used.
FLOATS = ["float32"] * 8 + ["float64", "float16"]
INTS = ["int64"] * 3 + ["int32"] * 3 + ["int8", "uint8", "int16", "uint32"]

onnxruntime.set_default_logger_severity(4)


def onnx_type(dtype):
    return onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


@dataclasses.dataclass
class Value:
    name: str
    array: np.ndarray
    is_constant: bool = False
    # Equal for everyone who computes it: no rounding has happened.
    is_exact: bool = True

    @property
    def shape(self):
        return self.array.shape

    @property
    def dtype(self):
        return self.array.dtype.name


class Discard(Exception):
    """The graph, or a node, cannot be made."""


class Builder:
    """Grows one graph; recipes call it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.values = {}  # by name
        self.nodes = []
        self.inputs, self.constants = [], []

    # -- Choices.

    def choose(self, options):
        return self.rng.choice(options)

    def chance(self, probability):
        return self.rng.random() < probability

    def extent(self):
        """Mostly small; sometimes none, one, or across a vector's width."""
        return self.rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17]
                               + ([0] if self.chance(0.15) else [])
                               + ([33, 64, 65, 100] if self.chance(0.2) else []))

    def shape(self, least=0, most=4):
        shape = [self.extent() for _ in range(self.rng.randint(least, most))]
        while np.prod(shape) > 20000:
            shape[self.rng.randrange(len(shape))] = 1
        return tuple(shape)

    def attributes(self, **options):
        """Each attribute is left out now and then."""
        return {k: v for k, v in options.items() if self.chance(0.8)}

    def axis(self, rank):
        axis = self.rng.randrange(rank)
        return axis - rank if self.chance(0.3) else axis

    # -- Values.

    def data(self, dtype, shape, low=None, high=None):
        kind = np.dtype(dtype).kind
        if kind == "f":
            if low is not None:
                return self.numbers.uniform(low, high, shape).astype(dtype)
            array = self.numbers.standard_normal(shape) * self.choose([1, 1, 4])
            if self.chance(0.2):  # ties, zeros, halves
                array = np.round(array * 2) / 2
            return array.astype(dtype)
        if kind == "b":
            return self.numbers.random(shape) < self.choose([0.5, 0.5, 0.1, 1.0])
        low = (0 if kind == "u" else -9) if low is None else low
        return self.numbers.integers(low, 10 if high is None else high,
                                     shape).astype(dtype)

    def add(self, array, constant=False):
        name = f"{'c' if constant else 'x'}{len(self.values)}"
        value = Value(name, np.asarray(array), constant)
        self.values[name] = value
        (self.constants if constant else self.inputs).append(name)
        return value

    def constant(self, array, dtype=np.int64):
        """Shapes, axes and such."""
        return self.add(np.asarray(array, dtype), constant=True)

    def new(self, dtype, shape, constant=None, **limits):
        if constant is None:
            constant = self.chance(0.25)
        return self.add(self.data(dtype, shape, **limits), constant)

    def old(self, test):
        """A value computed before of which `test` holds, later ones first."""
        found = [v for v in self.values.values() if test(v)]
        computed = [v for v in found if v.name.startswith("y")]
        if computed and self.chance(0.8):
            return self.choose(computed[-3:])
        return self.choose(found) if found and self.chance(0.5) else None

    def tensor(self, dtypes, least=0, most=4, exact=False, test=None):
        """An old value of one of these types and ranks, or a new one."""
        def fits(v):
            return (v.dtype in dtypes and least <= v.array.ndim <= most
                    and (v.is_exact or not exact)
                    and not v.name.startswith("c") and (not test or test(v)))
        known = self.old(fits)
        if known:
            return known
        for _ in range(20):
            value = self.data(self.choose(dtypes), self.shape(least, most))
            if not test or test(Value("", value)):
                return self.add(value)
        raise Discard("no shape found")

    def like(self, value, dtype=None, broadcast=True):
        """One that broadcasts with `value`."""
        dtype = dtype or value.dtype
        known = self.old(lambda v: v.dtype == dtype and v.shape == value.shape)
        if known and self.chance(0.6):
            return known
        shape = list(value.shape)
        if broadcast and self.chance(0.5):
            shape = [1 if self.chance(0.4) else e for e in shape]
            shape = shape[self.rng.randint(0, len(shape)):]
        return self.new(dtype, shape)

    # -- Nodes.

    def node(self, op, inputs, outputs=1, rounds=True, domain="", **attributes):
        """Adds a node. `rounds`: floats that it computes may differ by rounding."""
        names = [v.name if v is not None else "" for v in inputs]
        while names and not names[-1]:
            names.pop()
        results = [f"y{len(self.values) + i}" for i in range(outputs)]
        node = onnx.helper.make_node(op, names, results, domain=domain, **attributes)
        arrays = evaluate(node, self.values)
        is_exact = all(v.is_exact for v in inputs if v is not None)
        self.nodes.append(node)
        made = []
        for name, array in zip(results, arrays):
            exact = is_exact and (not rounds or array.dtype.kind != "f")
            self.values[name] = Value(name, array, False, exact)
            made.append(self.values[name])
        return made[0] if outputs == 1 else made

    # -- The whole.

    def model(self, symbolic=False):
        """All that no node reads is an output, and some of the rest."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for node in self.nodes for name in node.output
                   if name not in read or self.chance(0.15)]
        used = read | set(outputs)
        inputs = [n for n in self.inputs if n in used]
        constants = [n for n in self.constants if n in used]
        return make_model(self.nodes, self.values, inputs, constants, outputs,
                          symbolic)


def make_model(nodes, values, inputs, constants, outputs, symbolic=False):
    """Of equal extents of inputs that are `symbolic` no one knows that they are."""
    def info(name, is_input):
        array = values[name].array
        dims = list(array.shape)
        if symbolic and is_input:
            dims = [f"{name}_{i}" for i in range(len(dims))]
        elif not is_input:
            dims = [None] * len(dims)
        return onnx.helper.make_tensor_value_info(name, onnx_type(array.dtype), dims)

    graph = onnx.helper.make_graph(
        nodes, "fuzz", [info(n, True) for n in inputs],
        [info(n, False) for n in outputs],
        [onnx.numpy_helper.from_array(values[n].array, n) for n in constants])
    return onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=10)


def evaluate(node, values):
    """The outputs of one node; raises Discard if no one can tell."""
    arrays = {n: values[n].array for n in dict.fromkeys(node.input) if n}
    graph = onnx.helper.make_graph(
        [node], "node",
        [onnx.helper.make_tensor_value_info(n, onnx_type(a.dtype), a.shape)
         for n, a in arrays.items()],
        [onnx.helper.make_empty_tensor_value_info(n) for n in node.output])
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=10)
    try:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = (
            onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        results = session.run(None, arrays)
    except Exception as error:  # ONNX Runtime has no single class for "no kernel"
        if "NOT_IMPLEMENTED" not in str(error):
            raise Discard(str(error)) from error
        results = evaluate_slowly(model, arrays)
    results = [np.asarray(r) for r in results]
    if any(r.dtype.kind not in "fiub" or r.size > 200000 for r in results):
        raise Discard("not a tensor of numbers, or a large one")
    return results


def evaluate_slowly(model, arrays):
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return onnx.reference.ReferenceEvaluator(model).run(None, arrays)
    except Exception as error:
        raise Discard(str(error)) from error
