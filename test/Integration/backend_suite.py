"""All of ONNX's conformity tests through ONNX's own runner, which the public
scoreboard uses. Not part of the usual tests, as test_onnx_backend.py runs the
same: python -m pytest test/Integration/backend_suite.py

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from onnx.backend.test import BackendTest

from glow.backend import GlowBackend

globals().update(BackendTest(GlowBackend, __name__).test_cases)
