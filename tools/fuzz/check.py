"""Runs a graph with Glow and says what is wrong with the outcome.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import re
import tempfile

import numpy as np

import glow
from case import Case
from generate import Discard, evaluate, make_model, reads, Value

# What Glow says it does not do. Anything else that it refuses is a finding.
DOCUMENTED = re.compile(
    r"not supported|(cannot be|is) compiled for a range of shapes|"
    r"cannot be compiled, as extents are computed from data|"
    r"the model cannot be saved|is not known when the model is compiled|how often it runs is not known|has to be known|must be known|cannot be ordered|"
    r"whose extents are not known|an extent that is known|extents that are known|"
    r"needs known extents|of known extents|not all extents are known|"
    # Extents that meet are taken to be equal in ranges, although one may be 1.
    r"shapes do not broadcast: extents|with the other inputs' it must be|does not broadcast to the product|axes of .* must agree|the compiled model takes|cannot have the range|which is not within its bounds|"
    r"symbol '.*' is .*, the model was compiled for")

# Relative to the largest number around.
TOLERANCE = {"float64": 1e-10, "float32": 3e-5, "float16": 2e-2}


OPEN = ("open", "ranges")  # modes whose models leave extents open


class Finding(Exception):
    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def differences(actual, expected, scale, exact):
    """What distinguishes two arrays, or None."""
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, not {expected.shape}"
    if actual.dtype != expected.dtype:
        return f"type {actual.dtype}, not {expected.dtype}"
    if expected.dtype.kind != "f":
        wrong = actual != expected
        limit = 0 if exact else 1  # a float that was rounded the other way
        if limit and expected.dtype.kind in "iu":
            wrong = np.abs(actual.astype(np.float64) - expected) > limit
        if wrong.any():
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            return (f"{int(wrong.sum())} of {expected.size} elements, at {at}: "
                    f"{actual[at]}, not {expected[at]}")
        return None
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        largest = np.finfo(expected.dtype).max
        # Near the largest number an infinity is as good.
        e_huge, a_huge = np.abs(e) > largest / 4, np.abs(a) > largest / 4
        same = (np.isnan(a) & np.isnan(e)) | (a == e) | (
            e_huge & a_huge & (np.sign(a) == np.sign(e)))
        finite = e[np.isfinite(e) & ~e_huge]
        scale = max(scale, np.abs(finite).max() if finite.size else 0.0)
        limit = TOLERANCE[expected.dtype.name] * scale + 1e-30
        wrong = ~same & ~(np.abs(a - e) <= limit)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        return (f"{int(wrong.sum())} of {expected.size} elements, at {at}: "
                f"{actual[at]!r}, not {expected[at]!r}")
    return None


def scale_of(node, values):
    """The largest finite number among the floats that a node reads: sums of
    them may cancel. What reads none has numbers of its own."""
    scale = 0.0
    arrays = [a for n in reads(node) for a in (
        values[n].array if values[n].is_sequence else [values[n].array])]
    for array in arrays:
        if array.dtype.kind == "f":
            finite = np.abs(array[np.isfinite(array)].astype(np.float64))
            scale = max(scale, finite.max() if finite.size else 0.0)
    if node.op_type in ("Celu", "Elu", "Selu"):
        return max(scale, 1.0)  # 1 is subtracted
    return scale if any(a.dtype.kind == "f" for a in arrays) else 1.0


@contextlib.contextmanager
def errors_are_findings():
    try:
        yield
    except glow.GlowError as error:
        text = str(error)
        kind = "unsupported" if DOCUMENTED.search(text) else "rejected"
        raise Finding(kind, text) from error


def compile_glow(model, ranges=None, threads=1, check_bounds=False):
    with errors_are_findings():
        return glow.compile(model.SerializeToString(), shapes=ranges, threads=threads,
                            options={"check-bounds": 1} if check_bounds else None)


def through_file(compiled):
    """The same as a library."""
    with errors_are_findings(), tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/model.so"
        compiled.save(path)
        return glow.load(path, threads=1)


def run_glow(compiled, inputs):
    with errors_are_findings():
        return compiled.run(inputs)


def ranges_of(model, inputs):
    """Every open extent may be up to twice as large."""
    shapes = {}
    for info in model.graph.input:
        shape = inputs[info.name].shape
        if shape and info.type.tensor_type.shape.dim[0].dim_param:
            shapes[info.name] = [(0 if e == 0 else 1, max(2 * e, 1)) for e in shape]
    return shapes


def check(graph, model, mode):
    """Raises a Finding if Glow's answers are not those of a Builder or Case."""
    inputs = inputs_of(graph, model)
    ranges = ranges_of(model, inputs) if mode == "ranges" else None
    compiled = compile_glow(model, ranges, 2 if mode == "threads" else 1,
                            mode == "bounds")
    if mode == "file":
        compiled = through_file(compiled)
    compare(graph, model, run_glow(compiled, inputs))
    if mode in OPEN:
        check_smaller(graph, model, compiled, 1 if mode == "open" else 2)


def inputs_of(graph, model):
    return {i.name: graph.values[i.name].array for i in model.graph.input}


def compare(graph, model, actual):
    values = graph.values
    makers = {name: node for node in graph.nodes for name in node.output}
    for output in model.graph.output:
        value, node = values[output.name], makers[output.name]
        text = differences(np.asarray(actual[output.name]), value.array,
                           scale_of(node, values), value.is_exact)
        if text and not grows(graph, model, inputs_of(graph, model)):
            raise Finding("wrong", f"{output.name} of {node.op_type}: {text}")


def check_smaller(graph, model, compiled, most):
    """The same program on smaller inputs, if these fit each other."""
    if any(node.domain == "ai.onnx.ml" for node in graph.nodes):
        return  # attributes say how wide inputs are
    case = Case(graph.nodes, graph.values, graph.opset, True)
    for extent in case.extents()[:most]:
        try:
            smaller = case.cut(extent, (extent + 1) // 2)
        except (Discard, KeyError, ValueError):
            continue
        try:
            compare(smaller, model, run_glow(compiled, inputs_of(smaller, model)))
        except Finding as finding:
            # Inputs that ONNX lets broadcast need not do so in a range, and
            # ONNX Runtime does not look at what is multiplied by 0.
            if finding.kind != "unsupported" and "not broadcast" not in str(finding):
                raise


def grows(builder, model, inputs):
    """Whether a difference is the work of small errors before: each node is
    right about the numbers that Glow gives it."""
    if len(builder.nodes) == 1:
        return False
    exposed = [n for node in builder.nodes for n in node.output
               if n and not builder.values[n].is_sequence]
    whole = make_model(builder, list(inputs),
                       [c.name for c in model.graph.initializer], exposed)
    try:
        actual = run_glow(compile_glow(whole), inputs)
    except Finding:
        return False
    values = {n: Value(n, np.asarray(a)) for n, a in actual.items()}
    values.update({n: v for n, v in builder.values.items() if n not in values})
    for node in builder.nodes:
        try:
            expected = evaluate(node, values, builder.opset)
        except Discard:
            return False
        for name, array in zip(node.output, expected):
            if isinstance(array, list):
                values[name] = Value(name, array)
            elif name and differences(values[name].array, array,
                                      scale_of(node, values), False):
                return False
    return True
