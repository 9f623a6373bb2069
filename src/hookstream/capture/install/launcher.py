"""The launchers that install writes: small scripts at a path that stays the same.

A registered command is `…/hookstream-hook VENDOR EVENT`. What the launcher names holds: the
interpreter, the package, and the folders that install resolved, whatever the environment of a hook
says. Without hookstream `hookstream-wrap` runs the policy hook alone. A hook's is a Python script
where the path of the interpreter allows it: a shell in front costs a tenth of the time.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

from hookstream.capture.hook.output import facts_of
from hookstream.capture.install import atomic
from hookstream.capture.install.manifest import base_interpreter, own
from hookstream.capture.log import place
from hookstream.core import folders
from hookstream.core.errors import HookstreamError
from hookstream.normalizers import VENDORS

PROGRAMS = ("hook", "wrap", "feed")
MODE = 0o755
# One launcher for every user of the machine, in a folder that only root can write.
MANAGED = Path("/usr/local/lib/hookstream")
FOLDERS = ("home", "config", "state", "cache", "log", "socket")
ABOUT = {
    "hook": "VENDOR [EVENT]: records one event of an AI coding agent and lets it pass",
    "wrap": "VENDOR [EVENT] -- CMD...: runs a policy hook and records what it decides",
    "feed": "VENDOR: records the events that a plugin writes to its standard input",
}
OPTIONS = {"hook": "-I -S -E -B", "wrap": "-I -S -E -B", "feed": "-I -B"}
# OpenSSL would load a library that its configuration names.
CLEAN = "unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES\n"
SCRIPT = """#!/bin/sh
# hookstream-{program} {about}.
# Written by `hookstream install`, removed by `hookstream uninstall`. The places behind --registered
# (home, configuration, state, cache, log, socket) hold, whatever the environment says.
{clean}set -- {program} --registered {home} {config} {state} {cache} {log} {socket} "$@"
[ -x {python} ] && [ -f {launch} ] &&
  exec {python} {options} {launch} "$@"
# An upgrade may have moved the package.
[ -x {python} ] && {python} -I -B -c 'import hookstream.capture.hook.launch' 2>/dev/null &&
  exec {python} -I -B -m hookstream.capture.hook.launch "$@"
shift 8
{end}"""
PYTHON_SCRIPT = """#!{python} -ISEB
# hookstream-hook {about}.
# Written by `hookstream install`, removed by `hookstream uninstall`. The places behind --registered
# (home, configuration, state, cache, log, socket) hold, whatever the environment says.
import sys
import _frozen_importlib_external as files

PLACES = {places}
PACKAGE = {package}
sys.argv[1:1] = ["hook", "--registered", *PLACES]
package = sys.modules["hookstream"] = type(sys)("hookstream")
package.__path__ = [PACKAGE]


def finder(path):  # sources and bytecode alone: a compiled build changes nothing
    if not path.startswith(PACKAGE):
        raise ImportError
    kinds = [(files.SourceFileLoader, [".py"]), (files.SourcelessFileLoader, [".pyc"])]
    return files.FileFinder(path, *kinds)


sys.path_hooks.insert(0, finder)
try:
    from hookstream.capture.hook.launch import start
except Exception as error:
    import os

    path = PACKAGE + "/capture/hook/failures.py"
    if not os.path.exists(path):  # an upgrade may have moved the package
        words = [sys.executable, "-I", "-B", "-m", "hookstream.capture.hook.launch", *sys.argv[1:]]
        os.execv(sys.executable, words)
    names = {{"__name__": "hookstream_failures", "__file__": path}}
    exec(compile(open(path, "rb").read(), path, "exec"), names)
    names["last_resort"](sys.argv[1:], error)
else:
    start()
