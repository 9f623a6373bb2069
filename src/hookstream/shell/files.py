"""Files that a command writes, reads or runs, if its text names them."""

from __future__ import annotations

import re

from hookstream.shell.wrappers import INTERPRETERS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

READERS = frozenset(
    "cat head tail less more bat base64 xxd od strings grep egrep fgrep rg awk cut sort uniq nl tac wc source . "
    "type get-content gc openssl gpg jq yq diff".split()
)
# Programs whose first operand is a pattern or a program, not a file.
PATTERN_FIRST = frozenset("grep egrep fgrep rg awk jq yq sed".split())
SCRIPT = re.compile(r"[\w./~@+-]{1,300}\Z")
NOWHERE = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "&1", "&2", "1", "2", "-"))


def writes(c: Command) -> list[str]:
    """Files written, changed or deleted."""
    paths = [to for sign, to in c.redirects if sign.startswith((">", "&>")) and to not in NOWHERE]
    operands = c.operands()
    if c.program in (
        "tee",
        "touch",
        "truncate",
        "rm",
        "unlink",
        "shred",
        "chmod",
        "set-content",
        "out-file",
    ):
        paths += operands
    elif c.program in ("cp", "mv", "install", "ln", "rsync"):
        paths += operands[-1:] if c.program != "mv" else operands
    elif c.program in ("sed", "perl", "gsed") and (c.has("-i", "--in-place")):
        paths += operands[1:] if len(operands) > 1 else operands
    elif c.program == "dd":
        paths += [word[3:] for word in c.args if word.startswith("of=")]
    elif c.program in ("curl", "wget"):
        paths += [
            value
            for flag, value in zip(c.args, c.args[1:], strict=False)
            if flag in ("-o", "--output", "-O", "--output-document") and value != "-"
        ]
    return paths


def reads(c: Command) -> list[str]:
    """Files whose content goes to the output or to another place."""
    paths = [to for sign, to in c.redirects if sign == "<" and not to.startswith("<(")]
    operands = c.operands()
    if c.program in READERS:
        paths += operands[1:] if c.program in PATTERN_FIRST and len(operands) > 1 else operands
    elif c.program in ("cp", "scp", "rsync", "mv", "tar", "zip"):
        paths += operands[:-1] if c.program in ("cp", "scp", "rsync", "mv") else operands[1:]
    elif c.program in ("curl", "wget"):
        paths += [word.partition("@")[2] for word in c.args if "@" in word and "://" not in word]
        paths += [
            value
            for flag, value in zip(c.args, c.args[1:], strict=False)
            if flag in ("-T", "--upload-file", "--post-file")
        ]
    return [word for word in paths if word not in NOWHERE]


def runs(c: Command) -> list[str]:
    """Scripts that are run: `sh x.sh`, `./x.sh`, `python x.py`, `source x`."""
    if "/" in c.path and SCRIPT.match(c.path):
        return [c.path]
    if c.program in SHELLS or c.program in INTERPRETERS or c.program in ("source", "."):
        if c.has("-c", "-e", "-m", "--eval"):
            return []
        return [word for word in c.operands()[:1] if SCRIPT.match(word) and word != "-"]
    return []
