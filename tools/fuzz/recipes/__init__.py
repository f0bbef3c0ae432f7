"""How to use each operator: types, attributes and shapes that go together.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from recipes import (attention, classic, control, data_shapes, elementwise,
                     exported, movement, places, quantised, reductions,
                     runtime, sequences, signal, windows)
from recipes.registry import RECIPES

__all__ = ["RECIPES"]
