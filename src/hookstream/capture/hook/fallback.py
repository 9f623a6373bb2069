"""The hook's own work, with what the forwarder has already read of the payload."""

from __future__ import annotations

import gc
import os
import sys

from hookstream.capture.hook.client import iso
from hookstream.capture.hook.start import LAST_WORDS, load, load_plainly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def do_it_yourself(argv: list[str], began: tuple[int, float], data: bytes, ended: bool) -> NoReturn:
    """The hook program; `began` is when, by the clock (ns) and by the monotonic one (s): the same
    receipt time as the collector got, so that an event that both recorded has one id, and the same
    time to end in. The process ends here."""
    gc.disable()
    is_running = False  # from then on the hook itself answers, whatever happens
    try:
        image = None
        try:
            image, main = load(argv)
            from hookstream.capture.hook.read_so_far import Given
        except Exception:
            main = load_plainly()
            from hookstream.capture.hook.read_so_far import Given
        if not argv or argv[0][:1] == "-":
            os._exit(main(argv))
        from hookstream.capture.hook.request import Request

        request = Request(argv)
        request.now = request.now or iso(began[0])
        given = Given(request, data, ended, began[1])
        is_running = True
        given.run()
        tables = sys.modules.get("hookstream.normalizers")
        if image is not None and tables is not None and argv[0] in tables.VENDORS:
            image.save()
    except BaseException:
        words = LAST_WORDS.get(argv[0] if argv else "", b"")
        if words and not is_running:
            os.write(1, words)
    finally:
        os._exit(0)
