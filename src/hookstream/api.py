"""Public Python API of the package, exported by `hookstream/__init__.py`.

What they need is imported when they are called: `import hookstream` costs a few milliseconds.
"""

from __future__ import annotations

from functools import cache

from hookstream.core.personal import DEFAULT, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.pipeline.stages import Pipeline
    from hookstream.redaction import Redactor


def normalize(
    payload: dict[str, Any] | str | bytes,
    vendor: str | None = None,
    *,
    privacy: str = "hash",
    personal: Sequence[str] = DEFAULT,
    now: str | None = None,
) -> list[Event]:
    """The Events of one native payload, redacted and in order; empty for a known non-event.

    `payload` is the object that a client handed to its hook, or its JSON text. `vendor` is a key
    of `hookstream vendors`, detected from the payload by default. `privacy` is hash (content as
    digest and length), redact (content kept, secrets replaced) or full. `personal` names the kinds
    of personal data that are replaced, too (see `hookstream.core.personal`). `now` is the RFC 3339
    time of events that carry none. Sessions are not followed from call to call; use `read` for
    that. Raises UnreadablePayload with the reason, and HookstreamError for an unknown vendor.
    """
    from hookstream.core.errors import UnreadablePayload
    from hookstream.core.jsons import canonical

    data = canonical(payload) if isinstance(payload, dict) else payload
    line = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    events, rejections = _pipeline(vendor, privacy, now, personal).take_all([(line, "", 0)])
    for rejection in rejections:
        hint = "; name the client: vendor=..." if rejection.reason == "unknown_vendor" else ""
        raise UnreadablePayload(rejection.reason + hint)
    return events


def read(
    path: str | os.PathLike[str],
    vendor: str | None = None,
    *,
    privacy: str = "hash",
    personal: Sequence[str] = DEFAULT,
    now: str | None = None,
) -> Iterator[Event]:
    """The Events of a file, folder or glob, in the order read, sessions followed.

    Takes what `hookstream run` takes: recordings, hook logs, Agent Hooks and AARTS lines, also .gz
    and .zst. Lines that cannot be read are left out; `hookstream run --report` counts them.
    Raises HookstreamError if there is nothing to read.
    """
    from functools import partial
    from itertools import islice

    from hookstream.core.sources import find, head_of
    from hookstream.delivery.batch import BATCH, unread

    pipeline = _pipeline(vendor, privacy, now, personal)
    for file in find([str(path)]):
        pipeline.new_source(head=partial(head_of, file) if file else None)
        lines = unread(file)
        while batch := list(islice(lines, BATCH)):
            yield from pipeline.take_all(batch)[0]


def redact(value: Any, *, personal: Sequence[str] = DEFAULT) -> Any:
    """The same text or JSON value with secrets replaced by `[REDACTED:<rule>]`; keys too.

    `personal` names the kinds of personal data that are replaced, too: email, phone, card, iban,
    national-id (the default), private-ip, all, none, or ids of rules; HookstreamError for others.
    """
    redactor = _redactor("redact", tuple(words_of(personal)))
    return redactor.redact_text(value) if isinstance(value, str) else redactor.redact_json(value)


def to_agent_hooks(event: Event) -> dict[str, Any]:
    """The Event as an Agent Hooks 0.1.0 object."""
    from hookstream.standards.agent_hooks import agent_hooks

    return agent_hooks(event)


def to_aarts(event: Event) -> dict[str, Any] | None:
    """The Event as hookstream's AARTS 0.1 wrapper; None if it has no hook point or decision."""
    from hookstream.standards.aarts import aarts

    return aarts(event)


def _pipeline(
    vendor: str | None, privacy: str, now: str | None, personal: Sequence[str]
) -> Pipeline:
    from hookstream.delivery.job import Job, make_pipeline

    redactor = _redactor(privacy, tuple(words_of(personal)))
    return make_pipeline(Job([], [], vendor=vendor, now=now), redactor)


@cache
def _redactor(mode: str, personal: tuple[str, ...]) -> Redactor:
    """One a mode: to load the compiled rules takes far longer than to normalize a payload."""
    from hookstream.delivery.job import Job, make_redactor

    return make_redactor(Job([], [], privacy=mode, personal=personal))
