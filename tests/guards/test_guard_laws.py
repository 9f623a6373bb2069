"""Laws about what becomes of a verdict: real sessions are changed where nothing depends on it, or
lose a witness, and the answers stay as they were, or say less, never anything else.

All sessions of this folder are changed at once and read as one log.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.runner import ask, read

HERE = Path(__file__).resolve().parent
FOLDERS = sorted(path.parent for path in HERE.glob("*/*/truth.json"))
TEXTS = (".jsonl", ".json", ".yaml")
VERDICTS = ("deny", "exit2", "ask", "allow", "modify", "modonly", "modask")
# What clients say of a refusal, and a guard may quote.
QUOTES = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    "Tool execution denied by approval callback",
    "Denied by preToolUse hook (unable to ask user for confirmation): no",
    "rejected: cancelled by user",
    'Tool \\"Bash\\" was denied by permission rule.',
)
ALL = ("log", "files", "telemetry")

spec = importlib.util.spec_from_file_location(
    "guard", HERE.parents[1] / "benchmarks" / "witness" / "guard.py"
)
assert spec is not None and spec.loader is not None
guard = importlib.util.module_from_spec(spec)
spec.loader.exec_module(guard)


@dataclass(frozen=True)
class Session:
    """The texts of one recorded session by their place, and what is true of it."""

    texts: dict[str, bytes]
    truth: dict[str, Any]

    def with_texts(self, change: Callable[[str], str]) -> Session:
        texts = {
            place: change(text.decode()).encode() if place.endswith(TEXTS) else text
            for place, text in self.texts.items()
        }
        return Session(texts, json.loads(change(json.dumps(self.truth))))


def recorded(folder: Path) -> Session:
    texts = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "truth.json"
    }
    return Session(texts, json.loads((folder / "truth.json").read_text("utf-8")))


def answers(
    sessions: list[Session],
    scratch: Path,
    witnesses: tuple[str, ...] = ALL,
    *,
    last_first: bool = False,
    verdicts_late: bool = False,
    guards: Mapping[str, str | None] = {"guard": None},
) -> list[dict[str, list[dict[str, Any]]]]:
    """The questions' rows about each session."""
    sources: list[Path] = []
    for number, session in enumerate(sessions):
        folder = scratch / str(number)
        for place, text in session.texts.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_bytes(text)
        log = folder / "log.jsonl"
        guard.write_log(folder, session.truth, log, guards)
        if verdicts_late:
            log.write_bytes(b"".join(written_last(log.read_bytes().splitlines(keepends=True))))
        kinds = {"log": log, "files": folder / "transcript", "telemetry": folder / "otlp.jsonl"}
        sources += [kinds[kind] for kind in witnesses if kinds[kind].exists()]
    machine = next(filter(lambda name: name != "one", map(guard.machine_of, sources)), "one")
    order = sources[::-1] if last_first else sources
    target = [f"parquet:{scratch}/lake"]
    execute(
        Job(
            [str(path) for path in order],
            target,
            pseudonym_key_file=scratch / "key",
            machine=machine,
        )
    )

    def rows(stream: Any) -> dict[str, list[dict[str, Any]]]:
        results = {name: ask(stream, name) for name in guard.QUESTIONS}
        return {
            name: [dict(zip(result.columns, row, strict=True)) for row in result.rows]
            for name, result in results.items()
        }

    everything = read(scratch / "lake", rows)
    return [
        {name: list(of_session(session, values)) for name, values in everything.items()}
        for session in sessions
    ]


def written_last(lines: list[bytes]) -> list[bytes]:
    """The lines as they lie where the wrap writes its verdicts once the client has gone on."""
    return sorted(lines, key=lambda line: b'"decision_evidence":"hook answer"' in line)


