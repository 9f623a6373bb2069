"""The hook's own work, with what the client has already read of the payload."""

from __future__ import annotations

import gc
import os
import sys

from hookstream.capture.startup.start import load, load_uncached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run_in_process(
    words: list[str], options: list[str], began: tuple[int, float], data: bytes, ended: bool
) -> NoReturn:
    """The hook program; `began` is when, by the clock (ns) and by the monotonic one (s): the same
    receipt time as the collector got, so that an event that both recorded has one id, and the same
    time to end in. The process ends here."""
    gc.disable()
    is_running = False  # from then on the hook itself answers, whatever happens
    try:
        snapshot = None
        try:
            snapshot, main = load(words)
            from hookstream.capture.hook.read_so_far import PreReadHook
        except Exception:
            main = load_uncached()
            from hookstream.capture.hook.read_so_far import PreReadHook
        if not words or words[0][:1] == "-":
            os._exit(main(words))
        from hookstream.capture.hook.request import HookRequest, iso

        request = HookRequest(options + words)
        request.now = request.now or iso(began[0])
        hook = PreReadHook(request, data, ended, began[1])
        is_running = True
        hook.run()
        tables = sys.modules.get("hookstream.normalizers")
        if snapshot is not None and tables is not None and words[0] in tables.VENDORS:
            snapshot.save()
    except BaseException as error:
        if not is_running:
            from hookstream.capture.hook.failures import last_resort

            last_resort(options + words, error, data, ended)
    finally:
        os._exit(0)
