"""One's own prompts: titles of sessions, conversations and what was said in them, from the session
files of this machine.

They are read when a page needs them, with secrets replaced as in the privacy mode redact, and kept
in no file: a title lives in the memory of this process. Only the lake that `hookstream ui` makes of
these files has them; no export, table or stream does.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.ui.cells import short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hookstream.core.event import Event
    from hookstream.delivery.job import Job
    from hookstream.redaction import Redactor
    from hookstream.transcripts.places import ListedSession

TITLE, MOST_TEXT, MOST_SAID = 80, 20_000, 1000
# Parts before the one that a conversation opens at, where it is long.
BEFORE = 100
# How long one search may read, and the hits it shows of all and of one session.
SEARCH_S, MOST_HITS, HITS_OF_SESSION = 10.0, 40, 3
# Files of lines are read only where their bytes have the words; others hold text in their own way.
PLAIN = (".jsonl", ".json", ".md", ".txt")
WORD = re.compile(r"\w+")
# Records read at a time: a title is in the first ones.
HEAD, BATCH = 16, 256
WAIT_S = 20.0
ABOUT = ("command", "file_path", "url")
WHO = {"Prompt.Submitted": "you", "Model.Responded": "agent", "Agent.Response": "agent"}


@dataclass(frozen=True)
class Said:
    """A part of a conversation: `who` is you, agent or call; a sub-agent has its `agent`, a call
    its `call_id`."""

    at: str
    who: str
    text: str
    agent: str = ""
    call_id: str = ""


@dataclass(frozen=True)
class Hit:
    """A part of a conversation that has what was sought."""

    tool: str
    session_id: str
    part: Said


@dataclass(frozen=True)
class Hits:
    """The newest hits of a search, and whether there may be more."""

    hits: list[Hit]
    is_cut: bool


class OwnSessions:
    """The sessions in some files. `job` has the settings of redaction; titles are read in the
    background after `start`."""

    def __init__(self, files: list[ListedSession], job: Job) -> None:
        self.files = files
        self.job = job
        self._titles: dict[tuple[str, str], str] = {}
        self._places: dict[tuple[str, str], dict[Path, ListedSession]] = {}
        self._redactor: Redactor | None = None
        self._work: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to read the titles."""
        self._work = threading.Thread(target=self._read_titles, daemon=True, name="titles")
        self._work.start()

    def title(self, tool: Any, session_id: Any) -> str:
        """The first prompt of a session, cut; empty where none is known."""
        return self._titles.get((str(tool), str(session_id)), "")

    def conversation(self, tool: str, session_id: str, around: str = "") -> tuple[list[Said], bool]:
        """The parts of a session, and whether there are more; a long one from just before the time
        `around`. A file that is gone, or cannot be read, has nothing."""
        if self._work is not None:
            self._work.join(WAIT_S)
        named = {one.path: one for one in self.files if session_id in str(one.path)}
        places = (named | self._places.get((tool, session_id), {})).values()
        said: list[Said] = []
        for file in sorted(places, key=lambda one: (one.mtime, str(one.path))):
            of_file: list[Said] = []
            with suppress(HookstreamError, OSError):
                for event in self._events(file, BATCH):
                    if event.facts.get("session_id") == session_id:
                        _add(of_file, event)
                    if len(of_file) > MOST_SAID and of_file[-1].at > around:
                        break
            said += of_file
        # Sub-agents have files of theirs, and talk while their parent waits.
        said.sort(key=lambda part: part.at)
        first = next((n for n, part in enumerate(said) if part.at >= around), 0)
        first = max(0, first - BEFORE) if len(said) > MOST_SAID else 0
        return said[first : first + MOST_SAID], len(said) > MOST_SAID

    def search(self, text: str) -> Hits:
        """The parts of conversations that contain a text, whatever its case, those of the newest
        files first."""
        until = monotonic() + SEARCH_S
        hits: list[Hit] = []
        for file in sorted(self.files, key=lambda one: one.mtime, reverse=True):
            if len(hits) >= MOST_HITS or monotonic() > until:
                return Hits(hits[:MOST_HITS], is_cut=True)
            with suppress(HookstreamError, OSError):
                if _may_hold(file, text):
                    hits += self._hits(file, text.lower())
        return Hits(hits, is_cut=False)

    def _hits(self, file: ListedSession, text: str) -> list[Hit]:
        hits: list[Hit] = []
        of: dict[tuple[str, str], list[Said]] = {}
        for event in self._events(file, BATCH):
            key = str(event.facts.get("tool")), str(event.facts.get("session_id"))
            said = of.setdefault(key, [])
            count = len(said)
            _add(said, event)
            has_text = len(said) > count and text in said[-1].text.lower()
            if has_text and sum(hit.session_id == key[1] for hit in hits) < HITS_OF_SESSION:
                hits.append(Hit(*key, said[-1]))
        return hits

    def _read_titles(self) -> None:
        for file in self.files:
            with suppress(HookstreamError, OSError):
                # Lines of one session: the first prompt is near the start.
                is_lines = file.path.suffix == ".jsonl"
                for event in self._events(file, HEAD):
                    key = str(event.facts.get("tool")), str(event.facts.get("session_id"))
                    self._places.setdefault(key, {})[file.path] = file
                    if event.type != "Prompt.Submitted" or key in self._titles:
                        continue
                    if title := " ".join(_text(event, "prompt").split()):
                        self._titles[key] = short(title, TITLE)
                        if is_lines:
                            break

    def _events(self, file: ListedSession, size: int) -> Iterator[Event]:
        """The events of a file, redacted."""
        from hookstream.delivery.backfill import read_file
        from hookstream.delivery.job import make_pipeline, make_redactor

        with self._lock:
            self._redactor = self._redactor or make_redactor(self.job)
        pipeline = make_pipeline(self.job, self._redactor)
        pipeline.new_source()
        records = read_file(file, 0)
        while batch := list(islice(records, size)):
            yield from pipeline.take_all(batch)[0]


def _may_hold(file: ListedSession, text: str) -> bool:
    """Return whether a file may have all words of a text, by its bytes: reading its records takes
    far longer."""
    if file.path.suffix not in PLAIN:
        return True
    words = [word.encode() for word in WORD.findall(text.lower()) if word.isascii()]
    raw = file.path.read_bytes().lower()
    return all(word in raw for word in words)


def _add(said: list[Said], event: Event) -> None:
    """Add what an event says, unless it is a text that the one before says, too."""
    if event.facts.get("duplicate_of"):
        return
    agent = str(event.facts.get("agent_id") or "")
    at = str(event.facts.get("timestamp") or "")
    who = WHO.get(event.type, "")
    text = _text(event, "prompt" if who == "you" else "response") if who else ""
    if event.type == "Action.Before":
        about = next(
            (event.facts[n] for n in ("command", "file_path", "url") if event.facts.get(n)), ""
        )
        who, text = "call", f"{event.facts.get('action_name') or 'call'} {about}".strip()
    call = str(event.facts.get("call_id") or "") if who == "call" else ""
    part = Said(at, who, short(text, MOST_TEXT), agent, call)
    if text and (who == "call" or not said or (said[-1].who, said[-1].text) != (who, part.text)):
        said.append(part)


def _text(event: Event, name: str) -> str:
    value = event.facts.get(name)
    return value if isinstance(value, str) else ""
