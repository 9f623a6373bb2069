"""What has to hold of a run, with a collector and without."""

import stat
from collections import Counter

from clients.runs import Run


def did_the_same(bare: Run, watched: Run) -> None:
    """Exit status, answer, files, and what the tools told the model."""
    assert bare.requests, "the client never asked the model"
    assert bare.status is not None, "the client ran out of time"
    assert watched.status == bare.status
    assert watched.answer() == bare.answer()
    assert watched.files() == bare.files()
    assert watched.told_steady() == bare.told_steady()
    assert (watched.requests, watched.turns_left) == (bare.requests, bare.turns_left)


Keys = Counter[tuple[str, str | None]]


def _awaited(keys: Keys, unawaited: frozenset[str]) -> Keys:
    """Without the events whose hooks the client leaves behind: either may be missing."""
    return Counter({key: count for key, count in keys.items() if key[0] not in unawaited})


def has_every_event(run: Run) -> None:
    """The log's events, each by its id once, are those that the recorder saw."""
    agent = run.agent
    expected = agent.expected(run.recorded())
    assert expected, "the recorder saw nothing"
    logged = Counter(
        agent.key(own)
        for line in {line["event_id"]: line for line in run.lines()}.values()
        for own in [line["metadata"]["dev.hookstream"]]
        if not own.get("derived")
        and not line["event_type"].startswith("Policy.")
        and own["native_event"] not in agent.unshared
        and (agent.names_calls or own.get("reported_by") != "wrap" or not run.collected.exists())
    )
    assert _awaited(logged, agent.unawaited) == _awaited(expected, agent.unawaited)


def is_in_order(run: Run) -> None:
    """Every line is valid, every file private, and nothing was recorded as a failure."""
    errors = run.state / "hook-errors"
    assert not errors.exists(), errors.read_text()
    for log in run.logs:
        done = run.command("validate", str(log))
        assert done.returncode == 0, done.stdout + done.stderr
    for path in [*run.ours(), run.state, *(log.parent for log in run.logs)]:
        if ".cache" not in path.parts:
            assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def has_the_deny(run: Run) -> None:
    """The call that the policy hook refused is one observed deny, with the hook's reason."""
    rows = run.query("denies")
    assert "build/out.txt" in run.files()
    if not run.agent.wraps and not run.agent.shows_refusals:
        # A plugin that refuses looks like one that fails: no proof, so no observed deny.
        assert all(row["certainty"] == "inferred" for row in rows)
        return
    (row,) = rows
    assert row["tool"] == run.agent.name
    assert row["command"] == run.scenario.deny
    assert (row["decided_by"], row["certainty"]) == ("hook", "observed")
    assert row["decision_reason"] == "refused by the test policy"
    assert row["executed_afterwards"] is False
