"""The privacy stage: what an Event, a text or any JSON value may say in the chosen mode."""

from __future__ import annotations

import re

from hookstream.core.changes import ENTRIES, MEMORIES
from hookstream.core.event import CONTENT, FACTS, IDENTIFIER, MESSAGE
from hookstream.core.personal import DEFAULT
from hookstream.redaction.context import RedactionContext
from hookstream.redaction.digest import as_bytes, digest_of, is_marker, length_of, marker, pseudonym
from hookstream.redaction.digest import fingerprint as fingerprint_of_secret
from hookstream.redaction.fields import HAS_CONTENT, HAS_SECRET, SHORT, Fields
from hookstream.redaction.fingerprint import fingerprint
from hookstream.redaction.fragments import Fragments
from hookstream.redaction.homes import HomePaths, may_name
from hookstream.redaction.json_redactor import JsonRedactor
from hookstream.redaction.rules import PERSONAL
from hookstream.redaction.scanner import SEPARATOR, Scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from hookstream.core.event import Event

    Trees = dict[str, dict[str, Any]]


# Claims: facts of an Event about itself (its owner, what was synthesized or redacted, its risk).
# hookstream sets them, but a line that is read back may come from any writer and hold any text.


def gather_claims(event: Event, texts: list[str]) -> None:
    """Add the strings of an Event's claims to `texts`."""
    texts.append(event.vendor)
    texts += event.synthesized
    texts += event.content_arguments
    if event.redacted or event.artifacts:
        texts += event.redacted
        texts += [text for triple in event.artifacts for text in triple]
    if event.secrets or event.redactions or event.risk is not None:
        texts += [text for triple in event.secrets for text in triple]
        texts += event.redactions or ()
        texts += event.risk[2] if event.risk is not None else ()


def digest_artifacts(event: Event, key: bytes | None) -> None:
    """Replace content among the artifacts of a line that is read back by digest and length."""
    event.artifacts = [
        (artifact[0], marker(artifact[1], key), *artifact[2:])
        if artifact[0] in ("content", "prompt_fragment") and not is_marker(artifact[1])
        else artifact
        for artifact in event.artifacts
    ]


def rewrite_claims(event: Event, clean: Callable[[str, str], str]) -> None:
    """Replace each string of an Event's claims by `clean(text, path)`."""

    def triples(claims: list[Any], path: str) -> Any:
        return [tuple(clean(text, path) for text in triple) for triple in claims]

    event.vendor = clean(event.vendor, "vendor")
    event.synthesized = [clean(name, "synthesized") for name in event.synthesized]
    event.content_arguments = frozenset(
        clean(name, "content_arguments") for name in event.content_arguments
    )
    event.redacted = [clean(path, "redacted") for path in event.redacted]
    event.artifacts = triples(event.artifacts, "artifacts")
    event.secrets = triples(event.secrets, "secrets")
    if event.redactions:
        counts = event.redactions.items()
        event.redactions = {clean(rule, "redactions"): n for rule, n in counts}
    if event.risk is not None:
        score, level, factors = event.risk
        event.risk = score, level, tuple(clean(factor, "risk") for factor in factors)


# Trees: what the emitter of a line said and no fact holds, by its place in the standards.

# Fields of AARTS that are content whatever their length.
AARTS_CONTENT = frozenset(
    "system_prompt custom_instructions context_injections user_input body_content original_value "
    "modified_value".split()
)
PLACES = frozenset(("data", "action", "result", "decision", "usage"))


def gather_trees(trees: Trees, fields: Fields, texts: list[str]) -> int:
    """Add every string to `texts`; the bits HAS_CONTENT, HAS_SECRET say what the trees hold."""
    flags = 0
    for tree in trees.values():
        flags |= fields.gather(tree, texts)
        if not AARTS_CONTENT.isdisjoint(tree):
            flags |= HAS_CONTENT
    return flags


def rewrite_trees(trees: Trees, walker: JsonRedactor, context: RedactionContext) -> Trees:
    """The trees without what the context's rules match; in hash mode without content."""
    own = context.with_content(AARTS_CONTENT)
    rewritten = {}
    for name, tree in trees.items():
        if name == "event":
            rewritten[name] = _object(tree, walker, own, "")
            continue
        rewritten[name] = walker.tree(tree, name, own)
    return rewritten


