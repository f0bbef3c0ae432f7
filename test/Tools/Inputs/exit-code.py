"""Runs a command; fails unless it ends with the exit code given first.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
sys.exit(code != int(sys.argv[1]) and f"the exit code is {code}")
