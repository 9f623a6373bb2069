"""Writes data/ocsf-1.9.0.json.gz: the classes of OCSF 1.9.0 that our events use and their objects,
without descriptions.

    python tests/sinks/write_ocsf.py COMPILED.json

COMPILED.json is what `ocsf-schema-compiler` (Python 3.14) makes of a checkout of ocsf/ocsf-schema
(Apache-2.0) at 1.9.0.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent / "data" / "ocsf-1.9.0.json.gz"
CLASSES = (
    "process_activity file_activity http_activity authorize_session api_activity "
    "application_lifecycle application_error detection_finding".split()
)
KEPT = ("requirement", "profiles", "type", "object_type", "is_array")


def bare(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes with what a check needs of them."""
    made = {}
    for name, about in attributes.items():
        made[name] = {word: about[word] for word in KEPT if about.get(word)}
        if "enum" in about:
            made[name]["enum"] = {key: one["caption"] for key, one in about["enum"].items()}
            if "sibling" in about:
                made[name]["sibling"] = about["sibling"]
    return made


def main() -> None:
    compiled = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    kinds = {}
    waiting = []
    for name in CLASSES:
        about = compiled["classes"][name]
        kinds[str(about["uid"])] = {
            "caption": about["caption"],
            "category": about["category_name"],
            "profiles": about["profiles"],
            "constraints": about.get("constraints", {}),
            "attributes": bare(about["attributes"]),
        }
        waiting.append(kinds[str(about["uid"])])
    objects: dict[str, Any] = {}
    while waiting:
        for about in waiting.pop()["attributes"].values():
            name = about.get("object_type")
            if name and name not in objects:
                given = compiled["objects"][name]
                objects[name] = {
                    "constraints": given.get("constraints", {}),
                    "attributes": bare(given["attributes"]),
                }
                waiting.append(objects[name])
    types = {
        name: about.get("type", name)
        for name, about in compiled["dictionary"]["types"]["attributes"].items()
    }
    made = {"version": "1.9.0", "classes": kinds, "objects": objects, "types": types}
    text = json.dumps(made, sort_keys=True, separators=(",", ":")).encode("ascii")
    DATA.write_bytes(gzip.compress(text, 9, mtime=0))


if __name__ == "__main__":
    main()
