# ruff: noqa: E501
"""What each mode keeps, and what no mode keeps."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from privacy_cases import KEY, MODES, an_event, events_of, records, shown, stage

from hookstream.core.event import CONTENT_FACTS, Event
from hookstream.core.jsons import canonical
from hookstream.redaction import Redactor
from hookstream.redaction.digest import digest, is_marker, marker, pseudonym

GITHUB = "ghp_" + "a1B2" * 9
PROSE = "The quick brown fox signs the contract on Friday."


def applied(mode: str, facts: dict[str, Any] | None = None, **trees: Any) -> Event:
    event = an_event(facts, **copy.deepcopy(trees))
    stage(mode).redact_event(event)
    return event


# Content facts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONTENT_FACTS)
def test_hash_mode_keeps_digest_and_length_of_content_only(name: str) -> None:
    event = applied("hash", {name: PROSE})
    assert name not in event.facts
    assert event.facts[f"{name}_hash"] == digest(PROSE)
    assert event.facts[f"{name}_length"] == len(PROSE)
    assert event.redacted == [name]
    assert PROSE not in repr(shown(event))


@pytest.mark.parametrize("mode", ["redact", "full"])
def test_the_other_modes_keep_content_without_secrets(mode: str) -> None:
    event = applied(mode, {"prompt": f"use {GITHUB} please"})
    assert event.facts["prompt"] == "use [REDACTED:github-pat] please"
    assert event.facts["prompt_hash"] == digest(f"use {GITHUB} please")
    assert event.redacted == ["prompt"]


def test_content_may_be_any_json_value(mode: str) -> None:
    value = {"stdout": f"a {GITHUB}", "lines": [1, "é", None], "password": "hunter2"}
    event = applied(mode, {"output": value})
    assert event.facts["output_hash"] == digest(value)
    assert event.facts["output_length"] == len(canonical(value).decode())
    assert event.redactions == {"github-pat": 1, "secret-field": 1}
    if mode != "hash":
        assert event.facts["output"]["stdout"] == "a [REDACTED:github-pat]"
        assert event.facts["output"]["password"] == "[REDACTED:secret-field]"
        assert event.facts["output"]["lines"] == [1, "é", None]


def test_a_digest_that_is_there_already_is_kept() -> None:
    event = applied("hash", {"prompt_hash": "sha256:" + "0" * 64, "prompt_length": 7})
    assert event.facts["prompt_hash"] == "sha256:" + "0" * 64


def test_digests_are_keyed_under_a_key() -> None:
    privacy = Redactor("hash", KEY, digest_key=b"d" * 32, scanner=stage("hash").scanner)
    event = an_event({"prompt": PROSE}, input={"content": PROSE})
    privacy.redact_event(event)
    assert event.facts["prompt_hash"] == digest(PROSE, b"d" * 32)
    assert event.input == {"content": marker(PROSE, b"d" * 32)}


# Arguments -------------------------------------------------------------------------------------


def test_content_arguments_become_markers_in_hash_mode() -> None:
    given = {
        "file_path": "a.py", "content": PROSE, "old_string": "x", "edits": [{"newString": PROSE}],
        "limit": 3, "odd": "one\ntwo", "note": "n" * 129, "short": "n" * 128, "command": "c" * 400,
        "paths": ["p" * 200], "empty": "",
    }  # fmt: skip
    event = applied("hash", input=given)
    assert event.input is not None
    assert event.input["content"] == marker(PROSE)
    assert is_marker(event.input["old_string"])
    assert event.input["edits"] == [{"newString": marker(PROSE)}]
    assert event.input["odd"] == marker("one\ntwo")
    assert event.input["note"] == marker("n" * 129)
    for kept in ("file_path", "limit", "short", "command", "paths", "empty"):
        assert event.input[kept] == given[kept]
    assert event.redacted == [
        "input.content", "input.old_string", "input.edits[0].newString", "input.odd", "input.note",
    ]  # fmt: skip


def test_a_table_can_name_further_content_arguments() -> None:
    event = applied("hash", input={"command": "ls"}, content_arguments=frozenset({"command"}))
    assert event.input == {"command": marker("ls")}


def test_the_leftovers_of_a_payload_are_told_apart_the_same_way() -> None:
    tree = {"text": PROSE, "deep": {"prompt": {"a": "b"}}, "id": "x1"}
    event = applied("hash", native=tree, unmapped=tree)
    for place in (event.native, event.unmapped):
        assert place == {"text": marker(PROSE), "deep": {"prompt": {"a": marker("b")}}, "id": "x1"}


def test_what_lies_too_deep_becomes_a_marker(mode: str) -> None:
    value: Any = f"deep {GITHUB}"
    for _ in range(60):
        value = {"k": [value]}
    event = applied(mode, input={"x": value})
    assert GITHUB not in repr(shown(event))
    assert "[hookstream:sha256=" in repr(event.input)


def test_names_that_say_secret_empty_their_values(mode: str) -> None:
    given = {
        "password": "correct", "headers": {"Authorization": "Bearer abc.def", "Accept": "text/html"},
        "env": [{"name": "DB_PASSWORD", "value": "swordfish"}, {"name": "PORT", "value": "80"}],
        "args_": ["--token", "quite-plain", "-v"], "max_tokens": 100, "token": "$TOKEN",
        "pin_password": 123456, "clientSecret": ["one-a", "two-b"],
        "childSessionKey": "agent:main:subagent:31c83452", "apiKey": "YOUR_API2_KEY",
    }  # fmt: skip
    event = applied(mode, input=given)
    text = repr(shown(event))
    for secret in ("correct", "abc.def", "swordfish", "quite-plain", "123456", "one-a", "two-b"):
        assert secret not in text
    assert event.input is not None
    assert event.input["headers"]["Accept"] == "text/html"
    assert event.input["headers"]["Authorization"].startswith("Bearer [REDACTED:")
    assert event.input["env"][1] == {"name": "PORT", "value": "80"}
    assert event.input["max_tokens"] == 100
    assert event.input["token"] == "$TOKEN"
    assert event.input["childSessionKey"] == "agent:main:subagent:31c83452"
    assert event.input["apiKey"] == "YOUR_API2_KEY"


def test_a_secret_that_only_the_whole_argument_list_shows() -> None:
    event = applied("hash", input={"argv": ["curl", "-u", "bob:hunter2", "https://x.test"]})
    assert event.input == {
        "argv": ["curl", "-u", "bob:[REDACTED:flag-user-password]", "https://x.test"]
    }


def test_keys_are_scanned_too(mode: str) -> None:
    event = applied(mode, unmapped={"servers": {GITHUB: {"a": 1}, "plain": 2}})
    assert GITHUB not in repr(shown(event))
    assert event.unmapped == {"servers": {"[REDACTED:github-pat]": {"a": 1}, "plain": 2}}


# Everything else -------------------------------------------------------------------------------


def test_every_string_fact_is_scanned_and_counted_once_a_value(mode: str) -> None:
    event = applied(
        mode,
        {"command": f"echo {GITHUB}", "cwd": f"/srv/{GITHUB}", "session_id": "s1"},
        input={"command": f"echo {GITHUB}"},
    )
    assert event.facts["command"] == "echo [REDACTED:github-pat]"
    assert event.facts["cwd"] == "/srv/[REDACTED:github-pat]"
    assert event.redactions == {"github-pat": 1}
    assert event.redacted == ["command", "cwd", "input.command"]
    [(rule, path, print_)] = event.secrets
    assert (rule, path) == ("github-pat", "command")
    assert len(print_) == 32


def test_an_unknown_event_type_is_scanned() -> None:
    event = Event("vendor.x." + "AKIA" + "Q" * 16, None, {}, "x")
    stage("hash").redact_event(event)
    assert event.type == "vendor.x.[REDACTED:aws-access-key-id]"


def test_a_message_keeps_its_first_line_if_that_is_short() -> None:
    long = "E" * 200
    for text, kept in (
        ("short", "short"),
        (f"first\n{PROSE}", "first"),
        (long, marker(long)),
        (f"{long}\nx", marker(f"{long}\nx")),
    ):
        event = applied("hash", {"error_message": text})
        assert event.facts["error_message"] == kept
        assert (event.redacted == ["error_message"]) == (kept != text)
        assert applied("redact", {"error_message": text}).facts["error_message"] == text


def test_secrets_go_before_anything_is_cut() -> None:
    text = "x" * 110 + f" {GITHUB} rest of the line"
    event = applied("hash", {"message": text})
    assert GITHUB[:10] not in repr(shown(event))
    assert event.redactions == {"github-pat": 1}


def test_people_and_machines_become_pseudonyms() -> None:
    facts = {"user_id": "bob@example.com", "machine_id": "laptop-7", "cwd": "/home/alice/p"}
    for mode in ("hash", "redact"):
        event = applied(mode, facts)
        assert event.facts["user_id"] == pseudonym("user", "bob@example.com", KEY)
        assert event.facts["machine_id"] == pseudonym("machine", "laptop-7", KEY)
        assert event.facts["cwd"] == f"/home/{pseudonym('user', 'alice', KEY)}/p"
    event = applied("full", facts)
    assert {name: event.facts[name] for name in facts} == facts


def test_home_folders_everywhere_and_generic_names_nowhere() -> None:
    name = pseudonym("user", "mary-ann", KEY)
    event = applied(
        "hash",
        {
            "transcript_path": "/home/mary-ann/.claude/projects/-home-mary-ann-shop/a.jsonl",
            "command": "cat /Users/mary-ann/x C:\\Users\\mary-ann\\y /home/runner/z",
        },
        input={"file_path": "/home/mary-ann/notes.txt", "other": "/home/dev/x"},
    )
    assert (
        event.facts["transcript_path"] == f"/home/{name}/.claude/projects/-home-{name}-shop/a.jsonl"
    )
    assert event.facts["command"] == f"cat /Users/{name}/x C:\\Users\\{name}\\y /home/runner/z"
    assert event.input == {"file_path": f"/home/{name}/notes.txt", "other": "/home/dev/x"}


def test_ids_digests_and_hashes_survive(mode: str) -> None:
    facts = {
        "session_id": "550e8400-e29b-41d4-a716-446655440000", "call_id": "toolu_01A2b3C4d5E6f7G8h9J0kLmN",
        "turn_id": "f62d3730-f7ef-44ba-b1e3-741f4e686758", "prompt_hash": "sha256:" + "0af1" * 16,
        "command": "git checkout 4b825dc642cb6eb9a060e54bf8d69288fbee4904 && docker run x@sha256:" + "a1b2c3d4" * 8,
        "agent_id": "amate1-0c42058686cab327", "model_id": "claude-sonnet-4-5-20250929",
        "event_id": "26c88028-1c67-8787-a470-182740370fa9", "repo": "git@github.com:team/shop.git",
    }  # fmt: skip
    event = applied(mode, facts)
    assert {name: event.facts[name] for name in facts} == facts
    assert event.redactions is None


def test_text_and_tree_for_all_that_is_no_event(privacy: Redactor, mode: str) -> None:
    assert privacy.redact_text(f"failed: {GITHUB}") == "failed: [REDACTED:github-pat]"
    tree = {"error": f"x {GITHUB}", GITHUB: 1, "password": "hunter2", "content": PROSE, "n": 1.5}
    assert privacy.redact_json(tree) == {
        "error": "x [REDACTED:github-pat]", "[REDACTED:github-pat]": 1,
        "password": "[REDACTED:secret-field]", "content": PROSE, "n": 1.5,
    }  # fmt: skip
    kept = privacy.redact_text("at /home/alice/x") == "at /home/alice/x"
    assert kept == (mode == "full")


# Fingerprints ----------------------------------------------------------------------------------


def fingerprint_of(given: dict[str, Any], mode: str = "hash") -> str:
    return str(applied(mode, {"action_name": "shell"}, input=given).facts["action_fingerprint"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"command": "ls  -la"}, {"command": " ls -la"}),
        ({"command": "ls", "description": "a"}, {"description": "b", "command": "ls"}),
        ({"command": "cat /tmp/a1/x"}, {"command": "cat /tmp/b2/x"}),
        ({"command": "get 550e8400-e29b-41d4-a716-446655440000"}, {"command": "get 650e8400-e29b-41d4-a716-446655440001"}),
        ({"command": "at 2026-11-21T10:00:00Z"}, {"command": "at 2026-11-22T11:30:00Z"}),
        ({"command": "cat /home/alice/x"}, {"command": "cat /home/bob/x"}),
        ({"command": f"echo {GITHUB}"}, {"command": "echo ghp_" + "Z9y8" * 9}),
    ],
)  # fmt: skip
def test_what_varies_from_try_to_try_does_not_count(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert fingerprint_of(one) == fingerprint_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"command": "ls"}, {"command": "pwd"}),
        ({"content": "a"}, {"content": "b"}),
        ({"command": "ls", "timeout": 1, "cwd": "a"}, {"command": "ls", "cwd": "b"}),
    ],
)
def test_another_input_is_another_attempt(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert fingerprint_of(one) != fingerprint_of(other)


def test_a_fingerprint_that_is_there_is_kept_and_a_command_is_enough() -> None:
    event = applied("hash", {"action_fingerprint": "f" * 32}, input={"command": "ls"})
    assert event.facts["action_fingerprint"] == "f" * 32
    assert applied("hash", {"command": "ls"}).facts["action_fingerprint"] == fingerprint_of(
        {"command": "ls"}
    )
    assert "action_fingerprint" not in applied("hash", {}).facts


@pytest.mark.parametrize(
    "command",
    [
        "cat /home/alice/x",
        "cat /Users/alice.smith/x",
        "dir C:\\Users\\alice\\x",
        "cat /root/.claude/projects/-home-alice-x/1",
        f"TOKEN={GITHUB} cat /home/alice/x ~/.claude/projects/-home-alice-x",
    ],
)
def test_whose_home_it_is_makes_no_other_attempt_in_any_mode(command: str) -> None:
    assert len({fingerprint_of({"command": command}, mode) for mode in MODES}) == 1
    assert "alice" not in str(shown(applied("hash", {}, input={"command": command})))


# Laws over the samples -------------------------------------------------------------------------


def test_counts_risk_and_fingerprints_are_equal_in_all_modes() -> None:
    for record in records():
        seen = []
        for mode in MODES:
            events = events_of(record)
            for event in events:
                stage(mode).redact_event(event)
            seen.append(
                [(e.facts.get("action_fingerprint"), e.redactions, e.secrets) for e in events]
            )
        assert seen[0] == seen[1] == seen[2]


def test_a_second_pass_changes_nothing(mode: str) -> None:
    for record in records():
        for event in events_of(record):
            stage(mode).redact_event(event)
            once = copy.deepcopy(shown(event))
            stage(mode).redact_event(event)
            assert shown(event) == once


def test_a_stricter_mode_may_follow() -> None:
    for record in records():
        for event in events_of(record):
            direct = copy.deepcopy(event)
            stage("hash").redact_event(direct)
            stage("redact").redact_event(event)
            stage("hash").redact_event(event)
            assert event.facts == direct.facts


def test_the_payload_itself_is_not_touched() -> None:
    for record in records():
        before = copy.deepcopy(record.payload)
        for event in events_of(record):
            stage("hash").redact_event(event)
        assert record.payload == before


def test_an_id_that_looks_like_a_card_number_stays_an_id() -> None:
    digits = "41111111" + "-1111-" + "1111"  # the beginning of a UUID, and a valid check digit
    facts = {"event_id": f"{digits}-8a37-5dc189d80b51", "tool": "t", "session_id": "s"}
    facts |= {"timestamp": "2026-01-01T00:00:00Z", "message": f"card {digits.replace('-', ' ')}"}
    event = Event("Agent.Notification", None, facts, "t")
    Redactor("hash", pseudonym_key=b"k" * 32).redact_event(event)
    assert event.facts["event_id"] == f"{digits}-8a37-5dc189d80b51"
    assert "1111" not in event.facts["message"]


def test_full_mode_keeps_who_it_was_but_no_secret_in_their_name() -> None:
    address, token = "bob" + "@example.com", "ghp_" + "a1B2" * 9
    event = an_event({"user_id": f"{address} {token}"})
    stage("full").redact_event(event)
    assert event.facts["user_id"] == f"{address} [REDACTED:github-pat]"
    assert event.redactions == {"github-pat": 1}


def test_an_address_of_a_person_goes_and_is_counted_but_is_no_secret() -> None:
    event = an_event({"command": f"mail bob.smith{'@'}example.com --token {GITHUB}"})
    stage("hash").redact_event(event)
    assert event.redactions == {"email": 1, "github-pat": 1}
    assert [rule for rule, _, _ in event.secrets] == ["github-pat"]
