"""Make docs/guards.md: what clients do with the verdicts of guards, from sessions with a truth.

python docs/make_guards.py [FOLDER ...]

A FOLDER holds CLIENT/SCENARIO/truth.json of recorded sessions, as benchmarks/witness/guard.py has
them: what each says of a guard's verdicts takes the place of what docs/data/guards.jsonl had of
that session. Without a folder the page is made again from that file.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]
DOCS = Path(__file__).parent
SESSIONS = DOCS / "data" / "guards.jsonl"
# The text around the tables.
TEXT = DOCS / "data" / "guards.txt"
PAGE = DOCS / "guards.md"
VERDICTS = {
    "deny": "deny", "exit2": "exit 2", "allow": "allow", "ask": "ask",
    "modify": "other input, allow", "modonly": "other input alone", "modask": "other input, ask",
}  # fmt: skip
STATES = {
    "held": "holds",
    "ignored": "**ignored, ran**",
    "overruled": "refused all the same",
    "asked anyway, approved": "person asked all the same",
    "asked before the guard": "person asked before the guard",
    "changed input used": "other input ran",
    "original run": "**original ran**",
    "asked, approved": "asked",
    "asked, denied": "asked",
    "asked, approved, changed input": "asked, other input ran",
    "asked, approved, original input": "asked, **original ran**",
    "asked nobody and ran": "**no question, ran**",
    "asked nobody and denied": "no question, refused",
    "asked nobody and hangs": "no question, hangs",
    "asked nobody and ran, original input": "**no question, original ran**",
    "asked nobody and ran, changed input": "**no question, other input ran**",
    "guard not called": "refused before the guard was called",
    "guard not called, ran": "**guard not called, ran**",
    "tool not offered": "tool not offered",
    "no run, client's own check": "client refused by its own rules",
}
MODES = {
    "default": "default", "yolo": "everything allowed", "bypass": "bypassPermissions",
    "full": "no sandbox", "rule": "a rule allows the tool", "autopilot": "autopilot",
    "autopilot0": "autopilot, nothing allowed", "plan": "plan", "auto": "auto",
    "dontask": "dontAsk", "prompttool": "a prompt tool answers",
    "bypasstool": "bypassPermissions, a prompt tool answers",
    "nottrusted": "hooks not trusted",
}  # fmt: skip


def session_of(truth: Row, name: str) -> Row | None:
    """The rows of verdicts that one session shows; empty without a guard."""
    states: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for call in truth["calls"]:
        if call.get("verdict") in VERDICTS and call["state"] in STATES:
            states[call["verdict"]][state_of(call)] += 1
    if "guard" not in truth or not states:
        return None
    kept = ("client", "client_version", "mode", "headless", "guard")
    facts = {key: truth[key] for key in kept}
    verdicts = {verdict: dict(states[verdict]) for verdict in VERDICTS if verdict in states}
    return {"session": name, **facts, "verdicts": verdicts}


def state_of(call: Row) -> str:
    """The state, with the input of one that was asked about, and whether it ran unguarded."""
    state = str(call["state"])
    if call["verdict"] == "modask" and state == "asked, approved":
        return f"{state}, {call['input_used']} input"
    return f"{state}, ran" if state == "guard not called" and call["ran"] else state


def recorded(folders: Iterable[Path]) -> Iterable[Row]:
    for folder in folders:
        for path in sorted(folder.glob("*/*/truth.json")):
            name = f"{path.parts[-3]}/{path.parts[-2]}"
            session = session_of(json.loads(path.read_text("utf-8")), name)
            if session is not None:
                yield session


def page(sessions: list[Row]) -> str:
    """The page: one table per client, sessions with equal cells in one row."""
    lines: list[str] = []
    clients = sorted({session["client"] for session in sessions})
    for client in clients:
        of_client = [session for session in sessions if session["client"] == client]
        verdicts = [v for v in VERDICTS if any(v in one["verdicts"] for one in of_client)]
        lines += [f"## {client}", ""]
        if any(session["guard"] == "plugin" for session in of_client):
            lines += ["The guard is a plugin.", ""]
        lines.append("| how it runs | " + " | ".join(VERDICTS[v] for v in verdicts) + " |")
        lines.append("|---" * (1 + len(verdicts)) + "|")
        lines += rows(of_client, verdicts)
        lines.append("")
    tables = "\n".join(lines).rstrip("\n")
    return TEXT.read_text("utf-8").replace("{tables}", tables)


def rows(sessions: list[Row], verdicts: list[str]) -> list[str]:
    alike: dict[tuple[str, ...], list[Row]] = {}
    for session in sorted(sessions, key=lambda row: (not row["headless"], row["mode"])):
        cells = tuple(cell_of(session["verdicts"].get(verdict, {})) for verdict in verdicts)
        alike.setdefault((str(session["headless"]), *cells), []).append(session)
    texts = []
    for (headless, *cells), group in alike.items():
        versions: dict[str, set[str]] = {}
        for session in group:
            versions.setdefault(mode_of(session["mode"]), set()).add(session["client_version"])
        modes = "; ".join(f"{mode} ({', '.join(sorted(of))})" for mode, of in versions.items())
        place = "no person" if headless == "True" else "in a terminal"
        texts.append(f"| {place}: {modes} | " + " | ".join(cells) + " |")
    return texts


def mode_of(mode: str) -> str:
    return MODES[mode.removeprefix("tty")]


def cell_of(states: dict[str, int]) -> str:
    return "; ".join(dict.fromkeys(STATES[state] for state in states)) or "-"


def read() -> list[Row]:
    return [json.loads(line) for line in SESSIONS.read_text("utf-8").splitlines()]


def main(folders: list[Path]) -> None:
    sessions = {one["session"]: one for one in read()} if SESSIONS.exists() else {}
    sessions |= {one["session"]: one for one in recorded(folders)}
    ordered = [sessions[name] for name in sorted(sessions)]
    SESSIONS.parent.mkdir(exist_ok=True)
    SESSIONS.write_text("".join(json.dumps(one) + "\n" for one in ordered), "utf-8")
    PAGE.write_text(page(ordered), "utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
