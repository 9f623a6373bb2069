"""Whether the questions say what became of a guard's verdicts, against recordings with truth.

python benchmarks/witness/guard.py FOLDER [--client NAME] [--read own|fresh|hooks|files] [--wrong]

FOLDER holds CLIENT/SCENARIO/{hooks.jsonl, otlp.jsonl, transcript/, truth.json} and, in _own/,
CLIENT__SCENARIO.jsonl: hookstream's log of the session. `own` reads that log with the session files
and telemetry; `fresh` makes the log again from what the hooks were sent and the guard answered,
by the program's wrap as it is now; `hooks` has no wrap at all, `files` no hooks either.
Each call of the truth is checked by kind; a check that the truth cannot decide is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hookstream.capture.hook.lines import finished_line, lines_of
from hookstream.capture.wrap.events import HookRun, decision_events, subject_of
from hookstream.capture.wrap.verdicts import contract_of, judge
from hookstream.core.event import Event
from hookstream.core.records import Record, read_record
from hookstream.normalizers import compiled, normalize, vendor_of
from hookstream.queries.runner import ask, read
from hookstream.redaction import Redactor

Row = dict[str, Any]
Check = tuple[str, bool, str]
QUESTIONS = ("calls", "asks", "decisions", "denies")
GATES = {"pretooluse", "beforetool", "pretool"}
ASKS = {"ask", "modask"}
DENIES = {"deny", "exit2"}
MODIFIES = {"modify", "modonly", "modask"}
# Guards by name, with the verdict that each gives instead of the recorded one.
Guards = Mapping[str, str | None]
ONE: Guards = {"guard": None}


# Reading


def write_log(folder: Path, truth: Row, log: Path, guards: Guards = ONE) -> None:
    """Write what the hooks were sent, and after it the lines of the wrap as it is now, as capture
    does: what the log shows decides whether a batch's text is kept."""
    privacy = Redactor("hash", b"k" * 16)
    answers: dict[str, list[Row]] = {}
    for call in truth["calls"]:
        if call.get("guard_answer"):
            answers.setdefault(call["label"], []).append(call)
    with log.open("wb", buffering=0) as lines:
        for line in (folder / "hooks.jsonl").read_bytes().splitlines():
            record = read_record(line, "hooks")
            if not isinstance(record, Record) or (vendor := vendor_of(record)) is None:
                lines.write(line + b"\n")
                continue
            record.vendor = vendor
            now = record.received_at or "2026-01-01T00:00:00.000Z"
            events = normalize(record, compiled(vendor), now)
            written = lines_of(record, vendor, now, privacy, log=str(log))
            if isinstance(events, str) or isinstance(written, str):
                lines.write(line + b"\n")
                continue
            # A verdict names the event that it is about.
            verdicts = verdicts_of(record, events, answers, now, guards)
            lines.write(b"".join((*written, *(finished_line(v, privacy) for v in verdicts))))


def verdicts_of(
    record: Record, events: list[Event], answers: Row, now: str, guards: Guards
) -> list[Event]:
    """The events of the guards' answers to one record, if it is one of those before a call."""
    name = re.sub("[^a-z]", "", str(record.native_event).lower())
    label = re.search(r"mark\.sh (\w+)", json.dumps(record.payload))
    facts = subject_of(events).facts
    contract = contract_of(record.vendor, facts.get("dialect"))
    waiting = answers.get(label[1], []) if label and name in GATES else []
    if not waiting or contract is None:
        return []
    # Of equal calls each has its own answer, in their order.
    call = waiting[0] if len(waiting) == 1 else waiting.pop(0)
    verdicts = []
    for name, word in guards.items():
        answer = call["guard_answer"] if word is None else other_answer(answers, call, word)
        if answer is None or answer["exit"] is None:
            continue
        out = "" if answer["out"] is None else json.dumps(answer["out"])
        err = f"the guard says {call['verdict']}" if answer["exit"] else ""
        verdict = judge(contract, facts["native_event"], answer["exit"], out, err)
        verdicts += decision_events(events, verdict, HookRun([name], answer["exit"], 20, now))
    return verdicts


