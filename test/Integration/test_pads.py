"""Images whose borders repeat their elements, between convolutions that write into
the padded images.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code
from onnx import TensorProto, helper, numpy_helper

import glow


def chain(mode):
    """A large pad in front of the first convolution, one element around each of
    the others, a sum that is padded at one side, and a result that holds a padded
    image twice."""
    rng = np.random.default_rng(0)

    def weights(*shape):
        return (rng.standard_normal(shape) * 0.2).astype(np.float32)

    constants = {
        "far": np.int64([0, 0, 4, 4, 0, 0, 4, 4]),
        "one": np.int64([0, 0, 1, 1, 0, 0, 1, 1]),
        "side": np.int64([0, 0, 1, 2, 0, 0, 3, 0]),
        "w0": weights(8, 3, 9, 9), "w1": weights(16, 8, 3, 3),
        "w2": weights(16, 16, 3, 3)}
    node = helper.make_node
    nodes = [
        node("Pad", ["x", "far"], ["a"], mode=mode), node("Conv", ["a", "w0"], ["b"]),
        node("Relu", ["b"], ["c"]), node("Pad", ["c", "one"], ["d"], mode=mode),
        node("Conv", ["d", "w1"], ["e"], strides=[2, 2]),
        node("Pad", ["e", "one"], ["f"], mode=mode), node("Conv", ["f", "w2"], ["g"]),
        node("Add", ["g", "e"], ["h"]), node("Pad", ["h", "side"], ["i"], mode=mode),
        node("Concat", ["i", "i"], ["y"], axis=1)]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "pads", [info("x", TensorProto.FLOAT, ["n", 3, 18, 23])],
        [info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(a, name) for name, a in constants.items()])
    return helper.make_model(graph, ir_version=9,
                             opset_imports=[helper.make_opsetid("", 19)])


def images(count):
    rng = np.random.default_rng(count)
    return {"x": rng.standard_normal((count, 3, 18, 23), np.float32)}


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
def test_fixed(mode):
    check_cpu_code(chain(mode), images(2), "strict", 1e-5)


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
def test_range(mode):
    model = chain(mode)
    compiled = glow.compile(model.SerializeToString(), shapes={"x": ((1, 4), 3, 18, 23)},
                            options={"check-bounds": "1"})
    for count in (4, 1, 3):
        check_equal(compiled.run(images(count)), run_onnxruntime(model, images(count)),
                    tolerance=1e-5)
