"""Claims about scenarios whose truth file labels each call: the log of the model's server.

Such a truth does not name the witness that shows a fact: every fact is wanted of every witness.
Each call is looked for by its id, else by its arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from facts import MADE, Claim, Row

QUESTIONS = ("calls", "prompts", "compactions", "usage", "agents", "denies", "errors", "gaps")
Answers = dict[str, list[Row]]
WHO = {"person": "user"}
# A call that was broken off, in the words of the truth and in those of the table.
SAME = {"interrupted": "cancelled"}
ALARMS = ("missing_events", "hooks_silenced")


def restated(truth: Row) -> Row:
    """An older truth file in the words of the newer ones."""
    calls = [
        call
        if "expect" in call
        else {
            **call,
            "expect": "any" if call["outcome"] in (None, "unknown") else call["outcome"],
            "by": call.get("denied_by"),
            "args": {"key": call["key"]},
            "exit_expected": call.get("exit_code"),
        }
        for call in truth["calls"]
    ]
    served = (truth.get("tokens") or {}).get("served") if "runs" in truth else None
    return {"tokens_served": served, **truth, "calls": calls}


def has_id(call: Row, row: Row) -> bool:
    """Whether a row has the call's id, which a client may write after the tool's name."""
    ids = {call.get("id"), call.get("told_id")} - {None}
    return any(str(row["call_id"]).endswith(call_id) for call_id in ids)


def has_arguments(call: Row, row: Row) -> bool:
    texts = [text for text in (call.get("args") or {}).values() if isinstance(text, str)]
    shown = row["command"] or row["file_path"]
    is_told = any(shown == text or shown.endswith(f"/{text}") for text in texts) if shown else False
    return is_told and is_nameless(call, row)


def has_tool(call: Row, row: Row) -> bool:
    return call["tool"] == row["action_native"] and is_nameless(call, row)


def is_nameless(call: Row, row: Row) -> bool:
    """Whether no id tells that the row is another call's."""
    return call.get("told_id") is None or not row["call_id"] or bool(MADE.match(row["call_id"]))


def pairs(calls: list[Row], rows: list[Row]) -> tuple[list[tuple[Row, Row | None]], list[Row]]:
    """Each call with its row, each row once; and the rows that are left."""
    left, rows_of = list(rows), {}
    tests: tuple[Callable[[Row, Row], bool], ...] = (has_id, has_arguments, has_tool)
    for test in tests:
        for number, call in enumerate(calls):
            row = None if number in rows_of else next((r for r in left if test(call, r)), None)
            if row is not None:
                left.remove(row)
                rows_of[number] = row
    return [(call, rows_of.get(number)) for number, call in enumerate(calls)], left


def is_open(call: Row) -> bool:
    """Whether the truth leaves the call's end, or the call as a whole, to the client's words."""
    return call["expect"] == "any"


def of_call(call: Row, row: Row | None) -> Iterator[Claim]:
    text = f"{call['label']} {call['tool']}"
    yield Claim("call", not is_open(call), row is not None, True, text)
    if row is None or is_open(call):
        return
    expected = {SAME.get(word, word) for word in call["expect"].split("|")}
    outcome = row["outcome"] or "unknown"
    is_said = outcome != "unknown" or "unknown" in expected
    note = f"{text}: {outcome}, was {call['expect']}"
    yield Claim("outcome", True, is_said, outcome in expected, note)
    if call["expect"] == "denied":
        by = WHO.get(str(call["by"]).partition(" ")[0].rstrip(":"), call["by"])
        decider = row["decided_by"]
        yield Claim(
            "denied by whom",
            True,
            decider is not None,
            decider == by,
            f"{note}: {decider}, was {by}",
        )
    code = call.get("exit_told", call.get("exit_expected"))
    if code is not None and outcome in ("ok", "error"):
        given_code = row["exit_code"]
        note = f"{text}: {given_code}, was {code}"
        yield Claim("exit code", True, given_code is not None, given_code == code, note)


def counted(fact: str, number: int, expected: int) -> Claim:
    return Claim(fact, True, True, number == expected, f"{number}, was {expected}")


def of_tokens(truth: Row, usage: list[Row]) -> Iterator[Claim]:
    """Sums of the run; a client may count what it read from the cache within the input or apart.

    The requests for a title, a side lane, are in no file of any client."""
    served_tokens = truth.get("tokens_served") or {}
    side = (truth.get("tokens_by_lane") or {}).get("side", {})
    for kind in ("input", "output"):
        served = served_tokens.get(kind)
        if not served:
            continue
        number = sum(row[f"{kind}_tokens"] or 0 for row in usage)
        cached = sum(row["cache_read_tokens"] or 0 for row in usage) if kind == "input" else 0
        sums = {number, number + cached}
        is_true = bool(sums & {served, served - side.get(kind, 0)})
        note = f"{number} (+ {cached}), was {served}"
        # Less than what was served is missing: no client books an answer that was broken off.
        yield Claim(f"{kind} tokens", True, is_true or number > served, is_true, note)


def claims(truth: Row, answers: Answers) -> Iterator[Claim]:
    truth = restated(truth)
    of_calls, left = pairs(truth["calls"], answers["calls"])
    for call, row in of_calls:
        yield from of_call(call, row)
    for row in left:
        note = f"{row['call_id']} {row['action_native']} {row['command']}"
        yield Claim("call", False, True, False, note)
    yield counted("prompts", len(answers["prompts"]), len(truth["prompts"]))
    if truth.get("compactions") is not None:
        finished = [row for row in answers["compactions"] if row["completed"]]
        yield counted("compactions", len(finished), truth["compactions"])
    if truth.get("subagent_lanes") is not None:
        yield counted("sub-agents", len(answers["agents"]), len(truth["subagent_lanes"]))
    yield from of_tokens(truth, answers["usage"])
    denied = {row["call_id"] for call, row in of_calls if row and "denied" in call["expect"]}
    sure = {row["call_id"] for call, row in of_calls if row and not is_open(call)}
    for row in answers["denies"]:
        if row["call_id"] in sure - denied:
            yield Claim("false deny", False, True, False, f"{row['call_id']} {row['command']}")
    may_fail = {row["call_id"] for call, row in of_calls if row and "error" in call["expect"]}
    for row in answers["errors"]:
        if row["call_id"] in denied - may_fail:
            yield Claim("deny as error", False, True, False, f"{row['call_id']}")
    errors = Counter(row["call_id"] for row in answers["errors"] if row["call_id"])
    for call_id, number in errors.items():
        if number > 1:
            yield Claim("error twice", False, True, False, str(call_id))
    for row in answers["gaps"]:
        if row["gap"] in ALARMS:
            note = f"{row['gap']} {row['count']} {row['detail']}"
            yield Claim("alarm", False, True, False, note)
