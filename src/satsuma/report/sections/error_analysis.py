"""The section on errors: where the chosen learner is wrong, on rows that it was not trained on."""

from satsuma.report.analysis import Analysis
from satsuma.report.elements import Section
from satsuma.report.sections.classification_errors import add_classification_errors
from satsuma.report.sections.regression_errors import add_regression_errors


def error_section(analysis: Analysis) -> Section:
    """Predictions for rows that were not trained on, beside the true values."""
    name, target = analysis.chosen_learner, analysis.comparison.results.target
    section = Section("errors", "Where it errs")
    section.say(
        f"Predictions of {name} for rows that it was not trained on, in the same folds as above.",
        str(analysis.compared_rows),
    )
    add = add_classification_errors if target.kind == "sym" else add_regression_errors
    add(section, analysis, name)
    return section
