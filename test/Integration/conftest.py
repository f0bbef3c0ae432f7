"""Options of the integration tests; see README.md.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(TREE / "test" / "Models")]

# Kernels of the tests are not kept with the user's.
os.environ.setdefault("GLOW_CACHE_DIR", str(TREE / "build" / "test" /
                                            "kernel-cache"))

import unsupported  # noqa: E402
from amx_emulation import amx, emulator, runner  # noqa: E402, F401
from backends import BACKENDS  # noqa: E402
from plain_c import call  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--backend", action="append", choices=BACKENDS,
                     help="what to test; default: cpu and interpret")
    parser.addoption("--models-dir", type=pathlib.Path,
                     default=TREE / "build" / "models",
                     help="where generated models are kept")
    parser.addoption("--bin-dir", type=pathlib.Path,
                     default=TREE / "build" / "bin",
                     help="where the command-line tools are")
    parser.addoption("--update-unsupported", action="store_true",
                     help="rewrite the lists of cases that must fail")


def pytest_configure(config):
    if (config.getoption("update_unsupported")
            and config.getoption("numprocesses", None)):
        raise pytest.UsageError("--update-unsupported needs all results in one "
                                "process: leave out -n")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    unsupported.record(item, outcome.get_result())


def pytest_sessionfinish(session):
    if session.config.getoption("update_unsupported"):
        unsupported.write_lists()


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        names = metafunc.config.getoption("backend") or ["cpu", "interpret"]
        metafunc.parametrize("backend", names)


@pytest.fixture
def run(backend):
    """(model, inputs) -> outputs on the backend under test."""
    return BACKENDS[backend]


@pytest.fixture
def models_dir(request):
    return request.config.getoption("models_dir")


@pytest.fixture
def bin_dir(request):
    return request.config.getoption("bin_dir")


@pytest.fixture
def compile_model(bin_dir):
    return lambda model, output, *options: call(
        bin_dir / "glow-compile", model, "-o", output, *options)
