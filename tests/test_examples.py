"""Ready-made files of examples/: each by its owner's tool where that is here, and all against what
hookstream really sends."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from hookstream.core.sources import find, lines
from hookstream.delivery.job import Job, make_pipeline
from hookstream.delivery.metrics import FAMILIES
from hookstream.sinks.elastic import INDEX
from hookstream.sinks.formats.render import renderer

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
METRIC = re.compile(r"\bhookstream_[a-z_]+\b")
SAMPLES = ("claude-code", "codex", "openclaw")


def read(name: str) -> Any:
    text = (EXAMPLES / name).read_text("utf-8")
    return json.loads(text) if name.endswith(".json") else yaml.safe_load(text)


def by_tool(*words: str) -> None:
    """Runs the owner's tool; skipped where it is not installed."""
    program = shutil.which(words[0])
    if program is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run([program, *words[1:]], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Rendered events of a few clients' samples."""
    key = tmp_path_factory.mktemp("keys") / "pseudonym.key"
    pipeline = make_pipeline(Job([], [], pseudonym_key_file=key))
    found: list[Any] = []
    for name in SAMPLES:
        for file in find([str(ROOT / "samples" / name)]):
            given = [(line, file.name, offset) for offset, line in lines(file, file.name)]
            made = pipeline.outcomes(given, "agent-hooks")
            found += [item for one in made if isinstance(one, list) for item in one]
    assert len(found) > 300
    return found


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    if isinstance(value, dict) and value:
        found: dict[str, Any] = {}
        for key, one in value.items():
            found |= leaves(one, f"{path}.{key}" if path else key)
        return found
    return {path: value}


# Prometheus and Grafana


@pytest.mark.parametrize("name", ["prometheus/alerts.yml", "grafana/hookstream.json"])
def test_only_figures_that_there_are_asked_for(name: str) -> None:
    asked = set(METRIC.findall((EXAMPLES / name).read_text("utf-8")))
    assert len(asked) > 5
    assert asked <= set(FAMILIES)


def test_alert_rules_pass_promtool_and_their_own_cases() -> None:
    folder = EXAMPLES / "prometheus"
    by_tool("promtool", "check", "rules", str(folder / "alerts.yml"))
    by_tool("promtool", "test", "rules", str(folder / "alerts.test.yml"))
    by_tool("promtool", "check", "config", "--syntax-only", str(folder / "scrape.yml"))


def test_every_rule_says_what_is_wrong() -> None:
    (group,) = read("prometheus/alerts.yml")["groups"]
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"]


def test_the_dashboard_is_one_by_grafanas_own_types() -> None:
    pytest.importorskip("grafana_foundation_sdk", reason="grafana-foundation-sdk is not installed")
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.cog.plugins import register_default_plugins
    from grafana_foundation_sdk.models.dashboard import Dashboard

    register_default_plugins()
    given = read("grafana/hookstream.json")
    again = json.loads(JSONEncoder().encode(Dashboard.from_json(given)))
    assert [one["targets"] for one in again["panels"]] == [
        one["targets"] for one in given["panels"]
    ]


def test_panels_do_not_overlap() -> None:
    given = read("grafana/hookstream.json")
    assert given["id"] is None, "an id of ours would replace somebody's dashboard"
    taken: set[tuple[int, int]] = set()
    for panel in given["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


# Elastic


JSON_OF = {
    "keyword": str, "wildcard": str, "match_only_text": str, "date": str, "boolean": bool,
    "long": int, "double": (int, float),
}  # fmt: skip


def mapped(properties: dict[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, one in properties.items():
        here = f"{path}.{name}" if path else name
        found |= mapped(one["properties"], here) if "properties" in one else {here: one["type"]}
    return found


def test_the_index_template_maps_every_field_that_is_sent(items: list[Any]) -> None:
    types = mapped(read("elastic/index-template.json")["template"]["mappings"]["properties"])
    render = renderer("ecs", standard="both", arguments=True)
    seen: set[str] = set()
    for item in items:
        for message in render(item):
            for path, value in leaves(json.loads(message.data)).items():
                assert path in types, path
                seen.add(path)
                for one in value if isinstance(value, list) else [value]:
                    assert isinstance(one, JSON_OF[types[path]]), (path, one)
                    assert types[path] != "long" or type(one) is int, path
    assert len(seen) > 60


def test_template_policy_and_pipeline_belong_together() -> None:
    template = read("elastic/index-template.json")
    (pattern,) = template["index_patterns"]
    assert fnmatch(INDEX, pattern)
    assert template["priority"] > 200, "above Elastic's own templates for logs-*-*"
    assert template["data_stream"] == {}
    index = template["template"]["settings"]["index"]
    assert index["lifecycle"]["name"] == index["default_pipeline"] == "hookstream"
    phases = read("elastic/ilm-policy.json")["policy"]["phases"]
    assert list(phases) == ["hot", "warm", "delete"]
    assert "rollover" in phases["hot"]["actions"]
    for step in read("elastic/ingest-pipeline.json")["processors"]:
        ((kind, _),) = step.items()
        assert kind in ("set", "lowercase", "rename", "remove", "date")


# Splunk


def conf(name: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(EXAMPLES / "splunk" / name, "utf-8")
    return found


def test_props_name_the_sinks_source_types_and_never_extract_twice() -> None:
    props = conf("props.conf")
    source = (ROOT / "src" / "hookstream" / "sinks" / "splunk.py").read_text("utf-8")
    assert '"hookstream:' in source
    assert {"hookstream:agent_hooks", "hookstream:aarts"} <= set(props.sections())
    for name in props.sections():
        assert props[name]["KV_MODE"] == "json"
        assert "INDEXED_EXTRACTIONS" not in props[name]
        assert int(props[name]["TRUNCATE"]) >= 1 << 20, "the longest line there can be"


def test_splunk_finds_the_time_of_a_line(items: list[Any]) -> None:
    file = conf("props.conf")["hookstream:agent_hooks:file"]
    form = file["TIME_FORMAT"].replace("%3N", "%f")
    for item in items:
        text = item.agent_hooks.decode()
        behind = re.split(file["TIME_PREFIX"], text)[-1][: int(file["MAX_TIMESTAMP_LOOKAHEAD"])]
        found = datetime.strptime(behind.partition('"')[0], form)
        assert found.isoformat()[:19] == json.loads(text)["timestamp"][:19]


def test_searches_ask_for_fields_that_events_have(items: list[Any]) -> None:
    known: set[str] = {"metadata.dev.hookstream.machine_id", "metadata.dev.hookstream.user_id"}
    for item in items:
        known |= set(leaves(json.loads(item.agent_hooks)))
    searches = conf("savedsearches.conf")
    assert len(searches.sections()) >= 4
    for name in searches.sections():
        asked = re.findall(r'"([a-z_]+(?:\.[a-z_]+)+)"', searches[name]["search"])
        assert set(asked) <= known, name


def test_splunks_own_parser_reads_the_files() -> None:
    parser = pytest.importorskip(
        "addonfactory_splunk_conf_parser_lib",
        reason="addonfactory-splunk-conf-parser-lib is not installed",
    )
    for name in ("props.conf", "savedsearches.conf"):
        found = parser.TABConfigParser()
        found.read(EXAMPLES / "splunk" / name)
        assert found.sections() == conf(name).sections()


# OpenTelemetry Collector


def test_the_collectors_configuration_uses_what_it_defines() -> None:
    given = read("otel-collector/config.yaml")
    service = given["service"]
    assert set(service["extensions"]) == set(given["extensions"])
    used: dict[str, set[str]] = {"receivers": set(), "processors": set(), "exporters": set()}
    for pipeline in service["pipelines"].values():
        for kind, names in pipeline.items():
            used[kind] |= set(names)
    for kind, names in used.items():
        assert names == set(given[kind]), kind
    queue = given["exporters"]["otlphttp"]["sending_queue"]
    assert queue["storage"] in given["extensions"], "a queue in memory is lost with the process"


def test_the_collectors_configuration_passes_its_own_check() -> None:
    by_tool("otelcol-contrib", "validate", f"--config={EXAMPLES / 'otel-collector/config.yaml'}")
