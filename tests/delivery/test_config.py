"""The TOML file: what it gives, and one clear line for what does not belong in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hookstream.configuration.catalog import FOLLOWER
from hookstream.configuration.reading import Wrong
from hookstream.core.event import Event
from hookstream.delivery.credentials import open_at
from hookstream.delivery.job import Job
from hookstream.delivery.select import Selected, Selection, SelectRule
from hookstream.delivery.settings import job_of
from hookstream.sinks.base import DELIVERED, Receipt, SinkError
from hookstream.standards.rendered import Rendered

SINK = '[[sink]]\nuri = "jsonl:out"\n'


def load(path: Path) -> Job:
    return job_of({"config": path}, FOLLOWER)


def written(tmp: Path, text: str, mode: int = 0o644) -> Path:
    path = tmp / "hookstream.toml"
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sinks = 1\n" + SINK, "sinks: no such key"),
        (SINK + "only = {types = ['a']}", "sink[0].only.types: no such key"),
        (SINK + "only = {risk = 'huge'}", "sink[0].only.risk: 'huge' is not one of low, medium"),
        (SINK + "only = {decision = ['no']}", "sink[0].only.decision: 'no' is not one of allow"),
        (SINK + "only = {tool = 3}", "sink[0].only.tool: needs to be a text or a list of texts"),
        (SINK + "sample = {allow = 0}", "sink[0].sample.allow: needs to be 1 or more"),
        (SINK + "sample = {deny = 3}", "sink[0].sample.deny: no such key"),
        (SINK + "standard = 'xml'", "sink[0].standard: 'xml' is not one of agent-hooks"),
        (SINK + "flush_s = 'x'", "sink[0].flush_s: needs to be a number"),
        ("[[sink]]\nname = 'a'", "sink[0].uri: missing"),
        ("[sink]\nuri = 'x'", "sink: needs to be a list"),
        ("", "sink: none given"),
        (SINK + SINK, "sink[1].name: 'jsonl:out' is given twice"),
        (SINK + "[[route]]\nto = ['b']", "route[0].to: no sink has the name 'b'"),
        (SINK + "[[route]]\nto = []\nwhen = 3", "route[0].when: no such key"),
        (SINK + "token_env = 3", "sink[0].token_env: needs to be a text"),
        (SINK + "token = 'x'\ntoken_env = 'Y'", "sink[0].token"),
        ("spool_bytes = 3\n" + SINK, "spool_bytes: needs to be at least"),
        ("allow = ['a']\n" + SINK, "allow: needs to be a text"),
        ("privacy = 'none'\n" + SINK, "privacy: 'none' is not one of hash"),
        ("=", "Invalid"),
    ],
)
def test_what_does_not_belong_is_one_line_with_the_path_of_the_key(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(Wrong) as wrong:
        load(written(tmp_path, text, 0o600))
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert str(tmp_path) in str(wrong.value)


def test_an_option_that_a_sink_does_not_know(tmp_path: Path) -> None:
    (sink,) = load(written(tmp_path, f'[[sink]]\nuri = "jsonl:{tmp_path}/o"\ncolour = 1')).outputs
    with pytest.raises(SinkError, match="colour"):
        sink.open()


@pytest.mark.posix("Windows has no such modes")
def test_a_credential_written_out_needs_a_file_of_ones_own(tmp_path: Path) -> None:
    secret = "hunter" + "2" * 12
    for text in (
        f'[[sink]]\nuri = "splunk:https://h"\ntoken = "{secret}"',
        f'[[sink]]\nuri = "webhook:https://h"\nheaders = {{ X-Key = "{secret}" }}',
        f'[[sink]]\nuri = "kafka:h:9/t"\nconfig = {{ "sasl.password" = "{secret}" }}',
    ):
        with pytest.raises(Wrong, match="chmod 600") as wrong:
            load(written(tmp_path, text, 0o640))
        assert secret not in str(wrong.value)
        assert load(written(tmp_path, text, 0o600)).outputs


@pytest.mark.posix("Windows has no such modes")
def test_credentials_come_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(
        "hookstream.delivery.job.open_at",
        lambda uri, refresh, **options: given.update(options, uri=uri),
    )
    file = tmp_path / "password"
    file.write_text("from-file\n")
    text = f"""
    [[sink]]
    uri = "elastic:https://h"
    token_env = "A_TOKEN"
    password_file = "{file}"
    headers = {{ X-Key = {{env = "A_TOKEN"}} }}
    index = "logs"
    """
    (sink,) = load(written(tmp_path, text)).outputs
    with pytest.raises(SinkError, match=r"sink\[0\].token_env: the environment has no A_TOKEN"):
        sink.open()
    monkeypatch.setenv("A_TOKEN", "from-env")
    sink.open()
    assert given == {
        "uri": "elastic:https://h",
        "standard": "both",
        "token": "from-env",
        "password": "from-file",
        "headers": {"X-Key": "from-env"},
        "index": "logs",
    }
    file.chmod(0o666)
    with pytest.raises(SinkError, match="others can write it"):
        sink.open()
    file.unlink()
    with pytest.raises(SinkError, match="No such file"):
        sink.open()


def event(number: int, type: str = "Action.Before", tool: str = "cursor", **facts: Any) -> Event:
    made = {"event_id": f"e-{number}", "timestamp": "2026-03-01T12:00:00Z", "session_id": "s"}
    return Event(type, None, {**made, "tool": tool, **facts}, tool)


def risky(level: str) -> Event:
    made = event(1)
    made.risk = (50, level, ())
    return made


@pytest.mark.parametrize(
    ("rule", "given", "holds"),
    [
        (SelectRule(), event(1), True),
        (SelectRule(event_type=("Policy.*",)), event(1, "Policy.Blocked"), True),
        (SelectRule(event_type=("Policy.*",)), event(1), False),
        (SelectRule(tool=("claude-*", "codex")), event(1, tool="claude-code"), True),
        (SelectRule(tool=("claude-*",)), event(1), False),
        (SelectRule(decision=("deny", "none")), event(1), True),
        (SelectRule(decision=("deny",)), event(1), False),
        (SelectRule(decision=("deny",)), event(1, decision="deny"), True),
        (SelectRule(risk="medium"), risky("high"), True),
        (SelectRule(risk="critical"), risky("high"), False),
        (SelectRule(risk="low"), event(1), False),
        (
            SelectRule(event_type=("Policy.*",), decision=("deny",)),
            event(1, decision="deny"),
            False,
        ),
    ],
)
def test_a_rule_holds_when_every_part_does(rule: SelectRule, given: Event, holds: bool) -> None:
    assert rule.holds(given) is holds


def test_routes_and_filters_read_from_a_file(tmp_path: Path) -> None:
    text = """
    [[sink]]
    name = "soc"
    uri = "jsonl:a"
    except = {tool = "cursor"}
    [[sink]]
    name = "lake"
    uri = "jsonl:b"
    [[sink]]
    name = "rest"
    uri = "jsonl:c"
    [[route]]
    event_type = "Policy.*"
    to = ["soc", "rest"]
    [[route]]
    to = ["rest"]
    """
    soc, lake, rest = (sink.selection for sink in load(written(tmp_path, text)).outputs)
    blocked, other = event(1, "Policy.Blocked", "codex"), event(2, tool="codex")
    assert [one.rate(blocked) for one in (soc, lake, rest)] == [1, 1, 1]
    assert [one.rate(other) for one in (soc, lake, rest)] == [0, 1, 1]
    assert soc.rate(event(3, "Policy.Blocked", "cursor")) == 0
    assert lake.takes_all


class Keeping:
    uri = "keeping:"

    def __init__(self) -> None:
        self.items: list[Rendered] = []

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        self.items += batch
        return [DELIVERED] * len(batch)

    def reject(self, lines: list[bytes]) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def test_sampled_allows_say_their_rate_and_nothing_else_is_sampled() -> None:
    inner = Keeping()
    sink = Selected(inner, Selection("s", allows=10))
    allows = [Rendered(event(n, decision="allow"), position=n) for n in range(5000)]
    denies = [Rendered(event(n, decision="deny")) for n in range(5000, 5100)]
    receipts = sink.write([*allows, *denies])
    assert {one.status for one in receipts} == {"delivered"}
    assert len(receipts) == 5100
    kept = [item for item in inner.items if item.event.facts["decision"] == "allow"]
    assert 400 < len(kept) < 600
    assert {item.sampled_rate for item in kept} == {10}
    assert all(item.position is not None for item in kept)
    assert len(inner.items) - len(kept) == 100
    # Another sink's view of the same records is untouched, and the choice is the same next time.
    assert {item.sampled_rate for item in allows} == {None}
    again = Keeping()
    Selected(again, Selection("s", allows=10)).write(allows)
    assert [one.position for one in again.items] == [one.position for one in kept]


def test_an_allow_list_is_named_in_the_file(tmp_path: Path) -> None:
    assert load(written(tmp_path, "allow = '/etc/list'\n" + SINK)).allow == Path("/etc/list")
    assert load(written(tmp_path, SINK)).allow is None


WEBHOOK = "/services/T0" + "A1B2C3" * 2 + "/B0" + "D4E5F6" * 2 + "/" + "a1B2" * 6


def test_an_address_that_is_a_credential_is_refused_and_goes_in_as_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SinkError, match=r"slack-webhook.*path = ") as refused:
        open_at(f"webhook:https://hooks.slack.com{WEBHOOK}")
    assert WEBHOOK not in str(refused.value)
    monkeypatch.setenv("HOOK_PATH", WEBHOOK)
    text = """
    [[sink]]
    uri = "webhook:https://hooks.slack.com"
    path_env = "HOOK_PATH"
    """
    (sink,) = load(written(tmp_path, text)).outputs
    opened = sink.open()
    assert WEBHOOK not in opened.uri
    opened.close()
