#!/usr/bin/env python3
"""Writes the small models beside it, which the tests read.

Needs the package onnx. Run it again after a change here and commit the results.
"""
import os

import numpy as np
import onnx
from onnx import TensorProto, helper as h, numpy_helper as nh

HERE = os.path.dirname(os.path.abspath(__file__))
F, I64 = TensorProto.FLOAT, TensorProto.INT64


def value(name, shape, kind=F):
    return h.make_tensor_value_info(name, kind, shape)


def const(name, array):
    return nh.from_array(np.asarray(array), name)


def model(nodes, inputs, outputs, constants=(), opset=17, graph="main", functions=(),
          domains=()):
    g = h.make_graph(nodes, graph, inputs, outputs, constants)
    imports = [h.make_opsetid("", opset)] + [h.make_opsetid(d, 1) for d in domains]
    return h.make_model(g, opset_imports=imports, producer_name="make.py", ir_version=8,
                        functions=list(functions))


def save(name, m):
    data = m if isinstance(m, bytes) else m.SerializeToString()
    with open(os.path.join(HERE, name + ".onnx"), "wb") as f:
        f.write(data)


N = h.make_node


def elementwise():
    nodes = [
        N("Relu", ["x"], ["relu"], name="the_relu"),
        N("LeakyRelu", ["relu"], ["leaky"], alpha=0.25),
        N("HardSigmoid", ["leaky"], ["hard"]),
        N("Clip", ["hard", "low", ""], ["clip"]),
        N("Sum", ["clip", "x", "x"], ["sum"]),
        N("Cast", ["sum"], ["half"], to=TensorProto.FLOAT16),
    ]
    return model(nodes, [value("x", ["batch", 4])], [value("half", None, TensorProto.FLOAT16)],
                 [const("low", np.float32(-1))])


def legacy():
    """Attributes of old operator sets that became inputs, or changed meaning."""
    nodes = [
        N("Add", ["x", "bias"], ["sum"], broadcast=1, axis=1),
        N("Clip", ["sum"], ["clip"], min=0.0, max=6.0),
        N("Reshape", ["clip"], ["flat"], shape=[2, 3, 4]),
        N("Softmax", ["flat"], ["soft"]),
    ]
    return model(nodes, [value("x", [2, 3, 2, 2])], [value("soft", None)],
                 [const("bias", np.zeros(3, np.float32))], opset=4)


def conv():
    w = np.arange(3 * 2 * 3 * 3, dtype=np.float32).reshape(3, 2, 3, 3)
    nodes = [
        N("Conv", ["x", "w"], ["y"], name="plain", pads=[1, 1, 1, 1]),
        N("Conv", ["y", "v"], ["z"], name="same", auto_pad="SAME_UPPER", strides=[2, 2]),
        N("ConvTranspose", ["z", "w"], ["t"], strides=[2, 2]),
        N("MaxPool", ["t"], ["m"], kernel_shape=[2, 2], ceil_mode=1),
        N("AveragePool", ["m"], ["a"], kernel_shape=[2, 2], count_include_pad=1),
        N("GlobalAveragePool", ["a"], ["g"]),
    ]
    return model(nodes, [value("x", ["n", 2, 8, 8])], [value("g", None)],
                 [const("w", w), const("v", np.ones((3, 3, 2, 2), np.float32))])


def shape_arithmetic():
    """What exporters write for x.view(x.shape[0], -1) and the like."""
    nodes = [
        N("Shape", ["x"], ["shape"]),
        N("Gather", ["shape", "zero"], ["batch"]),
        N("Unsqueeze", ["batch", "axes"], ["batch1"]),
        N("Concat", ["batch1", "rest"], ["wanted"], axis=0),
        N("Reshape", ["x", "wanted"], ["y"]),
        N("Shape", ["y"], ["shape2"], start=1),
        N("ReduceProd", ["shape2"], ["count"], keepdims=1),
        N("Concat", ["minus", "count"], ["flat"], axis=0),
        N("Reshape", ["y", "flat"], ["z"]),
        N("Cast", ["batch"], ["batch_f32"], to=F),
        N("Range", ["start", "batch_f32", "step"], ["places"]),
    ]
    return model(nodes, [value("x", ["batch", 6, 4])], [value("z", None), value("places", [None])],
                 [const("start", np.float32(0)), const("step", np.float32(1)),
                  const("zero", np.int64(0)), const("axes", np.int64([0])),
                  const("rest", np.int64([3, 8])), const("minus", np.int64([-1]))])


def resize():
    """Twice as large; the batch and the channels are left alone."""
    nodes = [N("Resize", ["x", "", "scales"], ["y"], mode="nearest",
               coordinate_transformation_mode="asymmetric", nearest_mode="floor")]
    return model(nodes, [value("x", ["batch", 3, 4, 5])], [value("y", None)],
                 [const("scales", np.float32([1, 1, 2, 2]))])


