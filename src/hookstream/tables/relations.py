"""The relations of `sql/`, made at need and once: `base.calls`, `base.sessions` ... over the
events in `base.events`. A relation names what it is made of as `base.NAME`."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookstream.core import decisions
from hookstream.detect.attempts import DEFAULT, Finished, SessionStep, Thresholds
from hookstream.detect.compactions import CompactionStep, found
from hookstream.lake.columns import COLUMNS
from hookstream.lake.rows import structs
from hookstream.sessions import refusals
from hookstream.tables.connection import run_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import duckdb
    import pyarrow as pa


def has_several(connection: duckdb.DuckDBPyConnection, witnesses: str = "base.events") -> bool:
    """Return whether rows, events by default, name more than one kind of `witness`."""
    row = run_step(connection, "witness_kinds", witnesses=witnesses).fetchone()
    return bool(row and row[0] > 1)


def fill_readable(connection: duckdb.DuckDBPyConnection) -> None:
    """`base.readable`: which kinds of witness can be read of the tools that are there."""
    from hookstream.normalizers import has_table

    connection.execute("create or replace table base.readable (tool varchar, kind varchar)")
    tools = connection.execute("select distinct tool from base.known").fetchall()
    for (tool,) in tools:
        for kind in ("hook", "transcript", "telemetry"):
            if has_table(tool, kind):
                connection.execute("insert into base.readable values (?, ?)", [tool, kind])


def leave_alone(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `base.merged` of events that one kind of witness reported."""
    run_step(connection, "one_witness")


def hosts_of(connection: duckdb.DuckDBPyConnection, rows_of: str) -> pa.Table:
    """Distinct `url` of a relation, with its `host`, of those that name one."""
    import pyarrow as pa

    from hookstream.shell.addresses import url_of

    rows = connection.execute(
        f"select distinct url from {rows_of} where url is not null order by 1"
    ).fetchall()
    known = [(text, address.host) for (text,) in rows if (address := url_of(text)) is not None]
    texts, hosts = zip(*known, strict=True) if known else ((), ())
    return pa.table({"url": pa.array(texts, pa.string()), "host": pa.array(hosts, pa.string())})


def fill_found_loops(connection: duckdb.DuckDBPyConnection) -> None:
    """The table: a number, key, kind, attempts, failures, `calls` (numbers in `loop_attempts`),
    aborted."""
    import pyarrow as pa

    row = connection.execute(
        "select getvariable('loop_failures'), getvariable('loop_unchanged')"
    ).fetchone()
    thresholds = Thresholds(*(row or ()))
    rows = run_step(connection, "loop_steps").fetchall()
    made: list[tuple[Any, ...]] = []
    for session, steps in groupby(rows, key=lambda one: one[:3]):
        found = Finished(thresholds).loops(SessionStep(*one[3:]) for one in steps)
        made += [(len(made) + n, *session, *loop) for n, loop in enumerate(found)]
    text, number = pa.string(), pa.int64()
    types = {
        "number": number, "machine": text, "tool": text, "session_id": text, "agent": text,
        "turn": text, "action_fingerprint": text, "kind": text, "attempts": number,
        "failures": number, "calls": pa.list_(number), "aborted": pa.bool_(),
    }  # fmt: skip
    _keep_rows(connection, "found_loops", types, made)


def fill_found_compactions(connection: duckdb.DuckDBPyConnection) -> None:
    """The table: a number, key, agent, the `steps` (numbers in `context_steps`), the ids of their
    events and what they add up to."""
    import pyarrow as pa

    made: list[tuple[Any, ...]] = []
    rows = run_step(connection, "context_steps").fetchall()
    for (*session, confirms), steps in groupby(rows, key=lambda one: one[:4]):
        for one in found([CompactionStep(*step[4:]) for step in steps]):
            numbers = [step.number for step in one.steps]
            made.append((
                len(made), *session, one.steps[0].agent, numbers, [s.event_id for s in one.steps],
                one.trigger, one.most("tokens_before"), one.most("tokens_after"), one.removed,
                one.is_completed(confirms), one.end(confirms),
                "observed" if one.is_observed(confirms) else "inferred",
            ))  # fmt: skip
    text, number = pa.string(), pa.int64()
    types = {
        "number": number, "machine": text, "tool": text, "session_id": text, "agent": text,
        "steps": pa.list_(number), "evidence": pa.list_(text), "trigger": text,
        "tokens_before": number, "tokens_after": number, "tokens_removed": number,
        "completed": pa.bool_(), "end": text, "certainty": text,
    }  # fmt: skip
    _keep_rows(connection, "found_compactions", types, made)


