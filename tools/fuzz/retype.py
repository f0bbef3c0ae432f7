#!/usr/bin/env python3
"""Tries every element type that ONNX allows an operator on its conformity tests.

    tools/fuzz/retype.py build/venv/lib/python3*/site-packages/onnx/backend/test/data/node
    tools/fuzz/retype.py FOLDER --only Gather Where --tests 20 --verbose

The tests use few types: of an operator that allows fifteen, often one. For each
type variable of an operator and each type that it may stand for, a test of a
single node is given inputs of that type, and what Glow computes is compared with
ONNX's reference or ONNX Runtime, whichever has the type. Where neither has it,
Glow must still compute something of the right type. A model that ONNX's type
inference rejects is invalid and left out. Prints a line for each type that is
refused or wrong without a reason in EXPLAINED; exit code 1 if there is one.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import collections
import contextlib
import json
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import onnx
import onnx.checker
import onnx.defs
import onnx.reference
import onnx.shape_inference
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import glow

onnxruntime.set_default_logger_severity(4)

# What ONNX's type inference raises.
INVALID = onnx.shape_inference.InferenceError, onnx.checker.ValidationError
# What ONNX calls types in schemas, and in tensors.
NAMES = {"float": "FLOAT", "double": "DOUBLE"}
# Steps of the narrow types are as large as this, relative to a number.
STEPS = {"FLOAT": 1e-4, "DOUBLE": 1e-6, "FLOAT16": 5e-3, "BFLOAT16": 4e-2,
         "FLOAT8E4M3FN": 0.25, "FLOAT8E4M3FNUZ": 0.25, "FLOAT8E5M2": 0.5,
         "FLOAT8E5M2FNUZ": 0.5, "FLOAT8E8M0": 1.0, "FLOAT4E2M1": 0.6}
# These compute with random numbers: only types and shapes are compared.
RANDOM = {"Bernoulli", "Dropout"}
# Their integers may be rounded to either side.
QUANTISING = {"QLinearConv", "QLinearMatMul", "QuantizeLinear"}
# (operator, type): why it is refused, or differs.
EXPLAINED = {
    ("Col2Im", "STRING"): "strings have no sum",
    ("GridSample", "STRING"): "there is nothing between two strings",
    ("Resize", "STRING"): "there is nothing between two strings",
    ("TfIdfVectorizer", "STRING"): "the test's attribute has numbers to look for",
}
# Integers that fit into each type, so that no conversion wraps.
RANGES = {"UINT2": (0, 3), "INT2": (-2, 1), "UINT4": (0, 15), "INT4": (-8, 7)}


def tensor_type(name):
    """The number of "tensor(float)", or None if it is no tensor."""
    if not name.startswith("tensor("):
        return None
    inner = name[len("tensor("):-1]
    return TensorProto.DataType.Value(NAMES.get(inner, inner.upper()))


def name_of(number):
    return TensorProto.DataType.Name(number)


def countable(array):
    """Numbers that every type has: nothing says what becomes of others."""
    if array.dtype == object:
        return array
    numbers = np.nan_to_num(array.astype(np.float64), posinf=9, neginf=9)
    return np.abs(numbers).astype(array.dtype)


def converted(array, number):
    """An array of the type that is like another one."""
    array = np.asarray(array)
    name = name_of(number)
    if name == "STRING":
        return np.array([str(x) for x in array.ravel()],
                        object).reshape(array.shape)
    if array.dtype == object:  # strings, one number for each
        names = sorted(set(array.ravel().tolist()))
        array = np.array([names.index(s) for s in array.ravel()]).reshape(array.shape)
    to = helper.tensor_dtype_to_np_dtype(number)
    if name == "BOOL":
        return np.asarray(array.astype(np.float64) > 0)
    if name in STEPS or name.startswith("COMPLEX"):
        with np.errstate(all="ignore"):
            return array.astype(np.float64).astype(to)
    low, high = RANGES.get(name) or (np.iinfo(to).min, np.iinfo(to).max)
    values = np.nan_to_num(np.rint(array.astype(np.float64)), posinf=9, neginf=-9)
    return np.clip(values, max(low, -1e6), min(high, 1e6)).astype(np.int64).astype(to)


class Test:
    """One folder of the suite whose model is a single node."""

    def __init__(self, folder):
        self.name = folder.name
        self.model = onnx.load(folder / "model.onnx")
        graph = self.model.graph
        self.usable = (len(graph.node) == 1 and not graph.initializer and all(
            i.type.HasField("tensor_type") for i in [*graph.input, *graph.output]))
        if not self.usable:
            return
        self.node = graph.node[0]
        versions = {o.domain: o.version for o in self.model.opset_import}
        self.schema = onnx.defs.get_schema(
            self.node.op_type, versions[self.node.domain], self.node.domain)
        formals = self.schema.inputs
        self.zero_points = {name for i, name in enumerate(self.node.input)
                            if formals[min(i, len(formals) - 1)].name.endswith("zero_point")}
        data = folder / "test_data_set_0"
        self.inputs = {}
        for i, info in enumerate(graph.input):
            tensor = TensorProto.FromString((data / f"input_{i}.pb").read_bytes())
            self.inputs[info.name] = numpy_helper.to_array(tensor)
            if self.node.op_type == "CastLike":
                self.inputs[info.name] = countable(self.inputs[info.name])

    def operator(self):
        """With its domain, unless that is ONNX's own."""
        return "::".join(filter(None, [self.node.domain, self.node.op_type]))

    def variables(self):
        """{type variable: the names of the values that it stands for}"""
        result = collections.defaultdict(set)
        for names, formals in ((self.node.input, self.schema.inputs),
                               (self.node.output, self.schema.outputs)):
            for i, name in enumerate(names):
                formal = formals[min(i, len(formals) - 1)]
                if name and formal.is_homogeneous:
                    result[formal.type_str].add(name)
        return result

    def with_type(self, names, number):
        """The model and its inputs, the values of these names of that type. Raises
        one of INVALID if the model is invalid."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        graph = model.graph
        for info in [*graph.input, *graph.output]:
            if info.name in names:
                info.type.tensor_type.elem_type = number
        inferred = onnx.shape_inference.infer_node_outputs(
            self.schema, self.node, {i.name: i.type for i in graph.input},
            opset_imports=model.opset_import, ir_version=model.ir_version)
        for info in graph.output:
            element = inferred[info.name].tensor_type.elem_type
            if element:
                info.type.tensor_type.elem_type = element
        inputs = dict(self.inputs)
        for name in names & set(inputs):
            if name in self.zero_points and name_of(number) in STEPS:
                inputs[name] = np.zeros_like(inputs[name])
            inputs[name] = converted(inputs[name], number)
        return model, inputs


def reference(model, inputs):
    """(whose, {output: array}); (None, None) if nobody computes it."""
    names = [o.name for o in model.graph.output]
    with warnings.catch_warnings(), contextlib.suppress(Exception), \
            np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
        if types_match(model, found):
            return "reference", dict(zip(names, found))
    with contextlib.suppress(Exception):
        session = onnxruntime.InferenceSession(model.SerializeToString())
        return "onnxruntime", dict(zip(names, session.run(None, inputs)))
    return None, None


def types_match(model, values):
    return all(
        np.asarray(v).dtype == helper.tensor_dtype_to_np_dtype(
            o.type.tensor_type.elem_type)
        for o, v in zip(model.graph.output, values)
        if o.type.tensor_type.elem_type != TensorProto.STRING)


def is_close(actual, expected, name, slack, step):
    """Where two arrays of this element type are the same."""
    if name == "STRING":
        # NumPy fills arrays of strings with the number 0.
        texts = [s if isinstance(s, str) else "" for s in expected.ravel()]
        return actual == np.array(texts, object).reshape(expected.shape)
    if name.startswith("COMPLEX"):
        return np.isclose(actual, expected, 1e-5, 1e-5, equal_nan=True)
    if name in STEPS:
        a, e = actual.astype(np.float64), expected.astype(np.float64)
        finite = np.abs(e[np.isfinite(e)])
        scale = finite.max() if finite.size else 1.0
        with np.errstate(all="ignore"):
            return np.isclose(a, e, step, step * scale, equal_nan=True)
    if name == "BOOL":
        return actual == expected
    return np.abs(actual.astype(object) - expected.astype(object)) <= slack


def difference(actual, expected, name, operator, given):
    """What differs, or None; `given` is the type that the test was given."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, not {expected.shape}"
    if name != "STRING" and actual.dtype != expected.dtype:
        return f"type {actual.dtype}, not {expected.dtype}"
    if operator in RANDOM:
        return None
    same = is_close(actual, expected, name, int(operator in QUANTISING),
                    max(STEPS.get(name, 0), STEPS.get(given, 0)))
    if np.all(same):
        return None
    at = tuple(int(i) for i in np.argwhere(~same.astype(bool))[0])
    return (f"{int(np.sum(~same.astype(bool)))} of {same.size} elements, at {at}: "
            f"{actual[at]!r}, not {expected[at]!r}")


