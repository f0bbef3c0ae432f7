"""Runs a graph with Glow and says what is wrong with the outcome.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re

import numpy as np

import glow
from generate import Discard, evaluate, make_model, Value

# What Glow says it does not do. Anything else that it refuses is a finding.
DOCUMENTED = re.compile(
    r"not supported|cannot be compiled for a range of shapes|"
    r"cannot be compiled, as extents are computed from data|"
    r"is not known when the model is compiled|has to be known|must be known|cannot be ordered|"
    r"whose extents are not known|needs known extents|"
    # Extents that meet are taken to be equal in ranges, although one may be 1.
    r"with the other inputs' it must be|cannot have the range")

# Relative to the largest number around.
TOLERANCE = {"float64": 1e-8, "float32": 3e-4, "float16": 2e-2}


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
    them may cancel."""
    scale = 0.0
    for name in node.input:
        array = values[name].array if name else np.zeros(0)
        if array.dtype.kind == "f":
            finite = np.abs(array[np.isfinite(array)].astype(np.float64))
            scale = max(scale, finite.max() if finite.size else 0.0)
    return scale


def run_glow(model, inputs, ranges=None):
    try:
        compiled = glow.compile(model.SerializeToString(), shapes=ranges, threads=1)
        return compiled.run(inputs)
    except glow.GlowError as error:
        text = str(error)
        kind = "unsupported" if DOCUMENTED.search(text) else "rejected"
        raise Finding(kind, text) from error


def ranges_of(model, inputs):
    """Every open extent may be up to twice as large."""
    shapes = {}
    for info in model.graph.input:
        shape = inputs[info.name].shape
        if shape and info.type.tensor_type.shape.dim[0].dim_param:
            shapes[info.name] = [(0 if e == 0 else 1, max(2 * e, 1)) for e in shape]
    return shapes


def check(builder, model, mode):
    """Raises a Finding if Glow's answers are not those of the graph."""
    values = builder.values
    inputs = {i.name: values[i.name].array for i in model.graph.input}
    ranges = ranges_of(model, inputs) if mode == "ranges" else None
    actual = run_glow(model, inputs, ranges)
    makers = {name: node for node in builder.nodes for name in node.output}
    for output in model.graph.output:
        value, node = values[output.name], makers[output.name]
        text = differences(np.asarray(actual[output.name]), value.array,
                           scale_of(node, values), value.is_exact)
        if text and not grows(builder, model, inputs, node):
            raise Finding("wrong", f"{output.name} of {node.op_type}: {text}")


def grows(builder, model, inputs, last):
    """Whether a difference is the work of small errors before: each node is
    right about the numbers that Glow gives it."""
    exposed = [n for node in builder.nodes for n in node.output if n]
    whole = make_model(builder.nodes, builder.values, list(inputs),
                       [c.name for c in model.graph.initializer], exposed)
    if len(builder.nodes) == 1:
        return False
    try:
        actual = run_glow(whole, inputs)
    except Finding:
        return False
    values = {n: Value(n, np.asarray(a)) for n, a in actual.items()}
    values.update({n: v for n, v in builder.values.items() if n not in values})
    for node in builder.nodes:
        try:
            expected = evaluate(node, values)
        except Discard:
            return False
        for name, array in zip(node.output, expected):
            if name and differences(values[name].array, array,
                                    scale_of(node, values), False):
                return False
    return True