# The tables that are kept next to a lake, in the order in which they are made.
TABLES = tuple(
    (
        "calls denies asks loops compactions prompts agents sessions secrets destinations "
        "mcp_servers packages capture capture_faults conflicts context_samples coverage decisions "
        "errors plugins risky_modes silenced token_counts turns unmapped usage"
    ).split()
)
# Read once by those that name them: the rest is worth keeping.
VIEWS = frozenset(
    (
        "merged stream keyed_events keyed_stream call_events call_rows placed loop_steps capture "
        "capture_faults context_samples coverage decisions errors plugins risky_modes silenced "
        "token_counts turns unmapped usage"
    ).split()
)
# Views that most others read: of few events they are tables, as binding a view over Parquet files
# again and again takes longer than copying its rows once.
READ_OFTEN = frozenset(("stream", "call_events"))
NAMED = re.compile(r"\bbase\.(\w+)")
WORD = re.compile(r"\w+")
COMMENT = re.compile(r"--.*")
# Relations that give events the number of their session: what they are where these have it.
KEYED = {
    "keyed_events": "select *, told_session as session from base.events",
    "keyed_stream": "select *, told_session as session from base.stream",
}
LOOP_FAILURES = DEFAULT.failures
LOOP_UNCHANGED = DEFAULT.unchanged


@cache
def sources() -> dict[str, str]:
    """relation -> its SELECT"""
    return {
        file.name.removesuffix(".sql"): file.read_text("utf-8")
        for file in resources.files("hookstream.tables").joinpath("sql").iterdir()
        if file.name.endswith(".sql")
    }


@cache
def detectors() -> dict[str, str]:
    """module -> source of what decides loops, compactions, refusals and the reading of commands
    for the stream and for tables."""
    shell = resources.files("hookstream.shell")
    folders = {
        "detect": resources.files("hookstream.detect"),
        "shell": shell,
        "effects": shell / "effects",
    }
    own = ("sessions/refusals.py", "core/decisions.py", "core/clients.py")
    found = {name: resources.files("hookstream").joinpath(name) for name in own}
    for folder, place in folders.items():
        found |= {f"{folder}/{file.name}": file for file in place.iterdir()}
    return {name: file.read_text("utf-8") for name, file in found.items() if name.endswith(".py")}


@cache
def columns_read() -> tuple[str, ...]:
    """The columns of events that tables are made of: those that some relation names."""
    texts = (COMMENT.sub("", text) for text in sources().values())
    words = {word for text in texts for word in WORD.findall(text)}
    return tuple(name for name in COLUMNS if name in words)


