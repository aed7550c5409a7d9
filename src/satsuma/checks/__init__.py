"""The laws that every learner keeps, as a suite that any learner can be put through."""

from satsuma.checks.batches import Batches
from satsuma.checks.law_broken import LawBroken
from satsuma.checks.suite import LAWS, Law, check_learner, checks

__all__ = ["LAWS", "Batches", "Law", "LawBroken", "check_learner", "checks"]
