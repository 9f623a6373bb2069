"""Counts which planted stories the questions and the rules find, and what they find elsewhere.

    python -m benchmarks.fleet.check TRUTH.json LAKE [--false FILE.json]

A story is found by a question if a row names its session (or machine, for what has no session), by
a rule if a finding does. Findings elsewhere are counted apart for made-up plain work and for
replayed recordings, which hold stories of their own. `--false` writes the latter two as JSON.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.fleet.plants import NEW_SERVER, RARE_HOST

from hookstream.queries.catalog import queries
from hookstream.queries.runner import Filters, ask, read
from hookstream.queries.stream import OpenStream
from hookstream.rules.ask import DetectOptions
from hookstream.rules.ask import ask as ask_rules
from hookstream.rules.findings import Finding

Row = dict[str, Any]


@dataclass(frozen=True)
class Sought:
    """Where a kind of story is to be seen: `rows` of a `question`, findings of one of `rules`."""

    question: str
    rows: Callable[[Row], bool]
    rules: tuple[str, ...] = ()


def every(_: Row) -> bool:
    return True


SOUGHT = {
    "same target": Sought("bypasses", every, ("call_deny_then_bypass",)),
    "other spelling": Sought(
        "bypasses", every, ("call_deny_then_bypass", "corr_deny_then_other_spelling")
    ),
    "script": Sought("bypasses", every, ("corr_deny_then_script", "call_deny_then_bypass")),
    "ran anyway": Sought(
        "denies", lambda row: bool(row["executed_afterwards"]), ("call_deny_then_same_call",)
    ),
    "shared secret": Sought("secrets", every, ("corr_secret_many_machines", "call_secret_in_call")),
    "own secret": Sought("secrets", every, ("call_secret_in_prompt",)),
    "loop": Sought("retry_loops", every, ("call_retry_loop_long",)),
    "after compaction": Sought(
        "denies", lambda row: bool(row["executed_afterwards"]), ("corr_deny_lost_in_compaction",)
    ),
    "new server": Sought(
        "mcp_servers", lambda row: row["server"] == NEW_SERVER, ("call_mcp_server_new",)
    ),
    "rare host": Sought("egress", lambda row: row["host"] == RARE_HOST, ("call_rare_host_upload",)),
}


@dataclass
class Seen:
    """What the lake answers. `machine_of` is session -> machine id."""

    rows: dict[str, list[Row]]
    findings: list[Finding]
    machine_of: dict[str, str]


def seen(lake: Path) -> Seen:
    names = {one.question for one in SOUGHT.values()} | {"gaps", "sessions"}

    def questions(stream: OpenStream) -> dict[str, list[Row]]:
        found = {}
        for name in sorted(names):
            result = ask(stream, name, Filters(by=next(iter(queries()[name].by), None)))
            found[name] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        return found

    rows = read(lake, questions)
    machine_of = {row["session_id"]: row["machine_id"] for row in rows["sessions"]}
    return Seen(rows, ask_rules(lake, DetectOptions()).findings, machine_of)


def places(rows: Iterable[Row]) -> set[str]:
    """The sessions of rows, and the machines of rows without one."""
    return {str(row.get("session_id") or row.get("machine_id")) for row in rows}


def found_of(truth: dict[str, Any], lake: Seen) -> dict[str, tuple[int, int, int]]:
    """kind -> (planted, found by its question, found by one of its rules)"""
    made = {}
    for kind, sought in SOUGHT.items():
        planted = [one for one in truth["planted"] if one["kind"] == kind]
        named = places(row for row in lake.rows[sought.question] if sought.rows(row))
        hits = places(one.__dict__ for one in lake.findings if one.rule in sought.rules)
        # A rule reports the first of several sessions or machines.
        whole = kind in ("new server", "rare host", "shared secret") and bool(hits)
        made[kind] = (
            len(planted),
            sum(is_named(one, named, lake) for one in planted),
            len(planted) if whole else sum(is_named(one, hits, lake) for one in planted),
        )
    for kind, gap in (("silent", "silent_machine"), ("deaf", "no_after_events")):
        machines = machines_of(truth, kind, lake)
        named = {row["machine_id"] for row in lake.rows["gaps"] if row["gap"] == gap}
        hits = {one.machine_id for one in lake.findings if one.shown == gap}
        made[f"{kind} machines"] = (len(machines), len(machines & named), len(machines & hits))
    return made


def is_named(planted: Row, named: set[str], lake: Seen) -> bool:
    session = planted["session_id"]
    return session in named or lake.machine_of.get(session, "") in named


def machines_of(truth: dict[str, Any], kind: str, lake: Seen) -> set[str]:
    """The machine ids of the machines that truth names; what is written holds pseudonyms."""
    sessions = truth["session_of"]
    return {lake.machine_of[sessions[name]] for name in truth[kind]}


def elsewhere(truth: dict[str, Any], lake: Seen) -> dict[str, list[Finding]]:
    """Findings in sessions without a planted story: of plain work, of recordings, of no session."""
    planted = {one["session_id"] for one in truth["planted"]}
    plain = set(truth["plain"])
    made: dict[str, list[Finding]] = {"plain": [], "replayed": [], "machine": []}
    for one in lake.findings:
        if one.session_id not in planted:
            kind = "replayed" if one.session_id else "machine"
            made["plain" if one.session_id in plain else kind].append(one)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("truth", type=Path)
    parser.add_argument("lake", type=Path)
    parser.add_argument("--false", type=Path, metavar="FILE")
    options = parser.parse_args()
    truth = json.loads(options.truth.read_text())
    lake = seen(options.lake)
    print("| story | planted | by a question | by a rule |\n|---|---|---|---|")
    for kind, (planted, named, hit) in found_of(truth, lake).items():
        print(f"| {kind} | {planted} | {named} | {hit} |")
    print(f"\n{len(lake.findings)} findings; in {len(truth['plain'])} sessions of plain work:")
    others = elsewhere(truth, lake)
    for kind, found in others.items():
        print(f"\n{kind}: {len(found)}")
        for (level, title), number in Counter((f.level, f.title) for f in found).most_common():
            print(f"  {number:5d} {level} {title}")
    if options.false:
        rows = [{"kind": kind, **one.__dict__} for kind, found in others.items() for one in found]
        options.false.write_text(json.dumps(rows, indent=1, default=str) + "\n")


if __name__ == "__main__":
    main()
