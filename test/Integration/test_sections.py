"""Instructions that run at once keep apart what belongs to each thread.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code, random_inputs
from model_abi import LoadedModel
from onnx import TensorProto, helper
from plain_c import call
from test_wide_groups import CASES

import glow

WORKERS = 4


@pytest.mark.parametrize("precision", ["fp32", "strict"])
def test_workers(precision, bin_dir, tmp_path):
    model = CASES["many"]().model()
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, path)
    call(bin_dir / "glow-compile", path, f"--precision={precision}", "-o",
         library)
    inputs = random_inputs(model)
    expected, = glow.load(library, threads=1).run(inputs).values()

    loaded = LoadedModel(library, WORKERS)
    scratch = loaded.memory[loaded.desc.arena_bytes:]
    random = np.random.default_rng(0)
    sections = []

    def parallel_for(instr, kernel, args, tickets):
        """Deals out the tickets; no two threads may use the same memory."""
        if instr.kernel.startswith(b"sections"):
            sections.append(tickets)
        used = np.zeros((WORKERS, scratch.size), bool)
        for ticket in range(tickets):
            worker = ticket % WORKERS
            scratch[:] = random.integers(256, size=scratch.size, dtype=np.uint8)
            before = scratch.copy()
            kernel(args, ticket, ticket + 1, worker)
            used[worker] |= scratch != before
        assert not used[0].any()
        assert used.sum(axis=0).max(initial=0) <= 1, instr.name

    result = np.zeros_like(expected)
    loaded.run(list(inputs.values()), [result], parallel_for)
    assert sections
    np.testing.assert_array_equal(result, expected)


def attentions(heads, tokens):
    """Attentions that do not depend on each other."""
    info = helper.make_tensor_value_info
    nodes, inputs = [], []
    for i, count in enumerate(heads):
        nodes += [
            helper.make_node("MatMul", [f"q{i}", f"k{i}"], [f"s{i}"]),
            helper.make_node("Softmax", [f"s{i}"], [f"p{i}"], axis=-1),
            helper.make_node("MatMul", [f"p{i}", f"v{i}"], [f"y{i}"])]
        inputs += [info(f"q{i}", TensorProto.FLOAT, [count, tokens, 64]),
                   info(f"k{i}", TensorProto.FLOAT, [count, 64, 64]),
                   info(f"v{i}", TensorProto.FLOAT, [count, 64, 64])]
    outputs = [info(f"y{i}", TensorProto.FLOAT, None)
               for i in range(len(heads))]
    graph = helper.make_graph(nodes, "attentions", inputs, outputs)
    return onnx.shape_inference.infer_shapes(helper.make_model(
        graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]))


def test_loops_of_one_kernel():
    """Loops that differ in how many points they have share their code."""
    model = attentions([16, 8], 64)
    check_cpu_code(model, random_inputs(model), "fp32", 1e-5)


@pytest.mark.parametrize("most", [7, 8])
def test_bounded(most):
    """Loops in sections whose instructions stop at the extents of run time."""
    model = attentions([4, 4], "n")
    program = glow.compile(
        model.SerializeToString(), threads=2, shapes={
            f"q{i}": (4, (1, most), 64) for i in (0, 1)})
    for tokens in (1, most):
        inputs = random_inputs(attentions([4, 4], tokens))
        check_equal(program.run(inputs), run_onnxruntime(model, inputs),
                    tolerance=1e-5)


def test_bounded_loops():
    """Loops in sections that stop themselves: of as many heads as there are."""
    model = attentions(["heads", "heads"], 64)
    program = glow.compile(
        model.SerializeToString(), threads=2,
        shapes={f"q{i}": ((1, 4), 64, 64) for i in (0, 1)})
    for heads in (1, 3, 4):
        inputs = random_inputs(attentions([heads, heads], 64))
        check_equal(program.run(inputs), run_onnxruntime(model, inputs),
                    tolerance=1e-5)


def test_package(bin_dir, tmp_path):
    """A package's libraries hold the kernels that others call."""
    model = attentions([4, 4], 64)
    path, package = tmp_path / "model.onnx", tmp_path / "package"
    onnx.save(model, path)
    call(bin_dir / "glow-compile", path, "--target=#glow.cpu", "-o", package)
    inputs = random_inputs(model)
    check_equal(glow.load(package).run(inputs), run_onnxruntime(model, inputs),
                tolerance=1e-5)
