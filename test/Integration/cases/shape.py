"""Operators that move data without looking at it.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from .case import Table, const

TABLE = Table()
add, data = TABLE.add, TABLE.data

DTYPES = [np.float16, np.float64, ml_dtypes.bfloat16, np.int8, np.int32,
          np.int64, np.uint8, bool]
X = (2, 3, 4)
for index, shape in enumerate([[4, 6], [24], [2, -1], [0, -1], [0, 0, 2, 2],
                               [1, 2, 1, 3, 1, 4], [-1]]):
    add("Reshape", data(*X), const(shape), label=str(index))
add("Reshape", data(0, 3), const([3, 0]), allowzero=1, label="allowzero")
add("Reshape", data(1), const(np.zeros(0, np.int64)), label="to-scalar")
add("Reshape", data(), const([1, 1]), label="from-scalar")
add("Reshape", data(2, 6), shape=[3, 4], opset=4, label="opset4",
    expected=lambda x0: [x0.reshape(3, 4)])

for perm in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1], [2, 0, 1]]:
    add("Transpose", data(*X), perm=perm, label="".join(map(str, perm)))
add("Transpose", data(*X), label="default")
add("Transpose", data(2, 3, 4, 5), perm=[0, 2, 3, 1], label="nhwc")
add("Transpose", data(2, 3, 4, 5), perm=[0, 3, 1, 2], label="nchw")
add("Transpose", data(2, 3, 4, 2, 3), perm=[2, 0, 3, 1, 4], label="heads")
add("Transpose", data(130, 70), label="large")
add("Transpose", data(3, 10, 4, 37), perm=[3, 2, 1, 0], label="joined")
add("Transpose", data(37, 4, 10, 3), perm=[3, 2, 1, 0], label="joined_source")
add("Transpose", data(), label="scalar")

for axis in (0, 1, 2, -1):
    shapes = [[2, 3, 4], [2, 3, 4], [2, 3, 4]]
    for extent, shape in enumerate(shapes, 1):
        shape[axis] = extent
    add("Concat", *[data(*s) for s in shapes], axis=axis, label=f"axis{axis}")
add("Concat", data(2, 3), axis=0, label="one")
add("Concat", data(2, 0), data(2, 3), axis=1, label="empty")
x = data(2, 3)
TABLE.add_graph(
    "Concat-same-twice",
    [helper.make_node("Concat", ["x", "x"], ["y"], axis=0)], {"x": x})

add("Split", data(6, 4), num_outputs=3, outputs=3, label="equal", opset=18)
add("Split", data(7, 4), num_outputs=3, outputs=3, label="uneven", opset=18)
add("Split", data(6, 4), const([1, 2, 3]), outputs=3, label="sizes")
add("Split", data(6, 4), const([1, 3]), axis=-1, outputs=2, label="axis-1")
add("Split", data(6, 4), const([0, 6]), outputs=2, label="empty-part")
add("Split", data(6, 4), axis=1, outputs=2, opset=13, label="opset13")
add("Split", data(6, 4), split=[2, 4], outputs=2, opset=11, label="opset11")
add("Split", data(6, 4), axis=1, outputs=2, opset=2, label="opset2")

SLICES = {
    "plain": ([1], [3], [1], None), "two-axes": ([0, 1], [1, 3], [0, 2], None),
    "default-axes": ([0, 1], [2, 3], None, None),
    "negative": ([-3], [-1], [-1], None), "past-end": ([1], [99], [2], None),
    "maximum": ([1], [2**63 - 1], [1], None),
    "step": ([0], [4], [2], [2]), "reverse": ([-1], [-99], [2], [-1]),
    "reverse-step": ([3], [0], [2], [-2]), "empty": ([2], [1], [1], None),
    "all": ([0, 0, 0], [2, 3, 4], [0, 1, 2], [1, 1, 2]),
    "clamped-start": ([-99], [2], [1], None),
}
for label, operands in SLICES.items():
    add("Slice", data(*X), *[None if o is None else const(o)
                             for o in operands], label=label)
add("Slice", data(*X), const([1], np.int32), const([3], np.int32),
    const([1], np.int32), label="int32-bounds")
add("Slice", data(*X), starts=[0, 1], ends=[1, 3], axes=[0, 2], opset=9,
    label="opset9")

for index, shape in enumerate([[2, 3, 4], [5, 1, 3, 4], [1, 1], [4]]):
    add("Expand", data(3, 4) if len(shape) > 1 else data(1), const(shape),
        label=str(index))
add("Expand", data(2, 1, 4), const([3, 1]), label="keeps-larger")
add("Expand", data(), const([2, 3]), label="scalar")
for index, repeats in enumerate([[1, 2, 3], [2, 1, 1], [1, 1, 1], [2, 0, 1]]):
    add("Tile", data(*X), const(repeats), label=str(index))

for mode in ["constant", "reflect", "edge", "wrap"]:
    add("Pad", data(4, 5), const([1, 2, 3, 1]), mode=mode, label=mode)
    add("Pad", data(2, 3, 4, 5), const([0, 0, 1, 2, 0, 0, 2, 1]), mode=mode,
        label=f"images-{mode}")
for mode in ["edge", "wrap"]:
    add("Pad", data(4, 5), const([9, 11, 13, 7]), mode=mode, label=f"far-{mode}", opset=19)
add("Pad", data(4, 5), const([1, 0, 0, 2]), const(1.5), label="value")
add("Pad", data(4, 5), const([1, 2]), const(0.5), const([1]), label="axes")
add("Pad", data(4, 5), const([-1, 0, 0, -2]), label="negative")
add("Pad", data(4, 5), const([-1, 2, 1, -2]), const(3.0), label="mixed")
# What is padded at one end goes to the other.
add("Pad", data(4, 5), const([-5, 1, 6, 1]), const(3.0), label="beyond")
add("Pad", data(4, 5), const([0, 9, 1, -12]), label="beyond-end")
add("Pad", data(4, 5), pads=[1, 2, 3, 1], value=0.5, opset=2, label="opset2")
add("Pad", data(4, dtype=np.int64, low=-9, high=9), const([1, 2]),
    const(7), label="int64-value")

add("Squeeze", data(1, 3, 1, 4), label="all")
add("Squeeze", data(1, 3, 1, 4), const([0]), label="axis0")
add("Squeeze", data(1, 3, 1, 4), const([0, -2]), label="axes")
add("Squeeze", data(1, 3, 1, 4), axes=[2], opset=11, label="opset11")
add("Unsqueeze", data(3, 4), const([0]), label="axis0")
add("Unsqueeze", data(3, 4), const([0, 3, -1]), label="axes")
add("Unsqueeze", data(3, 4), axes=[1], opset=11, label="opset11")
add("Unsqueeze", data(), const([0]), label="scalar")
for axis in (0, 1, 2, 3, -1):
    add("Flatten", data(2, 3, 4), axis=axis, label=f"axis{axis}")
add("Flatten", data(2, 3, 4), opset=9, label="opset9")

for mode in ["DCR", "CRD"]:
    add("DepthToSpace", data(2, 8, 3, 4), blocksize=2, mode=mode, label=mode)
add("SpaceToDepth", data(2, 3, 4, 6), blocksize=2)

add("Shape", data(2, 3, 4), label="all")
add("Shape", data(2, 3, 4), start=1, label="start")
add("Shape", data(2, 3, 4), start=-2, end=-1, label="range")
add("Shape", data(2, 3, 4), opset=13, label="opset13")
add("Shape", data(), label="scalar")
add("Size", data(2, 3, 4))
add("ConstantOfShape", const([2, 3]), label="default")
add("ConstantOfShape", const([2, 3]), label="int64",
    value=numpy_helper.from_array(np.array([7])))
add("ConstantOfShape", const(np.zeros(0, np.int64)), label="scalar",
    value=numpy_helper.from_array(np.array([2.5], np.float32)))
add("EyeLike", data(3, 4))
add("EyeLike", data(3, 4), k=1, dtype=TensorProto.INT64, label="diagonal")
for upper in (0, 1):
    add("Trilu", data(2, 4, 5), upper=upper, label=f"{upper}")
    add("Trilu", data(4, 4), const(1, np.int64), upper=upper,
        label=f"{upper}-k1")
    add("Trilu", data(5, 4), const(-2, np.int64), upper=upper,
        label=f"{upper}-k-2")
add("Trilu", data(4, 4, dtype=np.int64, low=-9, high=9), label="int64")
add("Trilu", data(4, 4, dtype=bool), upper=0, label="bool")
add("Range", const(0, np.int64), const(7, np.int64), const(2, np.int64),
    label="int64")
add("Range", const(5, np.int32), const(-3, np.int32), const(-2, np.int32),
    label="int32-down")
add("Range", const(0.5), const(2.0), const(0.25), label="float32")
add("CenterCropPad", data(4, 7), const([6, 3]))
add("CenterCropPad", data(3, 4, 7), const([6, 3]), axes=[1, 2], label="axes")
for time_axis in (0, 1):
    add("ReverseSequence", data(4, 4, 3), const([1, 2, 3, 4]),
        time_axis=time_axis, batch_axis=1 - time_axis,
        label=f"time{time_axis}")
add("ReverseSequence", data(3, 5, dtype=np.int64), np.array([0, 5, 1]),
    time_axis=1, batch_axis=0, label="lengths-as-input")

for dtype in DTYPES:
    name = np.dtype(dtype).name
    x = data(2, 6, dtype=dtype, low=-5, high=5)
    add("Reshape", x, const([3, 4]), label=name)
    add("Transpose", x, label=name)
    add("Concat", x, x, axis=1, label=name)
    add("Slice", x, const([1]), const([5]), const([1]), const([2]),
        label=name)
    add("Expand", x, const([3, 2, 6]), label=name)
    add("Tile", x, const([2, 2]), label=name)
    add("Split", x, const([2, 4]), axis=1, outputs=2, label=name)
    if dtype is not ml_dtypes.bfloat16:
        add("Pad", x, const([0, 1, 1, 0]), label=name)

# Image resampling: mode x coordinate transformation, by scales and by sizes.
IMAGE = (1, 2, 4, 5)
for mode in ["nearest", "linear", "cubic"]:
    for transform in ["half_pixel", "asymmetric", "align_corners",
                      "pytorch_half_pixel", "half_pixel_symmetric"]:
        for label, scales in [("up", [1, 1, 2, 2]), ("down", [1, 1, 0.5, 0.8])]:
            add("Resize", data(*IMAGE), None, const(scales, np.float32),
                mode=mode, coordinate_transformation_mode=transform,
                label=f"{mode}-{transform}-{label}")
    add("Resize", data(*IMAGE), None, None, const([1, 2, 7, 9]), mode=mode,
        label=f"{mode}-sizes")
for rounding in ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]:
    add("Resize", data(*IMAGE), None, None, const([1, 2, 7, 3]),
        mode="nearest", nearest_mode=rounding, label=rounding)
# 2 * 7 / 4 is a tie, which 2 / (4 / 7) is not when the scale is rounded.
add("Resize", data(1, 1, 7, 3), None, None, const([1, 1, 4, 3]), nearest_mode="round_prefer_ceil",
    coordinate_transformation_mode="asymmetric", label="tie")
add("Resize", data(*IMAGE), None, const([2, 3], np.float32), axes=[2, 3],
    mode="nearest", label="axes")
for policy in ["not_larger", "not_smaller"]:
    add("Resize", data(*IMAGE), None, None, const([9, 9]), axes=[2, 3],
        keep_aspect_ratio_policy=policy, mode="linear", label=policy)
for mode in ["linear", "cubic"]:
    add("Resize", data(*IMAGE), None, const([1, 1, 0.5, 0.5], np.float32),
        mode=mode, antialias=1, label=f"antialias-{mode}")
# Of so many results that there is a product for some of them each.
for label, shape, axes in [("rows", (2, 90, 170), [1, 2]), ("front", (190, 3, 2), [0]),
                           ("line", (250,), [0])]:
    add("Resize", data(*shape), None, None, const([75, 82][:len(axes)]), axes=axes,
        mode="linear", antialias=1, label=f"antialias-{label}")
add("Resize", data(1, 2, 40, 60), const([0, 0, 0.4, -0.6, 1, 1, 0.6, 1.9],
    np.float32), None, const([1, 2, 70, 90]), mode="linear",
    coordinate_transformation_mode="tf_crop_and_resize",
    extrapolation_value=5.0, label="crop-far")
add("Resize", data(*IMAGE), None, const([1, 1, 2, 2], np.float32),
    mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1,
    label="cubic-parameters")
add("Resize", data(*IMAGE), const([0, 0, 0.2, 0.1, 1, 1, 0.8, 0.9],
    np.float32), None, const([1, 2, 3, 3]), mode="linear",
    coordinate_transformation_mode="tf_crop_and_resize",
    extrapolation_value=5.0, label="crop")
add("Resize", data(*IMAGE), const([1, 1, 2, 2], np.float32), mode="nearest",
    opset=10, label="opset10")
add("Resize", data(*IMAGE), const(np.zeros(0), np.float32),
    const([1, 1, 2, 2], np.float32), mode="linear", opset=11, label="opset11")
add("Upsample", data(*IMAGE), const([1, 1, 2, 2], np.float32), mode="nearest",
    opset=9, label="nearest")
add("Upsample", data(*IMAGE), const([1, 1, 2, 2], np.float32), mode="linear",
    opset=9, label="linear")

GRID = (1, 3, 4, 2)
for mode in ["linear", "nearest", "cubic"]:
    for padding in ["zeros", "border", "reflection"]:
        for corners in (0, 1):
            add("GridSample", data(*IMAGE), data(*GRID, low=-1.2, high=1.2),
                mode=mode, padding_mode=padding, align_corners=corners,
                label=f"{mode}-{padding}-{corners}")
add("AffineGrid", data(1, 2, 3), const([1, 2, 4, 5]))
add("Col2Im", data(1, 8, 9), const([4, 4]), const([2, 2]))
add("Col2Im", data(1, 8, 9), const([6, 6]), const([2, 2]), strides=[2, 2],
    label="strides")
add("Col2Im", data(2, 24, 6), const([5, 8]), const([3, 4]), strides=[3, 4],
    pads=[1, 0, 0, 4], label="tiles-pads")
add("Col2Im", data(2, 12, 6), const([5, 5]), const([2, 3]),
    dilations=[3, 2], pads=[1, 0, 0, 1], label="dilations-pads")
add("Col2Im", data(2, 12, 30), const([5, 6]), const([2, 3]),
    dilations=[2, 1], pads=[1, 0, 1, 2], label="shifted")
add("Col2Im", data(1, 6, 4), const([9]), const([3]), strides=[2],
    label="line")
