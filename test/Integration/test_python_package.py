"""The Python package glow: what a user meets besides right answers.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import gc
import os
import subprocess
import sys
import threading

import ml_dtypes
import numpy as np
import onnx
import pytest
from compare import check_equal
from digits import accuracy
from onnx import helper as oh

import glow
from glow import dtypes


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2",
                                  "float4_e2m1fn", "bfloat16", "float8_e5m2",
                                  "bool", "float16", "int64"])
@pytest.mark.parametrize("shape", [(3, 5), (), (0, 2)])
def test_encoding_of_types(name, shape):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    values = np.arange(-7, 8).reshape(3, 5) % 8 - 4
    array = np.resize(values, shape).astype(dtype)
    code = dtypes.from_numpy(dtype)
    owner, address, size = dtypes.encode(array, code)
    decoded = dtypes.decode(address, size, code, shape, owner)
    assert decoded.dtype == dtype and decoded.shape == shape
    assert decoded.astype(float).tolist() == array.astype(float).tolist()


def test_encoding_of_strings():
    array = np.array([["one", "zwei"], ["", "\u4e09"]], object)
    owner, address, size = dtypes.encode(array, dtypes.STRING)
    decoded = dtypes.decode(address, size, dtypes.STRING, array.shape,
                            owner)
    assert decoded.tolist() == array.tolist()


@pytest.fixture(scope="module", params=["compiled", "ctypes"])
def model(request):
    """Called through the compiled module, and as without it."""
    model = glow.compile(accuracy.MODEL, shapes={"image": (2, 1, 8, 8)})
    assert model._runner, "the package's compiled module was not built"
    if request.param == "ctypes":
        model._runner = None
    return model


@pytest.fixture(scope="module")
def image():
    return accuracy.held_out()[0][:2]


def test_signature(model):
    assert model.inputs == [("image", np.float32, (2, 1, 8, 8))]
    assert model.outputs == [("probabilities", np.float32, (2, 10))]


def test_dynamic_signature():
    model = glow.compile(str(accuracy.MODEL))
    assert model.inputs[0].shape == (None, 1, 8, 8)
    assert model.outputs[0].shape == (None, 10)


def test_compile_bytes(model, image):
    same = glow.compile(accuracy.MODEL.read_bytes(),
                        shapes={"image": (2, 1, 8, 8)}, threads=2)
    check_equal(same.run({"image": image}), model.run({"image": image}))


def test_results_outlive_runs_and_model(image):
    model = glow.compile(accuracy.MODEL, shapes={"image": (2, 1, 8, 8)})
    first = model.run({"image": image})["probabilities"]
    rows, expected = first[1:], first.copy()
    model.run({"image": image[::-1].copy()})
    del model, first
    gc.collect()
    np.testing.assert_array_equal(rows, expected[1:])
    rows += 1  # results can be written to


def resident_mb():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines
                    if line.startswith("VmRSS"))


def test_kept_results_need_no_more_scratch_memory():
    nodes = [oh.make_node("MatMul", ["x", "w"], ["y"]),
             oh.make_node("CumSum", ["y", "first"], ["sums"]),
             oh.make_node("MatMul", ["sums", "v"], ["z"])]
    weights = np.full((4, 2048), 1 / 4096, np.float32)
    graph = oh.make_graph(
        nodes, "wide", [oh.make_tensor_value_info("x", 1, [8192, 4])],
        [oh.make_tensor_value_info("z", 1, [8192, 4])],
        [onnx.numpy_helper.from_array(np.array(0), "first"),
         onnx.numpy_helper.from_array(weights, "w"),
         onnx.numpy_helper.from_array(weights.T.copy(), "v")])
    model = glow.compile(oh.make_model(graph).SerializeToString())
    x = np.ones((8192, 4), np.float32)
    model.run({"x": x})
    before = resident_mb()
    kept = [model.run({"x": x * i})["z"] for i in range(4)]
    assert resident_mb() - before < 32  # the sums have 64
    row_numbers = np.arange(1, 8193).reshape(-1, 1) / 2048
    for i, z in enumerate(kept):
        np.testing.assert_array_equal(z, np.tile(row_numbers * i, (1, 4)))


def test_save_and_load(model, image, tmp_path):
    model.save(tmp_path / "digits.so")
    loaded = glow.load(tmp_path / "digits.so", threads=1)
    assert loaded.inputs == model.inputs and loaded.outputs == model.outputs
    check_equal(loaded.run({"image": image}), model.run({"image": image}))


def test_load_after_saving_again(model, image, tmp_path):
    path = tmp_path / "digits.so"
    model.save(path)
    old = glow.load(path)
    other = glow.compile(accuracy.MODEL, shapes={"image": (3, 1, 8, 8)})
    other.save(path)
    new = glow.load(path)
    assert old.inputs == model.inputs and new.inputs == other.inputs
    check_equal(old.run({"image": image}), model.run({"image": image}))
    new.save(path)  # onto itself
    assert glow.load(path).inputs == other.inputs
    old.save(path)  # what was loaded, not what the path names now
    assert glow.load(path).inputs == model.inputs


@pytest.mark.parametrize("cache", ["empty", "full", "off", "unusable"])
def test_kernel_cache(cache, model, image, tmp_path):
    folder = tmp_path / "kernels"
    options = {"kernel-cache": {"off": "off", "unusable": "/proc/nowhere"}.get(
        cache, folder)}
    shapes = {"image": (2, 1, 8, 8)}
    if cache == "full":
        glow.compile(accuracy.MODEL, shapes=shapes, options=options)
        assert any(folder.iterdir())
    cached = glow.compile(accuracy.MODEL, shapes=shapes, options=options)
    check_equal(cached.run({"image": image}), model.run({"image": image}))
    assert folder.exists() == (cache in ("empty", "full"))


def test_kernel_cache_of_processes(image, tmp_path):
    """Many compile at once; all get the same code."""
    script = ("import sys, glow; m = glow.compile(sys.argv[1], "
              "shapes={'image': (2, 1, 8, 8)}, "
              "options={'kernel-cache': sys.argv[2]}); m.save(sys.argv[3])")
    children = [subprocess.Popen(
        [sys.executable, "-c", script, str(accuracy.MODEL),
         str(tmp_path / "kernels"), str(tmp_path / f"{i}.so")])
        for i in range(6)]
    assert [child.wait() for child in children] == [0] * 6
    assert len({(tmp_path / f"{i}.so").read_bytes() for i in range(6)}) == 1


def test_layout_of_the_array_does_not_matter(model, image):
    strided = np.asfortranarray(image)
    check_equal(model.run({"image": strided}), model.run({"image": image}))


def test_outputs_own_their_memory(model, image):
    first = model.run({"image": image})["probabilities"]
    copy = first.copy()
    model.run({"image": np.zeros_like(image)})
    assert np.array_equal(first, copy)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("declared", [None, (2, 3), (5,), (3, 6)])
def test_declared_shapes_do_not_matter(declared, target):
    """The result has its own shape where the model declares none or a wrong
    one."""
    graph = oh.make_graph(
        [oh.make_node("Squeeze", ["x"], ["s"]), oh.make_node("Relu", ["s"], ["y"])], "open",
        [oh.make_tensor_value_info("x", 1, ["n", 6])],
        [oh.make_tensor_value_info("y", 1, declared)])
    data = oh.make_model(graph, opset_imports=[oh.make_opsetid("", 20)],
                         ir_version=10).SerializeToString()
    x = np.arange(18, dtype=np.float32).reshape(3, 6)
    try:
        program = glow.compile(data, target=target)
        y = program.run({"x": x})["y"]
    except glow.GlowError:  # the declaration is found to be wrong
        assert declared in ((2, 3), (5,))
        return
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("at_once", [None, 1, 5])
def test_run_many(at_once, image):
    model = glow.compile(accuracy.MODEL, shapes={"image": image.shape},
                         threads=1)
    rng = np.random.default_rng(0)
    requests = [{"image": rng.random(image.shape, np.float32)}
                for _ in range(12)]
    results = model.run_many(requests, at_once)
    for request, result in zip(requests, results, strict=True):
        check_equal(result, model.run(request))
    with pytest.raises(glow.GlowError, match="nothing"):
        model.run_many([{"nothing": image}])


def test_runs_from_many_threads(model, image):
    expected = model.run({"image": image})["probabilities"]
    results = []
    threads = [threading.Thread(target=lambda: results.append(
        model.run({"image": image})["probabilities"])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(np.array_equal(r, expected) for r in results)


@pytest.mark.parametrize("inputs, message", [
    ({}, "image"),
    ({"image": np.zeros((2, 1, 8, 8), np.float32), "x": 1}, "x"),
    ({"image": np.zeros((2, 1, 8, 8), np.int32)}, "float32"),
    ({"image": np.zeros((3, 1, 8, 8), np.float32)}, "image"),
    ({"image": np.zeros((64,), np.float32)}, "image"),
], ids=["missing", "unknown", "type", "shape", "rank"])
def test_wrong_inputs(model, inputs, message):
    with pytest.raises(glow.GlowError, match=message):
        model.run(inputs)


@pytest.mark.parametrize("arguments, message", [
    (dict(shapes={"image": (2, 3, 8, 8)}), "image"),
    (dict(shapes={"picture": (2, 1, 8, 8)}), "picture"),
    (dict(target="abacus"), "abacus"),
    (dict(precision="octuple"), "octuple"),
    (dict(options={"no-such-option": 1}), "no-such-option.*is not known; the options are mcpu"),
    (dict(options={"check-bounds": 2}), "check-bounds.*must be 0 or 1"),
    (dict(options={"memory-budget": "much"}), "memory-budget.*a number of bytes"),
    (dict(shapes={"image": (2**64, 1, 8, 8)}), f"{2**64} is no extent"),
], ids=["shape", "input", "target", "precision", "option", "flag", "number", "extent"])
def test_wrong_compile_arguments(arguments, message):
    with pytest.raises(glow.GlowError, match=message):
        glow.compile(accuracy.MODEL, **arguments)


def test_missing_file():
    with pytest.raises(glow.GlowError, match="nowhere.onnx"):
        glow.compile("nowhere.onnx")
    with pytest.raises(glow.GlowError, match="nowhere.so"):
        glow.load("nowhere.so")
    with pytest.raises(glow.GlowError, match="it has a NUL"):
        glow.load("model.so\0.png")


def test_missing_library():
    """The message says where the library was looked for."""
    done = subprocess.run(
        [sys.executable, "-c", "import glow; glow.load('x')"],
        env={**os.environ, "GLOW_LIBRARY": "/nowhere/libGlow.so"},
        capture_output=True, text=True)
    assert done.returncode != 0
    assert "/nowhere/libGlow.so" in done.stderr
    assert "GLOW_LIBRARY" in done.stderr
