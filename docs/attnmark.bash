# SPDX-License-Identifier: Apache-2.0
#
# Completion of attnmark's command line in bash. Commands and options are what the program says in
# its help, kernels and devices what it finds here, so that nothing has to be kept in step.
# shellcheck shell=bash

# The options of a command, one a line, those that want a value as --name=WHAT.
_attnmark_options() { # PROGRAM COMMAND
    "$1" "$2" --help 2>/dev/null |
        sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\(=[^ ]*\)\{0,1\}\).*/\2/p' | sort -u
}

# What a value may be: words, one a line, by the option's name or else by what it wants.
_attnmark_values() { # PROGRAM OPTION WHAT VALUE
    case $2 in
    --generator) printf '%s\n' normal peaked equal large cancel ;;
    --layout) printf '%s\n' bhnd bnhd ;;
    --mask) printf '%s\n' causal causal-tl full ;;
    --roofs) printf '%s\n' all judging ;;
    --kernel) "$1" list 2>/dev/null | awk '$1 ~ /^(cpu|vk[0-9]*)$/ { print $2 }' | sort -u ;;
    --device)
        printf '%s\n' cpu vk
        "$1" devices 2>/dev/null | sed -n 's/^\(vk[0-9][0-9]*\): .*/\1/p'
        ;;
    --workload) _attnmark_workload "$4" ;;
    *)
        case $3 in
        DIR) compgen -d -- "$4" ;;
        *FILE.comp) _attnmark_files comp "$4" ;;
        *.npy) _attnmark_files npy "$4" ;;
        *FILE*) compgen -f -- "$4" ;;
        RUN) _attnmark_files jsonl "$4" ;;
        esac
        ;;
    esac
}

# Directories, and files that end so.
_attnmark_files() { # EXTENSION VALUE
    compgen -d -- "$2"
    compgen -f -X "!*.$1" -- "$2"
}

# The keys that a text does not have yet, or the values of the key at its end.
_attnmark_workload() { # TEXT
    local before='' key
    [[ $1 != *,* ]] || before=${1%,*},
    case ${1##*,} in
    dtype=*) printf "${before}dtype=%s\n" f32 f16 bf16 ;;
    mask=*) printf "${before}mask=%s\n" full causal causal-tl window: chunk: len: ;;
    *=*) ;;
    *)
        for key in b h hk n m d dv dtype mask scale split; do
            [[ ,$before != *,$key=* ]] && echo "$before$key="
        done
        ;;
    esac
}

_attnmark() {
    local program=${1/#\~\//$HOME/} line=${COMP_LINE:0:COMP_POINT} IFS=$' \t\n'
    local -a words
    COMPREPLY=()
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=('')
    local last=$((${#words[@]} - 1)) option='' what='' candidates file=''
    local value=${words[last]} command=${words[1]}
    # bash cuts words at = and :, and replaces only what comes after.
    local word=${COMP_WORDS[COMP_CWORD]}
    [[ $word != [=:] ]] || word=''
    until [[ $value == *"$word" ]]; do word=${word%?}; done # the cursor is inside of it
    local kept=$((${#value} - ${#word})) before=''

    if [[ $last -le 1 ]]; then
        candidates=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *.*/\1/p'
            printf '%s\n' --help --version)
    else
        [[ " ${words[*]:2:last-2} " != *' -- '* ]] || return 0
        option=${words[last - 1]}
        [[ $option != -o ]] || option=--output
        if [[ $value == --*=* ]]; then
            option=${value%%=*}
            value=${value#*=}
            kept=$((kept - ${#option} - 1))
            [[ $kept -ge 0 ]] || kept=0 before=$option= # bash that does not cut at =
        fi
        local known
        known=$(_attnmark_options "$program" "$command")
        what=$(sed -n "s/^$option=//p" <<<"$known" 2>/dev/null)
        if [[ -n $what ]]; then
            candidates=$(_attnmark_values "$program" "$option" "$what" "$value")
            file=$what
        elif [[ $value == -* ]]; then
            candidates=$(cut -d= -f1 <<<"$known" | uniq)
        else
            case $command in
            devices | doctor | list | verify | bench | tune | run | hash) ;;
            *) candidates=$(_attnmark_files jsonl "$value") file=RUN ;;
            esac
        fi
    fi
    local candidate
    while IFS= read -r candidate; do
        [[ -z $candidate || $candidate != "$value"* ]] || COMPREPLY+=("$before${candidate:kept}")
    done <<<"$candidates"
    case $option=$file in
    *=RUN | *=DIR | *FILE* | *.npy) compopt -o filenames 2>/dev/null ;;
    --workload=*) compopt -o nospace 2>/dev/null ;;
    esac
    return 0
}
complete -F _attnmark attnmark
