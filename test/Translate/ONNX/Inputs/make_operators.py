#!/usr/bin/env python3
"""Writes more of the small models beside it: casts, random numbers, trees, resampling, and
operators that are used wrongly. As for make.py, commit the results.
"""
import numpy as np
from make import F, I64, N, const, h, model, save, value
from onnx import TensorProto


def casts():
    nodes = [
        N("Cast", ["x"], ["a"], to=TensorProto.FLOAT8E5M2, saturate=0),
        N("Cast", ["x"], ["b"], to=TensorProto.FLOAT8E8M0, round_mode="nearest"),
        N("Cast", ["x"], ["c"], to=TensorProto.FLOAT16, saturate=0),
        N("BitCast", ["x"], ["bits"], to=TensorProto.INT32),
        N("CumProd", ["bits", "axis"], ["d"], reverse=1),
    ]
    return model(nodes, [value("x", [4])], [
        value("a", [4], TensorProto.FLOAT8E5M2), value("b", [4], TensorProto.FLOAT8E8M0),
        value("c", [4], TensorProto.FLOAT16), value("d", [4], TensorProto.INT32)],
        [const("axis", np.int64(0))], opset=26)


def random():
    nodes = [
        N("RandomUniform", [], ["a"], shape=[64, 64], seed=1.0),
        N("Dropout", ["x", "", "yes"], ["b", "mask"], seed=7),
        N("Dropout", ["x", "", "no"], ["c"]),
    ]
    return model(nodes, [value("x", ["n", 4])], [
        value("a", [64, 64]), value("b", ["n", 4]), value("mask", ["n", 4], TensorProto.BOOL),
        value("c", ["n", 4])], [const("yes", np.True_), const("no", np.False_)])


def trees():
    """One test and two leaves; a set of two numbers is two tests."""
    nodes = [N("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1,
               nodes_featureids=[1], nodes_modes=const("", np.uint8([6])),
               nodes_splits=const("", np.float32([0])), nodes_truenodeids=[0],
               nodes_falsenodeids=[1], nodes_trueleafs=[1], nodes_falseleafs=[1],
               leaf_targetids=[0, 0], leaf_weights=const("", np.float32([5, 7])),
               membership_values=const("", np.float32([2, 3, np.nan])), tree_roots=[0])]
    m = model(nodes, [value("x", ["n", 3])], [value("y", ["n", 1])])
    m.opset_import.append(h.make_opsetid("ai.onnx.ml", 5))
    return m


def maps():
    """A map as input; names of classes, and a list of maps as result."""
    ml = "ai.onnx.ml"
    nodes = [
        N("DictVectorizer", ["x"], ["row"], domain=ml, string_vocabulary=["a", "b"]),
        N("SVMClassifier", ["row"], ["label", "p"], domain=ml, kernel_type="LINEAR",
          coefficients=[1.0, -1.0, 0.5, 2.0, -0.5, 0.25], rho=[0.0, 0.5, 1.0],
          vectors_per_class=[1, 1, 1], support_vectors=[1.0, 0.0, 0.0, 1.0, 1.0, 1.0],
          prob_a=[-1.0, -2.0, -3.0], prob_b=[0.0, 0.5, 1.0],
          classlabels_strings=["one", "two", "three"]),
        N("ZipMap", ["p"], ["z"], domain=ml, classlabels_strings=["one", "two", "three"]),
    ]
    mapping = h.make_map_type_proto(TensorProto.STRING, h.make_tensor_type_proto(F, []))
    m = model(nodes, [h.make_value_info("x", mapping)],
              [value("label", [None], TensorProto.STRING),
               h.make_value_info("z", h.make_sequence_type_proto(mapping))])
    m.opset_import.append(h.make_opsetid(ml, 3))
    return m


def resize_bands():
    """Each of a few rows is a sum of some seventeen: most weights are zeros."""
    nodes = [N("Resize", ["x", "", "", "sizes"], ["y"], mode="linear", antialias=1, axes=[1])]
    return model(nodes, [value("x", [3, 800, 7])], [value("y", None)],
                 [const("sizes", np.int64([96]))])


def wrong_operators():
    """Nodes that are known but wrong, each in its own way."""
    ml, ms = "ai.onnx.ml", "com.microsoft"
    nodes = [
        N("Cast", ["x"], ["y0"], name="round", to=TensorProto.FLOAT8E8M0, round_mode="odd"),
        N("BitCast", ["x"], ["y1"], name="width", to=TensorProto.INT64),
        N("Det", ["x"], ["y2"], name="not_square"),
        N("Resize", ["x", "", "", "sizes"], ["y3"], name="antialias", antialias=1),
        N("MaxUnpool", ["x", "places"], ["y4"], name="unpool", kernel_shape=[2]),
        N("RoiAlign", ["x", "x", "places"], ["y5"], name="regions"),
        N("QuantizeLinear", ["x", "x"], ["y6"], name="blocks", block_size=2, axis=1),
        N("Multinomial", ["places"], ["y7"], name="classes"),
        N("Einsum", ["x"], ["y8"], name="diagonal", equation="ii->i"),
        N("LabelEncoder", ["x"], ["y9"], name="keys", domain=ml, keys_int64s=[1],
          values_int64s=[2]),
        N("SVMClassifier", ["x"], ["y10", "z10"], name="vectors", domain=ml),
        N("TreeEnsembleRegressor", ["x"], ["y11"], name="ring", domain=ml,
          nodes_treeids=[0], nodes_nodeids=[0], nodes_featureids=[0], nodes_values=[0.5],
          nodes_modes=["BRANCH_LEQ"], nodes_truenodeids=[0], nodes_falsenodeids=[0]),
        N("MatMulNBits", ["x", "x", "x"], ["y12"], name="bits", domain=ms, bits=3),
        N("GroupQueryAttention", ["x", "x", "x", "", "", "places"], ["y13"], name="heads",
          domain=ms, num_heads=3, kv_num_heads=2),
        N("ZipMap", ["x"], ["y14"], name="columns", domain=ml, classlabels_int64s=[1, 2]),
        N("Gemm", ["x", "x", "places"], ["y15"], name="mixed"),
    ]
    outputs = [value(f"y{i}", None) for i in range(len(nodes))]
    m = model(nodes, [value("x", [2, 3]), value("places", [2], I64)], outputs,
              [const("sizes", np.int64([4, 6]))], opset=26, domains=[ms])
    m.opset_import.append(h.make_opsetid(ml, 3))
    return m


if __name__ == "__main__":
    for make in [casts, random, trees, maps, resize_bands, wrong_operators]:
        save(make.__name__.replace("_", "-"), make())
