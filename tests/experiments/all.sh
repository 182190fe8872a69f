#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every experiment in full, one after the other: all.sh PROGRAM EXPERIMENT... (the programs that
# `meson compile experiments` built). Half an hour or so. Exit status 1 when one is not as wanted.
set -u
here=$(dirname "$0")
program=$1
shift
export ATTNMARK_TUNING=none OMP_WAIT_POLICY=passive
status=0

# one NAME COMMAND...
one() {
    echo "--- $1"
    shift
    "$@" || status=1
}

with_program=no
for experiment in "$@"; do
    name=$(basename "$experiment" -experiment)
    case $name in
    verdicts)
        with_program=yes
        one "$name" "$experiment" "$program"
        ;;
    *) one "$name" "$experiment" ;;
    esac
done
if [ $with_program = yes ]; then
    one kills "$here/kills.sh" "$program" 100
fi
exit $status
