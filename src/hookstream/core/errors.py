"""Exception hierarchy. Each message is one line saying what to do; `code` is the exit code.

HookstreamError        2
  NothingToRead        2   a source is missing or holds no stream
  UnreadablePayload    2   a payload handed to `hookstream.normalize` gives no event
  Undelivered          3   a sink could not take everything
  Interrupted        130   Ctrl-C, where nothing was written yet
SinkError              2   a sink's own: the delivery of the other sinks continues
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class HookstreamError(Exception):
    """Wrong usage or a state the user can mend."""

    code = 2


def invalid_choice(what: str, given: str, known: Iterable[str]) -> HookstreamError:
    """The error for a word that is not one of the known ones; it names the nearest."""
    words = list(known)
    hint = did_you_mean(given, words) or f"; choose from {', '.join(words)}"
    return HookstreamError(f"invalid {what} {given!r}{hint}")


def extra(name: str) -> str:
    """Return what to do where the packages of an extra are missing."""
    return f"needs pip install '.[{name}]' in a clone of hookstream"


LONGEST = 64  # characters of a word that is compared with known ones


def did_you_mean(given: object, known: Iterable[object]) -> str:
    """`; did you mean X?` for a word that is near one of the known ones, or near the first part of
    one, else nothing."""
    from difflib import get_close_matches

    if len(str(given)) > LONGEST:  # a comparison costs the square of the length
        return ""
    words = [str(word) for word in known]
    # A word is found by itself before it is found by the first part of another.
    names = {word.partition("-")[0]: word for word in reversed(words)}
    names |= {word: word for word in words}
    near = get_close_matches(str(given), names, 1)
    return f"; did you mean {names[near[0]]}?" if near else ""


class NothingToRead(HookstreamError):
    """A source does not exist or holds no stream; the text says which."""


class UnreadablePayload(HookstreamError):
    """A payload that gives no event; the text is the reason a rejection would have."""


class Undelivered(HookstreamError):
    """A sink could not take everything; the text says where the rest waits."""

    code = 3


class Interrupted(HookstreamError):
    """Ctrl-C before anything was written; the text says so."""

    code = 130


class SinkError(Exception):
    """A sink that cannot be opened or flushed; the text is one line a user can act on."""
