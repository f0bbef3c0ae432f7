"""What a system must be able to do to be measured.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import pathlib

import numpy as np


class NotSupported(Exception):
    """The system does not offer what was asked for; the message says what."""


@dataclasses.dataclass
class Case:
    """One model as one system gets it."""

    model: pathlib.Path    # as it was written
    static: pathlib.Path   # shapes fixed, shape arithmetic folded
    inputs: dict           # {name: array}, in the model's order
    outputs: list          # names, in the model's order
    threads: int
    precision: str
    folder: pathlib.Path   # scratch space of this system for this case
    ranges: dict = dataclasses.field(default_factory=dict)
    # ranges: {input: "1..8x128"} where one compilation shall serve all

    def fp32_only(self, system):
        if self.precision != "fp32":
            raise NotSupported(f"{system} computes in fp32 only here")


class System:
    """Base class of the systems.

    A system is imported when its class is made. `build`, if it gives a path,
    ran in a process of its own: that file is all that `load` gets from it.
    """

    def version(self):
        raise NotImplementedError

    def settings(self):
        """What was set, in a line for the report."""
        return "defaults"

    def build(self, case):
        """Compiles ahead of time to a file, where the system can do so."""
        return None

    def load(self, case, artifact):
        """A function without arguments that runs the model once, to the end.

        It returns whatever `results` turns into arrays.
        """
        raise NotImplementedError

    def results(self, case, raw):
        """{output name: array} from what the function returned."""
        return dict(zip(case.outputs, (np.asarray(r) for r in raw)))
