"""Payloads as nobody would send them: real ones with types swapped, pieces of others put in, parts
left out. The same seed gives the same payload."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

SAMPLES = Path(__file__).parent.parent / "samples"
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 3.5, 1e308, 2**63, "", " ", "x", "mcp__a__b__c", "mcp__", "a/b:c|d",
    "\u0000\ud800\U0001f600", "../../etc/passwd", "2026-11-21T12:00:00Z", "not a time", "n" * 5000,
    "Permission to use Bash has been denied.", "PreToolUse:Bash hook error: x", [], {}, [[]],
    [None, 1, "a", {}], {"": {"": ""}}, {"command": ["ls", 1]}, [{"tool_name": ["Bash"]}],
)  # fmt: skip


@cache
def records() -> list[dict[str, Any]]:
    """Every record of every sample."""
    return [
        json.loads(line)
        for path in sorted(SAMPLES.glob("*/*.jsonl"))
        if not path.name.endswith(".expected.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]


def mutated(seed: int) -> bytes:
    """The line of one mutated record."""
    rng = Random(seed)
    record = copy.deepcopy(rng.choice(records()))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 9))):
        rng.choice((swap, swap, swap, splice, splice, delete, wrap, rename))(record, rng)
    return json.dumps(record).encode("ascii")


def places(tree: Any) -> list[tuple[Any, Any]]:
    """(container, key) of every node below the tree."""
    found: list[tuple[Any, Any]] = []
    todo = [tree]
    while todo:
        node = todo.pop()
        keys = node.keys() if type(node) is dict else range(len(node))
        for key in list(keys):
            found.append((node, key))
            if type(node[key]) in (dict, list):
                todo.append(node[key])
    return found


def place(record: dict[str, Any], rng: Random) -> tuple[Any, Any]:
    """A node of the payload; sometimes one of the record."""
    payload = record.get("payload")
    inside = places(payload) if type(payload) in (dict, list) and rng.random() < 0.9 else []
    return rng.choice(inside or places(record) or [(record, "payload")])


def swap(record: dict[str, Any], rng: Random) -> None:
    node, key = place(record, rng)
    node[key] = copy.deepcopy(rng.choice(ODD))


def splice(record: dict[str, Any], rng: Random) -> None:
    """A piece of another record, at a node or beside it under its own name."""
    node, key = place(record, rng)
    other, name = place(rng.choice(records()), rng)
    piece = copy.deepcopy(other[name]) if name in other or type(other) is list else None
    if type(node) is dict and type(name) is str and rng.random() < 0.6:
        node[name] = piece
    else:
        node[key] = piece


def delete(record: dict[str, Any], rng: Random) -> None:
    node, key = place(record, rng)
    if type(node) is not dict or key in node:
        del node[key]


def wrap(record: dict[str, Any], rng: Random) -> None:
    node, key = place(record, rng)
    if type(node) is dict and key not in node:
        return
    node[key] = rng.choice(([node[key]], {"value": node[key]}, [node[key]] * 3, str(node[key])))


def rename(record: dict[str, Any], rng: Random) -> None:
    node, key = place(record, rng)
    if type(node) is dict and key in node:
        _, name = place(rng.choice(records()), rng)
        node[str(name)] = node.pop(key)
