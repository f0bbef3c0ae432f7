"""Element types: from GlowDType in glow-c/ModelABI.h to numpy and back.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import functools
import math

import numpy as np

from .errors import GlowError

STRING = 8

_NUMPY = {
    1: np.float32, 2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16,
    6: np.int32, 7: np.int64, STRING: np.object_, 9: np.bool_,
    10: np.float16, 11: np.float64, 12: np.uint32, 13: np.uint64,
    14: np.complex64, 15: np.complex128,
}
# Those whose elements numpy shows where they lie, as numpy's types.
PLAIN = {code: np.dtype(known) for code, known in _NUMPY.items()
         if code != STRING}
# Types that numpy learns from the package ml_dtypes, if that is installed.
_ML_DTYPES = {
    16: "bfloat16", 17: "float8_e4m3fn", 18: "float8_e4m3fnuz",
    19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2",
}
_SURROGATES = "surrogateescape"
# Bits of the types that the C interface packs several to the byte.
_PACKED_BITS = {21: 4, 22: 4, 23: 4, 25: 2, 26: 2}


class _String(ctypes.Structure):
    """GlowString of glow-c/ModelABI.h."""

    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_uint64)]


def _encode_text(text):
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        return text.encode(errors=_SURROGATES)
    raise GlowError(f"{text!r} is not a string")


@functools.lru_cache(maxsize=None)
def to_numpy(code):
    """The numpy type for a GlowDType."""
    if code in _NUMPY:
        return np.dtype(_NUMPY[code])
    if code not in _ML_DTYPES:
        raise GlowError(f"unknown element type {code}")
    name = _ML_DTYPES[code]
    try:
        import ml_dtypes
    except ImportError:
        raise GlowError(f"elements of type {name} need the Python package "
                        "ml_dtypes; install it with pip") from None
    return np.dtype(getattr(ml_dtypes, name))


@functools.lru_cache(maxsize=256)
def from_numpy(dtype):
    """The GlowDType for a numpy type."""
    for code, known in _NUMPY.items():
        if dtype == known:
            return code
    if dtype.kind in "UST":
        return STRING
    for code, name in _ML_DTYPES.items():
        if dtype.name == name:
            return code
    raise GlowError(f"no element type for numpy's {dtype}")


def encode(array, code):
    """The array as (object that owns the memory, address, bytes)."""
    if code == STRING:
        texts = [_encode_text(t) for t in array.ravel().tolist()]
        strings = (_String * len(texts))(*[(t, len(t)) for t in texts])
        return ((strings, texts), ctypes.addressof(strings),
                ctypes.sizeof(strings))
    if code in _PACKED_BITS:
        array = _pack(array, _PACKED_BITS[code])
    array = np.ascontiguousarray(array)
    return array, _address(array), array.nbytes


def _address(array):
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):
        # Slower: read-only, empty, or of a type that is not numpy's.
        return array.__array_interface__["data"][0]


def decode(address, size, code, shape, owner):
    """A numpy array of what lies at `address`, which `owner` keeps alive.

    Only strings and types of less than a byte are copied.
    """
    if code == STRING:
        return _decode_strings(address, math.prod(shape)).reshape(shape)
    dtype = to_numpy(code)
    if size == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_uint8 * size).from_address(address)
    memory.owner = owner  # the array refers to `memory`
    if code not in _PACKED_BITS:
        return np.ndarray(shape, dtype, memory)
    raw = _unpack(np.frombuffer(memory, np.uint8), _PACKED_BITS[code],
                  math.prod(shape), signed=code in (22, 26))
    return raw.view(dtype).reshape(shape)


def _decode_strings(address, count):
    words = (ctypes.c_uint64 * (2 * count)).from_address(address) \
        if count else []
    array = np.empty(count, np.object_)
    # What is no UTF-8 comes and goes as Python's surrogates.
    array[:] = [ctypes.string_at(data, size).decode(errors=_SURROGATES)
                for data, size in zip(words[::2], words[1::2])]
    return array


def _pack(array, bits):
    """One element per byte to `8 / bits` per byte, the first in low bits."""
    raw = np.ascontiguousarray(array).view(np.uint8).ravel()
    per_byte = 8 // bits
    raw = np.pad(raw, (0, -len(raw) % per_byte)) & ((1 << bits) - 1)
    shifts = np.arange(per_byte, dtype=np.uint8) * np.uint8(bits)
    return np.bitwise_or.reduce(raw.reshape(-1, per_byte) << shifts, axis=1)


def _unpack(raw, bits, count, signed):
    shifts = np.arange(8 // bits, dtype=np.uint8) * np.uint8(bits)
    mask = np.uint8((1 << bits) - 1)
    values = ((raw[:, None] >> shifts) & mask).ravel()[:count]
    if signed:  # ml_dtypes keeps signed types sign-extended to a byte
        sign = np.uint8(1 << (bits - 1))
        values = (values ^ sign) - sign
    return np.ascontiguousarray(values)
