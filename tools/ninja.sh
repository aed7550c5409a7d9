#!/bin/sh
# ninja, for sources in place: one at a time in a build folder. An import rebuilds what has changed;
# two that did so at once would spoil ninja's records, so the second waits for the first.
# Its environment need not be on the path: meson, called by ninja, looks for both there.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
PATH="$root/.venv/bin:$root/.venv-twins/bin:$PATH"
NINJA=$(command -v ninja) || { echo "tools/ninja.sh: there is no ninja" >&2; exit 1; }
export PATH NINJA
if [ -f build.ninja ] && command -v flock >/dev/null; then
	exec flock .one_at_a_time "$NINJA" "$@"
fi
exec "$NINJA" "$@"
