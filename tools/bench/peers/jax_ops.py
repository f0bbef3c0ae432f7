"""ONNX operators as JAX functions, as far as the models here need them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import jax
import jax.numpy as jnp
from jax import lax

from .base import NotSupported

DTYPES = {1: jnp.float32, 6: jnp.int32, 7: jnp.int64, 9: jnp.bool_}


def _window(x, pads, strides, dilations):
    rank = x.ndim - 2
    pads = pads or [0] * (2 * rank)
    return (list(zip(pads[:rank], pads[rank:])), strides or [1] * rank,
            dilations or [1] * rank)


def _conv(x, w, b=None, pads=None, strides=None, dilations=None, group=1,
          kernel_shape=None, auto_pad="NOTSET"):
    pads, strides, dilations = _window(x, pads, strides, dilations)
    y = lax.conv_general_dilated(x, w, strides, pads, rhs_dilation=dilations,
                                 feature_group_count=group)
    return y if b is None else y + b.reshape(1, -1, *[1] * (x.ndim - 2))


def _ceil(x, pads, kernel, strides):
    """More padding at the end where ceil_mode makes the result larger."""
    return [(low, high + -(size + low + high - k) % s)
            for size, (low, high), k, s in zip(x.shape[2:], pads, kernel,
                                               strides)]


def _max_pool(x, kernel_shape, pads=None, strides=None, dilations=None,
              ceil_mode=0, storage_order=0, auto_pad="NOTSET"):
    pads, strides, dilations = _window(x, pads, strides, dilations)
    if ceil_mode:
        pads = _ceil(x, pads, kernel_shape, strides)
    return lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 1, *kernel_shape), (1, 1, *strides),
        [(0, 0), (0, 0), *pads], window_dilation=(1, 1, *dilations))


def _average_pool(x, kernel_shape, pads=None, strides=None, ceil_mode=0,
                  count_include_pad=0, auto_pad="NOTSET"):
    if ceil_mode:
        raise NotSupported("AveragePool with ceil_mode")
    pads, strides, _ = _window(x, pads, strides, None)

    def add(values):
        return lax.reduce_window(
            values, 0.0, lax.add, (1, 1, *kernel_shape), (1, 1, *strides),
            [(0, 0), (0, 0), *pads])
    if count_include_pad:
        return add(x) / math.prod(kernel_shape)
    return add(x) / add(jnp.ones((1, 1, *x.shape[2:]), x.dtype))


def _gemm(a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0):
    y = (a.T if transA else a) @ (b.T if transB else b)
    y = y if alpha == 1 else y * alpha
    return y if c is None else y + (c if beta == 1 else c * beta)


def _reshape(x, shape, allowzero=0):
    return x.reshape([x.shape[i] if d == 0 and not allowzero else d
                      for i, d in enumerate(shape)])


def _split(x, sizes=None, axis=0, num_outputs=None):
    sizes = sizes or [-(-x.shape[axis] // num_outputs)] * num_outputs
    ends = [sum(sizes[:i + 1]) for i in range(len(sizes) - 1)]
    return tuple(jnp.split(x, ends, axis))


def _gather_nd(x, indices, batch_dims=0):
    if batch_dims:
        raise NotSupported("GatherND with batch dimensions")
    return x[tuple(jnp.moveaxis(indices, -1, 0))]


def _resize(x, roi=None, scales=None, sizes=None, mode="nearest", **attributes):
    if mode != "nearest" or attributes.get(
            "coordinate_transformation_mode") != "asymmetric":
        raise NotSupported(f"Resize with mode {mode}")
    scales = scales or [n / e for n, e in zip(sizes, x.shape)]
    if any(s != int(s) for s in scales):
        raise NotSupported("Resize by a factor that is not whole")
    for axis, scale in enumerate(scales):
        x = jnp.repeat(x, int(scale), axis) if scale != 1 else x
    return x


def _layer_norm(x, scale, bias=None, axis=-1, epsilon=1e-5, stash_type=1):
    axes = tuple(range(axis % x.ndim, x.ndim))
    centred = x - x.mean(axes, keepdims=True)
    variance = (centred * centred).mean(axes, keepdims=True)
    y = centred * lax.rsqrt(variance + epsilon) * scale
    return y if bias is None else y + bias


def _lstm(x, w, r, b=None, lengths=None, h=None, c=None, p=None, *,
          hidden_size, direction="forward", layout=0, input_forget=0):
    if direction != "forward" or layout or input_forget or p is not None:
        raise NotSupported("LSTM other than forward, without peepholes")
    zeros = jnp.zeros((x.shape[1], hidden_size), x.dtype)
    h, c = (zeros if s is None else jnp.broadcast_to(s[0], zeros.shape)
            for s in (h, c))
    inputs = x @ w[0].T + (0 if b is None else sum(jnp.split(b[0], 2)))

    def step(state, inputs):
        h, c = state
        i, o, f, g = jnp.split(inputs + h @ r[0].T, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    (h, c), y = lax.scan(step, (h, c), inputs)
    return y[:, None], h[None], c[None]


def _batch_norm(x, scale, bias, mean, variance, epsilon=1e-5, **_):
    scale = scale * lax.rsqrt(variance + epsilon)
    shape = (1, -1, *[1] * (x.ndim - 2))
    return x * scale.reshape(shape) + (bias - mean * scale).reshape(shape)


TABLE = {
    "Add": jnp.add, "Sub": jnp.subtract, "Mul": jnp.multiply,
    "Div": jnp.divide, "Pow": jnp.power, "And": jnp.logical_and,
    "MatMul": jnp.matmul, "Where": jnp.where,
    "Sum": lambda *values: sum(values[1:], values[0]),
    "Relu": jax.nn.relu, "Sigmoid": jax.nn.sigmoid, "Tanh": jnp.tanh,
    "Erf": lax.erf, "Sqrt": jnp.sqrt,
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: jnp.clip(
        x * alpha + beta, 0, 1),
    "Gelu": lambda x, approximate="none": jax.nn.gelu(
        x, approximate == "tanh"),
    "Clip": jnp.clip, "Softmax": lambda x, axis=-1: jax.nn.softmax(x, axis),
    "BatchNormalization": _batch_norm, "LayerNormalization": _layer_norm,
    "Conv": _conv, "Gemm": _gemm, "MaxPool": _max_pool,
    "AveragePool": _average_pool,
    "GlobalAveragePool": lambda x: x.mean(tuple(range(2, x.ndim)),
                                          keepdims=True),
    "ReduceMean": lambda x, axes=None, keepdims=1: x.mean(
        tuple(axes), keepdims=bool(keepdims)),
    "Reshape": _reshape, "Flatten": lambda x, axis=1: x.reshape(
        math.prod(x.shape[:axis]), -1),
    "Transpose": lambda x, perm: x.transpose(perm), "Split": _split,
    "Squeeze": lambda x, axes=None: x.squeeze(
        None if axes is None else tuple(axes)),
    "Unsqueeze": lambda x, axes: jnp.expand_dims(x, tuple(axes)),
    "Gather": lambda x, indices, axis=0: jnp.take(
        x, jnp.asarray(indices), axis),
    "GatherND": _gather_nd,
    "Concat": lambda *values, axis: jnp.concatenate(values, axis),
    "Resize": _resize, "LSTM": _lstm,
    "Cast": lambda x, to, saturate=1: jnp.asarray(x).astype(DTYPES[to]),
}
