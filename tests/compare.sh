#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# attnmark compare and crossover as a user meets them: compare.sh PROGRAM. The runs are made up, so
# that their truth is known. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

# A file of made-up rows: run FILE CONTRACT ROW..., each row KERNEL:N:NS, timed ten times within
# 1 %, and beside each n a roof that takes 1000 ns.
run() {
    file=$1 contract=$2
    shift 2
    {
        printf '{"format_version":1,"contract_version":%s,"seed":1}\n' "$contract"
        printf '%s\n' "$@" | awk -F: 'function row(kernel, n, ns, roof,    i) {
            printf "{\"kernel\":\"%s\",\"workload\":\"h=1,n=%d,d=8\",\"threads\":1,", kernel, n
            printf "\"device\":\"cpu\",\"device_name\":\"a CPU\",\"status\":\"ok\",\"roof\":%s,",
                roof ? "true" : "false"
            printf "\"contract\":\"F\",\"bound\":\"MAC\",\"flops\":%d,", 32 * n * n
            printf "\"gflops\":%.9f,\"roof_gflops\":%.9f,\"samples_ns\":[",
                32 * n * n / (roof ? 1000 : ns), 32 * n * n / 1000
            for (i = 0; i < 10; i++)
                printf "%s%.6f", i ? "," : "", ns * (1 + (i * 7 % 10) / 1000)
            printf "],\"sample_at_s\":["
            for (i = 0; i < 10; i++)
                printf "%s%d", i ? "," : "", i + 1
            printf "],\"median_ns\":%.6f}\n", ns * 1.0045
        }
        { if (!seen[$2]++) row("roof_f", $2, 1000, 1); row($1, $2, $3, 0) }'
        echo '{"result":"VALID","reasons":[]}'
    } >"$file"
}

run "$dir/a" 1 fast:64:2000 fast:128:8000 slow:64:9000
run "$dir/b" 1 fast:64:2200 fast:128:8000
run "$dir/other" 1 different:64:2000
run "$dir/newer" 2 fast:64:2000
head -n 3 "$dir/b" >"$dir/torn"

accepted "compare" "0 FASTER, 1 SLOWER, 1 SAME, 0 UNCLEAR of 2 pairs" compare "$dir/a" "$dir/b"
grep -q '2 pairs; 1 only in A' "$dir/stdout"
ok $? "rows without a partner are counted" "$(cat "$dir/stdout")"
accepted "the other way round" "1 FASTER, 0 SLOWER, 1 SAME" compare "$dir/b" "$dir/a"
accepted "only some kernels" "of 1 pair;" compare "$dir/a" "$dir/a" --kernel 'slo*'
cp "$dir/a" "$dir/again"
accepted "several runs" "3 SAME" compare --baseline "$dir/a" --baseline "$dir/again" "$dir/a" \
    "$dir/again"
accepted "two kernels of a run" "1 SLOWER" compare --rows "$dir/a" fast slow
accepted "a run that did not end is named" "did not end" compare "$dir/a" "$dir/torn"
accepted "JSON" '"verdict":"SLOWER"' compare --json "$dir/a" "$dir/b"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
def refuse(word): raise ValueError(word)
json.load(sys.stdin, parse_constant=refuse)' <"$dir/stdout"
    ok $? "JSON that a strict parser accepts"
fi

program compare --fail-if-slower 5% "$dir/a" "$dir/b" >/dev/null
[ $? -eq 1 ]
ok $? "--fail-if-slower 5%: 10 % slower fails"
accepted "--fail-if-slower 20%: 10 % slower does not" "1 SLOWER" \
    compare --fail-if-slower 20% "$dir/a" "$dir/b"
accepted "--fail-if-slower: FASTER does not" "1 FASTER" \
    compare --fail-if-slower 5% "$dir/b" "$dir/a"

for text in 5 0.05 -1% 5%% % 0% 2000% five%; do
    refused "--fail-if-slower $text" "--fail-if-slower" compare "$dir/a" "$dir/b" \
        --fail-if-slower "$text"
    refused "--margin $text" "--margin" compare "$dir/a" "$dir/b" --margin "$text"
done
refused "no run" "two runs" compare
refused "one run" "two runs" compare "$dir/a"
refused "three runs" "two runs" compare "$dir/a" "$dir/b" "$dir/a"
refused "only a baseline" "--baseline" compare --baseline "$dir/a"
refused "no such run" "$dir/none" compare "$dir/a" "$dir/none"
refused "no common row" "nothing to compare" compare "$dir/a" "$dir/other"
refused "another contract" "contract_version" compare "$dir/a" "$dir/newer"
refused "copies of a run" "twice on one side" compare --baseline "$dir/a" --baseline "$dir/a" \
    "$dir/b"
refused "--rows without kernels" "--rows" compare --rows "$dir/a"
refused "--rows with one kernel twice" "--rows" compare --rows "$dir/a" fast fast
refused "--rows of a kernel that is not there" "nothing to compare" compare --rows "$dir/a" fast x

# 50 us + 1 ns n^2 against 5 ns n^2: they cross at n = 111.8.
run "$dir/curves" 1 even:64:54096 even:128:66384 even:256:115536 even:512:312144 \
    steep:64:20480 steep:128:81920 steep:256:327680 steep:512:1310720 \
    best:64:1000 best:128:4000 best:256:16000 best:512:64000 lone:64:1
accepted "crossover" "crossover" crossover "$dir/curves" --kernel even --kernel steep
grep -q 'n = 11[12] .*B is faster below, A is faster above; confirmed' "$dir/stdout"
ok $? "a crossover where it is" "$(cat "$dir/stdout")"
accepted "no crossover" "no crossover between n = 64 and 512: B is faster" \
    crossover "$dir/curves" --kernel even --kernel best
accepted "equal curves of two runs" "equal, as far as the noise tells" \
    crossover "$dir/curves" "$dir/curves" --kernel even
refused "crossover of one kernel" "--kernel" crossover "$dir/curves" --kernel even
refused "crossover with itself" "even twice" crossover "$dir/curves" --kernel even --kernel even
refused "crossover without a run" "one run" crossover --kernel even --kernel steep
sed '1s/"contract_version":1/"contract_version":2/' "$dir/curves" >"$dir/curves2"
refused "crossover of two contracts" "contract_version" crossover "$dir/curves" "$dir/curves2" \
    --kernel even
grep -v '"result"' "$dir/curves" >"$dir/curves3"
accepted "crossover names a run that did not end" "did not end" crossover "$dir/curves" \
    "$dir/curves3" --kernel even --kernel steep
refused "no curve" "--kernel lone" crossover "$dir/curves" --kernel even --kernel lone

for text in x :5 'a:' a:0 a:-1 a:5x a:2000 a:nan; do
    (export ATTNMARK_SLOWED="$text" && program list) >/dev/null 2>"$dir/stderr"
    [ $? -eq 2 ] && [ "$(wc -l <"$dir/stderr")" -eq 1 ] && grep -qF "$text" "$dir/stderr"
    ok $? "refused: ATTNMARK_SLOWED=$text" "$(cat "$dir/stderr")"
done
tap_end
