"""Models that are damaged, wrong or out of reach: a clear error, no crash, and
no half-written output.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
import pytest
from digits import accuracy
from onnx import TensorProto, helper, numpy_helper

INPUT = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
OUTPUT = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])


def model(*nodes, inputs=(INPUT,), weights=(), opset=21):
    graph = helper.make_graph(nodes, "bad", inputs, [OUTPUT], weights)
    return helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", opset)]).SerializeToString()


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, "culprit", **attributes)


def tensor(dims=(2, 3), values=6, data_type=TensorProto.FLOAT):
    """An initialiser whose parts need not fit each other."""
    weight = TensorProto(name="w", dims=dims, data_type=data_type)
    weight.raw_data = bytes(4 * values)
    return weight


def external(location, offset="0", length="24"):
    weight = TensorProto(name="w", dims=[2, 3], data_type=TensorProto.FLOAT,
                         data_location=TensorProto.EXTERNAL)
    for key, value in [("location", location), ("offset", offset),
                       ("length", length)]:
        weight.external_data.add(key=key, value=value)
    return weight


def add(weight):
    return model(node("Add", ["x", "w"], ["y"]), weights=[weight])


DIGITS = accuracy.MODEL.read_bytes()
# name: (bytes, something the message has to say)
BAD = {
    "empty": (b"", ""),
    "text": (b"this is not a model\n" * 9, ""),
    "truncated": (DIGITS[:len(DIGITS) // 2], ""),
    "no-graph": (onnx.ModelProto(ir_version=10).SerializeToString(), ""),
    # What follows from an attribute of the wrong type is not looked at.
    "attribute-type": (model(node("Dropout", ["x", "", "t"], ["y"], seed=1.5),
                             weights=[numpy_helper.from_array(np.True_, "t")]),
                       "attribute 'seed' has the wrong type"),
    "size-without-end": (model(node("Resize", ["x", "", "", "n"], ["y"]),
                               weights=[numpy_helper.from_array(
                                   np.int64([2, 2**31]), "n")]),
                         "too large"),
    "unknown-operator": (model(node("Frobnicate", ["x"], ["y"])),
                         "Frobnicate"),
    "unknown-domain": (model(node("Relu", ["x"], ["y"], domain="acme")),
                       "acme"),
    "future-opset": (model(node("Relu", ["x"], ["y"]), opset=9999), "9999"),
    "dangling-input": (model(node("Relu", ["nothing"], ["y"])), "nothing"),
    "cycle": (model(node("Add", ["x", "b"], ["a"]),
                    helper.make_node("Relu", ["a"], ["b"]),
                    helper.make_node("Relu", ["b"], ["y"])), "b"),
    "missing-output": (model(node("Relu", ["x"], ["z"])), "y"),
    "output-twice": (helper.make_model(helper.make_graph(
        [node("Relu", ["x"], ["y"])], "bad", [INPUT], [OUTPUT, OUTPUT]), ir_version=10,
        opset_imports=[helper.make_opsetid("", 21)]).SerializeToString(), "listed twice"),
    "defined-twice": (model(node("Relu", ["x"], ["y"]),
                            node("Exp", ["x"], ["y"])), "y"),
    "wrong-attribute-type": (model(node("Softmax", ["x"], ["y"], axis="no")),
                             "axis"),
    "axis-out-of-range": (model(node("Softmax", ["x"], ["y"], axis=7)),
                          "culprit"),
    "wrong-types": (model(node("And", ["x", "x"], ["y"])), "culprit"),
    "too-few-operands": (model(node("MatMul", ["x"], ["y"])), "culprit"),
    "shapes-do-not-broadcast": (add(tensor([4, 5], 20)), "culprit"),
    "scale-does-not-broadcast": (
        model(node("LayerNormalization", ["x", "w"], ["y"]),
              weights=[tensor([2], 2)]), "culprit"),
    "too-few-bytes": (add(tensor(values=5)), "w"),
    "negative-extent": (add(tensor([-2, 3])), "w"),
    "overflowing-extents": (add(tensor([2**62, 2**62])), "w"),
    "unknown-element-type": (add(tensor(data_type=977)), "w"),
    "external-missing": (add(external("gone.bin")), "gone.bin"),
    "external-escapes": (add(external("../../../etc/passwd")), ""),
    "external-absolute": (add(external("/etc/passwd")), "/etc/passwd"),
    "external-too-short": (add(external("short.bin")), "short.bin"),
    "external-offset": (add(external("short.bin", offset="-8")), "w"),
    "external-overflow": (add(external("short.bin",
                                       offset=str(2**64 - 1))), "w"),
    "negative-input-shape": (
        model(node("Relu", ["x"], ["y"]),
              inputs=[helper.make_tensor_value_info(
                  "x", TensorProto.FLOAT, [-2, 3])]), "x"),
    "huge-input-shape": (
        model(node("Relu", ["x"], ["y"]),
              inputs=[helper.make_tensor_value_info(
                  "x", TensorProto.FLOAT, [2**62, 2**62])]), "x"),
    "reshape-to-wrong-size": (
        model(node("Reshape", ["x", "w"], ["y"]),
              weights=[numpy_helper.from_array(np.array([7, 7]), "w")]),
        "culprit"),
}


BIG = 2**40


def ints(name, *values, shape=None):
    return numpy_helper.from_array(np.int64(values).reshape(shape or -1), name)


def typed(kind, *shape):
    return [helper.make_tensor_value_info("x", kind, shape)]


for name, (made, part) in {
    "onehot": (model(node("OneHot", ["i", "d", "v"], ["y"]), weights=[
        ints("i", 1), ints("d", BIG + 1), numpy_helper.from_array(np.float32([0, 1]), "v")]),
        "more than 2^40 elements"),
    "random": (model(node("RandomNormal", [], ["y"], shape=[BIG, 2])), "more than 2^40"),
    "multinomial": (model(node("Multinomial", ["x"], ["y"], sample_size=BIG)), "more than 2^40"),
    "wrap": (model(node("Pad", ["x", "p"], ["y"], mode="wrap"),
                   weights=[ints("p", 0, 0, 0, BIG)]), "more than 2^40"),
    "reshape": (model(node("Reshape", ["x", "s"], ["y"]), weights=[ints("s", -2**63)]), "-2^63"),
    "split": (model(node("SplitToSequence", ["x", "s"], ["q"]),
                    node("SequenceAt", ["q", "z"], ["y"]),
                    weights=[ints("s", 2**63 - 1, 2**63 - 1, 4), ints("z", 0, shape=())]),
              "negative or too large"),
    "batch-dims": (model(node("GatherND", ["x", "i"], ["y"], batch_dims=2**63 - 1),
                         weights=[ints("i", 0, shape=(1, 1))]), "batch_dims"),
    "pool-planes": (model(node("MaxPool", ["x"], ["y", "i"], kernel_shape=[1]),
                          inputs=typed(TensorProto.FLOAT, 2**33, 1, 1)), "fewer channels"),
    "pool-taps": (model(node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2**31, 2**31, 4],
                             pads=[2**30] * 6),
                        inputs=typed(TensorProto.FLOAT, 1, 1, 4, 4, 4)), "smaller windows"),
    "unpool": (model(node("MaxUnpool", ["x", "i"], ["y"], kernel_shape=[2], strides=[2**62]),
                     inputs=typed(TensorProto.FLOAT, 1, 1, 5),
                     weights=[ints("i", *range(5), shape=(1, 1, 5))]), "not positive"),
    "pool-of-text": (model(node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2]),
                           inputs=typed(TensorProto.STRING, 1, 1, 4)), "numbers only"),
    "grid-of-text": (model(node("AffineGrid", ["x", "s"], ["y"]), weights=[ints("s", 1, 1, 1, 2)],
                           inputs=typed(TensorProto.STRING, 1, 2, 3)), "floats"),
    "complex-attention": (model(node("Attention", ["x", "x", "x"], ["y"], q_num_heads=2,
                                     kv_num_heads=2), opset=23,
                                inputs=typed(TensorProto.COMPLEX64, 1, 2, 8)), "floats"),
}.items():
    BAD[f"hostile-{name}"] = made, part
for sizes in [64, -63], [2, -5]:
    BAD[f"vectors{sizes[1]}"] = helper.make_model(helper.make_graph(
        [node("SVMClassifier", ["x"], ["l", "y"], domain="ai.onnx.ml", classlabels_ints=[0, 1],
              vectors_per_class=sizes, coefficients=[1.0] * 64, support_vectors=[1.0] * 64,
              rho=[0.0])], "bad", typed(TensorProto.FLOAT, 2, 1), [OUTPUT]),
        ir_version=10, opset_imports=[helper.make_opsetid("ai.onnx.ml", 3)],
    ).SerializeToString(), "vectors_per_class"


@pytest.fixture
def bad_file(request, tmp_path):
    data, _ = BAD[request.param]
    (tmp_path / "short.bin").write_bytes(b"\0" * 8)
    path = tmp_path / "bad.onnx"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("tool", ["glow-translate", "glow-compile"])
@pytest.mark.parametrize("bad_file, name", [(n, n) for n in BAD], ids=BAD,
                         indirect=["bad_file"])
def test_bad_model(bad_file, name, tool, bin_dir, tmp_path):
    output = tmp_path / "output.so"
    arguments = ["--import-onnx"] if tool == "glow-translate" else []
    done = subprocess.run(
        [bin_dir / tool, *arguments, bad_file, "-o", output],
        capture_output=True, text=True, errors="replace", timeout=60)
    message = done.stderr
    assert 0 < done.returncode < 126, f"crashed or succeeded: {message}"
    assert BAD[name][1] in message
    assert len(message.strip()) > 10 and "Stack dump" not in message
    assert not output.exists(), "left a file behind"


def test_all_unsupported_nodes_are_listed(bin_dir, tmp_path):
    path = tmp_path / "bad.onnx"
    path.write_bytes(model(
        helper.make_node("Frobnicate", ["x"], ["a"], "first"),
        helper.make_node("Defenestrate", ["a"], ["y"], "second")))
    done = subprocess.run([bin_dir / "glow-translate", "--import-onnx", path],
                          capture_output=True, text=True)
    for word in ["first", "Frobnicate", "second", "Defenestrate", "21"]:
        assert word in done.stderr


def test_damaged_models():
    """Some seconds of what `tools/fuzz/damage.py` does for hours."""
    tests = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "node"
    tool = pathlib.Path(__file__).resolve().parents[2] / "tools" / "fuzz" / "damage.py"
    done = subprocess.run([sys.executable, tool, tests, "--count", "200", "--timeout", "200"],
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
