"""Learners made of many models of other learners."""
