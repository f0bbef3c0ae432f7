"""Strassen's algorithm: seven products of quarters for eight.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
import re

import numpy as np
import onnx
import pytest
from backends import WITHOUT_TILES, without_tiles
from cpu_code import check_cpu_code, random_inputs
from onnx import helper
from plain_c import call
from product_models import float_model, followed_by

import glow

# With a small cache there are several blocks of rows.
MACHINES = {"native": {}, "blocks": {"machine": "l2=512K"},
            "groups": {"machine": "l2=512K,l3=1M"},
            "avx2": {"mcpu": "haswell"}}
# With 16 of them, products stay whole.
MANY_REGISTERS = "--mcpu=znver4"

# Shape of the left-hand side, columns, and the nodes behind the product "y".
BIAS = ("Add", ["y", "bias"])
CASES = {
    "plain": ((128, 512), 1024, []),
    "bias": ((128, 512), 1024, [BIAS, ("Relu", ["0"])]),
    "residual": ((160, 512), 1024, [BIAS, ("Add", ["0", "residual"])]),
    "scaled": ((128, 512), 1024, [("Mul", ["y", "one"])]),
    "odd-rows": ((197, 512), 1024, [BIAS, ("Add", ["0", "residual"])]),
    "last-row-alone": ((203, 520), 1024, [BIAS]),
    "rest-of-columns": ((128, 512), 1575, [BIAS, ("Add", ["0", "residual"])]),
    "batches": ((3, 60, 512), 1024, [BIAS, ("Sigmoid", ["0"])]),
    "deep": ((130, 2056), 1024, [("Add", ["y", "residual"])]),
    "square": ((512, 512), 512, [("Add", ["y", "x"])]),
    "odd-batches": ((3, 67, 512), 1056, [BIAS, ("Add", ["0", "residual"])]),
    "rest-scaled": ((131, 512), 1062, [("Mul", ["y", "one"])]),
    "wide-bias": ((2, 64, 512), 1024, [("Add", ["y", "wide"])]),
}
# Root of the mean square error, relative to the results' own. One sum of
# multiply-adds has 4e-7 at a depth of 512.
LIMIT = 5e-7


def rms(values):
    return np.sqrt(np.mean(np.square(values, dtype=np.float64), axis=-1))


def model_of(rows, columns, nodes, weights=None):
    rng = np.random.default_rng(7)
    constants = {
        "w": rng.standard_normal((rows[-1], columns), np.float32) / 16,
        "bias": rng.standard_normal(columns, np.float32),
        "one": rng.standard_normal(1, np.float32),
        "wide": rng.standard_normal((1, 1, columns), np.float32)}
    if weights is not None:
        constants["w"] = weights
    wide = [*rows[:-1], columns]
    product = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    return float_model(followed_by(product, nodes),
                       {"x": rows, "residual": wide}, wide, constants)


def instructions(model, bin_dir, tmp_path, *options, cpu=MANY_REGISTERS):
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    return call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "-o", "-", cpu, *without_tiles(),
                *options)


def compiled(model, **options):
    return glow.compile(model.SerializeToString(), options=WITHOUT_TILES, **options)


def check(model, inputs, **machine):
    check_cpu_code(model, inputs, "fp32", 4e-6, **WITHOUT_TILES, **machine)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", CASES)
def test_products(name, machine):
    model = model_of(*CASES[name])
    inputs = random_inputs(model, seed=8)
    check(model, inputs, **MACHINES[machine])


@pytest.mark.parametrize("name", CASES)
def test_there_are_seven(name, bin_dir, tmp_path):
    model = model_of(*CASES[name])
    for machine in ("l2=1M", "l2=512K"):
        text = instructions(model, bin_dir, tmp_path, f"--machine={machine}")
        assert b"memref<7x" in text
    assert b"memref<7x" not in instructions(model, bin_dir, tmp_path,
                                            "--precision=strict")


@pytest.mark.parametrize("name", ["plain", "odd-rows", "deep"])
def test_same_bits_for_any_number_of_threads(name):
    model = model_of(*CASES[name])
    inputs = random_inputs(model, seed=3)
    results = [next(iter(compiled(model, threads=n).run(inputs).values()))
               for n in (1, 2, 3)]
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])


def product(x, w):
    """The compiled product, and that of double precision."""
    model = model_of(x.shape, w.shape[1], [], w)
    return compiled(model).run({"x": x})["y"], x.astype(np.float64) @ w.astype(np.float64)


def factors(rows=128, depth=1024, columns=1024, seed=5):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((rows, depth), np.float32),
            rng.standard_normal((depth, columns), np.float32), rng)


def check_rows(actual, expected, limit=LIMIT):
    error = rms(actual - expected) / rms(expected)
    assert error.max() < 2 * limit and error.mean() < limit, error.max()


@pytest.mark.parametrize("depth", [512, 768, 2048])
def test_error(depth):
    x, w, _ = factors(depth=depth)
    check_rows(*product(x, w))


def test_rows_of_any_size():
    x, w, rng = factors()
    x *= 10.0 ** rng.integers(-20, 30, (len(x), 1))
    check_rows(*product(x.astype(np.float32), w))


def test_columns_of_any_size():
    x, w, rng = factors()
    w = (w * 10.0 ** rng.integers(-15, 15, w.shape[1])).astype(np.float32)
    actual, expected = product(x, w)
    check_rows(actual.T, expected.T)


def test_large_inputs_of_small_weights():
    """Some features of a transformer's activations are much larger than others;
    the weights behind them are small."""
    x, w, rng = factors()
    sizes = (10.0 ** rng.uniform(-3, 3, x.shape[1])).astype(np.float32)
    check_rows(*product(x * sizes, w / sizes[:, None]), 6e-7)


def test_integers_are_exact():
    rng = np.random.default_rng(6)
    x = rng.integers(-20, 20, (129, 512)).astype(np.float32)
    w = rng.integers(-20, 20, (512, 1024)).astype(np.float32)
    actual, expected = product(x, w)
    np.testing.assert_array_equal(actual, expected)


def test_zeros_stay():
    x, w, _ = factors(rows=129)
    x[[17, 90]], w[:, [40, 500]] = 0, 0
    actual, expected = product(x, w * 1e-6)
    assert not actual[[17, 90]].any() and not actual[:, [40, 500]].any()
    good = np.setdiff1d(np.arange(len(x)), [17, 90])
    check_rows(actual[good], expected[good])


def test_inputs_without_weights():
    """They may have any size, and be the partner of any other."""
    x, w, _ = factors()
    w[3], x[:, 3] = 0, 1e6
    check_rows(*product(x, w))


def test_all_weights_are_zeros():
    x, w, _ = factors()
    actual, _ = product(x, w * 0)
    assert not actual.any()


def test_large_weights_stay_a_product(bin_dir, tmp_path):
    """Rows that do not use them would lose digits."""
    x, w, _ = factors()
    w[5, 7] = 1e4
    x[::2, 5] = 0
    model = model_of(x.shape, w.shape[1], [], w)
    assert b"memref<7x" not in instructions(model, bin_dir, tmp_path)
    check_rows(*[m[:, 7:8].T for m in product(x[::2], w)])


@pytest.mark.parametrize("axis", ["rows", "residual"])
def test_rows_backwards(axis):
    """A slice of step -1 is a view whose strides are negative."""
    x, w, _ = factors()
    constants = {"w": w / 16, "start": np.array([-1]), "end": np.array([-999]),
                 "axes": np.array([0]), "steps": np.array([-1])}
    slice_of = ["start", "end", "axes", "steps"]
    nodes = {
        "rows": [helper.make_node("Slice", ["x", *slice_of], ["r"]),
                 helper.make_node("MatMul", ["r", "w"], ["y"])],
        "residual": [helper.make_node("Slice", ["x", *slice_of], ["r"]),
                     helper.make_node("MatMul", ["x", "w"], ["m"]),
                     helper.make_node("Add", ["m", "r"], ["y"])]}
    model = float_model(nodes[axis], {"x": x.shape}, x.shape, constants)
    check(model, {"x": x})


def test_every_loop_has_points_for_threads(bin_dir, tmp_path):
    """The model of costs wants them, also where the sums of few blocks fit a
    core's share of the last cache."""
    for machine in ("l2=1M,l3=4M", "l2=1M,l3=0"):
        model = model_of((1024, 768), 768, [])
        text = instructions(model, bin_dir, tmp_path, f"--machine={machine}")
        loops = re.findall(rb"forall \[([\d, ]+)\] ins\([^:]*: memref<7x", text)
        points = [math.prod(map(int, axes.split(b","))) for axes in loops]
        assert points and min(points[:-1], default=4) >= 4


