"""What glow-compile writes: run by plain C programs, the same bytes each time,
and nothing at all if it fails.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import shutil
import subprocess

import generate
import numpy as np
import onnx
import pytest
from backends import run_onnx_reference, run_onnxruntime
from compare import check_equal
from digits import accuracy
from onnx import TensorProto, helper, numpy_helper
from plain_c import build_program, call, run_library
from test_models import load_arrays

ONE_IMAGE = ["--shape", "image=1x1x8x8"]


@pytest.fixture
def compile_model(bin_dir):
    return lambda model, output, *options: call(
        bin_dir / "glow-compile", model, "-o", output, *options)


def check_digits(folder, program, *prefix):
    """Runs the program of docs/ABI.md on a few pictures."""
    for image in accuracy.held_out()[0][:5]:
        (folder / "picture.f32").write_bytes(image.tobytes())
        text = call(*prefix, program, folder / "digits.weights.bin",
                    folder / "picture.f32").decode()
        rows = [line.split() for line in text.splitlines()]
        assert [int(row[0]) for row in rows] == list(range(10))
        actual = np.array([[row[1] for row in rows]], np.float32)
        check_equal({"probabilities": actual}, run_onnxruntime(
            accuracy.MODEL, {"image": image[None]}), 1e-4)


def test_object_in_plain_c(compile_model, tmp_path):
    compile_model(accuracy.MODEL, tmp_path / "digits.o", *ONE_IMAGE)
    manifest = json.loads((tmp_path / "digits.json").read_text())
    weights = tmp_path / manifest["weights_file"]
    assert weights.stat().st_size == manifest["weights_bytes"]
    check_digits(tmp_path, build_program("digits.c", tmp_path,
                                         tmp_path / "digits.o"))


def test_library_with_fixed_batch_in_plain_c(compile_model, tmp_path):
    inputs = {"image": accuracy.held_out()[0][:3]}
    expected = run_onnxruntime(accuracy.MODEL, inputs)
    library = tmp_path / "digits.so"
    compile_model(accuracy.MODEL, library, "--shape", "image=3x1x8x8")
    check_equal(run_library(tmp_path, library, inputs, expected), expected,
                1e-4)


@pytest.mark.parametrize("name", ["gpt", "lstm"])
def test_library_in_plain_c(name, compile_model, models_dir, tmp_path):
    path, _ = generate.generate(name, models_dir)
    folder = models_dir / name
    manifest = json.loads((folder / "manifest.json").read_text())
    inputs = load_arrays(folder, manifest["inputs"])
    expected = load_arrays(folder, manifest["outputs"])
    library = tmp_path / "model.so"
    compile_model(path, library)
    check_equal(run_library(tmp_path, library, inputs, expected), expected,
                1e-4)


def narrow_model(narrow):
    """Narrow floats and what they are converted from and to."""
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(16, 16)).astype(np.float32)
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(narrow))
    nodes = [
        helper.make_node("Cast", ["x"], ["n"], to=narrow),
        helper.make_node("MatMul", ["n", "w"], ["m"]),
        helper.make_node("Softmax", ["m"], ["y"]),
        helper.make_node("Cast", ["d"], ["from_double"], to=narrow),
        helper.make_node("Cast", ["m"], ["to_double"], to=TensorProto.DOUBLE),
        helper.make_node("Cast", ["i"], ["from_int"], to=narrow),
    ]
    graph = helper.make_graph(
        nodes, "narrow",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 16]),
         helper.make_tensor_value_info("d", TensorProto.DOUBLE, [7]),
         helper.make_tensor_value_info("i", TensorProto.INT64, [7])],
        [helper.make_tensor_value_info("y", narrow, [4, 16]),
         helper.make_tensor_value_info("from_double", narrow, [7]),
         helper.make_tensor_value_info("to_double", TensorProto.DOUBLE,
                                       [4, 16]),
         helper.make_tensor_value_info("from_int", narrow, [7])],
        [numpy_helper.from_array(weights.astype(dtype), "w")])
    inputs = {"x": rng.normal(size=(4, 16)).astype(np.float32),
              "d": np.array([0, -0.0, 1e-7, 1 / 3, -65519, np.inf, np.nan]),
              "i": np.array([0, 1, -1, 255, 257, -2049, 60001])}
    model = helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 21)])
    return model, inputs


@pytest.mark.parametrize("mcpu", ["x86-64", "native"])
@pytest.mark.parametrize("narrow", [TensorProto.FLOAT16, TensorProto.BFLOAT16],
                         ids=["f16", "bf16"])
def test_narrow_floats_in_plain_c(narrow, mcpu, compile_model, tmp_path):
    """On a processor without instructions for them, too."""
    model, inputs = narrow_model(narrow)
    expected = run_onnx_reference(model, inputs)
    onnx.save(model, tmp_path / "narrow.onnx")
    library = tmp_path / "narrow.so"
    compile_model(tmp_path / "narrow.onnx", library, "--mcpu", mcpu)
    check_equal(run_library(tmp_path, library, inputs, expected), expected)


def test_object_for_another_machine(compile_model, tmp_path):
    target = "aarch64-linux-gnu"
    compile_model(accuracy.MODEL, tmp_path / "digits.o", *ONE_IMAGE,
                  f"--mtriple={target}")
    header = (tmp_path / "digits.o").read_bytes()[:20]
    assert header[:4] == b"\x7fELF" and header[18] == 183
    compiler, emulator = f"{target}-gcc", shutil.which("qemu-aarch64")
    if not shutil.which(compiler) or not emulator:
        pytest.skip(f"the object is there, but {compiler} and qemu-aarch64 "
                    "are not, to run it")
    check_digits(tmp_path, build_program("digits.c", tmp_path,
                                         tmp_path / "digits.o",
                                         cc=(compiler, "-static")), emulator)


OUTPUTS = {"digits.so": ["digits.so"],
           "digits.o": ["digits.h", "digits.json", "digits.o",
                        "digits.weights.bin"]}


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", OUTPUTS)
def test_same_bytes_each_time(name, compile_model, tmp_path):
    folders = [tmp_path / "one", tmp_path / "another"]
    for folder in folders:
        folder.mkdir()
        compile_model(accuracy.MODEL, folder / name, *ONE_IMAGE)
    assert sorted(files_in(folders[0])) == OUTPUTS[name]
    assert files_in(folders[0]) == files_in(folders[1])


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("blocks", [0, 4, 60])
def test_full_disk(name, blocks, bin_dir, tmp_path):
    """A limit on the size of files stands for it: 512 bytes each."""
    before = {file: b"older" for file in OUTPUTS[name]}
    for file, contents in before.items():
        (tmp_path / file).write_bytes(contents)
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f $0; exec "$@"', str(blocks),
         bin_dir / "glow-compile", accuracy.MODEL, *ONE_IMAGE, "-o",
         tmp_path / name], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "Stack dump" not in done.stderr
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("folder", ["missing", "file", "/proc"])
def test_folder_that_cannot_be_written(name, folder, bin_dir, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    done = subprocess.run(
        [bin_dir / "glow-compile", accuracy.MODEL, *ONE_IMAGE, "-o",
         tmp_path / folder / name], capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot write" in done.stderr and name in done.stderr
    assert files_in(tmp_path) == {"file": b""}
