"""Figures over sets that were written before the rules for them: whole payloads through the
pipeline, not texts alone.

    python benchmarks/redaction/unseen.py [--seed N] [--misses SET]

Each set is split in half by a digest of its template. Rules may be written with the misses of the
`open` half in view; the `closed` half prints figures only, so that they are those of unseen text.
A secret is missed when twelve characters of it in a row (or all of it, if shorter) are in what is
written; a look-alike is a false alarm when `[REDACTED:` is; a name is missed when it is there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import unseen_clean
import unseen_commands
import unseen_forms
import unseen_places
import unseen_secrets
from unseen_values import MAKERS, filled, strong

from hookstream import normalize
from hookstream.core.jsons import dumps
from hookstream.standards.agent_hooks import agent_hooks

# Set, half, what is measured, whether it went wrong, the text.
Row = tuple[str, str, str, bool, str]


def half(template: str) -> str:
    return "open" if zlib.crc32(template.encode()) % 2 else "closed"


def written(text: str, place: str, mode: str) -> str:
    """What hookstream writes of a payload that holds the text at a place."""
    common = {"session_id": "6f1c", "cwd": "/srv/app", "transcript_path": "/srv/t.jsonl"}
    if place == "prompt":
        payload = {**common, "hook_event_name": "UserPromptSubmit", "prompt": text}
    else:
        payload = {**common, "hook_event_name": "PreToolUse", "tool_name": "Bash"}
        payload["tool_input"] = {"command": text}
        if place == "file":
            payload["tool_name"] = "Write"
            payload["tool_input"] = {"file_path": "/srv/app/x", "content": text}
        if place == "output":
            payload["hook_event_name"] = "PostToolUse"
            payload["tool_input"] = {"command": "make"}
            payload["tool_response"] = {"stdout": text, "stderr": "", "interrupted": False}
    events = normalize(payload, "claude-code", privacy=mode, now="2026-11-24T00:00:00Z")
    return "\n".join(dumps(agent_hooks(event)).decode() for event in events)


def is_left(value: str, output: str) -> bool:
    size = 12
    if len(value) <= size:
        return value in output
    return any(value[at : at + size] in output for at in range(len(value) - size + 1))


def measured(seed: int) -> Iterable[Row]:
    rng = random.Random(seed)
    for template in unseen_commands.TEMPLATES:
        text, value = filled(template, rng)
        yield (
            "commands",
            half(template),
            "hash",
            is_left(value, written(text, "command", "hash")),
            text,
        )
    for family, place, template in unseen_secrets.ENTRIES:
        text, value = filled(template, rng)
        while any(f"{{{kind}}}" in text for kind in MAKERS):
            text, _ = filled(text, rng)
        for mode in ("hash", "redact"):
            missed = is_left(value, written(text, place, mode))
            yield "secrets", half(template), mode, missed, f"{family}: {text}"
    for template in unseen_clean.TEMPLATES:
        text = template
        while any(f"{{{kind}}}" in text for kind in MAKERS):
            text, _ = filled(text, rng)
        for mode in ("hash", "redact"):
            output = written(text, "command", mode)
            if mode == "redact":
                output += written(text, "output", mode)
            yield "look-alikes", half(template), mode, "[REDACTED:" in output, text
    for at, template in enumerate(unseen_places.PLACES):
        name = unseen_places.NAMES[at % len(unseen_places.NAMES)]
        text = template.replace("{name}", name)
        yield "names", half(template), "hash", name in written(text, "command", "hash"), text


def of_forms(rng: random.Random) -> Iterable[Row]:
    """The forms of `unseen_forms`: a value is looked for as it stands there, and as it is shown."""
    sets = {"usual forms": unseen_forms.USUAL, "hard forms": unseen_forms.HARD}
    for name, rows in sets.items():
        for place, change, template in rows:
            value = strong(rng) if "{v}" in template else ""
            there = unseen_forms.CHANGES[change](value)
            text = template.replace("{v}", there)
            for mode in ("hash", "redact"):
                output = shown(text_of(written(text, place, mode)))
                missed = is_left(value, output) or (value not in shown(there) and there in output)
                yield name, half(template), mode, missed, f"{change}: {text}"
    for head, part, tail in unseen_forms.PERSONAL:
        text = head + part + tail
        for mode, place in (("hash", "command"), ("redact", "output")):
            missed = part in text_of(written(text, place, mode))
            yield "personal data", half(text), mode, missed, text
    for text in unseen_forms.LOOK_ALIKES:
        for mode in ("hash", "redact"):
            output = written(text, "command", mode) + written(text, "output", mode)
            yield "look-alikes", half(text), mode, "[REDACTED:" in output, text


# What no screen shows.
UNSEEN = re.compile(
    "\x1b\\[[0-9;]*m|\x1b\\]8;;[^\x07]*\x07|.\x08|[\u00ad\u200b-\u200f\u2066-\u2069\ufe0f\ufeff]"
)


def shown(text: str) -> str:
    return UNSEEN.sub("", text)


def text_of(lines: str) -> str:
    """Every text in lines of JSON."""

    def texts(value: Any) -> Iterable[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                yield from texts(inner)

    return "\n".join(text for line in lines.splitlines() for text in texts(json.loads(line)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--misses", help="show what went wrong in the open half of a set")
    options = parser.parse_args()
    counts: dict[tuple[str, str, str], list[int]] = {}
    for name, part, mode, wrong, text in itertools.chain(
        measured(options.seed), of_forms(random.Random(options.seed))
    ):
        for key in ((name, mode, part), (name, mode, "all")):
            count = counts.setdefault(key, [0, 0])
            count[0] += wrong
            count[1] += 1
        if wrong and options.misses == name and part == "open":
            print(f"{mode}: {text!r}")
    print("| set | mode | half | wrong | of | right |\n|---|---|---|---|---|---|")
    for (name, mode, part), (wrong, of) in counts.items():
        print(f"| {name} | {mode} | {part} | {wrong} | {of} | {1 - wrong / of:.4f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
