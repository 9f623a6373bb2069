"""Which of a scenario's facts some witnesses prove, beside what the questions answered.

Each function yields Claims of one fact: `wanted` is a fact that the chosen witnesses prove,
`said` one that an answer states; a claim that is wanted and not said is missed, one that is said
and not true is false.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
OUTCOMES = {"cancelled": "interrupted", "timeout": "interrupted"}
# What may fairly be called another outcome.
DOUBTFUL = {"post_block", "deny_ambiguous"}
# An id that was made where payloads have none says nothing of which call it is.
MADE = re.compile(r"call-[0-9a-f]{16}")


@dataclass
class Claim:
    """One fact: proved by the witnesses, stated by an answer, and whether that is so."""

    fact: str
    wanted: bool
    said: bool
    is_true: bool
    text: str


@dataclass
class Scenario:
    """A truth file, the answers by question, and the witnesses that were read."""

    truth: Row
    answers: dict[str, list[Row]]
    witnesses: tuple[str, ...]

    def proves(self, row: Row, name: str) -> bool:
        """Whether a witness that was read shows this fact of a row of the truth."""
        places = {"hook": "in_hooks", "transcript": "in_transcript", "telemetry": "in_otel"}
        return any(row.get(f"{name}{places[one]}") not in (None, False) for one in self.witnesses)

    def session(self, name: str) -> str:
        """The session as the truth calls it; a sub-agent's is its parent's."""
        for one in self.truth["sessions"]:
            if name == one["id"] or name in one.get("aliases", ()):
                return str(one.get("parent") or one["id"])
        return name


def folded(text: object) -> str:
    return " ".join(str(text).split())[:200]


def is_of(call: Row, row: Row) -> bool:
    """Whether a row is about this call: by its id, else by its input or tool."""
    if row["call_id"] is not None and row["call_id"] in (call["id"], call["transcript_id"]):
        return True
    is_named = row["call_id"] is not None and not MADE.fullmatch(row["call_id"])
    if is_named and call["id"] is not None:
        return False
    texts = {folded(row[name]) for name in ("command", "file_path", "url") if row[name]}
    key = folded(call["key"])
    if texts:
        return any(
            one == key or one.endswith("/" + key) or key.endswith("/" + one) for one in texts
        )
    return row["action_native"] in (call["tool"], call["tool_in_hooks"])


def paired(given: Scenario) -> tuple[list[tuple[Row, Row | None]], list[Row]]:
    """Each call of the truth and its row, each row once; and the rows left over."""
    left = list(given.answers["calls"])
    made = []
    for call in given.truth["calls"]:
        same = [
            row
            for row in left
            if given.session(row["session_id"]) == given.session(call["session"])
        ]
        exact = [
            row
            for row in same
            if row["call_id"] in (call["id"], call["transcript_id"]) and row["call_id"]
        ]
        row = next(iter(exact or [one for one in same if is_of(call, one)]), None)
        if row is not None:
            left.remove(row)
        made.append((call, row))
    return made, left


def calls(given: Scenario) -> Iterator[Claim]:
    """Calls, outcomes, denies and who refused, exit codes, sub-agents of calls."""
    pairs, left = paired(given)
    for call, row in pairs:
        text = f"{call['transcript_id']} {call['tool']} {folded(call['key'])[:50]!r}"
        yield Claim("call", is_shown(given, call), row is not None, True, text)
        yield from outcome(given, call, row, text)
        yield from deny(given, call, row, text)
        code = None if row is None else row["exit_code"]
        wanted = call.get("exit_code") is not None
        note = f"{text}: {code}, was {call.get('exit_code')}"
        is_true = not wanted or code == call["exit_code"]
        yield Claim("exit code", wanted, code is not None, is_true, note)
    for row in left:
        text = f"{row['call_id']} {row['action_native']} {row['command']}"
        yield Claim("call", False, True, False, text)


def is_shown(given: Scenario, call: Row) -> bool:
    return given.proves(call, "outcome_") or bool("hook" in given.witnesses and call["in_hooks"])


def is_doubtful(call: Row) -> bool:
    """Whether another outcome may fairly be said: a plugin that refuses throws, as a fault does."""
    return bool(DOUBTFUL & set(call["flags"])) or call["hook_evidence"] == "ambiguous"


def outcome(given: Scenario, call: Row, row: Row | None, text: str) -> Iterator[Claim]:
    found = "unknown" if row is None else OUTCOMES.get(row["outcome"], row["outcome"])
    was = call["outcome"]
    wanted = was != "unknown" and given.proves(call, "outcome_")
    is_true = found == was or is_doubtful(call) or was == "unknown"
    yield Claim(f"outcome {was}", wanted, found == was, True, f"{text}: {found}")
    if not is_true and found != "unknown":
        yield Claim(f"outcome {found}", False, True, False, f"{text}: {found}, was {was}")


def deny(given: Scenario, call: Row, row: Row | None, text: str) -> Iterator[Claim]:
    is_denied = call["outcome"] == "denied"
    said = row is not None and row["decision"] == "deny" and row["certainty"] == "observed"
    wanted = is_denied and (
        given.proves(call, "outcome_")
        or ("hook" in given.witnesses and call["hook_evidence"] == "explicit")
    )
    yield Claim("deny observed", wanted, said, is_denied or is_doubtful(call), text)
    if is_denied:
        yield from reason(given, call, row)
        by = row["decided_by"] if row is not None and said else None
        right = by in (call["denied_by"], *call.get("denied_by_also", ()))
        known = given.proves(call, "denied_by_") or (wanted and "denied_by_in_hooks" not in call)
        yield Claim(
            "denied by whom", known, by is not None, right, f"{text}: {by}, was {call['denied_by']}"
        )


def reason(given: Scenario, call: Row, row: Row | None) -> Iterator[Claim]:
    """Why a call was refused, where the client's file says it: in the client's or the hook's words,
    which one of both may quote in a sentence of its own or cut."""
    true = letters(call["reason"])
    said = letters(None if row is None else row["decision_reason"])
    wanted = bool(true) and "transcript" in given.witnesses and given.proves(call, "outcome_")
    is_true = not true or said[:60] in true or true[:60] in said
    text = f"{call['transcript_id']} {call['tool']}: {said[:60]!r}, was {true[:60]!r}"
    yield Claim("reason of a deny", wanted, bool(said), is_true, text)


def letters(text: object) -> str:
    return " ".join(re.findall(r"\w+", str(text or "")))


def counted(given: Scenario, fact: str, rows: list[Row], truth: list[Row]) -> Iterator[Claim]:
    """Facts that are counted by session."""
    got = Counter(given.session(row["session_id"]) for row in rows)
    proved = Counter(given.session(one["session"]) for one in truth if shown(given, one))
    every = Counter(given.session(one["session"]) for one in truth)
    for name in {*got, *every}:
        note = f"{name[:13]}: {got[name]}, was {every[name]}, proved {proved[name]}"
        for number in range(max(got[name], every[name])):
            is_true = number < every[name]
            yield Claim(fact, number < proved[name], number < got[name], is_true, note)


def shown(given: Scenario, one: Row) -> bool:
    """Whether a witness that was read shows this fact; older truth files name none and have all."""
    if not any(name in one for name in ("in_hooks", "in_transcript", "in_otel")):
        return "transcript" in given.witnesses
    return given.proves(one, "")


def agents(given: Scenario) -> Iterator[Claim]:
    yield from counted(given, "sub-agent", given.answers["agents"], given.truth["agents"])


def prompts(given: Scenario) -> Iterator[Claim]:
    yield from counted(given, "prompt", given.answers["prompts"], given.truth["prompts"])


def compactions(given: Scenario) -> Iterator[Claim]:
    rows = [row for row in given.answers["compactions"] if row["completed"]]
    yield from counted(given, "compaction", rows, given.truth["compactions"])
    sizes = [(row["tokens_before"], row["tokens_after"]) for row in rows]
    for one in given.truth["compactions"]:
        if one.get("tokens_before") is not None:
            size = (one["tokens_before"], one["tokens_after"])
            wanted = "transcript" in given.witnesses
            yield Claim("compaction sizes", wanted, size in sizes, True, f"{size} in {sizes}")


def tokens(given: Scenario) -> Iterator[Claim]:
    """Sums by session: of the responses, or the client's own total with side calls."""
    if "transcript" not in given.witnesses:
        return
    found: Counter[tuple[str, str]] = Counter()
    for row in given.answers["sessions"]:
        for name in ("input", "output"):
            found[given.session(row["session_id"]), name] += row[f"{name}_tokens"] or 0
    for session in {given.session(one["session"]) for one in given.truth["tokens"]}:
        parts = [one for one in given.truth["tokens"] if given.session(one["session"]) == session]
        got = (found[session, "input"], found[session, "output"])
        may = [
            tuple(sum(part(one)[name] for one in parts) for name in ("input", "output"))
            for part in (lambda one: one, lambda one: one.get("client_total") or one)
        ]
        served = given.truth.get("tokens_served")
        if len({given.session(one["session"]) for one in given.truth["tokens"]}) == 1 and served:
            may.append((served["input"], served["output"]))
        note = f"{session[:13]}: {got}, was one of {may}"
        yield Claim("tokens of a session", True, any(got), got in may, note)


