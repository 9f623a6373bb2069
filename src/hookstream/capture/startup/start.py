"""Loading of the hook program: through the vendor's snapshot, or from its sources if that fails. It
is a module and not part of the script, because a module is compiled once and a script at every
start.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.capture.startup.snapshot import Snapshot

STAND_INS = ("re", "functools", "hashlib", "hmac")


def load(argv: list[str]) -> tuple[Snapshot, Callable[[list[str]], int]]:
    """The program, imported through the vendor's snapshot and with the light replacements."""
    from hookstream.capture.startup import lazy_stdlib as light

    snapshot = light.install(argv[0] if argv else "")
    from hookstream.capture.hook.main import main

    return snapshot, main


def load_uncached() -> Callable[[list[str]], int]:
    """The program without snapshot, replacements and bytecode: a bytecode file that a full disk cut
    short stops every import of it for good."""
    sys.implementation.cache_tag = None  # type: ignore[assignment]
    sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
    for name, module in list(sys.modules.items()):
        is_ours = name.startswith("hookstream.") and name != __name__
        if is_ours or (module.__spec__ is None and name in STAND_INS):
            del sys.modules[name]
    from hookstream.capture.hook.main import main

    return main
