"""A compiled model's descriptor, to run it without the runtime.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes

import numpy as np

ALIGNMENT = 64
KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64,
                          ctypes.c_int64, ctypes.c_int32)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, KERNEL,
                                ctypes.c_void_p, ctypes.c_int64)


class Exec(ctypes.Structure):
    """GlowExec of ModelABI.h."""

    _fields_ = [("size", ctypes.c_uint32), ("parallel_for", PARALLEL_FOR),
                ("user", ctypes.c_void_p), ("workers", ctypes.c_uint32),
                ("call_host", ctypes.c_void_p)]


class Instr(ctypes.Structure):
    """GlowInstrDesc of ModelABI.h."""

    _fields_ = [("op", ctypes.c_char_p), ("name", ctypes.c_char_p),
                ("kernel", ctypes.c_char_p), ("flops", ctypes.c_uint64),
                ("bytes", ctypes.c_uint64)]


class Tensor(ctypes.Structure):
    """GlowTensorDesc of ModelABI.h."""

    _fields_ = [("name", ctypes.c_char_p),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("bytes", ctypes.c_uint64), ("scales", ctypes.c_void_p),
                ("zero_points", ctypes.c_void_p), ("num_scales", ctypes.c_uint32),
                ("quant_axis", ctypes.c_int32), ("dtype", ctypes.c_uint32),
                ("rank", ctypes.c_uint32), ("varies", ctypes.c_void_p),
                ("compact", ctypes.c_uint32)]


class Model(ctypes.Structure):
    """GlowModel of ModelABI.h, up to what is used here."""

    _fields_ = [("abi_version", ctypes.c_uint32), ("size", ctypes.c_uint32),
                *((name, ctypes.c_void_p) for name in (
                    "name", "triple", "features")),
                ("inputs", ctypes.POINTER(Tensor)),
                ("outputs", ctypes.POINTER(Tensor)),
                ("instrs", ctypes.POINTER(Instr)),
                ("weights", ctypes.c_void_p), ("file", ctypes.c_void_p),
                *((name, ctypes.c_uint64) for name in (
                    "weights_bytes", "weights_hash", "arena_bytes")),
                *((name, ctypes.c_uint32) for name in (
                    "num_inputs", "num_outputs", "num_instrs", "alignment")),
                ("run", ctypes.c_void_p), ("worker_bytes", ctypes.c_uint64)]


RUN = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 5)


def aligned(size):
    """Bytes that begin where a buffer may."""
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start:start + size]


def pointers(arrays):
    """The addresses of arrays, as a list of C."""
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))


def shape_in_buffer(desc, array):
    """A tensor with room for the largest extents lies among its padding."""
    if desc.compact:
        return array.shape
    return [desc.dims[axis] for axis in range(desc.rank)]


def to_buffer(desc, array):
    """What a model gets for `array`: elsewhere there are no numbers."""
    padding = np.nan if array.dtype.kind == "f" else 0
    buffer = np.full(desc.bytes // array.itemsize, padding, array.dtype)
    shape = shape_in_buffer(desc, array)
    whole = buffer[:int(np.prod(shape))].reshape(shape)
    whole[tuple(map(slice, array.shape))] = array
    return buffer


def from_buffer(desc, buffer, like):
    """The elements of an array like `like`."""
    shape = shape_in_buffer(desc, like)
    whole = np.frombuffer(buffer, like.dtype, int(np.prod(shape))).reshape(shape)
    return whole[tuple(map(slice, like.shape))]


class LoadedModel:
    """A model's library, whose tickets the caller deals out."""

    def __init__(self, path, workers=1):
        self.library = ctypes.CDLL(str(path))
        self.desc = Model.in_dll(self.library, "glow_model")
        self.workers = workers
        self.memory = aligned(self.desc.arena_bytes +
                              (workers - 1) * self.desc.worker_bytes)

    def run(self, inputs, results, parallel_for):
        """Calls parallel_for(instr, kernel, args, tickets) for each launch."""
        failures = []

        def guarded(_, instr, *work):
            try:
                parallel_for(self.desc.instrs[instr], *work)
            except AssertionError as error:
                failures.append(error)

        execution = Exec(ctypes.sizeof(Exec), PARALLEL_FOR(guarded), None,
                         self.workers, None)
        status = RUN(self.desc.run)(
            ctypes.addressof(execution), pointers(inputs), pointers(results),
            self.memory.ctypes.data, self.desc.weights)
        assert status == 0
        assert not failures, failures
