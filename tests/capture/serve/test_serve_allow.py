"""The collector's allow-list: the hook's own bytes, read again when the list has changed."""

import json

from collector_runner import Collector, forward, log_of
from hook_runner import CLAUDE

from hookstream.redaction.digest import digest

SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"[:36]
MAIL = "bob" + "@example.com"
PAYLOAD = {**CLAUDE, "tool_input": {"command": f"export A={SECRET}; mail {MAIL}"}}
HOOK = ("claude-code", "PreToolUse", "--now", "2026-11-21T02:10:10.012Z")


def last_command(home):
    return log_of(home.log)[-1]["data"]["action"]["input"]["command"]


def test_the_collector_writes_what_the_hook_alone_writes(home):
    (home.path / "allow").write_text(f"{digest(SECRET)}\n")
    home.configure({"allow": "~/allow"})
    home.hook(*HOOK, payload=PAYLOAD)
    with Collector(home) as collector:
        forward(home, *HOOK, payload=PAYLOAD)
        status, _ = collector.post("/hook/claude-code/PreToolUse", PAYLOAD)
    assert status == 200
    alone, served, posted = home.log.read_bytes().splitlines()
    assert alone == served
    assert SECRET.encode() in posted and MAIL.encode() not in posted
    assert not (home.state / "hook-errors").exists()


def test_a_list_that_changes_is_read_again_and_a_damaged_one_allows_nothing(home):
    allow = home.path / "allow"
    home.configure({"allow": str(allow)})
    with Collector(home):
        for text, stay in (
            (None, ()),
            ("email\n", (MAIL,)),
            (f"email\n{digest(SECRET)}\n", (MAIL, SECRET)),
            (f"email\n{SECRET}\n", ()),
            ("email", (MAIL,)),
        ):
            if text is not None:
                allow.write_text(text)
            for _ in range(2):
                assert forward(home, *HOOK, payload=PAYLOAD).stdout == b""
                assert [one for one in (MAIL, SECRET) if one in last_command(home)] == list(stay)
    told = [one["problem"] for one in home.failures()]
    assert told == [
        f"allow-list {allow}: No such file or directory",
        f"allow-list {allow}:2: neither a rule nor a digest",
    ]
    assert SECRET not in json.dumps(told)
