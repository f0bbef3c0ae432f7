"""Models of scikit-learn, exported by skl2onnx with an open number of rows: each
compiled once and run on several numbers of them, against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import warnings

import numpy as np
import onnxruntime
import pytest
from compare import check_equal

import glow

pytest.importorskip("skl2onnx", reason="skl2onnx is missing, see "
                    "python/requirements-test.txt")

from sklearn_models import models  # noqa: E402
from skl2onnx import convert_sklearn  # noqa: E402
from skl2onnx.common import data_types  # noqa: E402

MODELS = models()
# First row and number of rows, run by run.
RUNS = [(0, 7), (3, 1), (10, 24), (50, 7)]
TYPES = {"f": data_types.FloatTensorType, "i": data_types.Int64TensorType,
         "O": data_types.StringTensorType}


def side_by_side(columns):
    if not isinstance(columns, dict):
        return columns
    return np.concatenate([c.astype(object) for c in columns.values()], axis=1)


@functools.lru_cache(maxsize=None)
def exported(name):
    """A fitted model in ONNX, and {input: rows}."""
    estimator, columns, targets = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few iterations
        estimator.fit(side_by_side(columns), *([] if targets is None else [targets]))
        tables = columns if isinstance(columns, dict) else {"x": columns}
        types = [(key, TYPES[table.dtype.kind]([None, *table.shape[1:]]))
                 for key, table in tables.items()]
        model = convert_sklearn(estimator, initial_types=types,
                                target_opset={"": 18, "ai.onnx.ml": 3})
    return model.SerializeToString(), tables


def flat(results):
    """Lists of tensors one by one, and lists of maps as the matrices that Glow
    gives for them."""
    arrays = {}
    for name, value in results.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            arrays[name] = np.float32([list(row.values()) for row in value])
        elif isinstance(value, list):
            arrays.update((f"{name}[{i}]", v) for i, v in enumerate(value))
        else:
            arrays[name] = value
    return arrays


@pytest.mark.parametrize("name", MODELS)
def test_rows(name, backend):
    model, tables = exported(name)
    compiled = glow.compile(model, target=backend)
    session = onnxruntime.InferenceSession(model,
                                           providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    for first, count in RUNS:
        inputs = {key: table[first:first + count] for key, table in tables.items()}
        expected = dict(zip(names, session.run(names, inputs)))
        check_equal(flat(compiled.run(inputs)), flat(expected), 1e-4)
