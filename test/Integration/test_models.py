"""Whole models with random weights, and the digit classifier with trained
ones, against ONNX Runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import generate
import numpy as np
import pytest
from backends import BACKENDS, run_onnxruntime
from compare import check_equal
from digits import accuracy

TOLERANCE = 1e-4


def load_arrays(folder, files):
    return {name: np.load(folder / file) for name, file in files.items()}


def check_model(name, run, models_dir):
    """Generates the model unless it is there; compares every output."""
    path, _ = generate.generate(name, models_dir)
    folder = models_dir / name
    manifest = json.loads((folder / "manifest.json").read_text())
    inputs = load_arrays(folder, manifest["inputs"])
    expected = load_arrays(folder, manifest["outputs"])
    check_equal(run(path, inputs), expected, TOLERANCE)


@pytest.mark.parametrize("name", generate.GROUPS["onnx"])
def test_model(name, run, models_dir):
    check_model(name, run, models_dir)


@pytest.mark.parametrize("name", generate.GROUPS["more"])
def test_other_family(name, run, models_dir):
    check_model(name, run, models_dir)


@pytest.mark.parametrize("name", generate.GROUPS["light"])
def test_light_model(name, run, models_dir):
    check_model(name, run, models_dir)


@pytest.mark.torch
@pytest.mark.parametrize("name", generate.GROUPS["torch"])
def test_exported_model(name, run, models_dir):
    check_model(name, run, models_dir)


@pytest.mark.torch
def test_sentence_similarities(run, models_dir):
    """MiniLM with its real weights, against PyTorch."""
    from builders import minilm
    path, _ = generate.generate("minilm", models_dir)
    inputs = minilm.tokenize(minilm.SENTENCES)
    outputs = run(path, inputs)
    actual = minilm.similarities(outputs["last_hidden_state"],
                                 inputs["attention_mask"])
    np.testing.assert_allclose(actual, minilm.torch_similarities(inputs),
                               atol=1e-4)


@pytest.mark.parametrize("batch", [1, 3])
def test_dynamic_batch(batch, run):
    images, _ = accuracy.held_out()
    inputs = {"image": images[:batch]}
    check_equal(run(accuracy.MODEL, inputs),
                run_onnxruntime(accuracy.MODEL, inputs), TOLERANCE)


def test_digit_accuracy(run):
    images, labels = accuracy.held_out()
    guess = run(accuracy.MODEL, {"image": images})["probabilities"].argmax(1)
    wanted = run_onnxruntime(accuracy.MODEL, {"image": images})
    assert np.mean(guess == labels) >= 0.98
    assert np.array_equal(guess, wanted["probabilities"].argmax(1))


def test_interpreter_equals_cpu():
    """The two ways Glow runs a model, held against each other."""
    images, _ = accuracy.held_out()
    inputs = {"image": images[:8]}
    check_equal(BACKENDS["cpu"](accuracy.MODEL, inputs),
                BACKENDS["interpret"](accuracy.MODEL, inputs), 1e-5)
