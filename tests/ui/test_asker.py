"""The process that answers free SQL: ended by several threads at once."""

from __future__ import annotations

import threading

from hookstream.ui.questions import Asker


def test_several_threads_end_it_at_once(lake_path):
    """Ctrl-C ends it while the thread that waits for an answer meets the end of its line."""
    errors: list[BaseException] = []
    for _ in range(3):
        asker = Asker(lake_path, None)
        asker.ask("select 1", 10, None)
        together = threading.Barrier(8)

        def end(asker: Asker = asker, together: threading.Barrier = together) -> None:
            together.wait()
            try:
                asker.end()
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=end) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []
