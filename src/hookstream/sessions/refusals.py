"""Refusals that a batch's entry shows, of a call with a before event and no after event: decided
only here, for the stream (`sessions.calls`) as it is read and for tables, which see
all of a session."""

from __future__ import annotations

from itertools import product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The evidence of a refusal that nothing but the missing after event shows.
EXCLUDED = " without an after event"


def is_refusal(
    *, says_so: bool, is_worded: bool, is_shell: bool, shows_ok: bool, shows_failed: bool
) -> bool:
    """Return whether the entry is a refusal, for certain.

    It is if the client's wording names what was refused (`says_so`). Other wording of the client
    (`is_worded`) may be a tool's if events of success are not captured (`shows_ok`). A bare text
    may be a result: of a failure if those are not captured (`shows_failed`). A failed command says
    so in its text (the normalizer's `outcome`), other tools do not.
    """
    return says_so or (shows_ok and (is_worded or is_shell or shows_failed))


def certainty(
    *,
    says_so: bool,
    is_worded: bool,
    is_shell: bool,
    shows_ok: bool,
    shows_failed: bool,
    shows_after: bool,
    machine_shows_ok: bool,
) -> str | None:
    """`observed`, `inferred` where the session shows after events and the client successes on this
    machine, or None: the entry says nothing."""
    if is_refusal(
        says_so=says_so,
        is_worded=is_worded,
        is_shell=is_shell,
        shows_ok=shows_ok,
        shows_failed=shows_failed,
    ):
        return "observed"
    return "inferred" if shows_after and machine_shows_ok else None


NAMES = (
    "says_so", "is_worded", "is_shell", "shows_ok", "shows_failed", "shows_after",
    "machine_shows_ok",
)  # fmt: skip


def cases() -> Iterator[tuple[bool | str, ...]]:
    """Every case that is a refusal: NAMES, and its certainty."""
    for values in product((False, True), repeat=len(NAMES)):
        case_certainty = certainty(**dict(zip(NAMES, values, strict=True)))
        if case_certainty is not None:
            yield (*values, case_certainty)
