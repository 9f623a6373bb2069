"""Wrapping one handler of a table of hooks, and putting it back.

A handler names its command as a line for a shell, or (Claude Code, Copilot) as a program and its
arguments, which no shell reads: there the wrap comes before the arguments.
"""

from __future__ import annotations

import os

from hookstream.capture.install.commands import (
    is_ours,
    is_wrapped,
    unwrap_line,
    wrap_line,
    wrap_words,
)
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import Node

LINES = ("command", "bash", "linux", "osx")
WINDOWS = ("powershell", "windows")
SHELLS = ("bash", "sh", "zsh")
# The launcher, and what an earlier version had in its place.
WRAPS = ("/hookstream/hookstream-wrap", "hookstream.capture.wrap")


def why_not(handler: Node) -> str | None:
    """Return why a handler of another cannot be wrapped, or None."""
    kind = _text(handler, "type")
    if kind not in (None, "command"):
        return f"{kind} hook, runs no command"
    if os.name == "nt":
        return "not on Windows"
    if _program(handler) is not None:
        args = handler.get("args")
        words = args.items if args is not None else []
        is_list = args is None or args.kind == "array"
        if not is_list or any(item.node.kind != "string" for item in words):
            return "its args are not a list of words"
        return None
    if not _lines(handler):
        is_windows = any(_text(handler, name) is not None for name in WINDOWS)
        return "for Windows only" if is_windows else "names no command"
    shell = _text(handler, "shell")
    return f"runs in {shell}" if shell is not None and shell not in SHELLS else None


def wrap(
    document: Document, handler: Node, vendor: str, event: str, shell: str, managed: bool = False
) -> None:
    """Wrap a handler that is not wrapped yet; `shell` is what its client runs a line with."""
    program = _program(handler)
    if program is not None:
        first, *rest = wrap_words(vendor, event, [str(program.value)], managed)
        document.replace(program, first)
        args = handler.get("args")
        if args is None:
            document.insert(handler, [("args", rest)])
        else:
            document.insert(args, [(None, word) for word in rest], first=True)
        return
    for node in _lines(handler):
        if not is_ours(node.value) and not is_wrapped(node.value):
            named = _text(handler, "shell") or shell
            document.replace(node, wrap_line(vendor, event, node.value, named, managed))


def unwrap(document: Document, handler: Node) -> None:
    """Put a wrapped handler back; others stay as they are."""
    at = _end_of_wrap(handler)
    program, args = _program(handler), handler.get("args")
    if at is not None and program is not None and args is not None:
        document.replace(program, args.items[at + 1].node.value)
        if len(args.items) == at + 2 and _text(handler, "exec") is not None:
            document.remove(handler, [item for item in handler.items if item.key == "args"])
        else:
            document.remove(args, args.items[: at + 2])
        return
    for node in _lines(handler):
        original = unwrap_line(node.value)
        if original is not None:
            document.replace(node, original)


def is_handler_wrapped(handler: Node) -> bool:
    """Return whether a handler, or one of its lines, is another's, wrapped by hookstream."""
    if _end_of_wrap(handler) is not None:
        return True
    return any(is_wrapped(node.value) for node in _lines(handler))


def _end_of_wrap(handler: Node) -> int | None:
    """The index of `--` in a wrapped argument list; None if it is not wrapped."""
    args = handler.get("args")
    if args is None or args.kind != "array":
        return None
    words = [item.node.value for item in args.items]
    if "--" not in words:
        return None
    at = words.index("--")
    program = _program(handler)
    before = [program.value if program is not None else "", *words[:at]]
    has_wrap = any(isinstance(word, str) and any(w in word for w in WRAPS) for word in before)
    return at if has_wrap and at + 1 < len(words) else None


def _program(handler: Node) -> Node | None:
    """The program of a handler that no shell reads."""
    for name in ("exec", "command") if handler.get("args") is not None else ("exec",):
        node = handler.get(name)
        if node is not None and node.kind == "string":
            return node
    return None


def _lines(handler: Node) -> list[Node]:
    found = [handler.get(name) for name in LINES]
    return [node for node in found if node is not None and node.kind == "string"]


def _text(handler: Node, name: str) -> str | None:
    node = handler.get(name)
    return str(node.value) if node is not None and node.kind == "string" else None
