"""Compiled models: compile, load, run, save.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import ctypes
import functools
import os
import weakref
from concurrent import futures

import numpy as np

from . import dtypes
from . import library as c
from .errors import GlowError

# shape is a tuple; None stands for an extent that is known only at run time.
TensorInfo = collections.namedtuple("TensorInfo", "name dtype shape")
# A sequence or an optional; dtype and shape are those of its tensors. kind is
# "sequence", "optional" or "optional sequence".
ListInfo = collections.namedtuple("ListInfo", "name dtype shape kind")
_KINDS = {1: "sequence", 2: "optional", 3: "optional sequence"}


def compile(path_or_bytes, shapes=None, threads=None, precision=None,
            target=None, options=None):
    """Compiles an ONNX model, from a path or from its bytes.

    shapes     {input name: shape}; fixes inputs whose shapes are dynamic. An
               extent may be a range (least, greatest), multiples of a number
               in one (least, greatest, step), or None
    threads    number of threads; default GLOW_NUM_THREADS, else all cores
    precision  how single precision is computed: "strict", "fp32" (default),
               "fp32-fast" or "bf16"
    target     "cpu" (default), "interpret", or one that a plug-in brings with
               options={"load-dialect-plugin": path}
    options    {name: value} of further glow-compile options, such as
               {"kernel-cache": folder or "off"}, and of "dynamic-shapes"
               ("auto", "exact" or "ranges") and "cache-size";
               docs/Tools.md explains them
    """
    config, _keep = _compile_options(shapes, threads, precision, target,
                                     options)
    handle = ctypes.c_void_p()
    lib = c.library()
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        data = bytes(path_or_bytes)
        c.check(lib.glow_compile_bytes(data, len(data), config, handle))
    else:
        c.check(lib.glow_compile_file(_path(path_or_bytes), config,
                                      handle))
    return Model(handle)


def load(path, threads=None):
    """Loads a model that `Model.save` or `glow-compile` wrote."""
    handle = ctypes.c_void_p()
    c.check(c.library().glow_load(_path(path), _thread_count(threads), handle))
    return Model(handle)


class Model:
    """A model ready to run; made by `compile` and `load`.

    inputs, outputs: lists of TensorInfo (name, dtype, shape), and ListInfo for
    sequences and optionals.
    """

    def __init__(self, handle):
        lib = c.library()
        self._handle = handle
        # Not at exit, when another thread may still run it.
        weakref.finalize(self, lib.glow_program_free, handle).atexit = False
        self.inputs = [_tensor_info(lib.glow_input(handle, i))
                       for i in range(lib.glow_num_inputs(handle))]
        self.outputs = [_tensor_info(lib.glow_output(handle, i))
                        for i in range(lib.glow_num_outputs(handle))]

        self._known = {info.name: info for info in self.inputs}
        self._codes = _codes(self._known)
        self._lists = {entry.name.decode(): _KINDS[entry.kind]
                       for entry in _lists(lib.glow_input_list, handle)}
        self._takes_lists = bool(self._lists) or any(
            isinstance(info, ListInfo) for info in self.inputs)
        self._runner = self._plain_runner()

    def run(self, inputs):
        """Runs the model on {input name: array}; gives {output name: array}.

        Sequences are lists of arrays; an optional without a value is None.
        """
        outcome = self._runner(inputs) if self._runner else None
        if isinstance(outcome, dict):
            return outcome
        lib = c.library()
        handle = ctypes.c_void_p(outcome)  # results that are not plain arrays
        if outcome is None:
            tensors, _keep = self._bind(inputs)
            c.check(lib.glow_run(self._handle, tensors, len(tensors), handle))
        owner = _Results(handle)
        arrays = [(r.name.decode(), dtypes.decode(
            r.data, r.bytes, r.dtype, tuple(r.dims[:r.rank]), owner))
                  for r in c.results(handle)]
        return _gather(arrays, _lists(lib.glow_result_list, handle))

    def run_many(self, requests, at_once=None):
        """Runs a list of {input name: array}; gives the list of results.

        at_once  requests that run at the same time; default: one per core

        Most are served per second by a model that was compiled or loaded with
        threads=1, so that each runs on one core.
        """
        at_once = at_once or c.library().glow_rt_max_threads()
        with futures.ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(self.run, requests))

    def save(self, path):
        """Writes the compiled model as a shared object for `glow.load`."""
        c.check(c.library().glow_save(self._handle, _path(path)))

    def __copy__(self):
        return self  # it never changes

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("a glow.Model cannot be pickled: save it with "
                        "Model.save and load it where it is needed")

    def _plain_runner(self):
        """What runs the model on plain arrays; None if it takes others."""
        codes = tuple(self._codes.get(info.name) for info in self.inputs)
        if self._takes_lists or not set(codes) <= dtypes.PLAIN.keys():
            return None
        return c.runner(self._handle.value, tuple(self._known),
                        tuple(map(dtypes.to_numpy, codes)), codes, dtypes.PLAIN,
                        np.ndarray, GlowError)

    def _bind(self, inputs):
        """The inputs as C tensors, with the objects that own their memory."""
        known, codes = self._known, self._codes
        if self._takes_lists or inputs.keys() != known.keys():
            given, (inputs, infos) = inputs, _spread(inputs, known, self._lists)
            codes = _codes(infos)
            unknown = set(inputs) - set(infos)
            missing = set(known) - set(given) - set(inputs)
            if unknown or missing:
                raise GlowError(
                    "the model takes the inputs " + ", ".join(known)
                    + "".join(f"; {n} is not one of them"
                              for n in sorted(unknown))
                    + "".join(f"; {n} is missing" for n in sorted(missing)))
        kinds, keep = [], []
        for name, value in inputs.items():
            if value is _EMPTY:
                kinds.append((name, 0, ()))
                keep.append((None, 0, 0))
                continue
            array = np.asarray(value)
            code = dtypes.from_numpy(array.dtype)
            wanted = codes.get(name, code)
            if wanted != code:
                raise GlowError(f"input {name} must be "
                                f"{dtypes.to_numpy(wanted)}, not {array.dtype}")
            kinds.append((name, code, array.shape))
            keep.append(dtypes.encode(array, code))
        make, image, names_and_dims = _tensors_of(tuple(kinds))
        tensors = make(image)
        for tensor, (_, address, size) in zip(tensors, keep):
            tensor.data, tensor.bytes = address, size
        return tensors, (keep, names_and_dims)

    def __repr__(self):
        def show(infos):
            return ", ".join(f"{i.name}: {i.dtype}{list(i.shape)}"
                             for i in infos)
        return f"<glow.Model ({show(self.inputs)}) -> {show(self.outputs)}>"


class _Results:
    """Outputs in the library's memory, for as long as an array shows them."""

    def __init__(self, handle):
        self._handle = handle
        self._free = c.library().glow_results_free

    def __del__(self):
        self._free(self._handle)


