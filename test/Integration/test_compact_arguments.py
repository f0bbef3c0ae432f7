"""Arrays of open extents that a model takes and gives without padding.

A step of decoding whose batch and cache are open is run on arrays that end where
memory does, so that a kernel that reaches further is stopped by the processor.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from compare import check_equal
from conftest import HERE
from onnx import TensorProto, helper

import glow

HEADS, WIDTH, LONGEST = 3, 32, 65
SIZES = [(1, 0), (2, 0), (1, 1), (3, 7), (2, 8), (3, 31), (1, 32), (3, LONGEST)]


def cache_model():
    """Scores of one query, softmax, and the sum of the values."""
    def value(name, dims):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)

    step = ["batch", HEADS, 1, WIDTH]
    past, present = (["batch", HEADS, n, WIDTH] for n in ("past", "past + 1"))
    nodes = [
        helper.make_node("Concat", ["past_key", "key"], ["present_key"], axis=2),
        helper.make_node("Concat", ["past_value", "value"], ["present_value"],
                         axis=2),
        helper.make_node("Transpose", ["present_key"], ["turned"],
                         perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["query", "turned"], ["scores"]),
        helper.make_node("Mul", ["scores", "scale"], ["scaled"]),
        helper.make_node("Softmax", ["scaled"], ["weights"], axis=-1),
        helper.make_node("MatMul", ["weights", "present_value"], ["y"])]
    scale = helper.make_tensor("scale", TensorProto.FLOAT, [], [WIDTH ** -0.5])
    graph = helper.make_graph(
        nodes, "step",
        [value(name, step) for name in ("query", "key", "value")] +
        [value(name, past) for name in ("past_key", "past_value")],
        [value("y", step), value("present_key", present),
         value("present_value", present)], [scale])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def inputs_of(batch, past):
    """Random ones."""
    rng = np.random.default_rng(batch + 100 * past)
    shapes = {name: 1 for name in ("query", "key", "value")}
    shapes |= {name: past for name in ("past_key", "past_value")}
    return {name: rng.standard_normal((batch, HEADS, n, WIDTH), "f4")
            for name, n in shapes.items()}


def ranges():
    """As for glow-compile."""
    return [f"--shape={name}=1..3x{HEADS}x{n}x{WIDTH}" for name, n in (
        ("query", 1), ("key", 1), ("value", 1), ("past_key", f"0..{LONGEST}"),
        ("past_value", f"0..{LONGEST}"))]


def run_guarded(runtime, path, inputs):
    """Compares path.so with path.onnx; the names of arrays without padding."""
    files = path.with_name("in.npz"), path.with_name("out.npz")
    np.savez(files[0], **inputs)
    subprocess.run([sys.executable, HERE / "guarded.py", runtime,
                    path.with_suffix(".so"), *files], check=True)
    results = dict(np.load(files[1]))
    compact = set(results.pop("compact"))
    session = onnxruntime.InferenceSession(path.with_suffix(".onnx"),
                                           providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    check_equal(results, dict(zip(names, session.run(names, inputs))))
    return compact


@pytest.mark.parametrize("machine", [
    "--mcpu=native", "--mcpu=x86-64-v3", "--machine=l1=16K,l2=32K,l3=32K"])
def test_nothing_is_touched_behind_the_extents(compile_model, bin_dir, tmp_path,
                                               machine):
    """Neither read nor written, and both caches are used as they are; also where
    they are stored past those of the processor."""
    onnx.save(cache_model(), tmp_path / "step.onnx")
    compile_model(tmp_path / "step.onnx", tmp_path / "step.so", *ranges(),
                  machine)
    runtime = bin_dir.parent / "lib" / "libGlowRuntime.so"
    for batch, past in SIZES:
        compact = run_guarded(runtime, tmp_path / "step", inputs_of(batch, past))
        assert {"past_key", "past_value", "present_key",
                "present_value"} <= compact


def test_walks_touch_nothing_behind_the_extents(compile_model, bin_dir, tmp_path):
    """Running sums and the best elements, of rows and of what is open."""
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        walks (float[n, m, 5] x) => (float[n, m, 2] best, float[n, m, 5] sums,
                                     float[n, m, 5] rows) {
            two = Constant<value_ints = [2]>()
            last = Constant<value_int = 2>()
            open = Constant<value_int = 1>()
            best, places = TopK<axis = 2>(x, two)
            sums = CumSum(x, last)
            rows = CumSum(x, open) }""")
    onnx.save(model, tmp_path / "walks.onnx")
    compile_model(tmp_path / "walks.onnx", tmp_path / "walks.so",
                  "--shape=x=1..3x1..70x5")
    runtime = bin_dir.parent / "lib" / "libGlowRuntime.so"
    for n, m in [(1, 1), (3, 7), (2, 33), (3, 70)]:
        x = np.random.default_rng(m).standard_normal((n, m, 5), "f4")
        compact = run_guarded(runtime, tmp_path / "walks", {"x": x})
        assert compact == {"x", "best", "sums", "rows"}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("precision", ["strict", "fp32", "bf16"])
def test_sizes(precision, threads):
    """One after the other, in one program; twice, to find what is left over."""
    model = cache_model().SerializeToString()
    shapes = {name: ((1, 3), HEADS, n, WIDTH) for name, n in (
        ("query", 1), ("key", 1), ("value", 1), ("past_key", (0, LONGEST)),
        ("past_value", (0, LONGEST)))}
    program = glow.compile(model, shapes=shapes, precision=precision,
                           threads=threads)
    session = onnxruntime.InferenceSession(model,
                                           providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    for batch, past in SIZES + SIZES[::-1]:
        inputs = inputs_of(batch, past)
        check_equal(program.run(inputs),
                    dict(zip(names, session.run(names, inputs))),
                    tolerance=2e-2 if precision == "bf16" else 1e-5)
