"""The vendor of docs/adding-a-vendor.md works as it stands on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hookstream.core.records import Record, read_record
from hookstream.normalizers import normalize
from hookstream.normalizers.ready import CompiledVendor

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-vendor.md"
BLOCK = re.compile(r"`((?:src|samples)/[^`]+)`[^`]*?:\n\n```\w+\n(.*?)```", re.DOTALL)
NOW = "2026-11-21T12:00:00.000Z"


def test_the_example_gives_what_the_page_says() -> None:
    blocks = dict(BLOCK.findall(PAGE.read_text("utf-8")))
    module: dict[str, Any] = {}
    exec(blocks["src/hookstream/normalizers/acme/table.py"], module)  # noqa: S102
    table = CompiledVendor(module["VENDOR"])
    events = []
    for number, line in enumerate(blocks["samples/acme/tools.jsonl"].splitlines()):
        record = read_record(line.encode(), "page", number)
        assert isinstance(record, Record)
        assert table.vendor.claims(record.payload), json.dumps(record.payload)
        taken = normalize(record, table, NOW)
        assert isinstance(taken, list), taken
        assert taken[0].unmapped is None
        events += taken
    assert [event.type for event in events] == [
        "Session.Start",
        "Prompt.Submitted",
        "Action.Before",
        "Action.After",
    ]
    after = events[-1].facts
    assert (after["success"], after["outcome"], after["action_name"]) == (True, "ok", "shell")
