"""Operators that ONNX Runtime or the onnx package's evaluator compute less
exactly than their types allow.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import numpy as np


def erf(node, x):
    """The evaluator rounds to single precision."""
    if x.dtype == np.float64:
        return np.vectorize(math.erf, otypes=[float])(x)
    return None


def gelu(node, x):
    """As a function it contains numbers in single precision."""
    if x.dtype != np.float64:
        return None
    if any(a.s == b"tanh" for a in node.attribute):
        inner = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    else:
        inner = erf(node, x / math.sqrt(2))
    return x / 2 * (1 + inner)


def hard_swish(node, x):
    """The same."""
    if x.dtype == np.float64:
        return x * np.clip(x / 6 + 0.5, 0, 1)
    return None


def mean_variance(node, x):
    """A variance that is a difference of squares may be negative."""
    if node.attribute or 0 in x.shape:
        return None
    wide = x.astype(np.float64)
    centred = wide - wide.mean((0, 2, 3), keepdims=True)
    deviation = np.sqrt((centred**2).mean((0, 2, 3), keepdims=True))
    return (centred / (deviation + 1e-9)).astype(x.dtype)


def group_norm(node, x, scale, bias):
    """Here, too, a variance is a difference of squares."""
    given = {a.name: a for a in node.attribute}
    if scale.shape != x.shape[1:2] or x.dtype != np.float32:
        return None
    epsilon = given["epsilon"].f if "epsilon" in given else 1e-5
    wide = x.astype(np.float64).reshape(len(x), given["num_groups"].i, -1)
    centred = wide - wide.mean(-1, keepdims=True)
    normal = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
    along = (-1, *[1] * (x.ndim - 2))
    result = normal.reshape(x.shape) * scale.reshape(along) + bias.reshape(along)
    return result.astype(x.dtype)


def dft(node, x, length=None, axis=-2):
    """The factors are of single precision."""
    if x.dtype != np.float64:
        return None
    given = {a.name: a.i for a in node.attribute}
    numbers = x[..., 0] + 1j * x[..., 1] if x.shape[-1] == 2 else x[..., 0]
    axis = int(axis) + 1 if axis < 0 else int(axis)
    count = numbers.shape[axis] if length is None else int(length)
    transform = np.fft.ifft if given.get("inverse") else np.fft.fft
    result = transform(numbers, count, axis)
    if given.get("onesided"):
        result = result.take(range(count // 2 + 1), axis)
    return np.stack([result.real, result.imag], -1)


FUNCTIONS = {
    "DFT": dft, "Erf": erf, "Gelu": gelu, "GroupNormalization": group_norm,
    "HardSwish": hard_swish, "MeanVarianceNormalization": mean_variance,
}


def exact(node, arrays):
    """The outputs, or None if there is nothing better."""
    function = None if node.domain else FUNCTIONS.get(node.op_type)
    inputs = [arrays[n] if n else None for n in node.input]
    result = function(node, *inputs) if function else None
    return None if result is None else [result]
