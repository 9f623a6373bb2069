"""A JSON file of hooks, edited in place: `{"hooks": {EVENT: [...]}}`; all else in it stays. Another
name than `hooks` may hold the table, or the file be the table itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hookstream.capture.install import wrapping
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.command import command_line
from hookstream.capture.install.commands import is_ours, mentions_us
from hookstream.capture.install.config_file import ConfigFile, decoded, encoded, json_object
from hookstream.capture.install.splices import Document
from hookstream.core.jsonc import JsoncItem, Node

COMMANDS = ("command", "bash", "powershell", "windows", "linux", "osx")


class HooksFile(ConfigFile):
    """`entry(event, command)` is the element of an event's list; `head` the start of a new file.

    `first` puts the entry before the others, where a client ends its round at the first that
    denies; `runs_in` is what the client runs a command with; `own` says that its very name is
    hookstream's; `table` is the key that holds the events, None where the file itself does.
    """

    def __init__(
        self,
        path: Path,
        vendor: str,
        events: tuple[str, ...],
        entry: Callable[[str, str], dict[str, Any]],
        head: Mapping[str, Any] | None = None,
        first: bool = False,
        runs_in: str = "sh",
        own: bool = False,
        table: str | None = "hooks",
    ) -> None:
        super().__init__(path, vendor)
        self.events = events
        self.make_entry = entry
        self.head = dict(head or {})
        self.first = first
        self.runs_in = runs_in
        self.own = own
        self.table = table

    def entry(self, event: str) -> dict[str, Any]:
        """The elements of an event's list."""
        return self.make_entry(event, command_line(self.vendor, event, self.scope))

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes:
        mark, text = decoded(self.path, data)
        if not text.strip():
            events = {event: [self.entry(event)] for event in self.events}
            fresh = {**self.head, **(events if self.table is None else {self.table: events})}
            return encoded(mark, json.dumps(fresh, indent=2, ensure_ascii=False) + "\n")
        document, hooks = self._open(text)
        if hooks is None:
            head = self.head if not document.root.items else {}
            events = {event: [self.entry(event)] for event in self.events}
            document.insert(document.root, [*head.items(), (str(self.table), events)])
            return encoded(mark, document.result())
        for event in self.events:
            self._register(document, hooks, event)
        missing = [event for event in self.events if hooks.get(event) is None]
        document.insert(hooks, [(event, [self.entry(event)]) for event in missing])
        if wrap:
            self._wrap(document, hooks)
        return encoded(mark, document.result())

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        mark, text = decoded(self.path, data)
        if not text.strip():
            return data
        document, hooks = self._open(text)
        if hooks is None:
            return data
        kept = self._names_before(before)
        gone = []
        for item in hooks.items:
            if item.node.kind == "array" and self._clear(document, item, kept):
                gone.append(item)
        is_all = len(gone) == len(hooks.items) and bool(gone)
        if is_all and None not in kept and self.table is not None:
            of_root = [item for item in document.root.items if item.node is hooks]
            document.remove(document.root, of_root)
        else:
            document.remove(hooks, gone)
        out = document.result()
        if (before is None or self.own) and self._is_bare(out):
            return None
        return encoded(mark, out)

    def registered(self, data: bytes | None) -> dict[str, bool]:
        found = dict.fromkeys(self.events, False)
        hooks = self._hooks_of(data)
        for event, _, fields in self._handlers(hooks) if hooks is not None else ():
            if any(is_ours(node.value) for node in fields.values()):
                found[event] = True
        return found

    def wrapped(self, data: bytes | None) -> int:
        return sum(
            wrapping.is_handler_wrapped(one) for _, one in self._others(self._hooks_of(data))
        )

    def not_wrapped(self, data: bytes | None) -> list[str]:
        found = []
        for event, handler in self._others(self._hooks_of(data)):
            if not wrapping.is_handler_wrapped(handler):
                found.append(f"{event}: {wrapping.why_not(handler) or 'added since'}")
        return found

    def foreign(self, data: bytes | None) -> list[str]:
        hooks = self._hooks_of(data)
        return [
            f"{event}: {node.value}"
            for event, _, fields in (self._handlers(hooks) if hooks is not None else ())
            for node in fields.values()
            if mentions_us(node.value)
        ]

    def _hooks_of(self, data: bytes | None) -> Node | None:
        text = decoded(self.path, data)[1]
        return self._open(text)[1] if text.strip() else None

    def _open(self, text: str) -> tuple[Document, Node | None]:
        """The document and its table of hooks. Raises FileRefused where the file is broken."""
        document = json_object(self.path, text)
        root = document.root
        if self.table is None:
            hooks: Node | None = root
        elif root.keys().count(self.table) > 1:
            raise FileRefused(f"{self.path}: left alone, names {self.table} twice")
        else:
            hooks = root.get(self.table)
        if hooks is None:
            return document, None
        if hooks.kind != "object":
            raise FileRefused(f"{self.path}: left alone, {self.table} is not an object")
        for item in hooks.items:
            if item.key in self.events and item.node.kind != "array":
                raise FileRefused(
                    f"{self.path}: left alone, {self.table or 'hooks'}.{item.key} is not a list"
                )
            if hooks.keys().count(str(item.key)) > 1:
                raise FileRefused(
                    f"{self.path}: left alone, names {self.table or 'hooks'}.{item.key} twice"
                )
        return document, hooks

    def _register(self, document: Document, hooks: Node, event: str) -> None:
        box = hooks.get(event)
        if box is None:
            return
        ours = [
            node
            for _, fields in _handlers_of(box)
            for node in fields.values()
            if is_ours(node.value)
        ]
        wanted = _commands(self.entry(event))
        for node in ours:
            if node.value not in wanted:
                document.replace(node, wanted[0])
        if not ours:
            document.insert(box, [(None, self.entry(event))], self.first)

    def _wrap(self, document: Document, hooks: Node) -> None:
        for event, handler in self._others(hooks):
            if wrapping.why_not(handler) is None and not wrapping.is_handler_wrapped(handler):
                wrapping.wrap(document, handler, self.vendor, event, self.runs_in, self.managed)

    def _others(self, hooks: Node | None) -> Iterator[tuple[str, Node]]:
        for event, handler, fields in self._handlers(hooks) if hooks is not None else ():
            if not any(is_ours(node.value) for node in fields.values()):
                yield event, handler

    def _handlers(self, hooks: Node) -> Iterator[tuple[str, Node, dict[str, Node]]]:
        for item in hooks.items:
            if item.node.kind == "array":
                for handler, fields in _handlers_of(item.node):
                    yield str(item.key), handler, fields

    def _names_before(self, before: bytes | None) -> set[str | None]:
        """The events whose lists the file had itself; None among them means `hooks`."""
        if before is None:
            return set()
        try:
            hooks = self._hooks_of(before)
        except FileRefused:
            return set()
        return {None, *hooks.keys()} if hooks is not None else set()

    def _clear(self, document: Document, event: JsoncItem, kept: set[str | None]) -> bool:
        """Take ours out of one event's list; whether the event itself may go."""
        gone = []
        for group in event.node.items:
            handlers = _inner(group.node)
            if handlers is None:
                ours = _fields(group.node)
                if any(is_ours(node.value) for node in ours.values()):
                    gone.append(group)
                continue
            mine = [h for h in handlers.items if _is_handler_ours(h.node)]
            if mine and len(mine) == len(handlers.items):
                gone.append(group)
            else:
                document.remove(handlers, mine)
        if gone and len(gone) == len(event.node.items) and event.key not in kept:
            return True
        stay = [group for group in event.node.items if group not in gone]
        document.remove(event.node, gone)
        for group in stay:
            for handler, _ in _handlers_of_element(group.node):
                wrapping.unwrap(document, handler)
        return False

    def _is_bare(self, text: str) -> bool:
        """Return whether nothing is left but what hookstream began the file with."""
        rest = Document(text).root.plain()
        return {key: value for key, value in rest.items() if value != {}} in ({}, self.head)


def _inner(node: Node) -> Node | None:
    hooks = node.get("hooks") if node.kind == "object" else None
    return hooks if hooks is not None and hooks.kind == "array" else None


def _fields(node: Node) -> dict[str, Node]:
    """The parts of a handler that hold a command."""
    if node.kind != "object":
        return {}
    found = {name: node.get(name) for name in COMMANDS}
    return {name: n for name, n in found.items() if n is not None and n.kind == "string"}


def _is_handler_ours(node: Node) -> bool:
    return any(is_ours(field.value) for field in _fields(node).values())


def _handlers_of_element(node: Node) -> list[tuple[Node, dict[str, Node]]]:
    inner = _inner(node)
    nodes = [node] if inner is None else [item.node for item in inner.items]
    return [(one, _fields(one)) for one in nodes if one.kind == "object"]


def _handlers_of(box: Node) -> list[tuple[Node, dict[str, Node]]]:
    return [pair for item in box.items for pair in _handlers_of_element(item.node)]


def _commands(entry: dict[str, Any]) -> list[str]:
    """The command lines in an entry as it is written."""
    inner = entry.get("hooks", [entry])
    return [one[name] for one in inner for name in COMMANDS if name in one]
