# SPDX-License-Identifier: Apache-2.0
"""read_export.py FORMAT EXPORT RUN...: reads an export strictly and compares it with the runs that
it was made of, field by field. One line per fault; exit status 1 where there is any."""
import csv
import json
import math
import sys

faults = []


def check(right, *what):
    if not right:
        faults.append(" ".join(str(part) for part in what))


def refuse(name):
    raise ValueError("not JSON: " + name)


def strict(text):
    def unique(pairs):
        check(len(dict(pairs)) == len(pairs), "a name twice among", [name for name, _ in pairs])
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def rows_of(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = [strict(text) for text in file.read().split("\n") if text]
    return [line for line in lines if "kernel" in line]


def is_list(value):
    return isinstance(value, list) and not (value and isinstance(value[0], str))


def read_csv(text, runs):
    check(text.endswith("\r\n"), "no CRLF at the end")
    table = list(csv.reader(text.splitlines(keepends=True), strict=True))
    names = table.pop(0)
    check(len(set(names)) == len(names), "a column twice")
    want = [(path, row) for path in runs for row in rows_of(path)]
    check(len(table) == len(want), len(table), "rows, not", len(want))
    for fields, (path, row) in zip(table, want):
        check(len(fields) == len(names), "a row of", len(fields), "fields")
        got = dict(zip(names, fields))
        check(got.pop("run") == path, "run is not", path)
        check(set(got) == {name for name in row if not is_list(row[name])}, "columns", set(got))
        for name, field in got.items():
            value = row[name]
            if value is None:
                right = field == ""
            elif isinstance(value, str):
                right = field == value
            elif isinstance(value, bool):
                right = field == str(value).lower()
            elif isinstance(value, (list, dict)):
                right = json.loads(field) == value
            else:
                right = float(field) == value
            check(right, row["kernel"], name, repr(field), "is not", repr(value))


def ok_rows(path):
    return [row for row in rows_of(path) if row["status"] == "ok"]


def read_gb(text, runs):
    whole = strict(text)
    check(set(whole) == {"context", "benchmarks"}, "members", set(whole))
    check(whole["context"]["json_schema_version"] == 1, "schema version")
    samples = [(row, ns) for row in ok_rows(runs[0]) for ns in row["samples_ns"]]
    check(len(whole["benchmarks"]) == len(samples), len(whole["benchmarks"]), "samples")
    for got, (row, ns) in zip(whole["benchmarks"], samples):
        check(got["name"].startswith(row["kernel"] + "/" + row["workload"]), got["name"])
        check(got["name"].endswith("/manual_time"), got["name"])
        check(got["run_type"] == "iteration" and got["time_unit"] == "ns", got)
        check(got["real_time"] == ns and got["cpu_time"] == ns, got)
        check(all(math.isfinite(v) for v in got.values() if isinstance(v, float)), got)
        check(got["label"] == (row["device_name"] or ""), got["label"])
        check(got["iterations"] == row["iterations"], got)


def read_bmf(text, runs):
    whole = strict(text)
    rows = ok_rows(runs[0])
    check(len(whole) == len(rows), len(whole), "benchmarks, not", len(rows))
    for (name, got), row in zip(whole.items(), rows):
        threads = "/threads:" + str(row["threads"] or 0)
        check(name.startswith(row["kernel"] + "/" + row["workload"] + threads), name)
        latency = got["latency"]
        check(latency["value"] == row["median_ns"], name, latency)
        check(latency.get("lower_value") == row["ci_low_ns"], name, latency)
        check(latency.get("upper_value") == row["ci_high_ns"], name, latency)
        if row["flops"]:
            value = got["throughput"]["value"]
            check(abs(value / 1e9 / row["gflops"] - 1) < 1e-9, name, value)


READERS = {"csv": read_csv, "gb": read_gb, "bmf": read_bmf}
with open(sys.argv[2], encoding="utf-8", newline="") as export:
    READERS[sys.argv[1]](export.read(), sys.argv[3:])
for fault in faults:
    print(fault[:300])
sys.exit(bool(faults))