def of_session(session: Session, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    words = b"".join((*session.texts.values(), *map(str.encode, session.texts)))
    for row in rows:
        if row["tool"] == session.truth["client"] and row["session_id"].encode() in words:
            yield row


def wrong(session: Session, rows: dict[str, list[dict[str, Any]]]) -> list[tuple[str, ...]]:
    """The checks that the truth decides and the answers do not meet."""
    return [
        (session.truth["client"], call["label"], kind, note)
        for call in session.truth["calls"]
        for kind, is_right, note in guard.checks(rows, session.truth, call, True)
        if not is_right
    ]


def untrue(session: Session, rows: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[Any, ...]]:
    """What answers say that is not so; they may say less than the truth."""
    client = session.truth["client"]
    for row in rows["asks"]:
        if row["resolution"] == "approved" and not row["decided_by"]:
            yield client, "approved by nobody", row["command"]
        if row["resolution"] in ("approved", "denied") and not row["decision_evidence"]:
            yield client, "no evidence", row["command"]
        if (row["waited_ms"] or 0) < 0:
            yield client, "waited", row["waited_ms"]
    for call in session.truth["calls"]:
        calls, asks, decisions, denies = (
            guard.of_call(rows[name], call) for name in guard.QUESTIONS
        )
        place = (client, call["label"], call["verdict"])
        if not call["ran"] and any(row["executed_afterwards"] for row in denies):
            yield *place, "ran anyway"
        for row in calls:
            if call["ran"] and row["outcome"] in ("denied", "cancelled"):
                yield *place, "did not run"
            if not call["ran"] and row["outcome"] == "ok":
                yield *place, "ran"
            if row["modified"] and call["input_used"] == "original":
                yield *place, "changed"
        allowed_by = guard.allowed_by(call) if call["by"] else ("hook",)
        for row in denies:
            # Where no sentence of the client's shows who refused, its evidence says so.
            is_said = row["decided_by"] and "exclusion" not in str(row["decision_evidence"])
            if is_said and row["certainty"] == "observed" and row["decided_by"] not in allowed_by:
                yield *place, "refused by", row["decided_by"], row["decision_evidence"]
        for row in asks:
            word = (row["resolution"], row["decided_by"])
            is_said = row["decided_by"] and row["certainty"] == "observed"
            if is_said and not guard.is_answer(call, word):
                yield *place, word, row["decision_evidence"]
        for row in decisions:
            allowed = {*call["held"], "unknown", None}
            is_said = row["guardian"] and row["held_certainty"] == "observed"
            if call["held"] and is_said and row["held"] not in allowed:
                yield *place, row["held"], row["held_evidence"], call["held"]


def reworded(words: str) -> Callable[[Session], Session]:
    """The guard's reasons begin with other words, also where the client repeats them."""

    def change(text: str) -> str:
        for verdict in VERDICTS:
            text = text.replace(f"the guard says {verdict}", f"{words} ({verdict})")
        return text

    return lambda session: session.with_texts(change)


def unnamed(session: Session) -> Session:
    """The guard gives no reason."""
    return session.with_texts(lambda text: re.sub(r"the guard says \w+", "", text))


def printing(words: str) -> Callable[[Session], Session]:
    """The commands that run print a client's words of a refusal."""
    pattern = re.compile(r"done \w+ (?:original|changed)")
    return lambda session: session.with_texts(
        lambda text: pattern.sub(lambda match: f"{match[0]} {words}", text)
    )


def as_version(version: str) -> Callable[[Session], Session]:
    return lambda session: session.with_texts(
        lambda text: text.replace(session.truth["client_version"], version)
    )


def later(session: Session) -> Session:
    """Another month."""
    pattern = re.compile(r"\b179(\d{7})((?:\d{3}){0,3})\b")
    return session.with_texts(
        lambda text: pattern.sub(
            lambda match: f"{int('179' + match[1]) + 864000 * 2}{match[2]}",
            text.replace("2026-11-28T", "2026-12-18T"),
        )
    )


def without_results(rest: int) -> Callable[[Session], Session]:
    """Every other hook after a call was lost."""

    def change(session: Session) -> Session:
        lines, count = [], 0
        for line in session.texts["hooks.jsonl"].splitlines(keepends=True):
            if re.search("post|after", json.loads(line)["native_event"].lower()):
                count += 1
                if count % 2 == rest:
                    continue
            lines.append(line)
        return replace(session, texts={**session.texts, "hooks.jsonl": b"".join(lines)})

    return change


def with_twin(first: str, second: str) -> Callable[[Session], Session]:
    """Two calls that got unlike verdicts are equal: only ids and order tell them apart."""

    def change(session: Session) -> Session:
        calls = [call for call in session.truth["calls"] if call["id"] and call["guard_answer"]]
        for lane in ("main", "sub"):
            ours = {call["verdict"]: call for call in calls if call["lane"] == lane}
            if not {first, second} <= ours.keys():
                continue
            one, other = ours[first], ours[second]
            words = rf"mark\.sh {other['label']} (original|changed) verdict-{second}\b"
            twin = rf"mark.sh {one['label']} \1 verdict-{first}"
            session = session.with_texts(lambda text, a=words, b=twin: re.sub(a, b, text))
            for call in session.truth["calls"]:
                if call["id"] in (one["id"], other["id"]):
                    call |= {"label": one["label"], "twin": True}
        return session

    return change


TWINS = (("allow", "deny"), ("deny", "modonly"), ("deny", "ask"), ("ask", "modify"))
# Where a call that was denied runs when it is tried again, its deny says so.
RETRIED = ("no false ran anyway", "deny kept")

SAME: dict[str, Callable[[Session], Session]] = {
    **{f"reason quotes {words[:24]}": reworded(words) for words in QUOTES},
    "reason in other letters": reworded("拒绝 ✗ naïve 🚫"),
    "long reason": reworded("no, " * 700),
    "result quotes a refusal": printing(" ".join(QUOTES)),
    "version 0.0.1": as_version("0.0.1"),
    "version 99.1.7": as_version("99.1.7"),
    "another month": later,
}
LESS: dict[str, Callable[[Session], Session]] = {
    "no reason": unnamed,
    "results lost": without_results(0),
    "other results lost": without_results(1),
}


def losing(rate: float, seed: int, *places: str) -> Callable[[Session], Session]:
    """Single lines are lost, of hooks or of session files."""

    def change(session: Session) -> Session:
        rng = random.Random(seed)
        texts = {
            place: b"".join(line for line in text.splitlines(keepends=True) if rng.random() >= rate)
            if place.endswith(".jsonl") and place.startswith(places)
            else text
            for place, text in session.texts.items()
        }
        return replace(session, texts=texts)

    return change


def cut(seed: int) -> Callable[[Session], Session]:
    """Each witness breaks off somewhere: the machine stopped, or one lags."""

    def change(session: Session) -> Session:
        rng, texts = random.Random(seed), dict(session.texts)
        for place in filter(lambda name: name.endswith(".jsonl"), texts):
            lines = texts[place].splitlines(keepends=True)
            texts[place] = b"".join(lines[: int(len(lines) * rng.random()) + 1])
        return replace(session, texts=texts)

    return change


LESS |= {
    "lines of hooks lost": losing(0.3, 1, "hooks"),
    "lines of files lost": losing(0.2, 4, "transcript"),
    "lines of all lost": losing(0.15, 1, ""),
    "more lines of all lost": losing(0.3, 1, ""),
    "cut": cut(1),
    "cut elsewhere": cut(5),
}
WITNESSES = (
    ("log",),
    ("files",),
    ("telemetry",),
    ("log", "files"),
    ("log", "telemetry"),
    ("files", "telemetry"),
)


@pytest.mark.long
@pytest.mark.parametrize("law", SAME)
def test_facts_stay_as_they_were(law: str, tmp_path: Path) -> None:
    sessions = [SAME[law](recorded(folder)) for folder in FOLDERS]
    results = answers(sessions, tmp_path)
    assert [fault for one in zip(sessions, results, strict=True) for fault in wrong(*one)] == []


@pytest.mark.long
@pytest.mark.parametrize("verdicts", TWINS, ids="+".join)
def test_equal_calls_keep_their_own_verdicts(verdicts: tuple[str, str], tmp_path: Path) -> None:
    sessions = [with_twin(*verdicts)(recorded(folder)) for folder in FOLDERS]
    results = answers(sessions, tmp_path)
    faults = [fault for one in zip(sessions, results, strict=True) for fault in wrong(*one)]
    is_retried = verdicts[0] in ("deny", "ask")
    assert [fault for fault in faults if not (is_retried and fault[2] in RETRIED)] == []


@pytest.mark.long
def test_guards_of_one_mind_are_each_obeyed(tmp_path: Path) -> None:
    sessions = [recorded(folder) for folder in FOLDERS]
    results = answers(sessions, tmp_path, guards={"guard": None, "second guard": None})
    assert [fault for one in zip(sessions, results, strict=True) for fault in wrong(*one)] == []


# What a weaker verdict is where a stronger one was obeyed.
OVERRULED = {
    "allow": {"ignored"},
    "ask": {"unknown", "asked_nobody"},
    "modify": {"ignored"},
    "modask": {"unknown", "asked_nobody"},
}


@pytest.mark.long
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "last"])
@pytest.mark.parametrize("word", OVERRULED)
def test_of_guards_of_two_minds_the_stronger_is_obeyed(
    word: str, is_first: bool, tmp_path: Path
) -> None:
    """A call's state, decider and outcome are those of the stronger verdict, whichever was written
    first; the weaker is a row of its own, and what it made of the input did not run."""
    sessions = [recorded(folder) for folder in FOLDERS]
    guards = {"guard": None, "weaker": word}
    order = dict(reversed(guards.items())) if is_first else guards
    results = answers(sessions, tmp_path, guards=order)
    faults: list[tuple[Any, ...]] = []
    for session, rows in zip(sessions, results, strict=True):
        weaker = [row for row in rows["decisions"] if row["guardian"] == "weaker"]
        rows["decisions"] = [row for row in rows["decisions"] if row["guardian"] != "weaker"]
        faults += wrong(session, rows)
        for call in session.truth["calls"]:
            fates = {row["held"] for row in guard.of_call(weaker, call)}
            if fates - OVERRULED[word] and not call["ran"]:
                faults.append((session.truth["client"], call["label"], word, fates))
            for row in guard.of_call(rows["calls"], call):
                if row["policy_engine"] == "weaker" and not call["ran"]:
                    faults.append((session.truth["client"], call["label"], "decided by the weaker"))
    assert faults == []


