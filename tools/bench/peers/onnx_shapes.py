"""Fixes the shapes of a model, for systems that want them static.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import onnx
import onnxruntime


def named_extents(path, inputs):
    """{name of a dynamic extent: its value}."""
    model = onnx.load(path, load_external_data=False)
    extents = {}
    for value in model.graph.input:
        if value.name not in inputs:
            continue
        dims = value.type.tensor_type.shape.dim
        for dim, extent in zip(dims, inputs[value.name].shape):
            if dim.dim_param:
                extents[dim.dim_param] = extent
    return extents


def write_static(path, inputs, out):
    """Writes the model with fixed shapes and its shape arithmetic folded.

    ONNX Runtime's basic optimisations do it. They keep to standard operators,
    except for the fusions that are switched off here.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC)
    options.optimized_model_filepath = str(out)
    for name, extent in named_extents(path, inputs).items():
        options.add_free_dimension_override_by_name(name, extent)
    onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"],
        disabled_optimizers=["MatMulAddFusion", "MatmulTransposeFusion"])
    _drop_foreign_imports(out, _domains(onnx.load(
        path, load_external_data=False)))


def _domains(model):
    return {node.domain for node in model.graph.node} | {"", "ai.onnx"}


def _drop_foreign_imports(path, own):
    """ONNX Runtime declares its own operator sets, which nothing uses."""
    model = onnx.load(path, load_external_data=False)
    foreign = sorted(_domains(model) - own)
    if foreign:
        raise RuntimeError(f"operators of {', '.join(foreign)} in {path}")
    kept = [o for o in model.opset_import if o.domain in own]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    onnx.save(model, path)
