"""Slices of tensors that are assigned to, as exporters write them: a scatter of
rows, transposed where the slice lies along another axis.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.parser
import pytest
from backends import run_onnxruntime
from onnx import numpy_helper

import glow

MODEL = """<ir_version: 10, opset_import: ["" : 18]>
g (float[b, 3, 8, 4] x, float[b, 3, {count}, 4] u) => (float[b, 3, 8, 4] y) {{
  xt = Transpose<perm = [2, 1, 0, 3]>(x)
  ut = Transpose<perm = [2, 1, 0, 3]>(u)
  yt = ScatterND(xt, i, ut)
  z = Transpose<perm = [2, 1, 0, 3]>(yt)
  y = Relu(z)
}}"""


@pytest.mark.parametrize("batch", [1, 3, (1, 4)])
@pytest.mark.parametrize("rows", [
    [1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3], [2, 3, -4, 5, 6], list(range(8)), [5],
    [0, 2, 4, 6, 7]])
def test_along_an_inner_axis(rows, batch):
    model = onnx.parser.parse_model(MODEL.format(count=len(rows)))
    model.graph.initializer.append(
        numpy_helper.from_array(np.int64(rows)[:, None], "i"))
    compiled = glow.compile(model.SerializeToString(), shapes={
        "x": (batch, 3, 8, 4), "u": (batch, 3, len(rows), 4)})
    rng = np.random.default_rng(0)
    for count in [batch] if isinstance(batch, int) else [1, 3, 4]:
        inputs = {"x": rng.standard_normal((count, 3, 8, 4)).astype(np.float32),
                  "u": rng.standard_normal((count, 3, len(rows), 4)).astype(np.float32)}
        np.testing.assert_array_equal(compiled.run(inputs)["y"],
                                      run_onnxruntime(model, inputs)["y"])


ROWS = """<ir_version: 10, opset_import: ["" : 18]>
g (float[b, 5, {given}] x, float[b, 1, 3] u, float[b, 1, 3] v) => (float[b, 5, {given}] y) {{
  s = Shape(u)
  first = Constant<value_int = 2>()
  last = Constant<value_int = -1>()
  i = Expand(first, s)
  j = Expand(last, s)
  z = ScatterElements<axis = 1>(x, i, u)
  y = ScatterElements<axis = 1, reduction = "add">(z, j, v)
}}"""


@pytest.mark.parametrize("batch", [1, 3, (1, 4)])
@pytest.mark.parametrize("given", [3, 7])
def test_rows_of_each_text(given, batch):
    """As PyTorch writes x[:, 2] = u; of seven columns only three are written."""
    model = onnx.parser.parse_model(ROWS.format(given=given))
    compiled = glow.compile(model.SerializeToString(), shapes={
        "x": (batch, 5, given), "u": (batch, 1, 3), "v": (batch, 1, 3)})
    rng = np.random.default_rng(0)
    for count in [batch] if isinstance(batch, int) else [4, 1, 3]:
        inputs = {n: rng.standard_normal(shape).astype(np.float32) for n, shape in [
            ("x", (count, 5, given)), ("u", (count, 1, 3)), ("v", (count, 1, 3))]}
        np.testing.assert_array_equal(compiled.run(inputs)["y"],
                                      run_onnxruntime(model, inputs)["y"])
