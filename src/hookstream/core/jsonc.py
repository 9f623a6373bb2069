"""A JSON document with the place of every part, so that it can be edited without rewriting it.

Reads what the clients' own parsers read: JSON with comments and trailing commas, and with `json5`
also plain keys, single quotes and its further numbers (OpenClaw). Offsets are in characters.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEPTH = 200
SPACE = re.compile(r"(?:[ \t\r\n\ufeff\u00a0\u2028\u2029]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
WORD = re.compile(r"(?:true|false|null)(?![\w$])")
CONSTANTS = {"true": True, "false": False, "null": None}
NUMBER_5 = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"(?![\w$])"
)
STRING_5 = re.compile(
    r'"(?:[^"\\\r\n]|\\(?:\r\n|.|\n))*"' + r"|'(?:[^'\\\r\n]|\\(?:\r\n|.|\n))*'", re.DOTALL
)
NAME_5 = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
ESCAPE_5 = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
ESCAPED_5 = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


class BrokenDocument(Exception):
    """A text that is not such a document; `line` and `column` count from 1."""

    def __init__(self, text: str, at: int, what: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: {what}")


class Node:
    """One value: its kind (object, array, string, other), extent, and what it holds."""

    __slots__ = ("end", "items", "kind", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.value: Any = None
        self.items: list[JsoncItem] = []

    def get(self, key: str) -> Node | None:
        """The value of a key; of one that occurs twice the last, as parsers have it."""
        nodes = [item.node for item in self.items if item.key == key]
        return nodes[-1] if nodes else None

    def keys(self) -> list[str]:
        return [item.key for item in self.items if item.key is not None]

    def plain(self) -> Any:
        """The value as Python data."""
        if self.kind == "object":
            return {item.key: item.node.plain() for item in self.items}
        if self.kind == "array":
            return [item.node.plain() for item in self.items]
        return self.value


class JsoncItem:
    """An element or a member: `start` is where its key or value begins, `comma` the offset of the
    comma that follows it, or -1."""

    __slots__ = ("comma", "key", "node", "start")

    def __init__(self, start: int, key: str | None, node: Node) -> None:
        self.start = start
        self.key = key
        self.node = node
        self.comma = -1


def parse(text: str, json5: bool = False) -> Node:
    """The root value. Raises BrokenDocument, also for anything that follows the root."""
    reader = _JsoncReader(text, json5)
    root = reader.value(reader.skip(0), 0)
    end = reader.skip(root.end)
    if end != len(text):
        raise BrokenDocument(text, end, "something follows the end of the document")
    return root


class _JsoncReader:
    def __init__(self, text: str, json5: bool) -> None:
        self.text = text
        self.json5 = json5

    def fail(self, at: int, what: str) -> BrokenDocument:
        return BrokenDocument(self.text, at, what)

    def skip(self, at: int) -> int:
        match = SPACE.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, depth: int) -> Node:
        first = self.text[at : at + 1]
        if first in ("{", "["):
            if depth >= DEPTH:
                raise self.fail(at, "nested too deeply")
            return self.box(at, depth)
        if first == '"' or (self.json5 and first == "'"):
            return self.string(at)
        return self.scalar(at)

    def box(self, at: int, depth: int) -> Node:
        is_object = self.text[at] == "{"
        node = Node("object" if is_object else "array", at)
        closing = "}" if is_object else "]"
        at = self.skip(at + 1)
        while self.text[at : at + 1] != closing:
            if node.items and node.items[-1].comma < 0:
                raise self.fail(at, f"expected a comma or {closing}")
            start, key = at, None
            if is_object:
                key, at = self.key(at)
            item = JsoncItem(start, key, self.value(at, depth + 1))
            node.items.append(item)
            at = self.skip(item.node.end)
            if self.text[at : at + 1] == ",":
                item.comma = at
                at = self.skip(at + 1)
        node.end = at + 1
        return node

    def key(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] == '"' or (self.json5 and self.text[at : at + 1] == "'"):
            name = self.string(at)
            key, end = str(name.value), name.end
        else:
            match = NAME_5.match(self.text, at) if self.json5 else None
            if match is None:
                raise self.fail(at, "expected a key in double quotes")
            key, end = match.group(), match.end()
        colon = self.skip(end)
        if self.text[colon : colon + 1] != ":":
            raise self.fail(colon, "expected a colon")
        return key, self.skip(colon + 1)

    def string(self, at: int) -> Node:
        match = (STRING_5 if self.json5 else STRING).match(self.text, at)
        if match is None:
            raise self.fail(at, "a string that does not end, or holds what it may not")
        node = Node("string", at)
        node.end = match.end()
        if self.json5:
            node.value = ESCAPE_5.sub(_unescape, match.group()[1:-1])
        else:
            node.value = json.loads(match.group())
        return node

    def scalar(self, at: int) -> Node:
        match = WORD.match(self.text, at)
        node = Node("other", at)
        if match is not None:
            node.value = CONSTANTS[match.group()]
        else:
            match = (NUMBER_5 if self.json5 else NUMBER).match(self.text, at)
            if match is None:
                what = "the document ends too early" if at >= len(self.text) else "expected a value"
                raise self.fail(at, what)
            node.value = _number(match.group())
        node.end = match.end()
        return node


def _unescape(match: re.Match[str]) -> str:
    mark = match.group(1)
    if mark[0] in "ux" and len(mark) > 1:
        return chr(int(mark[1:], 16))
    if mark in ("\n", "\r\n", "\u2028", "\u2029"):
        return ""
    return ESCAPED_5.get(mark, mark)


def _number(text: str) -> int | float:
    bare = text.lstrip("+-").lower()
    sign = -1 if text.startswith("-") else 1
    if bare.startswith("0x"):
        return sign * int(bare, 16)
    return sign * int(bare) if bare.isdigit() else sign * float(bare)
