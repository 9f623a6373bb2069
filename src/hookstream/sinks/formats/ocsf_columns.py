"""Columns of OCSF 1.9 as Parquet: one fixed Arrow schema a class, whatever a batch holds.

Objects are structs; `unmapped` is JSON text, since free keys would give every file another schema.
What a document has and the schema has not is kept there under its path.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hookstream.core.jsons import JsonObject, canonical
from hookstream.sinks.formats.ocsf import (
    API,
    AUTHORIZE,
    ERROR,
    FILE,
    FINDING,
    HTTP,
    LIFECYCLE,
    PROCESS,
)

if TYPE_CHECKING:
    import pyarrow as pa

# A shape: the name of a scalar, [the shape of an element], or {field: its shape}.
Shape = Any
TEXT, LONG, BOOL, JSON = "text", "long", "bool", "json"


def texts(names: str) -> dict[str, Shape]:
    return dict.fromkeys(names.split(), TEXT)


def enums(names: str) -> dict[str, Shape]:
    """Numbers `NAME_id` with their captions `NAME`."""
    pairs = (((f"{name}_id", LONG), (name, TEXT)) for name in names.split())
    return {column: shape for pair in pairs for column, shape in pair}


APPLICATION = texts("uid name version")
PRODUCT = texts("name vendor_name version")
FINGERPRINT = {**enums("algorithm encoding serialization"), "value": TEXT}
AGENT = {
    **texts("uid name instance_uid version"),
    **enums("type"),
    "ai_model": texts("name ai_provider version"),
}
PROCESS_OBJECT = texts("uid name cmd_line working_directory")
ACTOR = {
    "application": APPLICATION,
    "session": texts("uid"),
    "user": texts("uid name"),
    "process": {**texts("uid name"), "ai_agent": texts("uid name instance_uid")},
}
DEVICE = {**texts("uid instance_uid"), **enums("type")}
ENDPOINT = texts("uid instance_uid svc_name")
FILE_OBJECT = {**texts("name path"), **enums("type")}
URL = {**texts("url_string scheme hostname path query_string"), "port": LONG}
API_OBJECT = {
    "operation": TEXT,
    "service": texts("uid name"),
    "request": texts("uid"),
    "response": {"code": LONG, **texts("error message")},
}
ATTESTATION = {
    **texts("uid authority_uid chain_uid"),
    "fingerprint": FINGERPRINT,
    "signatures": [{**enums("algorithm serialization"), "digest": FINGERPRINT}],
    "prev_event": {"uid": TEXT, "type_uid": LONG, "fingerprint": FINGERPRINT},
}
COMMON: dict[str, Shape] = {
    "time": LONG,
    "class_uid": LONG,
    "class_name": TEXT,
    "category_uid": LONG,
    "category_name": TEXT,
    **enums("activity"),
    "activity_name": TEXT,
    "type_uid": LONG,
    "type_name": TEXT,
    **enums("severity status action disposition risk_level"),
    "message": TEXT,
    **texts("status_code status_detail risk_details"),
    "risk_score": LONG,
    "is_alert": BOOL,
    "duration": LONG,
    "policy": {**texts("uid name version"), "is_applied": BOOL},
    "metadata": {
        **texts("uid version event_code log_name log_version log_provider original_time"),
        **texts("correlation_uid original_event_uid"),
        "product": PRODUCT,
        "profiles": [TEXT],
        "logged_time": LONG,
        "sequence": LONG,
    },
    "attestation_list": [ATTESTATION],
    "observables": [{**texts("name value"), **enums("type")}],
    "unmapped": JSON,
}
del COMMON["activity"]  # the caption of an activity is `activity_name`
OF_AN_AGENT = {"actor": ACTOR, "device": DEVICE, "ai_agent": AGENT}
TRACE = {"trace": texts("uid")}
# class -> the name under which Security Lake registers it, and its own columns
CLASSES: dict[int, tuple[str, dict[str, Shape]]] = {
    FILE: ("FILE_ACTIVITY", {**OF_AN_AGENT, "file": FILE_OBJECT}),
    PROCESS: ("PROCESS_ACTIVITY", {**OF_AN_AGENT, "process": PROCESS_OBJECT, "exit_code": LONG}),
    FINDING: (
        "DETECTION_FINDING",
        {
            "finding_info": {
                **texts("uid title desc"),
                "types": [TEXT],
                "created_time": LONG,
                "analytic": {**texts("uid name"), **enums("type")},
                "related_events": [{"uid": TEXT, "type_uid": LONG}],
                "product": PRODUCT,
            },
            "evidences": [
                {
                    **OF_AN_AGENT,
                    "process": PROCESS_OBJECT,
                    "file": FILE_OBJECT,
                    "url": URL,
                    "api": API_OBJECT,
                }
            ],
        },
    ),
    AUTHORIZE: (
        "AUTHORIZE_SESSION",
        {**OF_AN_AGENT, "user": texts("uid"), "session": texts("uid"), "privileges": [TEXT]},
    ),
    HTTP: (
        "HTTP_ACTIVITY",
        {
            **OF_AN_AGENT,
            **TRACE,
            "http_request": {"uid": TEXT, "url": URL},
            "src_endpoint": ENDPOINT,
            "dst_endpoint": {**texts("hostname"), "port": LONG},
        },
    ),
    LIFECYCLE: ("APPLICATION_LIFECYCLE", {**OF_AN_AGENT, "application": APPLICATION}),
    API: (
        "API_ACTIVITY",
        {
            **OF_AN_AGENT,
            **TRACE,
            "api": API_OBJECT,
            "src_endpoint": ENDPOINT,
            "resources": [texts("type name")],
            "message_context": {
                **texts("uid prompt_text response_text"),
                **enums("ai_role"),
                "application": APPLICATION,
                "service": texts("uid name"),
                **dict.fromkeys(("prompt_tokens", "completion_tokens", "total_tokens"), LONG),
            },
        },
    ),
    ERROR: ("APPLICATION_ERROR", dict(OF_AN_AGENT)),
}


@cache
def schema(class_uid: int) -> pa.Schema:
    """The Arrow schema of a class, `time` in milliseconds first."""
    import pyarrow as pa

    return pa.schema([(name, arrow(shape)) for name, shape in columns(class_uid).items()])


@cache
def columns(class_uid: int) -> dict[str, Shape]:
    return {**COMMON, **CLASSES[class_uid][1]}


def arrow(shape: Shape) -> pa.DataType:
    import pyarrow as pa

    if isinstance(shape, dict):
        return pa.struct([(name, arrow(inner)) for name, inner in shape.items()])
    if isinstance(shape, list):
        return pa.list_(arrow(shape[0]))
    scalars = {TEXT: pa.string(), LONG: pa.int64(), BOOL: pa.bool_(), JSON: pa.string()}
    return scalars[shape]


def row(document: JsonObject) -> JsonObject:
    """A document as a row of its class's schema."""
    rest: JsonObject = dict(document["unmapped"])
    fitted: JsonObject = _fit(
        {name: value for name, value in document.items() if name != "unmapped"},
        columns(document["class_uid"]),
        "",
        rest,
    )
    fitted["unmapped"] = canonical(rest).decode("utf-8")
    return fitted


def _fit(value: Any, shape: Shape, path: str, rest: JsonObject) -> Any:
    """The part of a value that its shape has; what it has not is put in `rest`, by its path."""
    if isinstance(shape, dict) and isinstance(value, dict):
        kept = {}
        for name, inner in value.items():
            below = f"{path}.{name}" if path else name
            if name in shape:
                kept[name] = _fit(inner, shape[name], below, rest)
            else:
                rest[below] = inner
        return kept
    if isinstance(shape, list) and isinstance(value, list):
        return [_fit(one, shape[0], f"{path}[{n}]", rest) for n, one in enumerate(value)]
    if type(value) is {TEXT: str, LONG: int, BOOL: bool}.get(shape if type(shape) is str else ""):
        return value
    rest[path] = value
    return None
