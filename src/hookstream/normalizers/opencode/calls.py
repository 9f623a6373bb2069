"""Tool calls and permissions of OpenCode that a row of its table cannot express.

Source: payloads recorded from OpenCode 1.18.33.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.opencode import wording
from hookstream.normalizers.opencode.sessions import INFO, PART, PROPERTIES, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.wording import Ending

STATE = "event.properties.part.state"
PATHS = ("filePath", "filepath", "path")
TOOLS = {
    "bash": t.shell(),
    "read": t.read(PATHS),
    "write": t.write(PATHS),
    "edit": t.edit(PATHS),
    "multiedit": t.edit(PATHS),
    "patch": t.edit(PATHS),
    "apply_patch": t.edit(PATHS),
    "glob": t.find(),
    "grep": t.find(),
    "list": t.listing(),
    "lsp": t.Tool("lsp", "other", file_path=PATHS),
    "webfetch": t.fetch(),
    "websearch": t.search(),
    "codesearch": t.search(),
    "task": t.delegate(),
    "skill": t.Tool("skill", "other"),
    "question": t.Tool("question", "other"),
    "todowrite": t.Tool("todo", "other"),
    "todoread": t.Tool("todo", "other"),
    "plan_enter": t.Tool("plan", "other"),
    "plan_exit": t.Tool("plan", "other"),
    "batch": t.Tool("batch", "other"),
    "invalid": t.Tool("other", "other"),
}


# Tool calls: the callback tool.execute.after and the final state of a part on the bus.


def _tool(p: Payload) -> str:
    return t.text_at(p, "input.tool", "tool", f"{PART}.tool")


@t.derived
@t.reads(f"input.tool tool {PART}.tool")
def mcp_server(p: Payload) -> str | None:
    """<server>_<tool>: the border is unknown if a server's name has an underscore."""
    name = _tool(p)
    server, _, tool = name.partition("_")
    return server if tool and server and name not in TOOLS else None


mcp = t.mcp_name("", "_")


def exit_code(p: Payload) -> int | None:
    for path in ("output.metadata", "result.metadata", f"{STATE}.metadata"):
        code = t.at(p, f"{path}.exit")
        if type(code) is int:
            return code
    return None


def end(p: Payload) -> Ending:
    """The end of a call: the callback runs and the state becomes `completed` only when the tool
    returned."""
    failed = t.at(p, "output.isError") is True or t.text_at(p, f"{STATE}.status") == "error"
    failed = failed or _tool(p) == wording.INVALID
    text = t.text_at(p, "output.output", "result.output", f"{STATE}.output")
    status, error = "error" if failed else "", t.text_at(p, f"{STATE}.error")
    return wording.ended(_tool(p), status, error, text, exit_code(p))


of_end = t.parts_of(end, f"output result {STATE} input.tool")
# Conclusions: a null exit code says nothing, and a plugin that refuses by throwing leaves its own
# text, as a tool does.
SUCCESS = t.derived(t.end_of(of_end)["success"])


@t.derived
@t.reads(STATE)
def cut_short(p: Payload) -> str | None:
    """The outcome that `success` does not show."""
    outcome = end(p).outcome
    is_shown = outcome == "ok" or (outcome == "error" and not t.text_at(p, f"{STATE}.error"))
    return None if is_shown else outcome


@t.reads("output.output output.content result.output")
def output(p: Payload) -> Any:
    """Built-in tools answer with a text, servers with a list of parts."""
    text = t.text_at(p, "output.output", "result.output")
    if text:
        return text
    content = t.at(p, "output.content")
    texts = texts_of(content, False)
    return "\n".join(texts) if texts and len(texts) == len(content) else content


@t.reads("input.tool output.metadata.sessionId")
def is_child_result(p: Payload) -> bool:
    return _tool(p) == "task" and t.text_at(p, "output.metadata.sessionId") != ""


plan_type = t.plan_of("input.args.subagent_type", f"{INFO}.agent", "properties.info.agent")


# A tool's part on the bus.


def is_part(kind: str, *statuses: str) -> Any:
    """Predicate: a part of this type, a tool part in one of these states."""

    @t.reads(f"{PART}.type {STATE}.status")
    def test(p: Payload) -> bool:
        if t.text_at(p, f"{PART}.type") != kind:
            return False
        return not statuses or t.text_at(p, f"{STATE}.status") in statuses

    return test


