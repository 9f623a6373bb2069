"""What differs between the clients: settings, command line, hook files, names of tools."""

import json
import os
import re
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from clients import installs
from clients.model.server import URL
from clients.scenarios import Scenario

HOOKS = Path(__file__).resolve().parent.parent / "hooks"
MCP = [sys.executable, "-I", str(HOOKS / "mcp_echo.py")]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
Payload = dict[str, Any]
Keys = list[tuple[str, str | None]]


def tool(tool_name: str, /, **args: Any) -> dict[str, Any]:
    return {"name": tool_name, "args": args}


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    return json.loads(path.read_text()) if path.exists() else {}


def policy_command(text: str) -> str:
    return shlex.join([sys.executable, "-I", str(HOOKS / "policy.py"), text])


def recorder_command(file: Path, event: str) -> str:
    return shlex.join([sys.executable, "-I", str(HOOKS / "recorder.py"), str(file), event])


class Agent:
    """One client. `home` is the scratch home of a run, the project lies in it."""

    name = ""
    # every event an observer can register for, from the vendor's documentation
    events: tuple[str, ...] = ()
    pre_tool = "PreToolUse"
    # events that the client starts hooks for and then ends without waiting for them
    unawaited: frozenset[str] = frozenset()
    # native events in the log that a second hook cannot be registered for
    unshared: frozenset[str] = frozenset()
    # (pattern, replacement): what two runs of the client say differently
    volatile: tuple[tuple[str, str], ...] = ()
    # whether a policy hook is a command that hookstream can wrap
    wraps = True
    # whether it shows a refusal that no wrap has seen
    shows_refusals = False
    # whether its hooks hand over to a collector; a plugin has a process that stays
    hands_over = True
    # whether its payloads name their call or their time: a wrap finds its hook's line only in the
    # log that it writes, and a collector has another one here
    names_calls = True
    # where its hooks are registered, below the home
    hook_files: tuple[str, ...] = ()
    # whether its hooks show that a shell command failed
    shows_failures = True
    # whether it aborts the last call of a failing loop, which then has not failed by itself
    aborts_loops = False
    # whether it may end before its hooks have shown how the last call ended
    loses_last_end = False

    # --- the run

    def environment(self, home: Path) -> dict[str, str]:
        """A clean environment: nothing of the caller's, no telemetry."""
        words = installs.program(self.name)
        path = f"{os.path.dirname(words[0])}:{PATH}" if len(words) > 1 else PATH
        clean = {
            "PATH": path,
            "HOME": str(home),
            "USER": "dev",
            "LOGNAME": "dev",
            "SHELL": "/bin/bash",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
            "DO_NOT_TRACK": "1",
            "TMPDIR": str(home / ".tmp"),
        }
        return {**clean, **self.own_environment(home)}

    def own_environment(self, home: Path) -> dict[str, str]:
        return {}

    def arguments(self, prompt: str) -> list[str]:
        raise NotImplementedError

    def configure(self, home: Path, project: Path) -> None:
        """Settings that a run needs, hooks apart."""

    def answer(self, stdout: str) -> Any:
        """What the agent says at the end, without what differs from run to run."""
        return self.steady(stdout)

    def steady(self, text: str) -> str:
        for pattern, replacement in self.volatile:
            text = re.sub(pattern, replacement, text)
        return text

    # --- the hooks

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        """Registers a command for each event, beside what stands there; `name` tells whose."""
        raise NotImplementedError

    def add_policy(self, home: Path, text: str) -> None:
        """Registers a policy hook that refuses calls holding `text`."""
        self.add_commands(home, "policy", {self.pre_tool: policy_command(text)})

    def add_recorder(self, home: Path, file: Path) -> None:
        """Registers the recorder for every event."""
        lines = {event: recorder_command(file, event) for event in self.events}
        self.add_commands(home, "y-recorder", lines)

    def seen(self, event: str, payload: Payload) -> Keys:
        """(native event, call id) of each line that a payload must have left in the log; none for
        what is no event by the vendor's own contract."""
        return [(event, payload.get("tool_use_id"))]

    def key(self, line: Payload) -> tuple[str, str | None]:
        """(native event, call id) of a line's own part of the metadata."""
        return line["native_event"], line.get("call_id")

    def expected(self, recorded: list[tuple[str, Payload]]) -> Counter[tuple[str, str | None]]:
        return Counter(key for event, payload in recorded for key in self.seen(event, payload))

    # --- the scenario

    def call(self, kind: str, a: dict[str, Any], project: Path) -> dict[str, Any]:
        """This client's own call for a kind of tool."""
        raise NotImplementedError

    def after_subagent(self) -> list[dict[str, Any]]:
        """Calls of the turn that follows the start of a sub-agent."""
        return []

    def subagent_end(self, text: str) -> dict[str, Any]:
        """The last turn of a sub-agent."""
        return {"text": text}

    def lanes(self, scenario: Scenario, project: Path) -> dict[str, list[dict[str, Any]]]:
        """The scenario's turns as this client's calls, one lane for each conversation."""
        lanes: dict[str, list[dict[str, Any]]] = {"main": []}

        def delegate(a: dict[str, Any]) -> dict[str, Any]:
            lane = f"sub-{len(lanes)}"
            lanes[lane] = []
            add(lane, a["turns"])
            lanes[lane][-1] = self.subagent_end(lanes[lane][-1]["text"])
            return {"prompt": f"[{lane}] {a['prompt']}"}

        def add(lane: str, turns: list[dict[str, Any]]) -> None:
            for turn in turns:
                tools = turn.get("tools", [])
                calls = [
                    self.call(kind, delegate(a) if kind == "subagent" else a, project)
                    for kind, a in tools
                ]
                lanes[lane].append({**{k: v for k, v in turn.items() if k != "tools"}})
                if calls:
                    lanes[lane][-1]["calls"] = calls
                if any(kind == "subagent" for kind, _ in tools) and self.after_subagent():
                    lanes[lane].append({"calls": self.after_subagent()})

        add("main", scenario.turns)
        return lanes


class GroupedHooks(Agent):
    """Clients whose hooks stand as {event: [{"hooks": [{"type", "command"}]}]} in a JSON file."""

    matcher: str | None = None

    def add_commands(self, home: Path, name: str, commands: dict[str, str]) -> None:
        path = home / self.hook_files[0]
        settings = read_json(path)
        table = settings.setdefault("hooks", {})
        for event, command in commands.items():
            group: dict[str, Any] = {"hooks": [{"type": "command", "command": command}]}
            matcher = self.matcher_of(event)
            if matcher is not None:
                group["matcher"] = matcher
            table.setdefault(event, []).append(group)
        write_json(path, settings)

    def matcher_of(self, event: str) -> str | None:
        return self.matcher


__all__ = ["MCP", "URL", "Agent", "GroupedHooks", "Keys", "Payload", "read_json", "tool"]
