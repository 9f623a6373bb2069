"""Programs that run another command: the command is the inner one."""

from __future__ import annotations

import binascii
import itertools
import re

from hookstream.shell.command import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

SHELLS = frozenset("sh bash zsh dash ksh ash fish mksh csh tcsh".split())
POWERSHELLS = frozenset(("pwsh", "powershell"))
INTERPRETERS = frozenset("python python2 python3 perl ruby node bun deno php lua osascript".split())
OF_WINDOWS_SHELLS = frozenset(("cmd", *POWERSHELLS))
RUNS_REST = re.compile(r"\s(?:/[ck]|-c(?:ommand)?)\s+(.*)\Z", re.IGNORECASE | re.DOTALL)
PRIVILEGED = frozenset("sudo doas run0 pkexec gosu su-exec".split())
# wrapper -> its options that take the next word
WRAPPERS: dict[str, frozenset[str]] = {
    name: frozenset(options.split())
    for name, options in {
        "sudo": "-u -g -h -p -C -D -R -T -r -t -U --user --group --host --prompt --chdir",
        "doas": "-u -C",
        "run0": "-u --user",
        "pkexec": "--user",
        "gosu": "",
        "su-exec": "",
        "env": "-u -C --unset --chdir",
        "nohup": "",
        "time": "-f -o",
        "command": "",
        "builtin": "",
        "exec": "-a",
        "nice": "-n --adjustment",
        "ionice": "-c -n -p",
        "setsid": "",
        "stdbuf": "-i -o -e",
        "timeout": "-s -k --signal --kill-after",
        "xargs": "-I -n -P -L -d -E -a -s --max-args --max-procs --delimiter --replace",
        "watch": "-n --interval",
        "busybox": "",
        "caffeinate": "-t -w",
        "strace": "-o -e -p -s",
        "unbuffer": "",
        "flock": "-w -E --timeout",
        "chroot": "",
        "noglob": "",
        "parallel": "-j --jobs",
        "winpty": "",
        "sshpass": "-p -f -e -P",
        "proxychains": "-f",
        "proxychains4": "-f",
        "torsocks": "",
        "taskset": "",
        "chrt": "",
        "ltrace": "-e -o -n -p -u",
        "firejail": "",
        "rlwrap": "",
        "runuser": "-u -g -G -s -w --user --group --shell",
        "setpriv": "",
        "unshare": "-R -w -S -G --root --wd --setuid --setgid --map-user --map-group",
        "nsenter": "-t -S -G --target --setuid --setgid",
        "bwrap": "--chdir --unsetenv --tmpfs --proc --dev --dir --uid --gid --hostname --cap-add "
        "--cap-drop --lock-file --remount-ro --mqueue --args --seccomp --sync-fd",
        "systemd-run": "-p -u -E -M -H --property --unit --setenv --uid --gid --slice --machine",
        "systemd-inhibit": "",
        "entr": "",
        "numactl": "-C -N -m -i",
        "cgexec": "-g",
        "prlimit": "",
        "setarch": "",
        "xvfb-run": "-n -s -e -f -w",
        "dbus-run-session": "",
        "fakeroot": "-l -s -i -b",
        "eatmydata": "",
        "chronic": "",
        "dumb-init": "",
        "tini": "",
        "tsocks": "",
    }.items()
}
# Options that take the next two words.
PAIRS = frozenset(
    "--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv --chmod "
    "--file --bind-data --ro-bind-data --overlay-src".split()
)
# Without one of these, what follows the wrapper is a user's name.
ONLY_WITH = {"runuser": frozenset(("-u", "--user"))}
# Wrappers whose first operands are their own.
OWN_OPERANDS = {
    "timeout": 1,
    "flock": 1,
    "chroot": 1,
    "gosu": 1,
    "su-exec": 1,
    "taskset": 1,
    "chrt": 1,
    "setarch": 1,
}
# Words of the shell itself that run a command: no process.
BUILTINS = frozenset("command builtin exec noglob".split())
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
DASH_C = re.compile(r"-[a-z]*c\Z")


def unwrap(words: list[str]) -> tuple[list[str], bool]:
    """(the command below its wrappers, whether one of them raises privileges). A wrapper that
    runs nothing stays: `env` alone prints the environment."""
    levels = layers(words)
    return levels[-1], any(base_name(level[0]) in PRIVILEGED for level in levels if level)


def layers(words: list[str]) -> list[list[str]]:
    """The words from each wrapper on, outermost first; the last are the command's own."""
    levels = [words]
    for _ in range(8):
        name = base_name(words[0]) if words else ""
        valued = WRAPPERS.get(name)
        if name in ONLY_WITH and ONLY_WITH[name].isdisjoint(words):
            break
        words = [] if valued is None else _below(words, valued, OWN_OPERANDS.get(name, 0))
        if not words:
            break
        levels.append(words)
    return levels


def _below(words: list[str], valued: frozenset[str], own: int) -> list[str]:
    skip = 0
    for at, word in enumerate(words[1:], 1):
        if skip:
            skip -= 1
        elif word.startswith("-") and len(word) > 1:
            skip = 2 if word in PAIRS else int(word in valued)
        elif ASSIGNMENT.match(word):
            continue
        elif own:
            own -= 1
        else:
            return words[at:]
    return []


