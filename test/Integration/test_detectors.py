"""What detectors do behind their networks, against ONNX Runtime: boxes that
overlap, the best of those that are found, regions of a computed number of them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import onnx.parser
import pytest
from backends import run_onnxruntime
from compare import check_equal

import glow

EVERYTHING = np.iinfo(np.int64).max


def suppression(batch, count, classes, most, centred=0, least=None):
    """One NonMaxSuppression with constant parameters."""
    least_input = "" if least is None else ", least"
    least_value = "" if least is None else (
        f"least = Constant<value_floats = [{least}]>()")
    return onnx.parser.parse_model(f"""
        <ir_version: 10, opset_import: ["": 17]>
        g (float[{batch}, {count}, 4] boxes, float[{batch}, {classes}, {count}] scores)
          => (int64[k, 3] y) {{
          most = Constant<value_ints = [{most}]>()
          iou = Constant<value_floats = [0.4]>()
          {least_value}
          y = NonMaxSuppression<center_point_box = {centred}>(
              boxes, scores, most, iou{least_input}) }}""")


def boxes_of(batch, count, centred, seed, spread=4.0):
    """Boxes of about one unit, so that a small `spread` makes them overlap."""
    rng = np.random.default_rng(seed)
    corner = rng.random((batch, count, 2)) * spread
    size = 0.2 + rng.random((batch, count, 2))
    if centred:
        return np.concatenate([corner, size], 2).astype("f4")
    # Either corner may come first.
    ends = np.stack([corner, corner + size], 2)
    swap = rng.random((batch, count, 1, 2)) < 0.5
    ends = np.where(swap, ends[:, :, ::-1], ends)
    return ends.reshape(batch, count, 4).astype("f4")


def scores_of(batch, classes, count, seed, ties=False):
    """Between 0 and 1."""
    scores = np.random.default_rng(seed + 1).random((batch, classes, count), "f4")
    return np.round(scores * 8) / 8 if ties else scores


@pytest.mark.parametrize("most", [0, 1, 7, EVERYTHING])
@pytest.mark.parametrize("count", [1, 15, 16, 100, 1700])
@pytest.mark.parametrize("centred", [0, 1])
def test_boxes(backend, count, centred, most):
    """Few and many, of which few or all are wanted."""
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    model = suppression(2, count, 3, most, centred, least=0.3)
    program = glow.compile(model.SerializeToString(), target=backend)
    for seed, spread in ((1, 4.0), (2, 40.0)):
        inputs = {"boxes": boxes_of(2, count, centred, seed, spread),
                  "scores": scores_of(2, 3, count, seed)}
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), tolerance=0)


@pytest.mark.parametrize("cpu", ["native", "x86-64-v3", "x86-64-v2"])
@pytest.mark.parametrize("threads", [1, 2])
def test_equal_scores_and_none(cpu, threads):
    """Of equal scores the first; no box of a class may have any; all may do."""
    for least in (None, 0.5, 2.0):
        model = suppression(1, 333, 5, EVERYTHING, least=least)
        program = glow.compile(model.SerializeToString(), threads=threads,
                               options={"mcpu": cpu, "check-bounds": "1"})
        inputs = {"boxes": boxes_of(1, 333, 0, 3),
                  "scores": scores_of(1, 5, 333, 3, ties=True)}
        inputs["scores"][0, 2] = 0.25
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), tolerance=0)


def test_scores_that_are_no_numbers():
    """Such a box is not there, in a class whose others are."""
    model = suppression(1, 40, 1, EVERYTHING)
    inputs = {"boxes": boxes_of(1, 40, 0, 5), "scores": scores_of(1, 1, 40, 5)}
    inputs["scores"][0, 0, ::3] = np.nan
    chosen = glow.compile(model.SerializeToString()).run(inputs)["y"][:, 2]
    kept = [i for i in range(40) if i % 3]
    without = suppression(1, len(kept), 1, EVERYTHING)
    expected = run_onnxruntime(without, {"boxes": inputs["boxes"][:, kept],
                                         "scores": inputs["scores"][:, :, kept]})
    assert list(chosen) == [kept[i] for i in expected["y"][:, 2]]


# As torchvision exports a detector: the boxes with a score, the best of them,
# of each class those that do not overlap, a few of these, and what a region of
# an image holds for each. A branch is taken where nothing has been found.
DETECTOR = """
    <ir_version: 10, opset_import: ["": 17]>
    g (float[{count}, 4] boxes, float[{count}, 3] scores, float[1, 2, 8, 8] image)
      => (float[k, 4] b, float[k] s, int64[k] c, float[k, 2, 2, 2] r) {{
      least = Constant<value_float = 0.5>()
      zero = Constant<value_int = 0>()
      zeros = Constant<value_ints = [0]>()
      ones = Constant<value_ints = [1]>()
      most = Constant<value_ints = [9]>()
      few = Constant<value_ints = [4]>()
      is_found = Greater(scores, least)
      found = NonZero(is_found)
      places = Transpose<perm = [1, 0]>(found)
      values = GatherND(scores, places)
      size = Shape(values)
      counts = Concat<axis = 0>(size, most)
      count = ReduceMin<keepdims = 0>(counts)
      k1 = Reshape(count, ones)
      best, order = TopK(values, k1)
      chosen = Gather<axis = 0>(places, order)
      box_at, class_at = Split<axis = 1>(chosen, halves)
      box_of = Squeeze(box_at, ones)
      class_of = Squeeze(class_at, ones)
      own = Gather<axis = 0>(boxes, box_of)
      number = Size(own)
      is_empty = Equal(number, zero)
      keep = If (is_empty) <
        then_branch = none () => (int64[0] e) {{
          e = Constant<value = int64[0] {{}}>() }},
        else_branch = some () => (int64[j] i) {{
          far = Constant<value_float = 100.0>()
          iou = Constant<value_floats = [0.3]>()
          all = Constant<value_ints = [9223372036854775807]>()
          third = Constant<value_ints = [2]>()
          batch = Constant<value_ints = [0, 1]>()
          class_f = Cast<to = 1>(class_of)
          offset = Mul(class_f, far)
          column = Unsqueeze(offset, ones)
          apart = Add(own, column)
          apart1 = Unsqueeze(apart, zeros)
          best1 = Unsqueeze(best, batch)
          nms = NonMaxSuppression(apart1, best1, all, iou)
          third_of = Gather<axis = 1>(nms, third)
          i = Squeeze(third_of, ones) }} >
      first = Slice(keep, zeros, few)
      b = Gather<axis = 0>(own, first)
      s = Gather<axis = 0>(best, first)
      c = Gather<axis = 0>(class_of, first)
      images = Mul(c, zero)
      r = RoiAlign<output_height = 2, output_width = 2, sampling_ratio = {samples}>(
          image, b, images) }}"""


@pytest.mark.parametrize("samples", [0, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_detector(samples, threads):
    """Something, much and nothing is found."""
    text = DETECTOR.format(count=40, samples=samples)
    model = onnx.parser.parse_model(text)
    halves = onnx.numpy_helper.from_array(np.array([1, 1]), "halves")
    model.graph.initializer.append(halves)
    program = glow.compile(model.SerializeToString(), threads=threads)
    for seed, part in enumerate((0.5, 1.0, 0.0, 0.55, 0.51)):
        boxes = np.sort(boxes_of(1, 40, 0, seed)[0].reshape(40, 2, 2), 1)
        inputs = {"boxes": boxes.reshape(40, 4),
                  "scores": scores_of(1, 40, 3, seed)[0] * np.float32(part + 0.02),
                  "image": np.random.default_rng(seed).standard_normal(
                      (1, 2, 8, 8), "f4")}
        check_equal(program.run(inputs), run_onnxruntime(model, inputs))


def chosen_branch(empty, full):
    """An If whose first branch is an empty constant of this shape."""
    text = f"""
        <ir_version: 10, opset_import: ["": 17]>
        g (bool b, float[{full[0]}, {full[1]}] x) => (float[k, l] y) {{
          y = If (b) <
            then_branch = none () => (float[{empty[0]}, {empty[1]}] e) {{
              e = Constant<value = float[{empty[0]}, {empty[1]}] {{}}>() }},
            else_branch = some () => (float[m, n] r) {{ r = Relu(x) }} > }}"""
    return onnx.parser.parse_model(text)


@pytest.mark.parametrize("empty,full", [
    ((0, 4), (3, 4)), ((0, 2), (3, 4)), ((0, 4), (3, 2)), ((4, 0), (3, 2)),
    ((0, 0), (3, 2)), ((0, 4), ("n", 4)), ((0, 2), ("n", 4)),
    ((0, 4), ("n", 2))])
def test_empty_branches(backend, empty, full):
    """The empty one has its own shape, also if that is no part of the other's."""
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    model = chosen_branch(empty, full)
    shapes = {"x": [(1, 6), full[1]]} if full[0] == "n" and backend == "cpu" else None
    program = glow.compile(model.SerializeToString(), shapes=shapes, target=backend)
    x = np.random.default_rng(0).standard_normal((3, full[1]), "f4")
    for branch in (False, True):
        inputs = {"b": np.array(branch), "x": x}
        check_equal(program.run(inputs), run_onnxruntime(model, inputs), tolerance=0)