def reduce():
    nodes = [
        N("ReduceMean", ["x"], ["mean"], axes=[-1], keepdims=1),
        N("ReduceL2", ["mean"], ["l2"], axes=[0], keepdims=0),
        N("ArgMax", ["l2"], ["arg"], axis=0),
    ]
    return model(nodes, [value("x", [2, 3, 4])], [value("arg", None, I64)])


def index():
    nodes = [
        N("Gather", ["table", "ids"], ["rows"]),
        N("Slice", ["rows", "start", "end", "axis"], ["part"]),
        N("Split", ["part"], ["left", "right"], axis=2),
        N("Pad", ["left", "pads"], ["padded"], mode="edge"),
        N("TopK", ["right", "k"], ["top", "where"], axis=-1),
    ]
    return model(nodes, [value("ids", ["n", 3], I64)],
                 [value("padded", None), value("top", None), value("where", None, I64)],
                 [const("table", np.zeros((5, 4), np.float32)), const("start", np.int64([1])),
                  const("end", np.int64([2 ** 60])), const("axis", np.int64([1])),
                  const("pads", np.int64([0, 1, 0, 0, 1, 0])), const("k", np.int64([1]))])


def norm():
    c = np.ones(4, np.float32)
    nodes = [
        N("BatchNormalization", ["x", "c", "c", "c", "c"], ["bn"]),
        N("InstanceNormalization", ["bn", "c", "c"], ["in"]),
        N("LRN", ["in"], ["lrn"], size=3),
        N("LayerNormalization", ["lrn", "s"], ["ln"], axis=-1),
        N("LogSoftmax", ["ln"], ["log"], axis=1),
    ]
    return model(nodes, [value("x", ["n", 4, 2, 2])], [value("log", None)],
                 [const("c", c), const("s", np.ones(2, np.float32))])


