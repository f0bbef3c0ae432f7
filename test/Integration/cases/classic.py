"""Classic models and the preparation of their features, of ai.onnx.ml.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

import numpy as np

from .case import Table, const

TABLE = Table()
data = TABLE.data
add = functools.partial(TABLE.add, domain="ai.onnx.ml", opset=15)

X = data(5, 3)
add("ArrayFeatureExtractor", data(2, 4, 5), np.int64([3, 0, 3]))
add("ArrayFeatureExtractor", data(5), np.int64([[3, 0]]), label="vector")
add("Binarizer", X, threshold=0.25)
add("Scaler", X, offset=[1.0, 2.0, 3.0], scale=[0.5, 2.0, 4.0])
add("Scaler", data(5, 3, dtype=np.int64, low=-9, high=9), offset=[0.5],
    scale=[2.0], label="int64", outputs=[np.float32])
for norm in ("MAX", "L1", "L2"):
    add("Normalizer", X, norm=norm, label=norm)
HOLES = np.float32([[1, np.nan, 3], [np.nan, 5, 6]])
add("Imputer", HOLES, imputed_value_floats=[7.0, 8.0, 9.0],
    replaced_value_float=float("nan"), label="nan")
add("Imputer", np.int64([[1, 2], [2, 3]]), imputed_value_int64s=[-7],
    replaced_value_int64=2, label="int64")
for dtype in (np.int64, np.float32):
    add("OneHotEncoder", np.array([[1, 3], [4, 9]], dtype),
        cats_int64s=[3, 1, 4], zeros=1, label=np.dtype(dtype).name)
add("FeatureVectorizer", data(2, 3), data(2, 2), inputdimensions=[2, 4],
    expected=lambda x0, x1: [np.concatenate(
        [x0[:, :2], x1, np.zeros((2, 2), np.float32)], 1)])
add("LabelEncoder", np.int64([[3, 1], [9, 3]]), keys_int64s=[1, 3],
    values_floats=[0.5, 1.5], default_float=-1.0, label="int64-float")
add("LabelEncoder", np.float32([1.5, np.nan, 2]),
    keys_floats=[1.5, float("nan")], values_int64s=[4, 5], default_int64=-2,
    label="float-int64", expected=lambda x0: [np.int64([4, 5, -2])])

# -- Linear models -------------------------------------------------------------
add("LinearRegressor", X, coefficients=[1.0, -2.0, 0.5, 0.1, 0.2, 0.3],
    intercepts=[0.25, -1.0], targets=2)
THREE = dict(coefficients=[float(c) for c in data(9)],
             intercepts=[0.1, -0.2, 0.3], classlabels_ints=[4, 7, 9])
for transform in ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"):
    add("LinearClassifier", X, outputs=2, post_transform=transform,
        label=transform, **THREE)
add("LinearClassifier", X, outputs=2, label="names",
    **{**THREE, "classlabels_ints": None, "classlabels_strings": ["x", "yy", "z"]})
add("LinearClassifier", X, outputs=2, coefficients=[1.0, -2.0, 0.5],
    intercepts=[0.25], classlabels_ints=[3, 5], post_transform="LOGISTIC",
    label="two")

# -- Support vectors -----------------------------------------------------------
VECTORS = [float(v) for v in data(12)]
for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID"):
    add("SVMRegressor", X, kernel_type=kernel, kernel_params=[0.5, 0.25, 2.0],
        coefficients=[1.0, -0.5, 0.25, 2.0], n_supports=4, rho=[0.125],
        support_vectors=VECTORS, label=kernel)
add("SVMClassifier", X, outputs=2, kernel_type="RBF",
    kernel_params=[0.5, 0.0, 3.0], coefficients=[1.0, -0.5, 0.25, -2.0],
    rho=[0.125], vectors_per_class=[2, 2], support_vectors=VECTORS,
    classlabels_ints=[2, 6], label="two")
add("SVMClassifier", X, outputs=2, kernel_type="RBF",
    kernel_params=[0.5, 0.0, 3.0], coefficients=[1.0, -0.5, 0.25, -2.0],
    rho=[0.125], vectors_per_class=[2, 2], support_vectors=VECTORS,
    prob_a=[-1.5], prob_b=[0.25], classlabels_ints=[2, 6],
    label="probabilities")
THREE_SVM = dict(
    kernel_type="LINEAR", kernel_params=[0.5, 0.0, 3.0],
    coefficients=[float(c) for c in data(8)], rho=[0.1, -0.2, 0.3],
    vectors_per_class=[1, 2, 1], support_vectors=VECTORS)
add("SVMClassifier", X, outputs=2, classlabels_ints=[2, 6, 7], label="three",
    **THREE_SVM)
# ONNX Runtime and we stop at the same inexact numbers.
add("SVMClassifier", X, outputs=2, classlabels_ints=[2, 6, 7],
    prob_a=[-1.5, -0.5, -2.0], prob_b=[0.25, -0.5, 0.0],
    label="three_probabilities", **THREE_SVM)
add("SVMClassifier", X, outputs=2, classlabels_strings=["a", "", "ccc"],
    label="names", **THREE_SVM)

# -- Trees ---------------------------------------------------------------------
# Two trees: a root with a leaf and another test, and a single test.
TREES = dict(
    nodes_treeids=[0, 0, 0, 0, 0, 1, 1, 1],
    nodes_nodeids=[0, 1, 2, 3, 4, 0, 1, 2],
    nodes_featureids=[0, 0, 1, 0, 0, 2, 0, 0],
    nodes_values=[0.5, 0, -0.25, 0, 0, 0.1, 0, 0],
    nodes_truenodeids=[1, 0, 3, 0, 0, 1, 0, 0],
    nodes_falsenodeids=[2, 0, 4, 0, 0, 2, 0, 0])
LEAVES = [0, 0, 0, 1, 1]
MODES = ["BRANCH_LEQ", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LEQ",
         "LEAF", "LEAF"]


def regression(**attributes):
    return TREES | dict(
        nodes_modes=MODES, target_treeids=[0, 0, 0, 1, 1],
        target_nodeids=[1, 3, 4, 1, 2], target_ids=[0, 1, 0, 1, 0],
        target_weights=[1.0, 2.0, -3.0, 0.5, 4.0], n_targets=2) | attributes


for function in ("SUM", "AVERAGE", "MIN", "MAX"):
    add("TreeEnsembleRegressor", X, label=function,
        **regression(aggregate_function=function))
add("TreeEnsembleRegressor", X, label="base",
    **regression(n_targets=1, target_ids=[0] * 5, base_values=[0.5]))
for mode in ("LT", "GTE", "GT", "EQ", "NEQ"):
    modes = [m.replace("LEQ", mode) for m in MODES]
    add("TreeEnsembleRegressor", np.float32([[0.5, -0.25, 0.1], [1, 2, 3]]),
        label=mode, **regression(nodes_modes=modes))
add("TreeEnsembleRegressor", np.float32([[0.5, -0.25, 0.1], [1, -2, 3]]),
    label="mixed", **regression(nodes_modes=MODES[:2] + ["BRANCH_GT"] +
                                MODES[3:5] + ["BRANCH_LT"] + MODES[6:]))
add("TreeEnsembleRegressor", np.float32([[np.nan, 1, np.nan], [1, np.nan, 0]]),
    label="missing", **regression(
        nodes_missing_value_tracks_true=[1, 0, 0, 0, 0, 1, 0, 0]))


def classification(ids, **attributes):
    return TREES | dict(
        nodes_modes=MODES, class_treeids=[0, 0, 0, 1, 1],
        class_nodeids=[1, 3, 4, 1, 2], class_ids=ids,
        class_weights=[1.0, 2.0, -3.0, 0.5, 4.0]) | attributes


for transform in ("NONE", "LOGISTIC", "SOFTMAX"):
    add("TreeEnsembleClassifier", X, outputs=2, label=f"three-{transform}",
        **classification([0, 1, 2, 1, 0], classlabels_int64s=[3, 5, 8],
                         post_transform=transform))
for transform in ("NONE", "LOGISTIC"):
    add("TreeEnsembleClassifier", X, outputs=2, label=f"two-{transform}",
        **classification([0] * 5, classlabels_int64s=[0, 1],
                         post_transform=transform, base_values=[0.25]))
for transform in ("NONE", "LOGISTIC"):
    add("TreeEnsembleClassifier", X, outputs=2, label=f"two-positive-{transform}",
        **classification([0] * 5, classlabels_int64s=[0, 1],
                         class_weights=[0.1, 0.2, 0.3, 0.4, 0.5],
                         post_transform=transform))
