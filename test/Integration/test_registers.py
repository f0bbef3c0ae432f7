"""The innermost loops of products keep their sums in registers: what follows on
the sums, and what is fetched meanwhile, does not push them out.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import platform
import re
import subprocess

import numpy as np
import pytest
from onnx import TensorProto, numpy_helper
from onnx.helper import make_node
from test_ahead_of_time import save_model

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64",
                                reason="names processors of x86-64")

ROWS = [13, 16, 27, 49, 112, 197]
SHAPES = [(256, 768), (1024, 1024)]


def product(path, rows, depth, columns, activation):
    """A product with constant columns and a bias, then an activation."""
    return save_model(
        path,
        [make_node("MatMul", ["x", "w"], ["p"]),
         make_node("Add", ["p", "b"], ["q"]),
         make_node(activation, ["q"], ["y"])],
        {"x": (TensorProto.FLOAT, [rows, depth])},
        {"y": (TensorProto.FLOAT, [rows, columns])},
        [numpy_helper.from_array(np.zeros((depth, columns), np.float32), "w"),
         numpy_helper.from_array(np.zeros(columns, np.float32), "b")])


def functions(library):
    """The instructions of each function, each an address and its text."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-M", "intel", library],
        capture_output=True, text=True, check=True).stdout
    for body in re.split(r"\n[0-9a-f]+ <.*>:\n", text)[1:]:
        yield [(int(address, 16), code) for address, code in
               re.findall(r"^\s*([0-9a-f]+):\s+(.*)", body, re.MULTILINE)]


def innermost_loops(code):
    """The texts of instructions between a jump back and its target that hold
    no other such jump."""
    places = {address: i for i, (address, _) in enumerate(code)}
    jumps = ((re.match(r"j\w+\s+([0-9a-f]+)", text), i)
             for i, (_, text) in enumerate(code))
    loops = [(places[int(jump[1], 16)], i) for jump, i in jumps
             if jump and places.get(int(jump[1], 16), i + 1) <= i]
    for first, last in loops:
        if not any(first <= low and high < last for low, high in loops):
            yield [text for _, text in code[first:last + 1]]


def is_product(loop):
    """Epilogues have polynomials too, but also their arguments' limits."""
    return (sum("vfmadd" in text for text in loop) >= 8
            and not any("vmin" in text for text in loop))


def check_products(model, mcpu, compile_model, library):
    compile_model(model, library, "--mcpu", mcpu, "--precision=strict",
                  "--kernel-cache=off")
    loops = [loop for code in functions(library)
             for loop in innermost_loops(code) if is_product(loop)]
    assert loops, library.name
    for loop in loops:
        stored = [text for text in loop
                  if re.match(r"vmov\w+\s+[YZ]MMWORD PTR \[rsp", text)]
        assert not stored, (library.name, stored)


@pytest.mark.parametrize("depth, columns", SHAPES)
@pytest.mark.parametrize("activation", ["Relu", "Gelu"])
@pytest.mark.parametrize("mcpu", ["x86-64-v3", "x86-64-v4", "sapphirerapids"])
def test_sums_stay_in_registers(mcpu, activation, depth, columns,
                                compile_model, tmp_path):
    for rows in ROWS:
        model = product(tmp_path / "product.onnx", rows, depth, columns,
                        activation)
        check_products(model, mcpu, compile_model, tmp_path / f"{rows}.so")


# Places of a line of the result, and the window.
@pytest.mark.parametrize("places, kernel, stride",
                         [(7, 3, 1), (16, 1, 2), (19, 2, 2), (32, 4, 2)])
@pytest.mark.parametrize("mcpu", ["x86-64-v3", "x86-64-v4", "znver3"])
def test_rows_of_several_lines(mcpu, places, kernel, stride, compile_model,
                               tmp_path):
    size, pad = places * stride, (kernel - 1) // 2
    model = save_model(
        tmp_path / "conv.onnx",
        [make_node("Conv", ["x", "w", "b"], ["y"], strides=[stride] * 2,
                   pads=[pad] * 4)],
        {"x": (TensorProto.FLOAT, [1, 64, size, size])},
        {"y": (TensorProto.FLOAT, [1, 128, places, places])},
        [numpy_helper.from_array(
            np.zeros((128, 64, kernel, kernel), np.float32), "w"),
         numpy_helper.from_array(np.zeros(128, np.float32), "b")])
    check_products(model, mcpu, compile_model, tmp_path / "conv.so")
