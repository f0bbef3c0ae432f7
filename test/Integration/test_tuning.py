"""Tunings: whatever a file says, code is right, or the file is refused.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper
from plain_c import call

import glow


def save_model(path):
    """Convolutions with and without padding, in groups and of single pixels,
    and products with packed, plain and transposed matrices."""
    rng = np.random.default_rng(0)
    nodes, weights = [], []

    def add(op, inputs, result, *shapes, **attributes):
        names = [f"{result}_w{i}" for i in range(len(shapes))]
        weights.extend(
            numpy_helper.from_array(rng.standard_normal(s, np.float32) / 8, n)
            for s, n in zip(shapes, names))
        nodes.append(helper.make_node(op, [*inputs, *names], [result],
                                      **attributes))

    add("Conv", ["x"], "a", (40, 7, 3, 3), pads=[1, 1, 1, 1])
    add("Relu", ["a"], "b")
    add("Conv", ["b"], "c", (48, 40, 1, 1), (48,))
    add("Conv", ["c"], "d", (48, 1, 3, 3), group=48, pads=[1, 0, 1, 2])
    add("Conv", ["d"], "e", (50, 24, 2, 3), group=2, strides=[2, 1])
    add("Flatten", ["e"], "f", axis=2)
    # Too large to become one loop, whose kernels could not be told apart.
    add("MatMul", ["f"], "g", (54, 12000))
    add("MatMul", ["g", "h"], "i")
    add("Transpose", ["h"], "j", perm=[0, 2, 1])
    add("MatMul", ["i", "j"], "y")
    info = helper.make_tensor_value_info
    inputs = {"x": (1, 7, 12, 11), "h": (1, 12000, 33)}
    graph = helper.make_graph(
        nodes, "tuned",
        [info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
        [info("y", TensorProto.FLOAT, None)], weights)
    onnx.save(helper.make_model(
        graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), path)
    return {n: rng.standard_normal(s, np.float32) for n, s in inputs.items()}


@pytest.fixture(scope="module")
def tuned(request, tmp_path_factory):
    """A model, its inputs and outputs, and a file that has all its kernels."""
    folder = tmp_path_factory.mktemp("tuned")
    path, file = folder / "model.onnx", folder / "tuning.json"
    inputs = save_model(path)
    call(request.config.getoption("bin_dir") / "glow-tune", path, "-o", file,
         "--rounds=2", "--least-gain=-1000")
    return path, inputs, run_onnxruntime(str(path), inputs), file.read_text()


def run(path, inputs, tuning):
    return glow.compile(path, options={"tuning": str(tuning)}).run(inputs)


@pytest.mark.parametrize("seed", range(8))
def test_any_choices(seed, tuned, tmp_path):
    path, inputs, expected, text = tuned
    tuning = json.loads(text)
    rng = np.random.default_rng(seed)
    (machine,) = tuning["machines"]
    assert len(machine["contractions"]) >= 6
    for choices in machine["contractions"].values():
        choices.update({name: int(rng.integers(0, most)) for name, most in [
            ("tile-rows", 30), ("tile-vectors", 8), ("block-rows", 20),
            ("block-columns", 20)]})
    file = tmp_path / "tuning.json"
    file.write_text(json.dumps(tuning))
    check_equal(run(path, inputs, file), expected, 1e-4)


@pytest.mark.parametrize("value", [1, 2**30])
def test_extreme_choices(value, tuned, tmp_path):
    path, inputs, expected, text = tuned
    tuning = json.loads(text)
    for choices in tuning["machines"][0]["contractions"].values():
        choices.update(dict.fromkeys(
            ["tile-rows", "tile-vectors", "block-rows", "block-columns"], value))
    file = tmp_path / "tuning.json"
    file.write_text(json.dumps(tuning))
    check_equal(run(path, inputs, file), expected, 1e-4)


def test_damaged_files(tuned, tmp_path):
    """Are refused with a message, or harmless."""
    path, inputs, expected, text = tuned
    rng = np.random.default_rng(0)
    file = tmp_path / "tuning.json"
    refused = 0
    for _ in range(40):
        damaged = bytearray(text.encode())
        for place in rng.integers(0, len(damaged), 3):
            damaged[place] = rng.integers(0, 256)
        if rng.integers(2):
            damaged = damaged[:rng.integers(len(damaged))]
        file.write_bytes(damaged)
        try:
            results = run(path, inputs, file)
        except glow.GlowError as error:
            assert str(file) in str(error)
            refused += 1
        else:
            check_equal(results, expected, 1e-4)
    assert refused > 10


def test_same_bytes(tuned, bin_dir, tmp_path):
    path, _, _, text = tuned
    (tmp_path / "a.json").write_text(text)
    (tmp_path / "b.json").write_text(text)
    for name in ("a", "b"):
        call(bin_dir / "glow-compile", path, "-o", tmp_path / f"{name}.so",
             f"--tuning={tmp_path / name}.json")
    assert (tmp_path / "a.so").read_bytes() == (tmp_path / "b.so").read_bytes()


def test_ranges(bin_dir, tmp_path):
    """Rows of open texts have entries of their own, which are found, and any
    choice is right for all extents."""
    rng = np.random.default_rng(0)
    path, file = tmp_path / "model.onnx", tmp_path / "tuning.json"
    weights = [numpy_helper.from_array(
        rng.standard_normal(shape, np.float32) / 8, name)
        for name, shape in [("v", (96, 200)), ("w", (200, 72))]]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "v"], ["a"]),
         helper.make_node("Relu", ["a"], ["b"]),
         helper.make_node("MatMul", ["b", "w"], ["y"])], "texts",
        [info("x", TensorProto.FLOAT, ("texts", "tokens", 96))],
        [info("y", TensorProto.FLOAT, None)], weights)
    onnx.save(helper.make_model(
        graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), path)
    shape = "x=1..4x1..48x96"
    call(bin_dir / "glow-tune", path, f"--shape={shape}", "-o", file,
         "--write-choices")
    tuning = json.loads(file.read_text())
    kernels = tuning["machines"][0]["contractions"]
    assert len(kernels) == 2 and all("joined from 4" in k for k in kernels)
    for choices in kernels.values():
        choices.update({"tile-rows": 3, "tile-vectors": 1, "block-rows": 2})
    file.write_text(json.dumps(tuning))
    for options in ([], [f"--tuning={file}"]):
        call(bin_dir / "glow-compile", path, f"--shape={shape}", *options, "-o",
             tmp_path / f"{len(options)}.so")
    assert (tmp_path / "0.so").read_bytes() != (tmp_path / "1.so").read_bytes()
    model = glow.compile(path, shapes={"x": ((1, 4), (1, 48), 96)},
                         options={"tuning": str(file)})
    for texts, tokens in [(1, 1), (2, 7), (4, 48)]:
        inputs = {"x": rng.standard_normal((texts, tokens, 96), np.float32)}
        check_equal(model.run(inputs), run_onnxruntime(str(path), inputs), 1e-4)
