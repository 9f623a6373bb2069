"""The command lines that are registered, and how hookstream's own differ from others'."""

from __future__ import annotations

import re
import shlex

from hookstream.capture.install import launcher

# A launcher of this or another installation; then the commands of earlier versions, which named
# interpreter and program themselves.
WORD = r"""(?:'[^']*'|"[^"$`]*"|[^\s'"\\;&|<>()$`]+)"""
LAUNCHER = (
    r"""(?:(?:'[^']*'|"'")*'[^']*/hookstream/hookstream-{0}'"""
    r"""|[^\s'"\\;&|<>()$`]*/hookstream/hookstream-{0})"""
)
PROGRAM = r"""(?:'(?:[^']|'"'"')*'|"[^"$`]*")"""
# Of Windows, as install writes them for its shells.
WINDOWS = r"""(?:'(?:[^']|'')*{0}'|'(?:[^']|'"'"')*{0}'|"[^"$`]*{0}"|[^\s;&|<>()$`'"]+{0})"""
LAUNCH = r"/capture/hook/launch\.py"
NAMES = r" [a-z][\w-]*(?: \w[\w.]*)?(?: --scope (?:project|managed))?"
GUARD = r"(?: 2>/dev/null \|\| (?::|echo '[^']*'))?"
OURS = re.compile(
    rf"(?:\{{ )?{LAUNCHER.format('hook')}{NAMES}{GUARD}(?:; \}})?"
    rf"|{WORD}(?: -[ISEB])+ -c (?P<program>{PROGRAM}){NAMES}{GUARD}"
    rf"|(?:& )?{WINDOWS.format('')} -I -S -E -B {WINDOWS.format(LAUNCH)} (?:hook|feed){NAMES}"
)
OLD = re.compile(r"hookstream\.capture\.(?:start|forward|hook\.\w+|plugins\.feed)\b")
WRAPPED = re.compile(
    rf"\A(?:{LAUNCHER.format('wrap')}"
    r"|\S.*?hookstream\.capture\.wrap[._]start.*?\nstart\(\)['\"]"
    r"|\S*hookstream(?:\.exe)?['\"]? wrap) [\w-]+(?: [\w.]+)? -- ",
    re.DOTALL,
)
# The characters of a command that the client's own shell still reads as plain text.
PLAIN = re.compile(r"""(?:[\w@%+=:,./~-]|\\.|\$\w++|\$\{\w++\}|'[^']*+'|"[^"`\\!(]*+"|[ \t])++""")
# Variables in front need a shell; so does what is a shell already, that unwrapping stays certain.
SHELLED = re.compile(r"\s*\w+=|\s*\S*sh -c\b|\s*\"\S*\" -c\b")
BUILT_IN = frozenset(
    ". : [ alias bg break cd command continue eval exec exit export false fg hash jobs local read "
    "readonly return set shift source test times trap true type ulimit umask unalias unset wait "
    "if for while until case function select time { ! [[".split()
)


def is_ours(command: str) -> bool:
    """Return whether a command is a line that install writes, of this or another installation. A
    longer one, which does something else as well, is not."""
    match = OURS.fullmatch(command)
    if match is None:
        return False
    program = match["program"]
    return program is None or OLD.search(program) is not None


def mentions_us(command: str) -> bool:
    """Return whether a command that is not ours runs hookstream, judged by its text."""
    return "hookstream" in command and not is_ours(command) and not is_wrapped(command)


def are_words_ours(words: list[str]) -> bool:
    """Return whether a list of arguments is one that install writes."""
    return is_ours(shlex.join(words))


def is_wrapped(command: str) -> bool:
    """Return whether a command is another's, wrapped by hookstream."""
    return WRAPPED.match(command) is not None


def wrap_line(
    vendor: str, event: str, original: str, shell: str = "sh", managed: bool = False
) -> str:
    """`original` wrapped. A plain command is kept as it is; one that needs a shell (pipes, several
    commands, variables set in front, built-in words) is given to `shell`."""
    prefix = shlex.join(wrap_words(vendor, event, [], managed))
    if is_plain(original):
        return f"{prefix} {original}"
    return f"{prefix} {shell} -c {shlex.quote(original)}"


def wrap_words(
    vendor: str, event: str | None, command: list[str], managed: bool = False
) -> list[str]:
    """The command that wraps a command (a list of arguments)."""
    return [launcher.path("wrap", managed), vendor, *([event] if event else []), "--", *command]


def unwrap_line(command: str) -> str | None:
    """The original of a wrapped command, or None where it is not wrapped."""
    match = WRAPPED.match(command)
    if match is None:
        return None
    rest = command[match.end() :]
    shelled = re.match(r'(?:\S*sh|"\S*") -c (?=[\'\w])', rest)
    if shelled is not None:
        try:
            words = shlex.split(rest[shelled.end() :])
        except ValueError:
            return rest
        if len(words) == 1 and not is_plain(words[0]):
            return words[0]
    return rest


def is_plain(command: str) -> bool:
    """Return whether a command is one program with its arguments that needs no shell."""
    if not PLAIN.fullmatch(command) or SHELLED.match(command):
        return False
    words = command.split()
    return bool(words) and words[0] not in BUILT_IN
