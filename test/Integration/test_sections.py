"""Instructions that run at once keep apart what belongs to each thread.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes

import numpy as np
import onnx
import pytest
from backends import run_onnxruntime
from compare import check_equal
from cpu_code import check_cpu_code, random_inputs
from onnx import TensorProto, helper
from plain_c import call
from test_wide_groups import CASES

import glow

WORKERS = 4
ALIGNMENT = 64
KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64,
                          ctypes.c_int64, ctypes.c_int32)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, KERNEL,
                                ctypes.c_void_p, ctypes.c_int64)


class Exec(ctypes.Structure):
    """GlowExec of ModelABI.h."""

    _fields_ = [("size", ctypes.c_uint32), ("parallel_for", PARALLEL_FOR),
                ("user", ctypes.c_void_p), ("workers", ctypes.c_uint32),
                ("call_host", ctypes.c_void_p)]


class Instr(ctypes.Structure):
    """GlowInstrDesc of ModelABI.h."""

    _fields_ = [("op", ctypes.c_char_p), ("name", ctypes.c_char_p),
                ("kernel", ctypes.c_char_p), ("flops", ctypes.c_uint64),
                ("bytes", ctypes.c_uint64)]


class Model(ctypes.Structure):
    """GlowModel of ModelABI.h, up to what is used here."""

    _fields_ = [("abi_version", ctypes.c_uint32), ("size", ctypes.c_uint32),
                *((name, ctypes.c_void_p) for name in (
                    "name", "triple", "features", "inputs", "outputs")),
                ("instrs", ctypes.POINTER(Instr)),
                ("weights", ctypes.c_void_p), ("file", ctypes.c_void_p),
                *((name, ctypes.c_uint64) for name in (
                    "weights_bytes", "weights_hash", "arena_bytes")),
                *((name, ctypes.c_uint32) for name in (
                    "num_inputs", "num_outputs", "num_instrs", "alignment")),
                ("run", ctypes.c_void_p), ("worker_bytes", ctypes.c_uint64)]


RUN = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 5)


def aligned(size):
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start:start + size]


def pointers(arrays):
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))


@pytest.mark.parametrize("precision", ["fp32", "strict"])
def test_workers(precision, bin_dir, tmp_path):
    model = CASES["many"]().model()
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, path)
    call(bin_dir / "glow-compile", path, f"--precision={precision}", "-o",
         library)
    inputs = random_inputs(model)
    expected, = glow.load(library, threads=1).run(inputs).values()

    loaded = ctypes.CDLL(str(library))
    desc = Model.in_dll(loaded, "glow_model")
    memory = aligned(desc.arena_bytes + (WORKERS - 1) * desc.worker_bytes)
    scratch = memory[desc.arena_bytes:]
    random = np.random.default_rng(0)
    sections = []

    def parallel_for(_, instr, kernel, args, tickets):
        """Deals out the tickets; no two threads may use the same memory."""
        if desc.instrs[instr].kernel.startswith(b"sections"):
            sections.append(tickets)
        used = np.zeros((WORKERS, scratch.size), bool)
        for ticket in range(tickets):
            worker = ticket % WORKERS
            scratch[:] = random.integers(256, size=scratch.size, dtype=np.uint8)
            before = scratch.copy()
            kernel(args, ticket, ticket + 1, worker)
            used[worker] |= scratch != before
        assert not used[0].any()
        assert used.sum(axis=0).max(initial=0) <= 1, desc.instrs[instr].name

    failures = []

    def guarded(*arguments):
        try:
            parallel_for(*arguments)
        except AssertionError as error:
            failures.append(error)

    run = RUN(desc.run)
    execution = Exec(ctypes.sizeof(Exec), PARALLEL_FOR(guarded), None, WORKERS,
                     None)
    result = np.zeros_like(expected)
    status = run(ctypes.addressof(execution), pointers(list(inputs.values())),
                 pointers([result]), memory.ctypes.data, desc.weights)
    assert status == 0
    assert not failures
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


def test_package(bin_dir, tmp_path):
    """A package's libraries hold the kernels that others call."""
    model = attentions([4, 4], 64)
    path, package = tmp_path / "model.onnx", tmp_path / "package"
    onnx.save(model, path)
    call(bin_dir / "glow-compile", path, "--target=#glow.cpu", "-o", package)
    inputs = random_inputs(model)
    check_equal(glow.load(package).run(inputs), run_onnxruntime(model, inputs),
                tolerance=1e-5)
