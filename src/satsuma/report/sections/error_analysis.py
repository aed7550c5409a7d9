"""The section on errors: where the learner to take is wrong, on rows that it has not seen."""

from satsuma.report.analysis import Story
from satsuma.report.elements import Section
from satsuma.report.sections.classification_errors import tell_of_classes
from satsuma.report.sections.regression_errors import tell_of_numbers


def about_errors(story: Story) -> Section:
    """What was said about rows that were not learned from, beside what is so."""
    name, target = story.subject, story.comparison.results.target
    section = Section("errors", "Where it errs")
    section.say(
        f"What {name} predicted for rows that it had not learned from, in the same folds as above.",
        str(story.asked),
    )
    tell = tell_of_classes if target.kind == "sym" else tell_of_numbers
    tell(section, story, name)
    return section
