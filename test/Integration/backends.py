"""What can run an ONNX model, behind one function: (model, inputs) -> outputs.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import onnx
import onnx.reference
import onnxruntime

CPU = pathlib.Path("/proc/cpuinfo")


def host_has_amx():
    """Whether code for this machine multiplies in tile registers."""
    return CPU.exists() and "amx_bf16" in CPU.read_text()


# For what is done where products are not made in tile registers.
WITHOUT_TILES = {"mattr": "-amx-bf16"} if host_has_amx() else {}


def without_tiles():
    """The same as options of glow-compile."""
    return [f"--{name}={value}" for name, value in WITHOUT_TILES.items()]


def run_glow(model, inputs, target, shapes=None):
    import glow
    return glow.compile(_source(model), shapes=shapes, target=target).run(
        inputs)


def run_double(model, inputs):
    """The evaluation in double precision that --accuracy-report compares with,
    rounded to what the model declares."""
    declared = model if isinstance(model, onnx.ModelProto) else onnx.load(model)
    results = run_glow(model, inputs, "interpret-double")
    for output in declared.graph.output:
        if output.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            results[output.name] = results[output.name].astype("float32")
    return results


def run_onnxruntime(model, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    # Sums of products of bytes saturate otherwise, on processors with AVX2 alone.
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(
        _source(model), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def run_onnx_reference(model, inputs):
    """The onnx package's own evaluator: slow, but it has nearly every op."""
    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(model)
    names = [o.name for o in model.graph.output]
    values = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
    return dict(zip(names, values))


def _source(model):
    return (model.SerializeToString() if isinstance(model, onnx.ModelProto)
            else str(model))


BACKENDS = {
    "cpu": lambda model, inputs: run_glow(model, inputs, "cpu"),
    "interpret": lambda model, inputs: run_glow(model, inputs, "interpret"),
    "double": run_double,
    # Not Glow: these try the tests themselves.
    "onnxruntime": run_onnxruntime,
    "reference": run_onnx_reference,
}