def run(model, inputs, names, target):
    """What Glow computes. In a library all inputs but these are constants, or all
    if shapes depend on these too."""
    if target != "library":
        return glow.compile(model.SerializeToString(), threads=1,
                            target=target).run(inputs)
    fixed = onnx.ModelProto()
    fixed.CopyFrom(model)
    for info in model.graph.input:
        if info.name not in names:
            fixed.graph.input.remove(info)
            fixed.graph.initializer.append(
                numpy_helper.from_array(inputs[info.name], info.name))
    with tempfile.TemporaryDirectory() as folder:
        library = folder + "/model.so"
        try:
            glow.compile(fixed.SerializeToString(), threads=1).save(library)
        except glow.GlowError as error:
            if not names or "cannot be saved" not in str(error):
                raise
            return run(model, inputs, set(), target)
        return glow.load(library, threads=1).run(
            {i.name: inputs[i.name] for i in fixed.graph.input})


def attempt(test, names, number, target):
    """(kind, text): "same", "alone" without a reference, "invalid", or what is
    wrong."""
    operator = test.node.op_type
    try:
        model, inputs = test.with_type(names, number)
    except INVALID as error:
        return "invalid", str(error)
    whose, expected = reference(model, inputs)
    try:
        actual = run(model, inputs, names, target)
    except glow.GlowError as error:
        return "refused", f"{whose or 'nobody'} computes it: {error}"
    if whose is None:
        return "alone", ""
    for info in model.graph.output:
        text = difference(actual[info.name], expected[info.name],
                          name_of(info.type.tensor_type.elem_type), operator,
                          name_of(number))
        if text:
            return "wrong", f"{whose}: {info.name}: {text}"
    return "same", ""


