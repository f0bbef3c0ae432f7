"""Forests whose trees compare in all ways, beside a walk through them here.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import operator

import numpy as np
import pytest
from backends import run_onnxruntime
from onnx import TensorProto, helper

import glow

MODES = {"BRANCH_LEQ": operator.le, "BRANCH_LT": operator.lt, "BRANCH_GTE": operator.ge,
         "BRANCH_GT": operator.gt, "BRANCH_EQ": operator.eq, "BRANCH_NEQ": operator.ne}
# Thresholds, and the features that are compared with them.
NUMBERS = [0.0, -0.0, 1.0, np.nextafter(np.float32(1), np.float32(2)), -1.5, np.inf, -np.inf,
           1e-45, -1e-45, np.finfo(np.float32).max, np.finfo(np.float32).min]
FEATURES = 5


class Forest:
    """Random trees: lists of nodes, of which the leaves have weights."""

    def __init__(self, rng, trees, deepest, modes=tuple(MODES)):
        self.rng, self.modes, self.trees = rng, modes, []
        for _ in range(trees):
            self.trees.append([])
            self.grow(rng.integers(0, deepest + 1))

    def grow(self, depth):
        nodes, node = self.trees[-1], len(self.trees[-1])
        nodes.append(None)
        if depth == 0:
            nodes[node] = ("LEAF", 0, 0.0, 0, 0, 0, float(self.rng.integers(1, 100)))
            return node
        # One side goes all the way down, the other one not always.
        yes, no = self.grow(depth - 1), self.grow(int(self.rng.integers(0, depth)))
        nodes[node] = (str(self.rng.choice(self.modes)), int(self.rng.integers(FEATURES)),
                       float(self.rng.choice(NUMBERS)), int(self.rng.integers(2)), yes, no, 0.0)
        return node

    def model(self, rows):
        """A TreeEnsembleRegressor of float32."""
        flat = [(tree, i, *node) for tree, nodes in enumerate(self.trees)
                for i, node in enumerate(nodes)]
        tree, number, mode, feature, threshold, missing, yes, no, weight = map(list, zip(*flat))
        leaves = [i for i, m in enumerate(mode) if m == "LEAF"]
        of_leaves = lambda values: [values[i] for i in leaves]
        node = helper.make_node(
            "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", name="trees", n_targets=1,
            nodes_treeids=tree, nodes_nodeids=number, nodes_modes=mode, nodes_featureids=feature,
            nodes_values=threshold, nodes_truenodeids=yes, nodes_falsenodeids=no,
            nodes_missing_value_tracks_true=missing, target_ids=[0] * len(leaves),
            target_treeids=of_leaves(tree), target_nodeids=of_leaves(number),
            target_weights=of_leaves(weight))
        graph = helper.make_graph(
            [node], "forest", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, FEATURES])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, 1])])
        return helper.make_model(graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 3)])

    def walk(self, row):
        total = 0.0
        for nodes in self.trees:
            mode, feature, threshold, missing, yes, no, weight = nodes[0]
            while mode != "LEAF":
                value = row[feature]
                goes = (np.isnan(value) and missing) or MODES[mode](value, np.float32(threshold))
                mode, feature, threshold, missing, yes, no, weight = nodes[yes if goes else no]
            total += weight
        return total


def features(rng, rows):
    x = rng.choice(np.array([*NUMBERS, np.nan, 0.5, -2.0], np.float32), (rows, FEATURES))
    return x.astype(np.float32)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("rows", [1, 7, 8, 100])
def test_all_comparisons(rows, target):
    rng = np.random.default_rng(rows)
    forest = Forest(rng, trees=21, deepest=6)
    program = glow.compile(forest.model(rows).SerializeToString(), target=target)
    for _ in range(5):
        x = features(rng, rows)
        expected = [forest.walk(r) for r in x]
        np.testing.assert_array_equal(program.run({"x": x})["y"][:, 0], expected)
        np.testing.assert_array_equal(run_onnxruntime(forest.model(rows), {"x": x})["y"][:, 0], expected)


@pytest.mark.parametrize("mode", MODES)
def test_one_comparison(mode):
    rng = np.random.default_rng(3)
    forest = Forest(rng, trees=3, deepest=12, modes=(mode,))
    x = features(rng, 64)
    y = glow.compile(forest.model(64).SerializeToString()).run({"x": x})["y"]
    np.testing.assert_array_equal(y[:, 0], [forest.walk(r) for r in x])


@pytest.mark.parametrize("threads", [1, 2])
def test_ranges(threads):
    """Any number of rows up to a bound."""
    rng = np.random.default_rng(4)
    forest = Forest(rng, trees=9, deepest=8)
    program = glow.compile(forest.model("rows").SerializeToString(), threads=threads,
                           shapes={"x": [(1, 50), FEATURES]})
    for rows in (1, 3, 8, 9, 31, 50):
        x = features(rng, rows)
        np.testing.assert_array_equal(program.run({"x": x})["y"][:, 0], [forest.walk(r) for r in x])


def test_ring():
    model = Forest(np.random.default_rng(5), trees=1, deepest=2).model(2)
    for attribute in model.graph.node[0].attribute:
        if attribute.name == "nodes_truenodeids":
            attribute.ints[:] = [0] * len(attribute.ints)
        if attribute.name == "nodes_modes":
            attribute.strings[:] = [b"BRANCH_LEQ"] * len(attribute.strings)
    with pytest.raises(glow.GlowError, match="'trees'.*ring"):
        glow.compile(model.SerializeToString())


def test_wrong_tables(tmp_path):
    """Tables that lead out of the forest: an error in the interpreter, and in
    compiled code, which clamps them, no access outside."""
    path = tmp_path / "walk.mlir"
    path.write_text("""func.func @walk(%x: tensor<9x4xf32>) -> tensor<9x2xi32> {
      %t = glow.constant dense<0.0> : tensor<3xf32>
      %l = glow.constant dense<[[900000, 2, 1], [-7, -9, 2000000000], [0, 2, 2]]> : tensor<3x3xi32>
      %r = glow.constant dense<[[0, 3], [77777777, 2]]> : tensor<2x2xi32>
      %0 = glow.walk_trees %x, %t, %l, %r : (tensor<9x4xf32>, tensor<3xf32>, tensor<3x3xi32>, tensor<2x2xi32>) -> tensor<9x2xi32>
      return %0 : tensor<9x2xi32>
    }""")
    program = glow.compile(path, options={"check-bounds": True})
    x = features(np.random.default_rng(6), 9)[:, :4]
    (y,) = program.run({program.inputs[0].name: x}).values()
    assert y.min() >= 0 and y.max() <= 2
    program = glow.compile(path, target="interpret")
    with pytest.raises(glow.GlowError, match="does not exist"):
        program.run({program.inputs[0].name: x})


def test_tables_of_unknown_size(tmp_path):
    """What the verifier cannot see is looked at when the model runs."""
    path = tmp_path / "walk.mlir"
    path.write_text("""func.func @walk(%x: tensor<1x4xf32>, %t: tensor<?xf32>, %l: tensor<?x?xi32>,
        %r: tensor<1x2xi32>) -> tensor<1x1xi32> {
      %0 = glow.walk_trees %x, %t, %l, %r : (tensor<1x4xf32>, tensor<?xf32>, tensor<?x?xi32>, tensor<1x2xi32>) -> tensor<1x1xi32>
      return %0 : tensor<1x1xi32>
    }""")
    program = glow.compile(path, target="interpret")
    arrays = [np.zeros((1, 4), np.float32), np.zeros(3000, np.float32),
              np.zeros((2, 3), np.int32), np.int32([[2000, 1]])]
    with pytest.raises(glow.GlowError, match="three links per threshold"):
        program.run({i.name: a for i, a in zip(program.inputs, arrays)})


def test_too_many_results():
    model = Forest(np.random.default_rng(7), trees=1, deepest=2).model(2)
    for attribute in model.graph.node[0].attribute:
        if attribute.name == "n_targets":
            attribute.i = 2 ** 36
    with pytest.raises(glow.GlowError, match="'trees'.*too many"):
        glow.compile(model.SerializeToString())