@pytest.mark.long
def test_the_order_of_sources_does_not_matter(tmp_path: Path) -> None:
    sessions = [recorded(folder) for folder in FOLDERS]
    results = answers(sessions, tmp_path, last_first=True)
    assert [fault for one in zip(sessions, results, strict=True) for fault in wrong(*one)] == []


@pytest.mark.long
def test_a_verdict_may_be_written_last(tmp_path: Path) -> None:
    sessions = [recorded(folder) for folder in FOLDERS]
    results = answers(sessions, tmp_path, verdicts_late=True)
    assert [fault for one in zip(sessions, results, strict=True) for fault in wrong(*one)] == []
    reasons = [row["decision_reason"] or "" for rows in results for row in rows["denies"]]
    assert [reason for reason in reasons if "hook error" in reason] == []


@pytest.mark.long
@pytest.mark.parametrize("law", LESS)
def test_less_is_known_and_nothing_false(law: str, tmp_path: Path) -> None:
    sessions = [LESS[law](recorded(folder)) for folder in FOLDERS]
    results = answers(sessions, tmp_path)
    assert [fault for one in zip(sessions, results, strict=True) for fault in untrue(*one)] == []


@pytest.mark.long
@pytest.mark.parametrize("witnesses", WITNESSES, ids="+".join)
def test_fewer_witnesses_say_nothing_false(witnesses: tuple[str, ...], tmp_path: Path) -> None:
    sessions = [recorded(folder) for folder in FOLDERS]
    results = answers(sessions, tmp_path, witnesses)
    assert [fault for one in zip(sessions, results, strict=True) for fault in untrue(*one)] == []