def test_boxes_without_scores(backend):
    """Extents that differ are an error, when compiled or when run."""
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    model = suppression("a", "n", 1, 5)
    model.graph.input[1].type.tensor_type.shape.dim[2].dim_param = "m"
    shapes = {"boxes": [1, (1, 10), 4], "scores": [1, 1, (1, 10)]}
    inputs = {"boxes": boxes_of(1, 3, 0, 1), "scores": scores_of(1, 1, 5, 1)}
    with pytest.raises(glow.GlowError):
        glow.compile(model.SerializeToString(), target=backend,
                     shapes=shapes if backend == "cpu" else None).run(inputs)


@pytest.mark.parametrize("change,message", [
    ({"columns": 5}, "a box is 4 numbers, not 5"),
    ({"centred": 2}, "'center_point_box' is 0 or 1, not 2")])
def test_boxes_of_another_kind(change, message):
    """Errors of the importer."""
    model = suppression(1, 9, 1, 5, change.get("centred", 0))
    boxes = model.graph.input[0].type.tensor_type.shape
    boxes.dim[2].dim_value = change.get("columns", 4)
    with pytest.raises(glow.GlowError, match=message):
        glow.compile(model.SerializeToString())


@pytest.mark.parametrize("kept", [5, 0, 12])
def test_boxes_and_scores_of_two_masks(kept):
    """As many are kept of both, which only a run tells; or not, which it says."""
    model = onnx.parser.parse_model("""
        <ir_version: 10, opset_import: ["": 17]>
        g (float[1, 12, 4] boxes, float[1, 2, 12] scores, bool[12] a, bool[12] b)
          => (int64[k, 3] y) {
          most = Constant<value_ints = [4]>()
          iou = Constant<value_floats = [0.4]>()
          x = Compress<axis = 1>(boxes, a)
          s = Compress<axis = 2>(scores, b)
          y = NonMaxSuppression(x, s, most, iou) }""")
    program = glow.compile(model.SerializeToString())
    inputs = {"boxes": boxes_of(1, 12, 0, 1), "scores": scores_of(1, 2, 12, 1),
              "a": np.arange(12) < kept, "b": np.arange(12) >= 12 - kept}
    check_equal(program.run(inputs), run_onnxruntime(model, inputs), tolerance=0)
    inputs["a"] = np.arange(12) < (kept + 1) % 13
    with pytest.raises(glow.GlowError, match="not as many boxes as scores"):
        program.run(inputs)
