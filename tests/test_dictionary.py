"""Every column says what it means, and the document is what the code says."""

from __future__ import annotations

from pathlib import Path

from hookstream.core.event import TOOL_CATEGORIES
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.lake.columns import COLUMNS
from hookstream.lake.dictionary import MEANINGS, meaning, page
from hookstream.normalizers.taxonomy import TAXONOMY
from hookstream.queries.catalog import shipped
from hookstream.queries.runner import ask, open_stream

DOCUMENT = Path(__file__).parent.parent / "docs" / "data-dictionary.md"


def test_every_column_has_a_meaning() -> None:
    missing = [name for name in COLUMNS if not MEANINGS.get(name)]
    assert not missing, f"add to _TEXT of lake/dictionary.py: {missing}"
    assert all(len(text) < 160 and text[-1] in ".m" for text in MEANINGS.values())


def test_every_column_of_every_question_has_a_meaning(tmp_path: Path) -> None:
    sample = DOCUMENT.parents[1] / "samples" / "codex"
    execute(Job([str(sample)], [f"parquet:{tmp_path}/lake"], pseudonyms=tmp_path / "key"))
    with open_stream(f"{tmp_path}/lake") as stream:
        columns = {name: ask(stream, name, limit=1).columns for name in shipped()}
    missing = [(name, one) for name in columns for one in columns[name] if not meaning(name, one)]
    assert not missing, f"add to _TEXT of lake/dictionary.py: {missing}"
    own = [tuple(name.split(".")) for name in MEANINGS if "." in name]
    assert [pair for pair in own if pair[1] not in columns.get(pair[0], [])] == []


def test_the_actions_that_are_named_exist() -> None:
    actions = {tool.action for tool in TAXONOMY.values()}
    for column, known in (("action_name", actions), ("action_category", set(TOOL_CATEGORIES))):
        listed = MEANINGS[column].partition(": ")[2].removesuffix(" ...").split(", ")
        assert {name for name in listed if not name.startswith("mcp:")} <= known


def test_the_document_is_up_to_date() -> None:
    made = page()
    assert DOCUMENT.read_text("utf-8") == made, (
        "run: python -m hookstream.lake.dictionary > docs/data-dictionary.md"
    )