def other_answer(answers: Row, call: Row, word: str) -> Row | None:
    """The answer of a guard of another mind, if the call had the same fate with it: a deny is
    stronger than any other word, and an ask stronger than an allow."""
    if not (call["verdict"] in DENIES or (call["verdict"] in ASKS and word == "allow")):
        return None
    for other in (other for calls in answers.values() for other in calls):
        if other["verdict"] == word:
            text = json.dumps(other["guard_answer"]).replace(other["label"], call["label"])
            return dict(json.loads(text.replace(f"verdict-{word}", f"verdict-{call['verdict']}")))
    return None


def sources(folder: Path, kind: str, truth: Row, scratch: Path) -> list[Path]:
    """The files that are read for one session."""
    own = folder.parent.parent / "_own" / f"{folder.parent.name}__{folder.name}.jsonl"
    read_too = [folder / "transcript", folder / "otlp.jsonl"]
    if kind == "own":
        read_too.insert(0, own)
    if kind == "hooks":
        read_too.insert(0, folder / "hooks.jsonl")
    if kind == "fresh":
        log = scratch / "log.jsonl"
        write_log(folder, truth, log)
        read_too.insert(0, log)
    return [path for path in read_too if path.exists() and (path.is_dir() or path.stat().st_size)]


def machine_of(log: Path) -> str:
    """The machine that hookstream's own log names: the other files are from there."""
    text = log.read_text("utf-8") if log.is_file() else ""
    match = re.search(r'"machine_id": ?"(machine-\w+)"', text)
    return match[1] if match else "one"


def rows_of(folder: Path, kind: str, truth: Row) -> dict[str, list[Row]]:
    """The questions' rows over one session."""
    with tempfile.TemporaryDirectory(prefix="guard-") as name:
        scratch = Path(name)
        files = [str(path) for path in sources(folder, kind, truth, scratch)]
        lake = scratch / "lake"
        env = {**os.environ, "XDG_STATE_HOME": str(scratch / "state")}
        words = [sys.executable, "-m", "hookstream", "run", *files, "--to", f"parquet:{lake}"]
        words += ["--machine", machine_of(Path(files[0]))]
        subprocess.run(words, env=env, check=True, capture_output=True, text=True)
        if not any(lake.rglob("*.parquet")):
            return {name: [] for name in QUESTIONS}

        def rows(stream: Any) -> dict[str, list[Row]]:
            answers = {}
            for name in QUESTIONS:
                result = ask(stream, name)
                answers[name] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
            return answers

        return read(lake, rows)


# Checks


def of_call(rows: list[Row], call: Row) -> list[Row]:
    """The rows about one call: by its label in the command, else by its id."""
    # Equal calls are known by their ids alone.
    label = re.compile(rf"mark\.sh {call['label']}\b" if "twin" not in call else r"(?!)")
    ids = {call["id"], call["told_id"]} - {None}
    texts = ("command", "requested_command")
    return [
        row
        for row in rows
        if row["call_id"] in ids or any(label.search(str(row.get(name))) for name in texts)
    ]


def checks(rows: dict[str, list[Row]], truth: Row, call: Row, is_wrapped: bool) -> Iterator[Check]:
    """Each kind of check that the truth of a call decides."""
    calls, asks, decisions, denies = (of_call(rows[name], call) for name in QUESTIONS)
    is_asked = bool(call["guard_called"])
    has_verdict = is_wrapped and is_asked and truth["guard"] == "command"
    is_shown = call["told"] is not None or "hang" not in call["state"]
    yield "one row a call", len(calls) == 1 or not is_shown, f"{len(calls)} rows"
    row = calls[0] if calls else {}
    outcomes = call["expect"].split("|")
    outcome = row.get("outcome")
    yield "outcome", outcome in outcomes, f"{outcome}, was {call['expect']}"
    if call["expect"] == "denied":
        by, decision = row.get("decided_by"), row.get("decision")
        is_right = decision == "deny" and by in allowed_by(call)
        yield "who refused", is_right, f"{decision} by {by}, was {call['by']}"
    ran_anyway = [d for d in denies if d["executed_afterwards"]]
    if not call["ran"]:
        yield "no false ran anyway", not ran_anyway, f"{len(ran_anyway)} denies"
    yield from asked(call, asks, has_verdict)
    if has_verdict and call["verdict"] in DENIES:
        yield "deny kept", *deny_kept(call, denies)
    if call["ran"]:
        word = re.search(r"mark\.sh \w+ (\w+)", str(row.get("command")))
        used = word[1] if word else None
        yield "input that ran", used == call["input_used"], f"{used}, was {call['input_used']}"
        if call["verdict"] in MODIFIES and has_verdict:
            is_changed = call["input_used"] == "changed"
            note = f"{row.get('modified')}, was {is_changed}"
            yield "said to be changed", bool(row.get("modified")) == is_changed, note
    if has_verdict and call["verdict"] != "none":
        own = [d for d in decisions if d["guardian"]]
        yield "verdict has a row", bool(own), f"{len(decisions)} decisions, {len(own)} of a guard"
        if call["held"]:
            held = [d.get("held") for d in own]
            is_right = bool(held) and all(word in call["held"] for word in held)
            yield "state of the verdict", is_right, f"{held}, was {call['held']} ({call['state']})"


