"""What stands before a line end is no part of what follows: a secret at the beginning of a line is
found whatever the line before ends with."""

from __future__ import annotations

import pytest
from canaries import CANARIES, leaks
from privacy_cases import scanner_of

from hookstream.redaction.context import replace

BEFORE = (
    "x\n",
    "a724230d7bc349897\n",
    "sha256:\n",
    "ab12\n",
    "name =\n",
    "100.\n",
    "1-\n",
    "id:\r\n",
)
PERSONAL = ("+49 30 " + "1234 5678", "(555) " + "234-5678", "4111 1111 " + "1111 1111")


@pytest.mark.parametrize("before", BEFORE)
def test_a_line_end_ends_what_stood_before(before: str) -> None:
    scanner = scanner_of("python")
    for kind, (text, _) in CANARIES.items():
        whole = f"{before}{text}\nmore"
        left = replace(whole, scanner.scan(whole), [])
        assert kind not in leaks(left), left
    for text in PERSONAL:
        assert scanner.scan(f"{before}{text}\nmore"), (before, text)


def test_a_foreign_name_below_a_path_of_the_reader_is_scanned() -> None:
    from hookstream.redaction.fields import path_before

    assert path_before("data.action.result.abc") == len("data.action.result.")
    assert path_before("data.") == len("data.")
    assert path_before("a.data.x") == path_before("data") == 0
