#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The command line as a user meets it: cli.sh PROGRAM. Bad input gives one line on stderr that names
# the argument, exit status 2 and nothing half-written; good input gives its answer. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"


hash() { program hash --workload "$1" --kernel "$2" 2>/dev/null | cut -d' ' -f1; }

# Commands and help.
accepted "help" "verify" --help
for command in devices doctor list verify bench compare crossover export tune run hash; do
    accepted "help of $command" "Usage:" $command --help
done
accepted "version" "numerics contract" --version
refused "no such command" "frobnicate" frobnicate
refused "unknown option" "--frobnicate" list --frobnicate
refused "stray argument" "stray" list stray
refused "option without its argument" "--workload" hash --workload

# Workload texts.
for case in "d=0|d" "d=1025|1..1024" "h=3,hk=2|hk" "n=4294967297|n" "n=-1|n" "n=1e6|n" "n=|n" \
    "n=5,n=6|n" "x=1|x" "n=8..4|n" "n=1,m=8..4|m" "n=1,m=3:3|m" "n=1..2,m=1..2|where n sweeps" \
    "split=32|split" "mask=diagonal|mask" "scale=nan|scale" \
    "scale=inf|scale" "dtype=f64|dtype" "b=2,mask=len:1:2:3|len" "mask=window:0|window" \
    "n=16777217|16777216"; do
    refused "hash --workload ${case%%|*}" "${case##*|}" hash --workload "${case%%|*}"
    refused "bench --workload ${case%%|*}" "${case##*|}" bench --workload "${case%%|*}" \
        --output "$dir/never"
    refused "verify --workload ${case%%|*}" "${case##*|}" verify --workload "${case%%|*}"
done
refused "no workload" "--workload" hash
refused "tensors beyond this machine" "80 %" hash --workload b=64,h=1,n=16777216,m=1,d=64
refused "unknown kernel" "no such kernel" hash --workload n=1 --kernel avx9
refused "no kernel matches" "--kernel" verify --kernel 'nothing_*'
refused "unknown device" "no such device" verify --device 'no such card'
refused "golden digests of other inputs" "--golden" verify --golden --seed 2
refused "golden digests of all shapes" "--full" verify --golden --full
refused "bench without a kernel" "--kernel" bench --kernel 'nothing_*' --output "$dir/never"
for command in bench verify hash tune; do
    refused "$command says which option" "--workload" $command --workload n=x
done
refused "empty device" "no such device" verify --device ""
refused "generator" "normal" verify --generator gauss
refused "threads 0" "threads" bench --threads 0 --output "$dir/never"
refused "threads 1,x" "threads" bench --threads 1,x --output "$dir/never"
refused "more threads than fit" "at most 64" bench --output "$dir/never" \
    --threads "$(seq -s, 65)"
