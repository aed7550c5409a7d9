"""The section on data quality: what may be wrong with the table."""

from satsuma.report.analysis import Analysis
from satsuma.report.elements import FindingList, Section
from satsuma.report.findings import inspect_table
from satsuma.report.findings.finding import quantity
from satsuma.report.number_format import format_list

#: Findings that are listed.
MOST = 40


def data_quality_section(analysis: Analysis) -> Section:
    """Each finding in a sentence, and what to do."""
    found = inspect_table(analysis.table)
    section = Section("findings", "Data quality")
    if not found:
        section.gist = "Nothing in the table stands out as wrong."
        section.say(
            "Nothing stands out: of the attributes, none names the rows, is constant or is "
            "missing; there is no rare class, no duplicate row, no leakage of the target into a "
            "column. That does not prove that the table is right."
        )
        return section
    kinds = list(dict.fromkeys(finding.kind for finding in found))
    things = quantity(len(found), "finding", "findings")
    section.gist = f"{things} to look at before trusting a model: {format_list(kinds, 4)}."
    section.elements.append(FindingList([(f.kind, f.sentence, f.remedy) for f in found[:MOST]]))
    section.say(f"… and {len(found) - MOST:,} more of these kinds." if found[MOST:] else "")
    return section
