"""Random ONNX graphs that are valid by construction.

Every node is evaluated while the graph grows, by ONNX Runtime or, where that has
no kernel, by the onnx package's evaluator: what neither runs is not used. So the
shapes of all values are known, and so is what comes out.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import dataclasses
import random
import warnings

import numpy as np
import onnx
import onnx.helper
import onnx.reference
import onnxruntime

from exact import exact

# Operator sets by how often they are used. Recipes are written for the first;
# what a node needs in another one it gets from `adapted`, or it is discarded.
OPSETS = [21] * 6 + [13, 14, 15, 17, 18, 19, 22, 23, 23, 24, 24, 25, 26, 26]

# Element types by how often they are used.
FLOATS = ["float32"] * 8 + ["float64", "float16"]
INTS = ["int64"] * 3 + ["int32"] * 3 + ["int8", "uint8", "int16", "uint32"]

onnxruntime.set_default_logger_severity(4)


def onnx_type(dtype):
    return onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


@dataclasses.dataclass
class Value:
    name: str
    array: np.ndarray  # or a list of arrays, which is a sequence
    is_constant: bool = False
    # Equal for everyone who computes it: no rounding has happened.
    is_exact: bool = True

    @property
    def shape(self):
        return self.array.shape

    @property
    def is_sequence(self):
        return isinstance(self.array, list)

    @property
    def dtype(self):
        return "sequence" if self.is_sequence else self.array.dtype.name


class Discard(Exception):
    """The graph, or a node, cannot be made."""


class Builder:
    """Grows one graph; recipes call it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.opset = self.rng.choice(OPSETS)
        self.values = {}  # by name
        self.nodes = []
        self.inputs, self.constants = [], []
        self.count = 0  # of names

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

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def add(self, array, constant=False):
        name = self.name("c" if constant else "x")
        value = Value(name, np.asarray(array), constant)
        self.values[name] = value
        (self.constants if constant else self.inputs).append(name)
        return value

    def constant(self, array, dtype=np.int64):
        """Shapes, axes and such; now and then an input all the same."""
        return self.add(np.asarray(array, dtype), constant=not self.chance(0.03))

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
            return (v.dtype in dtypes and least <= len(v.shape) <= most
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
        results = [self.name("y") for _ in range(outputs)]
        node = onnx.helper.make_node(op, names, results, domain=domain, **attributes)
        if not domain and not onnx.defs.has(op, self.opset):
            raise Discard("not in this operator set")
        node = adapted(node, self.values, self.opset)
        arrays = evaluate(node, self.values, self.opset)
        is_exact = all(self.values[n].is_exact for n in reads(node))
        self.nodes.append(node)
        made = []
        for name, array in zip(results, arrays):
            made.append(Value(name, array, False, is_exact and (
                not rounds or isinstance(array, list) or array.dtype.kind != "f")))
            self.values[name] = made[-1]
        return made[0] if outputs == 1 else made

    @contextlib.contextmanager
    def body(self):
        """Gives a list. What is added meanwhile goes there, for a graph in an
        attribute, and its values are not seen afterwards."""
        outer, self.nodes, before = self.nodes, [], set(self.values)
        given = len(self.inputs), len(self.constants)
        try:
            yield self.nodes
        finally:
            self.nodes = outer
            kept = {*self.inputs[given[0]:], *self.constants[given[1]:]}
            for name in set(self.values) - before - kept:
                del self.values[name]

    def local(self, array):
        """An input of the body's graph, with the value that it has first."""
        value = Value(self.name("v"), np.asarray(array), is_exact=False)
        self.values[value.name] = value
        return value

    # -- The whole.

    def model(self, symbolic=False):
        """All that no node reads is an output, and some of the rest."""
        read = {name for node in self.nodes for name in reads(node)}
        outputs = [name for node in self.nodes for name in node.output
                   if not self.values[name].is_sequence
                   and (name not in read or self.chance(0.15))]
        if not outputs:
            raise Discard("no outputs")
        used = read | set(outputs)
        inputs = [n for n in self.inputs if n in used]
        constants = [n for n in self.constants if n in used]
        return make_model(self, inputs, constants, outputs, symbolic)


def info(name, value, dims=None):
    """The type of a value; each extent is open if `dims` says so."""
    if isinstance(value, list):
        if not value:
            raise Discard("an empty sequence")
        return onnx.helper.make_tensor_sequence_value_info(
            name, onnx_type(value[0].dtype), None)
    return onnx.helper.make_tensor_value_info(
        name, onnx_type(value.dtype), value.shape if dims is None else dims)


def make_model(graph, inputs, constants, outputs, symbolic=False):
    """A model of a Builder's or a Case's nodes. Of equal extents of inputs that
    are `symbolic` no one knows that they are."""
    values = graph.values

    def open_dims(name, is_input):
        rank = np.ndim(values[name].array)
        if symbolic and is_input:
            return [f"{name}_{i}" for i in range(rank)]
        return None if is_input else [None] * rank

    proto = onnx.helper.make_graph(
        graph.nodes, "fuzz",
        [info(n, values[n].array, open_dims(n, True)) for n in inputs],
        [info(n, values[n].array, open_dims(n, False)) for n in outputs],
        [onnx.numpy_helper.from_array(values[n].array, n) for n in constants])
    return whole(proto, graph.opset)


# Those of other domains.
VERSIONS = {"com.microsoft": 1, "ai.onnx.ml": 3}


def whole(graph, opset):
    versions = {node.domain: VERSIONS[node.domain] for node in graph.node if node.domain}
    return onnx.helper.make_model(graph, ir_version=10, opset_imports=[
        onnx.helper.make_opsetid(*pair) for pair in {"": opset, **versions}.items()])


def reads(node):
    """The names that a node reads, those that its bodies capture too."""
    names = {n: None for n in node.input if n}
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            made = {v.name for v in graph.input} | {v.name for v in graph.initializer}
            for inner in graph.node:
                names.update((n, None) for n in reads(inner) if n not in made)
                made.update(inner.output)
            names.update((o.name, None) for o in graph.output if o.name not in made)
    return list(names)


# op: (the first operator set that has it as an input, its place, the attribute)
AS_INPUT = {
    **{op: (18, 1, "axes") for op in (
        "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
        "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")},
}
NEW_ATTRIBUTES = {  # op: {attribute: the first operator set that has it}
    **{op: {"noop_with_empty_axes": 18} for op in AS_INPUT},
    "Split": {"num_outputs": 18}, "AveragePool": {"dilations": 19},
    "LpPool": {"dilations": 18, "ceil_mode": 18}, "Reshape": {"allowzero": 14},
    "Shape": {"start": 15, "end": 15},
}


def adapted(node, values, opset):
    """The same in another operator set, as far as that is plain."""
    since, place, name = AS_INPUT.get(node.op_type, (0, 0, ""))
    if opset < since and len(node.input) > place:
        axes = values[node.input[place]].array
        del node.input[place]
        if axes.size:
            node.attribute.append(onnx.helper.make_attribute(name, axes.tolist()))
    new = NEW_ATTRIBUTES.get(node.op_type, {})
    for attribute in list(node.attribute):
        if opset < new.get(attribute.name, 0):
            node.attribute.remove(attribute)
    return node


# ONNX Runtime's results are not ONNX's: wrong places along a single axis, and
# single precision for doubles.
NOT_BY_RUNTIME = {"Col2Im", "Shrink"}
# Nor are the package's evaluator's: it joins what a loop collects along an axis
# that was there before, and takes rows for elements.
NOT_BY_REFERENCE = {"Loop", "Unique"}
THRESHOLDS = {"Shrink", "ThresholdedRelu"}


def evaluate(node, values, opset):
    """The outputs of one node; raises Discard if no one can tell."""
    arrays = {n: values[n].array for n in reads(node)}
    if not is_half(node, arrays):
        results = evaluate_once(node, arrays, opset)
        return exact(node, arrays) or results
    if node.op_type in THRESHOLDS:
        raise Discard("whether thresholds are rounded to halves depends on whom one asks")
    # In single precision, and rounded: kernels for halves are rare and inexact.
    if not takes_halves(node, arrays, opset):
        raise Discard("not of halves")
    wide = {n: a.astype(np.float32) if a.dtype == np.float16 else a
            for n, a in arrays.items()}
    with np.errstate(over="ignore"):
        return [r.astype(np.float16) if r.dtype == np.float32 else r
                for r in evaluate_once(node, wide, opset)]


def is_half(node, arrays):
    """Whether single precision may stand for half precision. Not where it
    decides."""
    return (node.op_type not in ("Cast", "CastLike", "BitCast", "QuantizeLinear")
            and not any(a.HasField("g") for a in node.attribute)
            and not any(isinstance(a, list) for a in arrays.values())
            and any(a.dtype == np.float16 for a in arrays.values()))


def takes_halves(node, arrays, opset):
    if node.domain:
        return False
    try:
        schema = onnx.defs.get_schema(node.op_type, opset)
    except onnx.defs.SchemaError:
        return False
    types = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    for i, name in enumerate(node.input):
        formal = schema.inputs[min(i, len(schema.inputs) - 1)].type_str
        if (name and arrays[name].dtype == np.float16
                and "tensor(float16)" not in types.get(formal, [formal])):
            return False
    return "Sequence" not in node.op_type


def attributes_of(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def spans(node, extents):
    """How far a window reaches along each axis, and the padded extents."""
    attributes = attributes_of(node)
    rank = len(extents)
    pads = attributes.get("pads", [0] * rank * 2)
    dilations = attributes.get("dilations", [1] * rank)
    return ([(k - 1) * d + 1 for k, d in zip(attributes["kernel_shape"], dilations)],
            [e + a + b for e, a, b in zip(extents, pads, pads[rank:])])


def has_empty_window(node, extents):
    """Whether all taps of a window lie in the padding."""
    attributes = attributes_of(node)
    rank = len(extents)
    pads = attributes.get("pads", [0] * rank * 2)
    for axis, (span, padded) in enumerate(zip(*spans(node, extents))):
        stride = attributes.get("strides", [1] * rank)[axis]
        dilation = attributes.get("dilations", [1] * rank)[axis]
        starts = np.arange(0, max(padded - span, 0) + stride, stride) - pads[axis]
        places = starts[:, None] + np.arange(0, span, dilation)
        if not ((places >= 0) & (places < extents[axis])).any(1).all():
            return True
    return False


def normalised(node, x):
    """The elements that a normalisation brings to one mean, a row for each."""
    attributes = attributes_of(node)
    if node.op_type == "LayerNormalization":
        shape = x.shape[:attributes.get("axis", -1) % len(x.shape)]
    elif node.op_type == "GroupNormalization":
        shape = (x.shape[0], attributes["num_groups"])
    elif node.op_type == "InstanceNormalization":
        shape = x.shape[:2]
    else:
        return None
    return x.astype(np.float64).reshape(int(np.prod(shape)), -1) if x.size else None


def leaves_range(node, arrays):
    """Whether some order of the factors of a ReduceProd overflows on the way."""
    x, *others = arrays.values()
    if x.dtype.kind != "f" or not x.size:
        return False
    axes = others or [a.ints for a in node.attribute if a.name == "axes"]
    axes = tuple(int(a) for a in axes[0]) if len(axes) and len(axes[0]) else None
    limits, wide = np.finfo(x.dtype), np.abs(x.astype(np.longdouble))
    return bool((np.maximum(wide, 1).prod(axes) > limits.max).any()
                or (np.minimum(wide, 1).prod(axes) < limits.tiny).any())


def is_rounded(node, arrays):
    """Whether rounding decides at which elements a nearest Resize arrives: the
    package's evaluator does not take lengths as whole numbers, and places are
    between two elements, or on one, that no power of two divides."""
    mode = attributes_of(node).get("coordinate_transformation_mode", b"half_pixel")
    given = [arrays[n] for n in node.input[2:] if n in arrays and arrays[n].size]
    shape = np.array(arrays[node.input[0]].shape)[-len(given[0]):]
    lengths = given[0] * (shape if given[0].dtype.kind == "f" else 1)
    if mode == b"pytorch_half_pixel" and ((lengths > 1) & (lengths < 2)).any():
        return True
    half = 0.5 if b"half_pixel" in mode else 0
    for length, extent in zip(lengths, shape):
        scale = length / extent
        places = 2 * ((np.arange(int(length)) + half) / scale - half)
        if np.frexp(scale)[0] != 0.5 and (abs(places - places.round()) < 1e-6).any():
            return True
    return False


def doubt(node, arrays):
    """Why the answer of ONNX Runtime, or of who is asked instead of it, says
    nothing about a node, or None."""
    first = next(iter(arrays.values()), None)
    if isinstance(first, list):
        if (node.op_type == "ConcatFromSequence" and len({a.shape for a in first}) > 1
                and any(a.size == 0 for a in first)):
            return "it does not look at the shape of what is empty"
        return None
    if node.op_type in ("MaxPool", "AveragePool", "LpPool") and any(
            span > extent for span, extent in zip(*spans(node, first.shape[2:]))):
        return "it rounds the number of windows up where none fits"
    if len(node.output) > 1 and node.op_type == "MaxPool" and has_empty_window(
            node, first.shape[2:]):
        return "nothing has a place in a window of padding"
    if node.op_type in ("ArgMax", "ArgMin") and first.size == 0:
        return "it keeps the axis"
    has_nan = first is not None and first.dtype.kind == "f" and np.isnan(first).any()
    if node.op_type == "Unique" and has_nan:
        return "it takes NaN for equal to what comes before"
    if node.op_type in ("Hardmax", "ReduceMax", "ReduceMin", "TopK") and has_nan:
        return "what it makes of NaN depends on the place"
    if (node.op_type in ("ScatterND", "ScatterElements")
            and attributes_of(node).get("reduction") in (b"max", b"min")
            and any(a.dtype.kind == "f" and np.isnan(a).any() for a in arrays.values())):
        return "which it keeps of a number and NaN depends on their order"
    if node.op_type == "Softplus" and first.dtype.kind == "f" and (
            first > np.log(np.finfo(first.dtype).max)).any():
        return "the exponential of the package's evaluator overflows"
    if node.op_type == "Resize" and is_nearest(node) and is_rounded(node, arrays):
        return "the package's evaluator rounds"
    if node.op_type == "ReduceProd" and leaves_range(node, arrays):
        return "the order of factors decides what overflows"
    with np.errstate(all="ignore"):
        rows = normalised(node, first) if first is not None else None
        # Of a group it takes the difference of the means of squares.
        least = 1e-3 if node.op_type == "GroupNormalization" else 1e-6
        if rows is not None and (rows.var(1) < least * np.square(rows).max(1)).any():
            return "differences of rounding are divided by themselves"
    return None


def is_nearest(node):
    """Whether ONNX Runtime's places, which are a little off, decide. With
    aligned corners the package's evaluator takes a length before rounding."""
    attributes = attributes_of(node)
    return (node.op_type == "Resize" and attributes.get("mode", b"nearest") == b"nearest"
            and attributes.get("coordinate_transformation_mode") != b"align_corners")


def evaluate_once(node, arrays, opset):
    if why := doubt(node, arrays):
        raise Discard(f"no one to ask: {why}")
    graph = onnx.helper.make_graph(
        [node], "node", [info(n, a) for n, a in arrays.items()],
        [onnx.helper.make_empty_tensor_value_info(n) for n in node.output])
    model = whole(graph, opset)
    try:
        # It leaves the sums of nothing as they were.
        if node.op_type in NOT_BY_RUNTIME or is_nearest(node) or (
                node.op_type == "MatMul" and any(a.size == 0 for a in arrays.values())):
            raise NotImplementedError("NOT_IMPLEMENTED")
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
        if node.op_type in NOT_BY_REFERENCE:
            raise Discard("no one to ask") from error
        results = evaluate_slowly(model, arrays)
    results = [[np.asarray(e) for e in r] if isinstance(r, list) else np.asarray(r)
               for r in results]
    for array in (a for r in results for a in (r if isinstance(r, list) else [r])):
        if array.dtype.kind not in "fiub" or array.size > 200000:
            raise Discard("not a tensor of numbers, or a large one")
    return results


def evaluate_slowly(model, arrays):
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return onnx.reference.ReferenceEvaluator(model).run(None, arrays)
    except Exception as error:
        raise Discard(str(error)) from error
