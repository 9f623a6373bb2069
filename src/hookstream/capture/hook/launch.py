"""The file that a registered command runs, by its path and with `-I -S -E -B`.

    launch.py PROGRAM [--registered HOME CONFIG STATE CACHE LOG SOCKET] VENDOR [EVENT] ...

PROGRAM is hook, wrap or feed, or prepare, which loads what a hook loads. The launcher that install
writes (install/launcher.py) names the folders it resolved, and those hold: a client loads a
project's `.env` into the environment of its hooks. Empty folders are those of the user's account,
whoever that is.
"""

import _frozen_importlib_external as files
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLACES = 6
Places = list[str]


def find_package(path: str) -> None:
    """Make `hookstream` the package that this file belongs to, without looking for it."""
    package = type(sys)("hookstream")
    root = path.removesuffix("/capture/hook/launch.py")
    package.__path__ = [root, *(place + "/hookstream" for place in sys.path)]
    sys.modules["hookstream"] = package


class Loader(files.SourceFileLoader):
    """Python's own loader, which here writes bytecode despite `-B`, in whole or not at all, and
    replaces bytecode that a full disk or a bad one has damaged."""

    def get_code(self, fullname: str) -> "Any":
        before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
        try:
            return super().get_code(fullname)
        except (EOFError, TypeError, ValueError):
            source = self.get_filename(fullname)
            remove(files.cache_from_source(source))
            return self.source_to_code(self.get_data(source), source)
        finally:
            sys.dont_write_bytecode = before

    def set_data(self, path: str, data: "Any", *, _mode: int = 0o666) -> None:
        write_whole(path, data)


def remove(path: str) -> None:
    """Remove a file if that is possible."""
    import os

    try:
        os.unlink(path)
    except OSError:
        return


def write_whole(path: str, data: bytes) -> None:
    """Write a complete file, or none: a reader sees no half of it."""
    import os

    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(draft, flags, 0o644)
    except OSError:
        return
    try:
        is_whole = os.write(handle, data) == len(data)
    except OSError:
        is_whole = False
    os.close(handle)
    try:
        os.replace(draft, path) if is_whole else os.unlink(draft)
    except OSError:
        return


def import_sources_only(root: str) -> None:
    """Import the package from source or bytecode: a compiled build next to it changes nothing."""
    kinds = ((Loader, [".py"]), (files.SourcelessFileLoader, [".pyc"]))

    def finder(path: str) -> "Any":
        if not path.startswith(root):
            raise ImportError
        return files.FileFinder(path, *kinds)

    sys.path_hooks.insert(0, finder)
    for path in [path for path in sys.path_importer_cache if path.startswith(root)]:
        del sys.path_importer_cache[path]


def record_lost(argv: list[str], error: BaseException, how: str = "last_resort") -> None:
    """Leave a trace of an event when the package cannot: failures.py, which needs no other module,
    is read by its path; `how` is a function of it. Never raises."""
    try:
        path = __file__.replace("\\", "/").rpartition("/")[0] + "/failures.py"
        names = {"__name__": "hookstream_failures", "__file__": path}
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec", dont_inherit=True), names)  # noqa: S102
        names[how](argv, error)  # type: ignore[operator]
    except BaseException:
        return


def run_command(words: list[str]) -> None:
    """Run the policy hook alone: a guard must not vanish with its observer."""
    import os

    command = words[words.index("--") + 1 :]
    os.execvp(command[0], command)  # noqa: S606


def run(argv: list[str]) -> None:
    """Run the program; the process ends there."""
    program, *words = argv
    options: list[str] = []
    places: Places = []
    if words[:1] == ["--registered"]:
        places, words = words[1 : PLACES + 1], words[PLACES + 1 :]
        options = ["--registered", places[4]]
        if not places[0]:  # of no user: the machine's launcher
            options += ["--scope", "managed"]
    if program == "wrap":
        try:
            from hookstream.capture.wrap.main import main as wrap
        except Exception as error:
            record_lost(argv, error, "record_unwrapped")
            run_command(words)
        wrap(options + words, places)
    if places:
        from hookstream.capture.hook.registered import fix_environment

        fix_environment(places)
    if program == "prepare":
        from hookstream.capture.hook.in_process import load_all

        load_all(words[0])
        return
    if program == "feed":
        from hookstream.capture.plugins.feed import run as feed

        feed(words, options)
    from hookstream.capture.hook.client import main

    main(words, options)


def start() -> None:
    """Run the program of `sys.argv`."""
    import_sources_only(sys.modules["hookstream"].__path__[0])
    try:
        run(sys.argv[1:])
    except Exception as error:
        record_lost(sys.argv[1:], error)


def run_by_hand(words: list[str]) -> int:
    """`hookstream hook`, which ends like a registered one whatever is broken; its exit status."""
    import_sources_only(__file__.replace("\\", "/").removesuffix("/capture/hook/launch.py"))
    try:
        from hookstream.capture.hook.client import open_closed
        from hookstream.capture.hook.main import main

        open_closed()
        return main(words)
    except Exception as error:
        record_lost(["hook", *words], error)
        return 0


if __name__ == "__main__":
    if "hookstream" not in sys.modules:
        find_package(__file__.replace("\\", "/"))
    start()
