#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fused instructions in the kernels of contract M: none (no_fused.sh OBJDUMP LIBRARY). The same
# count in the kernels of contract F is not 0, so that the test can fail. Skipped where objdump does
# not know the instructions of a cross build.
set -eu
objdump=$1 library=$2

if "$objdump" -d "$library" 2>&1 | grep -q "can't disassemble"; then
    echo "$objdump knows no instructions of $library"
    exit 77
fi

count() { # PATTERN of object files
    "$objdump" -d --no-show-raw-insn "$library" |
        awk -v pattern="$1" '/file format/ { in_it = $0 ~ pattern }
            in_it && /\t(v?fn?m(add|sub)|fml[as])/ { n++ } END { print n + 0 }'
}

split=$(count '_m_.*[.]o')
fused=$(count '_f_.*[.]o')
echo "$split fused instructions in contract M, $fused in contract F"
[ "$split" -eq 0 ] && [ "$fused" -gt 0 ]