"""
# The commands of an installed bundle, for people and services.
COMMAND_NAME = "hookstream"
COMMAND_SCRIPT = """#!/bin/sh
# hookstream COMMAND ...: the commands of the bundle that is installed here.
# Written by `hookstream install`, removed by `hookstream uninstall`.
exec {python} -I -S -B {bundle} "$@"
"""
# The path that every system's kernel accepts as a program after #!.
SHEBANG = re.compile(r"/[\w@%+=:,./-]{1,100}", re.ASCII)
END = {
    "hook": 'case "$1 $2" in\n{answers}esac\nexit 0\n',
    "wrap": 'while [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
    "feed": "exit 0\n",
}


def interpreter() -> str:
    """The interpreter of this installation, under one name however it was called: a virtual
    environment has several names for it. A bundle takes the one below: it needs no packages."""
    if own() is not None:
        return base_interpreter()
    python = sys.executable
    named = os.path.join(os.path.dirname(python), "python3")
    is_same = sys.prefix != sys.base_prefix and os.path.realpath(named) == os.path.realpath(python)
    return named if is_same and os.path.exists(named) else python


def launch_file() -> str:
    """The file of this package that launchers run."""
    return str(Path(__file__).resolve().parents[1] / "hook" / "launch.py")


def folder(managed: bool = False) -> Path:
    """The folder of the launchers. Raises HookstreamError if the home folder is unknown."""
    if managed:
        return MANAGED
    data = folders.data_folder()
    if data is None:
        raise HookstreamError("no home folder: set HOME or XDG_DATA_HOME")
    return Path(data)


def path(program: str, managed: bool = False) -> str:
    """The launcher of a program: hook, wrap or feed."""
    return str(folder(managed) / f"hookstream-{program}")


def registered_folders(managed: bool = False) -> dict[str, str]:
    """The folders that hold for the hooks of this user; empty for those of all users."""
    if managed:
        return dict.fromkeys(FOLDERS, "")
    state, config, cache = folders.state_folder(), folders.config_folder(), folders.cache_folder()
    if state is None or config is None or cache is None:
        raise HookstreamError("no home folder: set HOME to install for a user")
    named = os.environ.get(place.VARIABLE, "").strip()
    log = place.resolve(named) if named else None
    return {
        "home": folders.home() or "",
        "config": os.path.dirname(config),
        "state": os.path.dirname(state),
        "cache": os.path.dirname(cache),
        "log": log.path if log is not None and named != place.DEFAULT else "",
        "socket": os.environ.get("HOOKSTREAM_SOCKET", ""),
    }


def script(program: str, managed: bool = False, log: str | None = None) -> bytes:
    """The launcher's text; `log` is a place in the place of the one that the environment says."""
    places = registered_folders(managed)
    if log is not None:
        places["log"] = log
    if program == "hook" and SHEBANG.fullmatch(interpreter()):
        package = str(Path(launch_file()).parents[2])
        values = {"python": interpreter(), "package": ascii(package), "about": ABOUT[program]}
        return PYTHON_SCRIPT.format(places=ascii(list(places.values())), **values).encode()
    return shell_script(program, places)


def shell_script(program: str, places: dict[str, str]) -> bytes:
    """The same for a shell."""
    answers = "".join(map(answer_lines, VENDORS))
    values = {"python": interpreter(), "launch": launch_file(), **places}
    quoted = {name: shlex.quote(value) for name, value in values.items()}
    text = SCRIPT.format(
        program=program,
        about=ABOUT[program],
        options=OPTIONS[program],
        clean="" if program == "wrap" else CLEAN,
        end=END[program].replace("{answers}", answers),
        **quoted,
    )
    return os.fsencode(text)


def answer_lines(vendor: str) -> str:
    """The cases of a shell that answer for a vendor's hooks: an event's own before all others'."""
    facts = facts_of(vendor)
    cases = [(f"{vendor}\\ {event}", said) for event, said in facts.answers.items()]
    cases += [(f"{vendor}\\ *", facts.answer)] if facts.answer else []
    return "".join(f"  {case}) printf %s {shlex.quote(said.decode())} ;;\n" for case, said in cases)


def write(managed: bool = False) -> list[Path]:
    """Write the launchers that are missing or another; which. Raises HookstreamError."""
    if os.name == "nt":
        return []
    written = []
    for program in PROGRAMS:
        file = Path(path(program, managed))
        data = script(program, managed)
        if atomic.read(file) != data or not os.access(file, os.X_OK):
            atomic.make_folders(file.parent, 0o755)
            atomic.replace(file, data, MODE)
            file.chmod(MODE)
            written.append(file)
    return written


def write_command(bundle: Path, managed: bool = False) -> None:
    """Write the launcher of an unpacked bundle's commands. Raises HookstreamError."""
    if os.name != "nt":
        words = {"python": shlex.quote(interpreter()), "bundle": shlex.quote(str(bundle))}
        file = folder(managed) / COMMAND_NAME
        atomic.replace(file, os.fsencode(COMMAND_SCRIPT.format(**words)), MODE)
        file.chmod(MODE)


def command_words() -> list[str]:
    """Return how a service runs `hookstream`, by a path that an upgrade leaves as it is."""
    bundle = own()
    if bundle is None:
        return [interpreter(), "-I", "-m", "hookstream"]
    is_managed = bundle[0].is_relative_to(MANAGED)
    return [str(folder(is_managed) / COMMAND_NAME)]


def remove(managed: bool = False) -> None:
    """Remove the launchers and their folder, unless it holds something else."""
    for name in (*(f"hookstream-{program}" for program in PROGRAMS), COMMAND_NAME):
        (folder(managed) / name).unlink(missing_ok=True)
    try:
        folder(managed).rmdir()
    except OSError:
        return  # it never existed, or it holds other files


def read_folders(file: Path) -> dict[str, str] | None:
    """The folders that a launcher names, None if it does not exist or is not a launcher."""
    from ast import literal_eval

    try:
        text = os.fsdecode(atomic.read(file) or b"")
        if text.startswith("#!/bin/sh"):
            lines = [line for line in text.splitlines() if line.startswith("set -- ")]
            values = shlex.split(lines[0])[4 : 4 + len(FOLDERS)]
        else:
            values = literal_eval(text.partition("PLACES = ")[2].partition("\n")[0])
    except (HookstreamError, ValueError, IndexError, SyntaxError):
        return None
    return dict(zip(FOLDERS, values, strict=True)) if len(values) == len(FOLDERS) else None
