"""What to do next: a few steps, in order, that follow from all that was found."""

from inspect import signature
from typing import Any, cast

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.evaluate.comparison import Comparison
from satsuma.evaluate.recommendation import BASELINES
from satsuma.learners.learner import Learner
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Section, StepList
from satsuma.report.number_format import format_list, format_number, percent

#: Findings that have a step of their own.
FIRST = 3


def next_steps(analysis: Analysis, sections: list[Section]) -> StepList:
    """What to mend, what to check, which model to take and what to use it for."""
    steps = [*_findings(analysis), *_tables(sections), *_model(analysis, sections)]
    return StepList(steps or [("Nothing needs to be done.", "")])


def _findings(analysis: Analysis) -> list[tuple[str, str]]:
    urgent = [each for each in analysis.findings if each.urgency == "fix first"]
    steps = [
        (f"Fix first: {each.sentence} {analysis.wording(each.remedy)}", "findings")
        for each in urgent[:FIRST]
    ]
    check = [each for each in analysis.findings if each.urgency == "check"]
    left = [*urgent[FIRST:], *check]
    if left:
        kinds = list(dict.fromkeys(each.kind for each in left))
        what = quantity(len(left), "finding")
        steps.append((f"Check {what} about the table: {format_list(kinds, 5)}.", "findings"))
    return steps


def _tables(others: list[Section]) -> list[tuple[str, str]]:
    found = next((each for each in others if each.key == "against"), None)
    if found is None or not found.gist:
        return []
    if found.gist.startswith("No column"):
        return [(f"{found.gist} A model of one can be used on the other.", "against")]
    why = "Find out why before you use a model of one table on the other."
    return [(f"{found.gist} {why}", "against")]


def _model(analysis: Analysis, sections: list[Section]) -> list[tuple[str, str]]:
    target = analysis.table.domain.target
    if not analysis.has_comparison:
        if target is None and analysis.table.domain.goals:
            return [("Look at the best rows.", "goals"), *_aims(sections)]
        if target is None:
            told = "If something is to be predicted, name its column, and report again: "
            named = analysis.wording(f"{told}table.with_roles(target=…).")
            return [(named, ""), _groups(sections)]
        return []
    found, name = analysis.comparison, analysis.chosen_learner
    steps = [(_advice(analysis), "comparison")]
    aim = cut(target.name, 40) if target else ""
    if type(found.learners[found.choice]).__name__ in BASELINES:
        steps.append((f"Look for columns that say more about {aim}, or gather more rows.",
                      "associations"))  # fmt: skip
        return steps
    steps.append(
        ("Look at where it is wrong, and decide whether you can live with these errors.", "errors")
    )
    how = analysis.wording(f"model = {_in_python(found.learners[name])}(table)")
    steps.append((f"Learn it from all rows, and use it: {how}", ""))
    return steps


def _aims(sections: list[Section]) -> list[tuple[str, str]]:
    """What rows near the ideal point have more often than others, as something to try."""
    gist = next((each.gist for each in sections if each.key == "contrasts"), "")
    _, mark, differences = gist.partition(": ")
    if not mark:
        return []
    return [(f"To come nearer to them, try what they have more often first: {differences}",
             "contrasts")]  # fmt: skip


def _groups(sections: list[Section]) -> tuple[str, str]:
    """What to look at where nothing is to be predicted."""
    gists = {each.key: each.gist for each in sections}
    found = {
        "clusters": "may not be real" not in gists.get("clusters", "may not be real"),
        "outliers": not gists.get("outliers", "No row").startswith("No row"),
    }
    names = [name for name, there in found.items() if there]
    if names:
        return f"Look at the {' and the '.join(names)}.", names[0]
    told = "Rows fall into no clear clusters, and none stands out: look at what goes together."
    return told, "associations"


def _in_python(value: Any) -> str:
    """A learner as it is made, with those parameters that are not as usual."""
    if isinstance(value, list):
        return f"[{', '.join(map(_in_python, cast('list[Any]', value)))}]"
    if not isinstance(value, Learner):
        return repr(value)
    kind = type(value)
    changed = [
        f"{each.name}={_in_python(getattr(value, each.name))}"
        for each in signature(kind).parameters.values()
        if getattr(value, each.name) != each.default
    ]
    return f"satsuma.{kind.__name__}({', '.join(changed)})"


def _advice(analysis: Analysis) -> str:
    """Which learner to take, and how good it is, for a reader who knows no scores."""
    found, name = analysis.comparison, analysis.chosen_learner
    bases = [each for each, one in found.learners.items() if type(one).__name__ in BASELINES]
    if found.choice in bases:
        return _nothing(found)
    how = _how_good(found, name, bases[0] if bases else None)
    can = "can be read, see below" if found.learners[name].readable else "cannot be read on a page"
    return f"Take {name}. {how} Its model {can}."


def _nothing(found: Comparison) -> str:
    """That no model predicts better than the baseline, in plain words."""
    base, aim = found.choice, cut(found.results.target.name, 40)
    if found.results.target.kind == "num":
        always = (
            f"the mean, which is off by {format_number(found.scores('MAE')[base], 3)} on average"
        )
    else:
        always = f"the most frequent class, which is right in {percent(found.scores('CA')[base])}"
    return (
        f"Do not use a model yet: none is known to predict {aim} better than always predicting "
        f"{always}. These columns tell little of it, or these rows are too few."
    )


def _how_good(found: Comparison, name: str, base: str | None) -> str:
    """How good a learner is, beside the baseline where there is one, in plain words."""
    aim = cut(found.results.target.name, 40)
    if found.results.target.kind == "num":
        errors = found.scores("MAE")
        off, mean = (format_number(errors[each], 3) if each else "" for each in (name, base))
        beside = f"; always predicting the mean would be off by {mean}" if base else ""
        return f"Its predictions of {aim} are off by {off} on average{beside}."
    if found.measure == "CA":
        shares, (low, high) = found.scores("CA"), found.intervals("CA")[name]
        right = f"{percent(shares[name])} of new rows right ({percent(low)} to {percent(high)})"
        always = "; always predicting the most frequent class would be right in"
        return f"It predicts {right}{f'{always} {percent(shares[base])}' if base else ''}."
    return (
        f"Of two rows of different classes it tells in {percent(found.scores('AUC')[name])} of all "
        f"cases which is which, where guessing is right in 50 %."
    )
