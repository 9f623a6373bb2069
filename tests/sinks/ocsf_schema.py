"""A checker of OCSF objects over the compiled schema: requirements, profiles, types, captions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = json.loads(
    gzip.decompress((Path(__file__).parent / "data" / "ocsf-1.9.0.json.gz").read_bytes())
)
SCALARS = {"string_t": str, "integer_t": int, "long_t": int, "boolean_t": bool, "float_t": float}


def flaws(document: dict[str, Any]) -> list[str]:
    """What is wrong with an event; empty if it is valid."""
    about = DATA["classes"][str(document["class_uid"])]
    profiles = set(document["metadata"]["profiles"])
    wrong = [f"profile {name}" for name in profiles - set(about["profiles"])]
    uid = document["class_uid"]
    if document["type_uid"] != uid * 100 + document["activity_id"]:
        wrong.append("type_uid")
    if document["category_uid"] != uid // 1000:
        wrong.append("category_uid")
    for name, value in (("class_name", about["caption"]), ("category_name", about["category"])):
        if document[name] != value:
            wrong.append(name)
    return [*wrong, *_object(document, about, profiles, "$")]


def _object(value: Any, about: dict[str, Any], profiles: set[str], at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at}: no object"
        return
    known = about["attributes"]
    for name, attribute in known.items():
        is_required = attribute.get("requirement") == "required"
        if is_required and name not in value and _applies(attribute, profiles):
            yield f"{at}: no {name}"
    for kind, names in about["constraints"].items():
        count = sum(name in value for name in names)
        if (kind == "at_least_one" and not count) or (kind == "just_one" and count != 1):
            yield f"{at}: {kind} of {names}"
    for name, inner in value.items():
        if name not in known:
            yield f"{at}.{name}: unknown"
        elif name != "unmapped":
            yield from _attribute(name, inner, value, known[name], profiles, f"{at}.{name}")


def _applies(attribute: dict[str, Any], profiles: set[str]) -> bool:
    """Return whether an attribute is there: it needs no profile, or one that is on."""
    return not attribute.get("profiles") or not profiles.isdisjoint(attribute["profiles"])


def _attribute(
    name: str, value: Any, around: dict[str, Any], about: dict[str, Any], on: set[str], at: str
) -> Iterator[str]:
    if not _applies(about, on):
        yield f"{at}: needs profile {about['profiles']}"
    if about.get("is_array") and not isinstance(value, list):
        yield f"{at}: no array"
        return
    for one in value if about.get("is_array") else [value]:
        if about["type"] == "object_t":
            if about["object_type"] != "object":
                yield from _object(one, DATA["objects"][about["object_type"]], on, at)
            continue
        base = DATA["types"].get(about["type"], about["type"])
        wanted = SCALARS.get(base)
        if wanted is not None and type(one) is not wanted:
            yield f"{at}: {one!r} is no {base}"
        if "enum" in about:
            yield from _enumerated(one, around, about, at)


def _enumerated(
    value: Any, around: dict[str, Any], about: dict[str, Any], at: str
) -> Iterator[str]:
    if str(value) not in about["enum"]:
        yield f"{at}: no such value {value!r}"
    elif value != 99 and "sibling" in about:
        said = around.get(about["sibling"])
        if said not in (None, about["enum"][str(value)]):
            yield f"{at}: {said!r} is not {about['enum'][str(value)]!r}"
