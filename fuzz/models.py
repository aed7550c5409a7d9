"""Fuzz saved models: mutate files of every learner, open them, and ask what opens.

    python -m fuzz.models [SECONDS [SEED [FOLDER [ONLY]]]]

A file may be refused with a `SatsumaError`, or give answers that are harmless. A worker that dies,
or takes too long, is told of and replaced. Files that do harm are kept in FOLDER, build/fuzz/models
unless given; ONLY is a pattern of learners. `fuzz/models.sh` runs this with kernels under
AddressSanitizer.
"""

import faulthandler
import os
import resource
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

SECONDS_A_FILE = float(os.environ.get("FUZZ_FILE_SECONDS", "30"))

#: Kilobytes that the worker may grow by, beside what its models take.
GROWTH = 1 << 20


def work(seconds: float, seed: int, folder: Path, only: str = "") -> int:
    """Mutate and ask for some time; how many files did harm. `only` is a pattern of learners."""
    import satsuma
    from fuzz.bases import bases
    from fuzz.mutations import mutated
    from fuzz.questions import ask, rows_of
    from satsuma.errors import SatsumaError

    warnings.simplefilter("ignore")
    faulthandler.enable()
    path, known = folder / f"current-{os.getpid()}.satsuma", []
    for name, model, table in bases(only):
        model.save(path)
        known.append((name, path.read_bytes(), rows_of(table)))
    started, first = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    files = opened = harm = 0
    rng = np.random.default_rng(seed)
    while time.monotonic() - started < seconds:
        name, content, rows = known[files % len(known)]
        path.write_bytes(mutated(content, rng))
        faulthandler.dump_traceback_later(SECONDS_A_FILE, exit=True)
        files += 1
        try:
            model = satsuma.open_model(path)
            opened += 1
            ask(model, rows, draw=opened % 20 == 0)
            model.save(folder / f"again-{os.getpid()}.satsuma")
        except SatsumaError:
            pass
        except Exception:  # noqa: BLE001 - whatever it is, it is told of
            harm += 1
            kept = path.with_name(f"harm-{seed}-{files}.satsuma")
            kept.write_bytes(path.read_bytes())
            print(f"{kept}: {name}\n{traceback.format_exc()}", flush=True)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first
        if grown > GROWTH:
            kept = path.with_name(f"harm-{seed}-{files}.satsuma")
            kept.write_bytes(path.read_bytes())
            print(f"{kept}: {name}\nmemory has grown by {grown} KB", flush=True)
            return harm + 1
    faulthandler.cancel_dump_traceback_later()
    path.unlink()
    print(f"{files} files from {len(known)} models, {opened} opened, {harm} did harm", flush=True)
    return harm


def main(seconds: float = 1200, seed: int = 1, folder: Path | None = None, only: str = "") -> int:
    """Keep a worker at work; how many did harm, or died. `only` is a pattern of learners."""
    folder = folder or Path(__file__).parents[1] / "build" / "fuzz" / "models"
    folder.mkdir(parents=True, exist_ok=True)
    end, failed = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        told = ["--work", str(left), str(seed), str(folder.resolve()), only]
        command = [sys.executable, "-m", "fuzz.models", *told]
        with subprocess.Popen(command, cwd=Path(__file__).parents[1]) as worker:
            status = worker.wait()
        if status == 0:
            break
        failed += 1
        current = folder / f"current-{worker.pid}.satsuma"
        if current.exists():
            current.rename(folder / f"died-{seed}.satsuma")
            print(f"the worker ended with {status}: {folder / f'died-{seed}.satsuma'}", flush=True)
        seed += 1_000_003
    print("nothing found" if not failed else f"{failed} workers found harm or died", flush=True)
    return failed


if __name__ == "__main__":
    told = sys.argv[1:]
    if told[:1] == ["--work"]:
        sys.exit(min(1, work(float(told[1]), int(told[2]), Path(told[3]), told[4])))
    given = [float(told[0])] if told else []
    given += [int(told[1])] if len(told) > 1 else []
    given += [Path(told[2])] if len(told) > 2 else []
    given += told[3:4]
    sys.exit(min(1, main(*given)))
