"""What to do next: a few steps, in order, that follow from all that was found."""

from satsuma.data.summary import cut
from satsuma.evaluate.recommendation import BASELINES
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Section, StepList
from satsuma.report.findings.finding import quantity
from satsuma.report.number_format import format_list

#: Findings that have a step of their own.
FIRST = 3


def next_steps(analysis: Analysis, sections: list[Section]) -> StepList:
    """What to mend, what to check, which model to take and what to use it for."""
    steps = [*_findings(analysis), *_tables(sections), *_model(analysis)]
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


def _model(analysis: Analysis) -> list[tuple[str, str]]:
    target = analysis.table.domain.target
    if not analysis.has_comparison:
        if target is None and analysis.table.domain.goals:
            return [("Look at the best rows, and at what they have in common.", "goals")]
        if target is None:
            name = analysis.wording("table.with_roles(target=…)")
            told = f"If something is to be predicted, name its column, and report again: {name}."
            return [(told, ""), ("Look at the clusters and the outliers.", "clusters")]
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
    learner = type(found.learners[name]).__name__
    how = analysis.wording(f"model = satsuma.{learner}()(table)")
    steps.append((f"Learn it from all rows, and use it: {how}", ""))
    return steps


def _advice(analysis: Analysis) -> str:
    """The sentence of the advice that names the learner to take."""
    found = analysis.comparison
    said = [f"{each.rstrip('.')}." for each in found.advice.split(". ")]
    return analysis.wording(next((each for each in said if found.choice in each), said[0]))
