"""The file that a registered command runs, by its path and with `-I -S -E -B`.

    launch.py PROGRAM [--registered HOME CONFIG STATE CACHE LOG SOCKET] VENDOR [EVENT] ...

PROGRAM is hook, wrap or feed, or prepare, which loads what a hook loads. The launcher that install
writes (install/launcher.py) names the folders it resolved, and those hold: a client loads a
project's `.env` into the environment of its hooks. Empty folders are those of the user's account,
whoever that is.
"""

import sys

PLACES = 6
Places = list[str]


def fix_environment(places: Places) -> None:
    """Put the registered folders in the place of what the environment says of them."""
    try:
        import posix
    except ImportError:  # Windows: os.environ is a copy
        return
    home, config, state, cache, _, socket = (place.encode(*CODING) for place in places)
    if not home:
        import pwd

        home = pwd.getpwuid(posix.getuid()).pw_dir.encode(*CODING)
    # os.environ stands on this very table, whether it is imported already or not.
    for name in (b"OPENSSL_CONF", b"OPENSSL_MODULES", b"OPENSSL_ENGINES"):
        posix.unsetenv(name)  # OpenSSL would load a library that its configuration names
    fixed = {b"HOME": home, b"XDG_CONFIG_HOME": config, b"XDG_STATE_HOME": state}
    fixed |= {b"HOOKSTREAM_SOCKET": socket, b"XDG_CACHE_HOME": cache, b"XDG_DATA_HOME": b""}
    for name, value in fixed.items():
        if value:
            posix.environ[name] = value
        else:
            posix.environ.pop(name, None)


CODING = ("utf-8", "surrogateescape")


def find_package(path: str) -> None:
    """Make `hookstream` the package that this file belongs to, without looking for it."""
    package = type(sys)("hookstream")
    root = path.removesuffix("/capture/hook/launch.py")
    package.__path__ = [root, *(place + "/hookstream" for place in sys.path)]
    sys.modules["hookstream"] = package


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
        if not places[0]:  # of no user: the whole machine's launcher
            options += ["--scope", "managed"]
    if program == "wrap":
        try:
            from hookstream.capture.wrap.main import main as wrap
        except Exception:
            run_command(words)
        wrap(options + words, places)
    if places:
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
    """Run the program of `sys.argv`; from the sources where the bytecode cannot be read."""
    try:
        run(sys.argv[1:])
    except Exception:
        load_uncached()
        run(sys.argv[1:])


if __name__ == "__main__":
    if "hookstream" not in sys.modules:
        find_package(__file__.replace("\\", "/"))
    start()
