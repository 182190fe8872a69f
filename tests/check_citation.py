# SPDX-License-Identifier: Apache-2.0
"""CITATION.cff is what the Citation File Format 1.2.0 asks for, of this version:
check_citation.py CITATION.cff VERSION. Exit status 77 without PyYAML."""
import re
import sys

try:
    import yaml
except ImportError:
    print("no PyYAML (python3-yaml)")
    sys.exit(77)

REQUIRED = {"authors", "cff-version", "message", "title"}
KNOWN = REQUIRED | {
    "abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license",
    "license-url", "preferred-citation", "references", "repository", "repository-artifact",
    "repository-code", "type", "url", "version"}
AUTHOR = {
    "address", "affiliation", "alias", "city", "country", "date-end", "date-start", "email",
    "family-names", "fax", "given-names", "location", "name", "name-particle", "name-suffix",
    "orcid", "post-code", "region", "tel", "website"}


def faults(path, version):
    with open(path, encoding="utf-8") as file:
        found = yaml.safe_load(file)
    if not isinstance(found, dict):
        return ["not a mapping"]
    said = [f"{key} is missing" for key in REQUIRED - found.keys()]
    said += [f"{key} is no key of the format" for key in found.keys() - KNOWN]
    if found.get("cff-version") != "1.2.0":
        said.append("cff-version is not 1.2.0")
    if found.get("version") != version:
        said.append(f"version is {found.get('version')}, that of the build is {version}")
    if found.get("type", "software") not in ("software", "dataset"):
        said.append("type is neither software nor dataset")
    if found.get("license") != "Apache-2.0":
        said.append("license is not Apache-2.0")
    released = found.get("date-released")
    if released and not re.fullmatch(r"\d{4}-\d\d-\d\d", str(released)):
        said.append("date-released is no date")
    authors = found.get("authors") or [{}]
    for author in authors:
        if not author or author.keys() - AUTHOR:
            said.append(f"an author has unknown keys, or none: {author}")
    return said


wrong = faults(sys.argv[1], sys.argv[2])
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
