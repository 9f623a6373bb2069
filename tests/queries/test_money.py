"""What answers cost: what the client itself says, else the list's price of everything that counts,
else nothing; `cost_from` says which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.same_process import hookstream

SESSION = "000000a1-2222-4333-8444-0000000000a1"
SQL = (
    "select model_id, answers, input_tokens, output_tokens, cost_usd, cost_from from usage "
    "order by model_id"
)
Row = list[Any]


def answer(number: int, model: str, usage: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An answer in Claude Code's session file."""
    message = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": model,
        "content": [{"type": "text", "text": f"answer {number}"}], "usage": usage,
    }  # fmt: skip
    return {
        "parentUuid": None, "sessionId": SESSION, "version": "2.1.231", "type": "assistant",
        "uuid": f"{number:08d}-2222-4333-8444-000000000000", "requestId": f"req_{number}",
        "timestamp": f"2026-11-20T09:00:{number:02d}.000Z", "cwd": "/home/dev/shop",
        "message": message, **more,
    }  # fmt: skip


def usage_of(values: list[dict[str, Any]], folder: Path) -> list[Row]:
    path = folder / f"home/.claude/projects/-home-dev-shop/{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return asked(folder)


def asked(folder: Path) -> list[Row]:
    out = folder / "out"
    words = ("--home", folder / "home", "--since", "36500d", "--to", f"jsonl:{out}")
    done = hookstream("backfill", *words)
    assert done.returncode == 0, done.stderr.decode()
    done = hookstream("query", SQL, out, "--format", "json")
    return [list(row.values()) for row in json.loads(done.stdout)]


SONNET, OPUS = "claude-sonnet-4-5-20250929", "claude-opus-4-8"
MILLION = 1_000_000


def test_the_clients_own_cost_is_taken_and_named(tmp_path: Path) -> None:
    used = {"input_tokens": 100, "output_tokens": 10}
    assert usage_of([answer(1, SONNET, used, costUSD=0.5)], tmp_path) == [
        [SONNET, 1, 100, 10, 0.5, "client"]
    ]


@pytest.mark.long
def test_a_list_price_is_named_as_one(tmp_path: Path) -> None:
    used = {"input_tokens": 100_000, "output_tokens": 0}
    assert usage_of([answer(1, SONNET, used)], tmp_path) == [
        [SONNET, 1, 100_000, 0, 0.3, "list price"]
    ]


@pytest.mark.long
def test_a_sum_of_both_is_named_as_both(tmp_path: Path) -> None:
    used = {"input_tokens": 100_000, "output_tokens": 0}
    rows = usage_of([answer(1, SONNET, used), answer(2, SONNET, used, costUSD=0.5)], tmp_path)
    assert rows == [[SONNET, 2, 200_000, 0, 0.8, "client and list price"]]


@pytest.mark.long
def test_an_unknown_price_is_none_and_rests_on_nothing(tmp_path: Path) -> None:
    used = {"input_tokens": 100, "output_tokens": 10}
    rows = usage_of([answer(1, "no-such-model-7", used)], tmp_path)
    assert rows == [["no-such-model-7", 1, 100, 10, None, None]]
    done = hookstream("backfill", "--home", tmp_path / "home", "--since", "36500d")
    assert b"unknown" in done.stdout


@pytest.mark.parametrize("model", [SONNET, "no-such-model-7"])
@pytest.mark.long
def test_a_speed_without_a_known_price_has_no_cost(model: str, tmp_path: Path) -> None:
    used = {"input_tokens": 100, "output_tokens": 10, "speed": "fast"}
    assert usage_of([answer(1, model, used)], tmp_path) == [[model, 1, 100, 10, None, None]]


