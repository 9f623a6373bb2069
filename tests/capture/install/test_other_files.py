"""config.toml, hook scripts, plugin folders: the files that are no table of hooks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookstream.capture.install.engine import apply_install, apply_uninstall
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.notify_line import NotifyLine
from hookstream.capture.install.originals import Originals
from hookstream.capture.install.plugin_entry import PluginEntry
from hookstream.capture.install.registered import config_files
from hookstream.core.jsonc import parse
from hookstream.normalizers.client import client_of

pytestmark = pytest.mark.long

Run = Callable[..., subprocess.CompletedProcess[str]]
WORDS = ["/home/dev/.local/share/hookstream/hookstream-hook", "codex", "notify"]
CONFIGS = {
    "absent": None,
    "empty": b"",
    "plain": b'model = "gpt-5"\n\n[features]\nhooks = true\n',
    "comment first": b'# mine\n# [not.a.table]\nmodel = "x" # why\n',
    "table first": b'[projects."/a"]\ntrust_level = "trusted"\n',
    "long strings": b'text = """\n[table]\nnotify = ["no"]\n"""\n[a]\nb = [\n  1,\n]\n',
    "CRLF": b'model = "x"\r\n[a]\r\nb = 1\r\n',
    "no newline at the end": b'model = "x"',
}


@pytest.mark.parametrize("name", CONFIGS)
def test_notify_is_one_line_and_goes_again(home: Path, name: str) -> None:
    path = home / "config.toml"
    given = CONFIGS[name]
    if given is not None:
        path.write_bytes(given)
    file = NotifyLine(path, "codex", WORDS)
    for forget in (False, True):
        assert apply_install(file, Originals()).problem is None
        values = tomllib.loads((given or b"").decode())
        assert tomllib.loads(path.read_text()) == {**values, "notify": WORDS}
        assert apply_install(file, Originals()).is_none
        if forget and given is not None:
            Originals().drop(path)
        apply_uninstall(file, Originals())
        assert (path.read_bytes() if path.exists() else None) == given


def test_a_notify_of_another_is_left_alone(home: Path) -> None:
    path = home / "config.toml"
    path.write_text('notify = ["notify-send", "Codex"]\n')
    assert apply_install(NotifyLine(path, "codex", WORDS), Originals()).is_none
    assert path.read_text() == 'notify = ["notify-send", "Codex"]\n'


def test_a_line_of_another_installation_is_replaced(home: Path) -> None:
    path = home / "config.toml"
    program = "import sys;from hookstream.capture.forward import forward;forward()"
    old = ["/old/bin/python3", "-I", "-S", "-E", "-B", "-c", program, "codex", "notify"]
    path.write_text(f"a = 1\nnotify = {json.dumps(old)}\nb = 2\n")
    apply_install(NotifyLine(path, "codex", WORDS), Originals())
    assert tomllib.loads(path.read_text()) == {"a": 1, "notify": WORDS, "b": 2}
    apply_uninstall(NotifyLine(path, "codex", WORDS), Originals())
    assert path.read_text() == "a = 1\nb = 2\n"


def test_a_broken_toml_is_refused(home: Path) -> None:
    path = home / "config.toml"
    path.write_bytes(b"model = \n")
    change = apply_install(NotifyLine(path, "codex", WORDS), Originals())
    assert change.problem is not None and "no valid TOML" in change.problem
    assert path.read_bytes() == b"model = \n"


JSON5 = """\
// gateway
{
  gateway: { mode: 'local', port: 0x4a3f, }, // plain keys
  plugins: {
    allow: ['memory-core',],
    load: { paths: ["~/mine"] },
  },
}
"""


def openclaw(path: Path) -> Any:
    return parse(path.read_text(), json5=True).plain()


@pytest.mark.parametrize(
    "given", [None, "", "{}", JSON5, JSON5.replace("\n", "\r\n"), "{plugins: {}}"]
)
@pytest.mark.parametrize("forget", [False, True])
def test_the_entry_of_the_plugin(home: Path, given: str | None, forget: bool) -> None:
    path, folder = home / "openclaw.json", home / "plugin"
    if given is not None:
        path.write_bytes(given.encode())
    file = PluginEntry(path, "openclaw", folder, ("agent_end",))
    assert apply_install(file, Originals()).problem is None
    plugins = openclaw(path)["plugins"]
    assert plugins["load"]["paths"][-1] == str(folder)
    entry = plugins["entries"]["hookstream"]
    assert entry == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    # A list of what is allowed shuts out whatever is not on it.
    assert plugins.get("allow") == (
        ["memory-core", "hookstream"] if given and "allow" in given else None
    )
    assert file.registered(path.read_bytes()) == {"agent_end": True}
    assert apply_install(file, Originals()).is_none
    if forget and given:
        path.write_bytes(path.read_bytes().replace(b"local", b"remote"))
        given = given.replace("local", "remote")
    apply_uninstall(file, Originals())
    assert (path.read_bytes().decode() if path.exists() else None) == given


@pytest.mark.parametrize(
    "given", ["{plugins: []}", "{plugins: {load: 1}}", "{plugins: {entries: []}}", "{a: }"]
)
def test_a_configuration_of_another_shape_is_refused(home: Path, given: str) -> None:
    path = home / "openclaw.json"
    path.write_text(given)
    assert apply_install(PluginEntry(path, "openclaw", home, ()), Originals()).problem is not None
    assert path.read_text() == given


def test_cline_scripts_run_record_and_go(home: Path, run: Run) -> None:
    assert run("install", "cline").returncode == 0
    scripts = sorted((home / ".cline/hooks").iterdir())
    assert {s.name for s in scripts} == set(client_of("cline").events)
    payload = {
        "clineVersion": "",
        "hookName": "tool_call",
        "taskId": "c1",
        "agent_id": "a",
        "tool_call": {"id": "t1", "name": "run_commands", "input": {"commands": ["ls"]}},
    }
    done = subprocess.run(
        [scripts[0].with_name("PreToolUse")],
        input=json.dumps(payload).encode(),
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {"cancel": False}, b"")
    (line,) = (home / ".local/state/hookstream/log/agent-hooks.jsonl").read_text().splitlines()
    assert json.loads(line)["source"]["tool"] == "cline"
    assert run("uninstall", "cline").returncode == 0
    assert not (home / ".cline").exists()


def test_a_script_of_anothers_stays_and_ours_stands_beside_it(home: Path, run: Run) -> None:
    theirs = home / ".cline/hooks/PreToolUse"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("#!/bin/sh\nhookstream wrap cline PreToolUse -- /opt/guard\n")
    assert run("install", "cline").returncode == 0
    assert "/opt/guard" in theirs.read_text()
    assert "hookstream-hook" in theirs.with_name("PreToolUse.sh").read_text()
    assert run("uninstall", "cline").returncode == 0
    assert [p.name for p in theirs.parent.iterdir()] == ["PreToolUse"]


def test_the_extension_reads_another_folder(home: Path, run: Run) -> None:
    hooks = home / "Documents/Cline/Hooks"
    hooks.mkdir(parents=True)
    (hooks / "PreToolUse").write_text("#!/bin/sh\n/opt/guard\n")
    done = run("install", "cline")
    assert done.returncode == 2 and "another file of that name" in done.stderr
    assert (hooks / "PreToolUse").read_text() == "#!/bin/sh\n/opt/guard\n"
    assert "hookstream" in (hooks / "PostToolUse").read_text()
    assert not (home / ".cline").exists()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    "ending", ["", "process.exit(0);", "await new Promise((r) => setTimeout(r, 1500));"]
)
def test_the_openclaw_plugin_loses_and_answers_nothing(home: Path, run: Run, ending: str) -> None:
    assert run("install", "openclaw").returncode == 0
    folder = home / ".local/state/hookstream/plugins/openclaw"
    secret = "AKIA" + "Q" * 16
    script = f"""
