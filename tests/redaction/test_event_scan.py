"""What is known to be clean is not scanned again, and that changes nothing but the time."""

from __future__ import annotations

import pytest
from privacy_cases import KEY, events_of, records, scanner_of, shown

from hookstream.core.event import Event
from hookstream.redaction import Redactor
from hookstream.redaction.redact import LENGTH, TEXTS, EventScan
from hookstream.redaction.scanner import Scanner

SECRET = "".join(("gh", "p_", "7Kq2mXv9Rt4LzB8nWc3YdF6hJs1PaE5gUo0i"))
HOME = "/home/mara.lind/project"


def prompt(**facts: object) -> Event:
    known = {"tool": "claude-code", "session_id": "s-1", "event_id": "e", "cwd": "/srv/app"}
    return Event("Prompt.Submitted", None, {**known, **facts})


class Counted(EventScan):
    """Notes what the engine is asked about."""

    def __init__(self, scanner: Scanner) -> None:
        super().__init__(scanner)
        ask = self._candidates
        self.asked: list[str] = []
        self._candidates = lambda text: (self.asked.append(text), ask(text))[1]


@pytest.mark.parametrize("mode", ["hash", "redact", "full"])
def test_an_event_is_the_same_behind_others_and_alone(mode: str) -> None:
    scanner = scanner_of("hyperscan")
    one = Redactor(mode, KEY, scanner=scanner)
    for cwd in ("/srv/app", HOME, f"/srv/{SECRET}", "/srv/app", HOME):
        for record in records():
            for shared, alone in zip(events_of(record), events_of(record), strict=True):
                shared.facts["cwd"] = alone.facts["cwd"] = cwd
                one.redact_event(shared)
                Redactor(mode, KEY, scanner=scanner).redact_event(alone)
                assert shown(shared) == shown(alone)


def test_clean_texts_are_scanned_once() -> None:
    scan = Counted(scanner_of("hyperscan"))
    for number in range(3):
        call = f"call-{number}"
        texts = [text for text in ("/srv/app", "s-1", call) if text not in scan.clean]
        assert scan.found(prompt(call_id=call), texts) == ([], False)
    assert scan.asked == ["/srv/app\n\x1f\ns-1\n\x1f\ncall-0", "call-1", "call-2"]


@pytest.mark.parametrize("text", [SECRET, f"see {SECRET}", HOME, "C:\\Users\\mara\\src"])
def test_what_has_to_be_hidden_is_seen_each_time(scanner: Scanner, text: str) -> None:
    scan = EventScan(scanner)
    first = scan.found(prompt(), [text, "/srv/app"])
    assert first != ([], False)
    assert scan.found(prompt(), ["/srv/app", text]) == first


def test_ids_and_times_made_here_are_not_scanned_and_those_of_a_line_are() -> None:
    scan = Counted(scanner_of("hyperscan"))
    event = prompt(event_id=SECRET)
    event.read_back = True
    assert scan.found(event, [SECRET])[0]
    event.read_back = False
    scan.asked.clear()
    assert scan.found(event, [SECRET]) == ([], False)
    assert not scan.asked


def test_what_is_known_is_bounded() -> None:
    scan = EventScan(scanner_of("hyperscan"))
    for number in range(3 * TEXTS):
        scan.found(prompt(), [f"call-{number}"])
    scan.found(prompt(), ["long " * LENGTH])
    assert len(scan.clean) <= TEXTS + 1
    assert max(map(len, scan.clean)) <= LENGTH
