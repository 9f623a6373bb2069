"""The how-to guides: their files pass the check, their commands run, and what they send arrives at
a real receiver on loopback."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from tests.documents import DOCS, ROOT, blocks, commands, console_is_real
from tests.same_process import hookstream
from tests.sinks.cluster import cluster
from tests.sinks.receivers import (
    Bulk,
    Collector,
    Receiver,
    SyslogReceiver,
    eventually,
    otlp_answer,
    otlp_records,
    plain,
    serve,
    serve_syslog,
)

from hookstream.capture.install import homes, launcher
from hookstream.queries.cost_trust import LEVELS
from hookstream.queries.tariffs import parse

pytestmark = pytest.mark.long

HOW_TO = DOCS / "how-to"
SECRET = "w" * 12
# The address in a page, and the count of records that came.
Far = tuple[str, Callable[[], int]]


@contextmanager
def splunk() -> Iterator[Far]:
    collector = Collector(SECRET, ack=True)
    with serve(Receiver(collector)) as far:
        yield far.url(), lambda: len({event["event"]["event_id"] for event in collector.events
                                      if event["sourcetype"].endswith("agent_hooks")})  # fmt: skip


@contextmanager
def elastic() -> Iterator[Far]:
    bulk = Bulk()
    with serve(Receiver(bulk)) as far:
        yield far.url(), lambda: len(bulk.documents)


@contextmanager
def otlp() -> Iterator[Far]:
    with serve(Receiver(lambda _: otlp_answer())) as far:
        yield (
            far.url(),
            lambda: sum(len(otlp_records(one)) for one in far.requests if "logs" in one.path),
        )


@contextmanager
def webhook() -> Iterator[Far]:
    with serve(Receiver(plain)) as far:
        yield far.url(), lambda: sum(len(one.body.splitlines()) for one in far.requests)


@contextmanager
def syslog() -> Iterator[Far]:
    with serve_syslog(SyslogReceiver()) as far:
        yield f"tcp://127.0.0.1:{far.port}", lambda: len(far.frames)


@contextmanager
def kafka() -> Iterator[Far]:
    with cluster() as brokers:
        yield brokers.servers, lambda: len(brokers.messages("agent-audit", 1))


ADDRESSES = {
    "splunk": splunk,
    "elastic": elastic,
    "sentinel": syslog,
    "datadog": otlp,
    "google-secops": webhook,
    "otel-collector": otlp,
    "kafka": kafka,
}
OTHERS = {"data-lake", "rollout", "notebooks", "allow-list", "cost", "test-an-emitter"}
ADDRESS = re.compile(r"(?:https?|tls)://[\w.-]+(?::\d+)?|(?<=kafka:)[\w.:-]+")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a log, in which the files that the pages name are."""
    log = tmp_path / ".local" / "state" / "hookstream" / "log"
    log.mkdir(parents=True)
    shutil.copy(ROOT / "samples" / "codex" / "tools.jsonl", log / "agent-hooks.jsonl")
    for name in ("hec-token", "api-key", "webhook-secret", "collector-token"):
        (tmp_path / name).write_text(SECRET)
        (tmp_path / name).chmod(0o600)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(page: str, home: Path) -> dict[str, str]:
    """What each command of hookstream on the page prints; each ends well."""
    answers = {}
    for program, *words in commands(HOW_TO / f"{page}.md"):
        if program == "chmod":
            (home / words[1]).chmod(int(words[0], 8))
        if program == "hookstream":
            done = hookstream(*words, cwd=home)
            assert done.returncode == 0, f"{words}: {done.stderr.decode()}"
            answers[" ".join(words)] = done.stdout.decode() + done.stderr.decode()
    return answers


def test_every_guide_is_tried() -> None:
    assert {page.stem for page in HOW_TO.glob("*.md")} == {*ADDRESSES, *OTHERS}


@pytest.mark.parametrize("page", ADDRESSES)
def test_what_a_guide_sends_arrives(page: str, home: Path) -> None:
    text, *_ = [block for block in blocks(HOW_TO / f"{page}.md", "toml") if "[[sink]]" in block]
    with ADDRESSES[page]() as (address, count):
        text, replaced = ADDRESS.subn(address, text)
        assert replaced == 1
        text = text.replace('"security.protocol" = "SSL", ', "").replace(
            '"ssl.ca.location" = "/etc/ssl/certs/ca-certificates.crt"', ""
        )
        (home / "hookstream.toml").write_text(text)
        answers = run(page, home)
        assert "warning" not in answers["config check hookstream.toml"]
        said = answers["run --config hookstream.toml"]
        events = int(re.findall(r"events (\d+)", said)[0])
        assert events > 20
        assert eventually(lambda: count() >= events - filtered(home)), (count(), events)


OTHER_SINKS = [
    (page, number)
    for page in ADDRESSES
    for number, text in enumerate(blocks(HOW_TO / f"{page}.md", "text"))
    if "[[sink]]" in text
]


