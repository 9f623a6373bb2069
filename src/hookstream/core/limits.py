"""Size and memory limits, all in one place."""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A line longer than this is a rejection; it is skipped without being held in memory.
LINE_BYTES = 16 * 1024 * 1024
# Lines of a stream that one CloudEvent carries.
STREAM_LINES = 100_000
# A written line.
OUTPUT_LINE_BYTES = 1024 * 1024
# Objects and lists inside each other, in and out.
DEPTH = 64
# Integers beyond this are written as strings: a double cannot hold them.
SAFE_INTEGER = 2**53
# Files of one source.
FILES = 1_000_000
# Bytes read at once from a source.
CHUNK_BYTES = 1024 * 1024
# Sessions remembered at once, by each stage; the one unused longest is forgotten first.
SESSIONS = 16384
# Distinct names and paths a report holds; further ones are counted as "(other)".
REPORT_NAMES = 2000


def make_room(table: dict[Any, Any], limit: int) -> None:
    """Forget the oldest sixteenth of a table that is full.

    One at a time would cost a walk over all that were forgotten before: a dict keeps their places.
    """
    if len(table) >= limit:
        for key in list(islice(table, max(1, limit // 16))):
            del table[key]
