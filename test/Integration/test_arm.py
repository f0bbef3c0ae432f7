"""Code for AArch64, run by an emulator: the same results as the interpreter's
for families of kernels, at any vector length of the processor.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import shutil

import numpy as np
import onnx
import pytest
from backends import run_glow
from compare import check_equal
from onnx import TensorProto, helper, numpy_helper
from plain_c import build_program, call

TARGET = "aarch64-linux-gnu"
COMPILER, EMULATOR = f"{TARGET}-gcc", "qemu-aarch64"
SYSTEM = pathlib.Path("/usr") / TARGET

pytestmark = pytest.mark.skipif(
    not (shutil.which(COMPILER) and shutil.which(EMULATOR) and SYSTEM.exists()),
    reason=f"{COMPILER} (package gcc-{TARGET}) and {EMULATOR} (package "
           "qemu-user) are not here")


def node(op, inputs, **attributes):
    return (op, inputs, attributes)


# Nodes that end in "y", shapes of inputs, shapes of weights.
CASES = {
    "conv-3x3-padded": (
        [node("Conv", ["x", "w", "b"], pads=[1, 1, 1, 1]), node("Relu", ["0"])],
        {"x": (1, 5, 9, 11)}, {"w": (13, 5, 3, 3), "b": (13,)}),
    "conv-1x1": ([node("Conv", ["x", "w"])], {"x": (2, 32, 7, 7)},
                 {"w": (24, 32, 1, 1)}),
    "conv-strided-dilated": (
        [node("Conv", ["x", "w"], strides=[2, 1], dilations=[1, 2])],
        {"x": (1, 16, 13, 15)}, {"w": (8, 16, 3, 3)}),
    "conv-winograd": ([node("Conv", ["x", "w"], pads=[1, 1, 1, 1])],
                      {"x": (1, 64, 28, 28)}, {"w": (64, 64, 3, 3)}),
    "conv-depthwise": (
        [node("Conv", ["x", "w"], group=10, pads=[1, 1, 1, 1])],
        {"x": (1, 10, 9, 9)}, {"w": (10, 1, 3, 3)}),
    "conv-groups": ([node("Conv", ["x", "w"], group=2)], {"x": (1, 6, 8)},
                    {"w": (8, 3, 3)}),
    "conv-transposed": ([node("ConvTranspose", ["x", "w"], strides=[2, 2])],
                        {"x": (1, 6, 5, 5)}, {"w": (6, 4, 3, 3)}),
    "matmul-packed": ([node("MatMul", ["x", "w"])], {"x": (7, 300)},
                      {"w": (300, 37)}),
    "matmul-deep": ([node("MatMul", ["x", "w"])], {"x": (3, 1000)},
                    {"w": (1000, 16)}),
    "conv-few-channels": (
        [node("Conv", ["x", "w", "b"], pads=[1, 1, 1, 1]),
         node("Sigmoid", ["0"])],
        {"x": (1, 40, 9, 22)}, {"w": (2, 40, 3, 3), "b": (2,)}),
    "matmul-column": ([node("MatMul", ["x", "w"])], {"x": (23, 70)},
                      {"w": (70, 1)}),
    "matmul-batched": ([node("MatMul", ["x", "z"])],
                       {"x": (3, 5, 9), "z": (3, 9, 6)}, {}),
    "matmul-transposed": (
        [node("Transpose", ["z"], perm=[0, 2, 1]), node("MatMul", ["x", "0"])],
        {"x": (2, 6, 16), "z": (2, 10, 16)}, {}),
    "softmax": ([node("Softmax", ["x"])], {"x": (5, 37)}, {}),
    "layer-norm": ([node("LayerNormalization", ["x", "w", "b"])],
                   {"x": (6, 50)}, {"w": (50,), "b": (50,)}),
    "reduce": ([node("ReduceMean", ["x"], axes=[1], keepdims=1),
                node("Sub", ["x", "0"])], {"x": (4, 19, 6)}, {}),
    "pools": ([node("MaxPool", ["x"], kernel_shape=[3, 3], pads=[1, 1, 1, 1],
                    strides=[2, 2]),
               node("AveragePool", ["0"], kernel_shape=[2, 2])],
              {"x": (1, 9, 12, 12)}, {}),
    "functions": ([node("Exp", ["x"]), node("Tanh", ["0"]), node("Erf", ["1"]),
                   node("Sin", ["2"]), node("Sigmoid", ["3"])],
                  {"x": (3, 21)}, {}),
    "transpose": ([node("Transpose", ["x"], perm=[2, 0, 1])],
                  {"x": (17, 5, 20)}, {}),
    "conv-3d": ([node("Conv", ["x", "w"], pads=[1, 1, 1, 1, 1, 1],
                      strides=[1, 2, 1])],
                {"x": (1, 5, 6, 7, 9)}, {"w": (9, 5, 3, 3, 3)}),
    "attention": (
        [node("Transpose", ["k"], perm=[0, 1, 3, 2]), node("MatMul", ["x", "0"]),
         node("Mul", ["1", "scale"]), node("Add", ["2", "mask"]),
         node("Softmax", ["3"]), node("MatMul", ["4", "v"])],
        {"x": (1, 3, 21, 16), "k": (1, 3, 37, 16), "v": (1, 3, 37, 16),
         "mask": (1, 1, 21, 37)}, {"scale": (1,)}),
    "gather-scatter": (
        [node("ArgMax", ["x"], axis=1, keepdims=0), node("Gather", ["w", "0"]),
         node("ArgMax", ["x"], axis=1, keepdims=1),
         node("ScatterElements", ["1", "2", "v"], axis=1)],
        {"x": (9, 30)}, {"w": (30, 40), "v": (9, 1)}),
    "lstm": ([node("LSTM", ["x", "w", "r"], hidden_size=24),
              node("Squeeze", ["0", "axis"])],
             {"x": (6, 2, 20)}, {"w": (1, 96, 20), "r": (1, 96, 24)}),
    "lstm_loop": ([node("LSTM", ["x", "w", "r"], hidden_size=24, direction="reverse"),
                   node("Squeeze", ["0", "axis"])],
                  {"x": (21, 2, 20)}, {"w": (1, 96, 20), "r": (1, 96, 24)}),
    "walks": ([node("CumSum", ["x", "last"]), node("ReduceMax", ["0"], axes=[2]),
               node("Sub", ["0", "1"])], {"x": (3, 7, 33)}, {}),
    "resize": ([node("Resize", ["x", "", "scales"], mode="linear")],
               {"x": (1, 6, 9, 10)}, {}),
    "norms": ([node("InstanceNormalization", ["x", "w", "b"]),
               node("HardSwish", ["0"]), node("GlobalAveragePool", ["1"])],
              {"x": (2, 7, 6, 9)}, {"w": (7,), "b": (7,)}),
    "half": ([node("Cast", ["x"], to=TensorProto.FLOAT16),
              node("Cast", ["w"], to=TensorProto.FLOAT16),
              node("MatMul", ["0", "1"]),
              node("Cast", ["2"], to=TensorProto.FLOAT)],
             {"x": (4, 40)}, {"w": (40, 12)}),
}
# Of which the values matter.
CONSTANTS = {"axis": np.array([1]), "last": np.array(2),
             "scales": np.array([1, 1, 2, 1.5], np.float32)}
# The lengths of scalable vectors do not matter to code for NEON.
PROCESSORS = ["neoverse-n1", "max,sve128=on", "max,sve256=on", "max,sve512=on"]
# Options for code that keeps its vectors in registers of one length of SVE, and
# a processor that has these.
LENGTHS = {
    256: (["--mattr=+sve", "--machine=vector-bits=256"], "max,sve256=on"),
    512: (["--mcpu=a64fx"], "a64fx"),
}


def build_model(case):
    nodes, inputs, weights = CASES[case]
    rng = np.random.default_rng(0)
    made = []
    for i, (op, names, attributes) in enumerate(nodes):
        result = "y" if i + 1 == len(nodes) else str(i)
        made.append(helper.make_node(op, names, [result], **attributes))
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        made, case, [info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
        [info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(rng.standard_normal(s, np.float32), n)
         for n, s in weights.items()]
        + [numpy_helper.from_array(array, n) for n, array in CONSTANTS.items()
           if any(n in names for _, names, _ in nodes)])
    model = helper.make_model(graph, ir_version=9,
                              opset_imports=[helper.make_opsetid("", 17)])
    return model, {n: rng.standard_normal(s, np.float32)
                   for n, s in inputs.items()}


@pytest.fixture(scope="session")
def runner(tmp_path_factory):
    """run-model.c of docs/ABI.md for the emulator."""
    return build_program("run-model.c", tmp_path_factory.mktemp("arm"),
                         cc=(COMPILER,))


def emulate(runner, processor, library, inputs, like, folder):
    files = []
    for i, array in enumerate(inputs.values()):
        files.append(folder / f"input{i}")
        files[-1].write_bytes(array.tobytes())
    data = call(EMULATOR, "-cpu", processor, "-L", SYSTEM, runner, library, *files)
    return np.frombuffer(data, np.float32).reshape(like.shape)


def compile_model(model, options, bin_dir, folder):
    onnx.save(model, folder / "model.onnx")
    call(bin_dir / "glow-compile", folder / "model.onnx", "-o",
         folder / "model.so", f"--mtriple={TARGET}", *options)
    return folder / "model.so"


def check_processors(case, options, tolerance, runner, bin_dir, folder):
    """What each computes is close to the interpreter's, and the same."""
    model, inputs = build_model(case)
    library = compile_model(model, options, bin_dir, folder)
    expected = run_glow(model, inputs, "interpret")
    results = [emulate(runner, processor, library, inputs, expected["y"], folder)
               for processor in PROCESSORS]
    check_equal({"y": results[0]}, expected, tolerance)
    assert all(r.tobytes() == results[0].tobytes() for r in results)


