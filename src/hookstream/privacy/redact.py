"""The privacy stage: what an Event, a text or any JSON value may say in the chosen mode."""

from __future__ import annotations

from hookstream.event import CONTENT, FACTS, MESSAGE
from hookstream.privacy.digest import digest, is_marker, length, marker, pseudonym
from hookstream.privacy.digest import fingerprint as fingerprint_of_secret
from hookstream.privacy.fingerprint import fingerprint
from hookstream.privacy.homes import Homes
from hookstream.privacy.scanner import SEPARATOR, Scanner
from hookstream.privacy.walk import SHORT, Run, Walker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from hookstream.event import Event

MODES = ("hash", "redact", "full")

_CONTENT = tuple(
    (name, f"{name}_hash", f"{name}_length") for name, (kind, _) in FACTS.items() if kind == CONTENT
)
_CONTENT_NAMES = frozenset(name for name, _, _ in _CONTENT)
_MESSAGES = tuple(name for name, (kind, _) in FACTS.items() if kind == MESSAGE)


class Privacy:
    """One stage for every path: `apply` for Events, `text` and `tree` for all else that is written.

    mode            hash: content as digest and length; redact: content kept; full: identity too.
                    Secrets go in every mode.
    pseudonym_key   16 bytes or more that make pseudonyms and secrets' fingerprints stable
    digest_key      makes digests of content keyed (hmac-sha256)
    allow           rule ids and digests of values that are no secrets here (see Scanner)
    national_ids    also looks for national identity numbers
    scanner         one that is ready; else one is made
    """

    def __init__(
        self,
        mode: str = "hash",
        pseudonym_key: bytes = b"",
        digest_key: bytes | None = None,
        allow: Iterable[str] = (),
        national_ids: bool = False,
        scanner: Scanner | None = None,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"{mode}: no such privacy mode ({', '.join(MODES)})")
        if len(pseudonym_key) < 16:
            raise ValueError("a pseudonym key has at least 16 bytes")
        self.mode = mode
        self.hashes = mode == "hash"
        self.pseudonym_key = pseudonym_key
        self.digest_key = digest_key
        self.scanner = scanner or Scanner(national_ids=national_ids, allow=allow)
        self.homes = None if mode == "full" else Homes(pseudonym_key)
        self.walker = Walker(self.scanner, self.homes, digest_key)
        self._candidates = self.scanner.engine.candidates
        self._home = self.scanner.home
        self._pseudonyms: dict[tuple[str, str], str] = {}

    def apply(self, event: Event) -> None:
        """Makes an Event fit to be written, in place. Total and idempotent.

        One engine call over all strings; where it finds nothing, only content and identity change.
        """
        facts = event.facts
        walker = self.walker
        texts = [value for value in facts.values() if type(value) is str]
        special = changes = False
        for value in facts.values():
            if type(value) is dict or type(value) is list:
                special |= walker.gather(value, texts)
        own = event.content_arguments
        if event.input:
            changes = walker.gather_arguments(event.input, own, texts)
        if event.native:
            changes |= walker.gather_arguments(event.native, own, texts)
        if event.unmapped:
            changes |= walker.gather_arguments(event.unmapped, own, texts)
        if event.redacted or event.artifacts:
            texts += event.redacted
            texts += [text for triple in event.artifacts for text in triple]
        if event.type.startswith("vendor."):
            texts.append(event.type)
        joined = SEPARATOR.join(texts)
        numbers = self._candidates(joined)
        homes = self.homes
        named = homes is not None and homes.touches(joined)
        if numbers and numbers[-1] == self._home:
            numbers.pop()
            named = homes is not None
        touched = special or named or numbers != []
        if touched or changes:
            view = self._rewrite(event, Run(numbers, named, self.hashes, True, own), touched)
        else:
            view = event.input
            self._contents(event, None)
        if "action_name" in facts and "action_fingerprint" not in facts:
            if not view and "command" in facts:
                view = {"command": facts["command"]}
            if view:
                facts["action_fingerprint"] = fingerprint(facts["action_name"], view)
        if self.hashes and ("error_message" in facts or "message" in facts):
            for name in _MESSAGES:
                if name in facts:
                    self._message(event, name, facts[name])
        if homes is not None and ("user_id" in facts or "machine_id" in facts):
            self._identities(facts)

    def text(self, text: str) -> str:
        """A text for an error, a report or a rejection: no secrets, no people's names."""
        return self.walker.text(text, "", Run([0], True, False))

    def tree(self, value: Any) -> Any:
        """Any JSON value without secrets and people's names; keys are scanned, names judged."""
        return self.walker.tree(value, "", Run([0], True, False, judge=False))

    def pseudonym(self, kind: str, value: str) -> str:
        """`user-<16 hex>`, `machine-<16 hex>`: the same under one key, never renamed twice."""
        known = self._pseudonyms.get((kind, value))
        if known is None:
            known = pseudonym(kind, value, self.pseudonym_key)
            if len(self._pseudonyms) > 4096:
                self._pseudonyms.clear()
            self._pseudonyms[kind, value] = known
        return known

    # Parts of apply -----------------------------------------------------------------------------

    def _rewrite(self, event: Event, run: Run, touched: bool) -> dict[str, Any] | None:
        """What a hit, a person's name or a content leaf asks for; gives the fingerprint's view."""
        self._contents(event, run if touched else None)
        if touched:
            self._strings(event, run)
        view = self._arguments(event, run)
        if run.paths:
            self._record(event, run)
        return view

    def _contents(self, event: Event, run: Run | None) -> None:
        """Content facts: digest and length over the raw value, then the value goes or is cleaned."""
        facts = event.facts
        for name, hash_name, length_name in _CONTENT:
            if name not in facts:
                continue
            value = facts[name]
            if hash_name not in facts:
                facts[hash_name] = digest(value, self.digest_key)
            if length_name not in facts:
                facts[length_name] = length(value)
            if run is not None:  # in every mode: counts and fingerprints do not depend on it
                plain = Run(run.numbers, run.named, False, judge=False)
                plain.cache, plain.found = run.cache, run.found
                value = self.walker.tree(value, name, plain)
                if not self.hashes:
                    facts[name] = value
                    run.paths += plain.paths
            if self.hashes:
                del facts[name]
                _add_path(event, name)

    def _strings(self, event: Event, run: Run) -> None:
        """Every other string fact, the type of an unknown event, and what was read back."""
        facts = event.facts
        text = self.walker.text
        for name, value in facts.items():
            if name in _CONTENT_NAMES:
                continue
            if type(value) is str:
                fresh = text(value, name, run)
                if fresh is not value:
                    facts[name] = fresh
            elif type(value) is dict or type(value) is list:
                facts[name] = self.walker.tree(value, name, run)
        if event.type.startswith("vendor."):
            event.type = text(event.type, "type", run)
        if event.redacted:
            event.redacted = [text(path, "redacted", run) for path in event.redacted]
        if event.artifacts:
            event.artifacts = [
                (text(kind, "artifacts", run), text(value, "artifacts", run), field)
                for kind, value, field in event.artifacts
            ]

    def _arguments(self, event: Event, run: Run) -> dict[str, Any] | None:
        """Rewrites the trees; the answer is the input as hash mode shows it."""
        tree = self.walker.tree
        view = event.input
        if event.input:
            if not self.hashes:
                shown = Run(run.numbers, run.named, True, content_names=run.content_names)
                view = tree(event.input, "input", shown)
            event.input = tree(event.input, "input", run)
            if self.hashes:
                view = event.input
        if event.native:
            event.native = tree(event.native, "native", run)
        if event.unmapped:
            event.unmapped = tree(event.unmapped, "unmapped", run)
        return view

    def _message(self, event: Event, name: str, value: Any) -> None:
        """Hash mode keeps a message's first line if it is short: below it stands output."""
        if not self.hashes or type(value) is not str or is_marker(value):
            return
        if len(value) <= SHORT and "\n" not in value:
            return
        line = value.split("\n", 1)[0].rstrip("\r")
        event.facts[name] = line if line and len(line) <= SHORT else marker(value, self.digest_key)
        _add_path(event, name)

    def _identities(self, facts: dict[str, Any]) -> None:
        for name, kind in (("user_id", "user"), ("machine_id", "machine")):
            value = facts.get(name)
            if value:
                facts[name] = self.pseudonym(kind, str(value))

    def _record(self, event: Event, run: Run) -> None:
        """Paths, counts by rule of different values, and each value's keyed fingerprint."""
        for path in run.paths:
            _add_path(event, path)
        if not run.found:
            return
        counts = event.redactions = dict(event.redactions or {})
        for (rule, value), path in run.found.items():
            counts[rule] = counts.get(rule, 0) + 1
            event.secrets.append((rule, path, fingerprint_of_secret(value, self.pseudonym_key)))


def _add_path(event: Event, path: str) -> None:
    if path not in event.redacted:
        event.redacted.append(path)


__all__ = ["MODES", "Privacy"]
