"""A decoder of ONNX Runtime's operators token after token, compiled once.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx.numpy_helper
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal

import glow

HEADS, KEY_HEADS, SIZE = 4, 2, 16
WIDTH = (HEADS + 2 * KEY_HEADS) * SIZE
MODEL = f"""
<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]>
decoder (float[batch, tokens, 16] x, int64[batch, total] mask,
         float[batch, {KEY_HEADS}, past, {SIZE}] past_key,
         float[batch, {KEY_HEADS}, past, {SIZE}] past_value)
    => (float[batch, tokens, 16] y, float[batch, {KEY_HEADS}, total, {SIZE}] key,
        float[batch, {KEY_HEADS}, total, {SIZE}] value) {{
  one = Constant<value_ints = [1]>()
  first = Constant<value_int = 1>()
  seen = ReduceSum<keepdims = 0>(mask, one)
  last = Sub(seen, one)
  last32 = Cast<to = 6>(last)
  extents = Shape(mask)
  all = Gather<axis = 0>(extents, first)
  all32 = Cast<to = 6>(all)
  packed = MatMul(x, projection)
  h, key, value = com.microsoft.GroupQueryAttention<num_heads = {HEADS},
      kv_num_heads = {KEY_HEADS}, do_rotary = 1>(
      packed, , , past_key, past_value, last32, all32, cosines, sines)
  y = MatMul(h, output)
}}
"""


def make_model():
    rng = np.random.default_rng(7)
    angles = np.arange(64)[:, None] / 10 ** np.arange(SIZE // 2)
    weights = {"projection": rng.normal(size=(16, WIDTH)) / 4,
               "output": rng.normal(size=(HEADS * SIZE, 16)) / 4,
               "cosines": np.cos(angles), "sines": np.sin(angles)}
    model = onnx.parser.parse_model(MODEL)
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(array.astype(np.float32), name)
        for name, array in weights.items())
    return model


RANGES = {"x": [(1, 2), (1, 8), 16], "mask": [(1, 2), (1, 32)],
          "past_key": [(1, 2), KEY_HEADS, (0, 31), SIZE],
          "past_value": [(1, 2), KEY_HEADS, (0, 31), SIZE]}


@pytest.mark.parametrize("shapes", [RANGES, None], ids=["ranges", "each-shape"])
def test_tokens_follow_a_prompt(shapes):
    model = make_model()
    compiled = glow.compile(model.SerializeToString(), shapes=shapes)
    rng = np.random.default_rng(3)
    for batch in (1, 2):
        cache = np.zeros((2, batch, KEY_HEADS, 0, SIZE), np.float32)
        for tokens in (5, 1, 1, 1):
            total = cache.shape[3] + tokens
            inputs = {"x": rng.normal(size=(batch, tokens, 16)).astype(np.float32),
                      "mask": np.ones((batch, total), np.int64),
                      "past_key": cache[0], "past_value": cache[1]}
            expected = run_onnxruntime(model, inputs)
            actual = compiled.run(inputs)
            check_equal(actual, expected)
            cache = np.stack([expected["key"], expected["value"]])
