"""Lines that pass the stages together, whoever reads them: files, topics, record batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookstream.core.owners import Owner


class Lines(NamedTuple):
    """Lines of one source, or records, in their order. `source` names the source whose state they
    continue, None that of the lines before; `begins`: they are the first of a file, with which the
    state of sessions without a name ends. `machine` is the machine of those that name none, `owner`
    that of all of them; `head` gives the first lines of the file."""

    given: Sequence[Any]
    source: str | None = None
    machine: str | None = None
    owner: Owner | None = None
    begins: bool = False
    head: Callable[[], list[bytes]] | None = None
