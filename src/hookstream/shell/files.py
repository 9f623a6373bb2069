"""Files that a command reads, fills, deletes, moves or runs, if its text names them: the one model.

A word is a file as typed, but for lists of PowerShell and braces, which are taken apart; a target
that is a folder gets the name of what comes into it.
"""

from __future__ import annotations

import re
from itertools import islice, takewhile

from hookstream.shell.spelling import MOST_WORDS, unbraced
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
WRITERS = frozenset(
    "tee touch truncate set-content add-content out-file tee-object new-item ni".split()
)
COPIERS = frozenset("cp install ln rsync scp copy xcopy copy-item cpi start-bitstransfer".split())
RENAMERS = frozenset("ren rename rename-item rni".split())
MOVERS = frozenset(("mv", "move", "move-item", "mi", *RENAMERS))
DELETERS = frozenset(
    "rm unlink rmdir shred srm wipe del erase rd remove-item ri rimraf trash trash-put".split()
)
SEARCHES = frozenset("find ls dir gci get-childitem get-item".split())
# Programs of cmd, whose options begin with a slash, and PowerShell's, whose words may be lists.
OF_CMD = frozenset("del erase rd rmdir move copy xcopy ren type".split())
SWITCH = re.compile(r"/[A-Za-z-]{1,2}(?::\S*)?\Z")
CMDLET = re.compile(r"\w+-\w+\Z|(?:ri|mi|ni|rni|cpi|gci|gc)\Z")
CLUSTER = re.compile(r"-[A-Za-z]{1,5}([A-Za-z])\Z")
NO_FILES = ("{", "}", "{}", "$_", "$_.FullName", ":::")
SCRIPT = re.compile(r"[\w./~@+-]{1,300}\Z")
NOWHERE = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "&1", "&2", "1", "2", "-", "$null"))
DOWNLOADS = frozenset(
    "curl wget iwr irm invoke-webrequest invoke-restmethod gcc cc clang go openssl sort".split()
)


# What is deleted by code: `os.remove("x")`, `fs.rmSync('x')`, `unlink "x"`, `Path("x").unlink()`.
DELETED = re.compile(
    r"(?:\b(?:unlink|rm)(?:Sync)?|\b(?:remove|removedirs|rmdir|rmtree|delete))\s?\(?\s?"
    r"[\"']([^\"'\n]{1,400})|\bPath\([\"']([^\"'\n]{1,400})[\"']\)\.unlink",
    re.IGNORECASE,
)
# A file's name at the end of a URL, as a download keeps it.
LAST_PART = re.compile(r"\w+://[^/?#]+/(?:[^?#]*/)?([^/?#]+)")


def creates(c: Command) -> list[str]:
    """Files that get content: by redirection, by a copy, a move or a download."""
    paths = [to for sign, to in c.redirects if sign.startswith((">", "&>")) and to not in NOWHERE]
    files = _files(c)
    paths += [target for _, target in (*_copies(c), *moves(c))]
    if c.program in WRITERS:
        paths += files
    elif c.program in ("sed", "perl", "gsed") and c.has("-i", "--in-place"):
        paths += files[1:] or files
    elif c.program == "dd":
        paths += [word[3:] for word in c.args if word.startswith("of=")]
    elif c.program == "certutil" and len(files) > 1:
        paths += files[-1:]
    elif c.program in DOWNLOADS:
        outputs = _after(c, "-o", "--output", "-O", "--output-document", "-outfile")
        paths += [value for value in outputs if value != "-" and "://" not in value]
        if (c.program == "wget" and not outputs) or (
            c.program == "curl" and c.has("-O", "--remote-name")
        ):
            paths += [found[1] for word in c.args if (found := LAST_PART.match(word))]
    return paths


def writes(c: Command) -> list[str]:
    """Files written, changed, moved or deleted."""
    changed = _files(c) if c.program == "chmod" else []
    return [*creates(c), *changed, *deletes(c), *(source for source, _ in moves(c))]


