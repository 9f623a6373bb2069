"""A record that stands for several says so, in every format and both standards."""

from __future__ import annotations

import json

import pytest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from hookstream.delivery.select import standing
from hookstream.sinks.formats.otlp import log_record
from hookstream.sinks.formats.render import renderer
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator

from .events import rich, shell


def item() -> Rendered:
    return standing(Rendered(shell(1)), 10)


def test_both_standards_carry_the_rate_and_stay_valid() -> None:
    validator = Validator()
    for event in (shell(1), *rich()):
        made = standing(Rendered(event), 10)
        for line in filter(None, (made.agent_hooks, made.aarts)):
            assert validator.problems(line) == []
        lines = [json.loads(one) for one in (made.agent_hooks, made.aarts) if one]
        assert lines[0]["metadata"]["dev.hookstream"]["sampled_rate"] == 10
        assert all(one["hookstream"]["sampled_rate"] == 10 for one in lines[1:])
        plain = Rendered(event)
        del lines[0]["metadata"]["dev.hookstream"]["sampled_rate"]
        assert lines[0] == json.loads(plain.agent_hooks)


@pytest.mark.parametrize(
    ("format", "path"),
    [
        ("native", ("metadata", "dev.hookstream", "sampled_rate")),
        ("cloudevents", ("sampledrate",)),
        ("ecs", ("hookstream", "sampled_rate")),
        ("ocsf", ("unmapped", "hookstream.sampled_rate")),
    ],
)
def test_every_format_has_a_place_for_it(format: str, path: tuple[str, ...]) -> None:
    render = renderer(format, standard="both", now=lambda: "2026-03-01T12:00:00Z")
    found = json.loads(render(item())[0].data)
    for name in path:
        found = found[name]
    assert found == 10
    assert b"sampled" not in render(Rendered(shell(1)))[0].data


def test_cef_and_otlp_too() -> None:
    line = renderer("cef", standard="both")(item())[0].data
    assert line.endswith(b" flexNumber1=10 flexNumber1Label=sampledRate")
    data = log_record(shell(1), aarts=False, arguments=False, sampled_rate=10)
    record = LogRecord.FromString(data.SerializeToString())
    rates = [one.value.int_value for one in record.attributes if "sampled_rate" in one.key]
    assert rates == [10]
