"""One reader of a sink's URI and options: every door that asks gets its answer."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hookstream
from hookstream.cli.app import run_app
from hookstream.configuration.catalog import FOLLOWER
from hookstream.core.errors import HookstreamError
from hookstream.delivery.credentials import known
from hookstream.delivery.folders import check_sources
from hookstream.delivery.run import guard_against_loops, guard_against_sharing
from hookstream.delivery.settings import job_of
from hookstream.seal.sealed import Sealing, open_sealed
from hookstream.sinks import KINDS, SinkError, files_of, folder_of, kind_named, open_sink, read_uri
from hookstream.sinks.kinds import SinkOption

LOCAL = ("jsonl", "parquet", "delta", "cloudevents")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").mkdir()
    return tmp_path


def spellings(kind: str, home: Path) -> list[str]:
    (home / "link").symlink_to(home / "log")
    out = home / "log" / "out"
    targets = ("~/log/out", "log/out", out, home / "x" / ".." / "log" / "out", home / "link/out")
    return [f"{kind}:{target}" for target in (*targets, f"file://{out}")]


@pytest.mark.parametrize("kind", LOCAL)
def test_all_doors_name_one_folder(kind: str, home: Path) -> None:
    if kind == "delta":
        pytest.importorskip("deltalake")
    out = (home / "log" / "out").resolve()
    for uri in spellings(kind, home):
        assert folder_of(uri) == read_uri(uri).folder == out
        kept = files_of(uri, "both", {})
        assert kept is not None and kept[0] == out
        assert folder_of(f"faulty:ok:{uri}") == out
        doors: list[Callable[[], None]] = [
            lambda uri=uri: check_sources(["~/log".replace("~", str(home))], [uri], home / "state"),  # type: ignore[misc]
            lambda uri=uri: guard_against_loops([out / "agent-hooks.jsonl"], [uri]),  # type: ignore[misc]
            lambda uri=uri: guard_against_sharing([uri, f"jsonl:{out}/"]),  # type: ignore[misc]
        ]
        for door in doors:
            with pytest.raises(HookstreamError):
                door()
        open_sink(uri).close()
    assert not {"~", "file:"} & {path.name for path in home.iterdir()}
    made = {path.name for path in out.iterdir()}
    _, names = files_of(f"{kind}:{out}", "both", {}) or (out, [])
    assert made >= set(names)
    uri = f"{kind}:~/log/out"
    open_sealed(uri, lambda: open_sink(uri), Sealing(home / "keys"), home / "keys").close()
    assert {path.name for path in (out / ".seal").iterdir()} == set(names or ["lake"])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (*LOCAL, "faulty")])
def test_an_address_is_no_folder(kind: str) -> None:
    uri = f"{kind}:https://host.example:8088/x"
    assert folder_of(uri) is None
    assert files_of(uri, "both", {}) is None
    assert not kind_named(kind).is_lake


def test_a_folder_that_is_read_is_not_followed_into(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "log" / "a.jsonl").write_text("{}\n")
    for to in ("jsonl:~/log/out", "parquet:~/log/out", "faulty:ok:jsonl:~/log/out"):
        argv = ["hookstream", "run", str(home / "log"), "--follow", "--to", to]
        monkeypatch.setattr("sys.argv", argv)
        assert run_app() == 2
        assert "holds the sink" in capsys.readouterr().err
    assert not (home / "log" / "out").exists()


@pytest.mark.parametrize(
    "wrong, meant",
    [
        ("spluk:https://x:8088", "did you mean splunk?"),
        ("parqet:lake", "did you mean parquet?"),
        ("json:out", "did you mean jsonl?"),
        ("s3://bucket/x", "for a lake there write parquet:s3://bucket/x"),
        ("lake", "for a lake parquet:lake"),
    ],
)
def test_a_name_that_is_near_is_suggested(wrong: str, meant: str) -> None:
    with pytest.raises(SinkError, match=re.escape(meant)):
        open_sink(wrong)


@pytest.mark.parametrize(
    "uri, options, meant",
    [
        ("jsonl:out", {"fromat": "ecs"}, "no option 'fromat'; did you mean format?"),
        ("jsonl:out", {"format": "ocfs"}, "no format 'ocfs'"),
        ("jsonl:out", {"format": "ocfs"}, "did you mean ocsf?"),
        ("jsonl:out", {"arguments": "yes"}, "option arguments needs to be true or false"),
        ("parquet:out", {"group_rows": 1.5}, "option group_rows needs to be a whole number"),
        ("parquet:out", {"group_rows": True}, "option group_rows needs to be a whole number"),
        ("otlp:http://localhost:4318", {"spans": 1}, "no spans 1; one of true, false, only"),
        ("otlp:http://localhost:4318", {"timeout_s": "1"}, "option timeout_s needs to be a number"),
        ("kafka:h:9092/t", {"config": "x"}, "option config needs to be a table"),
    ],
)
def test_a_wrong_option_is_named(
    uri: str, options: dict[str, object], meant: str, home: Path
) -> None:
    with pytest.raises(SinkError, match=re.escape(meant)):
        open_sink(uri, **options)  # type: ignore[arg-type]
    assert not (home / "out").exists()


def test_every_kind_declares_itself() -> None:
    for name in KINDS:
        kind = kind_named(name)
        assert kind.name == name
        assert all(one.help.endswith((".", "unset.")) for one in kind.options)
        # A default is a value of its option.
        assert kind.read({}) == {one.name: one.default for one in kind.options}
        for one in kind.options:
            if one.default is not None:
                assert kind.read({one.name: one.default})[one.name] == one.default


def test_a_name_of_a_file_is_said_to_be_a_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(__file__).parents[2] / "samples" / "codex" / "deny.jsonl"
    monkeypatch.setattr(sys, "argv", ["hookstream", "run", str(source), "--to", "jsonl:name.jsonl"])
    for expected in (1, 0):
        assert run_app() == 0
        lines = capsys.readouterr().err.splitlines()
        line = "hookstream: jsonl:name.jsonl: makes a folder of that name, which holds "
        line += "agent-hooks.jsonl, aarts.jsonl, rejected.jsonl"
        assert lines.count(line) == expected
    assert (home / "name.jsonl" / "agent-hooks.jsonl").is_file()


def test_nothing_else_reads_a_uri() -> None:
    """A sink's address is named `uri` everywhere; only its reader takes it apart."""
    root = Path(hookstream.__file__).parent
    own = {root / "sinks" / "__init__.py", root / "seal" / "places.py"}
    taken = re.compile(
        r"uri\.r?(?:partition|split)\(['\"]:|startswith\(\"(?:" + "|".join(KINDS) + r"):"
    )
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in root.rglob("*.py")
        if path not in own
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if taken.search(line)
    ]
    assert found == []


