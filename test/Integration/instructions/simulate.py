"""Runs glow_inst programs of views, fills, copies and maps in NumPy.

The body of a map is not read: every map computes 0.5 + x1 + 2 x2 + 3 x3 ….
Memory starts as NaN, so that reading too early shows. Planned allocations
share one arena.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re

import numpy as np

TYPE = re.compile(
    r"memref<((?:\d+x)*)f32(?:, strided<\[([^\]]*)\](?:, offset: (-?\d+))?>)?>")


def dense_strides(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return strides


def addresses(shape, strides, offset):
    result = np.full(shape, offset, dtype=np.int64)
    for axis, (extent, stride) in enumerate(zip(shape, strides)):
        line = [1] * len(shape)
        line[axis] = extent
        result = result + (np.arange(extent) * stride).reshape(line)
    return result


class Buffer:
    """A memref: some memory, and which elements of it in which order."""

    def __init__(self, memory, base, type_text):
        shape, strides, offset = TYPE.fullmatch(type_text.strip()).groups()
        self.memory, self.base = memory, base
        self.shape = [int(d) for d in shape.split("x") if d]
        if strides is None:
            self.strides = dense_strides(self.shape)
        else:
            self.strides = [int(s) for s in strides.split(",") if s.strip()]
        self.index = addresses(self.shape, self.strides, base + int(offset or 0))

    @classmethod
    def new(cls, type_text):
        size = int(np.prod(cls(None, 0, type_text).shape, dtype=np.int64))
        return cls(np.full(size, np.nan, dtype=np.float32), 0, type_text)

    def read(self):
        return self.memory[self.index]

    def write(self, value):
        self.memory[self.index] = value


def run_map(inputs, output):
    value = np.float32(0.5)
    for i, buffer in enumerate(inputs):
        value = value + np.float32(i + 1) * buffer.read()
        # Elements are computed in any order: in place or apart, nothing between.
        if buffer.memory is output.memory:
            same = np.array_equal(np.broadcast_to(buffer.index, output.shape),
                                  output.index)
            assert same or not np.intersect1d(buffer.index, output.index).size, \
                "a map's input overlaps its output"
    output.write(np.broadcast_to(value, output.shape))


def run(text, inputs):
    """The memory of every output of the one function in `text`."""
    values, outputs, arena = {}, [], None
    inputs = iter(inputs)
    for line in map(str.strip, text.splitlines()):
        if m := re.match(r"func.func @\w+\((.*)\)(.*)\{$", line):
            if size := re.search(r"arena_bytes = (\d+)", m[2]):
                arena = np.full(int(size[1]) // 4, np.nan, dtype=np.float32)
            for name, type_text, attributes in re.findall(
                    r"(%\w+): (memref<.*?f32>)( \{[^}]*\})?", m[1]):
                values[name] = Buffer.new(type_text)
                if "output" in attributes:
                    outputs.append(values[name].memory)
                else:
                    values[name].memory[:] = next(inputs)
        elif m := re.match(r"(%\w+) = glow_inst.alloc(?: \{offset = (\d+) : "
                           r"i64\})? : (.*)$", line):
            values[m[1]] = (Buffer.new(m[3]) if m[2] is None else
                            Buffer(arena, int(m[2]) // 4, m[3]))
        elif m := re.match(r"(%\w+) = glow_inst.view (%\w+) : .* to (.*)$", line):
            values[m[1]] = Buffer(values[m[2]].memory, values[m[2]].base, m[3])
        elif m := re.match(r"glow_inst.fill (%\w+) with ([\d.e+-]+) ", line):
            values[m[1]].write(float(m[2]))
        elif m := re.match(r"glow_inst.copy (%\w+) -> (%\w+) ", line):
            values[m[2]].write(values[m[1]].read())
        elif m := re.match(r"glow_inst.map ins\((.*?) : .*\) outs\((%\w+) :", line):
            run_map([values[name.strip()] for name in m[1].split(",")],
                    values[m[2]])
        else:
            assert "glow_inst." not in line or "dealloc" in line, line
    return outputs