def texts_run(words: list[str]) -> list[str]:
    """The texts among the words that are run as commands: of `bash -c`, `eval`, `su -c`, `ssh`."""
    name = base_name(words[0]) if words else ""
    args = words[1:]
    if name == "eval":
        return [" ".join(args)]
    if name in ("su", "runuser", "script"):
        return [value for flag, value in itertools.pairwise(args) if DASH_C.match(flag)]
    if name == "env":
        return [value for flag, value in itertools.pairwise(args) if flag == "-S"]
    if name == "cmd":
        at = next((n for n, word in enumerate(args) if word.lower() in ("/c", "/k")), None)
        return [] if at is None else [" ".join(args[at + 1 :])]
    if name == "ssh":
        return _remote(args)
    if name == "trap" and args:
        return [args[0]]
    texts = []
    # `docker exec c bash -c TEXT` and the like: a shell among the arguments.
    for at, word in enumerate(words[:-2]):
        if base_name(word) in SHELLS:
            texts += _after_dash_c(words[at + 1 :])
            break
        if base_name(word) in POWERSHELLS:
            rest = words[at + 1 :]
            texts += [
                " ".join(rest[n + 1 :])
                for n, flag in enumerate(rest)
                if flag.lower() in ("-command", "-c")
            ][:1]
            break
    return texts


def as_typed(typed: str) -> list[str]:
    """The text that a shell of Windows runs: a backslash is not an escape there."""
    match = RUNS_REST.search(typed)
    if match is None:
        return []
    text = match[1].strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return [text[1:-1] if is_quoted else text]


def _after_dash_c(args: list[str]) -> list[str]:
    for at, word in enumerate(args[:-1]):
        if DASH_C.match(word):
            return [args[at + 1]]
        if not word.startswith("-"):
            break
    return []


def _remote(args: list[str]) -> list[str]:
    """The command that `ssh [options] host command ...` runs there."""
    from hookstream.shell.command import VALUES

    skip = False
    for at, word in enumerate(args):
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in VALUES["ssh"]
        else:
            return [" ".join(args[at + 1 :])] if args[at + 1 :] else []
    return []


def subcommands(words: list[str]) -> list[list[str]]:
    """Commands among the words: `find -exec rm {} ;`, `fd -x rm`."""
    name = base_name(words[0]) if words else ""
    flags = {"find": ("-exec", "-execdir", "-ok", "-okdir"), "fd": ("-x", "-X", "--exec"),
        **dict.fromkeys(("%", "foreach-object"), ("{",))}.get(name)  # fmt: skip
    found: list[list[str]] = []
    for at, word in enumerate(words):
        if flags and word in flags:
            below = words[at + 1 :]
            end = next(
                (n for n, sign in enumerate(below) if sign in (";", "+", "\\;", "}")), len(below)
            )
            if below[:end]:
                found.append(below[:end])
    return found


def spread_of(words: list[str]) -> str | None:
    """The place of xargs's input words: its placeholder, "" for the end; None without it."""
    for at, word in enumerate(words):
        if base_name(word) in ("xargs", "parallel"):
            for option, value in itertools.pairwise(words[at + 1 :]):
                if option in ("-I", "--replace"):
                    return value
                if option.startswith("-I") and len(option) > 2:
                    return option[2:]
            return "{}" if base_name(word) == "parallel" and "{}" in words else ""
        if (
            base_name(word) not in WRAPPERS
            and not word.startswith("-")
            and not ASSIGNMENT.match(word)
        ):
            break
    return None


def spread(stage: list[Command], before: list[Command]) -> None:
    """`echo URL | xargs curl`: the words that are printed are arguments."""
    for c in stage:
        if c.spread is None:
            continue
        words = [word for source in before for text in printed(source) for word in text.split()]
        if c.spread:
            c.args = (
                [word.replace(c.spread, " ".join(words)) for word in c.args] if words else c.args
            )
        else:
            c.args += words[:64]


def printed(c: Command) -> list[str]:
    """A command's output, if its words give it: echo, printf and a cat that is fed a text."""
    if c.program == "cat":
        return list(c.stdin)
    return [" ".join(c.operands())] if c.program in ("echo", "printf") else []


def encoded_texts(words: list[str]) -> list[str]:
    """The commands that PowerShell takes in base64 (`-EncodedCommand`), decoded."""
    if not words or base_name(words[0]) not in POWERSHELLS:
        return []
    texts = [
        text_of_base64(value, "utf-16-le")
        for flag, value in itertools.pairwise(words[1:])
        if re.match(r"-e(?:c|nc|ncodedcommand)?\Z", flag, re.IGNORECASE)
    ]
    return [text for text in texts if text]


def text_of_base64(text: str, encoding: str = "utf-8") -> str:
    """The text that was encoded; "" for invalid base64."""
    try:
        return binascii.a2b_base64(text.encode("ascii"), strict_mode=False).decode(encoding)
    except (ValueError, UnicodeError):
        return ""