def allowed_by(call: Row) -> set[str]:
    """Who may be named: a program that answers for a person looks like one."""
    return {*call["by"], *(("user",) if "host" in call["by"] else ())}


def asked(call: Row, asks: list[Row], has_verdict: bool) -> Iterator[Check]:
    """The question's row: whether there is one, its answer, by whom, and how long it took."""
    answer = call["answer"]
    words = [(row["resolution"], row["decided_by"]) for row in asks]
    note = f"{words}, was {call['state']}, answer {answer and answer['answer']}"
    if answer is not None or (has_verdict and call["verdict"] in ASKS):
        yield "ask", len(asks) == 1 and is_answer(call, words[0]), note
    elif asks:
        # The client may put its own question and answer it itself: nobody approved it then.
        is_right = all(is_answer(call, word) for word in words) and len(asks) == 1
        yield "ask", is_right, note
    if asks:
        waits = [row["waited_ms"] for row in asks]
        yield "waited", all(wait is None or wait >= 0 for wait in waits), f"{waits} ms"


def is_answer(call: Row, word: tuple[str, str | None]) -> bool:
    resolution, by = word
    answer = call["answer"]
    if answer is not None:
        deciders = {answer["by"], "user"} if answer["by"] == "host" else {answer["by"]}
        return resolution == answer["answer"] and by in deciders
    if resolution == "approved":
        return call["ran"] and by in ("rule", "mode", "client")
    if resolution == "denied":
        return not call["ran"] and by in ({*(call["by"] or ())} | {"mode", "client"})
    return True


def deny_kept(call: Row, denies: list[Row]) -> tuple[bool, str]:
    """A deny of a guard is a deny, enforced or not as it was."""
    words = [(d["decided_by"], d["enforced"], d["executed_afterwards"]) for d in denies]
    is_kept = any(by == "hook" or by in (call["by"] or ()) for by, _, _ in words)
    if call["ran"]:
        is_right = is_kept and any(not enforced or after for _, enforced, after in words)
    else:
        is_right = is_kept and not any(after for _, _, after in words)
    return is_right, f"{words}, ran {call['ran']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--client", default="*")
    parser.add_argument("--scenario", default="*")
    parser.add_argument("--read", default="own", choices=("own", "fresh", "hooks", "files"))
    parser.add_argument("--wrong", action="store_true", help="print each check that is wrong")
    options = parser.parse_args()
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for path in sorted(options.folder.glob(f"{options.client}/{options.scenario}/truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        if "guard" not in truth:
            continue
        rows = rows_of(path.parent, options.read, truth)
        name = f"{truth['client']} {truth['client_version']}"
        for call in truth["calls"]:
            if "state" not in call:
                continue
            is_wrapped = options.read in ("own", "fresh")
            for kind, is_right, note in checks(rows, truth, call, is_wrapped):
                for key in ((name, kind), (name, "all"), ("all", kind), ("all", "all")):
                    total[key] += 1
                    right[key] += is_right
                if options.wrong and not is_right:
                    place = f"{truth['client']}/{truth['scenario']} {truth['mode']}"
                    print(f"{kind:20} {place} {call['label']} {call['verdict']}: {note}")
    print(f"read: {options.read}")
    for key in sorted(total, key=lambda key: (key[0] == "all", key[0], key[1] == "all", key[1])):
        print(f"{key[0]:24} {key[1]:22} {right[key]:5} / {total[key]}")


if __name__ == "__main__":
    main()
