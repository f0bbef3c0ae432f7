"""Models compiled by glow-bound-shapes.

The interpreter is fed by hand with padded tensors. Padding is filled with NaNs
and large integers, so that a valid element that depends on it shows. Compiled
programs pad by themselves; what they find in the padding are the NaNs of a run
on the largest shapes.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import itertools
import re
import subprocess
import zlib

import numpy as np
import onnx
import onnxruntime
import pytest
from compare import check_equal

import glow

GARBAGE = -123456789


class Bounded:
    """One compilation for all values of the symbols within `bounds`."""

    def __init__(self, model, bounds, target, bin_dir, folder):
        """model: a ModelProto, or the path of one; bounds: {name: (low, high)}."""
        path = model
        if isinstance(model, onnx.ModelProto):
            path = folder / "model.onnx"
            onnx.save(model, path)
        imported, bounded = folder / "import.mlirbc", folder / "bounded.mlirbc"
        _call(bin_dir / "glow-translate", "--import-onnx", path, "-o", imported)
        ranges = ",".join(f"{n}={low}..{high}" for n, (low, high) in bounds.items())
        _call(bin_dir / "glow-opt", imported, "--emit-bytecode", "-o", bounded,
              f"--glow-bound-shapes=bounds={ranges}")
        text = _call(bin_dir / "glow-opt", bounded,
                     "--mlir-elide-resource-strings-if-larger=16",
                     "--mlir-elide-elementsattrs-if-larger=16")
        symbols = re.search(r"glow\.symbols = \[(.*?)\]", text)[1]
        self.symbols = re.findall(r'name = "(.*?)"', symbols)
        self.model = glow.compile(str(bounded), target=target)
        self.pads_itself = target == "cpu"
        self.spoilt = self.pads_itself and isinstance(
            model, onnx.ModelProto) and _spoilt_inputs(model, bounds)
        self.session = onnxruntime.InferenceSession(
            str(path), providers=["CPUExecutionProvider"])

    def run(self, inputs, values):
        """The outputs for inputs of actual shape, and what they should be."""
        names = [o.name for o in self.session.get_outputs()]
        expected = dict(zip(names, self.session.run(names, inputs)))
        if self.pads_itself:
            try:
                self.model.run(self.spoilt or inputs)
            except glow.GlowError:
                pass  # the largest shapes contradict each other
            return self.model.run(inputs), expected
        padded = {}
        for info in self.model.inputs:
            if info.name not in inputs:
                padded[info.name] = np.array([values[s] for s in self.symbols],
                                             np.int64)
                continue
            given = inputs[info.name]
            fill = {"f": np.nan, "i": GARBAGE, "u": 255, "b": True}[given.dtype.kind]
            padded[info.name] = np.full(info.shape, fill, given.dtype)
            padded[info.name][tuple(slice(n) for n in given.shape)] = given
        results = self.model.run(padded)
        actual = {}
        for name, want in expected.items():
            assert all(n <= b for n, b in zip(want.shape, results[name].shape)), (
                f"{name}: {want.shape} does not fit {results[name].shape}")
            actual[name] = results[name][tuple(slice(n) for n in want.shape)]
        return actual, expected


def make_inputs(model, values, rng, high=4):
    """Random inputs whose symbolic extents have these values; integers are
    below `high`. A dimension may be called like 'past + 1'."""
    inputs = {}
    for info in model.graph.input:
        tensor = info.type.tensor_type
        shape = [eval(d.dim_param, {}, dict(values)) if d.dim_param else d.dim_value
                 for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        inputs[info.name] = (
            rng.standard_normal(shape).astype(dtype) if dtype.kind == "f"
            else rng.integers(0, high, shape).astype(dtype))
    return inputs


def corners(bounds):
    """The ends of every range and a place between."""
    return [dict(zip(bounds, values)) for values in itertools.product(
        *(sorted({low, (low + high) // 2, high}) for low, high in bounds.values()))]


def check_case(name, bounds, model, backend, bin_dir, folder, high=4):
    """A model at the corners of its bounds against ONNX Runtime."""
    if backend not in ("cpu", "interpret"):
        pytest.skip("only for Glow's own back ends")
    compiled = Bounded(model, bounds, backend, bin_dir, folder)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for values in corners(bounds):
        inputs = make_inputs(model, values, rng, high)
        check_equal(*compiled.run(inputs, values), 2e-5)


def _spoilt_inputs(model, bounds):
    """Inputs of the largest shapes that leave NaNs everywhere."""
    largest = {name: high for name, (_, high) in bounds.items()}
    inputs = make_inputs(model, largest, np.random.default_rng(0), 1)
    for array in inputs.values():
        if array.dtype.kind == "f":
            array.fill(np.nan)
    return inputs


def _call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout
