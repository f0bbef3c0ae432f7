"""Of a number of images or rows that is known at run time, threads share those
that there are.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from model_abi import LoadedModel
from onnx import helper
from plain_c import call
from product_models import float_model

import glow


def weights(*shape):
    values = np.random.default_rng(1).standard_normal(shape, np.float32)
    return values / np.sqrt(np.prod(shape[1:]), dtype=np.float32)


def conv(nodes, constants, name, source, channels, kernel, **attributes):
    constants[name + "w"] = weights(channels, *kernel)
    nodes += [helper.make_node("Conv", [source, name + "w"], [name + "c"],
                               **attributes),
              helper.make_node("Relu", [name + "c"], [name])]
    return name


def image_model():
    """Convolutions of each kind, a pool, a mean and a product."""
    nodes, constants = [], {}
    y = conv(nodes, constants, "a", "x", 64, (16, 7, 7), strides=[2, 2],
             pads=[3] * 4)
    y = conv(nodes, constants, "b", y, 64, (64, 3, 3), pads=[1] * 4)
    y = conv(nodes, constants, "d", y, 64, (1, 3, 3), pads=[1] * 4, group=64)
    y = conv(nodes, constants, "e", y, 256, (64, 1, 1))
    nodes += [helper.make_node("MaxPool", [y], ["p"], kernel_shape=[2, 2],
                               strides=[2, 2])]
    y = conv(nodes, constants, "f", "p", 128, (256, 3, 3), pads=[1] * 4)
    nodes += [helper.make_node("ReduceMean", [y], ["m"], axes=[2, 3], keepdims=0),
              helper.make_node("MatMul", ["m", "w"], ["y"])]
    constants["w"] = weights(128, 1024)
    return float_model(nodes, {"x": ["n", 16, 56, 56]}, ["n", 1024], constants)


def text_model():
    """Attention of four heads, and what follows it."""
    constants = {"w1": weights(256, 1024), "w2": weights(1024, 256),
                 "split": np.array([0, 0, 4, 64]),
                 "join": np.array([0, 0, 256]), "scale": np.ones(256, "f4")}
    nodes = []
    for name in "qkv":
        constants["w" + name] = weights(256, 256)
        nodes += [
            helper.make_node("MatMul", ["x", "w" + name], [name + "p"]),
            helper.make_node("Reshape", [name + "p", "split"], [name + "s"]),
            helper.make_node("Transpose", [name + "s"], [name],
                             perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3])]
    nodes += [
        helper.make_node("MatMul", ["q", "k"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["p"]),
        helper.make_node("MatMul", ["p", "v"], ["heads"]),
        helper.make_node("Transpose", ["heads"], ["t"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["t", "join"], ["j"]),
        helper.make_node("LayerNormalization", ["j", "scale"], ["l"]),
        helper.make_node("MatMul", ["l", "w1"], ["h"]),
        helper.make_node("Tanh", ["h"], ["g"]),
        helper.make_node("MatMul", ["g", "w2"], ["y"])]
    return float_model(nodes, {"x": ["n", 64, 256]}, ["n", 64, 256], constants)


def run_in_halves(model, most, images, bin_dir, tmp_path, check):
    """Compiles a model for up to `most` images, runs it with some, one half of
    the tickets after the other, and calls check(instr, bytes each changed), also
    of scratch memory, of which each has its own."""
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, path)
    dims = model.graph.input[0].type.tensor_type.shape.dim
    fixed = [d.dim_value for d in dims][1:]
    shape = "x".join(map(str, fixed))
    call(bin_dir / "glow-compile", path, "--shape", f"x=1..{most}x{shape}",
         "-o", library)
    x = np.random.default_rng(2).standard_normal((most, *fixed), "f4")
    expected, = glow.load(library).run({"x": x[:images]}).values()
    result = np.zeros((most, *expected.shape[1:]), "f4")
    loaded = LoadedModel(library, workers=2)

    def parallel_for(instr, kernel, args, tickets):
        wrote = []
        for worker, (begin, end) in enumerate(((0, tickets // 2),
                                               (tickets // 2, tickets))):
            before = loaded.memory.copy(), result.copy()
            kernel(args, begin, end, worker)
            wrote.append((loaded.memory != before[0]).sum() +
                         (result != before[1]).sum())
        check(instr, wrote)

    loaded.run([x, np.array([images])], [result], parallel_for)
    np.testing.assert_array_equal(result[:images], expected)


@pytest.mark.parametrize("make", [image_model, text_model])
@pytest.mark.parametrize("images, most", [(1, 3), (1, 8), (2, 8), (8, 8)])
def test_both_halves_of_the_tickets_have_work(make, images, most, bin_dir,
                                              tmp_path):
    seen = []

    def check(instr, wrote):
        # Unless it takes no time, or another one computes these rows. Of the image
        # that is left of a loop the loop counts the work.
        is_left = instr.flops == 0 and sum(wrote) > 1 << 16
        if any(wrote) and (is_left or instr.flops * images > 1e6 * most):
            seen.append(instr.op)
            least = max(wrote) / 8
            assert min(wrote) > least, (instr.op, instr.name, wrote)

    run_in_halves(make(), most, images, bin_dir, tmp_path, check)
    # A loop over images is one instruction.
    has_loop = make is image_model and most == 8 and images > 1
    assert len(seen) >= (1 if has_loop else 4)


def test_an_index_that_may_be_negative():
    """It counts from the end of an axis that is fixed: all of that is read."""
    model = float_model(
        [helper.make_node("Softmax", ["x"], ["rows"], axis=1),
         helper.make_node("Shape", ["z"], ["shape"]), helper.make_node("Squeeze", ["shape"], ["n"]),
         helper.make_node("Sub", ["n", "three"], ["index"]),
         helper.make_node("Gather", ["rows", "index"], ["y"], axis=0)],
        {"x": [64, 16], "z": ["n"]}, [16], {"three": np.array(3)})
    program = glow.compile(model.SerializeToString(), shapes={"x": [64, 16], "z": [(1, 6)]})
    x = np.random.default_rng(3).standard_normal((64, 16)).astype("f4")
    rows = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    for n in (6, 3, 2, 1):
        program.run({"x": np.full_like(x, np.nan), "z": np.zeros(6, "f4")})
        y, = program.run({"x": x, "z": np.zeros(n, "f4")}).values()
        np.testing.assert_allclose(y, rows[n - 3], rtol=1e-5)
