"""What answers are compared by.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import types

import numpy as np
import pytest
import worker
from compare import relative_error, rms_error

WANT = np.array([3, -4, 0, np.inf], np.float32)


def test_largest_and_root_mean_square():
    got = np.array([3, -4, 2, np.inf], np.float32)
    assert relative_error(got, WANT) == pytest.approx(2 / 4)
    assert rms_error(got, WANT) == pytest.approx(2 / 5)
    assert rms_error(WANT, WANT) == 0
    # Of zeros the errors themselves; of nothing, none.
    assert rms_error(np.full(2, 0.5), np.zeros(2)) == pytest.approx(0.5)
    assert rms_error(np.zeros(0), np.zeros(0)) == 0


@pytest.mark.parametrize("measure", [relative_error, rms_error])
def test_infinities_and_nans_stay_where_they_are(measure):
    assert measure(np.array([3, -4, np.nan, np.inf]), WANT) == np.inf
    assert measure(np.array([3, -4, 0, 1]), WANT) == np.inf
    assert measure(np.array([3, -4, 0, -np.inf]), WANT) == np.inf


@pytest.mark.parametrize("got", [
    {"y": WANT[:3], "i": np.arange(3)}, {"y": WANT, "i": np.zeros(3, int)}])
def test_a_shape_or_an_integer_that_differs_is_wrong(got):
    job = worker.Worker.__new__(worker.Worker)
    job.case, job.expected = None, {"y": WANT, "i": np.arange(3)}
    job.system = types.SimpleNamespace(results=lambda case, raw: raw)
    assert job.errors(job.expected) == {"error": 0, "rms_error": 0}
    assert job.errors(got) == {"error": np.inf, "rms_error": np.inf}
