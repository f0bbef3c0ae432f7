"""Attention whose rows do not begin with a line, or are in few sets of a cache.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from cpu_code import check_cpu_code, random_inputs
from onnx import helper, numpy_helper
from plain_c import call

# Batch, tokens, heads and channels of each; a band has some of the tokens.
SHAPES = {"windows": (6, 49, 3, 32), "tokens": (1, 197, 4, 32),
          "odd-channels": (2, 101, 2, 50), "sets": (1, 256, 8, 64),
          "one-page": (1, 1024, 2, 32), "many-odd": (2, 301, 2, 24)}
MACHINES = {"native": {}, "avx2": {"mcpu": "haswell"}}


def model_of(shape, kind):
    """Attention of three inputs, or of what one input is projected to."""
    batch, tokens, heads, size = shape
    width = heads * size
    value, tensor = helper.make_tensor_value_info, numpy_helper.from_array
    weights = [tensor(np.int64([0, 0, heads, size]), "apart"),
               tensor(np.int64([0, 0, -1]), "together"),
               tensor(np.float32(size ** -0.5), "scale")]
    nodes, inputs = [], []
    for part in "qkv":
        if kind == "inputs":
            inputs.append(value(part, 1, [batch, tokens, width]))
        else:
            w = np.random.default_rng(ord(part)).standard_normal(
                (32, width), np.float32) / 6
            weights.append(tensor(w, "w" + part))
            nodes.append(helper.make_node("MatMul", ["x", "w" + part], [part]))
        order = [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]
        nodes += [
            helper.make_node("Reshape", [part, "apart"], [part + "s"]),
            helper.make_node("Transpose", [part + "s"], [part + "t"],
                             perm=order)]
    nodes += [helper.make_node("MatMul", ["qt", "kt"], ["s"]),
              helper.make_node("Mul", ["s", "scale"], ["scaled"]),
              helper.make_node("Softmax", ["scaled"], ["p"], axis=-1),
              helper.make_node("MatMul", ["p", "vt"], ["o"]),
              helper.make_node("Transpose", ["o"], ["ot"], perm=[0, 2, 1, 3]),
              helper.make_node("Reshape", ["ot", "together"], ["y"])]
    inputs = inputs or [value("x", 1, [batch, tokens, 32])]
    graph = helper.make_graph(nodes, "attention", inputs,
                              [value("y", 1, [batch, tokens, width])], weights)
    return helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", ["inputs", "projected"])
@pytest.mark.parametrize("name", SHAPES)
def test_attention(name, kind, machine):
    model = model_of(SHAPES[name], kind)
    inputs = random_inputs(model, seed=1)
    check_cpu_code(model, inputs, "strict", 2e-6, **MACHINES[machine])


@pytest.mark.parametrize("kind", ["inputs", "projected"])
@pytest.mark.parametrize("name", ["one-page", "many-odd"])
def test_many_rows_in_pairs(name, kind, bin_dir, tmp_path):
    """Keys and values are put in panels once, not for each band."""
    model = model_of(SHAPES[name], kind)
    inputs = random_inputs(model, seed=1)
    check_cpu_code(model, inputs, "bf16", 2e-2)
    path = tmp_path / "attention.onnx"
    onnx.save(model, path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst", "--mcpu=znver4",
                "--precision=bf16", "--elide-resources", "-o", "-").decode()
    inner = [line for line in text.splitlines()
             if line.startswith("      glow_inst.matmul ins") and "memref<1x1x" in line]
    assert len(inner) == 2 and all("packed = 32" in line for line in inner)


@pytest.mark.parametrize("name, rows", [("tokens", "208, 1]"),
                                        ("one-page", "1040, 1]")])
def test_scores_have_longer_rows(name, rows, bin_dir, tmp_path):
    """In the memory of the loop over bands, too."""
    path = tmp_path / "attention.onnx"
    onnx.save(model_of(SHAPES[name], "projected"), path)
    text = call(bin_dir / "glow-compile", path, "--stop-after=inst",
                "--elide-resources", "-o", "-").decode()
    assert "glow_inst.forall" in text
    *_, first, second = (line for line in text.splitlines()
                         if "glow_inst.matmul ins" in line)
    assert rows in first.split("outs(")[1]
    assert rows in second.split("outs(")[0]