def _object(
    tree: dict[str, Any], walker: JsonRedactor, context: RedactionContext, path: str
) -> dict[str, Any]:
    """Redact one object of an event. Its field names are not evidence of a secret."""
    out: dict[str, Any] = {}
    for key, value in tree.items():
        if key in PLACES and type(value) is dict:
            out[key] = _object(value, walker, context, f"{path}.{key}" if path else key)
        else:
            out |= walker.tree({key: value}, path, context)
    return out


# Limits of the cache of clean texts: their number and their length.
TEXTS, LENGTH = 4096, 256


class EventScan:
    """The texts of each Event in one pass of the engine, without those known to be clean.

    Names, ids and paths repeat with every event of a session: nine in ten texts of an event, and
    half of its characters, were scanned with one before it.
    """

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self._candidates = scanner.candidates
        self._home = scanner.home
        # Texts in which no rule matches: they are not scanned again.
        self.clean: set[str] = set()

    def found(self, event: Event, texts: list[str]) -> tuple[list[int], bool]:
        """The numbers of the rules that match in the texts of an Event, and whether a text may hold
        a user's home folder."""
        unknown = self._unknown(event, texts)
        if not unknown:
            return [], False
        joined = SEPARATOR.join(unknown)
        numbers = self._candidates(joined)
        has_home = bool(numbers) and numbers[-1] == self._home
        if has_home:
            numbers.pop()
        if numbers:
            numbers = self.scanner.confirm(joined, numbers)
        if not numbers:
            self._learn(unknown, has_home)
        return numbers, has_home

    def _unknown(self, event: Event, texts: list[str]) -> list[str]:
        """The texts that are not known to be clean, without what hookstream gives every Event:
        that holds nothing of its record."""
        if event.read_back:  # anybody may have written its line
            return [text for text in texts if text not in self.clean]
        get = event.facts.get
        own, moment, arrival = get("event_id"), get("timestamp"), get("received_at")
        return [text for text in texts if text != own and text != moment and text != arrival]

    def _learn(self, texts: list[str], has_home: bool) -> None:
        """Remember texts that no rule can match."""
        if len(self.clean) > TEXTS:
            self.clean.clear()
        short = [text for text in texts if len(text) <= LENGTH]
        if has_home:
            short = [text for text in short if not may_name(text)]
        self.clean.update(short)


UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
MODES = ("hash", "redact", "full")

_CONTENT = tuple(
    (name, f"{name}_hash", f"{name}_length") for name, (kind, _) in FACTS.items() if kind == CONTENT
)
_CONTENT_NAMES = frozenset(name for name, _, _ in _CONTENT)
_IDENTIFIERS = frozenset(name for name, (kind, _) in FACTS.items() if kind == IDENTIFIER)
# Content has been seen to, and digests repeat nothing.
_SPARED = _CONTENT_NAMES | {
    name for name in FACTS if name.endswith(("_hash", "_fingerprint")) or name == "event_id"
}
_NOT_SLUGS = frozenset(FACTS) - {"tool"}  # an agent's name respelt: never text of a session
_IDENTITIES = {
    "user_id": "user",
    "machine_id": "machine",
    "claimed_machine_id": "machine",
    "user_name": "user",
}
# Who acts: a person where the actor is one.
_ACTOR = ("actor_id", "actor_name")
NAMED = frozenset(("user_id", "machine_id", *_ACTOR))
_MESSAGES = tuple(name for name, (kind, _) in FACTS.items() if kind == MESSAGE)