@pytest.mark.posix("Windows has no such modes")
def test_a_credential_of_any_option_comes_from_where_the_file_says(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`access_key_env`, as docs/sinks.md has it; written out it needs a private file."""
    monkeypatch.setenv("LAKE_KEY", "k" * 8)
    file = home / "c.toml"
    head = 'sources = ["log"]\n[[sink]]\nuri = "parquet:s3://bucket/x"\n'
    file.write_text(head + 'access_key_env = "LAKE_KEY"\nregion = "eu-central-1"\n')
    (sink,) = job_of({"config": file}, FOLLOWER).outputs
    assert {name: known(value) for name, value in sink.options.items()} == {
        "access_key": "k" * 8,
        "region": "eu-central-1",
    }
    file.write_text(head + f'secret_key = "{"k" * 8}"\n')
    file.chmod(0o644)
    with pytest.raises(HookstreamError, match="a credential in a file that others can read"):
        job_of({"config": file}, FOLLOWER)


NUMBERS = [
    (name, option)
    for name in KINDS
    for option in kind_named(name).options
    if option.type in (int, float)
]


@pytest.mark.parametrize(("kind", "option"), NUMBERS, ids=[f"{k}-{o.name}" for k, o in NUMBERS])
def test_a_size_or_a_time_is_more_than_nothing(kind: str, option: SinkOption) -> None:
    nonsense: tuple[float, ...] = (0, -1)
    if option.type is float:
        nonsense += (float("nan"), float("inf"), -0.5)
    for value in nonsense:
        with pytest.raises(SinkError, match=f"{kind}: option {option.name} needs to be more than"):
            option.read(kind, value)
    assert option.read(kind, option.default) == option.default
