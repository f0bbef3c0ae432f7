"""Models of one node, for measuring it by itself.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import numpy as np


def write(folder, node, arrays, weights=None):
    """The model of an ONNX node whose result is `out`, and the files of its
    inputs: `arrays` by their names. `weights` are constant."""
    from onnx import TensorProto, helper, numpy_helper, save
    graph = helper.make_graph(
        [node], "one_node",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape)
         for n, a in arrays.items()],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(a, n) for n, a in (weights or {}).items()])
    path = pathlib.Path(folder) / "node.onnx"
    save(helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 20)]), path)
    files = {name: pathlib.Path(folder) / f"{name}.npy" for name in arrays}
    for name, file in files.items():
        np.save(file, arrays[name])
    return path, files