class Relations:
    """The relations made over a connection. `given` are relations that exist already; with
    `numbers` among them events have the number of their session in `told_session`. `ready` makes
    relations in another way than from their SELECT."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, given: Iterable[str] = ("events",)
    ) -> None:
        self.connection = connection
        self.given = frozenset(given)
        self.made = set(given)
        self.views = VIEWS
        self.is_alone = False
        self.ready: dict[str, Callable[[], None]] = {}
        self.own: dict[str, Callable[[duckdb.DuckDBPyConnection], None]] = {
            "capabilities": fill_capabilities,
            "words": fill_words,
            "url_hosts": fill_url_hosts,
            "paths": fill_paths,
            "readable": fill_readable,
            "found_loops": fill_found_loops,
            "found_compactions": fill_found_compactions,
            "refusals": fill_refusals,
            "subjects": fill_subjects,
            "modes": fill_modes,
            "vendor_documents": fill_documented,
            "hook_records": fill_guardian_hooks,
        }
        connection.execute("create schema if not exists base")
        set_thresholds(connection, LOOP_FAILURES, LOOP_UNCHANGED)

    def ensure(self, names: Iterable[str]) -> None:
        """Make the relations of these names, and what they are made of."""
        for name in names:
            if name in self.made:
                continue
            self.made.add(name)
            if name in self.ready:
                self.ready[name]()
                continue
            if name == "merged":
                self.ensure(["events"])
                self.is_alone = not has_several(self.connection)
                if self.is_alone:
                    leave_alone(self.connection)
                    continue
            text = sources()[name] if name in sources() else NEEDS[name]
            self.ensure(NAMED.findall(text))
            if name in KEYED and self._is_numbered(name):
                text = KEYED[name]
            if name in self.own:
                self.own[name](self.connection)
            else:
                kind = "view" if name in self.views else "table"
                self.connection.execute(f"create or replace {kind} base.{name} as\n{text}")

    def copy_few(self) -> None:
        """Copy what is read often: the events are few, and stay the same."""
        self.views = VIEWS - READ_OFTEN

    def _is_numbered(self, name: str) -> bool:
        """Return whether events have the numbers already: merged ones may belong to another
        session.
        """
        return "numbers" in self.given and (name == "keyed_events" or self.is_alone)

    def count_loops_from(self, failures: int) -> None:
        """Decide retry loops again, from N failed or denied attempts on."""
        self.ready.pop("loops", None)
        self.made.discard("loops")
        if "loops" in self.given:
            self.given -= {"loops"}
            self.connection.execute("drop view base.loops")
        set_thresholds(self.connection, failures, LOOP_UNCHANGED)

    def make_again(self, *, joined: bool) -> None:
        """Make again what was made of events, which have changed. If they are not `joined`, the
        views see them by themselves."""
        names = self.made - self.given - set(self.ready)
        if not joined:
            names = {name for name in names - self.views if self._is_of_events(name)}
        self.made -= names
        self.ensure(sorted(names))

    def _is_of_events(self, name: str) -> bool:
        if name in self.ready or name in self.given:
            return name in ("events", "merged")
        text = sources()[name] if name in sources() else NEEDS[name]
        return any(self._is_of_events(of) for of in NAMED.findall(text))

    def forget(self) -> None:
        """Drop what was made, for the next batch of events."""
        for name in self.made - self.given:
            kind = "view" if name in self.views else "table"
            self.connection.execute(f"drop {kind} if exists base.{name}")
        self.made = set(self.given)


# What the relations that are filled here are made of.
NEEDS = {
    "capabilities": "base.events",
    "readable": "base.known",
    "words": "base.call_events",
    "url_hosts": "base.stream",
    "paths": "base.actions base.denied",
    "found_loops": "base.loop_attempts base.loop_steps",
    "found_compactions": "base.context_steps",
    "refusals": "",
    "subjects": "",
    "modes": "",
    "vendor_documents": "",
    "hook_records": "",
}


def set_thresholds(connection: duckdb.DuckDBPyConnection, failures: int, unchanged: int) -> None:
    """From how many attempts on a loop is one: failed or denied, and unchanged."""
    connection.execute("set variable loop_failures = ?", [failures])
    connection.execute("set variable loop_unchanged = ?", [unchanged])


def fill_capabilities(connection: duckdb.DuckDBPyConnection, where: str = "base.events") -> None:
    """The facts of the vendors' tables about the tools of the events."""
    from hookstream.normalizers import VENDORS, compiled
    from hookstream.normalizers.capabilities import Capabilities

    run_step(connection, "capabilities")
    tools = connection.execute(f"select distinct tool from {where}").fetchall()
    columns = connection.execute("describe base.capabilities").fetchall()
    names = [name for name, *_ in columns if name != "tool"]
    for (tool,) in tools:
        facts = compiled(tool).vendor.capabilities if tool in VENDORS else Capabilities()
        values = [getattr(facts, name) for name in names]
        rows = ", ".join("?" for _ in columns)
        connection.execute(f"insert into base.capabilities values ({rows})", [tool, *values])


