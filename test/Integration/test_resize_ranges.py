"""Images and sequences of any extent up to a bound that are resized on the way:
what lies beyond has been NaN in the run before.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper

import glow

MOST = 37


def scaled(by, rank=2, **attributes):
    """A Resize by a factor along the spatial axes."""
    scales = numpy_helper.from_array(np.array([1, 1] + [by] * rank, np.float32), "scales")
    return [helper.make_node("Resize", ["c", "", "scales"], ["r"], **attributes)], [scales], rank


def to_size(size, **attributes):
    sizes = numpy_helper.from_array(np.array([1, 12, *size], np.int64), "sizes")
    return [helper.make_node("Resize", ["c", "", "", "sizes"], ["r"], **attributes)], [sizes], 2


def like_input(**attributes):
    """Back to the input's extents behind a convolution with strides of 2."""
    constants = [numpy_helper.from_array(np.array(v, np.int64), n)
                 for n, v in (("two", [2]), ("four", [4]), ("zero", [0]))]
    nodes = [helper.make_node("Shape", ["c"], ["own"]), helper.make_node("Shape", ["x"], ["all"]),
             helper.make_node("Slice", ["own", "zero", "two"], ["first"]),
             helper.make_node("Slice", ["all", "two", "four"], ["space"]),
             helper.make_node("Concat", ["first", "space"], ["sizes"], axis=0),
             helper.make_node("MaxPool", ["c"], ["half"], kernel_shape=[3, 3], strides=[2, 2]),
             helper.make_node("Resize", ["half", "", "", "sizes"], ["r"], **attributes)]
    return nodes, constants, 2


def blocks(op, **attributes):
    return [helper.make_node(op, ["c"], ["r"], blocksize=2, **attributes)], [], 2


HALF = {"coordinate_transformation_mode": "half_pixel"}
FLOOR = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
CORNERS = {"coordinate_transformation_mode": "align_corners"}
CASES = {
    "nearest": scaled(2, mode="nearest", **FLOOR),
    "nearest-half": scaled(3, mode="nearest", **HALF),
    "nearest-ceil": scaled(2, mode="nearest", nearest_mode="ceil", **HALF),
    "nearest-round": scaled(2, mode="nearest", nearest_mode="round_prefer_ceil",
                            coordinate_transformation_mode="asymmetric"),
    "nearest-part": scaled(1.5, mode="nearest", **FLOOR),
    "nearest-sequence": scaled(4, rank=1, mode="nearest", **FLOOR),
    "linear": scaled(2, mode="linear", **HALF),
    "linear-asymmetric": scaled(2, mode="linear", coordinate_transformation_mode="asymmetric"),
    "linear-corners": scaled(2, mode="linear", **CORNERS),
    "linear-smaller": scaled(0.5, mode="linear", **HALF),
    "linear-part": scaled(2.25, mode="linear",
                          coordinate_transformation_mode="pytorch_half_pixel"),
    "linear-symmetric": scaled(1.5, mode="linear",
                               coordinate_transformation_mode="half_pixel_symmetric"),
    "linear-sequence": scaled(2, rank=1, mode="linear", **HALF),
    "cubic": scaled(2, mode="cubic", **HALF),
    "cubic-part": scaled(1.25, mode="cubic", **HALF),
    "size": to_size((24, 19), mode="linear", **HALF),
    "size-nearest": to_size((24, 60), mode="nearest", **FLOOR),
    "like-input": like_input(mode="linear", **HALF),
    "like-input-corners": like_input(mode="linear", **CORNERS),
    "like-input-nearest": like_input(mode="nearest", **FLOOR),
    "depth-to-space": blocks("DepthToSpace"),
    "depth-to-space-crd": blocks("DepthToSpace", mode="CRD"),
}


def model_of(nodes, constants, rank):
    """The nodes, from "c" to "r", between two convolutions."""
    rng = np.random.default_rng(5)
    channels = 3 if nodes[-1].op_type == "DepthToSpace" else 12
    weights = {"v": (12, 3), "w": (8, channels)}
    arrays = [numpy_helper.from_array(
        rng.standard_normal((*shape, *[3] * rank)).astype(np.float32) / 5, name)
        for name, shape in weights.items()]
    pads = [1] * (2 * rank)
    space = ["h", "w"] if rank == 2 else ["l"]
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "v"], ["c"], pads=pads), *nodes,
         helper.make_node("Conv", ["r", "w"], ["y"], pads=pads)], "resized",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, *space])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [*constants, *arrays])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("name", CASES)
def test_any_extent(name):
    nodes, constants, rank = CASES[name]
    model = model_of(nodes, constants, rank)
    batch = 1 if name.startswith("size") else (1, 2)
    program = glow.compile(model.SerializeToString(), precision="strict", shapes={
        "x": [batch, 3, *[(4, MOST)] * rank]})
    most = 1 if batch == 1 else 2
    for count, *space in ((most, MOST, MOST), (1, 4, 4), (most, 17, 32), (1, 36, 5)):
        space = space[:rank]
        program.run({"x": np.full((most, 3, *[MOST] * rank), np.nan, np.float32)})
        x = np.random.default_rng(3).standard_normal((count, 3, *space)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=1e-5)


