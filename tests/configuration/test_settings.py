"""Layers of settings for commands: what holds, where it comes from, what is refused."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hookstream.cli.app import app
from hookstream.configuration.catalog import SETTINGS
from hookstream.configuration.files import parse_toml, read_user
from hookstream.configuration.layers import MACHINE, USER, Layer, settle
from hookstream.configuration.reading import read_toml
from hookstream.configuration.reference import renewed
from hookstream.core import shown as addresses
from hookstream.core.errors import HookstreamError, did_you_mean

DOCUMENT = Path(__file__).parents[2] / "docs" / "configuration.md"
PROMPT = {
    "session_id": "5d0c",
    "cwd": "/home/dev/project",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "a prompt of many words",
}


@pytest.fixture
def user(own_home):
    def write(text: str) -> Path:
        folder = own_home / "config" / "hookstream"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(text)
        return folder / "config.toml"

    return write


def call(*words: object):

    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, HookstreamError), done.exception
        return 2, done.output + str(done.exception)
    return done.exit_code, done.output


def shown(*words: object) -> dict[str, dict]:
    code, text = call("config", "show", "--format", "json", *words)
    assert code == 0
    return {row["name"]: row for row in json.loads(text)["settings"]}


def run(tmp_path, *options):
    source = tmp_path / "in.jsonl"
    record = {"vendor": "claude-code", "machine": "laptop-7", "user": "alice", "payload": PROMPT}
    source.write_text(json.dumps(record))
    out = tmp_path / "out"
    code, text = call("run", source, "--to", f"jsonl:{out}", *options)
    file = out / "agent-hooks.jsonl"
    return code, text, file.read_text() if file.exists() else ""


def test_the_reference_is_what_the_code_says():
    text = DOCUMENT.read_text("utf-8")
    assert renewed(text) == text, (
        "run: python -m hookstream.configuration.reference docs/configuration.md"
    )
    assert all(f"| `{one.name}` |" in text for one in SETTINGS)


def test_each_value_says_where_it_comes_from(policy, user, monkeypatch, tmp_path):
    policy('privacy = "redact"\nkeep = 3\nlocked = ["privacy"]\n')
    user("budget_ms = 900\n")
    monkeypatch.setenv("AGENT_HOOKS_LOG", "/var/log/agents/")
    monkeypatch.setenv("HOOKSTREAM_PSEUDONYM_KEY_FILE", "/etc/fleet.key")
    found = shown()
    assert list(found) == [one.name for one in SETTINGS]
    said = {name: (row["value"], row["origin"], row["locked"]) for name, row in found.items()}
    assert said["privacy"] == ("redact", "machine policy", True)
    assert said["keep"] == (3, "machine policy", False)
    assert said["budget_ms"] == (900, "user file", False)
    assert said["log"] == ("/var/log/agents/", "environment", False)
    assert said["pseudonym_key_file"] == ("/etc/fleet.key", "environment", False)
    assert said["sync"] == ("fdatasync", "default", False)
    assert "privacy" in call("config", "show")[1]


def test_show_prints_no_credential(policy, user):
    token = "tok" + "en-of-the-sink-0123456789"
    user(f'[[sink]]\nname = "soc"\nuri = "splunk:https://x:8088"\ntoken = "{token}"\n').chmod(0o600)
    for form in ("table", "json"):
        code, text = call("config", "show", "--format", form)
        assert code == 0 and token not in text and "soc" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('privacy = "hsh"\n', "privacy is not valid"),
        ("privcy = 1\n", "privcy: no such setting"),
        ('locked = ["privcy"]\n', "privcy"),
        ("budget_ms = 1\n", "budget_ms is not valid"),
        ("allow = 7\n", "allow is not valid"),
        ('[[sink]]\nuri = "jsonl:-"\nonly = {risk = "hihg"}\n', "sink[0].only.risk"),
        ('[[sink]]\nname = "x"\n', "sink[0].uri: missing"),
        ('pseudonym_key_file = "/nowhere/key"\n', "No such file"),
    ],
)
def test_check_names_what_is_wrong(policy, text, said):
    code, output = call("config", "check", policy(text))
    assert code == 1 and said in output and "Traceback" not in output


@pytest.mark.posix("Windows has no such modes")
def test_check_of_what_is_right_and_of_rights(policy, user, tmp_path):
    assert call("config", "check", policy('privacy = "hash"\nlocked = ["log"]\n'))[0] == 0
    assert "others can write it" in call("config", "check", policy("keep = 1\n", 0o666))[1]
    assert "counts in" in call("config", "check", user('locked = ["log"]\n'))[1]
    broken = tmp_path / "x.toml"
    broken.write_text("privacy = ")
    assert call("config", "check", broken)[0] == 2
    assert call("config", "check", tmp_path / "absent")[0] == 2


def test_a_policy_can_be_checked_before_it_is_put_in_its_place(tmp_path):
    draft = tmp_path / "draft.toml"
    draft.write_text('locked = ["log"]\n')
    assert call("config", "check", draft)[0] == 2
    assert call("config", "check", "--policy", draft)[0] == 0
    draft.write_text('locked = ["lgo"]\n')
    assert call("config", "check", "--policy", draft)[0] == 1


def test_a_command_goes_by_the_policy(policy, user, tmp_path):
    policy('privacy = "redact"\n')
    assert "a prompt of many words" in run(tmp_path)[2]
    last = run(tmp_path, "--privacy", "hash")[2].splitlines()[-1]
    assert "a prompt of many words" not in last


def test_an_option_that_loosens_what_is_locked_is_an_error(policy, tmp_path):
    policy('privacy = "hash"\nlocked = ["privacy"]\n')
    code, text, written = run(tmp_path, "--privacy", "full")
    assert code == 2 and "locks privacy" in text and not written
    assert run(tmp_path, "--privacy", "hash")[0] == 0


def test_a_users_file_that_loosens_is_said_and_not_followed(policy, user, tmp_path):
    policy('privacy = "hash"\nlocked = ["privacy"]\n')
    user('privacy = "full"\n')
    code, text, written = run(tmp_path)
    assert code == 0 and "a prompt of many words" not in written
    assert "the machine policy locks it" in text


def test_names_and_content_are_two_settings(policy, tmp_path):
    policy('privacy = "hash"\npseudonyms = "off"\n')
    written = run(tmp_path)[2]
    assert "laptop-7" in written and "alice" in written and "a prompt of many" not in written
    policy('privacy = "full"\npseudonyms = "keyed"\n')
    written = run(tmp_path)[2].splitlines()[-1]
    assert "laptop-7" not in written and "alice" not in written and "a prompt of many" in written


def test_a_follower_takes_sinks_and_sources_of_the_policy(policy, tmp_path):
    source = tmp_path / "log.jsonl"
    source.write_text(json.dumps({"vendor": "claude-code", "payload": PROMPT}) + "\n")
    sink = f'[[sink]]\nname = "soc"\nuri = "jsonl:{tmp_path / "soc"}"\n'
    policy(f'sources = ["{source}"]\nlocked = ["sink", "seal"]\n{sink}')
    mine = tmp_path / "mine.toml"
    mine.write_text(f'seal = false\n[[sink]]\nname = "own"\nuri = "jsonl:{tmp_path / "own"}"\n')
    code, text = call("run", "--config", mine, "--state", tmp_path / "state")
    assert code == 0, text
    for name in ("soc", "own"):
        assert "Prompt.Submitted" in (tmp_path / name / "agent-hooks.jsonl").read_text()


def test_one_file_serves_hooks_and_follower(policy, user, tmp_path):
    source = tmp_path / "log.jsonl"
    source.write_text(json.dumps({"vendor": "claude-code", "payload": PROMPT}) + "\n")
    file = tmp_path / "all.toml"
    file.write_text(
        f'log = "/var/log/agents/"\nsync = "full"\nbudget_ms = 900\nsources = ["{source}"]\n'
        f'privacy = "redact"\n[[sink]]\nuri = "jsonl:{tmp_path / "out"}"\n'
    )
    assert call("config", "check", file) == (0, f"{file}: 6 keys, no problem\n")
    assert call("run", "--config", file, "--state", tmp_path / "state")[0] == 0
    assert "a prompt of many" in (tmp_path / "out" / "agent-hooks.jsonl").read_text()


@pytest.mark.posix("Windows has no such modes")
def test_a_credential_in_a_policy_that_all_can_read_is_refused(policy, tmp_path):
    policy('[[sink]]\nuri = "splunk:https://x:8088"\ntoken = "abc"\n')
    mine = tmp_path / "mine.toml"
    mine.write_text("sources = []\n")
    mine.chmod(0o600)
    code, text = call("run", "--config", mine)
    assert code == 2 and "others can read" in text


def test_paths_of_a_named_file_may_be_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    key = tmp_path / "key"
    key.write_text("k" * 32)
    key.chmod(0o600)
    record = json.dumps({"vendor": "claude-code", "payload": PROMPT})
    (tmp_path / "in.jsonl").write_text(record + "\n")
    (tmp_path / "c.toml").write_text(
        'hash_key_file = "key"\nsources = ["in.jsonl"]\nstate = "s"\n[[sink]]\nuri = "jsonl:out"\n'
    )
    code, text = call("run", "--config", "c.toml")
    assert code == 0 and "not valid" not in text
    assert "hmac-sha256:" in (tmp_path / "out" / "agent-hooks.jsonl").read_text()
    assert (tmp_path / "s").is_dir()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_every_setting_can_be_locked(setting):
    """A locked setting takes what is stricter and refuses the rest."""
    values = {
        "path": ["/a", "/b"], "place": ["/a", "off"], "count": [2, 1], "milliseconds": [900, 100],
        "text": ["a", "b"], "flag": [True, False], "texts": [["a"], ["b"]], "table": [{"a": 1}, {}],
        "tables": [[{"name": "a"}], [{"name": "b"}]], "personal": [["all"], ["card"]],
    }  # fmt: skip
    strict, loose = values.get(setting.kind) or (setting.choices[-1], setting.choices[0])
    layers = [
        Layer(MACHINE, "", {setting.name: strict, "locked": [setting.name]}),
        Layer(USER, "", {setting.name: loose}),
    ]
    found = settle(layers)
    if setting.when_locked == "add":
        assert found.values[setting.name] == strict + loose and not found.refused
        return
    assert found.values[setting.name] == strict
    assert [one.name for one in found.refused] == [setting.name]
    layers[0].values[setting.name], layers[1].values[setting.name] = loose, strict
    is_fixed = setting.when_locked == "fixed"
    assert settle(layers).values[setting.name] == (loose if is_fixed else strict)
    del layers[0].values["locked"]
    assert settle(layers).values[setting.name] == strict


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.posix("Windows has no such modes")
def test_a_file_that_everyone_can_write_is_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('privacy = "full"\n')
    file.chmod(0o666)
    with pytest.raises(HookstreamError, match="others can write it"):
        read_toml(file)
    layer = read_user(str(tmp_path), parse_toml)
    assert layer is not None
    assert layer.values == {}
    assert "others can write it" in str(layer.problem)
    file.chmod(0o664)
    assert read_toml(file) == {"privacy": "full"}


def test_a_key_of_any_length_is_refused_at_once() -> None:
    began = time.process_time()
    assert did_you_mean("k" * 3_000_000, ["privacy"]) == ""
    assert addresses.shown("k" * 300_000 + "://x:y@h") == "k" * 300_000 + "://***@h"
    with pytest.raises(ValueError, match="more than 64 parts"):
        parse_toml(b"a." * 20_000 + b"a = 1")
    assert time.process_time() - began < 1


def test_check_names_every_mistake_with_its_line(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text(
        f'sources = ["{tmp_path}/absent"]\nprivacy = "hsh"\ncolour = [\n 1,\n]\n\n'
        '[[sink]]\nname = "soc"\nuri = "spluk:https://x.example"\n\n'
        '[[sink]]\nuri = "webhook:https://x.example/y"\ntoken_evn = "T"\nonly = {risk = "hgh"}\n'
        'password_env = "NO_SUCH_NAME"\n\n[[route]]\nto = ["sco"]\n\n[alrt]\nx = 1\n'
    )
    file.chmod(0o600)
    code, text = call("config", "check", file)
    lines = [line.removeprefix(f"{file}:").split(":", 1) for line in text.splitlines()]
    assert code == 2
    assert [int(number) for number, _ in lines] == [1, 2, 3, 9, 13, 14, 15, 18, 20]
    told = dict(zip(("source", "privacy", "colour", "kind", "option", "risk"), lines, strict=False))
    assert "did you mean splunk?" in told["kind"][1] and "'hgh'" in told["risk"][1]


def test_a_line_is_what_the_parser_takes_for_one(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text(
        f'# "hsh" in a comment\nsources = [\n  "{tmp_path}/a",\n  "{tmp_path}/b",\n]\n'
        'title = """\nprivacy = 1\n[x]\u2028"""\n"privacy" = "hsh"\n'
        'sink = [{uri = "spluk:x"}, {uri = "jsonl:-", token_evn = "B"}]\n'
        '[retention]\nmax_age = "long"\n'
    )
    file.chmod(0o600)
    code, text = call("config", "check", file, "--format", "json")
    assert code == 2 and json.loads(text)["lines"] == [3, 6, 9, 10, 12]


def test_check_of_a_policy_has_lines_too(tmp_path):
    draft = tmp_path / "draft.toml"
    draft.write_text('\nlocked = ["lgo"]\nkeeep = 1\n')
    _, text = call("config", "check", "--policy", draft)
    assert f"{draft}:3: keeep" in text and f"{draft}:2: locked" in text


def test_a_settings_file_that_is_no_text_is_told_without_the_decoders_words() -> None:
    with pytest.raises(ValueError, match=r"^no UTF-8 at byte 2$"):
        parse_toml(b"a=\xff")
