#!/usr/bin/env bash
# Fuzz the scanner of delimited text under AddressSanitizer and UndefinedBehaviorSanitizer.
#
#   fuzz/run.sh [SECONDS [SEED]]   twenty minutes unless told; COMPILER=gcc does without libFuzzer
#
# With clang, libFuzzer looks for inputs that reach new code; with gcc alone, drive.c makes them up
# at random. What was found, and the inputs kept by libFuzzer, are in build/fuzz.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${1:-1200} seed=${2:-1}
out=${FUZZ_BUILD:-$here/../build/fuzz}
read -ra more <<<"${FUZZ_FLAGS:-}"
flags=(-std=gnu11 -O1 -g -Wall -Wextra -fno-omit-frame-pointer -fno-sanitize-recover=all)
flags+=(${more[@]+"${more[@]}"}) # empty, in an old bash, is unset
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
mkdir -p "$out/corpus"

libfuzzer() {
    clang "${flags[@]}" -fsanitize=fuzzer,address,undefined "$here/csvscan_fuzz.c" -lm -o "$out/libfuzzer"
}

drive() {
    "${1:-gcc}" "${flags[@]}" -fsanitize=address,undefined "$here/csvscan_fuzz.c" "$here/drive.c" -lm -o "$out/drive"
}

if [[ ${COMPILER:-} != gcc ]] && command -v clang >/dev/null && libfuzzer 2>"$out/clang.log"; then
    echo "libFuzzer for $seconds seconds"
    cd "$out"
    exec ./libfuzzer -max_total_time="$seconds" -seed="$seed" -max_len=4096 -timeout=10 -use_value_profile=1 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$out/" -dict="$here/csv.dict" corpus
elif command -v gcc >/dev/null; then
    drive gcc
    echo "random inputs for $seconds seconds, from seed $seed"
    cd "$out"
    exec ./drive "$seconds" "$seed" "$here/csv.dict"
else
    echo "fuzz/run.sh: neither clang with libFuzzer nor gcc is at hand. Install one." >&2
    exit 1
fi
