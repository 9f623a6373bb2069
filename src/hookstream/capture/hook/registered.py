"""The folders that install registered, in place of those that the environment names."""

from __future__ import annotations

CODING = ("utf-8", "surrogateescape")


def fix_environment(places: list[str]) -> None:
    """Replace the environment's values for the registered folders."""
    try:
        import posix
    except ImportError:  # Windows: os.environ is a copy
        return
    home, config, state, cache, _, socket = (place.encode(*CODING) for place in places)
    if not home:
        import pwd

        home = pwd.getpwuid(posix.getuid()).pw_dir.encode(*CODING)
    # os.environ is built on this very table, whether it is imported already or not.
    for name in (b"OPENSSL_CONF", b"OPENSSL_MODULES", b"OPENSSL_ENGINES"):
        posix.unsetenv(name)  # OpenSSL would load a library that its configuration names
    fixed = {b"HOME": home, b"XDG_CONFIG_HOME": config, b"XDG_STATE_HOME": state}
    fixed |= {b"HOOKSTREAM_SOCKET": socket, b"XDG_CACHE_HOME": cache, b"XDG_DATA_HOME": b""}
    for name, value in fixed.items():
        if value:
            posix.environ[name] = value
        else:
            posix.environ.pop(name, None)
