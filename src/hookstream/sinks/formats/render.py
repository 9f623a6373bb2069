"""Look up a format by name and render a record into size-limited messages."""

from __future__ import annotations

from collections.abc import Callable

from hookstream.core.errors import SinkError
from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject, ascii_line, canonical
from hookstream.core.limits import make_room
from hookstream.core.times import system_clock
from hookstream.sinks.formats.cloudevents import AARTS_TYPE, AGENT_HOOKS_TYPE, CloudEvents
from hookstream.sinks.kinds import FORMATS, OF_ONE_RECEIVER, Opening
from hookstream.standards.grammar import flaw
from hookstream.standards.rendered import Rendered

MOST_SESSIONS = 10_000  # whose permission mode is known


class Message:
    """One message of a record: `kind` agent_hooks, aarts or the format's name; `data` one line
    without its newline; `content_type` of the data alone."""

    __slots__ = ("content_type", "data", "kind")

    def __init__(self, kind: str, data: bytes, content_type: str) -> None:
        self.kind = kind
        self.data = data
        self.content_type = content_type

    def __len__(self) -> int:
        return len(self.data)


def renderer(
    name: str,
    *,
    standard: str,
    now: Callable[[], str] = system_clock,
    installation: str | None = None,
    arguments: bool | None = None,
    version: str = "1.9",
    signing_key_file: str | None = None,
) -> Callable[[Rendered], list[Message]]:
    """The function that gives a record's messages; it raises ValueError with the reason if a record
    cannot be rendered. SinkError for an unknown format. `arguments` None: where the format's own
    default is to have them; `version` is that of OCSF, which `signing_key_file` signs."""
    if name not in FORMATS + OF_ONE_RECEIVER:
        raise SinkError(f"{name!r}: no such format; one of {', '.join(FORMATS)}")
    if signing_key_file is not None and (name, version) != ("ocsf", "1.9"):
        raise SinkError("signing_key_file: of these formats only ocsf 1.9 has a place for it")
    form = CloudEvents(standard, now, installation)

    def native(item: Rendered) -> list[Message]:
        messages = []
        if standard != "aarts":
            messages.append(checked("agent_hooks", item.agent_hooks, AGENT_HOOKS_TYPE))
        if standard != "agent-hooks" and item.aarts is not None:
            messages.append(checked("aarts", item.aarts, AARTS_TYPE))
        return messages

    def cloudevents(item: Rendered) -> list[Message]:
        kind = "application/cloudevents+json"
        return [checked("cloudevents", line, kind) for line in form.structured(item)]

    def ecs(item: Rendered) -> list[Message]:
        from hookstream.sinks.formats.ecs import ecs

        document = ecs(item.event, now(), arguments=bool(arguments))
        if item.sampled_rate is not None:
            document.setdefault("hookstream", {})["sampled_rate"] = item.sampled_rate
        return [as_json("ecs", document)]

    def cef(item: Rendered) -> list[Message]:
        from hookstream.sinks.formats.cef import cef

        line = cef(item.event, arguments=bool(arguments))
        if item.sampled_rate is not None:
            line += f" flexNumber1={item.sampled_rate} flexNumber1Label=sampledRate"
        return [Message("cef", line.encode("utf-8"), "text/plain; charset=utf-8")]

    chosen: dict[str, Callable[[Rendered], list[Message]]] = {
        "native": native,
        "cloudevents": cloudevents,
        "ecs": ecs,
        "ocsf": ocsf_1_8(arguments) if version == "1.8" else ocsf(arguments, signing_key_file),
        "cef": cef,
        "asim": asim(arguments),
        "udm": udm(arguments),
    }
    return chosen[name]


