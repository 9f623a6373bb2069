"""Every setting of hookstream, once: its name, valid values, default, the programs that read it,
the option and the variable that set it, and the changes a user may make if the machine's policy
locks it. Readers of files, command lines and `docs/configuration.md` are made from this table."""

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
HOOK, COLLECTOR, RUN, FOLLOWER = "hook", "collector", "run", "follower"
QUERIES, RETAIN, PAGES = "queries", "retain", "pages"
CAPTURE = (HOOK, COLLECTOR)
ALL = (HOOK, COLLECTOR, RUN, FOLLOWER)
OFF = ("off", "none", "false", "0")
# Written by a machine's policy alone: what the user's file may not loosen.
LOCKED = "locked"


class Setting:
    """One setting. `choices` of a word are ordered from loose to strict; `readers` are the programs
    that read it from files, none for a setting that only an option has. `option` is the option's
    spelling, `help` its text; `variable` is the variable of the environment, `older` the name in
    config.json, `least` the smallest number."""

    def __init__(
        self,
        name: str,
        kind: str,
        default: Any,
        when_locked: str,
        readers: tuple[str, ...],
        about: str,
        choices: tuple[str, ...] = (),
        *,
        option: str = "",
        help: str = "",
        variable: str = "",
        older: str = "",
        least: int = 0,
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.when_locked = when_locked
        self.readers = readers
        self.about = about
        self.choices = choices
        self.option = option
        self.help = help
        self.variable = variable
        self.older = older
        self.least = least

    @property
    def words(self) -> tuple[str, ...]:
        """The choices as they are named to a user: the strictest, which is the default, first."""
        return self.choices[::-1] if self.when_locked == STRICTER else self.choices

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


def option_only(
    name: str, kind: str, default: Any, option: str, help: str, *choices: str, least: int = 0
) -> Setting:
    """A setting that no file has."""
    return Setting(
        name, kind, default, FIXED, (), help, choices, option=option, help=help, least=least
    )


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

TABLE = (
    Setting("log", "place", "*", FIXED, CAPTURE,
            "Where events are appended: `*` (the default place in the state folder), a file, a "
            "folder with a `/` at its end, or `off`. Locked, the environment and a registration "
            "only add a place.",
            variable="AGENT_HOOKS_LOG"),
    Setting("privacy", "word", "hash", STRICTER, ALL,
            "What is kept of content: `hash` (digest and length), `redact` (content without "
            "secrets), `full`. Secrets are removed in every mode.",
            ("full", "redact", "hash"),
            option="--privacy", help="hash (default) | redact | full"),
    Setting("pseudonyms", "word", None, STRICTER, ALL,
            "Whether names of users and machines are replaced: `keyed` (a keyed digest) or `off`. "
            "Unset: `off` with privacy `full`, else `keyed`.",
            ("off", "keyed")),
    Setting("personal", "personal", list(DEFAULT), STRICTER, ALL,
            "Kinds of personal data that are replaced as secrets are, in every mode: "
            f"{', '.join(f'`{kind}`' for kind in PERSONAL_KINDS)}, `{EVERY}`, `{NONE}`, or rules "
            "by their ids (`us-ssn`). Locked, more kinds may be named and none left out.",
            option="--personal",
            help=f"Redacted personal data: {','.join(PERSONAL_KINDS)} | {EVERY} | {NONE}"),
    Setting("pseudonym_key_file", "path", None, FIXED, ALL,
            "Key of pseudonyms and of fingerprints of secrets; one for all machines of a fleet "
            "makes them join. Unset: `pseudonym.key` in the state folder, made at first use.",
            variable="HOOKSTREAM_PSEUDONYM_KEY_FILE"),
    Setting("hash_key_file", "path", None, FIXED, ALL,
            "Key that makes digests of content keyed (`hmac-sha256:`). Unset: plain SHA-256.",
            option="--hash-key-file", help="Key for digests (hmac-sha256); mode 0600.",
            older="digest_key"),
    Setting("allow", "path", None, FIXED, ALL,
            "Allow-list: rules and digests of values that are not secrets here "
            "(docs/how-to/allow-list.md).",
            option="--allow",
            help="Allow-list: rules and digests that are not secrets here."),
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
            "Files, folders, globs and streams that are followed.",
            option="SOURCES", help="Files, folders, globs, or - for stdin."),
    Setting("sink", "tables", [], ADD, (FOLLOWER,),
            "Where events go: `[[sink]]` tables, see below and docs/sinks.md.",
            option="--to", help="Sink URI; may be given more than once."),
    Setting("route", "tables", [], ADD, (FOLLOWER,),
            "Which events go to which sink: `[[route]]` tables."),
    Setting("alert", "tables", [], ADD, (FOLLOWER,),
            "Rules and questions on a schedule: `[[alert]]` tables."),
    Setting("standard", "word", "both", FIXED, (FOLLOWER,),
            "The standard that is written.",
            ("agent-hooks", "aarts", "both"),
            option="--standard", help="agent-hooks | aarts | both (default)"),
    Setting("vendor", "text", None, FIXED, (FOLLOWER,),
            "Vendor of every record; unset: found per record.",
            option="--vendor", help="Vendor (default: detected per record)."),
    Setting("state", "path", None, FIXED, (FOLLOWER,),
            "Folder of checkpoints and spool.",
            option="--state",
            help="Folder of checkpoints and spool, with --follow, --config."),
    Setting("spool_bytes", "count", None, MORE, (FOLLOWER,),
            "Limit of the spool of undelivered records.",
            least=1 << 20),
    Setting("seal", "flag", False, STRICTER, (FOLLOWER,),
            "Whether what is written is sealed (docs/seal.md).",
            option="--seal", help="Seal what is written (docs/seal.md)."),
    Setting("seal_to", "texts", [], ADD, (FOLLOWER,),
            "Second places of the seal's checkpoints.",
            option="--seal-to",
            help="Second place of checkpoints: file:, git:, https:, syslog:, s3:"),
    Setting("kafka", "table", {}, FIXED, (FOLLOWER,),
            "Options of `kafka://` sources."),
    Setting("retention", "table", {}, FIXED, (RETAIN,),
            "How long records and their content are kept: `max_age`, `content_max_age`, "
            "`operator_key_file` (docs/retention.md)."),
    Setting("expected_machines", "path", None, FIXED, (QUERIES,),
            "Roster: the machines that have to report, one per line. `gaps` names those that do "
            "not.",
            option="--roster",
            help="Expected machines, one per line (default: as configured)."),
    Setting("prompts", "word", "hide", STRICTER, (PAGES,),
            "Whether `hookstream ui` without a lake shows your own prompts: `show` (read from the "
            "session files when a page needs them, kept nowhere) or `hide`. Its option "
            "`--prompts`, else the first start, sets it.",
            ("show", "hide")),
    Setting("smallest_group", "count", 5, MORE, (PAGES,),
            "How many people the costs and lists of people in `hookstream ui` add up at least, in "
            "a lake of more than one person; 1 shows each. Rows of evidence, SQL and exports have "
            "all.",
            least=1),
    option_only("report", "path", None, "--report", "Write counters as JSON to this file."),
    option_only("workers", "count", 1, "--workers",
                "Number of processes; the output does not depend on it.", least=1),
    option_only("strict", "flag", False, "--strict/--no-strict",
                "Exit 1 if any line was rejected."),
    option_only("now", "text", None, "--now", "RFC 3339 time to use as the clock."),
    option_only("witness", "words", None, "--witness",
                "hook,transcript,telemetry: the kinds to use (default all)",
                "hook", "transcript", "telemetry"),
    option_only("machine", "text", None, "--machine",
                "Machine of records that name none; see docs/tables.md."),
    option_only("follow", "flag", False, "--follow/--no-follow",
                "Keep running and deliver new lines as they arrive (like tail -F)."),
    option_only("config", "path", None, "--config",
                "TOML file of sinks and filters; resumes where the last delivery stopped."),
    option_only("rules", "texts", None, "--rules",
                "Sigma rules asked of every event: files, folders, or pack."),
    option_only("metrics", "text", None, "--metrics",
                "[HOST:]PORT of /metrics, /healthz, /readyz, with --follow, --config."),
    option_only("metrics_otlp", "text", None, "--metrics-otlp",
                "OTLP/HTTP URL for the same figures, .../v1/metrics."),
    option_only("log_format", "text", "text", "--log-format", "text | json (standard error)"),
    option_only("log_level", "text", "info", "--log-level", "debug | info | warning | error"),
    option_only("loop_threshold", "count", None, "--loop-threshold",
                "Failed attempts that are a retry loop (default 3).", least=2),
)  # fmt: skip
# What files may hold; the rest are options alone.
SETTINGS = tuple(setting for setting in TABLE if setting.readers)
BY_NAME = {setting.name: setting for setting in SETTINGS}
OPTIONS = {setting.name: setting for setting in TABLE if setting.option}
