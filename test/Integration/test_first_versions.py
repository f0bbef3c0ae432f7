"""The first versions of operators that took other inputs or attributes later,
and constants in sparse form. No other runtime has the former.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import glow

X = np.arange(8, dtype=np.float32).reshape(1, 1, 2, 4)


def model(nodes, opset, outputs, weights=(), sparse=()):
    def info(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    graph = helper.make_graph(
        nodes, "old", [helper.make_tensor_value_info("x", 1, X.shape)],
        [info(name) for name in outputs],
        [numpy_helper.from_array(np.asarray(w, np.float32), n) for n, w in weights],
        sparse_initializer=list(sparse))
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def run(target, *args, **options):
    data = model(*args, **options).SerializeToString()
    return glow.compile(data, target=target).run({"x": X})


def node(op, inputs=("x",), outputs=("y",), **attributes):
    return helper.make_node(op, list(inputs), list(outputs), **attributes)


@pytest.fixture(params=["cpu", "interpret"])
def target(request):
    return request.param


def test_upsample(target):
    y = run(target, [node("Upsample", height_scale=2.0, width_scale=1.5)], 1, ["y"])
    np.testing.assert_array_equal(
        y["y"], X.repeat(2, 2)[..., [0, 0, 1, 2, 2, 3]])


def test_tile(target):
    y = run(target, [node("Tile", ["x", "n", "a"])], 1, ["y"],
            weights=[("n", 3), ("a", 2)])
    np.testing.assert_array_equal(y["y"], np.tile(X, (1, 1, 3, 1)))


def test_cast(target):
    nodes = [node("Cast", outputs=["i"], to="INT8"),
             node("Cast", ["i"], to="FLOAT")]
    np.testing.assert_array_equal(run(target, nodes, 1, ["y"])["y"], X)


@pytest.mark.parametrize("attribute", [True, False])
def test_split(attribute, target):
    split = node("Split", ["x"] if attribute else ["x", "s"], ["y", "z"], axis=3,
                 **({"split": [1, 3]} if attribute else {}))
    found = run(target, [split], 1, ["y", "z"], weights=[("s", [1, 3])])
    np.testing.assert_array_equal(found["y"], X[..., :1])
    np.testing.assert_array_equal(found["z"], X[..., 1:])


def sparse(values, indices, shape, name="c"):
    return helper.make_sparse_tensor(
        numpy_helper.from_array(values, name),
        numpy_helper.from_array(np.asarray(indices, np.int64), "i"), shape)


@pytest.mark.parametrize("indices", [[1, 7], [[0, 1], [1, 3]]])
def test_sparse(indices, target):
    """By one index for each value, and by one per axis."""
    constant = sparse(np.float32([5, -2]), indices, [2, 4])
    want = X + np.float32([[0, 5, 0, 0], [0, 0, 0, -2]])
    add = node("Add", ["x", "c"])
    for given in ({"nodes": [node("Constant", [], ["c"], sparse_value=constant), add]},
                  {"nodes": [add], "sparse": [constant]}):
        found = run(target, opset=13, outputs=["y"], **given)
        np.testing.assert_array_equal(found["y"], want)


def test_sparse_strings(target):
    words = sparse(np.array([b"b", b"a"], object), [0, 2], [4])
    nodes = [node("Constant", [], ["c"], sparse_value=words),
             node("Unique", ["c"], ["u", "", "i"], sorted=1),
             node("Cast", ["i"], ["j"], to=TensorProto.FLOAT),
             node("Add", ["x", "j"])]
    np.testing.assert_array_equal(run(target, nodes, 13, ["y"])["y"],
                                  X + np.float32([2, 0, 1, 0]))


@pytest.mark.parametrize("constant, text", [
    (sparse(np.float32([1]), [8], [2, 4]), "index 8 .* lies outside"),
    (sparse(np.float32([1]), [-1], [2, 4]), "index -1"),
    (sparse(np.float32([1]), [[0, 4]], [2, 4]), "index 4"),
    (sparse(np.float32([1, 2]), [0], [2, 4]), "one for each value"),
    (sparse(np.float32([1]), [[0, 0, 0]], [2, 4]), "one for each value or one per"),
    (sparse(np.float32([1]), [0], [2, -4]), "shape is impossible"),
    (sparse(np.float32([1]), [0], [2**32, 2**32]), "shape is impossible"),
    (sparse(np.float32([1]), [0], [2**40]), "more elements than"),
    (sparse(np.ones((1, 1), np.float32), [0], [4]), "no list"),
    (sparse(np.ones(1, ml_dtypes.int4), [0], [4]), "cannot be sparse")])
def test_bad_sparse(constant, text):
    nodes = [node("Constant", [], ["c"], sparse_value=constant),
             node("Add", ["x", "c"])]
    for given in ({"nodes": nodes}, {"nodes": nodes[1:], "sparse": [constant]}):
        with pytest.raises(glow.GlowError, match=text):
            run("cpu", opset=13, outputs=["y"], **given)


@pytest.mark.parametrize("nodes, text", [
    ([node("Cast", to="FLOTE")], "no element type: 'FLOTE'"),
    ([node("Tile", ["x", "x", "a"])], "must be constant numbers"),
    ([node("Tile", ["x", "a", "x"])], "must be constant numbers"),
    ([node("Split", ["x", "x"])], "has 1 outputs, but 8 sizes"),
    ([node("Upsample")], "scale")])
def test_bad_first_versions(nodes, text):
    with pytest.raises(glow.GlowError, match=text):
        run("cpu", nodes, 1, ["y"], weights=[("a", 1)])
