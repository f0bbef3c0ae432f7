"""Runs the commands that the documentation shows, and compares what they print.

A page is run from its first command to its last, in one folder. Where output
follows a command, its text must occur in what the command printed, except for
what is left out (`…`), white space, the numbers of values, and numbers with a
point, which are timings.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import os
import pathlib
import re
import subprocess

import generate
import glow
import numpy as np
import onnx
import pytest
from compare import check_equal

TREE = pathlib.Path(__file__).resolve().parents[2]
END = "-- end of output --"
COMMAND = re.compile(r"export |build/bin/|glow-|echo |head |\w+=")
# The listings are those of a processor with 512-bit vectors.
SAME_CODE = "avx512f" in pathlib.Path("/proc/cpuinfo").read_text()


def blocks(page):
    """(kind, text) of the code blocks and the paragraphs of a page."""
    for match in re.finditer(
            r"^```(\w*)\n((?:[^`].*\n|\n)*)^```$|((?:^    .*\n)+)|((?:^(?!```|    ).+\n)+)",
            (TREE / page).read_text(), re.M):
        fence, code, indented, prose = match.groups()
        if indented:
            yield "shell", re.sub(r"^    ", "", indented, flags=re.M)
        else:
            yield ("prose", prose) if prose else (fence or "output", code)


def commands(page):
    """(command, the output shown below it or "") of each command of a page."""
    found, last = [], None
    for kind, text in blocks(page):
        if kind == "shell":
            # A command goes on after a backslash and within quotation marks.
            lines = re.findall(r"(?:\\\n|'[^']*'|[^\n'])+", text)
            found += [[line, ""] for line in lines if COMMAND.match(line)]
        elif last == "shell" and kind != "prose":
            found[-1][1] = text
        last = kind
    return found


def run_page(page, folder):
    """What each command of the page printed."""
    script = "set -e\n" + "".join(
        f"{command}\necho; echo {END}\n" for command, _ in commands(page))
    result = subprocess.run(
        ["bash", "-c", script], cwd=folder, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": f"{folder}/build/bin:{os.environ['PATH']}"})
    printed = result.stdout.split(f"\n{END}\n")
    assert result.returncode == 0, \
        f"{commands(page)[len(printed) - 1][0]}\nfailed:\n{printed[-1]}"
    return printed[:-1]


def check_page(page, folder):
    printed = run_page(page, folder)
    assert len(printed) == len(commands(page)) > 0
    if SAME_CODE:
        for (command, shown), text in zip(commands(page), printed):
            piece = missing(shown, text)
            assert piece is None, \
                f"{command}\ndoes not print:\n{piece}\nbut:\n{text}"


def normalised(text):
    text = re.sub(r"\d+\.\d+(e[-+]\d+)?|(?<=%)\w+", "#", text)
    return re.sub(r"\s+", "", text)


def missing(shown, printed):
    """The first piece of `shown` that is not in `printed`, in order."""
    printed, at = normalised(printed), 0
    for piece in shown.split("…"):
        found = printed.find(normalised(piece), at)
        if found < 0:
            return piece
        at = found + len(normalised(piece))
    return None


@pytest.fixture
def folder(tmp_path, bin_dir):
    """A folder that looks like the root of a built tree to the commands."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "bin").symlink_to(bin_dir)
    (tmp_path / "build" / "lib").symlink_to(bin_dir.parent / "lib")
    (tmp_path / "test").symlink_to(TREE / "test")
    return tmp_path


@pytest.mark.parametrize("page", ["docs/Walkthrough.md", "docs/Tools.md",
                                  "docs/Tutorials/AddAnOp.md"])
def test_commands(page, folder):
    digits = TREE / "test" / "Models" / "digits"
    (folder / "model.onnx").symlink_to(digits / "digits.onnx")
    (folder / "digit.png").symlink_to(digits / "images" / "7.png")
    image = np.zeros((1, 1, 8, 8), np.float32)
    np.save(folder / "image.npy", image)
    (folder / "test_data_set_0").mkdir()
    for file in ["input_0.pb", "test_data_set_0/input_0.pb"]:
        onnx.save_tensor(onnx.numpy_helper.from_array(image), folder / file)
    scores = glow.compile(digits / "digits.onnx").run({"image": image})
    onnx.save_tensor(onnx.numpy_helper.from_array(*scores.values()),
                     folder / "test_data_set_0" / "output_0.pb")
    check_page(page, folder)


def test_readme(folder, models_dir):
    path, _ = generate.generate("mobilenetv2", models_dir)
    (folder / "model.onnx").symlink_to(path)
    image = np.load(models_dir / "mobilenetv2" / "inputs" / "input.npy")
    np.save(folder / "input.npy", image)
    check_page("README.md", folder)
    python = [text for kind, text in blocks("README.md") if kind == "python"]
    assert python
    for text in python:
        names = {"image": image}
        with contextlib.chdir(folder):
            exec(text, names)
        check_equal(names["outputs"],
                    {"logits": np.load(folder / "results" / "logits.npy")}, 1e-5)
