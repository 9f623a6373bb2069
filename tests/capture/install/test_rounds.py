"""Install and uninstall over real and odd files: every safe event in between, bytes back after."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from odd_files import BROKEN, GROUPED, MARK
from reading import commands, read, tree, without_ours

from hookstream.capture.install.commands import is_ours
from hookstream.capture.install.engine import apply_install, apply_uninstall, files_of
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.originals import Originals
from hookstream.capture.install.registered import installable
from hookstream.normalizers import VENDORS, compiled
from hookstream.normalizers.client import client_of

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]
ROUNDS = 2  # the first leaves everything as it found it, its own state too
JSON_AGENTS = tuple(
    "claude-code cursor gemini-cli codex copilot qwen-code windsurf devin auggie".split()
)


def hooks_file(key: str, scope: str = "user") -> HooksFile:
    (first, *_) = files_of(client_of(key), InstallFolders(), scope)
    assert isinstance(first, HooksFile)
    return first


def put(path: Path, data: bytes | None) -> None:
    if data is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.mark.long
@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("key", JSON_AGENTS)
def test_rounds_bring_the_bytes_back(home: Path, key: str, name: str) -> None:
    file = hooks_file(key)
    put(file.path, GROUPED[name])
    before = tree(home)
    theirs = without_ours(read(file.path)) if file.path.exists() else {}
    originals = Originals()
    for _ in range(ROUNDS):
        change = apply_install(file, originals)
        assert change.problem is None
        assert (file.path.read_bytes()[:3] == MARK) == (GROUPED[name] or b"").startswith(MARK)
        settings = read(file.path)
        for event in file.events:
            ours = [c for c in commands(settings["hooks"][event]) if is_ours(c)]
            assert len(ours) == 1 and f" {key} {event}" in ours[0]
        kept = without_ours(settings)
        assert kept == theirs or kept == {**file.head, **theirs}
        assert apply_install(file, originals).is_none
        assert apply_uninstall(file, originals).problem is None
        assert tree(home) == before


@pytest.mark.parametrize(("key", "scope"), [("devin", "project"), ("antigravity", "user")])
@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"{}",
        b'{\r\n\t"Stop": [{"hooks": [{"type": "command", "command": "./own.sh"}]}]\r\n}',
        b'{"hookstream": {"Stop": [{"command": "./own.sh"}]}, "Stop": []}\n',
    ],
)
def test_a_table_under_another_name_comes_back_to_the_byte(
    home: Path, key: str, scope: str, data: bytes | None
) -> None:
    """Devin's project file is the table itself, Antigravity's has ours among named ones."""
    file = hooks_file(key, scope)
    put(file.path, data)
    before = tree(file.path.parent) if data is not None else {}
    theirs = read(file.path) if data else {}
    originals = Originals()
    for _ in range(ROUNDS):
        assert apply_install(file, originals).problem is None
        settings = read(file.path)
        events = settings if key == "devin" else settings["hookstream"]
        for event in file.events:
            ours = [c for c in commands(events[event]) if is_ours(c)]
            assert len(ours) == 1 and f" {key} {event}" in ours[0]
        assert set(settings) >= set(theirs)
        assert b"own.sh" not in (data or b"") or b"own.sh" in file.path.read_bytes()
        assert apply_install(file, originals).is_none
        assert apply_uninstall(file, originals).problem is None
        assert (tree(file.path.parent) if data is not None else {}) == before
        assert file.path.exists() == (data is not None)


@pytest.mark.parametrize("name", GROUPED)
def test_without_its_record_only_ours_is_taken_out(home: Path, name: str) -> None:
    """As after the state folder was lost: what others wrote stays, comments and order included."""
    file = hooks_file("claude-code")
    put(file.path, GROUPED[name])
    originals = Originals()
    apply_install(file, originals)
    originals.drop(file.path)
    assert apply_uninstall(file, originals).problem is None
    after = file.path.read_bytes() if file.path.exists() else b""
    given = GROUPED[name] or b""
    assert b"hookstream" not in after
    assert without_ours(read(file.path)) == without_ours(json_of(given))
    for comment in (b"// guards", b"// one", b"/* none yet */", b"// end", b"// nothing yet"):
        assert (comment in after) == (comment in given)


def json_of(data: bytes) -> Any:
    from reading import strict

    text = data.decode("utf-8-sig")
    return json.loads(strict(text)) if text.strip() else {}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("key", JSON_AGENTS)
def test_a_broken_file_is_refused_and_left_alone(home: Path, key: str, name: str) -> None:
    file = hooks_file(key)
    put(file.path, BROKEN[name])
    before = tree(home)
    for work in (apply_install, apply_uninstall):
        change = work(file, Originals())
        assert change.problem is not None or (work is apply_uninstall and change.is_none)
        assert "\n" not in (change.problem or "")
        assert tree(home) == before
    assert not Originals().folder.exists()


def test_a_broken_file_is_one_line_and_does_not_stop_the_others(home: Path, run: Run) -> None:
    put(home / ".claude/settings.json", b'{"hooks": ')
    (home / ".cursor").mkdir()
    done = run("install", "claude-code", "cursor")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "settings.json: left alone" in done.stderr and "line 1, column 11" in done.stderr
    assert (home / ".claude/settings.json").read_bytes() == b'{"hooks": '
    assert read(home / ".cursor/hooks.json")["hooks"]


def test_edits_made_in_between_are_kept(home: Path) -> None:
    file = hooks_file("claude-code")
    put(file.path, GROUPED["comments and trailing commas"])
    originals = Originals()
    apply_install(file, originals)
    text = file.path.read_text()
    edited = text.replace('"opus"', '"sonnet"').replace("// end\n", "// end, edited\n")
    edited = edited.replace('"command": "/opt/guard"', '"command": "/opt/guard -v"')
    file.path.write_text(edited)
    assert apply_install(file, originals).is_none
    apply_uninstall(file, originals)
    given = (GROUPED["comments and trailing commas"] or b"").decode()
    wanted = given.replace('"opus"', '"sonnet"').replace("// end\n", "// end, edited\n")
    assert file.path.read_text() == wanted.replace('"/opt/guard"', '"/opt/guard -v"')


def test_a_file_the_client_rewrote_loses_only_ours(home: Path) -> None:
    """Clients write their settings anew, in their own format, and add to them."""
    file = hooks_file("claude-code")
    put(file.path, GROUPED["four spaces"])
    apply_install(file, Originals())
    settings = read(file.path)
    settings["theme"] = "dark"
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "theirs"})
    file.path.write_text(json.dumps(settings, indent=2))
    apply_uninstall(file, Originals())
    after = read(file.path)
    assert after["theme"] == "dark"
    assert commands(after["hooks"]["Stop"]) == ["notify-send 'done' || true", "theirs"]
    assert list(after["hooks"]) == ["PreToolUse", "Stop"]


def test_a_file_that_was_made_and_then_filled_stays(home: Path) -> None:
    file = hooks_file("cursor")
    apply_install(file, Originals())
    text = file.path.read_text()
    file.path.write_text(text.replace('"version": 1,', '"version": 1,\n  "mine": true,'))
    apply_uninstall(file, Originals())
    assert read(file.path) == {"version": 1, "mine": True}


def test_an_entry_that_somebody_took_out_is_registered_again(home: Path) -> None:
    file = hooks_file("claude-code")
    put(file.path, GROUPED["four spaces"])
    before = file.path.read_bytes()
    apply_install(file, Originals())
    settings = read(file.path)
    del settings["hooks"]["PreCompact"]
    file.path.write_text(json.dumps(settings, indent=4) + "\n")
    apply_install(file, Originals())
    assert all(file.registered(file.path.read_bytes()).values())
    apply_uninstall(file, Originals())
    assert file.path.read_bytes() == before


def test_entries_of_another_installation_are_replaced(home: Path) -> None:
    file = hooks_file("claude-code")
    line = "/old/share/hookstream/hookstream-hook claude-code PreToolUse 2>/dev/null || :"
    old = {"type": "command", "command": line}
    put(file.path, json.dumps({"hooks": {"PreToolUse": [{"hooks": [old]}]}}).encode())
    apply_install(file, Originals())
    text = file.path.read_text()
    assert "/old/share" not in text
    assert all(file.registered(text.encode()).values())
    assert len(commands(read(file.path)["hooks"]["PreToolUse"])) == 1


@pytest.mark.posix("Windows has no such modes")
def test_a_linked_dotfile_keeps_its_link(home: Path) -> None:
    store = home / "dotfiles"
    store.mkdir()
    (store / "claude.json").write_bytes(GROUPED["tabs"] or b"")
    (store / "link.json").symlink_to("claude.json")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to("../dotfiles/link.json")
    os.chmod(store / "claude.json", 0o640)
    before = tree(home)
    file = hooks_file("claude-code")
    apply_install(file, Originals())
    assert (home / ".claude/settings.json").is_symlink() and (store / "link.json").is_symlink()
    assert all(file.registered((store / "claude.json").read_bytes()).values())
    assert (store / "claude.json").stat().st_mode & 0o777 == 0o640
    apply_uninstall(file, Originals())
    assert tree(home) == before


FIFO = pytest.param("fifo", marks=pytest.mark.posix("opening one waits where it cannot be asked"))


@pytest.mark.parametrize("kind", ["loop", "to nowhere", "folder", FIFO, "below a file"])
def test_what_is_no_file_is_refused(home: Path, kind: str) -> None:
    path = home / ".claude/settings.json"
    if kind == "below a file":
        (home / ".claude").write_text("")
    else:
        path.parent.mkdir()
    if kind == "loop":
        path.symlink_to("settings.json")
    elif kind == "to nowhere":
        path.symlink_to("/nonexistent/folder/settings.json")
    elif kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    before = [str(p) for p in sorted(home.rglob("*"))]
    change = apply_install(hooks_file("claude-code"), Originals())
    assert change.problem is not None and "\n" not in change.problem
    assert [str(p) for p in sorted(home.rglob("*"))] == before


@pytest.mark.posix("Windows has no such modes")
def test_a_read_only_file_keeps_its_mode(home: Path) -> None:
    file = hooks_file("claude-code")
    put(file.path, GROUPED["tabs"])
    file.path.chmod(0o444)
    before = tree(home)
    assert apply_install(file, Originals()).problem is None
    assert file.path.stat().st_mode & 0o777 == 0o444
    apply_uninstall(file, Originals())
    assert tree(home) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused(home: Path) -> None:
    file = hooks_file("claude-code")
    put(file.path, GROUPED["tabs"])
    file.path.parent.chmod(0o555)
    try:
        change = apply_install(file, Originals())
    finally:
        file.path.parent.chmod(0o755)
    assert change.problem is not None and "cannot write into" in change.problem
    assert not Originals().folder.exists()


def test_every_event_of_a_table_is_registered_or_left_out_with_a_reason() -> None:
    """An event that a table knows and install does not would be a blind spot."""
    # Names of older clients, of another spelling, or that a bridge of others uses.
    elsewhere = {
        "copilot": {e for e in compiled("copilot").vendor.events if e[0].isupper()},
        "openclaw": {"before_agent_start", "subagent_spawning", "deactivate"},
        "opencode": set(compiled("opencode").vendor.events),
        "kilo": set(compiled("kilo").vendor.events),
    }
    for agent in installable():
        known = set(compiled(agent.key).vendor.events) - elsewhere.get(agent.key, set())
        assert known <= {*agent.events, *agent.left_out}, agent.key
        assert not set(agent.events) & set(agent.left_out)
    assert {agent.key for agent in installable()} < set(VENDORS)


@pytest.mark.long
def test_what_would_change_the_agent_is_never_registered(home: Path, run: Run) -> None:
    assert run("install", *(agent.key for agent in installable())).returncode == 0
    claude = read(home / ".claude/settings.json")["hooks"]
    assert not {"WorktreeCreate", "WorktreeRemove"} & set(claude)
    cursor = read(home / ".cursor/hooks.json")
    assert cursor["version"] == 1
    for event, (entry,) in cursor["hooks"].items():
        assert "failClosed" not in entry and entry["timeout"] == 5
        assert ("loop_limit" in entry) == (event in ("stop", "subagentStop"))
    assert cursor["hooks"]["stop"][0]["loop_limit"] is None
    gemini = read(home / ".gemini/settings.json")["hooks"]
    assert gemini["BeforeTool"][0]["hooks"][0]["timeout"] == 10_000  # milliseconds
    codex = read(home / ".codex/hooks.json")["hooks"]
    assert codex["SessionEnd"][0]["hooks"][0]["timeout"] == 3  # seconds
