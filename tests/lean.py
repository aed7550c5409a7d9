"""A process without the packages of the extras: what the default install is."""

import json
import subprocess
import sys

#: What the extras bring. pandas comes with none of them, and need not be there either.
HIDDEN = (
    "anywidget", "jinja2", "joblib", "markupsafe", "matplotlib", "pandas",
    "sklearn", "skops", "starlette", "uvicorn",
)  # fmt: skip

_HIDE = f"""
import json, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HIDDEN}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
said = {{}}
"""


def run_lean(code, *arguments):
    """What `code` leaves in `said`, run where the packages of the extras are not found."""
    text = f"{_HIDE}\n{code}\nprint(json.dumps(said))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