@pytest.mark.long
def test_fast_mode_costs_what_its_list_says(tmp_path: Path) -> None:
    standard = {"input_tokens": 100_000, "output_tokens": 10_000, "speed": "standard"}
    (slow,) = usage_of([answer(1, OPUS, standard)], tmp_path / "slow")
    (fast,) = usage_of([answer(1, OPUS, {**standard, "speed": "fast"})], tmp_path / "fast")
    assert fast[4] == pytest.approx(2 * slow[4])


@pytest.mark.long
def test_writes_for_an_hour_cost_more_than_those_for_minutes(tmp_path: Path) -> None:
    def written(minutes: int, hour: int) -> dict[str, Any]:
        by_time = {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour}
        return {"input_tokens": 0, "output_tokens": 0, "cache_creation": by_time,
                "cache_creation_input_tokens": minutes + hour}  # fmt: skip

    costs = [
        usage_of([answer(1, SONNET, written(*split))], tmp_path / str(number))[0][4]
        for number, split in enumerate(((100_000, 0), (0, 100_000), (50_000, 50_000)))
    ]
    assert costs == [pytest.approx(0.375), pytest.approx(0.6), pytest.approx(0.4875)]


@pytest.mark.long
def test_a_placeholder_is_no_answer_of_a_model(tmp_path: Path) -> None:
    used = {"input_tokens": 100_000, "output_tokens": 0}
    nothing = {"input_tokens": 0, "output_tokens": 0}
    values = [
        answer(1, SONNET, used),
        answer(2, "<synthetic>", nothing),
        answer(3, "<synthetic>", nothing, isApiErrorMessage=True),
    ]
    assert usage_of(values, tmp_path) == [[SONNET, 1, 100_000, 0, 0.3, "list price"]]


@pytest.mark.long
def test_a_rewritten_message_has_its_last_counts(tmp_path: Path) -> None:
    """Claude Code writes an answer block by block; the counts of the last are those of all."""
    first = answer(1, SONNET, {"input_tokens": 100_000, "output_tokens": 1})
    last = answer(2, SONNET, {"input_tokens": 100_000, "output_tokens": 2_000})
    last["message"]["id"], last["requestId"] = first["message"]["id"], first["requestId"]
    assert usage_of([first, last], tmp_path) == [[SONNET, 1, 100_000, 2_000, 0.33, "list price"]]


def gemini(messages: list[dict[str, Any]], folder: Path) -> list[Row]:
    path = folder / "home/.gemini/tmp/p1/chats/session-2026-11-20T09-00-000000d1.jsonl"
    path.parent.mkdir(parents=True)
    session, begun = "000000d1-2222-4333-8444-0000000000d1", "2026-11-20T09:00:00.000Z"
    head = {"sessionId": session, "projectHash": "p1", "startTime": begun, "lastUpdated": begun}
    path.write_text("".join(json.dumps(value) + "\n" for value in (head, *messages)), "utf-8")
    return asked(folder)


def spoken(number: int, **tokens: int) -> dict[str, Any]:
    return {"id": "g1", "timestamp": f"2026-11-20T09:00:0{number}.000Z", "type": "gemini",
            "content": "done", "model": "gemini-2.5-pro", "tokens": tokens}  # fmt: skip


@pytest.mark.long
def test_reasoning_of_gemini_is_output(tmp_path: Path) -> None:
    rows = gemini([spoken(1, input=1000, output=200, cached=0, thoughts=50, tool=0)], tmp_path)
    ((_, answers, _, output, cost, source),) = rows
    assert (answers, output, source) == (1, 250, "list price")
    assert cost == pytest.approx(0.00375)


@pytest.mark.long
def test_a_rewritten_message_of_gemini_has_its_last_counts(tmp_path: Path) -> None:
    rows = gemini(
        [
            spoken(1, input=1000, output=5, cached=0, thoughts=0, tool=0),
            spoken(2, input=1000, output=250, cached=400, thoughts=0, tool=0),
        ],
        tmp_path,
    )
    ((_, answers, _, output, _, _),) = rows
    assert (answers, output) == (1, 250)