for command in "hash --kernel scalar_f" "run --out $dir/o.npy" "bench --output $dir/never" \
    "verify --limit 5" "list --device cpu"; do
    rest=${command#* }
    # shellcheck disable=SC2086 # a command and its options
    refused "$command twice" "${rest%% *}" $command $rest
done
for limit in 0 -1 nan inf; do
    refused "limit $limit" "--limit" verify --golden --limit $limit
done
refused "roofs" "all or judging" bench --roofs some --output "$dir/never"
refused "budget" "budget" bench --budget -5 --output "$dir/never"
for command in "bench --output $dir/never" "hash --workload n=1" verify; do
    # shellcheck disable=SC2086 # a command and its options
    refused "negative seed of ${command%% *}" "--seed" $command --seed -1
done
[ ! -e "$dir/never" ]
ok $? "refused benchmarks leave no output directory"
for case in ATTNMARK_CPU_DISABLE=avx9 ATTNMARK_VALIDATION=core,loud ATTNMARK_GPU_LIMITS=cores=4 \
    ATTNMARK_GPU_FAULT=often ATTNMARK_GPU_STAGING=zzz ATTNMARK_SLOWED=often; do
    (export "${case?}" && program list) >/dev/null 2>"$dir/stderr"
    [ $? -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ] &&
        grep -qF "${case##*[=,]}" "$dir/stderr" && grep -qF "${case%%=*}" "$dir/stderr"
    ok $? "refused: $case" "$(cat "$dir/stderr")"
done

# vacuous NAME ARGUMENT...: not a single check is no success.
vacuous() {
    name=$1
    shift
    program verify --device cpu "$@" >"$dir/stdout" 2>"$dir/stderr"
    [ $? -eq 1 ] && grep -q '^0 checks of 0 kernels' "$dir/stdout" &&
        [ "$(wc -l <"$dir/stderr")" -eq 1 ] && grep -q 'nothing was verified' "$dir/stderr"
    ok $? "nothing verified: $name" "$(cat "$dir/stderr")"
}
vacuous "no golden digest" --golden --workload n=77
vacuous "unsupported workload" --kernel scalar_f --workload n=16,dtype=f16
vacuous "limit" --golden --limit 1e-9

# .npy files.
npy "$dir/q.npy" '<f4' False '2, 3, 4' 96
npy "$dir/k.npy" '<f4' False '2, 5, 4' 160
npy "$dir/v.npy" '<f4' False '2, 5, 6' 240
npy "$dir/short.npy" '<f4' False '2, 5, 4' 159
npy "$dir/long.npy" '<f4' False '2, 5, 4' 161
npy "$dir/fortran.npy" '<f4' True '2, 5, 4' 160
npy "$dir/big.npy" '>f4' False '2, 5, 4' 160
npy "$dir/double.npy" '<f8' False '2, 5, 4' 320
npy "$dir/rank1.npy" '<f4' False '40,' 160
npy "$dir/zero.npy" '<f4' False '2, 0, 4' 0
npy "$dir/huge.npy" '<f4' False '4294967296, 4294967296, 4' 16
npy "$dir/head5.npy" '<f4' False '2, 5, 5' 200
npy "$dir/three.npy" '<f4' False '3, 5, 4' 240
npy "$dir/one.npy" '<f4' False '5, 1, 4' 80
npy "$dir/flat.npy" '<f4' False '5, 4' 80
npy "$dir/half.npy" '<f2' False '2, 5, 4' 80
echo "not an array" >"$dir/text.npy"
run() { refused "$1" "$2" run --q "$dir/q.npy" --k "$dir/$3" --v "$dir/${4:-v.npy}" \
    --out "$dir/o.npy"; }
run "missing file" "none.npy" none.npy
run "truncated" "short.npy" short.npy
run "trailing bytes" "long.npy" long.npy
run "Fortran order" "Fortran" fortran.npy
run "big-endian" "endian" big.npy
run "float64" "double.npy" double.npy
run "one dimension" "rank1.npy" rank1.npy
run "empty dimension" "zero.npy" zero.npy
run "a shape that overflows" "huge.npy" huge.npy
run "not a .npy file" "text.npy" text.npy
run "head size differs" "head size" head5.npy
run "key heads do not divide" "hk" three.npy three.npy
run "dimensions differ" "dimensions" flat.npy
run "keys and values differ" "keys" k.npy q.npy
refused "--out is an input" "the file of --q" run --q "$dir/q.npy" --k "$dir/k.npy" \
    --v "$dir/v.npy" --out "$dir/q.npy"
refused "no --out" "--out" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy"
refused "mask" "causal" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" --out "$dir/o.npy" \
    --mask sideways
refused "scale" "scale" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" --out "$dir/o.npy" \
    --scale nan
refused "a scale that is another key, too" "--scale" run --q "$dir/q.npy" --k "$dir/k.npy" \
    --v "$dir/v.npy" --out "$dir/o.npy" --scale 0.5,split=64
refused "a kernel that does not take f32" "scalar_x: contract X" run --q "$dir/q.npy" \
    --k "$dir/k.npy" --v "$dir/v.npy" --kernel scalar_x --out "$dir/o.npy"
refused "unwritable output" "no/such" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" \
    --out "$dir/no/such/o.npy"
[ ! -e "$dir/o.npy" ] && [ -z "$(find "$dir" -name '*.tmp*')" ]
ok $? "refused runs leave no output behind"
accepted "run" "contract" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" --out "$dir/o.npy"
[ "$(wc -c <"$dir/o.npy")" -eq $((128 + 2 * 3 * 6 * 4)) ]
ok $? "run wrote [2, 3, 6] float32"
accepted "run on float16" "contract" run --q "$dir/half.npy" --k "$dir/half.npy" \
    --v "$dir/half.npy" --mask causal --scale 0.5 --out "$dir/o.npy"
accepted "run by name" "scalar_m" run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" \
    --kernel scalar_m --mask causal-tl --out "$dir/o.npy"
# Its output can be its input: what it writes it reads.
accepted "run on its own output" "contract" run --q "$dir/o.npy" --k "$dir/v.npy" \
    --v "$dir/v.npy" --out "$dir/o2.npy"

# The same numbers in the other layout: the same digest, the same output, heads and rows exchanged.
for tensor in q:3 k:2 v:2; do
    npy "$dir/bhnd_${tensor%:*}.npy" '<f4' False "2, 2, ${tensor#*:}, 1" 0
    npy "$dir/bnhd_${tensor%:*}.npy" '<f4' False "2, ${tensor#*:}, 2, 1" 0
done
floats 0 1 2 3 4 5 6 7 6 5 4 3 >>"$dir/bhnd_q.npy"
floats 0 3 1 4 2 5 6 5 7 4 6 3 >>"$dir/bnhd_q.npy"
floats 0 1 2 3 4 5 6 7 >>"$dir/bhnd_k.npy"
floats 0 2 1 3 4 6 5 7 >>"$dir/bnhd_k.npy"
floats 7 6 5 4 3 2 1 0 >>"$dir/bhnd_v.npy"
floats 7 5 6 4 3 1 2 0 >>"$dir/bnhd_v.npy"
in_layout() { program run --layout "$1" --q "$dir/$1_q.npy" --k "$dir/$1_k.npy" \
    --v "$dir/$1_v.npy" --out "$dir/$1_o.npy" 2>"$dir/stderr"; }
words() { od -An -v -tx4 -w4 -j128 "$1"; }
[ "$(in_layout bhnd)" = "$(in_layout bnhd)" ] && [ -s "$dir/bnhd_o.npy" ]
ok $? "run --layout bnhd: the same digest" "$(cat "$dir/stderr")"
words "$dir/bhnd_o.npy" >"$dir/want"
for row in 1 3 5 2 4 6 7 9 11 8 10 12; do
    words "$dir/bnhd_o.npy" | sed -n "${row}p"
done >"$dir/got"
[ "$(sort -u "$dir/want" | wc -l)" -gt 6 ] && cmp -s "$dir/want" "$dir/got"
ok $? "run --layout bnhd: the same output, in that layout" "$(paste "$dir/want" "$dir/got")"
head -c 128 "$dir/bnhd_o.npy" | grep -qF '(2, 3, 2, 1)'
ok $? "run --layout bnhd: the shape of the output"
npy "$dir/heads.npy" '<f4' False '5, 2, 4' 160
refused "keys and values differ in bnhd" "number of keys is 5" run --layout bnhd \
    --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/heads.npy" --out "$dir/never.npy"
accepted "run --layout bnhd without a batch" "h=3,hk=1,n=2,m=5" run --layout bnhd \
    --q "$dir/q.npy" --k "$dir/one.npy" --v "$dir/one.npy" --out "$dir/o.npy"
accepted "run --layout bnhd of one head" "h=1,hk=1,n=5,m=5" run --layout bnhd \
    --q "$dir/flat.npy" --k "$dir/flat.npy" --v "$dir/flat.npy" --out "$dir/o.npy"
refused "layout" "--layout" run --layout nhd --q "$dir/q.npy" --k "$dir/k.npy" \
    --v "$dir/v.npy" --out "$dir/never.npy"
grep -qF 'bhnd, bnhd' "$dir/stderr" && [ ! -e "$dir/never.npy" ]
ok $? "a layout that is none: the allowed words"

# What is no regular file stays what it is; a link leads to its target.
npy_run() { run_to=$1; program run --q "$dir/q.npy" --k "$dir/k.npy" --v "$dir/v.npy" \
    --out "$run_to" >/dev/null 2>"$dir/stderr"; }
mkfifo "$dir/fifo"
npy_run "$dir/fifo"
[ $? -eq 2 ] && [ -p "$dir/fifo" ]
ok $? "a pipe as output is refused and stays"
ln -s target.npy "$dir/link.npy"
: >"$dir/target.npy"
npy_run "$dir/link.npy" && [ -L "$dir/link.npy" ] && [ -s "$dir/target.npy" ]
ok $? "a link as output leads to its target"
run "a pipe as input" "fifo" fifo

# Unwritable output of bench, before anything is measured.
: >"$dir/file"
if ! has_bench; then
    echo "# built without Google Benchmark: bench cannot be tried"
else
    refused "bench into a file" "$dir/file" bench --workload n=16 --output "$dir/file/run"
    bench() { program bench --device cpu --kernel scalar_f --workload "n=16,d=8" --threads 1 \
        --output "$@"; }
    deny() { # NAME WORD FLAG DIRECTORY
        refused "$1" "$2" bench --device cpu --kernel scalar_f --workload n=16,d=8 --threads 1 \
            --output "$dir/$4" -- "$3"
        [ ! -e "$dir/${4%%/*}/run.jsonl" ]
        ok $? "$1 leaves nothing behind"
    }
    for flag in repetitions=0 repetitions=-1 repetitions=1000001 repetitions=abc min_time=abc \
        format=xml time_unit=h; do
        deny "--benchmark_$flag" "$flag" "--benchmark_$flag" flags
    done
    mkdir "$dir/g" "$dir/linked"
    deny "gb.json over run.jsonl" "the rows of this run" "--benchmark_out=$dir/g/run.jsonl" g
    deny "gb.json over run.jsonl by another path" "the rows of this run" \
        "--benchmark_out=$dir/linked/../g/./run.jsonl" g
    deny "gb.json over a device" "not a regular file" --benchmark_out=/dev/null g
    deny "gb.json where there is no directory" "no/such" --benchmark_out="$dir/no/such" a/b/c
    [ ! -e "$dir/a" ]
    ok $? "a refused benchmark leaves no new parent directory"
    echo precious >"$dir/g/gb.json"
    refused "an earlier gb.json" "exists" bench --device cpu --kernel scalar_f --workload n=16,d=8 \
        --output "$dir/g"
    [ "$(cat "$dir/g/gb.json")" = precious ] && [ ! -e "$dir/g/run.jsonl" ]
    ok $? "an earlier gb.json is kept"
    bench "$dir/list" -- --benchmark_list_tests=true >"$dir/stdout" 2>&1 &&
        grep -q '^scalar_f/' "$dir/stdout" && [ ! -e "$dir/list" ]
    ok $? "--benchmark_list_tests lists and measures nothing"
    program bench --device cpu --kernel scalar_f --workload n=2,m=64..300,d=8 --threads 1 \
        --output "$dir/keys" >"$dir/stdout" 2>&1 &&
        [ "$(grep -c '^m=[0-9]* *scalar_f .* full ' "$dir/stdout")" -eq 3 ] &&
        grep -q '^Fit t = a + b m + c m^2' "$dir/stdout" &&
        grep -q '^Time of one run against m ' "$dir/stdout"
    ok $? "m sweeps, with its curve" "$(cat "$dir/stdout")"
    program bench --device cpu --kernel scalar_f --threads 1 --workload n=16,d=8,mask=len:0 \
        --output "$dir/masked" >"$dir/stdout" 2>&1 &&
        grep -q '"gflops":null' "$dir/masked/run.jsonl" &&
        grep -q '^scalar_f .* -  *-  *exact' "$dir/stdout"
    ok $? "no FLOPs, no rate" "$(cat "$dir/stdout")"

    # A disk that fills up after the header: the limit is in blocks of 512 bytes or more.
    bench "$dir/whole" -- --benchmark_repetitions=100 >"$dir/stdout" 2>&1
    header=$(head -n 1 "$dir/whole/run.jsonl" | wc -c)
    (
        trap '' XFSZ
        ulimit -f $((header / 512 + 2))
        bench "$dir/full" -- --benchmark_repetitions=100 2>"$dir/stderr"
        echo "status $?"
    ) | cat >"$dir/stdout"
    if [ "$(wc -c <"$dir/full/run.jsonl")" -gt $((header + 1024)) ]; then
        echo "# file sizes cannot be limited here: a full disk not tried"
    else
        grep -q '^status 2' "$dir/stdout" && grep -q 'GFLOP/s' "$dir/stdout" &&
            [ "$(wc -l <"$dir/stderr")" -eq 1 ] && grep -q 'cannot write' "$dir/stderr" &&
            [ "$(tail -c 1 "$dir/full/run.jsonl" | od -An -tx1)" = " 0a" ]
        ok $? "a disk that fills up: the table, a line, whole rows" \
            "$(cat "$dir/stdout" "$dir/stderr")"
    fi
fi

# Threads follow the CPUs that this process may use; more than those are noted.
threads_of() { program devices | sed -n 's/^  threads  *//p'; }
pin() { taskset -c -p "$1" "$(sh -c 'echo $PPID')" >/dev/null 2>&1; }
first=$(taskset -c -p $$ 2>/dev/null | sed 's/.*: //; s/[-,].*//')
if [ -n "$first" ] && [ -z "${OMP_NUM_THREADS:-}" ]; then
    [ "$(pin "$first" && threads_of)" = 1 ]
    ok $? "one CPU allowed, one thread by default"
    (
        pin "$first"
        program bench --device cpu --kernel scalar_f --workload n=16,d=8 --threads 2 \
            --output "$dir/pinned"
    ) >"$dir/stdout" 2>&1
    grep -qE '2 threads on 1 CPU$|needs 2 threads|no Google Benchmark' "$dir/stdout"
    ok $? "two threads on one CPU are noted" "$(cat "$dir/stdout")"
else
    echo "# no taskset here, or OMP_NUM_THREADS is set: pinning not tried"
fi
[ "$(OMP_NUM_THREADS=3 threads_of)" -eq 3 ] || [ "$(threads_of)" -eq 1 ]
ok $? "OMP_NUM_THREADS decides the default"
export OMP_NUM_THREADS=100000
program devices >"$dir/stdout" 2>"$dir/stderr"
status=$?
unset OMP_NUM_THREADS
# A build without OpenMP has one thread, whatever is asked for.
[ "$(threads_of)" -eq 1 ] ||
    { [ $status -eq 2 ] && grep -q 'OMP_NUM_THREADS: want 1..1024' "$dir/stderr"; }
ok $? "more threads than may be are refused" "$(cat "$dir/stderr")"
for word in "bench --budget 5x" "bench --precision 1%" "verify --limit x" "tune --budget=x" \
    "bench --seed 1.5"; do
    option=${word#* }
    # shellcheck disable=SC2086 # a command, an option and its value
    refused "not a number: $word" "${option%%[ =]*}" $word
done
# Numbers are decimal and whole texts, and messages say the range that the help says.
for case in "bench --budget|above 0" "bench --row-budget|above 0" "bench --precision|0.01..100" \
    "bench --pause|0..3600" "bench --window|0.00001..1" "bench --seed|0..2147483647" \
    "verify --limit|above 0" "verify --seed|0..2147483647" "tune --budget|above 0" \
    "hash --seed|0..2147483647"; do
    word=${case%%|*} range=${case##*|}
    command=${word% *} option=${word#* }
    for text in "" " 5" "5 " 0x10 nan 5..6; do
        refused "$word '$text'" "$range" "$command" "$option" "$text"
        refused "$word='$text'" "$option" "$command" "$option=$text"
    done
    program "$command" --help | tr -s ' \n' ' ' | sed "s/.* $option=//; s/ --.*//" |
        grep -qF "($range)"
    ok $? "help of $word says $range"
done
refused "a seed that is no octal" "0..2147483647" hash --seed 010
refused "a seed that is too large" "--seed" hash --seed 99999999999999999999
for threads in 0 -1 1025 "" 1,2; do
    refused "verify --threads '$threads'" "1..1024" verify --threads "$threads"
done

# Kernels that this CPU lacks, or that are disabled, say why and the scalar rows run (case 24).
for case in avx2:avx2 avx2:fma avx2:avx2,fma avx2:all avx512:avx512f neon:neon neon:all; do
    isa=${case%%:*} mask=${case#*:}
    ATTNMARK_CPU_DISABLE=$mask program list --device cpu >"$dir/stdout" 2>"$dir/stderr" &&
        grep -A1 "^cpu *${isa}_f" "$dir/stdout" | grep -q 'unavailable: '
    ok $? "$isa kernels unavailable under ATTNMARK_CPU_DISABLE=$mask"
    ATTNMARK_CPU_DISABLE=$mask program verify --device cpu --workload n=16,d=8 >"$dir/stdout" &&
        grep -q 'scalar_f .* 1 ok, 0 failed' "$dir/stdout"
    ok $? "scalar rows run under ATTNMARK_CPU_DISABLE=$mask"
done

# Devices are chosen by selector, index, UUID or part of a name (case 23).
VK_ADD_DRIVER_FILES= program devices >"$dir/devices"
if grep -q '^vk0: ' "$dir/devices"; then
    uuid=$(awk '/UUID/ { print $2; exit }' "$dir/devices")
    name=$(sed -n 's/^vk0: \(.*\) (.*/\1/p' "$dir/devices")
    for selector in vk0 0 "$uuid" "$name" "$(echo "$name" | cut -c1-5 | tr 'a-z' 'A-Z')" vk; do
        program list --device "$selector" >"$dir/stdout" 2>"$dir/stderr" &&
            grep -q '^vk0 ' "$dir/stdout" && ! grep -q '^cpu ' "$dir/stdout"
        ok $? "--device $selector selects vk0" "$(cat "$dir/stderr")"
    done
    software=$(grep -c '^vk0: .*software' "$dir/devices")
    tagged=$(program list --device vk0 | grep -c '^vk0 .*software device')
    [ "$software" -eq 0 ] || [ "$tagged" -gt 0 ]
    ok $? "software devices are tagged in the list"
    refused "a device that is not there" "no such device" list --device 97
else
    echo "# no Vulkan device here: its selection is not tried"
fi
# No driver: Vulkan rows are unavailable, CPU rows run, exit status 0.
VK_DRIVER_FILES=/nonexistent.json VK_ICD_FILENAMES=/nonexistent.json \
    program verify --workload n=16,d=8 >"$dir/stdout" 2>"$dir/stderr" &&
    grep -q '^vk .*unavailable: ' "$dir/stdout" && grep -q 'scalar_f .* 1 ok' "$dir/stdout"
ok $? "no Vulkan driver: vk rows are unavailable, CPU rows run" "$(cat "$dir/stderr")"

# One digest for one workload, whoever computes it.
a=$(hash h=6,hk=2,n=37,d=40 scalar_f)
[ ${#a} -eq 32 ]
ok $? "a digest has 32 digits"
for kernel in avx2_f_24x4 neon_f_24x4; do
    if program list --device cpu | grep -A1 $kernel | grep -q unavailable; then
        echo "# $kernel cannot run here: its digest not compared"
    else
        [ "$a" = "$(hash h=6,hk=2,n=37,d=40 $kernel)" ]
        ok $? "$kernel hashes like scalar_f"
    fi
done

# Closed output is an error, not a crash.
if [ -e /dev/full ]; then
    for word in list --help --version "bench --help"; do
        # shellcheck disable=SC2086 # a command and its options
        program $word >/dev/full 2>"$dir/stderr"
        [ $? -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ]
        ok $? "a full disk behind the output of $word is reported"
    done
fi

tap_end
