# How lit runs the tests in this folder; lit.site.cfg.py.in holds the paths.
import os
import sys

import lit.formats

config.name = "glow"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Integration", "Models", "unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.glow_build_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [config.glow_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])
# Not the user's.
config.environment["GLOW_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "kernel-cache")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%glow_src", config.glow_source_dir))
config.substitutions.append(("%glow_build", config.glow_build_dir))
config.substitutions.append(("%habana", "--load-dialect-plugin=" + os.path.join(
    config.glow_build_dir, "lib", "glow_habana.so")))
