#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What bash offers at the end of a command line: completion.sh PROGRAM COMPLETION. Speaks TAP.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
completion=$2
if ! command -v bash >/dev/null; then
    echo "1..0 # SKIP no bash"
    exit 0
fi
# The name that completion is bound to, wherever the program is, and under an emulator.
mkdir "$dir/bin"
path=$(cd "$(dirname "$path")" && pwd)/$(basename "$path") # it is called from elsewhere, too
# shellcheck disable=SC2016 # the shell that runs it expands
printf '#!/bin/sh\nexec ${MESON_EXE_WRAPPER:-} "%s" "$@"\n' "$path" >"$dir/bin/attnmark"
chmod +x "$dir/bin/attnmark"
PATH=$dir/bin:$PATH

# What readline does: cuts the line at blanks, = and :, and calls the function.
cat >"$dir/offer.bash" <<'END'
source "$1" || exit 1
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9
read -ra COMP_WORDS <<<"$(sed 's/[=:]\{1,\}/ & /g' <<<"$2")"
[[ $2 != *[[:space:]] ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_attnmark attnmark "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
END
offer() { bash "$dir/offer.bash" "$completion" "$1" 2>"$dir/stderr" | sort; }

# offers LINE WORD...: just these, in any order.
offers() {
    line=$1
    shift
    for word in "$@"; do echo "$word"; done | sort >"$dir/want"
    offer "$line" >"$dir/got"
    cmp -s "$dir/want" "$dir/got" && [ ! -s "$dir/stderr" ]
    ok $? "attnmark ... ${line#attnmark }" "got: $(cat "$dir/got" "$dir/stderr")"
}
# holds LINE WORD: this among others.
holds() {
    offer "$1" | grep -qxF -e "$2"
    ok $? "$1: $2" "got: $(offer "$1" | tr '\n' ' ')"
}

# Every command, and every option of each, by what the program says of itself.
program --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' >"$dir/commands"
[ "$(wc -l <"$dir/commands")" -ge 11 ]
ok $? "the commands are known" "$(cat "$dir/commands")"
# shellcheck disable=SC2046 # a list of words
offers "attnmark " $(cat "$dir/commands") --help --version
offers "attnmark ver" verify
offers "attnmark nothing"
while read -r command; do
    # Stories name options, too: of the same command.
    program "$command" --help | grep -oe '--[a-z][a-z-]*' | sort -u >"$dir/options"
    offer "attnmark $command --" >"$dir/got"
    [ -s "$dir/got" ] && cmp -s "$dir/options" "$dir/got"
    ok $? "the options of $command" "help: $(tr '\n' ' ' <"$dir/options")
offered: $(tr '\n' ' ' <"$dir/got")"
done <"$dir/commands"
offers "attnmark bench --bu" --budget
offers "attnmark bench --budget "
offers "attnmark bench -- --b"

# Values.
holds "attnmark verify --kernel " scalar_m
offers "attnmark verify --kernel scalar_na" scalar_naive
offers "attnmark verify --kernel=scalar_na" scalar_naive
holds "attnmark list --device " cpu
offers "attnmark run --layout b" bhnd bnhd
offers "attnmark bench --workload h=1,dtype=" f16 bf16 f32
offers "attnmark bench --workload h=1,mask=c" causal causal-tl chunk:
offers "attnmark bench --workload h=1,n=64,d" 64,d= 64,dv= 64,dtype=
offers "attnmark bench --workload d=1,d" 1,dv= 1,dtype=
offers "attnmark bench --workload h=1,sc" 1,scale=
offers "attnmark bench --workload=d" d= dv= dtype=

# Files.
mkdir "$dir/files" "$dir/files/out" "$dir/files/a b"
: >"$dir/files/run.jsonl"
: >"$dir/files/q.npy"
: >"$dir/files/mine.comp"
cd "$dir/files" || exit 1
offers "attnmark compare " run.jsonl out "a b"
offers "attnmark bench --resume o" out
offers "attnmark bench --output " out "a b"
offers "attnmark run --q q" q.npy
offers "attnmark export --csv run.jsonl -o q" q.npy
offers "attnmark verify --shader m" mine.comp
offers "attnmark verify "
tap_end