def _codes(infos):
    """The element types of inputs by name, where they are declared."""
    return {name: dtypes.from_numpy(info.dtype)
            for name, info in infos.items() if info.dtype is not None}


# Stands for a list that is there and has no tensors.
_EMPTY = object()


def _spread(inputs, known, lists):
    """Lists as the tensors in them, called x[0], x[1]; and what is known of
    each. Of `lists`, a compiled program knows the tensors only."""
    flat, infos = {}, {}
    for name, value in inputs.items():
        info = known.get(name)
        kind = info.kind if isinstance(info, ListInfo) else lists.get(name)
        if kind is None:
            flat[name], infos[name] = value, info
            continue
        values = ([] if value is None else
                  [value] if kind == "optional" else list(value))
        for i, element in enumerate(values):
            place = f"{name}[{i}]"
            flat[place], infos[place] = element, info or known.get(place)
        if info and value is not None and not values:
            flat[name], infos[name] = _EMPTY, info
    return flat, {name: info for name, info in infos.items() if info}


def _gather(arrays, lists):
    """{name: array}, with the tensors of each list put together."""
    results, next_array = {}, 0
    for entry in [*lists, None]:
        until = entry.first if entry else len(arrays)
        results.update(arrays[next_array:until])
        if entry is None:
            break
        next_array = entry.first + entry.count
        values = [array for _, array in arrays[entry.first:next_array]]
        results[entry.name.decode()] = (
            None if not entry.present else values if entry.kind & 1
            else values[0])
    return results


