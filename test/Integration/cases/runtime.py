"""Operators of ONNX Runtime's own domain, com.microsoft.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

import numpy as np

from .case import Table, const

TABLE = Table()
data = TABLE.data
add = functools.partial(TABLE.add, domain="com.microsoft", opset=17)

X = data(2, 3, 8)
add("Gelu", X)
add("QuickGelu", X)
add("QuickGelu", X, alpha=1.0, label="alpha")
add("FastGelu", X)
add("FastGelu", X, data(8), label="bias")
add("BiasGelu", X, data(8))
add("FusedMatMul", data(2, 4, 3), data(2, 4, 5), transA=1, alpha=0.5)
add("FusedMatMul", data(4, 2, 3), data(2, 5, 3), transBatchA=1, transB=1,
    label="batch")

# -- Normalisation -------------------------------------------------------------
GAMMA, BETA = data(8), data(8)
add("SkipLayerNormalization", X, data(2, 3, 8), GAMMA, BETA, data(8),
    outputs=[1, 0, 0, 1])
add("SkipLayerNormalization", X, data(2, 3, 8), GAMMA, label="short",
    epsilon=0.1)
add("SkipSimplifiedLayerNormalization", X, data(2, 3, 8), GAMMA, data(8),
    outputs=[1, 0, 0, 1])
TABLE.add("SimplifiedLayerNormalization", X, GAMMA, opset=17)
IDS = data(2, 5, dtype=np.int32, low=0, high=9)
add("EmbedLayerNormalization", IDS, data(2, 5, dtype=np.int32, low=0, high=2),
    const(data(9, 8)), const(data(6, 8)), const(data(2, 8)), const(GAMMA),
    const(BETA), np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]),
    outputs=[np.float32, np.int32])
add("EmbedLayerNormalization", IDS, None, const(data(9, 8)), const(data(6, 8)),
    None, const(GAMMA), const(BETA), outputs=[np.float32, np.int32],
    label="short")

# -- Attention -----------------------------------------------------------------
WEIGHTS, BIAS = const(data(8, 24)), const(data(24))
add("Attention", X, WEIGHTS, BIAS, num_heads=2)
add("Attention", X, WEIGHTS, BIAS, None, data(2, 2, 2, 4, 4), num_heads=2,
    unidirectional=1, outputs=2, label="past")
add("Attention", X, WEIGHTS, BIAS, np.int32([[1, 1, 0], [1, 1, 1]]),
    num_heads=2, label="mask")
add("Attention", X, WEIGHTS, BIAS, np.int32([2, 3]), num_heads=2,
    label="lengths")
add("Attention", X, WEIGHTS, BIAS, None, None, data(2, 2, 3, 3), num_heads=2,
    scale=0.3, label="bias")
add("MultiHeadAttention", X, data(2, 5, 8), data(2, 5, 8), num_heads=2)
add("MultiHeadAttention", X, data(2, 3, 8), data(2, 3, 8), BIAS, None, None,
    data(2, 2, 4, 4), data(2, 2, 4, 4), num_heads=2, unidirectional=1,
    outputs=3, label="past")
add("MultiHeadAttention", X, data(2, 5, 8), data(2, 5, 8), None,
    np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]), data(1, 2, 3, 5),
    num_heads=2, label="mask")
add("MultiHeadAttention", X, data(2, 2, 5, 4), data(2, 2, 5, 4), num_heads=2,
    label="heads-apart")
LENGTHS = np.int32([6, 6])
TOTAL = const(np.int32(7))
COSINE, SINE = const(data(9, 8)), const(data(9, 8))
for rotary in (0, 1):
    add("GroupQueryAttention", data(2, 1, 64), data(2, 1, 32), data(2, 1, 32),
        data(2, 2, 6, 16), data(2, 2, 6, 16), LENGTHS, TOTAL, COSINE, SINE,
        num_heads=4, kv_num_heads=2, do_rotary=rotary, outputs=3,
        label=f"decode-rotary{rotary}")
add("GroupQueryAttention", data(1, 5, 64), data(1, 5, 32), data(1, 5, 32),
    None, None, np.int32([4]), const(np.int32(5)), COSINE, SINE, num_heads=4,
    kv_num_heads=2, do_rotary=1, rotary_interleaved=1, outputs=3,
    label="prompt")
add("GroupQueryAttention", data(1, 5, 64), None, None, None, None,
    np.int32([4]), const(np.int32(5)), num_heads=4, kv_num_heads=2,
    local_window_size=2, softcap=2.0, outputs=3, label="packed-window")
# Only the first three tokens of the first batch are there.
PAST = data(2, 2, 2, 6, 8)
PAST[:, 0, :, 3:] = 0
add("GroupQueryAttention", data(2, 1, 32), data(2, 1, 16), data(2, 1, 16),
    PAST[0], PAST[1], np.int32([3, 6]), TOTAL, num_heads=4,
    kv_num_heads=2, outputs=3, label="ragged")
for label, total in (("total-given", np.int32([7])), ("scalar-total", np.int32(7))):
    add("GroupQueryAttention", data(2, 1, 32), data(2, 1, 16), data(2, 1, 16),
        PAST[0], PAST[1], np.int32([3, 6]), total, num_heads=4,
        kv_num_heads=2, outputs=3, label=label)
add("GroupQueryAttention", data(2, 1, 32), data(2, 1, 16), data(2, 1, 16),
    PAST[0], PAST[1], np.int32([3, 6]), TOTAL, num_heads=4, kv_num_heads=2,
    smooth_softmax=1, outputs=3, label="smooth")
add("GroupQueryAttention", data(2, 1, 32), data(2, 1, 16), data(2, 1, 16),
    PAST[0], PAST[1], np.int32([3, 6]), TOTAL, None, None, None, None, data(4),
    num_heads=4, kv_num_heads=2, outputs=3, label="sink")
POSITIONS = data(2, 3, dtype=np.int64, low=0, high=9)
for interleaved in (0, 1):
    add("RotaryEmbedding", data(2, 3, 16), POSITIONS, COSINE, SINE,
        interleaved=interleaved, label=f"interleaved{interleaved}")
add("RotaryEmbedding", data(2, 2, 3, 16), np.int64([2]), const(data(9, 4)),
    const(data(9, 4)), rotary_embedding_dim=8, num_heads=2, label="offset")

# -- Quantised -----------------------------------------------------------------
SCALE, ZERO = const(np.float32(0.05)), const(np.uint8(120))
FINE, LOW = const(np.float32(0.03)), const(np.uint8(7))


def bytes_(*shape):
    return data(*shape, dtype=np.uint8, high=255)


for op in ("QLinearAdd", "QLinearMul"):
    add(op, bytes_(2, 3), SCALE, ZERO, bytes_(3), FINE, LOW,
        const(np.float32(0.2)), ZERO)
for op in ("QLinearSigmoid", "QLinearLeakyRelu"):
    add(op, bytes_(4, 5), SCALE, ZERO, const(np.float32(0.01)), LOW)
add("QLinearConcat", FINE, ZERO, bytes_(2, 3), SCALE, ZERO, bytes_(2, 2), FINE,
    LOW, axis=1)
add("QLinearGlobalAveragePool", bytes_(2, 3, 4, 4), SCALE, ZERO, FINE, LOW)
add("QLinearGlobalAveragePool", bytes_(2, 4, 4, 3), SCALE, ZERO, FINE, LOW,
    channels_last=1, label="channels-last")
# Of these scales no result is halfway between two.
add("QLinearAveragePool", bytes_(2, 3, 7, 6), SCALE, ZERO, const(np.float32(0.0313)), LOW,
    kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
add("QLinearAveragePool", bytes_(2, 7, 6, 3), SCALE, ZERO, FINE, LOW,
    kernel_shape=[3, 3], ceil_mode=1, channels_last=1, label="channels-last")
QUARTER = const(np.float32(1 / 256))
add("QLinearSoftmax", bytes_(2, 3, 8), SCALE, ZERO, QUARTER, const(np.uint8(0)),
    axis=1, opset_=13)
add("QLinearSoftmax", bytes_(2, 3, 4), SCALE, ZERO, QUARTER, const(np.uint8(0)),
    axis=1, opset_=12, label="flat")
add("QLinearWhere", data(2, 3, low=0, high=2, dtype=np.int64) > 0, bytes_(2, 3),
    SCALE, ZERO, bytes_(3), FINE, LOW, const(np.float32(0.04)), ZERO,
    outputs=[np.uint8])
A, B = bytes_(4, 6), data(6, 5, dtype=np.int8, low=-99, high=99)
add("MatMulIntegerToFloat", A, const(B), SCALE, const(data(5, low=0.01)), ZERO,
    const(np.zeros(5, np.int8)), const(data(5)), outputs=[np.float32])
add("DynamicQuantizeMatMul", data(4, 6), const(B), FINE,
    const(np.int8(3)), const(data(5)))
add("QGemm", A, SCALE, ZERO, const(B.T.copy()), const(data(5, low=0.01)),
    const(np.zeros(5, np.int8)), const(data(5, dtype=np.int32, high=90)),
    const(np.float32(0.5)), ZERO, transB=1)
add("QGemm", A, SCALE, ZERO, const(B), FINE, const(np.int8(2)),
    alpha=0.5, label="float", outputs=[np.float32])
for bits in (4, 8):
    blob = 16 * bits // 8
    add("MatMulNBits", data(3, 40), const(bytes_(5, 3, blob)),
        const(data(15, low=0.01)), K=40, N=5, bits=bits, block_size=16,
        label=f"bits{bits}", tolerance=1e-4)
add("MatMulNBits", data(3, 40), const(bytes_(5, 3, 8)),
    const(data(15, low=0.01)), const(bytes_(10)), K=40, N=5, bits=4,
    block_size=16, label="zero-points", tolerance=1e-4)