def test_a_budget_keeps_the_memory(bin_dir, tmp_path):
    text = instructions(model_of(*CASES["plain"]), bin_dir, tmp_path,
                        "--memory-budget=1000000")
    assert b"memref<7x" not in text


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite(value, bin_dir, tmp_path):
    x, w, _ = factors(rows=129)
    model = model_of(x.shape, w.shape[1], [], w)
    has_seven = b"memref<7x" in instructions(model, bin_dir, tmp_path,
                                             cpu="--mcpu=native")
    clean, expected = product(x, w)
    bad = [0, 64, 100]
    x[bad, 3] = value
    actual, whole = product(x, w)
    if has_seven:
        assert np.isnan(actual[bad]).all()
    else:
        np.testing.assert_array_equal(actual[bad], whole[bad])
    good = np.setdiff1d(np.arange(len(x)), bad)
    check_rows(actual[good], expected[good])
    check_rows(clean, expected)


def test_ends_of_the_range():
    x, w, _ = factors()
    x[0] *= np.float32(1e38) / abs(x[0]).max()
    x[65] *= np.float32(1e-36) / abs(x[65]).max()
    check_rows(*product(x, w / 1024), 2e-6)


@pytest.mark.parametrize("value", [np.inf, np.nan, 3e38])
def test_weights_that_stay_a_product(value, bin_dir, tmp_path):
    x, w, _ = factors()
    w[5, 7] = value
    model = model_of(x.shape, w.shape[1], [], w)
    assert b"memref<7x" not in instructions(model, bin_dir, tmp_path)
    actual, _ = product(x, w)
    assert np.isfinite(np.delete(actual, 7, axis=1)).all()


def test_weights_of_two_products(bin_dir, tmp_path):
    """Both read one constant, of which nothing else is left."""
    x, w, _ = factors()
    model = float_model(
        [helper.make_node("MatMul", ["x", "w"], ["h"]),
         helper.make_node("Relu", ["h"], ["r"]),
         helper.make_node("MatMul", ["r", "w"], ["y"])],
        {"x": x.shape}, x.shape, {"w": w / 16})
    text = instructions(model, bin_dir, tmp_path)
    assert text.count(b"glow_inst.constant") == 3
    check(model, {"x": x})
