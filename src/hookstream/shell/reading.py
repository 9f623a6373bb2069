"""A command line to its commands, by tree-sitter's grammar of bash.

Total and bounded: any text gives a Reading, at most READ characters are read, and what could cost
the parser long (or is not shell: PowerShell, a wrong quote) is read word by word instead.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from hookstream.shell.command import Command
from hookstream.shell.spelling import below
from hookstream.shell.wrappers import (
    ASSIGNMENT,
    OF_WINDOWS_SHELLS,
    SHELLS,
    as_typed,
    encoded_texts,
    layers,
    printed,
    spread,
    spread_of,
    subcommands,
    text_of_base64,
    texts_run,
    unwrap,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser


READ = 8192
# Commands of one line that are kept; a generated script has no end.
MOST = 400
# Counts at which a parser of ambiguous grammars becomes slow; no person writes that many.
COSTLY = (("|", 300), ("(", 200), ("<<", 60), ("=(", 40))
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
IN_DOUBLE = re.compile(r'\\([$`"\\\n])')
# A path that only Windows has: no person escapes these letters, so its backslashes are separators.
OF_WINDOWS = re.compile(
    r"(?:^|[=:,@(])(?:[A-Za-z]:\\|\\\\[\w.-]+\\[\w$]|\.{1,2}\\\w|%\w+%\\|\$env:\w+\\)"
    r"|^[\w.-]+(?:\\[\w.-]+)+\.(?:exe|com|bat|cmd|ps1|dll|vbs|js)$",
    re.IGNORECASE,
)
NESTED = frozenset(("command_substitution", "process_substitution"))
WORDS = frozenset(
    "word number string raw_string ansi_c_string translated_string concatenation simple_expansion "
    "expansion command_substitution process_substitution brace_expression arithmetic_expansion "
    "string_content special_variable_name regex extglob_pattern".split()
)
DECLARES = frozenset(("declaration_command", "unset_command", "test_command"))


@lru_cache(maxsize=1)
def parser() -> Parser:
    """The parser; imported and made when first asked for."""
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def nested(node: Node) -> Iterator[Node]:
    """The substitutions below a node, outermost only, in order."""
    if node.type in NESTED:
        yield node
        return
    for child in node.children:
        yield from nested(child)


# A quoted text or a run of other signs; both bounded by what they exclude, so that neither
# backtracks.
PIECE = re.compile(
    r"'([^']*)'|\"((?:[^\"\\]|\\.)*|[^\"]*)\"|([^\s'\"|;&()<>`]+)|([|;&()<>`\n])|\s+|.", re.DOTALL
)
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def plain_commands(text: str) -> list[Command]:
    """The texts between `|`, `;`, `&`, brackets and newlines, each as a command."""
    commands: list[Command] = []
    words: list[str] = []
    start = 0
    open_word = False
    fed: list[Command] = []

    def close(sign: str, end: int) -> None:
        nonlocal words, fed, start
        if words:
            below, raised = unwrap(words)
            command = Command(below)
            command.privileged = raised
            command.layers = layers(words)[:-1]
            command.typed = text[start:end].strip()
            command.fed_by = fed
            commands.append(command)
            fed = [command] if sign == "|" else []
        words = []
        start = end + 1

    for piece in PIECE.finditer(text):
        single, double, bare, sign = piece.groups()
        word = next((one for one in (single, double, bare) if one is not None), None)
        if word is not None:
            if open_word and words:
                words[-1] += word
            else:
                words.append(word)
            open_word = True
            continue
        open_word = False
        if sign is not None:
            close(sign, piece.start())
            if len(commands) >= MOST:
                break
    close("", len(text))
    return commands


def blanked_plainly(text: str) -> str:
    return QUOTED.sub(lambda found: found[0][0] * 2, text)


# Texts run by texts: `bash -c "bash -c ..."`.
DEEP = 4
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


@dataclass(slots=True, eq=False)
class ParsedCommand:
    """A parsed command line: `commands` in order, those in substitutions before the one that holds
    them; `words` the text with quoted literals, heredoc bodies and comments blanked; `text` as
    given; `variables` those that the line itself sets; `is_broken`: no text of the grammar."""

    text: str
    commands: list[Command]
    words: str
    variables: dict[str, str]
    is_broken: bool = False

    def as_run(self) -> Iterator[Command]:
        """The commands with variables filled in, each where the line has gone to. A line that is
        not of the grammar is also read word by word."""
        folder = ""
        for c in self.commands:
            c = filled_in(c, self.variables)
            c.folder = folder
            yield c
            if c.program in ("cd", "pushd", "set-location", "push-location", "chdir"):
                # `cd /d` also changes the drive.
                to = [word for word in c.operands() if word.lower() != "/d"]
                folder = below(folder, to[0]) if to else folder
        if self.is_broken:
            yield from plain_commands(self.text)


@lru_cache(maxsize=2048)
def read(text: str) -> ParsedCommand:
    """The command line, read. Never raises; text that is not shell is read word by word."""
    clean = CONTROL.sub(" ", text[:READ])
    variables: dict[str, str] = {}
    commands, words, is_broken = _read(clean, 0, variables)
    return ParsedCommand(clean, commands[:MOST], words, variables, is_broken)


def lone_program(text: str) -> str | None:
    """The program of a command line that starts one process; None of others."""
    commands = read(text).commands
    return commands[0].program if len(commands) == 1 and not commands[0].layers else None


def filled_in(c: Command, variables: dict[str, str]) -> Command:
    """The command with the variables that the line itself sets filled in."""
    if not variables or not any("$" in word for word in (*c.args, *(to for _, to in c.redirects))):
        return c
    filled = copy(c)
    filled.args = [_filled(word, variables) for word in c.args]
    filled.redirects = [(sign, _filled(to, variables)) for sign, to in c.redirects]
    return filled


def _filled(word: str, known: dict[str, str]) -> str:
    return VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), word)


def _read(text: str, depth: int, variables: dict[str, str]) -> tuple[list[Command], str, bool]:
    if any(text.count(sign) > most for sign, most in COSTLY):
        return plain_commands(text), blanked_plainly(text), False
    data = text.encode("utf-8", "replace")
    walk = _Walk(data, depth, variables)
    tree = parser().parse(data).root_node
    try:
        walk.run(tree)
    except RecursionError:
        return plain_commands(text), blanked_plainly(text), False
    return walk.commands, walk.blanked(), tree.has_error


class _Walk:
    """One walk over a tree; `commands` and the byte spans to blank gather."""

    def __init__(self, data: bytes, depth: int, variables: dict[str, str]) -> None:
        self.data = data
        self.depth = depth
        self.variables = variables
        self.commands: list[Command] = []
        self.blanks: list[tuple[int, int]] = []

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def blanked(self) -> str:
        parts: list[bytes] = []
        at = 0
        for start, end in sorted(self.blanks):
            if start < at:
                continue
            parts.append(self.data[at:start])
            at = end
        parts.append(self.data[at:])
        return b"".join(parts).decode("utf-8", "replace")

    def run(self, node: Node) -> list[Command]:
        """The commands whose output is the node's, in order; all others gather on the way."""
        kind = node.type
        if kind == "command":
            return self.command(node)
        if kind == "pipeline":
            return self.pipeline(node)
        if kind == "redirected_statement":
            return self.redirected(node)
        if kind in DECLARES:
            words = [self.text(node.children[0])] if node.children else []
            words += [self.value(child, None) for child in node.children[1:] if child.is_named]
            for word in words[1:]:
                self.note(word)
            return self.keep(words, None)
        if kind == "comment":
            self.blanks.append((node.start_byte, node.end_byte))
        if kind == "ERROR":
            return self.broken(node)
        if kind == "variable_assignment":
            self.note(self.value(node, None))
            return []
        if kind in WORDS:
            self.value(node, None)
            return []
        return [command for child in node.children for command in self.run(child)]

    def note(self, word: str) -> None:
        """A variable that the line sets to a literal."""
        name, sign, value = word.partition("=")
        if sign and name.isidentifier() and "$" not in value and len(self.variables) < MOST:
            self.variables[name] = value

    def broken(self, node: Node) -> list[Command]:
        """Text that the grammar could not place: words in a row are taken for a command."""
        commands: list[Command] = []
        words: list[str] = []
        for child in node.children:
            if child.type in WORDS or child.type == "command_name":
                words.append(self.value(child, None))
                continue
            if words:
                commands += self.keep(words, None)
                words = []
            commands += self.run(child)
        return commands + (self.keep(words, None) if words else [])

    def command(self, node: Node) -> list[Command]:
        holder = Command([])
        words: list[str] = []
        for child in node.children:
            if child.type == "variable_assignment":
                holder.assigned.append(self.value(child, holder))
            elif "redirect" in child.type:
                self.redirect(child, holder)
            else:
                words.append(self.value(child, holder))
        return self.keep(words, holder, self.text(node))

    def keep(self, words: list[str], holder: Command | None, typed: str = "") -> list[Command]:
        """The command, and what it runs: `bash -c TEXT`, `find -exec`; the last is itself."""
        if holder is not None:
            while words and ASSIGNMENT.match(words[0]):
                holder.assigned.append(words.pop(0))
        if not words and (holder is None or not (holder.assigned or holder.redirects)):
            return []
        below, raised = unwrap(words)
        command = Command(below)
        command.privileged = raised
        command.layers = layers(words)[:-1]
        command.typed = typed
        if holder is not None:
            command.assigned, command.redirects = holder.assigned, holder.redirects
            command.stdin, command.fed_by, command.inner = holder.stdin, holder.fed_by, holder.inner
        command.spread = spread_of(words)
        if self.depth < DEEP:
            texts = [*texts_run(words), *(texts_run(below) if below != words else ())]
            if texts and command.program in OF_WINDOWS_SHELLS:
                texts = as_typed(typed) or texts
            others = subcommands(below)
            command.runs_texts = bool(texts or others)
            start = len(self.commands)
            for text in texts:
                self.commands += _read(text, self.depth + 1, self.variables)[0]
            for text in encoded_texts(below):
                self.decoded(text)
            for other in others:
                self.commands.append(Command(unwrap(other)[0]))
            for child in self.commands[start:]:
                child.parent = child.parent or command
        if len(self.commands) < MOST:
            self.commands.append(command)
        return [command]

    def pipeline(self, node: Node) -> list[Command]:
        """Each stage reads the one before it."""
        before: list[Command] = []
        for child in node.children:
            if not child.is_named:
                continue
            start = len(self.commands)
            stage = self.run(child)
            for command in self.commands[start:]:
                command.fed_by = [*command.fed_by, *before]
            if before:
                spread(stage, before)
            if before and self.depth < DEEP:
                self.piped_text(stage, before)
            before = stage
        return before

    def piped_text(self, stage: list[Command], before: list[Command]) -> None:
        """`echo TEXT | bash`, `cat <<E | bash`: the text is run."""
        runs = [
            command for command in stage if command.program in SHELLS and not command.operands()
        ]
        if not runs:
            return
        for source in before:
            for text in printed(source):
                self.commands += _read(text, self.depth + 1, self.variables)[0]
            if source.program == "base64" and source.has("-d", "-D", "--decode"):
                for text in (*source.stdin, *(t for c in source.fed_by for t in printed(c))):
                    self.decoded(text_of_base64(text))

    def decoded(self, text: str) -> None:
        """A text that was in base64 and is run."""
        commands = _read(text, self.depth + 1, self.variables)[0] if text else []
        for command in commands:
            command.encoded = True
        self.commands += commands

    def redirected(self, node: Node) -> list[Command]:
        commands: list[Command] = []
        for child in node.children:
            if "redirect" in child.type:
                if not commands:
                    commands = [Command([])]
                    self.commands += commands
                commands = self.redirect(child, commands[-1]) or commands
            else:
                commands += self.run(child)
        return commands

    def redirect(self, node: Node, holder: Command) -> list[Command]:
        """Note a redirection; a heredoc's line may continue with a pipe, whose end is returned."""
        if node.type == "heredoc_redirect":
            return self.heredoc(node, holder)
        named = [child for child in node.children if child.is_named]
        sign = next((c.type for c in node.children if not c.is_named), "<")
        if node.type == "herestring_redirect":
            holder.stdin += [self.value(child, holder) for child in named]
            self.stdin_run(holder)
            return []
        for child in named:
            if child.type == "file_descriptor":
                continue
            start = len(self.commands)
            target = self.value(child, holder)
            if sign == "<" and child.type == "process_substitution":
                holder.fed_by += self.commands[start:]
            holder.redirects.append((sign, target))
        return []

    def heredoc(self, node: Node, holder: Command) -> list[Command]:
        ends: list[Command] = []
        body = ""
        for child in node.children:
            if child.type == "heredoc_body":
                body = self.text(child)
                self.value(child, holder)
        holder.stdin.append(body)
        self.stdin_run(holder)
        for child in node.children:
            if "redirect" in child.type:
                self.redirect(child, holder)
            elif child.is_named and not child.type.startswith("heredoc"):
                start = len(self.commands)
                ends = self.run(child)
                for command in self.commands[start:]:
                    command.fed_by = [holder, *command.fed_by]
                if self.depth < DEEP:
                    self.piped_text(ends, [holder])
        return ends

    def stdin_run(self, holder: Command) -> None:
        """`bash <<E`: the body is run."""
        if holder.program in SHELLS and self.depth < DEEP:
            for text in holder.stdin:
                self.commands += _read(text, self.depth + 1, self.variables)[0]

    def value(self, node: Node, holder: Command | None) -> str:
        """The word as the shell passes it on, if known from the text; substitutions are run and
        appear as `$(...)`, variables as written."""
        kind = node.type
        if kind in NESTED:
            start = len(self.commands)
            for child in node.children:
                self.run(child)
            if holder is not None:
                commands = self.commands[start:]
                holder.inner += commands
                if kind == "process_substitution":
                    holder.fed_by += commands
            return "$(...)" if kind == "command_substitution" else "<(...)"
        if kind == "raw_string":
            self.blank(node)
            return self.text(node)[1:-1]
        if kind == "ansi_c_string":
            self.blank(node)
            return ESCAPED.sub(r"\1", self.text(node)[2:-1])
        if kind in ("string", "translated_string", "heredoc_body"):
            return self.quoted(node, holder)
        if kind in ("word", "extglob_pattern", "regex"):
            text = self.text(node)
            if "\\" not in text or OF_WINDOWS.search(text):
                return text
            return ESCAPED.sub(r"\1", text).replace("\n", "")
        if not node.children or kind in ("simple_expansion", "expansion"):
            for child in node.children:
                for inner in nested(child):
                    self.value(inner, holder)
            return self.text(node)
        return "".join(self.value(child, holder) for child in node.children)

    def quoted(self, node: Node, holder: Command | None) -> str:
        """A text in double quotes or a heredoc: its substitutions are run, the rest is blanked."""
        parts: list[str] = []
        edge = 1 if node.type != "heredoc_body" else 0
        at = node.start_byte + edge
        end = max(at, node.end_byte - edge)
        for inner in nested(node):
            parts += [self.plain(at, inner.start_byte), self.value(inner, holder)]
            self.blanks.append((at, inner.start_byte))
            at = inner.end_byte
        parts.append(self.plain(at, end))
        self.blanks.append((at, end))
        return "".join(parts)

    def plain(self, start: int, end: int) -> str:
        text = self.data[start:end].decode("utf-8", "replace")
        if OF_WINDOWS.match(text):
            return text
        return IN_DOUBLE.sub(r"\1", text) if "\\" in text else text

    def blank(self, node: Node) -> None:
        edge = 2 if node.type == "ansi_c_string" else 1
        self.blanks.append((node.start_byte + edge, max(node.start_byte + edge, node.end_byte - 1)))
