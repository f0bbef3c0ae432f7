"""Holds one set of outputs against another.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np

# Relative to the largest value of the output, unless a case says otherwise.
TOLERANCE = {
    "float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2,
    "float8_e4m3fn": 0.07, "float8_e5m2": 0.15,
}


def is_float(dtype):
    return dtype.kind == "f" or "float" in dtype.name


def _finite_errors(actual, expected):
    """Errors and expected values where these are finite, in double precision;
    None if infinities or NaNs are not in the same places."""
    actual, expected = (np.asarray(a).astype(np.float64)
                        for a in (actual, expected))
    finite = np.isfinite(expected)
    same = np.array_equal(actual[~finite], expected[~finite], equal_nan=True)
    if not same or not np.isfinite(actual[finite]).all():
        return None
    return actual[finite] - expected[finite], expected[finite]


def _relative(errors, measure):
    """A measure of the errors over that of the values, or alone if that is 0."""
    if errors is None:
        return np.inf
    error, scale = (measure(values) if values.size else 0.0 for values in errors)
    return float(error / scale if scale > 0 else error)


def relative_error(actual, expected):
    """The largest error, relative to the largest finite expected value.

    Infinite where infinities or NaNs are not in the same places.
    """
    return _relative(_finite_errors(actual, expected),
                     lambda values: np.abs(values).max())


def rms_error(actual, expected):
    """The root mean square of the errors, relative to that of the finite values."""
    return _relative(_finite_errors(actual, expected),
                     lambda values: np.sqrt(np.mean(values * values)))


def check_equal(actual, expected, tolerance=None):
    """Asserts that two {name: array} agree in names, types, shapes, values.

    tolerance: relative error allowed; None takes the type's, and integers
    must be equal unless one is given (then it is an absolute difference).
    """
    assert list(actual) == list(expected), "outputs differ in name or order"
    for name, want in expected.items():
        got, want = np.asarray(actual[name]), np.asarray(want)
        assert got.shape == want.shape, (
            f"{name}: shape {got.shape}, not {want.shape}")
        if want.dtype.kind in "OSU":
            assert [str(s) for s in got.ravel()] == [
                str(s) for s in want.ravel()], name
            continue
        assert got.dtype == want.dtype, (
            f"{name}: {got.dtype}, not {want.dtype}")
        if want.size == 0:
            continue
        if is_float(want.dtype):
            limit = (TOLERANCE.get(want.dtype.name, 0.3)
                     if tolerance is None else tolerance)
            error = relative_error(got, want)
            assert error <= limit, (
                f"{name}: relative error {error:.3g} > {limit:g}")
        else:
            error = np.abs(got.astype(np.float64) - want.astype(np.float64))
            where = np.unravel_index(error.argmax(), error.shape)
            assert error.max() <= (tolerance or 0), (
                f"{name}: {got[where]}, not {want[where]} at {where}")
