"""Edits of a JSON document as splices of its text: everything they do not name stays as it is.

New text takes on what it meets: indentation, line ends, trailing commas, one line or several.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hookstream.core.jsonc import JsoncItem, Node, parse

COMMENT_TAIL = re.compile(r"(?:[ \t]|/\*[^\r\n]*?\*/)*(?://[^\r\n]*)?(?=\r?\n)")
COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)

Splice = tuple[int, int, str]
Entry = tuple[str | None, Any]


class Document:
    """A parsed text and the edits made so far; `text` is the text without them."""

    def __init__(self, text: str, json5: bool = False) -> None:
        self.text = text
        self.root = parse(text, json5)
        self.newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
        self.unit = self._unit()
        self.splices: list[Splice] = []

    def result(self) -> str:
        """The text with all edits."""
        out = self.text
        for start, end, new in sorted(self.splices, key=lambda splice: splice[:2], reverse=True):
            out = out[:start] + new + out[end:]
        return out

    def _unit(self) -> str:
        """One step of indentation: that of the root's first member, else of any line."""
        for item in self.root.items:
            lead = self._lead(item.start)
            if lead:
                return lead
        return "  "

    def _lead(self, at: int) -> str | None:
        """The blanks before `at` if nothing else precedes it on its line."""
        line = max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1
        lead = self.text[line:at]
        return lead if line and not lead.strip(" \t") else None

    def _line_indent(self, at: int) -> str:
        line = max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1
        match = re.compile(r"[ \t]*").match(self.text, line)
        return match.group() if match else ""

    def _is_open(self, box: Node) -> bool:
        """Return whether the box is written over several lines, or would be."""
        if box.items:
            return self._lead(box.items[0].start) is not None
        whole = self.text.strip()
        return "\n" in whole or box.end - box.start == len(whole)

    def render(self, entry: Entry, indent: str | None) -> str:
        """An entry as text, its lines beginning with `indent`, or on one line if that is None."""
        key, value = entry
        name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
        if indent is None:
            return name + json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return name + (self.newline + indent).join(lines)

    def insert(self, box: Node, entries: list[Entry], first: bool = False) -> None:
        """Add members or elements after the others, or before them."""
        if not entries:
            return
        if not box.items:
            self._fill(box, entries)
        elif first:
            self._prepend(box, entries)
        else:
            self._append(box, entries)

    def _joined(self, entries: list[Entry], indent: str | None) -> str:
        between = ", " if indent is None else "," + self.newline + indent
        return between.join(self.render(entry, indent) for entry in entries)

    def _fill(self, box: Node, entries: list[Entry]) -> None:
        inside = self.text[box.start + 1 : box.end - 1]
        outer = self._line_indent(box.start)
        indent = outer + self.unit if self._is_open(box) else None
        if not inside.strip():
            text = self._joined(entries, indent)
            if indent is not None:
                text = self.newline + indent + text + self.newline + outer
            self.splices.append((box.start + 1, box.end - 1, text))
            return
        # Only comments: after the last one, on a separate line.
        indent = outer + self.unit
        at = box.start + 1 + len(inside.rstrip(" \t\r\n"))
        rest = self.text[at : box.end - 1]
        end = "" if "\n" in rest else self.newline + outer
        text = self.newline + indent + self._joined(entries, indent) + end
        self.splices.append((at, at, text))

    def _prepend(self, box: Node, entries: list[Entry]) -> None:
        at = box.items[0].start
        indent = self._lead(at)
        after = ", " if indent is None else "," + self.newline + indent
        self.splices.append((at, at, self._joined(entries, indent) + after))

    def _append(self, box: Node, entries: list[Entry]) -> None:
        last = box.items[-1]
        indent = self._lead(box.items[0].start)
        trailing = last.comma >= 0
        at = end = last.comma + 1 if trailing else last.node.end
        match = COMMENT_TAIL.match(self.text, end) if indent is not None else None
        if match is not None and match.end() < box.end:
            at = match.end()
        text = " " if indent is None else self.newline + indent
        text += self._joined(entries, indent) + ("," if trailing else "")
        if trailing or at != end:
            if not trailing:
                self.splices.append((end, end, ","))
            self.splices.append((at, at, text))
        else:
            self.splices.append((end, end, "," + text))

    def remove(self, box: Node, items: list[JsoncItem]) -> None:
        """Take out members or elements, each with its comma and its own lines."""
        if not items:
            return
        kept = [item for item in box.items if item not in items]
        if not kept and not COMMENT.search(self._outside(box)):
            self.splices.append((box.start + 1, box.end - 1, ""))
            return
        trailing = bool(box.items) and box.items[-1].comma >= 0
        for item in box.items:
            if item in items:
                self._cut(box, item)
        if kept and kept[-1] is not box.items[-1] and not trailing:
            comma = kept[-1].comma
            self.splices.append((comma, comma + 1, ""))

    def remove_member(self, box: Node, key: str) -> None:
        self.remove(box, [item for item in box.items if item.key == key])

    def _outside(self, box: Node) -> str:
        """The text in a box between its items."""
        text, at = "", box.start + 1
        for item in box.items:
            text += self.text[at : item.start]
            at = item.node.end
        return text + self.text[at : box.end - 1]

    def _cut(self, box: Node, item: JsoncItem) -> None:
        end = item.comma + 1 if item.comma >= 0 else item.node.end
        lead = self._lead(item.start)
        if lead is not None:
            start = item.start - len(lead) - 1
            if self.text[start - 1 : start + 1] == "\r\n":
                start -= 1
        elif item is box.items[0]:
            start = item.start
            while item.comma >= 0 and self.text[end] in " \t":
                end += 1
        else:
            start = item.start
            while self.text[start - 1] in " \t":
                start -= 1
        if item.comma >= 0 and COMMENT.search(self.text[item.node.end : item.comma]):
            # A comment between the value and its comma stays.
            self.splices.append((start, item.node.end, ""))
            self.splices.append((item.comma, end, ""))
        else:
            self.splices.append((start, end, ""))

    def replace(self, node: Node, value: Any) -> None:
        """Put another value in a value's place, in one line."""
        self.splices.append((node.start, node.end, json.dumps(value, ensure_ascii=False)))
