# SPDX-License-Identifier: Apache-2.0
"""check_schema.py SCHEMA FILE...: every line of every run.jsonl obeys the schema, and the schema
describes nothing that no row has. One line per fault; exit status 1 where there is any, 77 without
the package jsonschema."""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)


def refuse(name):
    raise ValueError("not JSON: " + name)


def kind_of(number, line):
    if number == 1:
        return "header"
    for kind, field in (("row", "kernel"), ("resumed", "resumed")):
        if field in line:
            return kind
    return "end"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    whole = Draft202012Validator(schema)
    parts = {name: Draft202012Validator(part) for name, part in schema["$defs"].items()}
    faults = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", newline="\n") as file:
            for number, text in enumerate(file, 1):
                line = json.loads(text, parse_constant=refuse)
                kind = kind_of(number, line)
                wrong = list(parts[kind].iter_errors(line))
                for fault in wrong:
                    print(f"{path}:{number}: {fault.json_path}: {fault.message[:200]}")
                if not wrong and not whole.is_valid(line):
                    wrong.append(None)
                    print(f"{path}:{number}: more than one kind of line")
                if kind == "row":
                    for name in set(schema["$defs"]["row"]["properties"]) - set(line):
                        wrong.append(None)
                        print(f"{path}:{number}: no field {name}, which the schema describes")
                faults += len(wrong)
    for name, part in schema["$defs"].items():
        for field, value in part["properties"].items():
            if not value.get("description"):
                faults += 1
                print(f"{sys.argv[1]}: {name}.{field}: no description")
    return faults > 0


sys.exit(main())
