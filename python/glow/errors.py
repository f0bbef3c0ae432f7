"""The exception that the package raises.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""


class GlowError(RuntimeError):
    """The compiler or the runtime refused; the message says why."""