def deletes(c: Command) -> list[str]:
    """Files deleted; a folder for what is in it."""
    if c.program == "find":
        return (_searched(c) or ["."]) if "-delete" in c.args else []
    if c.program == "git" and not c.has("-n", "--dry-run", "--cached"):
        files = _files(c)[1:]
        return (files or ["."]) if c.verb("clean") else files if c.verb("rm") else []
    if c.program in INTERPRETERS:
        found = DELETED.findall("\n".join((*c.args, *c.stdin)))
        return [first or second for first, second in found]
    if c.program.endswith("::delete"):
        return [word.strip("()\"'") for word in c.args]
    if c.program not in DELETERS:
        return []
    parents = [c.parent] if c.parent else []
    return _files(c) or [f for source in (*parents, *c.sources()) for f in _searched(source)]


def moves(c: Command) -> list[tuple[str, str]]:
    """(old name, new name) of files."""
    if c.program == "git" and c.verb("mv"):
        return _pairs(c, _files(c)[1:])
    return _pairs(c, _files(c)) if c.program in MOVERS else []


def _copies(c: Command) -> list[tuple[str, str]]:
    return _pairs(c, _files(c)) if c.program in COPIERS else []


def _pairs(c: Command, files: list[str]) -> list[tuple[str, str]]:
    """(source, target) of a copy or a move."""
    into = _after(c, "-t", "--target-directory") if c.program in ("cp", "mv", "install") else []
    sources = [file for file in files if file not in into] if into else files[:-1]
    if not sources:
        return []
    target = (into or files)[-1]
    if c.program in RENAMERS:
        return [(source, source[: -len(_base(source))] + target) for source in sources]
    is_folder = into or len(sources) > 1 or target.endswith(("/", "\\", "."))
    folder = target.rstrip("/\\")
    return [(file, f"{folder}/{_base(file)}" if is_folder else target) for file in sources]


def _base(path: str) -> str:
    return re.split(r"[/\\]", path)[-1] or path


def _files(c: Command) -> list[str]:
    """The operands, as files."""
    words = c.operands()
    if c.program in OF_CMD:
        words = [word for word in words if not SWITCH.match(word)]
    if CMDLET.match(c.program):
        words = [part.strip() for word in words for part in word.split(",")]
    return [file for word in words if word and word not in NO_FILES for file in unbraced(word)]


def _searched(c: Command) -> list[str]:
    """The files that a search names: its folders, with the pattern of names if it has one."""
    if c.program not in SEARCHES:
        return []
    names = _after(c, "-name", "-iname", "-filter", "-include")
    folders = [word for word in _files(c) if word not in names]
    if c.program == "find":
        folders = list(takewhile(lambda word: word[:1] not in "-(!", c.args))
    if not names:
        return folders
    files = (f"{at.rstrip('/')}/{name}" for at in folders or ["."] for name in names)
    return list(islice(files, MOST_WORDS))


def _after(c: Command, *options: str) -> list[str]:
    """The values of options, those of PowerShell in any case."""
    pairs = zip(c.args, c.args[1:], strict=False)
    joined = [
        word[len(option) + 1 :]
        for word in c.args
        for option in options
        if word.startswith(f"{option}=")
    ]
    return joined + [
        value
        for word, value in pairs
        if word in options or word.lower() in options or CLUSTER.sub(r"-\1", word) in options
    ]


def reads(c: Command) -> list[str]:
    """Files whose content goes to the output or to another place."""
    paths = [to for sign, to in c.redirects if sign == "<" and not to.startswith("<(")]
    files = _files(c)
    paths += [source for source, _ in (*_copies(c), *moves(c))]
    if c.program in READERS:
        paths += files[1:] if c.program in PATTERN_FIRST and len(files) > 1 else files
    elif c.program in ("tar", "zip"):
        paths += files[1:]
    elif c.program in ("curl", "wget"):
        paths += [word.partition("@")[2] for word in c.args if "@" in word and "://" not in word]
        paths += _after(c, "-T", "--upload-file", "--post-file")
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
