"""Strassen's algorithm where the number of rows is known at run time only.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import itertools

import numpy as np
import onnx
import pytest
from backends import WITHOUT_TILES, run_onnxruntime, without_tiles
from compare import check_equal
from onnx import helper
from plain_c import call
from product_models import float_model, followed_by
from test_strassen import MACHINES, MANY_REGISTERS

import glow

BIAS = ("Add", ["y", "bias"])
RESIDUAL = [BIAS, ("Add", ["0", "residual"])]

# The rows of the left-hand side, its depth, columns, and the nodes behind the
# product "y". An extent is a number or the largest one of a range.
CASES = {
    "rows": ([("n", 300)], 512, 1024, []),
    "odd-bound": ([("n", 133)], 512, 1024, RESIDUAL),
    "relu": ([("n", 200)], 512, 512, [BIAS, ("Relu", ["0"])]),
    "erf": ([("n", 150)], 520, 1056, [BIAS, ("Erf", ["0"])]),
    "rest-of-columns": ([("n", 140)], 512, 1575, RESIDUAL),
    "deep": ([("n", 130)], 2056, 1024, [("Mul", ["y", "one"])]),
    "texts": ([("b", 3), ("n", 150)], 512, 1024, RESIDUAL),
    "odd-texts": ([("b", 2), ("n", 129)], 768, 768, [("Add", ["y", "wide"])]),
    "batch": ([("b", 3), 197], 512, 1024, RESIDUAL),
    "two-texts": ([2, ("n", 140)], 512, 512, [BIAS, ("Relu", ["0"])]),
}
LENGTHS = [1, 2, 17, 31, 32, 33, 64, 65, 100, 127, 129, 150, 197]


def most(extent):
    return extent[1] if isinstance(extent, tuple) else extent


def model_of(rows, depth, columns, nodes):
    rng = np.random.default_rng(7)
    names = [extent[0] if isinstance(extent, tuple) else extent for extent in rows]
    constants = {
        "w": rng.standard_normal((depth, columns), np.float32) / 16,
        "bias": rng.standard_normal(columns, np.float32),
        "one": rng.standard_normal(1, np.float32),
        "wide": rng.standard_normal((1, 1, columns), np.float32)}
    product = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    return float_model(followed_by(product, nodes),
                       {"x": [*names, depth], "residual": [*names, columns]},
                       [*names, columns], constants)


def ranges_of(model, rows, least=1):
    extents = [(least, most(e)) if isinstance(e, tuple) else e for e in rows]
    return {i.name: [*extents, i.type.tensor_type.shape.dim[-1].dim_value]
            for i in model.graph.input}


def inputs_of(model, rows, seed=3):
    rng = np.random.default_rng(seed)
    return {i.name: rng.standard_normal(
        (*rows, i.type.tensor_type.shape.dim[-1].dim_value), np.float32)
        for i in model.graph.input}


def sizes(rows, count):
    """As many, of those that there may be, in no order."""
    choices = []
    for extent in rows:
        largest = most(extent)
        if not isinstance(extent, tuple):
            choices.append([extent])
        elif largest < 10:
            choices.append(range(1, largest + 1))
        else:
            choices.append([n for n in [*LENGTHS, largest - 1, largest]
                            if n <= largest])
    all_sizes = list(itertools.product(*choices))
    return [all_sizes[i] for i in
            np.random.default_rng(4).permutation(len(all_sizes))[:count]]


def compile_model(model, rows, threads=None, **machine):
    return glow.compile(model.SerializeToString(), shapes=ranges_of(model, rows),
                        threads=threads, options={"check-bounds": "1", **WITHOUT_TILES, **machine})


@pytest.mark.parametrize("name, machine", [
    *((name, "native") for name in CASES),
    *itertools.product(["odd-bound", "rest-of-columns", "odd-texts", "batch"],
                       [machine for machine in MACHINES if machine != "native"])])
def test_every_number_of_rows(name, machine):
    """What a run leaves behind is seen by none after it, nor are threads."""
    rows, depth, columns, nodes = CASES[name]
    model = model_of(rows, depth, columns, nodes)
    one, two = (compile_model(model, rows, threads=n, **MACHINES[machine])
                for n in (1, 2))
    largest = [most(extent) for extent in rows]
    spoilt = {name: np.full_like(value, np.nan)
              for name, value in inputs_of(model, largest).items()}
    for size in sizes(rows, 20 if machine == "native" else 8):
        inputs = inputs_of(model, size)
        one.run(spoilt)
        actual = one.run(inputs)
        check_equal(actual, run_onnxruntime(model, inputs), tolerance=6e-6)
        check_equal(two.run(inputs), actual, tolerance=0)


@pytest.mark.parametrize("count", [40, 64, 65])
def test_rows_of_a_part(count):
    """Rows behind the part are written by none, whatever was there before."""
    constants = {"w": np.random.default_rng(7).standard_normal((512, 512), "f4"),
                 "start": np.array([0]), "end": np.array([-1]), "axis": np.array([0])}
    nodes = [helper.make_node("Slice", ["x", "start", "end", "axis"], ["s"]),
             helper.make_node("Tanh", ["s"], ["t"]),
             helper.make_node("MatMul", ["t", "w"], ["y"])]
    model = float_model(nodes, {"x": ["n", 512]}, ["m", 512], constants)
    program = glow.compile(model.SerializeToString(), shapes={"x": [(4, 200), 512]},
                           options=WITHOUT_TILES)
    rng = np.random.default_rng(8)
    inputs = {"x": rng.standard_normal((count, 512), "f4")}
    results = []
    for before in (np.nan, 1, 1e30):
        program.run({"x": np.full((200, 512), before, "f4")})
        results.append(program.run(inputs))
    check_equal(results[0], run_onnxruntime(model, inputs), tolerance=6e-6)
    for other in results[1:]:
        check_equal(other, results[0], tolerance=0)


def instructions(model, rows, bin_dir, tmp_path, *options, least=1):
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    shapes = []
    for name, extents in ranges_of(model, rows, least).items():
        text = "x".join(f"{e[0]}..{e[1]}" if isinstance(e, tuple) else str(e)
                        for e in extents)
        shapes += ["--shape", f"{name}={text}"]
    return call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "-o", "-", MANY_REGISTERS,
                *without_tiles(), *shapes, *options)


@pytest.mark.parametrize("name", CASES)
def test_there_are_seven(name, bin_dir, tmp_path):
    rows, depth, columns, nodes = CASES[name]
    model = model_of(rows, depth, columns, nodes)
    text = instructions(model, rows, bin_dir, tmp_path, "--machine=l2=1M")
    assert b": memref<7x" in text
    strict = instructions(model, rows, bin_dir, tmp_path, "--precision=strict")
    assert b": memref<7x" not in strict


def test_short_texts_stay_a_product(bin_dir, tmp_path):
    rows = [("b", 64), ("n", 60)]
    model = model_of(rows, 512, 1024, [])
    assert b": memref<7x" not in instructions(model, rows, bin_dir, tmp_path)


def test_long_texts_alone(bin_dir, tmp_path):
    """Nothing is prepared for fewer rows than there can be."""
    rows = [("n", 300)]
    model = model_of(rows, 512, 1024, [])
    texts = [instructions(model, rows, bin_dir, tmp_path, least=n)
             for n in (31, 32)]
    assert [b"memref<2x1x32x512xf32" in text for text in texts] == [True, False]


@pytest.mark.parametrize("rows", [20, 40, 129])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite(rows, value):
    case = CASES["rows"]
    model = model_of(*case)
    program = compile_model(model, case[0])
    inputs = inputs_of(model, [rows])
    clean = program.run(inputs)["y"]
    inputs["x"][[5, rows - 1], 3] = value
    actual = program.run(inputs)["y"]
    assert not np.isfinite(actual[[5, rows - 1]]).any()
    good = np.setdiff1d(np.arange(rows), [5, rows - 1])
    np.testing.assert_allclose(actual[good], clean[good], atol=1e-5)


@pytest.mark.parametrize("rows", [20, 40, 129])
def test_large_inputs_of_small_weights(rows):
    """Features of a thousand times the size of others, and weights that make up
    for it."""
    case = CASES["rows"]
    model = model_of(*case)
    factors = (10.0 ** np.random.default_rng(1).uniform(-3, 3, 512)).astype("f4")
    weights = next(i for i in model.graph.initializer if i.name == "w")
    scaled = onnx.numpy_helper.to_array(weights) / factors[:, None]
    weights.CopyFrom(onnx.numpy_helper.from_array(scaled, "w"))
    inputs = inputs_of(model, [rows])
    inputs["x"] *= factors
    actual = compile_model(model, case[0]).run(inputs)["y"]
    expected = inputs["x"].astype("f8") @ scaled.astype("f8")
    error = np.sqrt(np.mean((actual - expected) ** 2) / np.mean(expected ** 2))
    assert error < 6e-7
