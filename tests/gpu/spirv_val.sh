#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# spirv_val.sh DUMP_SHADER SPIRV_VAL: the validator accepts every module inside the program.
set -eu
dump=$1 validate=$2

names=$("$dump")
echo "1..$(echo "$names" | wc -l)"
status=0
for name in $names; do
  if "$dump" "$name" | "$validate" --target-env vulkan1.1 -; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    status=1
  fi
done
exit $status
