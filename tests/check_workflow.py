# SPDX-License-Identifier: Apache-2.0
"""GitHub's workflow is .ci/run and no second description of it: check_workflow.py ci.yml.
Actions are pinned by commit and may only read. Exit status 77 without PyYAML."""
import re
import sys

try:
    import yaml
except ImportError:
    print("no PyYAML (python3-yaml)")
    sys.exit(77)


def faults(path):
    with open(path, encoding="utf-8") as file:
        found = yaml.safe_load(file)
    said = []
    if found.get("permissions") != {"contents": "read"}:
        said.append("permissions are more than reading the contents")
    for name, job in found["jobs"].items():
        steps = job["steps"]
        if "permissions" in job:
            said.append(f"{name}: has permissions of its own")
        if sum(step.get("run") == ".ci/run" for step in steps) != 1:
            said.append(f"{name}: .ci/run is not run once")
        for step in steps:
            if "meson" in step.get("run", ""):
                said.append(f"{name}: {step['run']}: belongs to .ci/run")
            if "uses" in step and not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]):
                said.append(f"{name}: {step['uses']}: not pinned by commit")
    return said


wrong = faults(sys.argv[1])
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
