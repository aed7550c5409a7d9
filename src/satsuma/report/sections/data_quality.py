"""The section on what may be wrong with the table."""

from satsuma.report.analysis import Story
from satsuma.report.elements import Listing, Section
from satsuma.report.findings.finding import counted
from satsuma.report.findings.inspection import doubts
from satsuma.report.number_format import listed

#: Doubts that are told.
MOST = 40


def about_doubts(story: Story) -> Section:
    """Each doubt in a sentence, and what to do."""
    found = doubts(story.table)
    section = Section("doubts", "What may be wrong")
    if not found:
        section.gist = "Nothing in the table stands out as wrong."
        section.say(
            "Nothing stands out: no column that names rows, is always the same or is missing, no "
            "rare class, no rows recorded twice, no column that gives the target away. That does "
            "not prove that the table is right."
        )
        return section
    kinds = list(dict.fromkeys(doubt.kind for doubt in found))
    things = counted(len(found), "thing is", "things are")
    section.gist = f"{things} to be looked at before a model is believed: {listed(kinds, 4)}."
    section.parts.append(Listing([(d.kind, d.sentence, d.remedy) for d in found[:MOST]]))
    section.say(f"… and {len(found) - MOST:,} more of these kinds." if found[MOST:] else "")
    return section
