"""Checks of what the questions say of scenarios whose truth file labels each call.

python benchmarks/witness/labelled.py FOLDER [--client NAME] [--witness hook,transcript]

FOLDER holds CLIENT/SCENARIO/{hooks.jsonl, otlp.jsonl, transcript/, truth.json}. Each call is looked
for by its id, else by its arguments; its outcome, decider and exit code are compared, then the
number of calls, prompts and compactions, and the tokens.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from run import answers

QUESTIONS = ("calls", "prompts", "compactions", "usage", "sessions")
Rows = dict[str, list[dict[str, Any]]]
WHO = {"person": "user", "client": "client"}


def row_of(call: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The row of a call: by its id, else the first that is left with its command or file."""
    for row in rows:
        if row["call_id"] and row["call_id"] == call.get("id"):
            return row
    texts = [value for value in (call.get("args") or {}).values() if isinstance(value, str)]
    for row in rows:
        shown = row["command"] or row["file_path"]
        if shown and any(shown == text or shown.endswith(f"/{text}") for text in texts):
            return row
    same = [row for row in rows if call["tool"] == row.get("tool_native")]
    return same[0] if same else None


def checks(truth: dict[str, Any], tables: Rows) -> list[tuple[str, str, Any, Any]]:
    """(kind, label, wanted, given) of each check."""
    left = [{"tool_native": row.get("action_native"), **row} for row in tables["calls"]]
    made: list[tuple[str, str, Any, Any]] = []
    for call in truth["calls"]:
        row = row_of(call, left)
        made.append(("call", call["label"], True, row is not None))
        if row is None:
            continue
        left.remove(row)
        wanted = call["expect"].split("|")
        outcome = row["outcome"] or "unknown"
        made.append(("outcome", call["label"], outcome if outcome in wanted else wanted, outcome))
        if call["expect"] == "denied":
            by = WHO.get(str(call["by"]).partition(" ")[0].rstrip(":"), call["by"])
            made.append(("decider", call["label"], by, row.get("decided_by")))
        told = call.get("exit_told", call.get("exit_expected"))
        if told is not None and row["outcome"] in ("ok", "error"):
            made.append(("exit code", call["label"], told, row["exit_code"]))
    made.append(("further calls", "", [], [row["command"] or row["call_id"] for row in left]))
    made.append(("prompts", "", len(truth["prompts"]), len(tables["prompts"])))
    if truth.get("compactions") is not None:
        made.append(("compactions", "", truth["compactions"], len(tables["compactions"])))
    served = truth.get("tokens_served") or {}
    for kind in ("input", "output"):
        if served.get(kind):
            given = sum(row[f"{kind}_tokens"] or 0 for row in tables["usage"])
            cached = sum(row["cache_read_tokens"] or 0 for row in tables["usage"])
            if kind == "input" and given + cached == served[kind]:
                given += cached  # counted apart by this client
            made.append((f"{kind} tokens", "", served[kind], given))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--client")
    parser.add_argument("--witness", default="hook,transcript,telemetry")
    given = parser.parse_args()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for path in sorted(given.folder.glob("*/*/truth.json")):
        client, scenario = path.parent.parent.name, path.parent.name
        truth = json.loads(path.read_text("utf-8"))
        if given.client not in (None, client) or "guard" in scenario:
            continue
        with tempfile.TemporaryDirectory(prefix="witness-") as name:
            beside = Path(name) / "scenario"
            shutil.copytree(path.parent, beside, ignore=shutil.ignore_patterns("truth.json"))
            tables = answers(beside, given.witness, Path(name), QUESTIONS)
        for kind, label, wanted, said in checks(truth, tables):
            total[client, kind] += 1
            right[client, kind] += wanted == said
            if wanted != said:
                print(f"{client}/{scenario} {label} {kind}: {wanted}, not {said}")
    for key in total:
        print(f"{key[0]:14} {key[1]:14} {right[key]:4} of {total[key]:4}")
    print(f"{sum(right.values())} of {sum(total.values())}")


if __name__ == "__main__":
    main()
