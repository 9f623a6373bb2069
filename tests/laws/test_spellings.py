"""One path is one path: rules, denied targets and artifacts answer alike, however it is spelled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.event import Event
from hookstream.rules.cases import CaseLake
from hookstream.rules.compile import compile_rules
from hookstream.rules.evaluate import findings
from hookstream.rules.load import load
from hookstream.shell.paths import paths_of
from hookstream.shell.spelling import every_spelling, one_spelling
from hookstream.standards.artifacts import extract

NAMES = st.lists(st.sampled_from(("work", "shop", "a.txt", "Users", ".ssh", "x y")), min_size=1)
FORMS = (
    "{drive}:\\{back}", "{drive}:/{rest}", "{small}:/{rest}", "/{small}/{rest}",
    "/mnt/{small}/{rest}", "/cygdrive/{small}/{rest}", "\\\\wsl$\\Ubuntu\\mnt\\{small}\\{back}",
    "//wsl.localhost/Debian/mnt/{small}/{rest}",
)  # fmt: skip
RULE = """title: A Rule
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b31
status: test
level: low
logsource: {source}
detection:
  s: {{{field}: '{value}'}}
  condition: s
"""


def spelled(form: str, drive: str, names: list[str]) -> str:
    rest = "/".join(names)
    back = rest.replace("/", "\\")
    return form.format(drive=drive, small=drive.lower(), rest=rest, back=back)


@settings(max_examples=80, deadline=None)
@given(names=NAMES, drive=st.sampled_from("CDZ"), first=st.sampled_from(FORMS), data=st.data())
def test_all_spellings_are_one(names: list[str], drive: str, first: str, data: Any) -> None:
    second = spelled(data.draw(st.sampled_from(FORMS)), drive, names)
    path = spelled(first, drive, names)
    assert one_spelling(path) == one_spelling(second) == f"{drive}:/{'/'.join(names)}"
    assert paths_of(None, path, None) == paths_of(None, second, "/home/dev")
    own = {path, path.replace("/", "\\")}
    assert set(every_spelling(path)) - own <= {*every_spelling(second), second}
    assert one_spelling(one_spelling(path)) == one_spelling(path)


@settings(max_examples=60, deadline=None)
@given(names=NAMES, first=st.sampled_from(FORMS), second=st.sampled_from(FORMS))
def test_an_artifact_in_another_spelling_is_no_second_one(
    names: list[str], first: str, second: str
) -> None:
    path = spelled(first, "C", names)
    facts = {"action_name": "file_write", "action_category": "file_write", "file_path": path}
    event = Event("Action.Before", "PreToolUse", facts, "claude-code")
    event.input = {"file_path": path}
    event.read_back = True
    event.artifacts = [("file_path", spelled(second, "C", names), "tool_input.file_path", "own")]
    assert extract(event) == [("file_path", path, "tool_input.file_path", "own")]


SMALL = CaseLake()
SOURCES = {
    "TargetFilename|startswith": (
        "{product: windows, category: file_event}", "{category: file_event}"
    ),
    "file_path|startswith": ("{product: hookstream, service: calls}",),
    "command_writes|startswith": ("{product: hookstream, service: calls}",),
    "Image|startswith": ("{product: windows, category: process_creation}",),
}  # fmt: skip
PATH = ["work", "shop"]
TYPED = [form for form in FORMS if " " not in form]


@pytest.mark.parametrize("field", SOURCES)
@pytest.mark.parametrize("written", FORMS[:5])
def test_a_rule_matches_every_spelling(field: str, written: str, tmp_path: Path) -> None:
    if field.startswith("Image") and written.startswith("/"):
        pytest.skip("rules for Windows name programs as Windows does")
    file = tmp_path / "rule.yml"
    value = spelled(written, "C", PATH)
    for source in SOURCES[field]:
        file.write_text(RULE.format(source=source, field=field, value=value), "utf-8")
        rules = compile_rules(load([file]), SMALL.table)
        for form in FORMS:
            path = spelled(form, "C", [*PATH, "a.txt"])
            other = path.replace("shop", "ship")
            for text, is_hit in ((path, True), (other, False)):
                hits = findings(SMALL.fill({"calls": [row_of(field, text)]}), rules)
                assert bool(hits) is is_hit, (source, value, text)


def row_of(field: str, path: str) -> dict[str, Any]:
    if field.startswith(("TargetFilename", "file_path")):
        return {"action_category": "file_write", "file_path": path}
    if field.startswith("Image"):
        return {"action_category": "shell", "command": f"'{path}' -x"}
    return {"action_category": "shell", "command": f"echo x > '{path}'"}
