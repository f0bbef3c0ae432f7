"""Runs a compiled model of f32 on arrays that end where a page that nobody may
touch begins: python guarded.py RUNTIME MODEL INPUTS.npz OUTPUTS.npz.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import mmap
import sys

import numpy as np
from model_abi import Tensor


class Symbol(ctypes.Structure):
    """GlowSymbol of ModelABI.h."""

    _fields_ = [("name", ctypes.c_char_p), ("lower", ctypes.c_int64),
                ("upper", ctypes.c_int64), ("input", ctypes.c_uint32),
                ("axis", ctypes.c_uint32)]


class Guarded:
    """An array before a page without access."""

    def __init__(self, shape, dtype):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self.memory = mmap.mmap(-1, whole + mmap.PAGESIZE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mprotect(ctypes.c_void_p(address + whole), mmap.PAGESIZE, 0):
            raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = size
        self.address = address + whole - size
        self.array = np.frombuffer(self.memory, np.uint8, size, whole - size).view(
            dtype).reshape(shape)


class Runtime:
    """The C interface, for one model."""

    def __init__(self, runtime, model):
        self.lib = ctypes.CDLL(runtime)
        for name in ("glow_rt_input", "glow_rt_output", "glow_rt_context_input_desc",
                     "glow_rt_context_output_desc"):
            getattr(self.lib, name).restype = ctypes.POINTER(Tensor)
        self.lib.glow_rt_symbol.restype = ctypes.POINTER(Symbol)
        self.program, self.context = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("glow_rt_load_file", model.encode(), None,
                  ctypes.byref(self.program))
        self.call("glow_rt_context_create", self.program,
                  ctypes.byref(self.context))

    def call(self, name, *args):
        """Calls a function that returns a status."""
        if getattr(self.lib, name)(*args):
            self.lib.glow_last_error.restype = ctypes.c_char_p
            raise RuntimeError(self.lib.glow_last_error().decode())

    def run(self, inputs):
        """The outputs, and which tensors have no padding."""
        lib, program, context = self.lib, self.program, self.context
        names = [lib.glow_rt_input(program, i).contents.name.decode()
                 for i in range(lib.glow_rt_num_inputs(program))]
        values = []
        for i in range(lib.glow_rt_num_symbols(program)):
            symbol = lib.glow_rt_symbol(program, i).contents
            values.append(inputs[names[symbol.input]].shape[symbol.axis])
        self.call("glow_rt_set_symbols", context,
                  (ctypes.c_int64 * len(values))(*values), len(values))
        kept, outputs, compact = [], {}, []
        for i, name in enumerate(names):
            guarded = Guarded(inputs[name].shape, inputs[name].dtype)
            guarded.array[...] = inputs[name]
            kept.append(guarded)
            self.call("glow_rt_bind_input", context, i,
                      ctypes.c_void_p(guarded.address),
                      ctypes.c_uint64(guarded.bytes))
            if lib.glow_rt_input(program, i).contents.compact:
                compact.append(name)
        for i in range(lib.glow_rt_num_outputs(program)):
            desc = lib.glow_rt_context_output_desc(context, i).contents
            shape = [desc.dims[axis] for axis in range(desc.rank)]
            guarded = Guarded(shape, np.float32)
            kept.append(guarded)
            outputs[desc.name.decode()] = guarded.array
            self.call("glow_rt_bind_output", context, i,
                      ctypes.c_void_p(guarded.address),
                      ctypes.c_uint64(guarded.bytes))
            if lib.glow_rt_output(program, i).contents.compact:
                compact.append(desc.name.decode())
        self.call("glow_rt_run", context)
        return {name: array.copy() for name, array in outputs.items()}, compact


if __name__ == "__main__":
    results, names = Runtime(sys.argv[1], sys.argv[2]).run(dict(np.load(sys.argv[3])))
    np.savez(sys.argv[4], compact=np.array(names), **results)
