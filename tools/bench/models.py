"""Finds what a name on the command line means: a model that test/Models
generates, or a file of the user's with data to run it on.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import hashlib
import json
import pathlib
import shutil

import generate
import numpy as np
import onnx
from compare import is_float, relative_error
from onnx import helper, numpy_helper

# The folder beside a model that holds its inputs, as ONNX lays data out.
DATA_SET = "test_data_set_0"


class Unusable(Exception):
    """The model cannot be measured; the message says why and what to do."""


@dataclasses.dataclass
class Model:
    """A model with its data."""

    name: str
    batch: int
    path: pathlib.Path
    data: pathlib.Path
    ranges: dict = dataclasses.field(default_factory=dict)
    # ranges: {input: "1..8x128"} of inputs with open extents

    def _manifest(self):
        return json.loads((self.data / "manifest.json").read_text())

    def input_files(self):
        return {n: self.data / f for n, f in self._manifest()["inputs"].items()}

    def rounding(self):
        """How far right answers lie apart, as a relative error."""
        return self._manifest().get("rounding", 0)

    def inputs(self):
        return {n: np.load(f) for n, f in self.input_files().items()}


def find(name, batch, folder, shapes):
    """The model of a name, or Unusable.

    `shapes`: {input: extents} for what a file leaves open.
    """
    if name.endswith(".onnx"):
        return _given(pathlib.Path(name), batch, folder, shapes)
    if name not in {*generate.MODELS, "digits"}:
        raise Unusable("no such model: give a name of test/Models/generate.py, "
                       "or a file whose name ends in .onnx")
    try:
        path, _ = generate.generate(name, folder, batch)
    except ImportError as error:
        raise Unusable(f"{type(error).__name__}: {error}") from None
    return Model(name, batch, path, generate.data_folder(name, folder, batch))


def with_ranges(model, asked):
    """The model with ranges for those of its open extents that are asked for.

    `asked`: {name of an extent in the file: (least, largest)}.
    """
    graph = onnx.load(model.path, load_external_data=False).graph
    inputs, found = model.inputs(), {}
    for value in _given_inputs(graph):
        dims = value.type.tensor_type.shape.dim
        names = [d.dim_param if d.dim_param in asked else "" for d in dims]
        extents = inputs[value.name].shape
        for name, extent in zip(names, extents):
            least, largest = asked.get(name, (extent, extent))
            if not least <= extent <= largest:
                raise Unusable(f"{name} is {extent}, outside of --ranges "
                               f"{name}={least}..{largest}")
        if any(names):
            found[value.name] = "x".join(
                "{}..{}".format(*asked[name]) if name else str(extent)
                for name, extent in zip(names, extents))
    return dataclasses.replace(model, ranges=found)


def _given(path, batch, folder, shapes):
    """A file that exists, with inputs and what ONNX Runtime makes of them."""
    try:
        graph = onnx.load(path, load_external_data=False).graph
    except Exception as error:  # whatever protobuf and the system raise
        raise Unusable(f"{type(error).__name__}: {error}") from None
    as_stored = batch == 1 and not shapes
    inputs = _stored_inputs(path, graph) if as_stored else {}
    inputs = inputs or _random_inputs(graph, batch, shapes)
    try:
        expected = generate.run_reference(path, inputs, "ORT_DISABLE_ALL")
        others = generate.run_reference(path, inputs)
    except Exception as error:  # of ONNX Runtime, which has many classes
        raise Unusable(
            f"ONNX Runtime, the reference, does not run it: {error}") from None
    key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    data = folder / "given" / f"{path.stem}-{key}-{batch}"
    shutil.rmtree(data, ignore_errors=True)
    record = {"inputs": generate.save_arrays(data / "inputs", inputs),
              "outputs": generate.save_arrays(data / "expected", expected),
              "rounding": max((relative_error(others[n], expected[n])
                               for n in expected
                               if is_float(expected[n].dtype)), default=0)}
    (data / "manifest.json").write_text(json.dumps(record, indent=2) + "\n")
    return Model(path.stem, batch, path.resolve(), data)


def _given_inputs(graph):
    weights = {t.name for t in graph.initializer}
    return [v for v in graph.input if v.name not in weights]


def _stored_inputs(path, graph):
    """Those of the data set beside the model, or nothing."""
    arrays = {}
    for number, value in enumerate(_given_inputs(graph)):
        file = path.parent / DATA_SET / f"input_{number}.pb"
        if not file.exists():
            return {}
        arrays[value.name] = numpy_helper.to_array(
            onnx.load_tensor(str(file)))
    return arrays


def _random_inputs(graph, batch, shapes):
    """Normally distributed numbers, and indices that every table has."""
    values = {v.name: v for v in _given_inputs(graph)}
    unknown = sorted(set(shapes) - set(values))
    if unknown:
        raise Unusable(f"no input is called {', '.join(unknown)}; its inputs: "
                       f"{', '.join(values)}")
    problems, inputs = [], {}
    rows = _rows_of_tables(graph)
    for number, (name, value) in enumerate(values.items()):
        if not value.type.HasField("tensor_type"):
            problems.append(f"input {name} is no tensor")
            continue
        try:
            shape = _extents(value, batch, shapes.get(name))
        except Unusable as problem:
            problems.append(str(problem))
            continue
        random = np.random.default_rng(number)
        dtype = helper.tensor_dtype_to_np_dtype(
            value.type.tensor_type.elem_type)
        if np.issubdtype(dtype, np.integer):
            inputs[name] = random.integers(
                0, rows.get(name, 2), shape).astype(dtype)
        elif dtype == bool:
            inputs[name] = np.ones(shape, bool)
        elif dtype == object:
            problems.append(f"input {name} is of strings: put data into "
                            f"{DATA_SET} beside the model")
        else:
            inputs[name] = random.standard_normal(
                shape, np.float32).astype(dtype)
    if problems:
        raise Unusable("; ".join(problems))
    return inputs


def _extents(value, batch, asked):
    dims = value.type.tensor_type.shape.dim
    if asked:
        if len(asked) != len(dims):
            raise Unusable(f"--shape gives input {value.name} {len(asked)} "
                           f"axes; it has {len(dims)}")
        return asked
    extents = [d.dim_value for d in dims]
    if extents and not extents[0]:
        extents[0] = batch
    elif batch > 1:
        raise Unusable(f"the batch of input {value.name} is fixed "
                       f"({'x'.join(map(str, extents))}), so {batch} cannot "
                       "be measured")
    if not all(extents):
        open_extents = "x".join(str(e or d.dim_param or "?")
                                for e, d in zip(extents, dims))
        raise Unusable(f"input {value.name} is {open_extents}: say how large "
                       f"with --shape={value.name}=...")
    return extents


def _rows_of_tables(graph):
    """{input that looks up in tables: the rows of the smallest}."""
    tables = {t.name: t.dims for t in graph.initializer}
    rows = {}
    for node in graph.node:
        if node.op_type == "Gather" and node.input[0] in tables:
            axis = next((a.i for a in node.attribute if a.name == "axis"), 0)
            extent = tables[node.input[0]][axis]
            rows[node.input[1]] = min(extent, rows.get(node.input[1], extent))
    return rows
