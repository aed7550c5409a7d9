"""Export: models that leave Python, as SQL, JSON, ONNX, or the source of a function."""

from satsuma.export.dialects import DIALECTS
from satsuma.export.json_document import json_schema, to_json
from satsuma.export.onnx_graph import to_onnx
from satsuma.export.python_source import to_python
from satsuma.export.sql import to_sql

__all__ = ["DIALECTS", "json_schema", "to_json", "to_onnx", "to_python", "to_sql"]
