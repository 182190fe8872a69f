#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What llvm-mca's models of aarch64 cores make of the inner loops of the NEON kernels: mca.sh
# SOURCE_ROOT DIRECTORY. The kernels are compiled as they are; in the functions of each product the
# innermost loop that multiplies most is cut out of the assembly and simulated. "bound" is the time
# that its multiplies and adds alone need on the model's floating-point pipes; more than 1.15 times
# that fails on the models in `held`. A simulation is not a measurement: it gives the same figures
# on every machine. The table, the loops and the full reports stay in DIRECTORY. Exit status 77 says
# what is missing.
set -eu
root=$1
out=$2
models='neoverse-n1 neoverse-v1 neoverse-v2 apple-m1'
held='neoverse-v1 apple-m1'
iterations=500

missing() {
    echo "no report: $*"
    exit 77
}

mca() { # MODEL FILE [OPTION...]
    model=$1 file=$2
    shift 2
    "$tool" -mtriple=aarch64-linux-gnu -mcpu="$model" "$@" "$file"
}

# Releases before 17 simulate Neoverse V1 with the units of a Cortex-A57.
find_tool() {
    echo 'fmla v0.4s, v1.4s, v2.s[0]' >"$out/probe.s"
    for tool in llvm-mca llvm-mca-22 llvm-mca-21 llvm-mca-20 llvm-mca-19 llvm-mca-18 llvm-mca-17; do
        if command -v $tool >/dev/null && mca neoverse-v1 "$out/probe.s" 2>&1 | grep -q V1Unit; then
            return
        fi
    done
    missing 'no llvm-mca that has a model of Neoverse V1 (Debian: llvm-19)'
}

compile() { # COMPILER KERNEL ASSEMBLY
    # shellcheck disable=SC2086 # a command and its options
    $1 -std=c11 -O3 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I"$root" \
        -S "$root/cpu/arm/$2.c" -o "$3"
}

# FUNCTIONS ASSEMBLY: labels delimit blocks, and a block that ends in a branch to its own label is
# an innermost loop.
hottest_loop() {
    awk -v functions="$1" '
        /^[.]?L[A-Za-z0-9_]*:/ { label = $1; sub(/:.*/, "", label); lines = ops = 0; next }
        /^[A-Za-z_][A-Za-z0-9_.]*:/ { wanted = $0 ~ functions; label = ""; next }
        !wanted || label == "" || /^[ \t]*([.#]|\/\/)/ { next }
        { line[lines++] = $0 }
        /^[ \t]*f(mla|mul)/ { ops++ }
        /^[ \t]*(b|cb|tb)[a-z.]+[ \t]/ && $NF == label && ops > most {
            most = ops
            kept = lines
            for (i = 0; i < lines; i++) best[i] = line[i]
        }
        END { for (i = 0; i < kept; i++) print best[i]; exit kept == 0 }' "$2"
}

# COMPILER KERNEL PRODUCT LOOP: one line of the table per model.
report() {
    grep -E '^[[:space:]]*f(mla|mul|add)' "$4.s" >"$4.arithmetic.s"
    for cpu in $models; do
        mca "$cpu" "$4.s" -iterations=$iterations >"$4.$cpu.txt"
        mca "$cpu" "$4.arithmetic.s" -iterations=1 >"$4.arithmetic.txt"
        awk -v compiler="$1" -v kernel="$2" -v product="$3" -v cpu="$cpu" '
            /^Iterations:/ && NR == FNR { n = $2 }
            /^Instructions:/ { if (NR == FNR) all = $2 / n; else ops = $2 }
            /^Total Cycles:/ && NR == FNR { cycles = $3 / n }
            /^Block RThroughput:/ && NR != FNR { bound = $3 }
            / - [A-Za-z0-9]*Unit/ { units = $3; sub(/Unit.*/, "Unit", units) }
            END { printf "%-8s %-12s %-7s %-12s %-7s %5d %5d %8.2f %7.2f %6.3f\n", compiler, kernel,
                product, cpu, units, all, ops, cycles, bound, cycles / bound }' \
            "$4.$cpu.txt" "$4.arithmetic.txt"
    done
}

# KIND COMPILER: all its lines; none where the compiler cannot build for aarch64.
measure() {
    echo '#include <arm_neon.h>
        #include <math.h>
        float32x4_t twice(float32x4_t a) { return vaddq_f32(a, a); }' >"$out/probe.c"
    # shellcheck disable=SC2086 # a command and its options
    $2 -S "$out/probe.c" -o "$out/probe.s" 2>/dev/null || return 0
    for kernel in neon_f_24x4 neon_m_24x4; do
        compile "$2" $kernel "$out/$1.$kernel.s"
        for product in scores values; do
            loop=$out/$1.$kernel.$product
            hottest_loop "lanes_(plain_)?$product" "$out/$1.$kernel.s" >"$loop.s"
            report "$1" $kernel $product "$loop"
        done
    done
}

find_tool
"$tool" --version | sed -n 's/^ *\(.*LLVM version.*\)/\1/p' >"$out/report.txt"
printf '%-8s %-12s %-7s %-12s %-7s %5s %5s %8s %7s %6s\n' compiler kernel product model \
    units instr ops cycles bound ratio >>"$out/report.txt"
if [ "$(uname -m)" = aarch64 ] || [ "$(uname -m)" = arm64 ]; then
    measure cc cc >>"$out/report.txt"
else
    measure gcc aarch64-linux-gnu-gcc >>"$out/report.txt"
    measure clang 'clang --target=aarch64-linux-gnu' >>"$out/report.txt"
fi
[ "$(wc -l <"$out/report.txt")" -gt 2 ] || missing 'no compiler for aarch64'
cat "$out/report.txt"
awk -v held=" $held " 'index(held, " " $4 " ") {
        seen++
        if (!($10 <= 1.15)) { print "too slow: " $0; slow = 1 }
    }
    END { exit slow || !seen }' "$out/report.txt"
