"""The command lines that are registered, and how hookstream's own are told from others'."""

from __future__ import annotations

import re
import shlex

OURS = re.compile(
    r"hookstream\.capture\.(?:start|forward|hook\.\w+|plugins\.feed)\b"
    r"|\bhookstream(?:\.exe)?['\"]?\s+hook\s"
)
WRAPPED = re.compile(
    r"\A(?:\S.*?hookstream\.capture\.wrap[._]start.*?\nstart\(\)['\"]"
    r"|\S*hookstream(?:\.exe)?['\"]? wrap) [\w-]+(?: [\w.]+)? -- ",
    re.DOTALL,
)
# What a command may hold so that the client's own shell can go on reading it.
PLAIN = re.compile(r"""(?:[\w@%+=:,./~-]|\\.|\$\w++|\$\{\w++\}|'[^']*+'|"[^"`\\!(]*+"|[ \t])++""")
# Variables in front need a shell; so does what is a shell already, that unwrapping stays certain.
SHELLED = re.compile(r"\s*\w+=|\s*\S*sh -c\b|\s*\"\S*\" -c\b")
BUILT_IN = frozenset(
    ". : [ alias bg break cd command continue eval exec exit export false fg hash jobs local read "
    "readonly return set shift source test times trap true type ulimit umask unalias unset wait "
    "if for while until case function select time { ! [[".split()
)


def is_ours(command: str) -> bool:
    """Whether a command runs hookstream's hook program, of this or another installation."""
    return OURS.search(command) is not None


def is_wrapped(command: str) -> bool:
    """Whether a command is another's, wrapped by hookstream."""
    return WRAPPED.match(command) is not None


def wrap_line(vendor: str, event: str, original: str, shell: str = "sh") -> str:
    """`original` wrapped. A plain command stands as it is; one that needs a shell (pipes, several
    commands, variables set in front, built-in words) is given to `shell`."""
    from hookstream.capture.wrap.start import command_words

    prefix = " ".join(shlex.quote(word) for word in command_words(vendor, event, []))
    if is_plain(original):
        return f"{prefix} {original}"
    return f"{prefix} {shell} -c {shlex.quote(original)}"


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
    """Whether a command is one program with its arguments, for which no further shell is needed."""
    if not PLAIN.fullmatch(command) or SHELLED.match(command):
        return False
    words = command.split()
    return bool(words) and words[0] not in BUILT_IN
