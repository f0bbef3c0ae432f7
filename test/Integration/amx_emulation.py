"""Runs code for processors with AMX, by an emulator of its instructions.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import platform
import shutil

import glow
import numpy as np
import onnx
import pytest
from model_abi import LoadedModel, from_buffer, to_buffer
from plain_c import TREE, build_program, call

# What the emulator leaves to the processor.
NEEDED = ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_bf16",
          "avx512_vnni"]
# A processor with AMX, without what others with AVX-512 lack.
MACHINE = ["--mcpu=sapphirerapids", "--mattr=-avx512fp16,-avxvnni"]


def features():
    if platform.machine() != "x86_64":
        return []
    with open("/proc/cpuinfo") as info:
        return next((l for l in info if l.startswith("flags")), "").split()


needs_vectors = pytest.mark.skipif(
    not set(NEEDED) <= set(features()), reason="needs AVX-512 with bf16 and VNNI")
HAS_TILES = "amx_bf16" in features()


@pytest.fixture(scope="session")
def emulator(tmp_path_factory):
    library = tmp_path_factory.mktemp("amx") / "emulator.so"
    compiler = shutil.which("c++") or "clang++-22"
    call(compiler, "-std=c++17", "-O2", "-shared", "-fPIC",
         TREE / "test/unit/Amx/AmxEmulator.cpp", "-o", library)
    return library


@pytest.fixture(scope="session")
def runner(tmp_path_factory):
    return build_program("run-model.c", tmp_path_factory.mktemp("runner"))


class Emulation:
    """Compiles for a processor with AMX and runs in the emulator."""

    def __init__(self, bin_dir, emulator, runner, folder):
        self.bin_dir, self.folder = bin_dir, folder
        self.emulator, self.runner = emulator, runner
        self.products = 0

    def run(self, model, inputs, precision, outputs, machine=MACHINE,
            ranges=()):
        """Outputs like `outputs`; sets the number of products of tiles. With
        `ranges`, values of --shape, the last input is what the symbols are, and
        padding holds no numbers."""
        model_file = self.folder / "model.onnx"
        if isinstance(model, onnx.ModelProto):
            onnx.save(model, model_file)
        else:
            model_file = model
        library = self.folder / f"{precision}.so"
        call(self.bin_dir / "glow-compile", model_file, "-o", library, *machine,
             f"--precision={precision}", *(f"--shape={r}" for r in ranges))
        desc = LoadedModel(library).desc
        files = []
        for i, array in enumerate(inputs.values()):
            files.append(self.folder / f"input{i}")
            files[-1].write_bytes(to_buffer(desc.inputs[i], array).tobytes())
        log = self.folder / "log"
        log.write_text("0")
        data = call(self.runner, library, *files,
                    env={**os.environ, "LD_PRELOAD": str(self.emulator),
                         "AMX_EMULATOR_LOG": str(log)})
        self.products = int(log.read_text())
        results, start = [], 0
        for i, like in enumerate(outputs):
            results.append(from_buffer(desc.outputs[i], data[start:], like))
            start += desc.outputs[i].bytes
        if HAS_TILES and not ranges:
            # What the processor computes is what the emulator does.
            there = glow.load(str(library)).run(inputs)
            for array, result in zip(there.values(), results):
                np.testing.assert_array_equal(array, result)
        return results


@pytest.fixture
def amx(bin_dir, emulator, runner, tmp_path):
    return Emulation(bin_dir, emulator, runner, tmp_path)


# Root of the mean square error, relative to the results' own.
LIMITS = {"strict": 4e-7, "fp32": 3e-7, "fp32-fast": 6e-6, "bf16": 4e-3}


def rms(values):
    return np.sqrt(np.mean(np.square(values, dtype=np.float64)))