import plugin from "{folder}/index.js";
const handlers = {{}};
plugin.register({{ on: (name, handler, opts) => {{ handlers[name] = handler; }} }});
const ctx = {{ sessionKey: "agent:main:x", sessionId: "s1", agentId: "main", runId: "r1",
  config: {{ key: "{secret}" }}, signal: new AbortController().signal, call: () => 1 }};
ctx.self = ctx;
for (let i = 0; i < 40; i++) {{
  const event = {{ toolName: "exec", toolCallId: "c" + i, runId: "r1",
    params: {{ command: "echo {secret} " + "x".repeat(9000) }} }};
  const said = handlers.before_tool_call(event, ctx);
  if (said !== undefined) throw new Error("answered");
}}
{ending}
"""
    in_node(script)
    lines = wait_for(home / ".local/state/hookstream/log/agent-hooks.jsonl", 40)
    assert secret not in "".join(lines)
    assert json.loads(lines[0])["event_type"] == "Action.Before"
    assert not list((home / ".local/state/hookstream").glob("hook-errors"))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_opencode_plugin_observes_callbacks_and_bus(home: Path, run: Run) -> None:
    assert run("install", "opencode").returncode == 0
    (plugin,) = (home / ".config/opencode/plugin").iterdir()
    script = f"""
