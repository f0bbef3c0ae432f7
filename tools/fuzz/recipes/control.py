"""Recipes for graphs in attributes: If, Loop and Scan.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.helper

from generate import Discard, info
from recipes.registry import ALL, recipe


def graph(name, nodes, inputs, outputs):
    return onnx.helper.make_graph(
        nodes, name, [info(v.name, v.array) for v in inputs],
        [onnx.helper.make_tensor_value_info(
            v.name, info(v.name, v.array).type.tensor_type.elem_type, None)
         for v in outputs])


def step(b, x):
    """A value of the same type and shape, from `x` and others."""
    if x.dtype == "bool":
        return b.node(b.choose(["And", "Or", "Xor"]), [x, b.like(x, broadcast=False)],
                      rounds=False)
    if x.array.dtype.kind == "f" and b.chance(0.4):
        return b.node(b.choose(["Tanh", "Sigmoid", "Softsign"]), [x])
    if x.dtype in ("float32", "float64", "float16", "int32", "int64"):
        result = b.node(b.choose(["Add", "Sub", "Min", "Max"]), [x, b.like(x)])
    else:
        result = b.node("Identity", [x], rounds=False)
    if result.shape != x.shape:
        raise Discard("the other operand was larger")
    return result


@recipe(weight=2)
def If(b, op):
    x = b.tensor(ALL)
    condition = b.new("bool", b.choose([(), (), (1,)]))
    with b.body() as then_nodes:
        then = step(b, x)
        if b.chance(0.3):
            then = step(b, then)
    with b.body() as else_nodes:
        if b.chance(0.5):
            other = step(b, x)
        else:
            shape = list(x.shape)
            if shape and b.chance(0.3):
                shape[b.rng.randrange(len(shape))] = b.extent()
            other = b.node("Identity", [b.new(x.dtype, tuple(shape))], rounds=False)
    b.node("If", [condition], then_branch=graph("then", then_nodes, [], [then]),
           else_branch=graph("else", else_nodes, [], [other]))


@recipe(weight=2)
def Loop(b, op):
    state = b.tensor(["float32", "float32", "int64", "float64"],
                     test=lambda v: v.array.size < 500)
    # A long one is not written out, nor is one that only data ends.
    count = (b.rng.randint(33, 50) if b.chance(0.2) else
             b.rng.randint(0 if b.chance(0.2) else 1, 5))
    trips = b.add(np.array(count, np.int64), constant=b.chance(0.8))
    is_open = b.chance(0.2)
    with b.body() as nodes:
        number, goes_on = b.local(np.array(0, np.int64)), b.local(np.array(True))
        carried = b.local(state.array)
        result = step(b, carried)
        if b.chance(0.4):
            by = b.node("Cast", [number], to=onnx.helper.np_dtype_to_tensor_dtype(
                np.dtype(state.dtype)))
            result = b.node("Add", [result, by])
        scanned = []
        if b.chance(0.5) and not is_open:
            scanned.append(step(b, result) if b.chance(0.5) else b.node(
                "Identity", [b.choose([result, carried, number])]))
        if is_open:
            condition = b.node("Less", [number, trips], rounds=False)
        elif b.chance(0.3):
            last = b.constant(np.array(b.rng.randint(0, 4)))
            condition = b.node("Less", [number, last], rounds=False)
        else:
            condition = b.node("Identity", [goes_on], rounds=False)
    given = None if b.chance(0.6) else b.new("bool", (), constant=b.chance(0.5))
    runs = count > 0 and (given is None or given.array)
    if scanned and not runs:
        raise Discard("the extents of what is never computed are those of the body")
    b.node("Loop", [None if is_open else trips, given, state], outputs=1 + len(scanned),
           body=graph("body", nodes, [number, goes_on, carried],
                      [condition, result, *scanned]))


@recipe()
def Scan(b, op):
    listed = b.tensor(["float32", "float32", "int64"], least=1,
                      test=lambda v: v.shape[0] > 0 and v.array.size < 500)
    shape = listed.shape[1:]
    state = b.new(listed.dtype, shape)
    with b.body() as nodes:
        carried, element = b.local(state.array), b.local(listed.array[0])
        result = b.node(b.choose(["Add", "Sub", "Max"]), [carried, element])
        if b.chance(0.5):
            result = step(b, result)
        scanned = step(b, result) if b.chance(0.5) else b.node("Identity", [result])
    attributes = b.attributes(scan_input_directions=[b.rng.randint(0, 1)])
    if b.chance(0.3):
        attributes["scan_output_directions"] = [b.rng.randint(0, 1)]
    b.node("Scan", [state, listed], outputs=2, num_scan_inputs=1, **attributes,
           body=graph("body", nodes, [carried, element], [result, scanned]))
