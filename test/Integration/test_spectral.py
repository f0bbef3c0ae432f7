"""Fourier transforms of all kinds of length, beside those of NumPy in double
precision. (ONNX Runtime's of lengths that are no power of two are off by 1e-4.)

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import onnx
import pytest
from compare import check_equal
from onnx import TensorProto, helper

import glow

# One matrix, divisors of all sizes, a divisor and a prime, primes, powers.
LENGTHS = [1, 2, 7, 64, 65, 66, 96, 101, 134, 400, 768, 997, 1000, 1024, 4096, 4320, 16384]


def dft(x, axis=1, length=None, target="cpu", **flags):
    """What the model of one DFT gives for `x`, whose last axis is parts."""
    inputs = ["x", "length" if length else "", "axis"]
    constants = {"axis": axis, "length": length}
    graph = helper.make_graph(
        [helper.make_node("DFT", inputs, ["y"], name="spectrum", **flags)], "dft",
        [helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)],
        [helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(x.dtype), None)],
        [helper.make_tensor(name, TensorProto.INT64, [], [constants[name]])
         for name in inputs[1:] if name])
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    return glow.compile(model.SerializeToString(), target=target).run({"x": x})["y"]


def compile_open(node, axes, shape, constants=()):
    """A model of one node whose input, of open extents where `axes` names them,
    has one of a range of shapes."""
    graph = helper.make_graph(
        [node], "open", [helper.make_tensor_value_info("x", TensorProto.FLOAT, axes)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], constants)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    return glow.compile(model.SerializeToString(), shapes={"x": shape})


def random_signal(*shape, dtype=np.float32):
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def complex_of(x):
    x = x.astype(np.float64)
    return x[..., 0] + (1j * x[..., 1] if x.shape[-1] == 2 else 0)


def check(y, expected):
    parts = [expected] if np.isrealobj(expected) else [expected.real, expected.imag]
    # Rounding errors grow with the number of factors, not with the length.
    check_equal({"y": y}, {"y": np.stack(parts, -1).astype(np.float32)}, 1e-6)


@pytest.mark.parametrize("length", LENGTHS)
def test_lengths(length):
    real, pairs = random_signal(3, length, 1), random_signal(2, length, 2)
    check(dft(real), np.fft.fft(complex_of(real)))
    check(dft(pairs), np.fft.fft(complex_of(pairs)))
    check(dft(pairs, inverse=1), np.fft.ifft(complex_of(pairs)))
    half = dft(real, onesided=1)
    check(half, np.fft.rfft(real[..., 0].astype(np.float64)))
    if length > 1:
        check(dft(half, length=length, onesided=1, inverse=1), real[..., 0].astype(np.float64))


@pytest.mark.parametrize("given", [1, 50, 96, 100, 300])
def test_cut_or_filled(given):
    """The signal is cut to the transform's length or followed by zeros."""
    x = random_signal(2, given, 2)
    for length in (60, 96, 400):
        check(dft(x, length=length), np.fft.fft(complex_of(x), length))
        check(dft(x, length=length, inverse=1), np.fft.ifft(complex_of(x), length))
        check(dft(x, length=length, onesided=1, inverse=1), np.fft.irfft(complex_of(x), length))


def test_axes_and_types():
    x = random_signal(3, 96, 5, 2)
    check(dft(x, axis=-3), np.fft.fft(complex_of(x), axis=1))
    check(dft(x, axis=0), np.fft.fft(complex_of(x), axis=0))
    x = random_signal(2, 768, 2, dtype=np.float64)
    y = complex_of(dft(x))
    np.testing.assert_allclose(y, np.fft.fft(complex_of(x)), atol=1e-12 * np.abs(y).max())


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_frames(target):
    """STFT with a window, of frames as speech models take them."""
    samples, window, step = random_signal(2, 2000, 1), np.hanning(400).astype(np.float32), 160
    graph = helper.make_graph(
        [helper.make_node("STFT", ["x", "step", "window"], ["y"])], "stft",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, samples.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [helper.make_tensor("step", TensorProto.INT64, [], [step]),
         onnx.numpy_helper.from_array(window, "window")])
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    y = glow.compile(model.SerializeToString(), target=target).run({"x": samples})["y"]
    places = np.arange(0, 2000 - 399, step)[:, None] + np.arange(400)
    check(y, np.fft.rfft(samples[:, places, 0].astype(np.float64) * window))


