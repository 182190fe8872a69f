# SPDX-License-Identifier: Apache-2.0
#
# What the tests of the command line share, read by `.` with the program as $1: the functions below
# and a directory $dir that is gone at the end. Speaks TAP; tap_end closes it.

# Under a cross build meson names the emulator; by its whole path, since tests change PATH.
if [ -n "${MESON_EXE_WRAPPER:-}" ]; then
    emulator=${MESON_EXE_WRAPPER%% *}
    MESON_EXE_WRAPPER=$(command -v "$emulator")${MESON_EXE_WRAPPER#"$emulator"}
fi
program() {
    # shellcheck disable=SC2086 # a command and its options
    ${MESON_EXE_WRAPPER:-} "$path" "$@"
}
path=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0
bad=0

ok() { # STATUS NAME [DETAIL]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        bad=$((bad + 1))
        echo "not ok $count - $2"
        [ $# -lt 3 ] || printf '%s\n' "$3" | sed 's/^/# /'
    fi
}

# refused NAME WORD ARGUMENT...: status 2, one line on stderr that holds WORD, nothing on stdout.
refused() {
    name=$1 word=$2
    shift 2
    program "$@" >"$dir/stdout" 2>"$dir/stderr"
    status=$?
    lines=$(wc -l <"$dir/stderr")
    [ $status -eq 2 ] && [ "$lines" -eq 1 ] && [ ! -s "$dir/stdout" ] &&
        grep -qF -- "$word" "$dir/stderr"
    ok $? "refused: $name" "status $status; $(cat "$dir/stderr")"
}

# accepted NAME WORD ARGUMENT...: status 0, stdout holds WORD.
accepted() {
    name=$1 word=$2
    shift 2
    program "$@" >"$dir/stdout" 2>"$dir/stderr"
    status=$?
    [ $status -eq 0 ] && grep -qF -- "$word" "$dir/stdout"
    ok $? "$name" "status $status; $(cat "$dir/stderr")"
}

# npy FILE DESCR FORTRAN SHAPE BYTES: an array of BYTES zero bytes behind a header of version 1.0.
npy() {
    text="{'descr': '$2', 'fortran_order': $3, 'shape': ($4), }"
    {
        printf '\223NUMPY\001\000\166\000' # 118 bytes of header make 128 in all
        printf '%-117s\n' "$text"
        head -c "$5" /dev/zero
    } >"$1"
}

# floats INDEX...: 2, 2.5, 3, 3.5, 4, 5, 6 or 7 for 0 to 7, as float32.
floats() {
    for index in "$@"; do
        printf %b "\\0000\\0000\\0$(printf %o $((16 * index)))\\0100"
    done
}

# Has this build Google Benchmark? Either way nothing runs: no such directory can be made.
has_bench() {
    ! program bench --output /dev/null/run 2>&1 | grep -q 'no Google Benchmark'
}

# first_bench NAME COMMAND...: the run that the rest of a test stands on, its output in stdout and
# stderr. Where it cannot be, the test ends: skipped without Google Benchmark.
first_bench() {
    name=$1
    shift
    if ! has_bench; then
        echo "1..0 # SKIP built without Google Benchmark"
        exit 0
    fi
    "$@" >"$dir/stdout" 2>"$dir/stderr" && return
    ok 1 "$name" "$(cat "$dir/stdout" "$dir/stderr")"
    tap_end
    exit 1
}

# The last line; its status says whether all went well.
tap_end() {
    echo "1..$count"
    [ $bad -eq 0 ]
}
