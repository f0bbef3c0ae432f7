"""libGlow.so through ctypes: finding it, and the types of glow-c/Compiler.h.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import functools
import os
import pathlib
import sys

from .errors import GlowError

try:
    from . import _runner
except ImportError:  # in the source tree, or installed without a compiler
    _runner = None

API_VERSION = 2
LIBRARY = "libGlow.so"

_HERE = pathlib.Path(__file__).resolve().parent


class InputShape(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_uint32)]


class Option(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class CompileOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("threads", ctypes.c_uint32),
                ("precision", ctypes.c_char_p), ("target", ctypes.c_char_p),
                ("shapes", ctypes.POINTER(InputShape)),
                ("options", ctypes.POINTER(Option)),
                ("num_shapes", ctypes.c_uint32),
                ("num_options", ctypes.c_uint32)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32),
                ("kind", ctypes.c_uint32)]


class List(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_uint32),
                ("present", ctypes.c_uint32), ("first", ctypes.c_uint32),
                ("count", ctypes.c_uint32)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("bytes", ctypes.c_uint64), ("dtype", ctypes.c_uint32),
                ("rank", ctypes.c_uint32)]


_HANDLE = ctypes.c_void_p
_OUT = ctypes.POINTER(ctypes.c_void_p)

# name: (result, argument types)
_FUNCTIONS = {
    "glow_compiler_api_version": (ctypes.c_uint32, []),
    "glow_last_error": (ctypes.c_char_p, []),
    "glow_compile_file": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.POINTER(CompileOptions), _OUT]),
    "glow_compile_bytes": (ctypes.c_int32, [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(CompileOptions),
        _OUT]),
    "glow_load": (ctypes.c_int32, [ctypes.c_char_p, ctypes.c_uint32, _OUT]),
    "glow_save": (ctypes.c_int32, [_HANDLE, ctypes.c_char_p]),
    "glow_program_free": (None, [_HANDLE]),
    "glow_num_inputs": (ctypes.c_uint32, [_HANDLE]),
    "glow_num_outputs": (ctypes.c_uint32, [_HANDLE]),
    "glow_input": (ctypes.POINTER(TensorInfo), [_HANDLE, ctypes.c_uint32]),
    "glow_output": (ctypes.POINTER(TensorInfo), [_HANDLE, ctypes.c_uint32]),
    "glow_input_list": (ctypes.POINTER(List), [_HANDLE, ctypes.c_uint32]),
    "glow_run": (ctypes.c_int32, [
        _HANDLE, ctypes.POINTER(Tensor), ctypes.c_uint32, _OUT]),
    "glow_num_results": (ctypes.c_uint32, [_HANDLE]),
    "glow_result": (ctypes.c_void_p, [_HANDLE, ctypes.c_uint32]),
    "glow_result_list": (ctypes.POINTER(List), [_HANDLE, ctypes.c_uint32]),
    "glow_results_free": (None, [_HANDLE]),
}


def _candidates():
    """Where the library may be, the most explicit place first."""
    if "GLOW_LIBRARY" in os.environ:
        yield pathlib.Path(os.environ["GLOW_LIBRARY"])
        return
    # Written when the package was installed from a source tree.
    recorded = _HERE / "_library_path.txt"
    if recorded.exists():
        yield pathlib.Path(recorded.read_text().strip())
    if (_HERE.parent / "pyproject.toml").exists():  # in the source tree
        yield _HERE.parents[1] / "build" / "lib" / LIBRARY
    # An installation: the environment's prefix, then the usual one.
    yield pathlib.Path(sys.prefix) / "lib" / LIBRARY
    yield pathlib.Path("/usr/local/lib") / LIBRARY


@functools.lru_cache(maxsize=None)
def library():
    """libGlow.so with its functions' types declared."""
    tried = list(_candidates())
    path = next((p for p in tried if p.exists()), None)
    if path is None:
        places = "".join(f"\n  {p}" for p in tried)
        raise GlowError(f"{LIBRARY} was not found at{places}\nBuild it with "
                        "`ninja -C build`, or set GLOW_LIBRARY to its path.")
    try:
        lib = ctypes.CDLL(str(path))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise GlowError(f"{path} cannot be used: {error}") from None
    found = lib.glow_compiler_api_version()
    if found != API_VERSION:
        raise GlowError(f"{path} has version {found} of the C interface, this "
                        f"package needs {API_VERSION}; reinstall the package")
    return lib


def check(status):
    """Raises what went wrong in a call that returned `status`."""
    if status != 0:
        raise GlowError(library().glow_last_error().decode(errors="replace"))


def runner(*description):
    """A Runner of the compiled module; None if that was not built."""
    if _runner is None:
        return None
    lib = library()
    functions = tuple(
        ctypes.cast(getattr(lib, name), ctypes.c_void_p).value
        for name in ("glow_run", "glow_num_results", "glow_result",
                     "glow_result_list", "glow_results_free",
                     "glow_last_error"))
    return _runner.Runner(functions, *description)


def results(handle):
    """The tensors of a run, which are an array."""
    lib = library()
    count = lib.glow_num_results(handle)
    if count == 0:
        return ()
    return (Tensor * count).from_address(lib.glow_result(handle, 0))