def ocsf(
    arguments: bool | None, signing_key_file: str | None = None
) -> Callable[[Rendered], list[Message]]:
    """Messages of OCSF 1.9: a record's, and one more where a session begins
    with a permission mode or changes it; with a key each has an attestation."""
    from hookstream.sinks.formats.attest import Attester
    from hookstream.sinks.formats.ocsf import mode_change, ocsf
    from hookstream.sinks.formats.signature import load_signer

    signer = load_signer(signing_key_file)
    attester = None if signer is None else Attester(signer)

    # (tool, session) -> its permission mode, None of one that began without a word of it
    modes: dict[tuple[str, str], str | None] = {}
    # the events that brought another; rendered again, as after a failure, each gives the same again
    changed: dict[str, None] = {}

    def is_new(event: Event) -> bool:
        facts = event.facts
        mode, key = facts.get("permission_mode"), (facts["tool"], facts["session_id"])
        begins = event.type == "Session.Start" or facts.get("is_followup") is False
        if facts.get("duplicate_of") is not None or not (mode or (begins and key not in modes)):
            return False
        if mode and modes.get(key, None if begins else mode) != mode:
            make_room(changed, MOST_SESSIONS)
            changed[facts["event_id"]] = None
        if key not in modes:
            make_room(modes, MOST_SESSIONS)
        modes[key] = mode
        return facts["event_id"] in changed

    def render(item: Rendered) -> list[Message]:
        event = item.event
        documents = [ocsf(event, arguments=arguments is not False)]
        if is_new(event) or (event.type == "Session.Start" and event.facts.get("permission_mode")):
            documents.append(mode_change(event))
        documents = [with_rate(document, item) for document in documents]
        if attester is not None:
            documents = [attester.attest(document) for document in documents]
        return [as_json("ocsf", document) for document in documents]

    return render


def ocsf_1_8(arguments: bool | None) -> Callable[[Rendered], list[Message]]:
    """Messages of OCSF 1.8, one a record."""
    from hookstream.sinks.formats.ocsf_1_8 import ocsf

    def render(item: Rendered) -> list[Message]:
        document = ocsf(item.event, arguments=bool(arguments))
        return [as_json("ocsf", with_rate(document, item))]

    return render


def asim(arguments: bool | None) -> Callable[[Rendered], list[Message]]:
    """Rows of Sentinel's AgentEvent, one a record."""
    from hookstream.sinks.formats.asim import asim

    def render(item: Rendered) -> list[Message]:
        document = asim(item.event, arguments=arguments is not False)
        if item.sampled_rate is not None:
            document["AdditionalFields"]["sampled_rate"] = item.sampled_rate
        return [as_json("asim", document)]

    return render


def udm(arguments: bool | None) -> Callable[[Rendered], list[Message]]:
    """Events of Google SecOps, one a record."""
    from hookstream.sinks.formats.udm import udm

    def render(item: Rendered) -> list[Message]:
        document = udm(item.event, arguments=arguments is not False)
        if item.sampled_rate is not None:
            document["udm"]["additional"]["sampled_rate"] = item.sampled_rate
        return [as_json("udm", document)]

    return render


def with_rate(document: JsonObject, item: Rendered) -> JsonObject:
    if item.sampled_rate is not None:
        document["unmapped"]["hookstream.sampled_rate"] = item.sampled_rate
    return document


def renderer_at(
    at: Opening,
    name: str,
    *,
    arguments: bool | None = None,
    version: str = "1.9",
    signing_key_file: str | None = None,
) -> Callable[[Rendered], list[Message]]:
    """`renderer` for a sink that is opened."""
    return renderer(
        name,
        standard=at.standard,
        now=at.now,
        installation=at.installation,
        arguments=arguments,
        version=version,
        signing_key_file=signing_key_file,
    )


def as_json(kind: str, document: JsonObject) -> Message:
    """A document as one ASCII line. ValueError if it cannot be one (broken text, huge numbers)."""
    data = canonical(document)
    try:
        data = ascii_line(data)
    except UnicodeDecodeError:
        raise ValueError("holds what is not text") from None
    return checked(kind, data, "application/json")


def checked(kind: str, data: bytes, content_type: str) -> Message:
    found = flaw(data)
    if found is not None:
        raise ValueError(found)
    return Message(kind, data, content_type)
