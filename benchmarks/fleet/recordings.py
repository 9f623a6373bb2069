"""Recorded sessions once more: under new ids, at other times, of other people."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
import string
from pathlib import Path

from benchmarks.fleet.claude import HOSTS, iso

# Recordings of tests hold far more denies and loops than a fleet does: these are drawn seldom.
SELDOM = re.compile(
    r"deny|denied|loop|err|compact|compress|reject|block|cancel|model-errors|permission"
)
SELDOM_WEIGHT = 0.12
MOST_RECORDS = 130
KEPT_ENV = ("ENTRYPOINT", "PROJECT_DIR", "SURFACE")
ID = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?:ses|msg|prt|per|evt|chatcmpl|resp|call|toolu|run|gen|bot)[-_]"
    r"(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{6,}"
    r"|(?<![0-9a-f])[0-9a-f]{24,40}(?![0-9a-f])"
)
TIME = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
EPOCH_MS = re.compile(r"(?<![0-9A-Za-z.])1[789]\d{11}(?![0-9A-Za-z.])")
HOME = re.compile(r"/home/dev(?![\w-])")
HEX = re.compile(r"[0-9a-f-]+")


def seconds(text: str) -> float:
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def new_id(rng: random.Random, old: str) -> str:
    """An id of the same form; a prefix such as `ses_` stays."""
    if HEX.fullmatch(old):
        return "".join(rng.choice("0123456789abcdef") if c.isalnum() else c for c in old)
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    made = [
        next((rng.choice(kind) for kind in kinds if c in kind), c) if at >= 4 else c
        for at, c in enumerate(old)
    ]
    return "".join(made)


class Recording:
    """One file of capture records, without what a plain machine's log would not have."""

    def __init__(self, path: Path) -> None:
        self.vendor = path.parent.name
        self.weight = SELDOM_WEIGHT if SELDOM.search(path.name) else 1.0
        self.records: list[tuple[float, str]] = []
        for line in path.read_text(encoding="utf-8").splitlines()[:MOST_RECORDS]:
            record = json.loads(line)
            if record["vendor"] != "codex":
                record.pop("argv", None)
            env = record.get("env") or {}
            record["env"] = {name: env[name] for name in env if name.endswith(KEPT_ENV)}
            self.records.append((seconds(record["received_at"]), json.dumps(record)))

    def again(
        self, rng: random.Random, start: float, home: str, repo: str
    ) -> list[tuple[float, str]]:
        """The records from `start` on; the same old id gives the same new one."""
        shift = start - self.records[0][0]
        ids: dict[str, str] = {}
        host = rng.choice(HOSTS)

        def renamed(match: re.Match[str]) -> str:
            if match[0] not in ids:
                ids[match[0]] = new_id(rng, match[0])
            return ids[match[0]]

        made = []
        for at, text in self.records:
            text = ID.sub(renamed, text)
            text = TIME.sub(lambda found: iso(seconds(found[0]) + shift), text)
            text = EPOCH_MS.sub(lambda found: str(int(found[0]) + int(shift * 1000)), text)
            text = HOME.sub(home, text.replace("/home/dev/project", f"/home/dev/{repo}"))
            text = text.replace("http://127.0.0.1/", f"https://{host}/")
            made.append((at + shift, text))
        return made


def recordings(folder: Path) -> dict[str, list[Recording]]:
    """vendor -> its recordings, of a folder such as `samples/`."""
    found: dict[str, list[Recording]] = {}
    for path in sorted(folder.glob("*/*.jsonl")):
        if not path.name.endswith(".expected.jsonl"):
            one = Recording(path)
            if one.records:
                found.setdefault(one.vendor, []).append(one)
    return found