def _lists(query, handle):
    lists = []
    while entry := query(handle, len(lists)):
        lists.append(entry.contents)
    return lists


def _tensor_info(pointer):
    info = pointer.contents
    shape = tuple(None if d < 0 else d for d in info.dims[:info.rank])
    dtype = dtypes.to_numpy(info.dtype) if info.dtype else None
    name = info.name.decode()
    if info.kind:
        return ListInfo(name, dtype, shape, _KINDS[info.kind])
    return TensorInfo(name, dtype, shape)


def _path(path):
    """A file's path for C, which would end it at a NUL."""
    path = os.fsencode(path)
    if b"\0" in path:
        raise GlowError(f"{path!r} is no path of a file: it has a NUL")
    return path


def _int64s(values):
    for value in values:
        if not -2**63 <= value < 2**63:
            raise GlowError(f"{value} is no extent")
    return (ctypes.c_int64 * len(values))(*values)


@functools.lru_cache(maxsize=1024)
def _tensors_of(kinds):
    """What makes an array of C tensors without data of the given (name,
    element type, shape), its argument, and the objects that it points to.

    A model is mostly called with the same ones, and each field costs time.
    """
    kept = [(name.encode(), _int64s(shape)) for name, _, shape in kinds]
    tensors = (c.Tensor * len(kinds))(*[
        c.Tensor(name=name, dims=dims, dtype=code, rank=len(dims))
        for (name, dims), (_, code, _) in zip(kept, kinds)])
    return type(tensors).from_buffer_copy, bytes(tensors), kept


def _compile_options(shapes, threads, precision, target, options):
    """A CompileOptions, with the arrays it points to."""
    ranges = [(name, shape) for name, shape in (shapes or {}).items()
              if any(isinstance(d, tuple) for d in shape)]
    shapes = {name: [-1 if d is None else d for d in shape]
              for name, shape in (shapes or {}).items()
              if (name, shape) not in ranges}
    options = list((options or {}).items()) + [
        ("shape", f"{name}=" + "x".join(map(_extent_text, shape)))
        for name, shape in ranges]
    shape_array = (c.InputShape * len(shapes))(*[
        c.InputShape(name.encode(), _int64s(dims), len(dims))
        for name, dims in shapes.items()])
    option_array = (c.Option * len(options))(*[
        c.Option(key.encode(), _option_text(value))
        for key, value in options])
    config = c.CompileOptions(
        ctypes.sizeof(c.CompileOptions), _thread_count(threads),
        precision and precision.encode(), target and target.encode(),
        shape_array, option_array, len(shapes), len(options))
    return config, (shape_array, option_array)


def _thread_count(threads):
    """Of C's type; 0 stands for the default."""
    if threads is not None and not 0 <= threads < 2**31:
        raise GlowError(f"threads is {threads}, which is no number of threads")
    return threads or 0


def _extent_text(extent):
    if isinstance(extent, tuple):
        if len(extent) not in (2, 3):
            raise GlowError(f"{extent} is no range of extents: give "
                            "(least, greatest) or (least, greatest, step)")
        least, greatest, *step = extent
        return f"{least}..{greatest}" + "".join(f":{s}" for s in step)
    return "?" if extent is None else str(extent)


def _option_text(value):
    if isinstance(value, bool):
        return b"1" if value else b"0"
    return str(value).encode()
