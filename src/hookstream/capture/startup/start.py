"""Where a registered hook starts: `python -I -S -E -B -c "...; start(sys.argv[1:])"`.

It ends the process with exit status 0, whatever happens. It is a module and no script, because a
module is compiled once and a script at every start.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.capture.startup.snapshot import Snapshot

STAND_INS = ("re", "functools", "hashlib", "hmac")
# Where nothing of the package can be loaded: its answers, as the clients' own facts have them.
LAST_WORDS = {"cursor": b"{}", "cline": b'{"cancel": false}'}


def load(argv: list[str]) -> tuple[Snapshot, Callable[[list[str]], int]]:
    """The program, imported through the vendor's snapshot and with the light stand-ins."""
    from hookstream.capture.startup import lazy_stdlib as light

    snapshot = light.install(argv[0] if argv else "")
    from hookstream.capture.hook.main import main

    return snapshot, main


def load_uncached() -> Callable[[list[str]], int]:
    """The program without snapshot, stand-ins and bytecode: a bytecode file that a full disk cut
    short stops every import of it for good."""
    sys.implementation.cache_tag = None  # type: ignore[assignment]
    sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
    for name, module in list(sys.modules.items()):
        is_ours = name.startswith("hookstream.") and name != __name__
        if is_ours or (module.__spec__ is None and name in STAND_INS):
            del sys.modules[name]
    from hookstream.capture.hook.main import main

    return main


def start(argv: list[str]) -> None:
    """Run the hook; the process ends here."""
    gc.disable()  # a process of some milliseconds leaves nothing that is worth collecting
    try:
        snapshot: Snapshot | None = None
        try:
            snapshot, main = load(argv)
        except Exception:
            main = load_uncached()
        main(argv)
        tables = sys.modules.get("hookstream.normalizers")
        if snapshot is not None and tables is not None and argv[0] in tables.VENDORS:
            snapshot.save()
    except BaseException:
        words = LAST_WORDS.get(argv[0] if argv else "", b"")
        if words and "hookstream.capture.hook.main" not in sys.modules:
            os.write(1, words)
    finally:
        os._exit(0)
