"""One graph for a seed.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from generate import Builder, Discard
from recipes import RECIPES


def build(seed, only=None):
    """A Builder with two to six nodes, or fewer if nothing else works."""
    b = Builder(seed)
    recipes = [r for r in RECIPES if not only or r[0] in only]
    wanted = b.rng.randint(2, 6)
    for _ in range(4 * wanted):
        name, recipe = b.choose(recipes)
        try:
            recipe(b, name)
        except Discard:
            continue
        if len(b.nodes) >= wanted:
            break
    if not b.nodes:
        raise Discard("no node could be made")
    return b
