"""Recipes for the operators of ai.onnx.ml.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

import numpy as np

from recipes.registry import recipe

DOMAIN = "ai.onnx.ml"


def rows_of(b, dtypes=("float32",)):
    shape = (b.rng.randint(1, 17), b.rng.randint(1, 9))
    return b.new(b.choose(list(dtypes)), shape, constant=False)


def floats(b, count, low=-1.0, high=1.0):
    return [float(v) for v in b.numbers.uniform(low, high, count).astype(np.float32)]


@recipe("Binarizer", "Scaler", "Normalizer", "Imputer", "OneHotEncoder",
        "ArrayFeatureExtractor", "LabelEncoder")
def preparation(b, op):
    x = rows_of(b)
    width = x.shape[1]
    make = functools.partial(b.node, op, domain=DOMAIN)
    if op == "Binarizer":
        make([x], threshold=b.rng.uniform(-1, 1), rounds=False)
    elif op == "Scaler":
        count = b.choose([1, width])
        make([x], offset=floats(b, count), scale=floats(b, count))
    elif op == "Normalizer":
        # Whether a maximum is one of absolute values is said in two ways.
        make([b.add(np.abs(x.array))], norm=b.choose(["MAX", "L1", "L2"]))
    elif op == "Imputer":
        holes = np.where(b.numbers.random(x.shape) < 0.3, np.float32(-1), x.array)
        make([b.add(holes)], imputed_value_floats=floats(b, b.choose([1, width])),
             replaced_value_float=-1.0, rounds=False)
    elif op == "OneHotEncoder":
        x = b.new("int64", (b.rng.randint(1, 9),), low=0, high=6)
        make([x], cats_int64s=b.rng.sample(range(7), b.rng.randint(1, 6)), zeros=1,
             rounds=False)
    elif op == "ArrayFeatureExtractor":
        places = b.numbers.integers(0, width, b.rng.randint(1, 4))
        make([x, b.constant(places)], rounds=False)
    else:
        x = b.new("int64", b.shape(1, 3), low=0, high=6)
        keys = b.rng.sample(range(7), b.rng.randint(1, 6))
        make([x], keys_int64s=keys, values_floats=floats(b, len(keys)),
             **b.attributes(default_float=-0.5), rounds=False)


@recipe()
def LinearRegressor(b, op):
    x, targets = rows_of(b), b.rng.randint(1, 3)
    b.node(op, [x], domain=DOMAIN, targets=targets,
           coefficients=floats(b, targets * x.shape[1]),
           **b.attributes(intercepts=floats(b, targets)))


@recipe()
def LinearClassifier(b, op):
    x, classes = rows_of(b), b.rng.randint(3, 5)
    b.node(op, [x], outputs=2, domain=DOMAIN, classlabels_ints=list(range(2, 2 + classes)),
           coefficients=floats(b, classes * x.shape[1]), intercepts=floats(b, classes),
           post_transform=b.choose(["NONE", "SOFTMAX", "LOGISTIC"]))


@recipe()
def SVMRegressor(b, op):
    x, count = rows_of(b), b.rng.randint(1, 6)
    b.node(op, [x], domain=DOMAIN, kernel_type=b.choose(["LINEAR", "POLY", "RBF", "SIGMOID"]),
           kernel_params=[0.3, 0.25, 2.0], coefficients=floats(b, count), n_supports=count,
           rho=floats(b, 1), support_vectors=floats(b, count * x.shape[1]))


def tree(b, width, depth, leaves):
    """Nodes of one tree as rows (feature, threshold, true, false); a leaf's feature
    is none."""
    nodes = []

    def grow(level):
        place = len(nodes)
        nodes.append(None)
        if level == depth or b.chance(0.2):
            leaves.append(place)
            return place
        feature, threshold = b.rng.randrange(width), round(b.rng.uniform(-1, 1), 2)
        true = grow(level + 1)
        nodes[place] = (feature, threshold, true, grow(level + 1))
        return place

    grow(0)
    return nodes


@recipe("TreeEnsembleRegressor", "TreeEnsembleClassifier")
def trees(b, op):
    x = rows_of(b)
    mode = b.choose(["BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE"])
    classifies, kinds = op.endswith("Classifier"), b.rng.randint(3, 4)
    columns = {name: [] for name in (
        "treeids", "nodeids", "featureids", "values", "truenodeids", "falsenodeids", "modes")}
    targets = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for number in range(b.rng.randint(1, 4)):
        leaves = []
        for place, row in enumerate(tree(b, x.shape[1], b.rng.randint(1, 4), leaves)):
            cells = (number, place, *(row or (0, 0.0, 0, 0)), mode if row else "LEAF")
            for column, cell in zip(columns.values(), cells):
                column.append(cell)
        for leaf in leaves:
            # What has no votes may or may not win over what is voted against.
            for kind in range(kinds) if classifies else [b.rng.randrange(2)]:
                cells = (number, leaf, kind, b.rng.uniform(-1, 1))
                for column, cell in zip(targets.values(), cells):
                    column.append(cell)
    attributes = {f"nodes_{k}": v for k, v in columns.items()}
    prefix = "class" if classifies else "target"
    attributes.update({f"{prefix}_{k}": v for k, v in targets.items()})
    if classifies:
        b.node(op, [x], outputs=2, domain=DOMAIN, classlabels_int64s=list(range(kinds)),
               post_transform=b.choose(["NONE", "SOFTMAX", "LOGISTIC"]), **attributes)
    else:
        b.node(op, [x], domain=DOMAIN, n_targets=2, **b.attributes(
            aggregate_function=b.choose(["SUM", "AVERAGE", "MIN", "MAX"])), **attributes)
