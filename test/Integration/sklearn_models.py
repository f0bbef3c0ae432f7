"""Small fitted models of scikit-learn, and the columns they take.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
from sklearn import (cluster, cross_decomposition, decomposition,
                     discriminant_analysis, ensemble, feature_selection,
                     gaussian_process, impute, linear_model, mixture,
                     multiclass, multioutput, naive_bayes, neighbors,
                     neural_network, pipeline, preprocessing,
                     random_projection, svm, tree)
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification

ROWS, FEATURES = 120, 6
X, CLASSES = make_classification(ROWS, FEATURES, n_informative=4, n_classes=3,
                                 class_sep=1.5, random_state=0)
X = X.astype(np.float32)
BINARY = (CLASSES > 0).astype(np.int64)
NAMES = np.array(["low", "middle", "high"])[CLASSES]
TARGET = (X @ np.arange(1, FEATURES + 1) + np.sin(3 * X[:, 0])).astype(np.float32)
POSITIVE = np.abs(X)
HOLES = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan,
                 X).astype(np.float32)
COLOURS = np.array(["red", "green", "blue", "grey"])[
    np.random.default_rng(2).integers(0, 4, (ROWS, 2))].astype(object)
# Two tables side by side, as a data frame has them.
TABLE = {"numbers": X, "colours": COLOURS}


def classifiers():
    logistic = linear_model.LogisticRegression(max_iter=300)
    forest = ensemble.RandomForestClassifier(8, max_depth=5, random_state=0)
    bayes = naive_bayes.GaussianNB()
    yield "logistic", logistic
    yield "logistic_cv", linear_model.LogisticRegressionCV(
        max_iter=300, cv=2, use_legacy_attributes=False, l1_ratios=(0,))
    yield "ridge", linear_model.RidgeClassifier()
    yield "sgd", linear_model.SGDClassifier(loss="log_loss", random_state=0)
    yield "perceptron", linear_model.Perceptron(random_state=0)
    yield "linear_svc", svm.LinearSVC(random_state=0)
    yield "svc", svm.SVC()
    yield "svc_linear", svm.SVC(kernel="linear", decision_function_shape="ovo")
    yield "svc_poly", svm.SVC(kernel="poly", degree=2, coef0=1)
    yield "svc_sigmoid", svm.SVC(kernel="sigmoid", gamma=0.02)
    yield "nu_svc", svm.NuSVC(nu=0.2)
    yield "svc_probabilities", svm.SVC(probability=True, random_state=0)
    yield "nu_svc_probabilities", svm.NuSVC(nu=0.2, probability=True,
                                            random_state=0)
    yield "gaussian_nb", bayes
    yield "bernoulli_nb", naive_bayes.BernoulliNB()
    yield "tree", tree.DecisionTreeClassifier(max_depth=5, random_state=0)
    yield "extra_tree", tree.ExtraTreeClassifier(max_depth=5, random_state=0)
    yield "forest", forest
    yield "extra_trees", ensemble.ExtraTreesClassifier(8, random_state=0)
    yield "boosting", ensemble.GradientBoostingClassifier(n_estimators=8)
    yield "ada_boost", ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=2), n_estimators=5)
    yield "bagging", ensemble.BaggingClassifier(
        tree.DecisionTreeClassifier(max_depth=3), 5, random_state=0)
    yield "voting", ensemble.VotingClassifier(
        [("l", logistic), ("b", bayes)], voting="soft",
        flatten_transform=False)
    yield "voting_hard", ensemble.VotingClassifier(
        [("l", logistic), ("b", bayes), ("f", forest)],
        flatten_transform=False)
    yield "stacking", ensemble.StackingClassifier(
        [("l", logistic), ("b", bayes)], cv=2)
    yield "neighbours", neighbors.KNeighborsClassifier(3)
    yield "mlp", neural_network.MLPClassifier(
        (12, 8), max_iter=60, random_state=0)
    yield "lda", discriminant_analysis.LinearDiscriminantAnalysis()
    yield "qda", discriminant_analysis.QuadraticDiscriminantAnalysis(
        reg_param=0.1)
    yield "calibrated", CalibratedClassifierCV(logistic, cv=2)
    yield "calibrated_isotonic", CalibratedClassifierCV(
        bayes, cv=2, method="isotonic")
    yield "one_vs_rest", multiclass.OneVsRestClassifier(logistic)
    yield "one_vs_one", multiclass.OneVsOneClassifier(logistic)


def regressors():
    yield "linear_regression", linear_model.LinearRegression()
    yield "lasso", linear_model.Lasso(0.1)
    yield "huber", linear_model.HuberRegressor()
    yield "bayesian_ridge", linear_model.BayesianRidge()
    yield "ransac", linear_model.RANSACRegressor(random_state=0)
    yield "quantile_regressor", linear_model.QuantileRegressor(alpha=0.01)
    yield "svr", svm.SVR()
    yield "linear_svr", svm.LinearSVR(random_state=0)
    yield "tree_regressor", tree.DecisionTreeRegressor(max_depth=5)
    yield "forest_regressor", ensemble.RandomForestRegressor(8, max_depth=5)
    yield "boosting_regressor", ensemble.GradientBoostingRegressor(
        n_estimators=8)
    yield "ada_boost_regressor", ensemble.AdaBoostRegressor(n_estimators=5)
    yield "bagging_regressor", ensemble.BaggingRegressor(n_estimators=5)
    yield "voting_regressor", ensemble.VotingRegressor(
        [("l", linear_model.Ridge()), ("t", tree.DecisionTreeRegressor())])
    yield "neighbours_regressor", neighbors.KNeighborsRegressor(3)
    yield "neighbours_manhattan", neighbors.KNeighborsRegressor(
        3, metric="manhattan", weights="distance")
    yield "mlp_regressor", neural_network.MLPRegressor(
        hidden_layer_sizes=(8,), max_iter=60)
    yield "gaussian_process", gaussian_process.GaussianProcessRegressor(
        gaussian_process.kernels.RBF() + gaussian_process.kernels.DotProduct(),
        alpha=1e-2)
    yield "pls", cross_decomposition.PLSRegression(2)


def transformers():
    yield "standard_scaler", preprocessing.StandardScaler()
    yield "min_max_scaler", preprocessing.MinMaxScaler(clip=True)
    yield "max_abs_scaler", preprocessing.MaxAbsScaler()
    yield "robust_scaler", preprocessing.RobustScaler()
    for norm in ["l1", "l2", "max"]:
        yield f"normalizer_{norm}", preprocessing.Normalizer(norm)
    yield "binarizer", preprocessing.Binarizer(threshold=0.1)
    yield "polynomial", preprocessing.PolynomialFeatures(2)
    yield "bins", preprocessing.KBinsDiscretizer(
        4, encode="ordinal", quantile_method="averaged_inverted_cdf")
    yield "bins_onehot", preprocessing.KBinsDiscretizer(
        4, encode="onehot-dense", quantile_method="averaged_inverted_cdf")
    yield "power", preprocessing.PowerTransformer()
    yield "quantile", preprocessing.QuantileTransformer(n_quantiles=20)
    yield "pca", decomposition.PCA(3, whiten=True)
    yield "incremental_pca", decomposition.IncrementalPCA(3)
    yield "svd", decomposition.TruncatedSVD(3)
    yield "kernel_pca", decomposition.KernelPCA(3, kernel="rbf")
    yield "projection", random_projection.GaussianRandomProjection(
        3, random_state=0)
    yield "variance_threshold", feature_selection.VarianceThreshold(0.5)
    yield "k_means", cluster.KMeans(3, n_init=2, random_state=0)
    yield "k_means_batches", cluster.MiniBatchKMeans(3, n_init=2)
    yield "mixture", mixture.GaussianMixture(
        3, reg_covar=1e-2, random_state=0)
    yield "bayesian_mixture", mixture.BayesianGaussianMixture(
        n_components=2, covariance_type="diag", random_state=0)
    yield "isolation_forest", ensemble.IsolationForest(n_estimators=8, random_state=0)
    yield "local_outliers", neighbors.LocalOutlierFactor(5, novelty=True)
    yield "one_class_svm", svm.OneClassSVM()
    yield "union", pipeline.FeatureUnion(
        [("p", decomposition.PCA(2)), ("s", preprocessing.StandardScaler())])


def others():
    """Name, estimator, columns and targets."""
    yield ("multinomial_nb", naive_bayes.MultinomialNB(), POSITIVE, CLASSES)
    yield ("complement_nb", naive_bayes.ComplementNB(), POSITIVE, CLASSES)
    yield ("select_best", feature_selection.SelectKBest(k=3), X, CLASSES)
    yield ("svc_binary", svm.SVC(), X, BINARY)
    yield ("svc_binary_probabilities",
           svm.SVC(probability=True, random_state=0), X, BINARY)
    yield ("logistic_binary", linear_model.LogisticRegression(), X, BINARY)
    yield ("boosting_binary",
           ensemble.GradientBoostingClassifier(n_estimators=8), X, BINARY)
    yield ("logistic_names", linear_model.LogisticRegression(), X, NAMES)
    yield ("forest_names", ensemble.RandomForestClassifier(
        8, max_depth=5, random_state=0), X, NAMES)
    yield ("svc_names", svm.SVC(), X, NAMES)
    yield ("neighbours_names", neighbors.KNeighborsClassifier(3), X, NAMES)
    yield ("lasso_targets", linear_model.MultiTaskLasso(0.1), X,
           np.stack([TARGET, -TARGET], 1))
    yield ("many_outputs", multioutput.MultiOutputRegressor(
        linear_model.Ridge()), X, np.stack([TARGET, -TARGET], 1))
    yield ("many_labels", multioutput.MultiOutputClassifier(
        linear_model.LogisticRegression()), X, np.stack([CLASSES, BINARY], 1))
    yield ("poisson", linear_model.PoissonRegressor(), X, np.abs(TARGET))
    yield ("gamma", linear_model.GammaRegressor(), X, np.abs(TARGET) + 1)
    yield ("simple_imputer", impute.SimpleImputer(), HOLES, None)
    yield ("one_hot", preprocessing.OneHotEncoder(
        handle_unknown="ignore", sparse_output=False), COLOURS, None)
    yield ("one_hot_numbers", preprocessing.OneHotEncoder(sparse_output=False),
           CLASSES.reshape(-1, 1), None)
    yield ("ordinal", preprocessing.OrdinalEncoder(), COLOURS, None)
    yield ("ordinal_unknown", preprocessing.OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1), COLOURS, None)
    yield ("label_encoder", preprocessing.LabelEncoder(), COLOURS[:, 0], None)
    yield ("label_binarizer", preprocessing.LabelBinarizer(), CLASSES, None)
    yield ("pipeline", pipeline.make_pipeline(
        preprocessing.StandardScaler(), decomposition.PCA(4),
        linear_model.LogisticRegression()), X, CLASSES)
    yield ("pipeline_forest", pipeline.make_pipeline(
        impute.SimpleImputer(strategy="median"),
        preprocessing.PolynomialFeatures(2, include_bias=False),
        ensemble.RandomForestRegressor(8, max_depth=5)), HOLES, TARGET)
    columns = ColumnTransformer([
        ("n", pipeline.make_pipeline(impute.SimpleImputer(),
                                     preprocessing.StandardScaler()),
         list(range(FEATURES))),
        ("c", preprocessing.OneHotEncoder(handle_unknown="ignore",
                                          sparse_output=False),
         [FEATURES, FEATURES + 1])])
    yield ("columns", columns, TABLE, None)
    yield ("columns_forest", pipeline.make_pipeline(
        columns, ensemble.RandomForestClassifier(8, max_depth=5,
                                                 random_state=0)),
           TABLE, NAMES)


def models():
    """{name: (estimator, columns, targets)}"""
    table = {}
    for name, estimator in classifiers():
        table[name] = estimator, X, CLASSES
    for name, estimator in regressors():
        table[name] = estimator, X, TARGET
    for name, estimator in transformers():
        table[name] = estimator, X, None
    for name, *entry in others():
        table[name] = tuple(entry)
    return table
