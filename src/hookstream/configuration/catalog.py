"""Every setting of hookstream: its name, valid values, default, and the changes a user may make if
the machine's policy locks it. `docs/configuration.md` is made from this."""

from __future__ import annotations

import os

from hookstream.core.personal import ALL as EVERY
from hookstream.core.personal import DEFAULT, NONE, rules_of, unknown
from hookstream.core.personal import KINDS as PERSONAL_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Changes that a user may make to a locked setting.
FIXED, STRICTER, MORE, ADD = "fixed", "stricter", "more", "add"
HOOK, COLLECTOR, FOLLOWER, QUERIES = "hook", "collector", "follower", "queries"
RETAIN = "retain"
CAPTURE = (HOOK, COLLECTOR)
ALL = (HOOK, COLLECTOR, FOLLOWER)
OFF = ("off", "none", "false", "0")
# Written by a machine's policy alone: what the user's file may not loosen.
LOCKED = "locked"


class Setting:
    """One setting. `choices` of a word are ordered from loose to strict; `readers` are the programs
    that read it."""

    __slots__ = ("about", "choices", "default", "kind", "name", "readers", "when_locked")

    def __init__(
        self,
        name: str,
        kind: str,
        default: Any,
        when_locked: str,
        readers: tuple[str, ...],
        about: str,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.when_locked = when_locked
        self.readers = readers
        self.about = about
        self.choices = choices

    def is_valid(self, value: Any) -> bool:
        """Return whether a value is valid for this setting."""
        if self.choices:
            return value in self.choices
        return KINDS[self.kind](value)

    def is_loosened(self, kept: Any, asked: Any) -> bool:
        """Return whether `asked` is less than `kept`, which is locked."""
        if self.when_locked == ADD or asked == kept:
            return False
        if self.when_locked == STRICTER and self.choices:
            return self.choices.index(asked) < self.choices.index(kept)
        if self.kind == "personal":  # whatever the words: the rules that they name
            return not rules_of(kept) <= rules_of(asked)
        if self.when_locked == STRICTER:  # a truth value
            return bool(kept) and not asked
        if self.when_locked == MORE:
            return kept is None or asked < kept
        return True


def is_path(value: Any) -> bool:
    """Absolute or below the home: a relative path would be one of the folder that the agent works
    in, which may be of any origin."""
    return type(value) is str and (os.path.isabs(value) or value.startswith("~/"))


def is_place(value: Any) -> bool:
    if type(value) is not str:
        return False
    return value.strip().lower() in ("", "*", *OFF) or is_path(value)


def is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


def is_texts(value: Any) -> bool:
    return type(value) is str or (type(value) is list and all(type(one) is str for one in value))


def is_tables(value: Any) -> bool:
    return type(value) is list and all(type(one) is dict for one in value)


KINDS: dict[str, Callable[[Any], bool]] = {
    "path": is_path,
    "place": is_place,
    "count": is_count,
    "milliseconds": lambda value: is_count(value) and 50 <= value <= 60_000,
    "text": lambda value: type(value) is str,
    "flag": lambda value: type(value) is bool,
    "texts": is_texts,
    "table": lambda value: type(value) is dict,
    "tables": is_tables,
    "personal": lambda value: not unknown(value),
}

SETTINGS = (
    Setting("log", "place", "*", FIXED, CAPTURE,
            "Where events are appended: `*` (the default place in the state folder), a file, a "
            "folder with a `/` at its end, or `off`. Locked, the environment and a registration "
            "only add a place."),
    Setting("privacy", "word", "hash", STRICTER, ALL,
            "What is kept of content: `hash` (digest and length), `redact` (content without "
            "secrets), `full`. Secrets are removed in every mode.",
            ("full", "redact", "hash")),
    Setting("pseudonyms", "word", None, STRICTER, ALL,
            "Whether names of users and machines are replaced: `keyed` (a keyed digest) or `off`. "
            "Unset: `off` with privacy `full`, else `keyed`.",
            ("off", "keyed")),
    Setting("personal", "personal", list(DEFAULT), STRICTER, ALL,
            "Kinds of personal data that are replaced as secrets are, in every mode: "
            f"{', '.join(f'`{kind}`' for kind in PERSONAL_KINDS)}, `{EVERY}`, `{NONE}`, or rules "
            "by their ids (`us-ssn`). Locked, more kinds may be named and none left out."),
    Setting("pseudonym_key_file", "path", None, FIXED, ALL,
            "Key of pseudonyms and of fingerprints of secrets; one for all machines of a fleet "
            "makes them join. Unset: `pseudonym.key` in the state folder, made at first use."),
    Setting("hash_key_file", "path", None, FIXED, ALL,
            "Key that makes digests of content keyed (`hmac-sha256:`). Unset: plain SHA-256."),
    Setting("allow", "path", None, FIXED, ALL,
            "Allow-list: rules and digests of values that are no secrets here (docs/rules.md)."),
    Setting("environment", "word", "add", STRICTER, CAPTURE,
            "What `AGENT_HOOKS_LOG` may do to the place of a registered hook: `add` another or "
            "`replace` it.",
            ("replace", "add")),
    Setting("sync", "word", "fdatasync", STRICTER, CAPTURE,
            "How an append is made durable: `none`, `fdatasync`, `full` (macOS: the drive's "
            "cache, too).",
            ("none", "fdatasync", "full")),
    Setting("rotate_bytes", "count", None, FIXED, CAPTURE,
            "Size at which the log is rotated; 0: never. Unset: 64 MiB, or never for a file that "
            "was named."),
    Setting("keep", "count", 0, FIXED, CAPTURE,
            "How many rotated files are kept; 0: all."),
    Setting("budget_ms", "milliseconds", None, FIXED, CAPTURE,
            "Longest time of a hook, 50 to 60000. Unset: by client, within the client's own "
            "limit."),
    Setting("sources", "texts", [], ADD, (FOLLOWER,),
            "Files, folders, globs and streams that are followed."),
    Setting("sink", "tables", [], ADD, (FOLLOWER,),
            "Where events go: `[[sink]]` tables, see below and docs/sinks.md."),
    Setting("route", "tables", [], ADD, (FOLLOWER,),
            "Which events go to which sink: `[[route]]` tables."),
    Setting("alert", "tables", [], ADD, (FOLLOWER,),
            "Rules and questions on a schedule: `[[alert]]` tables."),
    Setting("standard", "word", "both", FIXED, (FOLLOWER,),
            "The standard that is written.",
            ("agent-hooks", "aarts", "both")),
    Setting("vendor", "text", None, FIXED, (FOLLOWER,),
            "Vendor of every record; unset: found per record."),
    Setting("state", "path", None, FIXED, (FOLLOWER,),
            "Folder of checkpoints and spool."),
    Setting("spool_bytes", "count", None, MORE, (FOLLOWER,),
            "Limit of the spool of undelivered records."),
    Setting("seal", "flag", False, STRICTER, (FOLLOWER,),
            "Whether what is written is sealed (docs/seal.md)."),
    Setting("seal_to", "texts", [], ADD, (FOLLOWER,),
            "Second places of the seal's checkpoints."),
    Setting("kafka", "table", {}, FIXED, (FOLLOWER,),
            "Options of `kafka://` sources."),
    Setting("retention", "table", {}, FIXED, (RETAIN,),
            "How long records and their content are kept: `max_age`, `content_max_age`, "
            "`operator_key_file` (docs/retention.md)."),
    Setting("expected_machines", "path", None, FIXED, (QUERIES,),
            "Roster: the machines that have to report, one a line. `gaps` names those that do "
            "not."),
)  # fmt: skip
BY_NAME = {setting.name: setting for setting in SETTINGS}
