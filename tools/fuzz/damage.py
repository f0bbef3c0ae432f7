#!/usr/bin/env python3
"""Damages models and feeds them numbers that they do not expect.

    tools/fuzz/damage.py build/venv/lib/python3*/site-packages/onnx/backend/test/data/node
    tools/fuzz/damage.py FOLDER --seed 17 --count 1     # one of them again
    tools/fuzz/damage.py FOLDER --only resize --minutes 10

Each seed takes one test of FOLDER, changes ranks, types, attributes, inputs or
the operator set of its model, or the values of its inputs, and compiles and runs
it with every access of kernels checked. Glow may compute something or refuse
with an error; a crash, a hang, memory beyond 8 GB or an error without a word on
where it is from is a finding. Exit code 1 if there is one.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import sys
import time

import numpy as np
import onnx
import onnx.numpy_helper
from run import Worker, add_options, answers, chosen_seeds

MEMORY = 8 << 30
NUMBERS = [0, 1, -1, 2, 3, -7, 1000, 2**31, -2**31, 2**62, -2**63, 2**63 - 1]
FLOATS = [0.0, -1.0, 1e-30, 1e30, float("inf"), float("-inf"), float("nan")]
PLACES = ("loc(\"", "node '", "input", "output", "model", "memory")
FINDINGS = ("crash", "timeout", "unclear")
TYPES = [onnx.TensorProto.DataType.Value(n) for n in (
    "FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT8", "INT32", "INT64", "UINT8",
    "UINT64", "BOOL", "STRING", "INT4", "FLOAT8E4M3FN", "COMPLEX64")]


# -- Damages. Each changes a model in place; the name goes into the report.

def change_attribute(model, rng):
    node = rng.choice(model.graph.node)
    if not node.attribute:
        return
    attribute = rng.choice(node.attribute)
    if attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice(NUMBERS)
    elif attribute.type == onnx.AttributeProto.FLOAT:
        attribute.f = rng.choice(FLOATS)
    elif attribute.type == onnx.AttributeProto.STRING:
        attribute.s = rng.choice([b"", b"nonsense", b"\xff\xfe", attribute.s.lower()])
    elif attribute.type == onnx.AttributeProto.INTS:
        values = list(attribute.ints)
        change_list(values, rng, NUMBERS)
        attribute.ints[:] = values
    elif attribute.type == onnx.AttributeProto.FLOATS:
        values = list(attribute.floats)
        change_list(values, rng, FLOATS)
        attribute.floats[:] = values
    else:
        node.attribute.remove(attribute)


def change_list(values, rng, others):
    if values and rng.random() < 0.6:
        values[rng.randrange(len(values))] = rng.choice(others)
    elif values and rng.random() < 0.5:
        values.pop()
    else:
        values.append(rng.choice(others))


def drop_attribute(model, rng):
    node = rng.choice(model.graph.node)
    if node.attribute:
        del node.attribute[rng.randrange(len(node.attribute))]


def change_attribute_type(model, rng):
    node = rng.choice(model.graph.node)
    if node.attribute:
        attribute = rng.choice(node.attribute)
        other = onnx.helper.make_attribute(
            attribute.name, rng.choice([1, 1.5, "text", [1, 2], [0.5]]))
        attribute.CopyFrom(other)


def drop_input(model, rng):
    node = rng.choice(model.graph.node)
    if node.input:
        node.input[rng.randrange(len(node.input))] = ""


def swap_inputs(model, rng):
    node = rng.choice(model.graph.node)
    if len(node.input) > 1:
        i, j = rng.sample(range(len(node.input)), 2)
        node.input[i], node.input[j] = node.input[j], node.input[i]


def add_input(model, rng):
    node = rng.choice(model.graph.node)
    if node.input:
        node.input.append(rng.choice(node.input))


def change_outputs(model, rng):
    node = rng.choice(model.graph.node)
    if len(node.output) > 1 and rng.random() < 0.5:
        node.output.pop()
    else:
        node.output.append(f"more{len(node.output)}")


def change_operator_set(model, rng):
    rng.choice(model.opset_import).version = rng.choice([1, 6, 9, 11, 13, 18, 24, 27])


def tensors(model):
    return [i for i in model.graph.input if i.type.HasField("tensor_type")]


def change_rank(model, rng):
    inputs = tensors(model)
    if not inputs:
        return
    shape = rng.choice(inputs).type.tensor_type.shape
    if shape.dim and rng.random() < 0.5:
        del shape.dim[rng.randrange(len(shape.dim))]
    else:
        shape.dim.add(dim_value=rng.choice([1, 2, 3]))


def change_extent(model, rng):
    inputs = [i for i in tensors(model) if i.type.tensor_type.shape.dim]
    if inputs:
        dim = rng.choice(rng.choice(inputs).type.tensor_type.shape.dim)
        dim.dim_value = rng.choice([0, 1, 2, 7, 2**20, 2**31, 2**62])


def open_extent(model, rng):
    inputs = [i for i in tensors(model) if i.type.tensor_type.shape.dim]
    if inputs:
        rng.choice(rng.choice(inputs).type.tensor_type.shape.dim).dim_param = "open"


def change_type(model, rng):
    inputs = tensors(model)
    if inputs:
        rng.choice(inputs).type.tensor_type.elem_type = rng.choice(TYPES)


DAMAGES = [change_attribute] * 4 + [
    drop_attribute, change_attribute_type, drop_input, swap_inputs, add_input,
    change_outputs, change_operator_set, change_rank, change_rank, change_extent,
    open_extent, change_type, change_type]


def change_values(arrays, rng):
    """Other numbers in one place, or everywhere, of one input."""
    numeric = [n for n, a in arrays.items() if a.dtype.kind in "fiu" and a.size]
    if not numeric:
        return "nothing"
    name = rng.choice(numeric)
    array = arrays[name] = arrays[name].copy()
    if array.dtype.kind == "f":
        value = rng.choice(FLOATS)
    else:
        limits = np.iinfo(array.dtype)
        value = min(max(rng.choice(NUMBERS), limits.min), limits.max)
    with np.errstate(all="ignore"):
        if rng.random() < 0.3:
            array[...] = value
        else:
            array.flat[rng.randrange(array.size)] = value
    return f"{value} in {name}"


# -- One seed.

def read_inputs(folder, model):
    """The arrays of the first data set, None if they are not all tensors."""
    arrays = {}
    for i, info in enumerate(tensors(model)):
        path = folder / "test_data_set_0" / f"input_{i}.pb"
        if len(tensors(model)) != len(model.graph.input) or not path.exists():
            return None
        tensor = onnx.TensorProto.FromString(path.read_bytes())
        arrays[info.name] = onnx.numpy_helper.to_array(tensor)
    return arrays


def fitted(arrays, model, rng):
    """The same with the shapes that the model now states, None where no memory
    should go into that."""
    for info in tensors(model):
        dims = [d.dim_value if d.HasField("dim_value") else 3
                for d in info.type.tensor_type.shape.dim]
        if info.name not in arrays or np.prod([max(float(d), 1) for d in dims]) > 1e6:
            return None
        array = arrays[info.name]
        if list(array.shape) != dims and info.type.tensor_type.HasField("shape"):
            arrays[info.name] = np.resize(array, dims) if array.size else np.zeros(
                dims, array.dtype)
    return arrays


def damaged(seed, folders):
    """A model, its inputs or None, and what was done to them."""
    rng = random.Random(seed)
    folder = rng.choice(folders)
    model = onnx.load(folder / "model.onnx")
    arrays = read_inputs(folder, model)
    steps = []
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        damage = rng.choice(DAMAGES)
        damage(model, rng)
        steps.append(damage.__name__)
    if arrays:
        arrays = fitted(arrays, model, rng)
    if arrays and (not steps or rng.random() < 0.3):
        steps.append(change_values(arrays, rng))
    return model, arrays, f"{folder.name}: {', '.join(steps)}"


def attempt(seed, folders):
    """{"seed", "kind", "text"}; kind is "ran", "compiled" or "refused" if all is
    well."""
    import glow
    model, arrays, _ = damaged(seed, folders)
    answer = {"seed": seed, "kind": "compiled", "text": ""}
    try:
        compiled = glow.compile(model.SerializeToString(), threads=1,
                                options={"check-bounds": "1"})
        if arrays:
            compiled.run(arrays)
            answer["kind"] = "ran"
    except glow.GlowError as error:
        answer.update(kind="refused", text=str(error)[:2000])
        # From where: a node, an input, an output; or the model as a whole.
        if not any(word in str(error) for word in PLACES):
            answer["kind"] = "unclear"
    except (TypeError, ValueError) as error:  # from the arguments of run()
        answer.update(kind="refused", text=repr(error)[:2000])
    return answer


def work(folders):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in sys.stdin:
        print(json.dumps(attempt(int(line), folders)), flush=True)


# -- All seeds.

def search(options, folders):
    workers = [Worker("damage.py", str(options.folder), "--work", "--only", options.only)
               for _ in range(options.workers)]
    kinds, start = collections.Counter(), time.monotonic()
    try:
        for answer in answers(chosen_seeds(options), workers, options.timeout):
            kinds[answer["kind"]] += 1
            if answer["kind"] in FINDINGS or options.verbose:
                text = " ".join(answer["text"].split())
                what = damaged(answer["seed"], folders)[2]
                print(f"{answer['kind']} (seed {answer['seed']}) {what}: {text[-600:]}",
                      flush=True)
    finally:
        for worker in workers:
            worker.stop()
    seconds = time.monotonic() - start
    print(f"{sum(kinds.values())} models in {seconds:.0f} s: "
          + ", ".join(f"{n} {k}" for k, n in kinds.most_common()))
    return 1 if any(kinds[kind] for kind in FINDINGS) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="of tests in ONNX's form")
    add_options(parser, "model")
    parser.add_argument("--only", default="", help="tests whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="print all answers")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folders = sorted(f.parent for f in options.folder.glob("*/model.onnx")
                     if options.only in f.parent.name)
    if not folders:
        parser.error(f"{options.folder} has no tests of this name")
    return work(folders) if options.work else search(options, folders)


if __name__ == "__main__":
    sys.exit(main())
