"""Why tests of scikit-learn fail on our learners, as far as it is known: by the words, or by name.

A failure with no cause here is yet to be looked at. `python -m tools.peer_tests` ends with an error
then, so that a wrong prediction does not pass for a difference that is meant.
"""

import re

#: It asks for a parameter, an attribute or a method of theirs: no judgement of ours.
ASKS = "asks for what is not there"

#: What a failure says, and what it means. The first that is found counts.
BY_WORDS = (
    (r"= hasattr\(|has no len\(\)|got an unexpected keyword argument", ASKS),
    (r"parameter of \w+ must be (one of|a number)", ASKS),
    (r"Expected 2D array, got 0D", ASKS),
    (r"(?i)y should be a 1d array, got an array of shape \((\d+, \d+)?\)", "several targets"),
    (r"Expected 2D array, got 3D|Expected 2D array, got 1D", "rows are two-dimensional"),
    (r"Regex pattern did not match", "refused in other words"),
    (r"DID NOT WARN", "a warning of theirs"),
    (r"float32", "ours computes in doubles"),
    (r"weighs -", "no weight is below zero"),
)

#: Where ours answers, and an error is expected.
ANSWERS = "answers where theirs refuses"

#: Tests that fail by a difference that is meant.
BY_TEST = {
    ANSWERS: (
        "test_NB_partial_fit_no_first_classes",
        "test_big_input",
        "test_check_solver_option",
        "test_degenerate_targets",
        "test_large_sparse_matrix",
        "test_lda_predict",
        "test_liblinear_multiclass_raises",
        "test_liblinear_with_large_values",
        "test_missing_value_errors",
        "test_nan",
        "test_neighbors_minkowski_semimetric_algo_error",
        "test_predict_sparse_ball_kd_tree",
        "test_qda",
        "test_qda_regularization",
        "test_raises_value_error_on_one_sample_per_class",
        "test_raises_value_error_on_same_number_of_classes_and_samples",
        "test_ridge_fit_intercept_sparse_error",
        "test_single_class_with_sample_weight",
        "test_wrong_params",
    ),
    "spreads over n - 1": ("test_gnb_priors", "test_lda_orthogonality"),
    "slopes are regularized per standard deviation": (
        "test_LogisticRegressionCV_on_folds",
        "test_logistic_cv_multinomial_score",
        "test_logistic_glmnet",
        "test_logistic_regression_solvers_multiclass",
        "test_regularization_limits_ridge",
        "test_ridge_cv_results_predictions",
        "test_ridge_gcv_sample_weights",
        "test_ridge_regression",
        "test_ridge_regression_hstacked_X",
        "test_ridge_regression_sample_weights",
        "test_ridge_regression_unpenalized",
        "test_ridge_regression_unpenalized_hstacked_X",
        "test_ridge_regression_unpenalized_vstacked_X",
        "test_ridge_regression_vstacked_X",
        "test_ridgecv_sample_weight",
        "test_solver_consistency",
    ),
    "weights that are fractions are relative": (
        "test_importances",
        "test_ridge_sample_weight_consistency",
        "test_unbalanced_iris",
    ),
    "coefficients cannot be written": (
        "test_logistic_cv_folds_with_classes_missing",
        "test_write_parameters",
    ),
    "no seed, and no end before the optimum": (
        "test_liblinear_dual_random_state",
        "test_warm_start",
        "test_zero_max_iter",
    ),
    "nothing is printed": (
        "test_kmeans_verbose",
        "test_more_verbose_output",
        "test_verbose_output",
    ),
    "a centre without rows stays where it is": (
        "test_kmeans_empty_cluster_relocated",
        "test_kmeans_relocated_clusters",
    ),
    "exact figures of theirs": (
        "test_binomial_error_exact_backward_compat",
        "test_multinomial_error_exact_backward_compat",
        "test_squared_error_exact_backward_compat",
        "test_transform",
    ),
    "a column counts whatever its unit": ("test_almost_constant_feature",),
    "a missing value that tells nothing goes to both branches": (
        "test_missing_values_best_splitter_missing_both_classes_has_nan",
        "test_missing_values_best_splitter_on_equal_nodes_no_missing",
    ),
    "trees are grown by threads": ("test_backend_respected",),
    "a single number is no column of weights": ("test_sample_weight_invalid",),
    "fractions are no classes": ("test_feature_names_in_and_n_features_in_",),
    "several targets": ("test_ridge_shapes_type",),
}


def cause(test: str, why: str) -> str:
    """What a failure comes from; nothing if that is not known."""
    name = test.rpartition("::")[2].partition("[")[0]
    named = (
        cause
        for cause, tests in BY_TEST.items()
        if name in tests and ("DID NOT RAISE" in why or cause != ANSWERS)
    )
    found = (cause for words, cause in BY_WORDS if re.search(words, why))
    return next(named, "") or next(found, "")
