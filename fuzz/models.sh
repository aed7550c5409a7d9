#!/usr/bin/env bash
# Fuzz saved models with the kernels under AddressSanitizer and UndefinedBehaviorSanitizer.
#
#   fuzz/models.sh [SECONDS [SEED]]   twenty minutes unless told. PYTHON names the interpreter, in
#                                     whose environment is what the tests need; .venv unless set.
#                                     KERNELS names those to build; the others are their twins.
#                                     MESON_OPTIONS are more options of the build; ONLY is a pattern
#                                     of the learners whose models are mutated
#
# The kernels are built in build/asan. Files that do harm are kept in build/fuzz/models.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
seconds=${1:-1200} seed=${2:-1}
python=${PYTHON:-$root/.venv/bin/python}
build=${ASAN_BUILD:-$root/build/asan}
out=${FUZZ_BUILD:-$root/build/fuzz}
read -ra kernels <<<"${KERNELS:-}"
read -ra options <<<"${MESON_OPTIONS:-}"
mkdir -p "$build" "$out"
export PATH="$(dirname "$python"):$PATH"

if ! command -v gcc >/dev/null; then
    echo "fuzz/models.sh: gcc is not at hand. Install it." >&2
    exit 1
fi

built() {
    if [[ ! -f $build/build.ninja ]]; then
        CC="${CC:-gcc}" meson setup "$build" "$root" -Dcompiled=enabled -Dchecks=true -Doptimization=1 -Ddebug=true \
            -Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fno-sanitize-recover=all ${options[@]+"${options[@]}"}
    fi
    ending=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    kernels=(${kernels[@]+"${kernels[@]/#/src/satsuma/kernels/}"}) # empty, in an old bash, is unset
    ninja -C "$build" ${kernels[@]+"${kernels[@]/%//_native$ending}"}
    rm -rf "$build/site"
    mkdir "$build/site"
    cp -r "$root/src/satsuma" "$build/site"
    for native in "$build"/src/satsuma/kernels/*/_native*.so; do
        cp "$native" "$build/site/satsuma/kernels/$(basename "$(dirname "$native")")"
    done
}
if ! built >"$build/build.log" 2>&1; then
    tail -n 40 "$build/build.log" >&2
    exit 1
fi

# The sources in place are passed by: what is asked are the kernels that were built above.
export MESONPY_EDITABLE_SKIP="${EDITABLE_BUILD:-$root/build/checks}" PYTHONPATH="$build/site"
export PYTHONMALLOC=malloc MPLBACKEND=agg OPENBLAS_NUM_THREADS=1 FUZZ_FILE_SECONDS="${FUZZ_FILE_SECONDS:-120}"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
cd "$root"
echo "models of every learner, mutated for $seconds seconds, from seed $seed"
# The second is for what throws exceptions of C++, which the first looks for when it is loaded.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so.6)" \
    exec "$python" -m fuzz.models "$seconds" "$seed" "$out/models" "${ONLY:-}"