@pytest.mark.parametrize("parts", [1, 2])
def test_open_lengths(parts):
    """The run makes the matrix of a length that only it knows."""
    def spectrum(x, **flags):
        node = helper.make_node("DFT", ["x", "", "axis"], ["y"], **flags)
        axis = helper.make_tensor("axis", TensorProto.INT64, [], [1])
        model = compile_open(node, ["n", "length", parts], ((1, 3), (1, 300), parts), [axis])
        for shape in [(3, 300, parts), (1, 1, parts), (2, 96, parts), (3, 101, parts)]:
            yield x(*shape), model.run({"x": x(*shape)})["y"]

    for x, y in spectrum(random_signal):
        check(y, np.fft.fft(complex_of(x)))
    for x, y in spectrum(random_signal, inverse=1):
        check(y, np.fft.ifft(complex_of(x)))
    if parts == 1:
        for x, y in spectrum(random_signal, onesided=1):
            check(y, np.fft.rfft(x[..., 0].astype(np.float64)))
        return
    for x, y in spectrum(random_signal, onesided=1, inverse=1):
        if x.shape[1] > 1:
            check(y, np.fft.irfft(complex_of(x)))


@pytest.mark.parametrize("length", [48, 96, 400])
def test_open_rows(length):
    node = helper.make_node("DFT", ["x", "length", "axis"], ["y"])
    numbers = [helper.make_tensor(name, TensorProto.INT64, [], [value])
               for name, value in (("axis", 1), ("length", length))]
    model = compile_open(node, ["n", 96, "m", 1], ((1, 5), 96, (1, 7), 1), numbers)
    for n, m in [(5, 7), (1, 1), (2, 3)]:
        x = random_signal(n, 96, m, 1)
        check(model.run({"x": x})["y"], np.fft.fft(complex_of(x), length, axis=1))


def test_open_signals():
    """STFT of sounds of any length: as many frames as fit."""
    window, step = np.hanning(400).astype(np.float32), 160
    model = compile_open(
        helper.make_node("STFT", ["x", "step", "window"], ["y"]), ["n", "samples", 1],
        ((1, 3), (300, 4000), 1),
        [helper.make_tensor("step", TensorProto.INT64, [], [step]),
         onnx.numpy_helper.from_array(window, "window")])
    for n, samples in [(3, 4000), (1, 400), (2, 559), (1, 560), (3, 3333)]:
        x = random_signal(n, samples, 1)
        places = np.arange(0, samples - 399, step)[:, None] + np.arange(400)
        check(model.run({"x": x})["y"], np.fft.rfft(x[:, places, 0].astype(np.float64) * window))
    assert model.run({"x": random_signal(2, 300, 1)})["y"].shape == (2, 0, 201, 2)


def test_no_signals():
    for length in (60, 96):
        assert dft(random_signal(0, length, 2)).shape == (0, length, 2)
        assert dft(random_signal(3, length, 0, 1), axis=1).shape == (3, length, 0, 2)
        y = dft(random_signal(3, 0, length, 2), axis=2, inverse=1, onesided=1)
        assert y.shape == (3, 0, 2 * length - 2, 1)


def test_too_long():
    """A prime length has one matrix, of which the error speaks."""
    with pytest.raises(glow.GlowError, match="(?s)'spectrum'.*more than 2\\^26 elements"):
        dft(random_signal(1, 16381, 1))
    with pytest.raises(glow.GlowError, match="'spectrum'.*of 4611686018427387904 elements"):
        dft(random_signal(1, 8, 1), length=2**62)
    with pytest.raises(glow.GlowError, match="'spectrum'.*not supported"):
        dft(random_signal(1, 8, 1), length=2**39)
    half = np.broadcast_to(np.float32(0), (1, 2**36, 2))
    with pytest.raises(glow.GlowError, match="'spectrum'.*not supported"):
        dft(half, inverse=1, onesided=1)
