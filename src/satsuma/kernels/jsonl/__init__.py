"""JSON lines as typed columns: read by the compiled kernel where it can be, else by the twin."""

from satsuma.kernels import use_native
from satsuma.kernels.jsonl.records import Column, Records

if compiled := use_native("jsonl"):
    from satsuma.kernels.jsonl._native import read
else:
    from satsuma.kernels.jsonl.twin import read

__all__ = ["Column", "Records", "compiled", "read"]