def fill_refusals(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill the refusals among entries of batches (see `hookstream.sessions.refusals`)."""
    columns = ", ".join(f"{name} boolean" for name in refusals.NAMES)
    _fill(connection, "refusals", f"{columns}, sure varchar", refusals.cases())


def fill_subjects(connection: duckdb.DuckDBPyConnection) -> None:
    """The subjects of decisions (`hookstream.core.decisions`)."""
    columns = "key varchar, subject varchar, point varchar"
    _fill(connection, "subjects", columns, decisions.lookups())


def fill_modes(connection: duckdb.DuckDBPyConnection) -> None:
    """The permission modes of clients that ask less, or never (`hookstream.core.decisions`)."""
    _fill(connection, "modes", "tool varchar, word varchar, unasked varchar", decisions.modes())


def fill_documented(connection: duckdb.DuckDBPyConnection) -> None:
    """The standard types and hook points that each vendor's hooks can give."""
    from hookstream.normalizers import VENDORS, compiled
    from hookstream.normalizers.documented import documented

    rows = ((key, *row) for key in VENDORS for row in documented(compiled(key).vendor))
    _fill(connection, "vendor_documents", "vendor varchar, kind varchar, name varchar", rows)


def fill_guardian_hooks(connection: duckdb.DuckDBPyConnection) -> None:
    """The hooks of guardians, and the events that show each of them."""
    from hookstream.normalizers.documented import guardian_hooks

    names = ("vendor", "generation", "hook", "native_event", "event_type")
    columns = ", ".join(f"{name} varchar" for name in names)
    _fill(connection, "hook_records", columns, guardian_hooks())


def _fill(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: str,
    rows: Iterable[tuple[object, ...]],
) -> None:
    """Fill a table of some columns in one statement: binding one for each row takes longer than
    all else."""
    values = [list(column) for column in zip(*rows, strict=True)]
    unnested = ", ".join(["unnest(?)"] * len(values))
    connection.execute(f"create or replace table base.{name} ({columns})")
    connection.execute(f"insert into base.{name} select {unnested}", values)


def fill_words(connection: duckdb.DuckDBPyConnection) -> None:
    """Each command as the one reader reads it: with what it quotes blanked, what it does by name,
    the hosts it reaches and the packages it installs."""
    import pyarrow as pa

    from hookstream.shell.facts import facts_of

    rows = connection.execute(
        "select distinct command from base.call_events where command is not null"
    ).fetchall()
    texts = [text for (text,) in rows]
    facts = [facts_of(text) for text in texts]
    columns = {
        "command": pa.array(texts, pa.string()),
        "words": pa.array([one.words for one in facts], pa.string()),
        "effects": pa.array([sorted(one.effects) for one in facts], pa.list_(pa.string())),
        "hosts": pa.array([one.hosts for one in facts], structs("host", "via")),
        "packages": pa.array(
            [[package[:5] for package in one.packages] for one in facts],
            structs("manager", "package", "name", "version", "ecosystem"),
        ),
    }
    _keep(connection, "words", pa.table(columns))


def fill_url_hosts(connection: duckdb.DuckDBPyConnection) -> None:
    """The host of each URL that an event names, as the reader of commands names it."""

    _keep(connection, "url_hosts", hosts_of(connection, "base.stream"))


def fill_paths(connection: duckdb.DuckDBPyConnection) -> None:
    """The files that calls name, as absolute paths, in sessions where a call was refused: `about`
    are those of a call itself, `named` all that its words may name, `patterns` those of them that
    match several, `spelled` the first as a text may write them."""
    import pyarrow as pa

    from hookstream.shell.paths import paths_of, spellings

    rows = run_step(connection, "named_paths").fetchall()
    found = [paths_of(*row) for row in rows]
    texts = pa.list_(pa.string())
    columns = {
        name: pa.array([row[n] for row in rows], pa.string())
        for n, name in enumerate(("command", "file_path", "cwd"))
    } | {
        "about": pa.array([list(one.about) for one in found], texts),
        "named": pa.array([list(one.named) for one in found], texts),
        "patterns": pa.array([list(one.patterns) for one in found], texts),
        "spelled": pa.array(
            [
                [text for path in one.about for text in spellings(path, cwd)]
                for one, (_, _, cwd) in zip(found, rows, strict=True)
            ],
            texts,
        ),
    }
    _keep(connection, "paths", pa.table(columns))


def _keep_rows(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    types: dict[str, pa.DataType],
    rows: list[tuple[Any, ...]],
) -> None:
    import pyarrow as pa

    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    arrays = [pa.array(c, kind) for c, kind in zip(columns, types.values(), strict=True)]
    _keep(connection, name, pa.table(arrays, names=list(types)))


def _keep(connection: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> None:
    connection.register("rows_made", rows)
    connection.execute(f"create or replace table base.{name} as from rows_made")
    connection.unregister("rows_made")
