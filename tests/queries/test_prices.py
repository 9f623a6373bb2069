"""Costs of sums are the sums of costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hookstream.queries.prices import NO_TIER, Prices

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Input, output, read from and written to the cache.
RESPONSES = [(700, 300, 40_000, 900), (4, 12, 0, 0), (1000, 2000, 150_000, 3000)]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "gpt-4.1", "gemini-2.5-pro"])
def test_many_responses_cost_what_each_costs(client: str, model: str) -> None:
    prices = Prices()
    small = [(one[0] + one[2], *one[1:]) if client == "codex" else one for one in RESPONSES]
    small *= 3
    assert all(one[0] + one[3] <= prices.tier(model) for one in small)
    each = [prices.cost(client, model, one, AT) for one in small]
    sums = tuple(map(sum, zip(*small, strict=True)))
    assert prices.cost_of_many(client, model, sums, AT) == pytest.approx(sum(filter(None, each)))  # type: ignore[arg-type]


def test_a_model_with_tiers_has_a_lowest_one() -> None:
    prices = Prices()
    assert prices.tier("claude-sonnet-4-5") == 200_000
    assert prices.tier("no such model") == NO_TIER
    own = Prices({"claude-sonnet-4-5": {"input": 1.0}})
    assert own.tier("claude-sonnet-4-5") == NO_TIER
    million = (1_000_000, 0, 0, 0)
    assert own.cost_of_many("claude-code", "claude-sonnet-4-5", million) == pytest.approx(1.0)
    large = prices.cost("claude-code", "claude-sonnet-4-5", (300_000, 0, 0, 0), AT)
    assert large == pytest.approx(300_000 * 6 / 1e6)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-5", "gpt-5"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("google/gemini-2.5-pro", "gemini-2.5-pro"),
        ("a-gateway/gpt-5", "gpt-5"),
    ],
)
def test_a_model_with_its_provider_costs_what_it_costs_by_name(model: str, name: str) -> None:
    prices, tokens = Prices(), (10_000, 2_000, 0, 0)
    assert prices.cost("opencode", name, tokens)
    assert prices.cost("opencode", model, tokens) == prices.cost("opencode", name, tokens)
    assert prices.cost_of_many("opencode", model, tokens) == prices.cost("opencode", model, tokens)
    assert prices.tier(model) == prices.tier(name)
    assert prices.cost("opencode", "a-gateway/no-such-model", tokens) is None


def test_a_file_s_price_is_of_the_whole_id_first() -> None:
    prices = Prices({"gpt-5": {"input": 2.0}, "azure/gpt-5": {"input": 3.0}})
    costs = [
        prices.cost("codex", model, (1_000_000, 0, 0, 0))
        for model in ("openai/gpt-5", "azure/gpt-5")
    ]
    assert costs == [2.0, 3.0]
