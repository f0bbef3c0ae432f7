"""Gathers and what reads them, as loops over bands of slices, against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.parser
import pytest
from cpu_code import check_cpu_code

HEAD = '<ir_version: 10, opset_import: ["": 20]> g '
RNG = np.random.default_rng(0)

# Words and their places, summed and normalised.
EMBEDDING = HEAD + """(int64[{rows}, {words}] a, float[90, {width}] t,
    int64[{rows}, {words}] q, float[70, {width}] p) => (float[{rows}, {words}, {width}] y) {{
  u = Gather(t, a)
  v = Gather(p, q)
  s = Add(u, v)
  last = Constant<value_ints = [-1]>()
  m = ReduceMean(s, last)
  d = Sub(s, m)
  e = Mul(d, d)
  f = ReduceMean(e, last)
  tiny = Constant<value_float = 0.001>()
  g = Add(f, tiny)
  h = Sqrt(g)
  y = Div(d, h) }}"""


@pytest.mark.parametrize("rows,words,width", [(8, 16, 256), (1, 37, 100), (5, 7, 33)])
@pytest.mark.parametrize("caches", ["l1=32K,l2=1M", "l1=4K,l2=32K,l3=32K"])
def test_embeddings(rows, words, width, caches):
    """Negative indices count from the end."""
    text = EMBEDDING.format(rows=rows, words=words, width=width)
    inputs = {"a": RNG.integers(-90, 90, (rows, words)),
              "t": RNG.standard_normal((90, width), "f4"),
              "q": RNG.integers(-70, 70, (rows, words)),
              "p": RNG.standard_normal((70, width), "f4")}
    check_cpu_code(onnx.parser.parse_model(text), inputs, "strict", 1e-5,
                   machine=caches)


REGIONS = HEAD + """(float[{batch}, {channels}, 19, 23] x, float[{count}, 4] r, int64[{count}] i)
    => (float[{count}, {channels}, {bins}, {bins}] y) {{
  y = RoiAlign<output_height = {bins}, output_width = {bins},
               sampling_ratio = 2, mode = "{mode}">(x, r, i) }}"""


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("count,channels,bins", [(40, 64, 7), (17, 30, 3), (3, 256, 14)])
@pytest.mark.parametrize("batch", [1, 3])
def test_regions(batch, count, channels, bins, mode):
    """Four gathers for each, whose places are computed."""
    text = REGIONS.format(batch=batch, count=count, channels=channels, bins=bins,
                          mode=mode)
    corners = np.sort(RNG.random((count, 2, 2)) * 25 - 1, 1)
    inputs = {"x": RNG.standard_normal((batch, channels, 19, 23), "f4"),
              "r": corners.reshape(count, 4).astype("f4"),
              "i": RNG.integers(0, batch, count)}
    check_cpu_code(onnx.parser.parse_model(text), inputs, "strict", 1e-5,
                   machine="l1=32K,l2=256K,l3=1M")