def service_account() -> dict[str, str]:
    """The key file of an account that nobody has."""
    key = generate_private_key(65537, 2048)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    issuer = {"client_email": "a@p.example", "token_uri": "https://token.example/"}
    return {**issuer, "private_key": text}


@pytest.mark.parametrize(("page", "number"), OTHER_SINKS)
def test_the_other_sinks_of_a_guide_pass_the_check(page: str, number: int, home: Path) -> None:
    """In a file that others can read, too: the credentials are in files of their own."""
    (home / "hookstream.toml").write_text(blocks(HOW_TO / f"{page}.md", "text")[number])
    (home / "account.json").write_text(json.dumps(service_account()))
    for name in ("client-secret", "account.json"):
        (home / name).touch()
        (home / name).chmod(0o600)
    (home / "client-secret").write_text(SECRET)
    answer = hookstream("config", "check", "hookstream.toml", cwd=home)
    assert answer.returncode == 0, answer.stdout


def filtered(home: Path) -> int:
    """The events that the sink of the file leaves out."""
    done = hookstream("status", "--config", "hookstream.toml", "--format", "json", cwd=home)
    (delivery,) = json.loads(done.stdout)["deliveries"]
    return sum(sink["filtered"] for sink in delivery["sinks"].values())


def test_a_lake_is_kept_and_asked(home: Path) -> None:
    (text,) = blocks(HOW_TO / "data-lake.md", "toml")
    (home / "hookstream.toml").write_text(text)
    answers = run("data-lake", home)
    assert "decided_by" in answers["query denies lake"] or "no rows" in answers["query denies lake"]
    assert list((home / "lake").glob("date=*/tool=codex/*.parquet"))


def test_the_roll_out_installs_and_removes(
    home: Path, monkeypatch: pytest.MonkeyPatch, policy: Callable[..., Path]
) -> None:
    root = home / "machine"
    root.mkdir()
    monkeypatch.setattr(homes, "ROOT", root)
    monkeypatch.setattr(launcher, "MANAGED", root / "usr" / "local" / "lib" / "hookstream")
    (text,) = blocks(HOW_TO / "rollout.md", "toml")
    key = home / "fleet.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o644)
    (home / "policy.toml").write_text(text.replace("/etc/hookstream/fleet.key", str(key)))
    for program, *words in commands(HOW_TO / "rollout.md"):
        if program != "hookstream":
            continue
        done = hookstream(*words, cwd=home)
        assert done.returncode == 0, f"{words}: {done.stderr.decode()}"
        if words[0] == "install" and "--dry-run" not in words:
            assert (root / "etc/codex/requirements.toml").exists()
    assert not (root / "etc/codex/requirements.toml").exists()
    for name in re.findall(r"`(\w+/[\w.-]*)`", (HOW_TO / "rollout.md").read_text("utf-8")):
        if name.partition("/")[0] not in ("examples",):
            assert (ROOT / "examples" / "rollout" / name).exists(), name


def test_the_notebook_code_runs(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("notebooks", home)
    for code in blocks(HOW_TO / "notebooks.md", "python"):
        if ".df()" in code:
            pytest.importorskip("pandas")
        exec(compile(code, "notebooks.md", "exec"), {})  # noqa: S102
        assert capsys.readouterr().out


def test_the_bill_and_the_prices_of_its_guide_are_real(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    page = HOW_TO / "cost.md"
    console_is_real(page, tmp_path, regenerate=request.config.getoption("--regenerate"))
    prices = parse(blocks(page, "json")[0], "prices.json")
    assert prices["qwen3-coder-plus"].rates(32_001) == {"input": 1.8, "output": 9.0}
    trusts = set(re.findall(r"^\| `(\w+)` \|", page.read_text("utf-8"), re.MULTILINE))
    assert trusts == set(LEVELS)


def test_an_allow_list_keeps_what_it_names(home: Path) -> None:
    page = HOW_TO / "allow-list.md"
    (home / "allow.txt").write_text(blocks(page, "text")[0])
    (home / "value.txt").write_text("foo")
    hookstream("run", "samples/codex", "--to", "parquet:lake", cwd=home)
    answers = run("allow-list", home)
    digest = answers["digest lake --file value.txt"].split("digest ")[1].split()[0]
    assert blocks(page, "text")[0].count(digest) == 2


def test_the_kit_for_emitters_prints_what_arrived(home: Path) -> None:
    written = hookstream("run", "samples/codex/tools.jsonl", "--to", "jsonl:out", cwd=home)
    assert written.returncode == 0
    (home / "out" / "agent-hooks.jsonl").rename(home / "events.jsonl")
    (home / "out" / "aarts.jsonl").rename(home / "envelopes.jsonl")
    answers = run("test-an-emitter", home)
    assert len(answers) == 2
    assert "event types: " in answers["validate events.jsonl --standard agent-hooks"]
    assert "level shown: " in answers["validate envelopes.jsonl --standard aarts"]
