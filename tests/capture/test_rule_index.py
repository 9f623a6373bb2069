"""The hook's index of rules says of each what the rule itself says, and loads it when asked."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from hookstream.capture.startup.lazy_rules import LazyRule, lazy_rules
from hookstream.capture.startup.prefilter import KeywordEngine
from hookstream.redaction.rules import FAMILIES, Rule, of_family, rules
from hookstream.redaction.scanner import Scanner


class Snapshot:
    """What the index needs of an snapshot: values by key."""

    def __init__(self) -> None:
        self.held: dict[Any, Any] = {}

    def recall(self, key: Any) -> Any:
        return self.held.get(key)

    def keep(self, key: Any, value: Any) -> None:
        self.held[key] = value


@pytest.fixture
def snapshot(monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    snapshot = Snapshot()
    monkeypatch.setitem(
        sys.modules, "hookstream.capture.startup.lazy_stdlib", SimpleNamespace(snapshot=snapshot)
    )
    return snapshot


def test_every_rule_is_listed_as_it_is(snapshot: Snapshot) -> None:
    lazy_rules()
    names = Rule.__slots__
    for known, rule in zip(lazy_rules(), rules(), strict=True):
        assert isinstance(known, LazyRule)
        assert [getattr(known, n) for n in names] == [getattr(rule, n) for n in names]


def test_a_listed_rule_loads_nothing_before_it_is_asked(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazy_rules()
    asked: list[str] = []

    def of(name: str) -> Any:
        asked.append(name)
        return of_family(name)

    monkeypatch.setattr("hookstream.capture.startup.lazy_rules.of_family", of)
    scanner = Scanner(KeywordEngine, rule_set=lazy_rules())
    assert set(asked) == set(FAMILIES)  # the table of keywords is made once
    asked.clear()
    scanner = Scanner(KeywordEngine, rule_set=lazy_rules())
    assert scanner.scan("nothing to see") == []
    assert asked == []
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    assert scanner.scan(token) == Scanner("python").scan(token) != []
    assert asked and len(set(asked)) < 6


def test_without_an_image_all_rules_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hookstream.capture.startup.lazy_stdlib", raising=False)
    assert lazy_rules() == rules()
