"""A sink's address is shown without what opens it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookstream.core.shown import shown
from hookstream.delivery.cursor import Cursor

SECRET = "aB3dE5fG7h" + "J9kL1mN3pQ5rS7t"


@pytest.mark.parametrize(
    "uri",
    [
        f"slack:https://hooks.slack.com/services/T0/B0/{SECRET}",
        f"webhook:https://alerts.example.com/in/{SECRET}",
        f"webhook:https://x.webhook.office.com/webhookb2/{SECRET}",
        f"https://discord.com/api/webhooks/1/{SECRET}",
        f"splunk:https://hec.example:8088?token={SECRET}",
        f"elastic:https://ana:{SECRET}@es.example:9200/audit",
        f"otlp:https://otel.example/{SECRET}/v1",
    ],
)
def test_what_opens_it_is_masked(uri: str) -> None:
    assert SECRET not in shown(uri)
    assert shown(uri).startswith(uri.partition("//")[0])
    assert shown(shown(uri)) == shown(uri) or "***" in shown(shown(uri))


@pytest.mark.parametrize(
    "uri", ["jsonl:/var/log/x", "parquet:s3://bucket/lake", "jsonl:-", "kafka:b1:9092/topic"]
)
def test_a_place_without_a_secret_stays(uri: str) -> None:
    assert shown(uri) == uri


def test_two_webhooks_of_one_host_stay_apart() -> None:
    one, two = (f"webhook:https://h.example/{name}{SECRET}" for name in "ab")
    assert shown(one) != shown(two)


def test_a_state_file_does_not_hold_it(tmp_path: Path) -> None:
    cursor = Cursor(tmp_path / "c.json", f"webhook:https://h.example/{SECRET}")
    cursor.save()
    assert SECRET not in (tmp_path / "c.json").read_text()


@pytest.mark.posix("Windows has no such modes")
def test_config_shows_and_checks_it(tmp_path: Path) -> None:
    from hookstream.cli.config import rows_of, warnings_of
    from hookstream.configuration.layers import USER, Layer, settle

    values = {"sink": [{"uri": f"webhook:https://h.example/{SECRET}"}]}
    rows = rows_of(settle([Layer(USER, "u", values)]))
    assert SECRET not in json.dumps(rows)
    file = tmp_path / "c.toml"
    file.write_text("")
    file.chmod(0o644)
    assert any("others can read" in warning for warning in warnings_of(file, values))
    file.chmod(0o600)
    assert warnings_of(file, values) == []
