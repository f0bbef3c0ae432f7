"""What glow-compile writes: run by plain C programs, the same bytes each time,
and nothing at all if it fails.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import platform
import shutil
import subprocess

import generate
import ml_dtypes
import numpy as np
import onnx
import pytest
from backends import run_onnx_reference, run_onnxruntime
from compare import check_equal
from digits import accuracy
from onnx import TensorProto, helper, numpy_helper
from plain_c import (CC, build_program, call, peak_kibibytes,
                     run_library)
from test_models import load_arrays

ONE_IMAGE = ["--shape", "image=1x1x8x8"]


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
    compile_model(path, library, *(
        f"--shape={name}={'x'.join(map(str, array.shape))}"
        for name, array in inputs.items()))
    check_equal(run_library(tmp_path, library, inputs, expected), expected,
                1e-4)


def save_model(path, nodes, inputs, outputs, weights=()):
    def infos(types):
        return [helper.make_tensor_value_info(name, *type)
                for name, type in types.items()]
    graph = helper.make_graph(nodes, "narrow", infos(inputs), infos(outputs),
                              weights)
    onnx.save(helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 21)]), path)
    return path


NARROW = {"f16": (TensorProto.FLOAT16, np.float16),
          "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16)}
# The second has instructions for neither type.
MACHINES = ["native", "x86-64"]
only_x86 = pytest.mark.skipif(platform.machine() != "x86_64",
                              reason="names a processor of x86-64")


@only_x86
@pytest.mark.parametrize("mcpu", MACHINES)
@pytest.mark.parametrize("name", NARROW)
def test_narrow_floats_in_plain_c(name, mcpu, compile_model, tmp_path):
    code, dtype = NARROW[name]
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(16, 16)).astype(dtype)
    model = save_model(
        tmp_path / "narrow.onnx",
        [helper.make_node("Cast", ["x"], ["n"], to=code),
         helper.make_node("MatMul", ["n", "w"], ["m"]),
         helper.make_node("Softmax", ["m"], ["s"]),
         helper.make_node("Mul", ["s", "n"], ["y"])],
        {"x": (TensorProto.FLOAT, [4, 16])}, {"y": (code, [4, 16])},
        [numpy_helper.from_array(weights, "w")])
    inputs = {"x": rng.normal(size=(4, 16)).astype(np.float32)}
    expected = run_onnx_reference(model, inputs)
    compile_model(model, tmp_path / "narrow.so", "--mcpu", mcpu)
    check_equal(run_library(tmp_path, tmp_path / "narrow.so", inputs,
                            expected), expected)


def around_halves(narrow, wide):
    """Numbers halfway between narrow ones and on either side of these; and
    what they are rounded to."""
    with np.errstate(invalid="ignore"):
        numbers = narrow.astype(np.float64)
    numbers = np.unique(numbers[np.isfinite(numbers)])
    halves = ((numbers[1:] + numbers[:-1]) / 2).astype(wide)
    ends = np.array([-0.0, 1e38, -1e38, np.inf, -np.inf], wide)
    values = np.concatenate([np.nextafter(halves, wide(-np.inf)), halves,
                             np.nextafter(halves, wide(np.inf)), ends])
    with np.errstate(over="ignore"):
        even, last = (array.astype(np.float32).astype(narrow.dtype)
                      for array in (halves, ends))
    rounded = np.concatenate([numbers[:-1].astype(narrow.dtype), even,
                              numbers[1:].astype(narrow.dtype), last])
    return values, rounded


@only_x86
@pytest.mark.parametrize("mcpu", MACHINES)
@pytest.mark.parametrize("name", NARROW)
def test_conversions_are_exact(name, mcpu, compile_model, tmp_path):
    """Every narrow number, and every place where rounding changes."""
    code, dtype = NARROW[name]
    narrow = np.arange(1 << 16).astype(np.uint16).view(dtype)
    floats, from_float = around_halves(narrow, np.float32)
    doubles, from_double = around_halves(narrow, np.float64)
    inputs = {"n": narrow, "f": floats, "d": doubles}
    counts = {key: [array.size] for key, array in inputs.items()}
    model = save_model(
        tmp_path / "casts.onnx",
        [helper.make_node("Cast", ["n"], ["from_narrow"], to=1),
         helper.make_node("Cast", ["f"], ["from_float"], to=code),
         helper.make_node("Cast", ["d"], ["from_double"], to=code)],
        {"n": (code, counts["n"]), "f": (TensorProto.FLOAT, counts["f"]),
         "d": (TensorProto.DOUBLE, counts["d"])},
        {"from_narrow": (TensorProto.FLOAT, counts["n"]),
         "from_float": (code, counts["f"]),
         "from_double": (code, counts["d"])})
    with np.errstate(invalid="ignore"):
        from_narrow = narrow.astype(np.float32)
    expected = {"from_narrow": from_narrow, "from_float": from_float,
                "from_double": from_double}
    compile_model(model, tmp_path / "casts.so", "--mcpu", mcpu)
    actual = run_library(tmp_path, tmp_path / "casts.so", inputs, expected)
    for key, want in expected.items():
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(actual[key].astype(np.float64),
                                          want.astype(np.float64), key)


@only_x86
@pytest.mark.parametrize("name", NARROW)
def test_object_needs_only_the_mathematics_library(name, compile_model,
                                                   tmp_path):
    code, _ = NARROW[name]
    model = save_model(
        tmp_path / "casts.onnx",
        [helper.make_node("Cast", ["d"], ["n"], to=code),
         helper.make_node("Add", ["n", "n"], ["y"])],
        {"d": (TensorProto.DOUBLE, [5])}, {"y": (code, [5])})
    compile_model(model, tmp_path / "casts.o", "--mcpu", "x86-64")
    call(CC, "-shared", "-nostdlib", "-Wl,-z,defs", tmp_path / "casts.o",
         "-lm", "-o", tmp_path / "casts.so")


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


@pytest.mark.parametrize("kind", ["so", "o", "in process"])
def test_peak_memory(kind, bin_dir, models_dir, tmp_path):
    """The weights as imported and as kernels want them, and not once more."""
    path, _ = generate.generate("resnet50", models_dir)
    command = ([bin_dir / "glow-run", "--benchmark", "--runs=1", "--warm-up=0"]
               if kind == "in process" else
               [bin_dir / "glow-compile", "-o", tmp_path / f"model.{kind}"])
    command += [path, "--shape", "input=1x3x224x224"]
    limit = 2 * path.stat().st_size + 300e6
    assert peak_kibibytes(command) * 1024 <= limit


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
