"""The registry: every learner and every other public name, each listed once.

Nothing is imported from here but data, so that `import satsuma` stays light. What follows from a
record: `satsuma.__all__` and what is imported when it is asked for, the names that the command
knows, what `compare` tries unasked, the pages of the reference, and the learners that the laws
are crossed with.
"""

from satsuma.registry.learners import LEARNERS, Record, record_of
from satsuma.registry.names import MODULES, NAMES, TABLES

__all__ = ["LEARNERS", "MODULES", "NAMES", "TABLES", "Record", "record_of"]
