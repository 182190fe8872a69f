# SPDX-License-Identifier: Apache-2.0
"""schema_mutants.py SCHEMA VERDICTS RUN...: lines of runs, whole and mutated, judged by the package
jsonschema and by the command VERDICTS, which must agree. Exit status 1 where they do not, 77
without the package."""
import copy
import json
import random
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)

MUTANTS = 3000
VALUES = [None, True, False, 0, 1, -1, 0.5, 1.0, 2.0, -3.5, 1e300, "", "ok", "failed", "none", "F",
          "text", "0" * 32, "0" * 31, "0" * 33, "\u00e4", [], [1], ["0" * 32] * 3, [None],
          [1.5, "a"], {}, {"a": 1}, {"a": "b"}, {"cycles": None}]


def mutate(rng, line):
    """One to three changes somewhere in a line."""
    line = copy.deepcopy(line)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        where = line
        while True:
            inner = list(where.values()) if isinstance(where, dict) else where
            inner = [value for value in inner if isinstance(value, (dict, list)) and value]
            if not inner or rng.random() < 0.6:
                break
            where = rng.choice(inner)
        if isinstance(where, list):
            kind = rng.choice(("put", "drop", "add"))
            if kind == "add" or not where:
                where.append(rng.choice(VALUES))
            elif kind == "drop":
                where.pop(rng.randrange(len(where)))
            else:
                where[rng.randrange(len(where))] = rng.choice(VALUES)
            continue
        kind = rng.choice(("put", "put", "put", "drop", "add"))
        if kind == "add" or not where:
            where[rng.choice(("extra", "result", "resumed", "kernel"))] = rng.choice(VALUES)
        elif kind == "drop":
            del where[rng.choice(list(where))]
        else:
            where[rng.choice(list(where))] = rng.choice(VALUES)
    return line


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = Draft202012Validator(json.load(file))
    lines = []
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines += [json.loads(text) for text in file]
    rng = random.Random(1)
    kinds = {tuple(line): [] for line in lines}
    for line in lines:
        kinds[tuple(line)].append(line)
    lines += VALUES
    for _ in range(MUTANTS):
        lines.append(mutate(rng, rng.choice(kinds[rng.choice(list(kinds))])))
    made = "".join(json.dumps(line) + "\n" for line in lines)
    told = subprocess.run(sys.argv[2].split(), input=made, stdout=subprocess.PIPE, check=True,
                          text=True).stdout.split()
    wanted = [str(int(whole.is_valid(line))) for line in lines]
    faults = 0
    for line, own, other in zip(lines, told, wanted):
        if own != other:
            faults += 1
            print(f"told {own}, jsonschema {other}: {json.dumps(line)[:300]}")
    print(f"{len(lines)} lines, {wanted.count('1')} obey, {faults} judged otherwise")
    return faults > 0 or len(told) != len(lines) or "0" not in wanted or "1" not in wanted


sys.exit(main())
