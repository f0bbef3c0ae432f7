"""Models shared between the simulated card and the processor.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import subprocess

import generate
import glow
import numpy as np
import pytest
from compare import check_equal
from test_models import load_arrays

TOLERANCE = 1e-4


def compile_for_card(path, folder, bin_dir, target, *options):
    """The package's folder and the report of what went where."""
    library = bin_dir.parent / "lib"
    package, report = folder / "model.pkg", folder / "report.json"
    subprocess.run(
        [bin_dir / "glow-compile", path, "-o", package, f"--target={target}",
         f"--load-dialect-plugin={library / 'glow_habana.so'}",
         f"--partition-report={report}", *options],
        check=True)
    return package, json.loads(report.read_text())


def run_package(package, inputs, folder, bin_dir):
    """Outputs by name, from glow-run with the simulated card."""
    command = [bin_dir / "glow-run", package, f"--output-dir={folder}"]
    for name, value in inputs.items():
        file = folder / f"input-{name}.npy"
        np.save(file, value)
        command.append(f"--input={name}={file}")
    device = bin_dir.parent / "lib" / "glow_habana_sim.so"
    subprocess.run(command, check=True,
                   env={**os.environ, "GLOW_DEVICE_PLUGINS": str(device)})


def check_on_card(name, models_dir, folder, bin_dir, target, *options):
    path, _ = generate.generate(name, models_dir)
    manifest = json.loads((models_dir / name / "manifest.json").read_text())
    inputs = load_arrays(models_dir / name, manifest["inputs"])
    expected = load_arrays(models_dir / name, manifest["outputs"])
    shapes = [f"--shape={name}={'x'.join(map(str, value.shape))}"
              for name, value in inputs.items()]
    package, report = compile_for_card(path, folder, bin_dir, target, *shapes,
                                       *options)
    run_package(package, inputs, folder, bin_dir)
    actual = {output: np.load(folder / f"{output}.npy") for output in expected}
    check_equal(actual, expected, TOLERANCE)
    return report


@pytest.fixture
def bin_dir(request):
    return request.config.getoption("bin_dir")


def devices_of(report):
    return {op["device"] for op in report["ops"]}


def test_digits(models_dir, tmp_path, bin_dir):
    """Softmax needs exp, which the card has not: both devices take part."""
    report = check_on_card("digits", models_dir, tmp_path, bin_dir, "habana",
                           "--partition-by-cost=false")
    assert devices_of(report) == {"cpu", "habana"}
    on_host = [op for op in report["ops"] if op["device"] == "cpu"]
    assert all(op["reason"].startswith("habana ") for op in on_host)


def test_digits_in_process(models_dir, tmp_path, bin_dir):
    """The compiler opens the device beside the plug-in; packages are saved."""
    path, _ = generate.generate("digits", models_dir)
    manifest = json.loads((models_dir / "digits" / "manifest.json").read_text())
    inputs = load_arrays(models_dir / "digits", manifest["inputs"])
    expected = load_arrays(models_dir / "digits", manifest["outputs"])
    plugin = bin_dir.parent / "lib" / "glow_habana.so"
    model = glow.compile(
        path, shapes={name: value.shape for name, value in inputs.items()},
        target="#habana.target<link = 1000000, latency = 0>",
        options={"load-dialect-plugin": str(plugin)})
    check_equal(model.run(inputs), expected, TOLERANCE)
    model.save(tmp_path / "model.pkg")
    package = json.loads((tmp_path / "model.pkg" / "manifest.json").read_text())
    devices = {part["device"] for part in package["partitions"]}
    assert devices == {"cpu:0", "habana:0"}
    # A child has none of the threads that serve the card's queues.
    child = os.fork()
    if child == 0:
        try:
            model.run(inputs)
        except glow.GlowError as error:
            del model  # does not wait for threads that are not there
            os._exit("open it in the child" not in str(error))
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    # Again, by what a shell completes and by a link; nothing is left beside.
    (tmp_path / "link").symlink_to("model.pkg")
    model.save(f"{tmp_path / 'model.pkg'}/")
    model.save(tmp_path / "link")
    assert sorted(os.listdir(tmp_path)) == ["link", "model.pkg"]
    assert (tmp_path / "link").is_symlink()
    check_equal(glow.load(tmp_path / "model.pkg").run(inputs), expected,
                TOLERANCE)


def test_resnet50(models_dir, tmp_path, bin_dir):
    """Every convolution runs on the card."""
    report = check_on_card("resnet50", models_dir, tmp_path, bin_dir,
                           "habana")
    convs = [op for op in report["ops"] if op["op"] == "glow.conv"]
    assert convs and all(op["device"] == "habana" for op in convs)


def test_resnet50_without_convolutions(models_dir, tmp_path, bin_dir):
    """Those have epilogues when the processor chooses their layout."""
    report = check_on_card(
        "resnet50", models_dir, tmp_path, bin_dir,
        '#habana.target<without = ["glow.conv"]>', "--partition-by-cost=false")
    convs = [op for op in report["ops"] if op["op"] == "glow.conv"]
    assert convs and all(op["device"] == "cpu" for op in convs)
    assert devices_of(report) == {"cpu", "habana"}


def test_resnet50_without_pooling(models_dir, tmp_path, bin_dir):
    """Work goes to the processor and comes back."""
    report = check_on_card(
        "resnet50", models_dir, tmp_path, bin_dir,
        '#habana.target<without = ["glow.pool"]>')
    assert devices_of(report) == {"cpu", "habana"}
    assert len(report["parts"]) == 3
