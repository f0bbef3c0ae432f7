"""The list of recipes, and the element types that they choose from.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from generate import FLOATS, INTS

RECIPES = []  # (name, function of a Builder and the name)
NUMBERS = FLOATS + INTS
ALL = NUMBERS + ["bool"]
F = ["float32"] * 5 + ["float64", "float16"]
SHORT = ["float32"] * 8 + ["float16"]


def recipe(*names, weight=1):
    """Registers a function for some operators, or for the one that it is called."""
    def register(function):
        for name in names or [function.__name__]:
            RECIPES.extend([(name, function)] * weight)
        return function
    return register
