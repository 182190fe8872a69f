#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# shader.sh PROGRAM SOURCES: users' shaders from the command line. Copies of the program's own
# shaders are right wherever they lie; changed ones are found out; what cannot work is refused
# before a device is opened or a file written.
set -u
. "$(dirname "$0")/../tap.sh"
sources=$2
small=h=2,n=70,m=150,d=24,mask=causal

# refused_saying NAME WORD ARGUMENT...: as refused, but with the compiler's lines before the last.
refused_saying() {
    name=$1 word=$2
    shift 2
    program "$@" >"$dir/stdout" 2>"$dir/stderr"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$dir/stdout" ] && grep -qF -- "$word" "$dir/stderr" &&
        ! grep -qv '^attnmark: ' "$dir/stderr"
    ok $? "refused: $name" "status $status; $(cat "$dir/stderr")"
}

# copy ROW NAME: a row of shaders.def as a user's shader.
copy() {
    entry=$(grep "^SHADER($1," "$sources/shaders/shaders.def")
    IFS=', ' read -r file plan devices x y rows rest <<END
${entry#*, }
END
    {
        echo "// attnmark: plan=$plan local=${x}x$y rows=$rows story=\"a copy\""
        cat "$sources/shaders/$file.comp"
    } >"$dir/$2.comp"
}

copy tile_64 tile
if program verify --device cpu --shader "$dir/tile.comp" 2>&1 |
    grep -q 'built without shaderc'; then
    refused "a build without shaderc" "built without shaderc" verify --shader "$dir/tile.comp"
    tap_end
    exit
fi

# Command lines.
refused "no file" "none.comp: No such file" verify --shader "$dir/none.comp"
refused "a shader on the CPU" "--device cpu: shaders run on Vulkan devices" verify \
    --shader "$dir/tile.comp" --device cpu
refused "macros without a shader" "--define goes with --shader" verify --define A=1
for define in "" =1 1A A-B "A B=1" gl_A=1 GL_A A__B CONTRACT_F CONTRACT_X=1 VULKAN=1 \
    "A=$(printf 'x\ny')"; do
    refused "--define '$(echo "$define" | tr '\n' ' ')'" "--define" verify \
        --shader "$dir/tile.comp" --define "$define"
done
refused "a macro twice" "defined before, as A=1" verify --shader "$dir/tile.comp" --define A=1 \
    --define A=2
refused "the same shader twice" "there is a kernel tile_m already" verify \
    --shader "$dir/tile.comp" --shader "$dir/tile.comp"
cp "$dir/tile.comp" "$dir/scalar.comp"
refused "the name of a kernel" "there is a kernel scalar_m already" verify \
    --shader "$dir/scalar.comp"
sed 's/sum\[row\]/summ[row]/; s/^void main.*/&; error/' "$dir/tile.comp" >"$dir/wrong.comp"
line=$(grep -n '^void main' "$dir/wrong.comp" | cut -d: -f1)
for command in verify "bench --output $dir/never"; do
    # shellcheck disable=SC2086 # a command and its options
    refused_saying "${command%% *}: what does not compile" \
        "attnmark: $dir/wrong.comp:$line: error: " $command --shader "$dir/wrong.comp"
done
[ ! -e "$dir/never" ]
ok $? "refused benchmarks leave nothing behind"

if ! program list --device vk 2>&1 | grep -A1 vk_tile_64_m | grep -q unavailable; then
    have_device=yes
else
    have_device=no
    echo "# no Vulkan device for contract M here: nothing is run"
fi

# checked STATUS NAME ARGUMENT...: verify ends with this status.
checked() {
    want=$1 name=$2
    shift 2
    program verify "$@" >"$dir/stdout" 2>"$dir/stderr"
    [ $? -eq "$want" ]
    ok $? "$name" "$(cat "$dir/stdout" "$dir/stderr")"
}

if [ $have_device = yes ]; then
    # Copies in a directory of their own find all they include inside the program.
    for row in $(sed -n 's/^SHADER(\([a-z0-9_]*\),.*/\1/p' "$sources/shaders/shaders.def"); do
        copy "$row" "$row"
        checked 0 "a copy of $row" --shader "$dir/$row.comp" --workload "$small" \
            --workload "$small,dtype=f16"
        grep -q "^vk0 *${row}_m .* 1 ok, 0 failed" "$dir/stdout" &&
            ! grep -q '^cpu' "$dir/stdout"
        ok $? "the copy of $row ran, and nothing else" "$(cat "$dir/stdout")"
    done
    golden=b=1,h=1,hk=1,n=256,m=256,d=64,dv=64,dtype=f32,mask=full,scale=0.125,split=0
    checked 0 "the golden digest" --golden --shader "$dir/tile.comp" --workload "$golden"
    grep -q "^vk0 *tile_m .* 1 ok" "$dir/stdout"
    ok $? "the copy met the golden digest" "$(cat "$dir/stdout")"

    # The example of the documentation, which shows a part of it.
    block=$(sed -n '/^```glsl$/,/^```$/p' "$sources/docs/adding-a-kernel.md" | sed '1d; $d')
    case "$(cat "$sources/shaders/rows.comp")" in
    *"$block"*) [ -n "$block" ] ;;
    *) false ;;
    esac
    ok $? "the documentation shows the example as it is"
    copy rows plain
    checked 0 "the documentation's example" --shader "$dir/plain.comp" --workload "$small" \
        --workload "h=4,hk=2,n=37,m=300,d=20,dv=36,split=64" --workload "$small,dtype=bf16"
    checked 0 "... on few loop iterations" --shader "$dir/plain.comp" --kernel plain_m \
        --workload "h=1,n=5,m=2000,d=8"

    # Wrong ones: by a changed include beside the shader, by a macro.
    sed 's/uintBitsToFloat(push.s2)/(1.0001 * &)/' "$sources/shaders/tile_scores.glsl" \
        >"$dir/tile_scores.glsl"
    checked 1 "a scale that is a little wrong" --shader "$dir/tile.comp" --workload "$small"
    rm "$dir/tile_scores.glsl"
    grep -q 'tile_m  *failed: first bad index 0 (batch 0, head 0, query 0' "$dir/stdout"
    ok $? "... is found at its first index" "$(cat "$dir/stdout")"
    sed 's/uintBitsToFloat(push.s2)/FACTOR &/' "$dir/plain.comp" >"$dir/it's.comp"
    refused "a name that is none" "names its kernels" verify --shader "$dir/it's.comp"
    mkdir "$dir/it's"
    mv "$dir/it's.comp" "$dir/it's/scaled.comp"
    checked 0 "a macro that is empty" --shader "$dir/it's/scaled.comp" --define FACTOR= \
        --kernel scaled_m --workload "$small"
    checked 1 "a macro that makes it wrong" --shader "$dir/it's/scaled.comp" \
        --define 'FACTOR=1.0001 *' --kernel scaled_m --workload "$small"
    sed -n 's/^  reproduce: attnmark /program /p' "$dir/stdout" >"$dir/again"
    (. "$dir/again") >"$dir/stdout" 2>&1
    [ $? -eq 1 ] && grep -q 'scaled_m .* 0 ok, 1 failed' "$dir/stdout"
    ok $? "the command that reproduces it does" "$(cat "$dir/again" "$dir/stdout")"
    sed 's/^ *o_bits\[at.*/;/' "$dir/plain.comp" >"$dir/silent.comp"
    checked 1 "a shader that writes nothing" --shader "$dir/silent.comp" --workload "$small"

    # Indices out of all bounds, and more shared memory than there is.
    sed 's/o_bits\[at/o_bits[500000000 + at/' "$dir/plain.comp" >"$dir/wild.comp"
    checked 1 "a shader that writes anywhere" --shader "$dir/wild.comp" --workload "$small"
    sed 's/^uint maximum/shared float large[1000000 * D];\n&/
        s/^    float reciprocal/    large[row] = sum;\n&/' "$dir/plain.comp" >"$dir/large.comp"
    checked 1 "a shader with too much shared memory" --shader "$dir/large.comp" --workload "$small"
    grep -q 'large_m .* 1 not run (needs 96000000 bytes of shared memory, the device has' \
        "$dir/stdout"
    ok $? "... is not run, and says why" "$(cat "$dir/stdout")"

    # The user's own tensors, by the user's own kernel.
    npy "$dir/q.npy" '<f4' False '4, 2' 0
    floats 0 1 2 3 4 5 6 7 >>"$dir/q.npy"
    for kernel in "--kernel scalar_m" "--shader $dir/plain.comp" \
        "--shader $dir/plain.comp --kernel plain_m --device vk0"; do
        # shellcheck disable=SC2086 # options
        program run --q "$dir/q.npy" --k "$dir/q.npy" --v "$dir/q.npy" --out "$dir/o.npy" $kernel \
            2>&1 | tee -a "$dir/runs" | cut -d' ' -f1
    done >"$dir/digests"
    [ "$(sort -u "$dir/digests" | wc -l)" -eq 1 ] && [ "$(grep -c plain_m "$dir/runs")" -eq 2 ]
    ok $? "run --shader gives the digest of scalar_m" "$(cat "$dir/runs")"

    if has_bench; then
        program bench --shader "$dir/plain.comp" --define UNUSED=7 --budget 60 \
            --workload h=1,n=64,d=16 --output "$dir/run" -- --benchmark_repetitions=10 \
            >"$dir/stdout" 2>"$dir/stderr"
        ok $? "bench" "$(cat "$dir/stderr")"
        grep -q '"kernel":"plain_m".*"status":"ok".*"verified":"full"' "$dir/run/run.jsonl" &&
            ! grep -q '"kernel":"vk_tile\|"kernel":"scalar' "$dir/run/run.jsonl"
        ok $? "bench times the user's kernels alone" "$(cat "$dir/run/run.jsonl")"
        head -n 1 "$dir/run/run.jsonl" | grep -q '"shaders":\[{"file":"[^"]*plain.comp",'\
'"defines":\["UNUSED=7"\],"plan":"rows","local_x":64,"local_y":1,"rows":1,'\
'"story":"a copy",'\
'"spirv_digests":{"plain_m":"[0-9a-f]\{32\}"'
        ok $? "the header has the shader" "$(head -n 1 "$dir/run/run.jsonl")"
        program bench --shader "$dir/plain.comp" --kernel 'plain_m' --kernel scalar_m --threads 1 \
            --budget 60 --workload h=1,n=64,d=16 --output "$dir/both" \
            -- --benchmark_repetitions=10 >"$dir/stdout" 2>"$dir/stderr"
        grep -q '"kernel":"plain_m"' "$dir/both/run.jsonl" &&
            grep -q '"kernel":"scalar_m"' "$dir/both/run.jsonl"
        ok $? "bench --kernel chooses among all" "$(cat "$dir/stdout" "$dir/stderr")"
    fi
fi
tap_end
