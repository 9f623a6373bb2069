"""Costs of sums are the sums of costs."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.queries.prices import NO_TIER, Prices, read_prices
from hookstream.queries.tariffs import Tariff, parse, shipped

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
# Input, output, read from and written to the cache.
RESPONSES = [(700, 300, 40_000, 900), (4, 12, 0, 0), (1000, 2000, 150_000, 3000)]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "gpt-4.1", "gemini-2.5-pro"])
def test_many_responses_cost_what_each_costs(client: str, model: str) -> None:
    prices = Prices()
    small = [
        (one[0] + one[2] + one[3], *one[1:]) if client == "codex" else one for one in RESPONSES
    ]
    small *= 3
    assert all(one[0] <= prices.tier(model) for one in small)
    each = [prices.cost(client, model, one, AT) for one in small]
    sums = tuple(map(sum, zip(*small, strict=True)))
    assert prices.cost_of_many(client, model, sums, AT) == pytest.approx(sum(filter(None, each)))  # type: ignore[arg-type]


def test_a_model_with_tiers_has_a_lowest_one() -> None:
    prices = Prices()
    assert prices.tier("claude-sonnet-4-5") == 200_000
    assert prices.tier("no such model") == NO_TIER
    own = Prices({"claude-sonnet-4-5": Tariff.of({"input": 1.0})})
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
    prices = Prices({
        "gpt-5": Tariff.of({"input": 2.0}), "azure/gpt-5": Tariff.of({"input": 3.0}),
    })  # fmt: skip
    costs = [
        prices.cost("codex", model, (1_000_000, 0, 0, 0))
        for model in ("openai/gpt-5", "azure/gpt-5")
    ]
    assert costs == [2.0, 3.0]


def test_models_that_the_data_set_lacks_have_a_price_with_its_source_and_date() -> None:
    prices = Prices()
    tariffs = shipped()
    for model, tariff in tariffs.items():
        assert tariff.source.startswith("https://") and date.fromisoformat(tariff.date), model
        assert prices.cost("codex", model, (1000, 0, 0, 0)), model
        assert "list price of 20" in prices.origin(model), f"{model}: the data set has it by now"
    assert prices.origin("gpt-5.1-codex").startswith("list price (genai-prices")


def test_a_large_answer_costs_what_its_tier_asks() -> None:
    prices = Prices()
    model = "dashscope/qwen3-coder-plus"
    assert prices.tier(model) == 32_000
    # Qwen Code counts what came from the cache among its input.
    small = prices.cost("qwen-code", model, (32_000, 0, 2_000, 0))
    assert small == pytest.approx(30_000 * 1.0e-6 + 2_000 * 0.1e-6)
    large = prices.cost("qwen-code", model, (32_001, 1_000, 0, 0))
    assert large == pytest.approx(32_001 * 1.8e-6 + 1_000 * 9e-6)
    many = prices.cost_of_many("qwen-code", model, (300_000, 0, 0, 0))
    assert many == pytest.approx(0.3)


def test_the_user_s_file_is_read_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert read_prices(None).own == {}
    file = tmp_path / "hookstream" / "prices.json"
    file.parent.mkdir()
    file.write_text('{"my-model": {"input": 7, "output": 8.5}}', "utf-8")
    prices = read_prices(None)
    # A kind without a price costs what input costs.
    assert prices.cost("claude-code", "my-model", (0, 0, 1_000_000, 0)) == 7
    assert prices.origin("my-model") == "price of your file"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "prices.json: not JSON"),
        ("[]", "prices.json: must be an object"),
        ('{"m": 3}', "prices.json: m: must be an object"),
        ('{"m": {"input": 1}}', "prices.json: m: output is missing"),
        ('{"m": {"inputs": 1, "output": 1}}', "no field 'inputs'; did you mean input?"),
        ('{"m": {"input": -1, "output": 1}}', "m: input must be a number of USD, 0 or more"),
        ('{"m": {"input": "1", "output": 1}}', "m: input must be a number"),
        ('{"m": {"input": true, "output": 1}}', "m: input must be a number"),
        ('{"m": {"input": 1, "output": 1, "date": "today"}}', "m: date 'today' is not like 2026-"),
        ('{"m": {"input": 1, "output": 1, "above": {"x": {}}}}', "'x' is not a number of tokens"),
        (
            '{"m": {"input": 1, "output": 1, "above": {"9": {"input": 1}}}}',
            "m: above 9: output is missing",
        ),
        ('{"m": {"input": 1, "output": 1}, "m": {}}', "'m' is there twice"),
        ('{"m": {"input": NaN, "output": 1}}', "m: input must be a number"),
    ],
)
def test_a_wrong_price_is_named_with_its_model_and_field(text: str, message: str) -> None:
    with pytest.raises(HookstreamError) as caught:
        parse(text, "prices.json")
    assert message in str(caught.value)
