"""Execution of code from elsewhere: downloads, decoded texts, reverse shells."""

from __future__ import annotations

import re

from hookstream.shell.wrappers import INTERPRETERS, POWERSHELLS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

DOWNLOADS = frozenset("curl wget iwr invoke-webrequest irm invoke-restmethod aria2c fetch".split())


SOCKETS = frozenset("nc ncat netcat socat".split())


TCP = re.compile(r"/dev/(?:tcp|udp)/")


CODE_OPTION = ("-c", "-e", "-r", "--eval", "-enc")


def _is_download(c: Command) -> bool:
    return c.program in DOWNLOADS


def runs_input(c: Command) -> bool:
    """Return whether a command runs what it reads."""
    if (
        c.program in SHELLS
        or c.program in POWERSHELLS
        or c.program in ("iex", "invoke-expression", "source", ".")
    ):
        return True
    return c.program in INTERPRETERS and not [w for w in c.operands() if w not in ("-", "<(...)")]


def remote_code(c: Command) -> bool:
    """A download that is run: piped, substituted, or as `bash <( )`."""
    if runs_input(c) or c.program == "eval":
        return any(map(_is_download, c.sources()))
    # "$(curl x)" as a command's own name.
    return c.path.startswith("$(") and any(map(_is_download, c.inner))


def _is_decoding(c: Command) -> bool:
    if c.program in ("base64", "base32", "openssl", "uudecode"):
        return c.has("-d", "-D", "--decode") or c.program == "uudecode"
    return c.program == "xxd" and c.has("-r")


def decoded_code(c: Command) -> bool:
    if (runs_input(c) or c.program == "eval") and any(map(_is_decoding, c.sources())):
        return True
    if c.program in POWERSHELLS:
        return any(re.match(r"-e(?:c|nc|ncodedcommand)?$", word, re.IGNORECASE) for word in c.args)
    if c.program in INTERPRETERS and c.has(*CODE_OPTION):
        code = " ".join(c.args)
        return bool(
            re.search(r"(?:exec|eval|compile)\s?\(.{0,200}(?:b64decode|atob|fromhex|base64)", code)
        )
    return False


def reverse_shell(c: Command) -> bool:
    if c.program in SOCKETS:
        return c.has("-e", "-c", "--exec", "--sh-exec") or any("exec:" in w.lower() for w in c.args)
    if any(TCP.search(target) for _, target in c.redirects):
        return True
    if c.program in INTERPRETERS and c.has(*CODE_OPTION):
        code = " ".join(c.args)
        return "socket" in code.lower() and bool(re.search(r"/bin/(?:ba|z)?sh|dup2|cmd\.exe", code))
    return False


def download_targets(c: Command) -> set[str]:
    """The files a download writes."""
    if c.program not in DOWNLOADS:
        return set()
    targets = {to for sign, to in c.redirects if sign.startswith(">")}
    for flag, value in zip(c.args, c.args[1:], strict=False):
        if flag in ("-o", "--output", "-O", "--output-document", "-OutFile") or (
            re.fullmatch(r"-[a-zA-Z]*o", flag) and c.program == "curl"
        ):
            targets.add(value)
    if (c.program == "curl" and c.has("-O", "--remote-name")) or (
        c.program == "wget" and not targets
    ):
        targets |= {w.partition("?")[0].rpartition("/")[2] for w in c.operands() if "/" in w}
    return {name for name in targets if name and name not in ("-", "/dev/null")}


def runs_file(c: Command, files: set[str]) -> bool:
    """Return whether the command runs one of the files."""
    if not files:
        return False
    names = files | {f"./{name}" for name in files}
    if c.path in names:
        return True
    runs = c.program in SHELLS or c.program in INTERPRETERS or c.program in ("source", ".")
    return runs and any(word in names for word in c.operands()[:1])
