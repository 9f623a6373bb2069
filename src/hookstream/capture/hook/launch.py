"""The file that a registered command runs, by its path and with `-I -S -E -B`.

    launch.py PROGRAM [--registered HOME CONFIG STATE CACHE LOG SOCKET] VENDOR [EVENT] ...

PROGRAM is hook, wrap or feed, or prepare, which loads what a hook loads. The launcher that install
writes (install/launcher.py) names the folders it resolved, and those hold: a client loads a
project's `.env` into the environment of its hooks. Empty folders are those of the user's account,
whoever that is.
"""

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


def import_sources_only(root: str) -> None:
    """Import the package from source or bytecode: a compiled build next to it changes nothing."""
    import _frozen_importlib_external as files

    kinds = ((files.SourceFileLoader, [".py"]), (files.SourcelessFileLoader, [".pyc"]))

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


def load_uncached() -> None:
    """Let imports read sources alone: a full disk may have cut a bytecode file short."""
    sys.implementation.cache_tag = None  # type: ignore[assignment]
    for name in [name for name in sys.modules if name.startswith("hookstream.")]:
        del sys.modules[name]


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
        from hookstream.capture.startup.registered import fix_environment

        fix_environment(places)
    if program == "prepare":
        from hookstream.capture.startup.prepare import load_all

        load_all(words[0])
        return
    if program == "feed":
        from hookstream.capture.plugins.feed import run as feed

        feed(words, options)
    from hookstream.capture.hook.client import main

    main(words, options)


def start() -> None:
    """Run the program of `sys.argv`; from the sources if the bytecode cannot be read."""
    try:
        run(sys.argv[1:])
    except Exception:
        load_uncached()
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
    import_sources_only(sys.modules["hookstream"].__path__[0])
    start()