import * as module from "{plugin}";
const names = Object.keys(module);
if (names.length !== 1) throw new Error("exports " + names);
const hooks = await module[names[0]]({{ directory: "/p" }});
const output = {{ args: {{ command: "ls" }} }};
await hooks["tool.execute.before"]({{ tool: "bash", sessionID: "ses_1", callID: "c1" }}, output);
if (JSON.stringify(output) !== '{{"args":{{"command":"ls"}}}}') throw new Error("changed");
await hooks.event({{ event: {{ id: "e", type: "tui.toast.show", properties: {{}} }} }});
await hooks.event({{ event: {{ id: "e", type: "session.created",
  properties: {{ sessionID: "ses_1", info: {{ id: "ses_1", version: "1.18.33" }} }} }} }});
await hooks.dispose();
"""
    copy = plugin.with_suffix(".mjs")
    shutil.copy(plugin, copy)
    script = script.replace(str(plugin), str(copy))
    in_node(script)
    lines = wait_for(home / ".local/state/hookstream/log/agent-hooks.jsonl", 2)
    native = {json.loads(line)["metadata"]["dev.hookstream"]["native_event"] for line in lines}
    assert native >= {"tool.execute.before", "session.created"}
    assert not any(name.startswith("tui") for name in native)


def test_scripts_of_an_earlier_folder_go_too(home: Path, run: Run) -> None:
    assert run("install", "cline").returncode == 0
    (home / ".vscode/extensions/saoudrizwan.claude-dev-3.71.0").mkdir(parents=True)
    assert run("install", "cline").returncode == 0
    assert (home / "Documents/Cline/Hooks/PreToolUse").exists()
    assert run("uninstall", "cline").returncode == 0
    assert not (home / "Documents").exists() and not (home / ".cline").exists()


def in_node(script: str) -> None:
    words = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def wait_for(path: Path, count: int, limit_s: float = 20) -> list[str]:
    """The lines of a log once it holds so many events, of which some may stand there twice: at
    its end a plugin sends again what it does not know to have arrived."""
    until = time.monotonic() + limit_s
    ids: set[str] = set()
    while time.monotonic() < until:
        text = path.read_text() if path.exists() else ""
        lines = text[: text.rfind("\n") + 1].splitlines()
        ids = {json.loads(line)["event_id"] for line in lines}
        if len(ids) >= count:
            return lines
        time.sleep(0.05)
    raise AssertionError(f"{len(ids)} of {count} events after {limit_s} s")


def test_every_path_of_openclaw_and_opencode_can_be_moved(home: Path) -> None:
    env = {**os.environ, "OPENCLAW_STATE_DIR": "/x/claw", "XDG_CONFIG_HOME": "/x/config"}
    homes = InstallFolders(env=env)
    assert (
        str(config_files(client_of("openclaw"), homes, "user")[-1].path) == "/x/claw/openclaw.json"
    )
    (plugin,) = config_files(client_of("opencode"), homes, "user")
    assert str(plugin.path).startswith("/x/config/opencode/plugin/")
