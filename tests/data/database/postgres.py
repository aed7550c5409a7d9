"""A PostgreSQL server for the tests: its own folder, its own socket, not run by root."""

import os
import pwd
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

USER, PASSWORD = "ann", "se cr/et"
ENCODED = "se%20cr%2Fet"


def programs():
    """The folder with initdb and pg_ctl, as Debian has it or on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def other_user():
    """Who is to run the server: PostgreSQL refuses root."""
    if os.getuid():
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


@contextmanager
def server():
    """The URL of a server that is there for a while, without its user and password."""
    user, folder, binaries = other_user(), Path(mkdtemp(prefix="satsuma-pg-")), programs()
    assert binaries is not None
    secret, data = folder / "secret", folder / "data"
    secret.write_text(PASSWORD)
    if user:
        for path in (folder, secret):
            shutil.chown(path, user)

    def run(*words):
        subprocess.run(
            [str(each) for each in words], check=True, user=user, cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    try:
        run(
            binaries / "initdb", "-D", data, "-U", USER, "-A", "scram-sha-256",
            f"--pwfile={secret}", "--no-sync", "-E", "UTF8", "--locale=C",
        )  # fmt: skip
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        run(binaries / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"/postgres?host={folder}"
        finally:
            run(binaries / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
