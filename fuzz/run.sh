#!/usr/bin/env bash
# Give the library odd input, for as long as you like.
#
#   fuzz/run.sh [NAME] [SECONDS [SEED]]   twenty minutes each unless told; without a name, all in turn
#
#   csv           the scanner of delimited text, under AddressSanitizer and UndefinedBehaviorSanitizer.
#                 With clang, libFuzzer looks for inputs that reach new code; with gcc alone, or
#                 COMPILER=gcc, drive.c makes them up at random.
#   differential  whole files through the reader, beside Python's csv module
#   models        model files that were tampered with
#
# What was found, and the inputs kept by libFuzzer, are in build/fuzz. Inputs that once did harm to the
# scanner are in fuzz/found: the tests try them again, and libFuzzer begins with them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${FUZZ_BUILD:-$here/../build/fuzz}
read -ra more <<<"${FUZZ_FLAGS:-}"
flags=(-std=gnu11 -O1 -g -Wall -Wextra -fno-omit-frame-pointer -fno-sanitize-recover=all)
flags+=(${more[@]+"${more[@]}"}) # empty, in an old bash, is unset
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:malloc_context_size=6} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

libfuzzer() {
    clang "${flags[@]}" -fsanitize=fuzzer,address,undefined "$here/csv_fuzz.c" -lm -o "$out/libfuzzer"
}

drive() {
    gcc "${flags[@]}" -fsanitize=address,undefined "$here/csv_fuzz.c" "$here/drive.c" -lm -o "$out/drive"
}

# Texts of 4 to 540 columns and some rows, for libFuzzer to begin with: see repeats.h, and for the
# first byte, which chooses delimiter and quote, csv_fuzz.c.
seeds() {
    local how signs d q cell end often k=0
    for how in '00 , "' '08 \t "' 'c0 , -' 'df y x'; do
        read -r signs d q <<<"$how"
        for cell in 1 ab "${q}7$q" "$q$q" "${q}a$q$q,$q"; do
            for end in '\n' '\r\n'; do
                for often in 06 2c 50; do
                    printf "\x$signs\x00\x00\xe5\x37\x35%s$d\x01\x$often%s$end\x02\x14" "$cell" "$cell" >"$1/wide-$((k++))"
                done
            done
        done
    done
}

csv() {
    if [[ ${COMPILER:-} != gcc ]] && command -v clang >/dev/null && libfuzzer 2>"$out/clang.log"; then
        mkdir -p "$out/corpus" "$out/seeds"
        seeds "$out/seeds"
        echo "csv: libFuzzer for $1 seconds"
        cd "$out"
        ./libfuzzer -max_total_time="$1" -seed="$2" -max_len=4096 -timeout=120 -use_value_profile=1 -print_final_stats=1 \
            -verbosity=0 -artifact_prefix="$out/" -dict="$here/csv.dict" corpus seeds "$here/found"
    elif command -v gcc >/dev/null; then
        drive
        echo "csv: random inputs for $1 seconds, from seed $2"
        cd "$out"
        ./drive "$1" "$2" "$here/csv.dict"
    else
        echo "fuzz/run.sh: neither clang with libFuzzer nor gcc is at hand. Install one." >&2
        exit 1
    fi
}

differential() {
    echo "differential: files for $1 seconds, from seed $2"
    cd "$here/.."
    python -m fuzz.differential "$1" "$2" --keep "$out"
}

models() {
    if [[ -f $here/models.sh ]]; then
        bash "$here/models.sh" "$1" "$2"
    fi
}

names=(csv differential models)
if [[ ${1:-} =~ ^[a-z]+$ ]]; then
    [[ " ${names[*]} " == *" $1 "* ]] || { echo "fuzz/run.sh: no $1 here, but ${names[*]}" >&2; exit 2; }
    names=("$1")
    shift
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
for name in "${names[@]}"; do
    ("$name" "${1:-1200}" "${2:-1}")
done