def test_factor_is_no_fraction():
    nodes, constants, rank = scaled(0.3, mode="linear")
    with pytest.raises(glow.GlowError, match="r.*cannot scale an extent that is not known"):
        glow.compile(model_of(nodes, constants, rank).SerializeToString(),
                     shapes={"x": [1, 3, (4, MOST), 8]})


def halved_and_doubled():
    """Two halves of a network, joined at each size; at the end blocks of pixels."""
    rng = np.random.default_rng(5)
    constants = [numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice")]
    nodes = []

    def conv(source, result, inputs, outputs, stride=1):
        weights = rng.standard_normal((outputs, inputs, 3, 3)) / np.sqrt(9 * inputs)
        constants.append(numpy_helper.from_array(weights.astype(np.float32), "w" + result))
        nodes.append(helper.make_node("Conv", [source, "w" + result], [result],
                                      pads=[1] * 4, strides=[stride] * 2))

    conv("x", "a", 3, 16)
    conv("a", "b", 16, 24, 2)
    conv("b", "c", 24, 32, 2)
    for last, before, size, outputs in (("c", "b", 56, 24), ("d_b", "a", 40, 3)):
        nodes.append(helper.make_node("Resize", [last, "", "twice"], ["u_" + before],
                                      mode="nearest", **FLOOR))
        nodes.append(helper.make_node("Concat", ["u_" + before, before], ["j_" + before], axis=1))
        conv("j_" + before, "d_" + before, size, outputs)
    nodes.append(helper.make_node("SpaceToDepth", ["d_a"], ["y"], blocksize=2))
    graph = helper.make_graph(
        nodes, "halves", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], constants)
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


def test_multiples():
    """Sizes that are halved twice come back only if they are multiples of 4."""
    model = halved_and_doubled()
    data = model.SerializeToString()
    with pytest.raises(glow.GlowError, match="perhaps of multiples, as of 64..640:32"):
        glow.compile(data, shapes={"x": [1, 3, (8, 64), (8, 64)]})
    program = glow.compile(data, shapes={"x": [1, 3, (8, 66, 4), (6, 64, 4)]})
    for size in ((64, 64), (8, 8), (36, 20)):
        program.run({"x": np.full((1, 3, 64, 64), np.nan, np.float32)})
        x = np.random.default_rng(3).standard_normal((1, 3, *size)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=5e-6)
    with pytest.raises(glow.GlowError, match="extent 33 along axis 2 .* next lower one is 32"):
        program.run({"x": np.zeros((1, 3, 33, 64), np.float32)})
    with pytest.raises(glow.GlowError, match="'h=9..11:4' has no multiple of 4"):
        glow.compile(data, shapes={"x": [1, 3, (9, 11, 4), 64]})
    with pytest.raises(glow.GlowError, match="give .least, greatest. or"):
        glow.compile(data, shapes={"x": [1, 3, (9,), 64]})


@pytest.mark.parametrize("shape", [[1, 3, 6, 6], [(1, 2), 3, (4, 9), (4, 9)]])
def test_sizes_of_some_axes(shape):
    """Of the others, open in the file, nothing is said."""
    sizes = numpy_helper.from_array(np.array([8, 7], np.int64), "sizes")
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], axes=[2, 3], mode="linear")
    graph = helper.make_graph(
        [node], "some",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [sizes])
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])
    x = np.random.default_rng(3).standard_normal((1, 3, 6, 6)).astype(np.float32)
    program = glow.compile(model.SerializeToString(), shapes={"x": shape})
    check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=1e-6)


def test_blocks_before_a_window():
    """Bands of blocks: the row of zeros behind the last one is one of a band of
    which nothing is valid."""
    rng = np.random.default_rng(5)
    weights = numpy_helper.from_array(
        rng.standard_normal((16, 12, 3, 3)).astype(np.float32) / 10, "w")
    graph = helper.make_graph(
        [helper.make_node("SpaceToDepth", ["x"], ["b"], blocksize=2),
         helper.make_node("Conv", ["b", "w"], ["y"], pads=[1] * 4)], "blocks",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [weights])
    model = helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])
    program = glow.compile(model.SerializeToString(), precision="strict", shapes={
        "x": [1, 3, (32, 320, 32), (32, 320, 32)]})
    for size in ((32, 32), (96, 64), (288, 320)):
        program.run({"x": np.full((1, 3, 320, 320), np.nan, np.float32)})
        x = rng.standard_normal((1, 3, *size)).astype(np.float32)
        check_equal(program.run({"x": x}), run_onnxruntime(model, {"x": x}), tolerance=5e-6)
