"""One graph for a seed.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from generate import Builder, Discard
from recipes import RECIPES


def build(seed, only=None):
    """A Builder with two to six nodes, or fewer if nothing else works; some
    have up to twenty. Half of the graphs use few operators, but often."""
    b = Builder(seed)
    recipes = [r for r in RECIPES if not only or r[0] in only]
    if b.chance(0.5):
        names = b.rng.sample(sorted({r[0] for r in recipes}),
                             min(b.rng.randint(3, 9), len({r[0] for r in recipes})))
        recipes = [r for r in recipes if r[0] in names]
    wanted = b.rng.randint(7, 20) if b.chance(0.15) else b.rng.randint(2, 6)
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
