# SPDX-License-Identifier: Apache-2.0
"""check_report.py SCHEMA PAGE...: the data island of every page obeys the schema, its indices lead
somewhere, and a browser has nothing to load. One line per fault; exit status 1 where there is any.
Prints the number of rows of each page. Without the package jsonschema the schema is left out."""
import html.parser
import json
import re
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

# What a browser loads by itself; <a href> waits for a click.
LOADS = {"src", "srcset", "href", "action", "data", "poster", "background", "formaction"}


class Page(html.parser.HTMLParser):
    """Texts of scripts and styles by kind, and what a browser would load."""

    def __init__(self):
        super().__init__()
        self.kind = None
        self.texts = {"data": [], "script": [], "style": [], "title": []}
        self.loads = []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        for name in LOADS & set(named):
            if tag != "a" and not (named[name] or "").startswith(("data:", "#")):
                self.loads.append(f"<{tag} {name}={named[name]}>")
        self.kind = "data" if named.get("id") == "data" else tag
        if self.kind in self.texts:
            self.texts[self.kind].append("")

    def handle_endtag(self, tag):
        self.kind = None

    def handle_data(self, data):
        if self.kind in self.texts:
            self.texts[self.kind][-1] += data


def refuse(name):
    raise ValueError("not JSON: " + name)


def style_loads(style):
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    found = re.findall(r"@import[^;]*", style)
    for url in re.findall(r"url\(\s*['\"]?([^)]*)", style):
        if not url.startswith(("data:", "#")):
            found.append(url)
    return found


def beyond(data):
    """Indices that lead nowhere."""
    sizes = {name: len(data[name]) for name in ("runs", "kernels", "workloads", "rows")}
    place = {name: i for i, name in enumerate(data["columns"])}
    used = []
    for row in data["rows"]:
        used += [("runs", row[place["run"]]), ("kernels", row[place["kernel"]]),
                 ("workloads", row[place["workload"]])]
        if row[place["library"]] is not None:
            used.append(("kernels", row[place["library"]]))
    for curve in data["curves"]:
        used += [("runs", curve["run"]), ("kernels", curve["kernel"])]
        used += [("rows", row) for row in curve["rows"]]
    for comparison in data["comparisons"]:
        used += [("runs", comparison["a"]), ("runs", comparison["b"])]
        used += [("rows", pair[side]) for pair in comparison["pairs"] for side in "ab"]
    rungs = sorted(kernel["rung"] for kernel in data["kernels"])
    wrong = [] if rungs == list(range(len(rungs))) else ["rungs"]
    return wrong + [f"{name}[{i}]" for name, i in used if not 0 <= i < sizes[name]]


def faults_of(page, schema):
    parts = {name: len(texts) for name, texts in page.texts.items()}
    faults = page.loads + [load for style in page.texts["style"] for load in style_loads(style)]
    if parts["data"] != 1 or parts["script"] < 1 or parts["title"] != 1:
        return faults + [f"parts of the page: {parts}"], 0
    data = json.loads(page.texts["data"][0], parse_constant=refuse)
    if Draft202012Validator:
        Draft202012Validator.check_schema(schema)
        for fault in Draft202012Validator(schema).iter_errors(data):
            faults.append(f"{fault.json_path}: {fault.message[:200]}")
    if not faults:
        faults += beyond(data)
    if page.texts["title"][0].strip() != re.sub(r"[\x00-\x1f\x7f]", "?", data["title"]).strip():
        faults.append("the title is " + page.texts["title"][0])
    return faults, len(data["rows"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    count = 0
    for path in sys.argv[2:]:
        page = Page()
        with open(path, encoding="utf-8", newline="\n") as file:
            page.feed(file.read())
        faults, rows = faults_of(page, schema)
        print(rows)
        for fault in faults:
            print(f"{path}: {fault}", file=sys.stderr)
        count += len(faults)
    return count > 0


sys.exit(main())
