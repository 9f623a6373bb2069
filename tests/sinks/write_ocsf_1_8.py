"""Writes data/ocsf-1.8.0.json: of the OCSF 1.8.0 schema what our events use, and refusals for the
rest, so that a new attribute shows as a failing test until this is run again.

    pip install ocsf-json-schema && python tests/sinks/write_ocsf_1_8.py

The package holds the schema of https://schema.ocsf.io/1.8.0 (Apache-2.0).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sinks.ocsf_events import everything  # noqa: E402

SOURCE = "OCSF 1.8.0, https://schema.ocsf.io/1.8.0, Apache-2.0; cut down by write_ocsf_1_8.py"
CLASSES = {6003: "api_activity", 2004: "detection_finding"}


def used(value: Any, schema: Any, defs: dict[str, Any], found: set[str]) -> None:
    """The names of the objects that a document reaches."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        found.add(name)
        schema = defs[name]
    if isinstance(value, list):
        for one in value:
            used(one, schema.get("items", {}), defs, found)
    elif isinstance(value, dict):
        for name, one in value.items():
            used(one, schema.get("properties", {}).get(name, {}), defs, found)


def bare(schema: Any) -> Any:
    """Without the words that check nothing."""
    if isinstance(schema, dict):
        words = ("title", "description", "deprecated")
        return {
            name: bare(one)
            for name, one in schema.items()
            if name not in words or not isinstance(one, str | bool)
        }
    return [bare(one) for one in schema] if isinstance(schema, list) else schema


def main() -> None:
    import ocsf_json_schema as package

    data = package.get_ocsf_schema(version="1.8.0")
    maker = package.OcsfJsonSchemaEmbedded(data)
    classes: dict[str, Any] = {}
    for document in everything():
        name = CLASSES[document["class_uid"]]
        about = data["classes"][name]
        given = classes.setdefault(
            name,
            {
                "profiles": about["profiles"],
                "captions": {
                    key: {n: v["caption"] for n, v in one["enum"].items()}
                    for key, one in about["attributes"].items()
                    if "enum" in one
                },
                "schemas": {},
            },
        )
        profiles = document["metadata"]["profiles"]
        key = ",".join(profiles)
        if key not in given["schemas"]:
            made = maker.get_class_schema(class_name=name, profiles=profiles)
            given["schemas"][key] = {"schema": bare(made), "used": set()}
        entry = given["schemas"][key]
        used(document, entry["schema"], entry["schema"]["$defs"], entry["used"])
    for given in classes.values():
        for key, entry in given["schemas"].items():
            schema = entry["schema"]
            schema["$defs"] = {
                name: one if name in entry["used"] else False
                for name, one in schema["$defs"].items()
            }
            given["schemas"][key] = schema
    text = json.dumps({"source": SOURCE, "classes": classes}, indent=1, sort_keys=True)
    (HERE / "data" / "ocsf-1.8.0.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
