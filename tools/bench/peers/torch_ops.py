"""ONNX operators as PyTorch functions, as far as the models here need them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math

import torch
import torch.nn.functional as F

from .base import NotSupported

DTYPES = {1: torch.float32, 6: torch.int32, 7: torch.int64, 9: torch.bool}


def _tensor(value):
    return value if isinstance(value, torch.Tensor) else torch.tensor(value)


def _binary(function):
    return lambda x, y: function(x if isinstance(y, torch.Tensor)
                                 else _tensor(x), y)


def _spatial(x, weights, pads, strides, dilations):
    rank = x.dim() - 2
    pads = list(pads or [0] * (2 * rank))
    return (rank, pads, tuple(strides or [1] * rank),
            tuple(dilations or [1] * rank))


def _pad(x, pads, rank, value=0.0):
    """ONNX: all starts, then all ends; torch: from the last axis, in pairs."""
    if not any(pads):
        return x
    pairs = [p for a in reversed(range(rank)) for p in (pads[a],
                                                        pads[a + rank])]
    return F.pad(x, pairs, value=value)


def _conv(x, w, b=None, pads=None, strides=None, dilations=None, group=1,
          kernel_shape=None, auto_pad="NOTSET"):
    rank, pads, strides, dilations = _spatial(x, w, pads, strides, dilations)
    if pads[:rank] == pads[rank:]:
        padding = tuple(pads[:rank])
    else:
        x, padding = _pad(x, pads, rank), (0,) * rank
    function = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
    return function(x, w, b, strides, padding, dilations, group)


def _ceil_pads(x, kernel, strides, pads, rank):
    """More padding at the end where ceil_mode makes the result larger."""
    pads = list(pads)
    for a in range(rank):
        size = x.shape[2 + a] + pads[a] + pads[a + rank]
        pads[a + rank] += -(size - kernel[a]) % strides[a]
    return pads


def _max_pool(x, kernel_shape, pads=None, strides=None, dilations=None,
              ceil_mode=0, storage_order=0, auto_pad="NOTSET"):
    rank, pads, strides, dilations = _spatial(x, None, pads, strides,
                                              dilations)
    if ceil_mode:
        pads = _ceil_pads(x, kernel_shape, strides, pads, rank)
    if pads[:rank] == pads[rank:]:
        padding = tuple(pads[:rank])
    else:
        x, padding = _pad(x, pads, rank, float("-inf")), (0,) * rank
    return F.max_pool2d(x, tuple(kernel_shape), strides, padding, dilations)


def _average_pool(x, kernel_shape, pads=None, strides=None, ceil_mode=0,
                  count_include_pad=0, auto_pad="NOTSET"):
    rank, pads, strides, _ = _spatial(x, None, pads, strides, None)
    if pads[:rank] != pads[rank:]:
        raise NotSupported("AveragePool with uneven padding")
    return F.avg_pool2d(x, tuple(kernel_shape), strides, tuple(pads[:rank]),
                        bool(ceil_mode), bool(count_include_pad))


def _gemm(a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0):
    a = a.t() if transA else a
    if alpha == 1 and beta == 1 and c is not None and transB:
        return F.linear(a, b, c)
    y = (a @ (b.t() if transB else b)) * alpha
    return y if c is None else y + c * beta


def _reshape(x, shape, allowzero=0):
    dims = [x.shape[i] if d == 0 and not allowzero else d
            for i, d in enumerate(shape)]
    return x.reshape(dims)


def _split(x, sizes=None, axis=0, num_outputs=None):
    if sizes is None:
        sizes = [-(-x.shape[axis] // num_outputs)]
        return x.split(sizes[0], axis)
    return x.split(sizes, axis)


def _squeeze(x, axes=None):
    return x.squeeze() if axes is None else x.squeeze(tuple(axes))


def _unsqueeze(x, axes):
    for axis in sorted(axes):
        x = x.unsqueeze(axis)
    return x


def _gather(x, indices, axis=0):
    indices, axis = _tensor(indices), axis % x.dim()
    shape = x.shape[:axis] + indices.shape + x.shape[axis + 1:]
    if axis == 0 and x.dim() == 2 and x.is_floating_point():
        return F.embedding(indices, x)
    indices = torch.where(indices < 0, indices + x.shape[axis], indices)
    return x.index_select(axis, indices.reshape(-1)).reshape(shape)


def _reduce_mean(x, axes=None, keepdims=1):
    return x.mean(tuple(axes), bool(keepdims))


def _resize(x, roi=None, scales=None, sizes=None, mode="nearest", **attributes):
    if mode != "nearest" or attributes.get(
            "coordinate_transformation_mode") != "asymmetric":
        raise NotSupported(f"Resize with mode {mode}")
    size = sizes[2:] if sizes is not None else [
        int(e * s) for e, s in zip(x.shape[2:], scales[2:])]
    return F.interpolate(x, size=size, mode="nearest")


def _layer_norm(x, scale, bias=None, axis=-1, epsilon=1e-5, stash_type=1):
    return F.layer_norm(x, x.shape[axis:], scale, bias, epsilon)


def _lstm(x, w, r, b=None, lengths=None, h=None, c=None, p=None, *,
          hidden_size, direction="forward", layout=0, input_forget=0):
    if direction != "forward" or layout or input_forget or p is not None:
        raise NotSupported("LSTM other than forward, without peepholes")
    n = hidden_size

    def reorder(t):  # ONNX: input, output, forget, cell; torch: i, f, c, o
        i, o, f, g = t.split(n)
        return torch.cat([i, f, g, o])
    biases = [reorder(t) for t in b[0].split(4 * n)]
    weights = [reorder(w[0]), reorder(r[0]), *biases]
    zeros = x.new_zeros(1, x.shape[1], n)
    state = [zeros if s is None else s.expand_as(zeros).contiguous()
             for s in (h, c)]
    y, h, c = torch.lstm(x, state, weights, True, 1, 0.0, False, False, False)
    return y.unsqueeze(1), h, c


def _cast(x, to, saturate=1):
    return _tensor(x).to(DTYPES[to])


def _gather_nd(x, indices, batch_dims=0):
    if batch_dims:
        raise NotSupported("GatherND with batch dimensions")
    return x[tuple(indices.long().unbind(-1))]


TABLE = {
    "Add": _binary(torch.add), "Sub": _binary(torch.sub),
    "Mul": _binary(torch.mul), "Div": _binary(torch.div),
    "Pow": _binary(torch.pow), "And": _binary(torch.logical_and),
    "MatMul": _binary(torch.matmul),
    "Sum": lambda *values: sum(values[1:], values[0]),
    "Where": torch.where,
    "Relu": F.relu, "Sigmoid": torch.sigmoid, "Tanh": torch.tanh,
    "Erf": torch.erf, "Sqrt": torch.sqrt,
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: (
        F.hardsigmoid(x) if abs(alpha - 1 / 6) < 1e-6 and beta == 0.5
        else (x * alpha + beta).clamp(0, 1)),
    "Gelu": lambda x, approximate="none": F.gelu(x, approximate=approximate),
    "Clip": torch.clamp,
    "Softmax": lambda x, axis=-1: F.softmax(x, axis),
    "BatchNormalization": lambda x, s, b, m, v, epsilon=1e-5, momentum=0.9,
    **_: F.batch_norm(x, m, v, s, b, eps=epsilon),
    "LayerNormalization": _layer_norm, "Conv": _conv, "Gemm": _gemm,
    "MaxPool": _max_pool, "AveragePool": _average_pool,
    "GlobalAveragePool": lambda x: x.mean(tuple(range(2, x.dim())), True),
    "ReduceMean": _reduce_mean, "Reshape": _reshape,
    "Flatten": lambda x, axis=1: x.reshape(
        math.prod(x.shape[:axis]), -1),
    "Transpose": lambda x, perm: x.permute(*perm), "Split": _split,
    "Squeeze": _squeeze, "Unsqueeze": _unsqueeze, "Gather": _gather,
    "GatherND": _gather_nd,
    "Concat": lambda *values, axis: torch.cat(values, axis),
    "Resize": _resize, "LSTM": _lstm, "Cast": _cast,
}
