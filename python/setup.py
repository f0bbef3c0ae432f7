"""Records where libGlow.so is, for glow/library.py: what GLOW_LIBRARY says at
installation, or the place where the tree's own build puts it. Builds
glow/_runner.c if there is a compiler; without, calls take longer.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import pathlib

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

TREE = pathlib.Path(__file__).resolve().parent.parent


class BuildWithLibraryPath(build_py):
    def run(self):
        super().run()
        library = os.environ.get("GLOW_LIBRARY",
                                 TREE / "build" / "lib" / "libGlow.so")
        record = pathlib.Path(self.build_lib) / "glow" / "_library_path.txt"
        record.write_text(f"{library}\n")


setup(cmdclass={"build_py": BuildWithLibraryPath},
      ext_modules=[Extension("glow._runner", ["glow/_runner.c"],
                             include_dirs=[str(TREE / "include")],
                             depends=[str(TREE / "include/glow-c/Compiler.h")],
                             extra_compile_args=["-std=c11"],
                             optional=True)])