class Redactor:
    """The stage every path goes through: `redact_event`; `redact_text` and `redact_json` serve all
    else that is written.

    mode            hash: content as digest and length; redact: content kept; full: identity too.
                    Secrets go in every mode.
    pseudonyms      keyed or off: names of users and machines, whatever the mode; None: as it says
    pseudonym_key   16 bytes or more that make pseudonyms and secrets' fingerprints stable
    digest_key      makes digests of content keyed (hmac-sha256)
    allow           rule ids and digests of values that are not secrets here (see Scanner)
    scanner         one that is ready; else one with `engine` is made
    personal        the kinds of personal data that are looked for (see `hookstream.core.personal`)
    """

    def __init__(
        self,
        mode: str = "hash",
        pseudonym_key: bytes = b"",
        digest_key: bytes | None = None,
        allow: Iterable[str] = (),
        scanner: Scanner | None = None,
        pseudonyms: str | None = None,
        personal: Sequence[str] = DEFAULT,
        engine: str = "auto",
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"{mode}: no such privacy mode ({', '.join(MODES)})")
        if len(pseudonym_key) < 16:
            raise ValueError("a pseudonym key has at least 16 bytes")
        self.mode, self.hashes = mode, mode == "hash"
        self.pseudonym_key = pseudonym_key
        self.digest_key = digest_key
        self.scanner = scanner or Scanner(engine, allow, None, digest_key, personal)
        self.allowed: dict[str, int] = {}  # what the allow-list let stay, by rule, till taken
        self.keeps_names = pseudonyms == "off" or (pseudonyms is None and mode == "full")
        self.homes = None if self.keeps_names else HomePaths(pseudonym_key)
        self._scan = EventScan(self.scanner)
        self.fields = Fields(self.scanner, self.homes, self._scan.clean)
        self.walker = JsonRedactor(self.scanner, self.fields, self.homes, digest_key)
        self._pseudonyms: dict[tuple[str, str], str] = {}

    def redact_event(self, event: Event) -> None:
        """Make an Event fit to be written, in place. Total and idempotent.

        One engine call over all strings; where it finds nothing, only content and identity change.
        """
        facts = event.facts
        context, native = None, event.native
        if self.homes is not None and (event.read_back or not facts.keys().isdisjoint(NAMED)):
            self._identities(event)
        texts: list[str] = []
        held = self._gather(event, texts)
        trees = self._gather_trees(event, texts)
        numbers, has_home = self._scan.found(event, texts)
        named = has_home and self.homes is not None
        if numbers or (held | trees) & HAS_SECRET:
            context = RedactionContext(numbers, named, self.hashes, event.content_arguments)
            view = self._rewrite(event, context)
        else:
            self._digest(event)
            view = self._mark(event) if trees else event.input
            if named and self.homes is not None:
                self.homes.apply(event)
        if "action_name" in facts and "action_fingerprint" not in facts:
            if not view and "command" in facts:
                view = {"command": facts["command"]}
            if view:
                facts["action_fingerprint"] = fingerprint(facts["action_name"], view)
        if "decision" in facts or "modified" in facts or "failure" in facts:
            self._digest_inputs(event, view, native or {}, context)
        if self.hashes:
            if "error_message" in facts or "message" in facts:
                self._shorten(event)
            if event.read_back and event.artifacts:
                digest_artifacts(event, self.digest_key)

    def redact_text(self, text: str) -> str:
        """A text for an error, a report or a rejection: no secrets, no people's names."""
        return self.walker.text(text, "", RedactionContext(None, True, False, judge=False))

    def redact_json(self, value: Any) -> Any:
        """Any JSON value without secrets and people's names; keys are scanned, names judged."""
        return self.walker.tree(value, "", RedactionContext(None, True, False, judge=False))

    def pseudonym(self, kind: str, value: str) -> str:
        """`user-<16 hex>`, `machine-<16 hex>`: the same under one key, never renamed twice."""
        name = self._pseudonyms.get((kind, value))
        if name is None:
            name = pseudonym(kind, value, self.pseudonym_key)
            if len(self._pseudonyms) > 4096:
                self._pseudonyms.clear()
            self._pseudonyms[kind, value] = name
        return name

    # Parts of redact_event

    def _gather(self, event: Event, texts: list[str]) -> int:
        """The strings of facts and of what was read back that are not known to be clean;
        HAS_SECRET if a name in them says so."""
        flags = 0
        clean = self._scan.clean
        for value in event.facts.values():
            kind = type(value)
            if kind is str:
                if value not in clean:
                    texts.append(value)
            elif kind is dict or kind is list:
                flags |= self.fields.gather(value, texts)
        if event.read_back:
            gather_claims(event, texts)
        if event.type.startswith("vendor."):
            texts.append(event.type)
        return flags

    def _gather_trees(self, event: Event, texts: list[str]) -> int:
        """The strings of arguments and leftovers; HAS_CONTENT and HAS_SECRET say what they hold."""
        flags = 0
        for tree in (event.input, event.native, event.unmapped):
            if tree:
                flags |= self.fields.gather(tree, texts)
                if not tree.keys().isdisjoint(event.content_arguments):
                    flags |= HAS_CONTENT
        if event.emitter is not None:
            flags |= gather_trees(event.emitter, self.fields, texts)
        return flags

    def _digest(self, event: Event) -> None:
        """Digest and length over the raw content; hash mode then drops the content."""
        facts = event.facts
        if facts.keys().isdisjoint(_CONTENT_NAMES):
            return
        for name, hash_name, length_name in _CONTENT:
            if name in facts:
                value = facts[name]
                if hash_name not in facts:
                    data = as_bytes(value)
                    facts[hash_name] = digest_of(data, self.digest_key)
                    if length_name not in facts:
                        facts[length_name] = length_of(value, data)
                if self.hashes:
                    if name in MEMORIES and type(value) is list and len(value) <= ENTRIES:
                        entries = [digest_of(as_bytes(entry), self.digest_key) for entry in value]
                        event.native = {**(event.native or {}), f"{name}_entries": entries}
                    del facts[name]
                    _add_path(event, name)

    def _mark(self, event: Event) -> dict[str, Any] | None:
        """Content leaves of a clean event; gives the input as hash mode shows it."""
        mark = self.walker.mark
        paths: list[str] = []
        own = event.content_arguments
        view = mark(event.input, "input", own, paths) if event.input else None
        if self.hashes:
            event.input = view
            if event.native:
                event.native = mark(event.native, "native", own, paths)
            if event.unmapped:
                event.unmapped = mark(event.unmapped, "unmapped", own, paths)
            if event.emitter is not None:
                context = RedactionContext([], named=False, hash=True)
                event.emitter = rewrite_trees(event.emitter, self.walker, context)
                paths += context.paths
            for path in paths:
                _add_path(event, path)
        return view

    def _rewrite(self, event: Event, context: RedactionContext) -> dict[str, Any] | None:
        """Apply what a hit, a person's name or a secret's name requires; return the fingerprint's
        view.
        """
        facts = event.facts
        contents = {name: facts[name] for name in _CONTENT_NAMES if name in facts}
        self._digest(event)
        for name, value in contents.items():  # in every mode: counts do not depend on it
            plain = context.for_content()
            clean = self.walker.tree(value, name, plain)
            if not self.hashes:
                facts[name] = clean
                context.paths += plain.paths
        self._strings(event, context)
        tree = self.walker.tree
        view = event.input
        if event.input:
            event.input = tree(event.input, "input", context)
            same = self.hashes and not context.named
            view = event.input if same else tree(view, "input", context.for_view())
        if event.native:
            event.native = tree(event.native, "native", context)
        if event.unmapped:
            event.unmapped = tree(event.unmapped, "unmapped", context)
        if event.emitter is not None:
            event.emitter = rewrite_trees(event.emitter, self.walker, context)
        self._drop_fragments(event, context)
        self._record(event, context)
        return view

    def _strings(self, event: Event, context: RedactionContext) -> None:
        """Every other string fact, the type of an unknown event, and what was read back."""
        facts = event.facts
        text = self.walker.text
        for name, value in facts.items():
            if name in _CONTENT_NAMES:
                continue
            if name in _IDENTITIES or (name in _ACTOR and is_person(event)):
                if self.homes is None and type(value) is str:
                    facts[name] = text(
                        value, name, context.for_identity(self.scanner.numbers_of(PERSONAL))
                    )
            elif type(value) is str:
                # Sixteen digits at the start of a UUID can look like a card's; an id stays an id.
                if name not in _IDENTIFIERS or UUID.fullmatch(value) is None:
                    facts[name] = text(value, name, context)
            elif type(value) is dict or type(value) is list:
                facts[name] = self.walker.tree(value, name, context)
        if event.type.startswith("vendor."):
            event.type = text(event.type, "type", context)
        if event.read_back:
            rewrite_claims(event, lambda claim, path: text(claim, path, context))

    def _drop_fragments(self, event: Event, context: RedactionContext) -> None:
        """Facts that repeat a piece of a secret of this event (see fragments.py)."""
        if not context.found:
            return
        # What rules that go by shape find is not a word that occurs elsewhere.
        formats = self.scanner.formats() - PERSONAL
        secrets = [hit for hit in context.found if hit[0] in formats]
        if secrets:
            context.paths += Fragments(secrets).drop(event, _SPARED)
        loose = [hit for hit in context.found if hit[0] not in formats]
        if loose:
            context.paths += Fragments(loose, whole=True).drop(event, _NOT_SLUGS)
        people = [hit for hit in context.found if hit[0] in PERSONAL]
        if people:
            context.paths += Fragments(people, whole=True).drop(event, _SPARED.union(_IDENTITIES))

    def _shorten(self, event: Event) -> None:
        """Hash mode keeps a message's first line if it is short: output is below it."""
        for name in _MESSAGES:
            value = event.facts.get(name)
            if type(value) is not str or (len(value) <= SHORT and "\n" not in value):
                continue
            line = value.split("\n", 1)[0].rstrip("\r")
            if not line or len(line) > SHORT:
                line = marker(value, self.digest_key)
            event.facts[name] = line
            _add_path(event, name)

    def _identities(self, event: Event) -> None:
        facts = event.facts
        for name, kind in _IDENTITIES.items():
            value = facts.get(name)
            if value:
                facts[name] = self.pseudonym(kind, str(value))
        if is_person(event):
            for name in _ACTOR:
                if facts.get(name):
                    facts[name] = self.pseudonym("user", str(facts[name]))

    def _digest_inputs(
        self,
        event: Event,
        view: dict[str, Any] | None,
        native: dict[str, Any],
        context: RedactionContext | None,
    ) -> None:
        """Digests of the input a decision is about and of what it became, as hash mode shows them:
        equal in every mode, and no secret can be guessed by them. `native` is as it was."""

        def digest(tree: Any) -> str:
            if context is None:
                tree = self.walker.mark(tree, "input", event.content_arguments, [])
            else:
                tree = self.walker.tree(tree, "input", context.for_view())
            return digest_of(as_bytes(tree), self.digest_key)

        facts = event.facts
        shown = digest_of(as_bytes(view), self.digest_key) if view else None
        original, wanted = native.get("original_input"), native.get("modified_input")
        if type(original) is dict:
            facts.setdefault("input_hash", digest(original))
            if shown is not None:
                facts.setdefault("modified_input_hash", shown)
            return
        if shown is not None:
            facts.setdefault("input_hash", shown)
        if type(wanted) is dict:
            facts.setdefault("modified_input_hash", digest(native.get("merged_input", wanted)))

    def _record(self, event: Event, context: RedactionContext) -> None:
        """Paths, counts by rule of different values, and each secret's keyed fingerprint."""
        for path in context.paths:
            _add_path(event, path)
        for rule, _ in context.allowed:
            self.allowed[rule] = self.allowed.get(rule, 0) + 1
        if not context.found:
            return
        counts = event.redactions = dict(event.redactions or {})
        for (rule, value), path in context.found.items():
            counts[rule] = counts.get(rule, 0) + 1
            if rule in PERSONAL:  # an address of a person opens nothing: no secret
                continue
            event.secrets.append((rule, path, fingerprint_of_secret(value, self.pseudonym_key)))


def is_person(event: Event) -> bool:
    """Return whether the actor of an event is a person, as the emitter says or its type has it."""
    actor = event.facts.get("actor_type")
    return actor == "user" or (actor is None and event.type.startswith("Prompt."))


def _add_path(event: Event, path: str) -> None:
    if path not in event.redacted:
        event.redacted.append(path)
