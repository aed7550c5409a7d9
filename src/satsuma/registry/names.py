"""Names: every public name that is no learner, and the module that has it."""

from satsuma.registry.learners import LEARNERS

#: What reads, holds and writes tables; imported at once, as it is light and where most begin.
TABLES = {
    "Domain": "satsuma.data.domain",
    "Row": "satsuma.data.row",
    "SatsumaError": "satsuma.errors",
    "Table": "satsuma.data.table",
    "Variable": "satsuma.data.variable",
    "load": "satsuma.data.shipped",
    "read": "satsuma.data.read",
    "write": "satsuma.data.write",
}

_OTHERS = {
    "scan": "satsuma.engines.scan",
    "with_time_features": "satsuma.engines.timed_source",
    "Num": "satsuma.tallies.num",
    "Sym": "satsuma.tallies.sym",
    "best_attribute": "satsuma.measures.attribute_scores",
    "distance": "satsuma.measures.distance",
    "distance_to_ideal": "satsuma.measures.ideal_point",
    "score_attributes": "satsuma.measures.attribute_scores",
    "ChiMerge": "satsuma.prepare.chi_merge",
    "EqualFrequency": "satsuma.prepare.discretizers",
    "EqualWidth": "satsuma.prepare.discretizers",
    "MDL": "satsuma.prepare.discretizers",
    "Binned": "satsuma.likelihoods.binned",
    "Categorical": "satsuma.likelihoods.categorical",
    "Gaussian": "satsuma.likelihoods.gaussian",
    "KDE": "satsuma.likelihoods.kde",
    "Laplace": "satsuma.likelihoods.probability_estimates",
    "Loess": "satsuma.likelihoods.loess",
    "MEstimate": "satsuma.likelihoods.probability_estimates",
    "MultivariateGaussian": "satsuma.likelihoods.multivariate_gaussian",
    "RelativeFrequency": "satsuma.likelihoods.probability_estimates",
    "Distribution": "satsuma.learners.predictions",
    "GetBoth": "satsuma.learners.predictions",
    "GetProbabilities": "satsuma.learners.predictions",
    "GetValue": "satsuma.learners.predictions",
    "Learner": "satsuma.learners.learner",
    "Model": "satsuma.learners.model",
    "RoundsLearner": "satsuma.learners.learner",
    "TallyLearner": "satsuma.learners.learner",
    "explain": "satsuma.learners.row_explanations",
    "choose_k": "satsuma.learners.kmeans.choose_k",
    "open_model": "satsuma.learners.model_files.saved_model",
    "wrap": "satsuma.learners.wrappers.wrap",
    "compare": "satsuma.evaluate.comparison",
    "cross_validate": "satsuma.evaluate.cross_validation",
    "hold_out": "satsuma.evaluate.hold_out",
    "importances": "satsuma.evaluate.importances",
    "learning_curve": "satsuma.evaluate.learning_curve",
    "leave_one_out": "satsuma.evaluate.cross_validation",
    "test_on": "satsuma.evaluate.hold_out",
    "Active": "satsuma.active.active_learning",
    "StopAdvice": "satsuma.active.stopping_rule",
    "Answer": "satsuma.active.oracle",
    "Oracle": "satsuma.active.oracle",
    "agreement": "satsuma.active.agreement",
    "simulate": "satsuma.active.simulation",
    "stop_advice": "satsuma.active.stopping_rule",
    "suspicious": "satsuma.active.label_errors",
    "advise": "satsuma.plan.advice",
    "contrast": "satsuma.plan.contrast",
    "optimise": "satsuma.plan.optimisation",
    "label": "satsuma.app.notebook",
    "write_report": "satsuma.report.page",
}

#: Modules that are public names themselves.
MODULES = ("extend", "measures", "plot")

#: Every public name that a module has, learners among them.
NAMES = {**TABLES, **_OTHERS, **{each.name: each.module for each in LEARNERS}}