is_error_part = is_part("tool", "error")


@t.reads(f"{PART}.type {STATE}.status {STATE}.error")
def is_refused(p: Payload) -> bool:
    return is_error_part(p) and end(p).outcome == "denied"


@t.reads(f"{PART}.type {STATE}.status {STATE}.error")
def is_failed(p: Payload) -> bool:
    return is_error_part(p) and end(p).outcome != "denied"


@t.derived
@t.reads(f"{STATE}.time")
def state_duration(p: Payload) -> int | None:
    start, end = t.at(p, f"{STATE}.time.start"), t.at(p, f"{STATE}.time.end")
    return end - start if type(start) is int and type(end) is int else None


# A fork, `opencode run --fork`, repeats its parent's messages under new ids.

# An id begins with the time at which it was given, in milliseconds: its lowest 36 bits.
ID = re.compile(r"(?:msg|prt)_([0-9a-f]{9})")
CYCLE_MS = 1 << 36
# An id may come from another program's clock.
SLACK_MS = 500


def is_copied(identifier: object, moment: object) -> bool:
    """Return whether a fork repeats a record: its id is younger than what it tells."""
    match = ID.match(identifier) if type(identifier) is str else None
    if match is None or type(moment) is not int:
        return False
    return SLACK_MS < (int(match[1], 16) - moment) % CYCLE_MS < CYCLE_MS // 2


def written(tokens: Any) -> Any:
    """The tokens that a model wrote. Since 1.3.16 what it thought is counted apart: the total of
    the counts shows it."""
    output, thought = t.at(tokens, "output"), t.at(tokens, "reasoning")
    if type(output) is not int or type(thought) is not int:
        return output
    counts = (t.at(tokens, path) for path in ("input", "cache.read", "cache.write"))
    known = sum(count for count in counts if type(count) is int) + output + thought
    return output + thought if t.at(tokens, "total") == known else output


@t.reads(f"{INFO}.tokens")
def output_tokens(p: Payload) -> Any:
    return written(t.at(p, f"{INFO}.tokens"))


@t.reads(f"{INFO}.id {INFO}.time {PART}.id {PART}.time {STATE}.time")
def is_repeated(p: Payload) -> bool:
    """Return whether the bus reports a message or part of a fork's parent again."""
    ended = t.at(p, f"{STATE}.time.end") or t.at(p, f"{PART}.time.end")
    message = is_copied(t.at(p, f"{INFO}.id"), t.at(p, f"{INFO}.time.created"))
    return message or is_copied(t.at(p, f"{PART}.id"), ended)


# Permissions. The answer names only the request; both carry it as message_id.


@t.reads(f"{PROPERTIES}.permission {PROPERTIES}.type {PROPERTIES}.metadata input.type")
def asked_tool(p: Payload) -> str | None:
    """A permission has the name of a tool, or of something no tool is called: doom_loop, which
    names the call's tool and input instead of its id."""
    name = t.text_at(p, f"{PROPERTIES}.permission", f"{PROPERTIES}.type", "input.type")
    if name in TOOLS:
        return name
    return t.text_at(p, f"{PROPERTIES}.metadata.tool") or None


@t.reads(f"{PROPERTIES}.metadata input.metadata")
def asked_input(p: Payload) -> Any:
    """The input of the call that is asked about."""
    held = t.at(p, f"{PROPERTIES}.metadata") or t.at(p, "input.metadata")
    if type(held) is dict and type(held.get("tool")) is str and type(held.get("input")) is dict:
        return held["input"]
    return held


@t.reads(f"{PROPERTIES}.id input.id")
def ask_key(p: Payload) -> str | None:
    request = t.text_at(p, f"{PROPERTIES}.id", "input.id")
    return f"asked:{request}" if request else None


def reply_is(*words: str) -> Any:
    """Predicate: the answer to a permission request, under its new or its old name."""

    @t.reads(f"{PROPERTIES}.reply {PROPERTIES}.response")
    def test(p: Payload) -> bool:
        return t.text_at(p, f"{PROPERTIES}.reply", f"{PROPERTIES}.response") in words

    return test
