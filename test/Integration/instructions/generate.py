"""Random glow_inst programs that never read what they have not written.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import random

import numpy as np

from .simulate import addresses, dense_strides

SHAPES = [[4, 6], [6, 4], [2, 3, 4], [24], [4, 3], [12], [2, 6], [6, 6],
          [3, 2, 4], [2, 12], [4, 1, 6]]


def type_text(shape, strides=None, offset=0):
    result = "memref<" + "".join(f"{d}x" for d in shape) + "f32"
    if strides not in (None, dense_strides(shape)) or offset:
        result += f", strided<[{', '.join(map(str, strides))}]"
        result += f", offset: {offset}>" if offset else ">"
    return result + ">"


class View:
    def __init__(self, root, shape, strides, offset):
        self.root, self.shape = root, shape
        self.strides, self.offset = strides, offset
        self.index = addresses(shape, strides, offset)
        self.type = type_text(shape, strides, offset)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        shape = lambda: self.random.choice(SHAPES)  # noqa: E731
        self.inputs = {"%x": shape(), "%w": shape()}
        self.outputs = {"%y": shape(), "%z": shape()}
        scratch = {f"%a{i}": shape() for i in range(self.random.randint(2, 7))}
        self.shapes = {**self.inputs, **self.outputs, **scratch}
        self.written = {name: np.full(np.prod(s), name in self.inputs)
                        for name, s in self.shapes.items()}
        self.views = 0
        self.lines = [f"{name} = glow_inst.alloc : {type_text(s)}"
                      for name, s in scratch.items()]
        start = len(self.lines)
        for _ in range(self.random.randint(4, 25)):
            self.add_instruction()
        for name, s in self.outputs.items():
            if not self.written[name].all():
                self.lines.insert(
                    start, f"glow_inst.fill {name} with 7.0 : f32 : {type_text(s)}")

    def sizes(self):
        return [int(np.prod(s)) for s in self.inputs.values()]

    def text(self):
        arguments = [f"{n}: {type_text(s)}" for n, s in self.inputs.items()]
        arguments += [f"{n}: {type_text(s)} {{glow_inst.output}}"
                      for n, s in self.outputs.items()]
        return "\n".join([f"func.func @f({', '.join(arguments)}) {{",
                          *self.lines, "return", "}", ""])

    def any_view(self, root):
        """A reshaped, sliced, reversed or transposed part of a buffer."""
        pick = self.random
        shape = list(self.shapes[root])
        size = int(np.prod(shape))
        if pick.random() < 0.3:
            shape = pick.choice([[size], [2, size // 2], [size // 2, 2]])
        strides, offset = dense_strides(shape), 0
        for axis, extent in enumerate(shape):
            if extent == 1 or pick.random() > 0.3:
                continue
            step = pick.choice([1, 1, 1, 2, -1])
            count = pick.randint(1, extent if step != 2 else (extent + 1) // 2)
            span = (count - 1) * abs(step)
            first = pick.randint(0, extent - 1 - span) + (span if step < 0 else 0)
            offset += first * strides[axis]
            shape[axis] = count
            strides[axis] *= step
        order = list(range(len(shape)))
        if pick.random() < 0.25:
            pick.shuffle(order)
        return View(root, [shape[i] for i in order],
                    [strides[i] for i in order], offset)

    def source_for(self, target, is_copy):
        """A written view that the instruction can read beside its target."""
        view = self.any_view(self.random.choice(list(self.shapes)))
        if view.shape != target.shape:
            if len(view.shape) != len(target.shape) or not all(
                    a in (1, b) for a, b in zip(view.shape, target.shape)):
                return None
            if is_copy:
                strides = [0 if a != b else s for a, b, s in
                           zip(view.shape, target.shape, view.strides)]
                view = View(view.root, target.shape, strides, view.offset)
        in_place = view.root == target.root
        if in_place and (is_copy or view.type != target.type):
            return None
        return view if self.written[view.root][view.index].all() else None

    def name_of(self, view):
        root_type = type_text(self.shapes[view.root])
        if view.type == root_type:
            return view.root
        self.views += 1
        self.lines.append(f"%v{self.views} = glow_inst.view {view.root} : "
                          f"{root_type} to {view.type}")
        return f"%v{self.views}"

    def add_instruction(self):
        kind = self.random.choice(["copy", "copy", "copy", "map", "fill"])
        for _ in range(60):
            target = self.any_view(self.random.choice(
                [name for name in self.shapes if name not in self.inputs]))
            found = (self.source_for(target, kind == "copy") for _ in range(40))
            sources = [view for view in found if view]
            if kind == "fill" or sources:
                break
        else:
            return
        sources = sources[:1 if kind == "copy" else self.random.randint(1, 3)]
        names = [self.name_of(view) for view in sources]
        name = self.name_of(target)
        if kind == "fill":
            self.lines.append(f"glow_inst.fill {name} with "
                              f"{self.random.randint(1, 9)}.0 : f32 : {target.type}")
        elif kind == "copy":
            self.lines.append(f"glow_inst.copy {names[0]} -> {name} : "
                              f"{sources[0].type} -> {target.type}")
        else:
            arguments = ", ".join(f"%e{i}: f32" for i in range(len(names)))
            self.lines += [
                f"glow_inst.map ins({', '.join(names)} : "
                f"{', '.join(view.type for view in sources)}) "
                f"outs({name} : {target.type}) {{",
                f"^bb0({arguments}):", "  glow.yield %e0 : f32", "}"]
        self.written[target.root][target.index] = True
