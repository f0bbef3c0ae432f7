"""Results of which only a part is read: random networks of products,
reductions, softmax and moved axes whose last ops take parts, held against
ONNX's own reference.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from compare import check_equal
from onnx import TensorProto, numpy_helper
from onnx.helper import make_node
from onnx.reference import ReferenceEvaluator
from test_ahead_of_time import save_model

import glow

ROWS, WIDTH, HEADS = 12, 8, 2


class Network:
    """Values of three axes: images, rows, and elements of these."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def constant(self, values):
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def add(self, kind, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(self, *shape):
        return self.constant((self.rng.standard_normal(shape) / 2).astype(np.float32))

    def product(self, x):
        return self.add("MatMul", x, self.weight(WIDTH, WIDTH))

    def heads(self, x):
        shape = self.constant(np.int64([0, 0, HEADS, -1]))
        return self.add("Transpose", self.add("Reshape", self.product(x), shape),
                        perm=[0, 2, 1, 3])

    def attention(self, x):
        keys = self.add("Transpose", self.heads(x), perm=[0, 1, 3, 2])
        scores = self.add("Softmax", self.add("MatMul", self.heads(x), keys), axis=-1)
        mixed = self.add("Transpose", self.add("MatMul", scores, self.heads(x)),
                         perm=[0, 2, 1, 3])
        return self.add("Reshape", mixed, self.constant(np.int64([0, 0, -1])))

    def residual(self, x):
        part = self.rng.choice([self.attention, self.product, self.norm, self.turned,
                                self.running, self.joined, self.ends, self.spread])
        return self.add("Add", x, self.add("Tanh", part(x)))

    def norm(self, x):
        return self.add("LayerNormalization", x, self.weight(WIDTH), self.weight(WIDTH))

    def turned(self, x):
        turned = self.add("Transpose", x, perm=[0, 2, 1])
        mixed = self.add("MatMul", turned, self.weight(ROWS, ROWS))
        return self.add("Transpose", mixed, perm=[0, 2, 1])

    def running(self, x):
        return self.add("CumSum", x, self.constant(np.int64(self.rng.integers(3))))

    def joined(self, x):
        """Halves of rows of two products."""
        half = self.constant(np.int64([ROWS // 2]))
        begin, end, axis = (self.constant(np.int64([n])) for n in (0, ROWS, 1))
        return self.add("Concat", self.add("Slice", self.product(x), half, end, axis),
                        self.add("Slice", self.product(x), begin, half, axis), axis=1)

    def spread(self, x):
        """The mean of all rows, for each of them."""
        mean = self.add("ReduceMean", x, self.constant(np.int64([1])))
        return self.add("Expand", mean, self.constant(np.int64([1, ROWS, WIDTH])))

    def ends(self, x):
        """All rows of one product and some of another one, of which only the
        first ones stay."""
        two = self.add("Concat", self.product(x), self.add("Relu", self.product(x)), axis=1)
        begin, axis = (self.constant(np.int64([n])) for n in (0, 1))
        return self.add("Slice", two, begin, self.constant(np.int64([ROWS])), axis)

    def part(self, x):
        begin, end = sorted(self.rng.choice(ROWS + 1, 2, replace=False))
        kind = self.rng.choice(["first", "last", "range", "steps", "columns", "row", "flat"])
        if kind == "row":
            return self.add("Gather", x, self.constant(np.int64(begin)), axis=1)
        if kind == "flat":
            x = self.add("Reshape", x, self.constant(np.int64([0, -1])))
            begin, end, axis, step = 3 * begin, 5 * end, 1, 1
        else:
            begin, end, axis, step = {
                "first": (0, 1, 1, 1), "last": (-1, ROWS, 1, 1), "range": (begin, end, 1, 1),
                "steps": (begin, end, 1, 3), "columns": (2, 5, 2, 2)}[kind]
        return self.add("Slice", x, *(self.constant(np.int64([n]))
                                      for n in (begin, end, axis, step)))

    def save(self, path, images):
        value = "x"
        for _ in range(self.rng.integers(1, 5)):
            value = self.residual(value)
        outputs = {self.part(value): (TensorProto.FLOAT, None)
                   for _ in range(self.rng.integers(1, 3))}
        return save_model(path, self.nodes,
                          {"x": (TensorProto.FLOAT, (images, ROWS, WIDTH))},
                          outputs, self.weights)


@pytest.mark.parametrize("seed", range(60))
def test_parts(seed, tmp_path):
    path = Network(seed).save(tmp_path / "model.onnx", "n")
    reference = ReferenceEvaluator(str(path))
    ranged = glow.compile(path, shapes={"x": ((1, 4), ROWS, WIDTH)}, threads=1,
                          options={"check-bounds": "1"})
    for images in (4, 1):
        x = np.random.default_rng(seed).standard_normal((images, ROWS, WIDTH), np.float32)
        expected = dict(zip(reference.output_names, reference.run(None, {"x": x})))
        fixed = glow.compile(path, shapes={"x": x.shape}, threads=1)
        check_equal(fixed.run({"x": x}), expected, tolerance=2e-5)
        check_equal(ranged.run({"x": x}), expected, tolerance=2e-5)

