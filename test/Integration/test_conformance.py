"""The tool glow-conformance, on a few tests of the onnx package and on tests that
fail on purpose.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

TREE = pathlib.Path(__file__).resolve().parents[2]
SUITE = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
MODES = "given,dynamic,constant,object"


@pytest.fixture
def conformance(bin_dir):
    def run(*arguments, code=0):
        done = subprocess.run([bin_dir / "glow-conformance", *arguments],
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr
    return run


def write_test(folder, op, *wanted):
    """A test of an operator on [1, -2]; one data set for each result."""
    graph = helper.make_graph(
        [helper.make_node(op, ["x"], ["y"])], "main",
        *([helper.make_tensor_value_info(n, TensorProto.FLOAT, [2])]
          for n in "xy"))
    folder.mkdir()
    onnx.save(helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 18)]), folder / "model.onnx")
    for i, y in enumerate(wanted):
        data = folder / f"test_data_set_{i}"
        data.mkdir()
        for name, value in (("input_0", [1, -2]), ("output_0", y)):
            tensor = numpy_helper.from_array(np.array(value, np.float32))
            (data / f"{name}.pb").write_bytes(tensor.SerializeToString())


@pytest.fixture
def suite(tmp_path):
    folder = tmp_path / "suite"
    folder.mkdir()
    write_test(folder / "test_good", "Neg", [-1, 2], [-1, 2])
    write_test(folder / "test_near", "Neg", [-1.0000001, 2])
    write_test(folder / "test_wrong", "Neg", [-1, 2], [1, 2])
    write_test(folder / "test_shape", "Neg", [[-1, 2]])
    write_test(folder / "test_unknown", "NoSuchOperator", [1, 2])
    return folder


def test_modes(conformance, tmp_path):
    names = ["test_relu", "test_add_bcast", "test_sequence_insert_at_front",
             "test_reduce_sum_negative_axes_keepdims_random",
             "test_cast_FLOAT_to_BFLOAT16", "test_if_opt",
             # With open shapes: scattered along the only axis, types of less
             # than a byte, and a zero point that may have several elements.
             "test_concat_1d_axis_0", "test_cast_INT4_to_FLOAT16",
             "test_dequantizelinear_int4"]
    page = tmp_path / "page.html"
    conformance(SUITE / "node", f"--mode={MODES}", f"--html={page}",
                f"--json={tmp_path}/results.json",
                *(f"--filter={name}" for name in names))
    results = json.loads((tmp_path / "results.json").read_text())
    for name in names:
        outcomes = results["tests"][name]
        assert set(outcomes) == set(MODES.split(","))
        assert all(o["status"] in ("passed", "inexpressible")
                   for o in outcomes.values()), outcomes
    assert results["tests"]["test_relu"]["object"]["types"] == ["f32"]
    # The list of axes is an input, whose values are stated ahead of time.
    axes = results["tests"]["test_reduce_sum_negative_axes_keepdims_random"]
    assert axes["object"]["status"] == "passed"
    text = page.read_text()
    assert text.count("<tr data-text") == len(results["tests"])
    assert "http" not in text.lower().replace("<!doctype", "")


def test_failures(conformance, suite, tmp_path):
    results = tmp_path / "results.json"
    said = conformance(suite, f"--json={results}", "--long", code=1)
    assert "test_wrong given failed: output 'y': element 0 is -1 " in said
    assert "test_shape given failed: output 'y': has the shape [2]" in said
    tests = json.loads(results.read_text())["tests"]
    outcomes = {name: entry["given"] for name, entry in tests.items()}
    assert outcomes["test_unknown"]["status"] == "unsupported"
    assert "NoSuchOperator" in outcomes["test_unknown"]["reason"]
    assert outcomes["test_near"]["ulps"] == 1
    assert outcomes["test_good"]["ulps"] == 0


def test_list(conformance, suite, tmp_path):
    """The list of what must fail: kept, and brought up to date."""
    listed = tmp_path / "list.txt"
    listed.write_text("# A head.\ntest_good dynamic  # not so\n"
                      "test_elsewhere  # stays\ntest_unknown  # why\n")
    arguments = suite, "--mode=given,dynamic", f"--expected={listed}"
    said = conformance(*arguments, code=1)
    assert "test_good dynamic passes: take it off the list" in said
    assert "test_wrong cpu: output 'y'" in said
    assert "test_unknown" not in said
    conformance(*arguments, "--update")
    conformance(*arguments)
    lines = listed.read_text().splitlines()
    assert lines[0] == "# A head."
    assert lines[1:2] == ["test_elsewhere  # stays"]
    # What fails as given need not be listed for other modes.
    assert [line.split()[:3] for line in lines[2:4]] == [
        ["test_shape", "cpu", "#"], ["test_unknown", "#", "why"]]
    assert "test_good" not in listed.read_text()


def test_hang_and_crash(conformance, suite):
    """A test that has no time is a failure, and the next one runs."""
    shutil.rmtree(suite / "test_unknown")
    said = conformance(suite, "--time-limit=0", "--jobs=1", "--long", code=1)
    assert said.count("does not end within 0 s") == 4


def test_usage(conformance, tmp_path):
    assert "no tests" in conformance(tmp_path, code=2)
    assert "not a folder" in conformance(tmp_path / "none", code=2)
    assert "needs --expected" in conformance(SUITE, "--update", code=2)


def test_status_page(conformance, suite, tmp_path):
    results, page = tmp_path / "results.json", tmp_path / "page.md"
    conformance(suite, f"--mode={MODES}", f"--json={results}", code=1)
    script = TREE / "tools" / "dev" / "op_status.py"
    command = [sys.executable, script, results, results, "--output", page]
    subprocess.run(command, check=True)
    subprocess.run([*command, "--check"], check=True)
    text = page.read_text()
    assert "| Neg | 2/4 | 2/4 | 2/4 | 2/4 | 2/4 | f32 |" in text
    assert "| NoSuchOperator | 0/1 | 0/1 | 0/1 | 0/1 | 0/1 | (f32) |" in text
    page.write_text(text + "more")
    assert subprocess.run([*command, "--check"]).returncode
    types = tmp_path / "types.json"
    types.write_text(json.dumps(
        [{"operator": "Neg", "type": name, "kind": kind} for name, kind in [
            ("FLOAT", "same"), ("FLOAT8E5M2", "alone"), ("INT4", "same"),
            ("COMPLEX64", "refused")]]))
    subprocess.run([*command, "--types", types], check=True)
    assert "| Neg | 2/4 | 2/4 | 2/4 | 2/4 | 2/4 | f32 | f8e5m2, i4 |" in page.read_text()
