"""One session as one HTML file, to send to somebody: the timeline, what became of each call, the
events that show it, and the seal's proof of these. It loads nothing and runs nothing.

What it holds is what the lake holds: contents as digests, secrets replaced, pseudonyms.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from hookstream.core.errors import HookstreamError
from hookstream.seal import SealError
from hookstream.ui import cells, words
from hookstream.ui.fates import fates
from hookstream.ui.session import story

if TYPE_CHECKING:
    from hookstream.core.jsons import JsonObject
    from hookstream.seal.proof import Proof
    from hookstream.ui.lake import BrowsedLake

# Events of one page, and sessions that a message names.
MOST_EVIDENCE, NAMED = 300, 5
# Columns of events that say nothing in a page, or repeat it as a standard's text.
LEFT_OUT = ("agent_hooks", "aarts", "place", "told_session")


def session_of(lake: BrowsedLake, text: str, machine: str, tool: str) -> JsonObject:
    """The one session whose id begins with a text, of a machine and client if they are named.
    Raises HookstreamError unless there is exactly one."""
    rows = lake.ask(
        "select distinct session_id, machine_id, tool from sessions"
        " where starts_with(session_id, ?) and (? = '' or machine_id = ?)"
        " and (? = '' or tool = ?) order by all limit 99",
        [text, machine, machine, tool, tool],
    ).dicts()
    whole = [row for row in rows if row["session_id"] == text] or rows
    if not whole:
        raise HookstreamError(f"no session begins with {text!r}: query sessions lists them")
    if len(whole) > 1:
        names = [f"{row['session_id']} ({row['tool']})" for row in whole]
        more = ", ..." if len(names) > NAMED else ""
        raise HookstreamError(
            f"{text}: several sessions begin so: {', '.join(names[:NAMED])}{more}; "
            "write more of the id, or name --tool and --machine"
        )
    return whole[0]


def share(lake: BrowsedLake, text: str, machine: str = "", tool: str = "") -> str:
    """The page of the session whose id begins with a text. Raises HookstreamError."""
    named = session_of(lake, text, machine, tool)
    machine, tool = str(named["machine_id"] or ""), str(named["tool"])
    session = story(lake, str(named["session_id"]), machine, tool)
    if session is None:
        raise HookstreamError(f"the lake has no events of {named['session_id']}")
    became = fates(session.calls, session.asks)
    ids = [
        str(event)
        for row in (*session.calls, *session.asks)
        if str(row["call_id"]) in became
        for event in row["evidence"] or ()
    ]
    shown = list(dict.fromkeys(ids))[:MOST_EVIDENCE]
    events = lake.ask(
        'select * from events where list_contains(?, event_id) order by "timestamp", event_id',
        [shown],
    ).dicts()
    style = resources.files("hookstream.ui").joinpath("static/style.css").read_text("utf-8")
    environment = Environment(
        loader=PackageLoader("hookstream.ui"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        cell=cells.text_of, lines=cells.lines_of, short=cells.short, dollars=cells.dollars,
        lasting=cells.duration,
    )  # fmt: skip
    return environment.get_template("share.html").render(
        made=session,
        s=session.summary,
        fates=became,
        events=[_facts(event) for event in events],
        known={str(event["event_id"]) for event in events},
        proofs=_proofs(lake, events),
        style=style,
        words=words,
    )


def _facts(event: JsonObject) -> JsonObject:
    """The facts of an event that are not empty."""
    return {
        name: value
        for name, value in event.items()
        if name not in LEFT_OUT and value is not None and value != []
    }


def _proofs(lake: BrowsedLake, events: list[JsonObject]) -> dict[str, Proof]:
    """The seal's proof of each event by its id; empty where nothing is sealed."""
    from hookstream.seal.proof import prove
    from hookstream.seal.verify import logs_of

    proofs: dict[str, Proof] = {}
    try:
        # Both files of a folder have the event; its Agent Hooks line is meant.
        logs = sorted(logs_of(lake.path), key=lambda pair: pair[1].name != "agent-hooks.jsonl")
        for event in events:
            name = str(event["event_id"])
            for data, log in logs:
                proof = None if name in proofs else prove(data, log, name)
                if proof is not None:
                    proofs[name] = proof
    except SealError:
        return proofs
    return proofs
