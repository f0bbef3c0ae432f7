"""What a program does to the process that uses it: fork, signals, exit.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import generate
import numpy as np
import onnx
import pytest
from onnx import helper as oh

import glow

FLOAT = onnx.TensorProto.FLOAT


def doubled():
    """y = x + x of any number of elements."""
    graph = oh.make_graph(
        [oh.make_node("Add", ["x", "x"], ["y"])], "doubled",
        [oh.make_tensor_value_info("x", FLOAT, ["n"])],
        [oh.make_tensor_value_info("y", FLOAT, ["n"])])
    return oh.make_model(graph, ir_version=10,
                         opset_imports=[oh.make_opsetid("", 21)]).SerializeToString()


def run_script(text, tmp_path, *arguments):
    """Runs Python; what it prints."""
    (tmp_path / "model.onnx").write_bytes(doubled())
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text), *arguments],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


FORKED = """
    import os, sys, numpy as np, glow
    shapes = {"x": [4]} if sys.argv[1] == "fixed" else None
    model = glow.compile("model.onnx", shapes=shapes, threads=2)
    x = np.ones(4, np.float32)
    model.run({"x": x})
    child = os.fork()
    if child == 0:
        x = x if shapes else np.ones(9, np.float32)   # of another specialisation
        assert (model.run({"x": x})["y"] == 2).all()
        assert (glow.compile("model.onnx").run({"x": x})["y"] == 2).all()
        if sys.argv[2] == "delete":
            del model
        sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    print("child ended")
"""


@pytest.mark.parametrize("end", ["exit", "delete"])
@pytest.mark.parametrize("extents", ["fixed", "open"])
def test_children_run_compile_and_end(extents, end, tmp_path):
    assert run_script(FORKED, tmp_path, extents, end) == "child ended\n"


def test_signal_handlers_stay(tmp_path):
    """Kernels and models are written to files; that installs no handlers."""
    text = """
        import os, signal, glow
        heard = []
        for name in ("SIGUSR1", "SIGTERM", "SIGINT", "SIGHUP"):
            signal.signal(getattr(signal, name), lambda number, frame: heard.append(number))
        model = glow.compile("model.onnx", shapes={"x": [4]}, options={"kernel-cache": "kernels"})
        model.save("model.so")
        assert os.listdir("kernels")
        for name in ("SIGUSR1", "SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"):
            os.kill(os.getpid(), getattr(signal, name))
        print(len(heard))
    """
    assert run_script(text, tmp_path) == "5\n"


def test_exit_while_a_thread_runs(tmp_path):
    text = """
        import threading, numpy as np, glow
        model = glow.compile("model.onnx", shapes={"x": [100000]}, threads=1)
        x = np.ones(100000, np.float32)
        def run():
            while True:
                model.run({"x": x})
        for _ in range(3):
            threading.Thread(target=run, daemon=True).start()
        for _ in range(50):
            model.run({"x": x})
        print("ends")
    """
    for _ in range(3):
        assert run_script(text, tmp_path) == "ends\n"


def test_copies():
    model = glow.compile(doubled(), shapes={"x": [2]})
    same = copy.copy(model), copy.deepcopy({"model": model})["model"]
    with pytest.raises(TypeError, match="save it with Model.save and load it"):
        pickle.dumps(model)
    del model
    for other in same:
        assert other.run({"x": np.ones(2, np.float32)})["y"].tolist() == [2, 2]


def test_models_from_pipes(bin_dir, tmp_path):
    """They are read once."""
    subprocess.run([bin_dir / "glow-compile", "/dev/stdin", "--shape=x=2", "-o", "model.so"],
                   input=doubled(), cwd=tmp_path, check=True, timeout=60)
    model = glow.load(tmp_path / "model.so")
    assert model.run({"x": np.ones(2, np.float32)})["y"].tolist() == [2, 2]


def test_signals_remove_what_is_unfinished(bin_dir, models_dir, tmp_path):
    """But for the folder that it was in; the old output stays."""
    path, _ = generate.generate("resnet50", models_dir)
    output = tmp_path / "model.so"
    for _ in range(5):  # it may be complete before the signal
        output.write_text("old")
        tool = subprocess.Popen(
            [bin_dir / "glow-compile", path, "--shape=input=1x3x224x224", "-o", output],
            stdout=subprocess.DEVNULL)
        # Writing the weights takes longest.
        while (tool.poll() is None
               and not list(tmp_path.glob("model.so.partial-*/model.so.*"))):
            time.sleep(0.001)
        tool.send_signal(signal.SIGTERM)
        if tool.wait(timeout=60) != 0:
            break
    assert tool.returncode == -signal.SIGTERM
    assert not list(tmp_path.glob("model.so.partial-*/*"))
    assert output.read_text() == "old"


def test_percent_signs_in_paths(tmp_path):
    """They stand for themselves, also where names are made up beside a file."""
    folder = tmp_path / "100%%"
    folder.mkdir()
    model = glow.compile(doubled(), shapes={"x": [2]},
                         options={"kernel-cache": folder / "kernels"})
    model.save(folder / "a%b.so")
    glow.load(folder / "a%b.so").save(folder / "c%d.so")
    assert sorted(path.name for path in folder.iterdir()) == ["a%b.so", "c%d.so", "kernels"]
    assert any((folder / "kernels").iterdir())