@pytest.mark.parametrize("case", CASES)
def test_family(case, runner, bin_dir, tmp_path):
    check_processors(case, [], 2e-5, runner, bin_dir, tmp_path)


@pytest.mark.parametrize("case", ["matmul-packed", "conv-3x3-padded",
                                  "attention"])
def test_bf16(case, runner, bin_dir, tmp_path):
    """Widened for the products, whatever the processor has."""
    check_processors(case, ["--precision=bf16"], 3e-2, runner, bin_dir,
                     tmp_path)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("case", CASES)
def test_scalable(case, length, runner, bin_dir, tmp_path):
    model, inputs = build_model(case)
    options, processor = LENGTHS[length]
    library = compile_model(model, options, bin_dir, tmp_path)
    expected = run_glow(model, inputs, "interpret")
    result = emulate(runner, processor, library, inputs, expected["y"], tmp_path)
    check_equal({"y": result}, expected, 2e-5)


@pytest.mark.parametrize("length", LENGTHS)
def test_products_in_scalable_registers(length, bin_dir, tmp_path):
    model, _ = build_model("matmul-packed")
    options, _ = LENGTHS[length]
    library = compile_model(model, options, bin_dir, tmp_path)
    code = call(f"{TARGET}-objdump", "-d", library).decode()
    assert "fmla\tz" in code or "fmad\tz" in code
    assert f"+sve-bits={length}".encode() in library.read_bytes()
