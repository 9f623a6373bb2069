"""The log's event for a user's file that tried to loosen what the machine's policy locks, or for a
policy that could not be used: one per session, `vendor.<tool>.ConfigurationRefused`."""

from __future__ import annotations

from hashlib import sha256

from hookstream.capture.hook.failures import read_failures
from hookstream.capture.hook.lines import finished_line
from hookstream.capture.hook.replaced import notice, session_mark
from hookstream.configuration.catalog import BY_NAME
from hookstream.core.folders import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.settings import CaptureSettings
    from hookstream.core.records import Record
    from hookstream.redaction import Redactor

KIND = "ConfigurationRefused"


def refused_lines(
    record: Record, key: str, now: str, redactor: Redactor, settings: CaptureSettings
) -> tuple[list[bytes], str | None]:
    """The event's line and the problem for `status`; no line and None if this session has its
    event, or the payload is not an event."""
    said = refusals(settings)
    mark = "configuration refused\0" + sha256(repr(sorted(said.items())).encode()).hexdigest()
    event = notice(record, key, now, KIND, mark, said)
    if event is None:
        return [], None
    what = settings.policy_problem or f"refused by the machine policy: {', '.join(sorted(said))}"
    note = f"{what}, session {session_mark(event.facts)}"
    state = state_folder()
    if state is not None and any(
        failure.get("problem") == note for failure in read_failures(state)
    ):
        return [], None
    return [finished_line(event, redactor)], note


def refusals(settings: CaptureSettings) -> dict[str, Any]:
    """{setting: {"origin", "asked", "kept"}}: the values if they are our own constants or numbers;
    a path may name anything. `machine policy` says why the policy was not used."""
    by_name: dict[str, Any] = {
        one.name: {
            "origin": one.origin,
            "asked": _shown(one.name, one.asked),
            "kept": _shown(one.name, one.kept),
        }
        for one in settings.refused
    }
    if settings.policy_problem is not None:
        by_name["machine policy"] = settings.policy_problem
    return by_name


def _shown(name: str, value: Any) -> Any:
    if BY_NAME[name].choices or type(value) in (int, bool) or value is None:
        return value
    return "another value"