def quant():
    u8 = TensorProto.UINT8
    nodes = [
        N("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        N("MatMulInteger", ["q", "w", "zero"], ["i"]),
        N("DequantizeLinear", ["q", "scale", "zero"], ["d"]),
    ]
    return model(nodes, [value("x", [2, 4])],
                 [value("i", None, TensorProto.INT32), value("d", None)],
                 [const("scale", np.float32(0.5)), const("zero", np.uint8(128)),
                  const("w", np.ones((4, 3), np.int8))])


def recurrent():
    nodes = [N("LSTM", ["x", "w", "r"], ["y", "", "c"], hidden_size=2)]
    return model(nodes, [value("x", [5, "n", 3])], [value("y", None), value("c", None)],
                 [const("w", np.ones((1, 8, 3), np.float32)),
                  const("r", np.ones((1, 8, 2), np.float32))])


def functions():
    """A function with a default attribute, and an If on a constant."""
    body = [N("LeakyRelu", ["a"], ["b"]), N("Add", ["b", "b"], ["c"])]
    attribute = body[0].attribute.add()
    attribute.name, attribute.ref_attr_name, attribute.type = "alpha", "slope", 1
    f = h.make_function("local", "Twice", ["a"], ["c"], body, [h.make_opsetid("", 17)],
                        attributes=[], attribute_protos=[h.make_attribute("slope", 0.5)])
    then = h.make_graph([N("Neg", ["t"], ["then_out"])], "then", [], [value("then_out", None)])
    other = h.make_graph([N("NoSuchOp", ["t"], ["else_out"])], "else", [],
                         [value("else_out", None)])
    nodes = [
        N("Twice", ["x"], ["s"], domain="local"),
        N("Twice", ["s"], ["t"], domain="local", slope=0.125),
        N("If", ["yes"], ["z"], then_branch=then, else_branch=other),
    ]
    return model(nodes, [value("x", [4])], [value("z", None)], [const("yes", np.bool_(True))],
                 functions=[f], domains=["local"])


def control_flow():
    step = h.make_graph([N("Mul", ["h", "t"], ["h2"]), N("Neg", ["h2"], ["y"])], "step",
                        [value("h", [2]), value("t", [2])], [value("h2", [2]), value("y", [2])])
    then = h.make_graph([N("Exp", ["last"], ["p"])], "then", [], [value("p", [2])])
    other = h.make_graph([N("Abs", ["last"], ["q"])], "other", [], [value("q", [2])])
    nodes = [
        N("Scan", ["start", "x"], ["last", "all"], body=step, num_scan_inputs=1,
          scan_output_directions=[1]),
        N("If", ["flag"], ["z"], then_branch=then, else_branch=other),
    ]
    return model(nodes, [value("start", [2]), value("x", [2, 2]),
                         value("flag", [], TensorProto.BOOL)],
                 [value("all", [2, 2]), value("z", [2])])


def sequences():
    each = h.make_graph([N("Neg", ["e"], ["d"])], "each", [value("e", [2, 1])],
                        [value("d", [2, 1])])
    nodes = [
        N("SplitToSequence", ["x"], ["parts"], axis=1),
        N("SequenceMap", ["parts"], ["all"], body=each),
        N("SequenceErase", ["all", "one"], ["rest"]),
        N("SequenceInsert", ["rest", "x"], ["more"]),
        N("SequenceLength", ["more"], ["count"]),
        N("SequenceAt", ["more", "count_minus_two"], ["last"]),
        N("Sub", ["count", "two"], ["count_minus_two"]),
        N("Optional", [], ["nothing"], type=h.make_tensor_type_proto(F, [2])),
        N("ConcatFromSequence", ["more"], ["joined"], axis=-1),
    ]
    nodes[5], nodes[6] = nodes[6], nodes[5]
    outputs = [h.make_tensor_sequence_value_info("more", F, None), value("last", [2, 1]),
               h.make_value_info("nothing", h.make_optional_type_proto(
                   h.make_tensor_type_proto(F, [2]))), value("joined", [2, 5])]
    return model(nodes, [value("x", [2, 3])], outputs,
                 [const("one", np.int64(1)), const("two", np.int64(2))], opset=18)


def list_inputs():
    nodes = [N("ConcatFromSequence", ["x"], ["y"], axis=0),
             N("OptionalHasElement", ["o"], ["has"])]
    optional = h.make_optional_type_proto(h.make_tensor_type_proto(F, [2]))
    return model(nodes, [h.make_tensor_sequence_value_info("x", F, None),
                         h.make_value_info("o", optional)],
                 [value("y", [None]), value("has", [], TensorProto.BOOL)], opset=18)


def unsupported():
    nodes = [
        N("NoSuchOp", ["x"], ["a"], name="first"),
        N("Relu", ["a"], ["b"], name="depends_on_first"),
        N("Concat", ["x", "x"], ["c"], name="no_axis"),
        N("OtherOp", ["b"], ["d"], name="second", domain="com.example"),
        N("MatMul", ["x", "x"], ["e"], name="wrong_shapes"),
        N("Relu", ["x"], ["f"], name="odd_attribute", beta=1.0),
    ]
    return model(nodes, [value("x", [2, 3])],
                 [value(n, None) for n in ["d", "c", "e", "f"]], domains=["com.example"])


def bad(kind):
    x, y = [value("x", [2, 3])], [value("y", None)]
    relu = [N("Relu", ["x"], ["y"], name="node")]
    if kind == "cycle":
        return model([N("Add", ["x", "b"], ["a"], name="n1"), N("Relu", ["a"], ["b"], name="n2"),
                      N("Relu", ["b"], ["y"], name="n3")], x, y)
    if kind == "dangling-output":
        return model(relu, x, [value("nothing", None)])
    if kind == "duplicate-name":
        return model(relu + [N("Neg", ["x"], ["y"], name="again")], x, y)
    if kind == "wrong-type":
        return model(relu, x, [value("y", [2, 3], I64)])
    if kind == "negative-extent":
        return model(relu, [value("x", [2, -3])], y)
    if kind == "huge-extent":
        return model(relu, [value("x", [2 ** 40, 2 ** 40])], y)
    if kind == "short-data":
        w = const("x", np.zeros(4, np.float32))
        w.dims[0] = 2 ** 30
        return model(relu, [], y, [w])
    if kind == "no-opset":
        m = model(relu, x, y)
        m.opset_import[0].version = 1000
        return m
    if kind == "recursion":
        f = h.make_function("local", "F", ["a"], ["b"], [N("F", ["a"], ["b"], domain="local")],
                            [h.make_opsetid("", 17), h.make_opsetid("local", 1)])
        return model([N("F", ["x"], ["y"], domain="local")], x, y, functions=[f],
                     domains=["local"])
    if kind == "wrong-attribute":
        return model([N("Softmax", ["x"], ["y"], name="node", axis=1.5)], x, y)
    if kind == "pool-of-strings":
        return model([N("LpPool", ["x"], ["y"], name="node", kernel_shape=[2, 2])],
                     [value("x", [1, 1, 4, 4], TensorProto.STRING)], y)
    if kind == "truncated":
        return model(relu, x, y).SerializeToString()[:-9]
    location = {"escape": "../secret.bin", "absolute": "/etc/passwd", "missing": "no-such.bin",
                "short-external": "make.py"}[kind]
    w = TensorProto(name="x", data_type=F, dims=[2 ** 20 if kind == "short-external" else 4],
                    data_location=TensorProto.EXTERNAL)
    for key, text in [("location", location), ("offset", "0"),
                      ("length", str(4 * w.dims[0]))]:
        w.external_data.add(key=key, value=text)
    return model(relu, [], y, [w])


BAD = ["cycle", "dangling-output", "duplicate-name", "wrong-type", "negative-extent",
       "huge-extent", "short-data", "no-opset", "recursion", "wrong-attribute", "pool-of-strings",
       "truncated", "escape", "absolute", "missing", "short-external"]

if __name__ == "__main__":
    for make in [elementwise, legacy, conv, shape_arithmetic, resize, reduce, index, norm, quant,
                 recurrent, functions, control_flow, sequences, list_inputs,
                 unsupported]:
        save(make.__name__.replace("_", "-"), make())
    for kind in BAD:
        save("bad-" + kind, bad(kind))
