"""Chains of instructions as loops over the images of a batch, against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re

import numpy as np
import onnx
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal
from conv_chains import Chain
from cpu_code import check_cpu_code, random_inputs
from onnx import numpy_helper
from plain_c import call

import glow

ROUND = {"pads": [1, 1, 1, 1]}


def bottleneck(batch):
    """Winograd's algorithm is a loop in the loop."""
    return (Chain(batch, 32, 18, 14).conv(16, 1).add("Relu").conv(16, 3, **ROUND)
            .add("Relu").conv(32, 1).add("Add", "x").add("Relu").model())


def excited(batch):
    """Means of images, and products of one row each."""
    chain = Chain(batch, 24, 16, 16).conv(48, 1).add("HardSwish").depthwise(3, **ROUND)
    wide = chain.last
    return (chain.add("GlobalAveragePool").conv(12, 1).add("Relu").conv(48, 1)
            .add("Sigmoid").add("Mul", wide).conv(24, 1).add("Add", "x").model())


def dense(batch):
    """Each result is part of what all that follow read."""
    chain = Chain(batch, 16, 15, 13)
    for _ in range(3):
        before, channels = chain.last, chain.channels
        chain.conv(32, 1).add("Relu").conv(8, 3, **ROUND).concat(before, channels)
    return chain.conv(16, 1).model()


def pooled(batch):
    """Strides, pools with padding and a dilated convolution."""
    return (Chain(batch, 3, 33, 29).conv(32, 3, strides=[2, 2], **ROUND).add("Relu")
            .add("MaxPool", kernel_shape=[3, 3], strides=[2, 2], **ROUND).conv(48, 1)
            .conv(16, 3, pads=[2, 2, 2, 2], dilations=[2, 2])
            .add("AveragePool", kernel_shape=[2, 2]).model())


def both(batch):
    """A result in the middle that is one of the model."""
    chain = Chain(batch, 32, 16, 16).conv(64, 1).add("Relu")
    middle = chain.last
    return chain.conv(32, 1).add("Relu").conv(64, 1).add("Add", middle).model(middle)


def grouped(batch):
    """Channels of several groups."""
    return (Chain(batch, 32, 17, 17).conv(64, 1).add("Relu").conv(64, 3, 4, **ROUND)
            .add("Relu").conv(32, 1).add("Softmax", axis=1).model())


def tokens(batch):
    """Between convolutions the pixels of all images are the rows of matrices, which
    something that is not part of loops puts into another order."""
    chain = Chain(batch, 32, 16, 16).conv(64, 1)
    ones = np.ones(64, np.float32)
    values = {"images": [-1, 256, 64], "rows": [-1, 64], "back": [-1, 16, 16, 64],
              "order": np.arange(256)[::-1], "one": ones, "w": np.outer(ones, ones) / 64}
    for name, value in values.items():
        chain.weights.append(numpy_helper.from_array(np.array(value), name))
    return (chain.add("Transpose", perm=[0, 2, 3, 1]).add("Reshape", "rows")
            .add("MatMul", "w").add("Softmax", axis=-1).add("Reshape", "images")
            .add("Gather", "order", axis=1).add("Reshape", "rows")
            .add("LayerNormalization", "one").add("MatMul", "w").add("Softmax", axis=-1)
            .add("Reshape", "back").add("Transpose", perm=[0, 3, 1, 2]).conv(32, 1)
            .add("Relu").conv(32, 3, **ROUND).add("Add", "x").model())


MODELS = [bottleneck, excited, dense, pooled, both, grouped, tokens]
# Of one image most fits, of eight it does not.
SMALL = "l1=16K,l2=64K,l3=64K"


def loops(model, bin_dir, folder, machine, *options):
    """The batches over which the model has loops."""
    path = folder / "model.onnx"
    onnx.save(model, path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst", "--elide-resources",
                f"--machine={machine}", *options).decode()
    return [int(extent) for extent in re.findall(r"^ {4}glow_inst\.forall \[(\d+)\] ins", text, re.M)]


@pytest.mark.parametrize("precision", ["strict", "fp32", "bf16"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_images(model, precision, bin_dir, tmp_path):
    built = model(8)
    assert 8 in loops(built, bin_dir, tmp_path, SMALL, f"--precision={precision}")
    check_cpu_code(built, random_inputs(built), precision,
                   0.03 if precision == "bf16" else 1e-4, machine=SMALL)


@pytest.mark.parametrize("batch", [2, 3, 7, 16, 24])
def test_other_batches(batch, bin_dir, tmp_path):
    """Of seven images both of two threads share the last one."""
    built = excited(batch)
    assert batch in loops(built, bin_dir, tmp_path, SMALL)
    check_cpu_code(built, random_inputs(built), "fp32", 1e-4, machine=SMALL)


def open_batch(model):
    """The options for one to eight images."""
    image = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim][1:]
    return {"x": [(1, 8), *image]}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_open_batches(model, bin_dir, tmp_path):
    """On three threads each has an image of three, and all share those that are
    left: one of one, two of five. Nothing of a run with more images is seen."""
    built = model("n")
    image = "x".join(map(str, open_batch(built)["x"][1:]))
    assert 8 in loops(built, bin_dir, tmp_path, SMALL, f"--shape=x=1..8x{image}")
    programs = [glow.compile(built.SerializeToString(), precision="strict", threads=threads,
                             shapes=open_batch(built),
                             options={"machine": SMALL, "check-bounds": "1"})
                for threads in (1, 2, 3)]
    for images in (8, 1, 2, 3, 5, 7):
        x = np.random.default_rng(images).standard_normal(
            [images, *open_batch(built)["x"][1:]], np.float32)
        want = run_onnxruntime(built, {"x": x})
        one, *others = (program.run({"x": x}) for program in programs)
        check_equal(one, want, tolerance=1e-4)
        for other in others:
            check_equal(other, one, tolerance=0)


def test_large_caches(bin_dir, tmp_path):
    assert 8 not in loops(bottleneck(8), bin_dir, tmp_path, "l2=64M,l3=64M")


LOOP = """<ir_version: 9, opset_import: ["": 17]>
g (float[4, 8, 12, 12] x, int64 n, float[8, 8, 1, 1] w) => (float[4, 8, 12, 12] y) {
  a = Conv(x, w)
  yes = Constant<value = bool {1}>()
  y = Loop(n, yes, a)<body = b (int64 i, bool k, float[4, 8, 12, 12] s)
      => (bool go, float[4, 8, 12, 12] t) { t = Add(s, x) go = Identity(k) }> }"""


def test_loop_beside():
    """A loop on data counts in a buffer without axes."""
    model = onnx.parser.parse_model(LOOP)
    inputs = random_inputs(model) | {"n": np.array(3)}
    check_cpu_code(model, inputs, "fp32", 1e-4, machine=SMALL)
