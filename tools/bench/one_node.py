"""Models of one node, for measuring it by itself.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import numpy as np


# The first in which convolutions have bfloat16.
OPSET = 22


def write(folder, node, arrays, weights=None):
    """The model of an ONNX node whose result is `out`, and the files of its
    inputs: `arrays` by their names. `weights` are constant. All have the element
    type of the first array."""
    from onnx import helper, numpy_helper, save
    dtype = next(iter(arrays.values())).dtype
    element = helper.np_dtype_to_tensor_dtype(dtype)
    graph = helper.make_graph(
        [node], "one_node",
        [helper.make_tensor_value_info(n, element, a.shape)
         for n, a in arrays.items()],
        [helper.make_tensor_value_info("out", element, None)],
        [numpy_helper.from_array(a, n) for n, a in (weights or {}).items()])
    path = pathlib.Path(folder) / "node.onnx"
    save(helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", OPSET)]), path)
    files = {name: pathlib.Path(folder) / f"{name}.npy" for name in arrays}
    for name, file in files.items():
        np.save(file, _storable(arrays[name]))
    return path, files


def _storable(array):
    """NumPy's files know only the size of bfloat16."""
    return array.view("V2") if array.dtype.name == "bfloat16" else array
