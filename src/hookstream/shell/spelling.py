"""One path, however it is spelled: by Windows, by the shells on it, by another system there."""

from __future__ import annotations

import re
from posixpath import normpath

DRIVE = re.compile(r"[A-Za-z]:/")
# A drive as Windows, Git Bash, WSL and Cygwin spell it, and a distribution's share.
ON_DRIVE = re.compile(
    r"(?:(?P<own>[A-Za-z]):|//?(?:mnt/|(?:proc/)?cygdrive/)?(?P<mounted>[A-Za-z]))(?=/|\Z)"
)
# Windows' prefix of a path that its programs are to take as it is, and this machine as a server.
DEVICE = re.compile(
    r"//(?:[?.]/(?P<share>UNC/)?|(?:localhost|127\.0\.0\.1)/(?=[A-Za-z]\$))", re.IGNORECASE
)
ADMINISTRATIVE = re.compile(r"\A([A-Za-z])\$(?=/|\Z)")
BRACES = re.compile(r"\{([^{}\s]*,[^{}\s]*)\}")
MOST_WORDS = 200
SHARE = re.compile(r"//(?:wsl\$|wsl\.localhost)/[^/]+(?=/|\Z)", re.IGNORECASE)


def one_spelling(path: str) -> str:
    """A path as all of its spellings are compared: `C:\\x`, `/c/x`, `/mnt/c/x` and the same by the
    share of a distribution are `C:/x`; a file of the distribution has its path there."""
    path = path.replace("\\", "/")
    if (device := DEVICE.match(path)) is not None:
        path = ADMINISTRATIVE.sub(r"\1:", ("//" if device["share"] else "") + path[device.end() :])
    path = SHARE.sub("", path, count=1) or "/"
    drive = ON_DRIVE.match(path)
    if drive is not None:
        letter = (drive["own"] or drive["mounted"]).upper()
        return f"{letter}:{normpath('/' + path[drive.end() :].lstrip('/'))}"
    normal = normpath(path)
    return normal[1:] if normal.startswith("//") else normal


def on_drive(path: str) -> list[str]:
    """The other spellings of a path `C:/x`; none of a path that is on no drive."""
    if DRIVE.match(path) is None:
        return []
    drive, rest = path[0].lower(), path[2:]
    return [path.replace("/", "\\"), f"/{drive}{rest}", f"/mnt/{drive}{rest}"]


def every_spelling(path: str) -> list[str]:
    """The path as typed, as its spellings are compared, with backslashes, and on its drive as each
    shell writes it: a rule may be written for any of them."""
    plain = one_spelling(path)
    texts = (path, plain, path.replace("/", "\\"), plain.replace("/", "\\"), *on_drive(plain))
    return list(dict.fromkeys(texts))


def below(folder: str, path: str) -> str:
    """A path as seen from a folder; without one, as it is."""
    if path.startswith(("/", "~", "$", "%")) or path[1:2] == ":" or not folder:
        return path.replace("\\", "/").rstrip("/") or "/"
    return normpath(f"{folder}/{path}".replace("\\", "/"))


def unbraced(word: str) -> list[str]:
    """The words that braces make of one."""
    words = [word]
    while len(words) < MOST_WORDS and (braces := BRACES.search(words[0])) is not None:
        first = words.pop(0)
        words += [
            first[: braces.start()] + choice + first[braces.end() :]
            for choice in braces[1].split(",")
        ]
    return words