def asks(given: Scenario) -> Iterator[Claim]:
    """Questions to a person and their answers. A file proves those that were refused; of approvals
    most keep nothing."""
    left = list(given.answers["asks"])
    refused = {
        one["uid"] for one in given.truth["calls"] if one.get("denied_by_in_transcript") == "user"
    }
    for one in given.truth["permissions"]:
        uid = one["uid"].removeprefix("perm:")
        in_file = "transcript" in given.witnesses and uid in refused
        in_hooks = "hook" in given.witnesses and one.get("in_hooks")
        ids = {one["id"], uid.rpartition(":")[2]} - {None}
        rows = [
            row
            for row in left
            if row["call_id"] in ids or folded(row["command"]) == folded(one["key"])
        ]
        row = next(iter(rows), None)
        if row is not None:
            left.remove(row)
        answer = None if row is None else row["resolution"]
        note = f"{uid} {folded(one['key'])[:40]!r}: {answer}, was {one['resolution']}"
        yield Claim("question", in_file or in_hooks, row is not None, True, note)
        is_said = answer in ("approved", "denied")
        yield Claim("its answer", in_file, is_said, answer == one["resolution"], note)
    # Where the truth lists none, it does not say that there were none.
    for row in left if given.truth["permissions"] else ():
        yield Claim("question", False, True, False, f"{row['call_id']} {row['command']}")


FACTS = (calls, agents, prompts, compactions, tokens, asks)
QUESTIONS = ("calls", "agents", "prompts", "compactions", "sessions", "asks")
