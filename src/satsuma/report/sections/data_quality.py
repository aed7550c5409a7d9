"""The section on data quality: what may be wrong with the table."""

from satsuma.data.phrases import quantity
from satsuma.report.analysis import Analysis
from satsuma.report.elements import FindingItem, FindingList, Section
from satsuma.report.findings import Finding
from satsuma.report.number_format import format_list

#: Findings of one kind that are listed.
MOST = 40


def data_quality_section(analysis: Analysis) -> Section:
    """Each finding in a sentence, and what to do; those of one kind are together."""
    found = analysis.findings
    section = Section("findings", "Data quality")
    if not found:
        section.gist = "Nothing in the table stands out as wrong."
        section.say(
            "Nothing stands out: of the attributes, none names the rows, is constant or is "
            "missing; there is no rare class, no duplicate row, no leakage of the target into a "
            "column. That does not prove that the table is right."
        )
        return section
    by_kind: dict[str, list[Finding]] = {}
    for finding in found:
        by_kind.setdefault(finding.kind, []).append(finding)
    things = quantity(len(found), "finding", "findings")
    section.gist = f"{things} to look at before trusting a model: {format_list(list(by_kind), 4)}."
    section.elements.append(FindingList([_item(analysis, alike) for alike in by_kind.values()]))
    return section


def _item(analysis: Analysis, alike: list[Finding]) -> FindingItem:
    first, *rest = alike
    more = [f"{each.sentence} {analysis.wording(each.remedy)}" for each in rest[:MOST]]
    if len(rest) > MOST:
        more.append(f"… and {len(rest) - MOST:,} more.")
    remedy = analysis.wording(first.remedy)
    return FindingItem(first.urgency, first.kind, first.sentence, remedy, more)
