"""Products and attention of a number of rows that is known at run time only.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import helper
from product_models import attention, float_model, followed_by

import glow

MOST = 34


def product(depth, columns):
    weights = np.random.default_rng(1).standard_normal((depth, columns), "f4")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["s"]),
             helper.make_node("Tanh", ["s"], ["y"])]
    return float_model(nodes, {"x": ["n", depth]}, ["n", columns],
                       {"w": weights / np.float32(depth) ** 0.5})


@pytest.mark.parametrize("depth, columns", [(96, 80), (700, 33), (512, 512)])
@pytest.mark.parametrize("precision, tolerance", [("strict", 1e-5),
                                                  ("bf16", 2e-2)])
@pytest.mark.parametrize("most", [8, MOST])
def test_every_number_of_rows(depth, columns, precision, tolerance, most):
    """Of at most 16, one and up to four have code of their own."""
    model = product(depth, columns)
    bounded = [glow.compile(model.SerializeToString(), threads=threads,
                            precision=precision,
                            shapes={"x": [(1, most), depth]},
                            options={"check-bounds": "1"})
               for threads in (1, 2)]
    rng = np.random.default_rng(2)
    # Numbers of rows before would be seen in what they leave behind.
    for rows in rng.permutation(np.arange(1, most + 1)):
        inputs = {"x": rng.standard_normal((rows, depth), "f4")}
        one, two = (program.run(inputs) for program in bounded)
        check_equal(one, run_onnxruntime(model, inputs), tolerance=tolerance)
        check_equal(two, one, tolerance=0)


FOLLOWERS = {"tanh": [("Tanh", ["y"])], "residual": [("Add", ["y", "z"])],
             "erf": [("Erf", ["y"]), ("Mul", ["0", "y"])]}


@pytest.mark.parametrize("followers", FOLLOWERS)
@pytest.mark.parametrize("precision, tolerance", [("strict", 1e-5),
                                                  ("bf16", 2e-2)])
def test_rows_of_every_number_of_texts(followers, precision, tolerance):
    """Tiles have rows of several texts, and some that are none's."""
    most, depth = (3, 21), 200
    weights = np.random.default_rng(1).standard_normal((depth, depth), "f4")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    shape = ["b", "n", depth]
    model = float_model(followed_by(nodes, FOLLOWERS[followers]),
                        {"x": shape, "z": shape}, shape,
                        {"w": weights / np.float32(depth) ** 0.5})
    names = [i.name for i in model.graph.input]
    ranges = [(1, most[0]), (1, most[1]), depth]
    bounded = [glow.compile(model.SerializeToString(), threads=threads,
                            precision=precision, shapes={n: ranges for n in names},
                            options={"check-bounds": "1", **machine})
               for threads, machine in [(1, {}), (2, {}), (1, {"mcpu": "haswell"})]]
    rng = np.random.default_rng(2)
    spoilt = {name: np.full((*most, depth), np.nan, "f4") for name in names}
    for number in rng.permutation(most[0] * most[1]):
        size = (number % most[0] + 1, number // most[0] + 1, depth)
        inputs = {name: rng.standard_normal(size, "f4") for name in names}
        for program in bounded:
            program.run(spoilt)
        one, two, avx2 = (program.run(inputs) for program in bounded)
        expected = run_onnxruntime(model, inputs)
        check_equal(one, expected, tolerance=tolerance)
        check_equal(two, one, tolerance=0)
        check_equal(avx2, expected, tolerance=tolerance)


@pytest.mark.parametrize("queries", [0, 1, 5])
@pytest.mark.parametrize("precision, tolerance", [("strict", 1e-5),
                                                  ("bf16", 2e-2)])
def test_every_length(queries, precision, tolerance):
    most = 100
    model = attention(queries)
    lengths = (1, most)
    bounded = [glow.compile(model.SerializeToString(), threads=threads,
                            precision=precision,
                            shapes={"x": [2, queries or lengths, 64],
                                    "z": [2, lengths, 64]},
                            options={"check-bounds": "1"})
               for threads in (1, 2)]
    rng = np.random.default_rng(3)
    # All that is not written again holds no number.
    spoilt = {"x": np.full((2, queries or most, 64), np.nan, "f4"),
              "z": np.full((2, most, 64), np.nan, "f4")}
    for length in [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, most]:
        inputs = {"x": rng.standard_normal((2, queries or length, 64), "f4"),
                  "z": rng.standard_normal((2, length, 64), "f4")}
        for program in bounded:
            program.run(spoilt)
        one, two = (program.run(inputs) for program in bounded)
        check_equal(one, run_onnxruntime(model, inputs), tolerance=tolerance)
        check_equal(two, one, tolerance=0)


def test_long_rows_are_scaled_in_place():
    """Threads have parts of each row, of which most begin beyond its end."""
    nodes = [helper.make_node("Exp", ["x"], ["e"]),
             helper.make_node("ReduceSum", ["e", "axis"], ["s"]),
             helper.make_node("Div", ["e", "s"], ["y"])]
    model = float_model(nodes, {"x": [2, "n"]}, [2, "n"],
                        {"axis": np.array([1])})
    for threads in (1, 2):
        bounded = glow.compile(model.SerializeToString(), threads=threads,
                               shapes={"x": [2, (1, 100000)]})
        for length in (10, 100, 1000, 50000):
            x = np.random.default_rng(length).random((2, length), np.float32)
            check_equal(bounded.run({"x": x}),
                        run_onnxruntime(model, {"x": x}), tolerance=1e-5)


def test_many_panels():
    """Each of many products copies columns into the frame, which must not grow:
    the stack ended after 8 MB."""
    nodes = [helper.make_node("MatMul", ["s", "v"], ["y"])]
    model = float_model(nodes, {"s": [2, 12, "n", "n"], "v": [2, 12, "n", 64]},
                        [2, 12, "n", 64], {})
    bounded = glow.compile(model.SerializeToString(), precision="bf16", threads=1,
                           shapes={"s": [2, 12, (1, 677), (1, 677)],
                                   "v": [2, 12, (1, 677), 64]})
    rng = np.random.default_rng(3)
    inputs = {"s": rng.standard_normal((2, 12, 677, 677), "f4"),
              "v": rng.standard_normal((2, 12, 677, 64), "f4")}
    check_equal(bounded.run(inputs), run_onnxruntime(model, inputs), tolerance=2e-2)