def tests_of(options):
    """The tests of a single node in the folders."""
    for folder in sorted(f for top in options.folder for f in top.iterdir()):
        if (folder / "model.onnx").exists():
            test = Test(folder)
            if test.usable and (not options.only or test.node.op_type in options.only):
                yield test


def cases_of(options):
    """(test, type variable, its names, type number), `--tests` of each type."""
    tried = collections.Counter()
    for test in tests_of(options):
        allowed = {c.type_param_str: c.allowed_type_strs
                   for c in test.schema.type_constraints}
        for variable, names in sorted(test.variables().items()):
            if not names & set(test.inputs):
                continue
            for number in filter(None, map(tensor_type, allowed.get(variable, ()))):
                key = test.node.domain, test.node.op_type, variable, number
                tried[key] += 1
                if tried[key] <= options.tests:
                    yield test, variable, names, number


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", nargs="+", metavar="OPERATOR", default=[])
    parser.add_argument("--tests", type=int, default=1,
                        help="how many tests of an operator get each type")
    parser.add_argument("--target", default="cpu",
                        help="interpret, or library: saved and loaded again")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()

    results = []
    for test, variable, names, number in cases_of(options):
        operator, element = test.operator(), name_of(number)
        kind, text = attempt(test, names, number, options.target)
        if kind in ("refused", "wrong") and (operator, element) in EXPLAINED:
            kind, text = "explained", EXPLAINED[operator, element]
        results.append({"operator": operator, "variable": variable, "type": element,
                        "test": test.name, "kind": kind, "text": text})
        if options.verbose or kind in ("refused", "wrong"):
            print(f"{kind}: {operator} {variable} = {element} ({test.name}): "
                  f"{text[:300]}", flush=True)
    kinds = collections.Counter(r["kind"] for r in results)
    print(f"{len(results)} types of {len({r['operator'] for r in results})} operators: "
          + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 1 if kinds["refused"] or kinds["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
