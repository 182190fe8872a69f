# SPDX-License-Identifier: Apache-2.0
#
# A collection of runs for tests of the gallery, read by `.` after tests/tap.sh.

hostile='</script><img src=x onerror=alert(1)>"|`'"'"
broken=amd/epyc-7543-2cpu-software/20260501T000000Z.jsonl # a file of the collection

# make_tree PUBLISHED_RUN DIRECTORY: five runs of three machines, one of them with a hostile name,
# and two files that are none.
make_tree() {
    published=$1
    tree=$2
    mkdir -p "$tree/unknown/hostile" "$tree/golden"
    publish 'AMD EPYC 7543' '' 2026-01-31T12:00:00Z VALID 1 &&
        publish 'AMD EPYC 7543' '' 2026-03-01T12:00:00Z VALID 1.1 &&
        publish 'AMD EPYC 7543' '' 2026-04-01T12:00:00Z INVALID 9 &&
        publish 'Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz' 'NVIDIA L4' 2026-02-01T12:00:00Z \
            VALID 2 &&
        ${MESON_EXE_WRAPPER:-} "$published" "$dir/hostile" "$hostile" - 2026-02-02T12:00:00Z \
            INVALID 1 &&
        mv "$dir/hostile/run.jsonl" "$tree/unknown/hostile/20260202T120000Z.jsonl" &&
        echo '{"half":' >"$tree/$broken" && : >"$tree/stray.jsonl" && echo text >"$tree/README.md"
}

# make_drivers PUBLISHED_RUN DIRECTORY: four runs of one machine within half an hour; its Vulkan
# device, of one name, has two drivers, and in one run none that is named.
make_drivers() {
    published=$1
    tree=$2
    mkdir -p "$tree"
    publish 'AMD EPYC 7543' '' 2026-11-30T12:03:00Z VALID 1 'Mesa 22.3.6' &&
        publish 'AMD EPYC 7543' '' 2026-11-30T12:07:00Z VALID 1.5 'Mesa 25.0.7' &&
        publish 'AMD EPYC 7543' '' 2026-11-30T12:20:00Z VALID 1.25 'Mesa 22.3.6' &&
        publish 'AMD EPYC 7543' '' 2026-11-30T12:30:00Z VALID 0.5 -
}

# make_compilers PUBLISHED_RUN DIRECTORY: three runs of one machine; the second one's program is of
# another compiler.
make_compilers() {
    published=$1
    tree=$2
    mkdir -p "$tree"
    publish 'AMD EPYC 7543' '' 2026-11-30T12:00:00Z VALID 1 &&
        publish 'AMD EPYC 7543' '' 2026-11-30T12:10:00Z VALID 2 &&
        publish 'AMD EPYC 7543' '' 2026-11-30T12:20:00Z VALID 1 || return 1
    second=$(find "$tree" -name 20261130T121000Z.jsonl)
    sed 's/"compiler": *"[^"]*"/"compiler":"other 1.0"/' "$second" >"$dir/other" &&
        grep -q 'other 1.0' "$dir/other" && mv "$dir/other" "$second"
}

publish() { # CPU GPU TIME RESULT SPEED [DRIVER]
    rm -rf "$dir/run"
    ${MESON_EXE_WRAPPER:-} "$published" "$dir/run" "$@" &&
        program submit "$dir/run" --results "$tree" >/dev/null
}
