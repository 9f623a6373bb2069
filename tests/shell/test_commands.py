"""Commands as a shell reads them: what each does, what it only quotes, and that any text is read
in bounded time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hookstream.detect.risk import QUOTES, TRIGGER
from hookstream.shell.effects import RISKS, ROWS, effects_of
from hookstream.shell.facts import facts_of
from hookstream.shell.reading import READ, read

CASES = json.loads((Path(__file__).parent / "commands.json").read_text("utf-8"))
HITS = [(name, text) for name, texts in CASES["hits"].items() for text in texts]


@pytest.mark.parametrize(("effect", "command"), HITS)
def test_a_command_has_its_effect_in_every_spelling(effect: str, command: str) -> None:
    assert effect in effects_of(command)


@pytest.mark.parametrize(("command", "absent"), CASES["misses"].items())
def test_what_is_quoted_or_only_looks_alike_has_not(command: str, absent: str | list[str]) -> None:
    found = effects_of(command)
    assert not (found if absent == "*" else found & set(absent))


def test_every_effect_has_a_case() -> None:
    assert set(CASES["hits"]) == {row[0] for row in ROWS}


@pytest.mark.parametrize(("command", "words"), CASES["words"])
def test_quoted_texts_heredocs_and_comments_are_blanked(command: str, words: str) -> None:
    assert read(command).words == words


@pytest.mark.parametrize(("effect", "command"), [hit for hit in HITS if hit[0] in RISKS])
def test_no_risk_is_out_of_reach_of_the_trigger(effect: str, command: str) -> None:
    assert TRIGGER.search(command.translate(QUOTES)), command


HOSTILE = [
    '"', "(", "$(", "`", "<<a ", "{ ", "case x in ", "if ", "a&&", "|", "[[ ", "a=(", "${a:-",
    "$((",
    '"$(', "<(", "\\", "for i in a; do ", ";", "a ", "$", "\0", "[[ a =~ (", "a(){ ", "rm -", "\n",
    "git push ", "base64 -d x | ", "'\"", "curl x -d @", "\ud800", "\U0001f600", "bash -c '",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    text = piece * (2 * READ // len(piece))
    began = time.process_time()
    effects_of(text)
    assert time.process_time() - began < 2


def test_any_mixture_is_read() -> None:
    pieces = [
        *HOSTILE,
        "EOF",
        "<<-",
        "rm -rf /",
        "in",
        "esac",
        "done",
        "fi",
        "\r\n",
        "a" * 1200,
        "=~",
    ]
    choose = random.Random(5)
    for _ in range(400):
        text = "".join(choose.choice(pieces) for _ in range(choose.choice((3, 20, 200))))
        reading = read(text)
        assert len(reading.words) <= len(text) + 8
        effects_of(text)


def test_the_parser_is_not_imported_before_a_command_is_read() -> None:
    code = (
        "import sys, hookstream.pipeline.stages; assert 'tree_sitter' not in sys.modules; "
        "from hookstream.shell.reading import read; read('ls'); assert 'tree_sitter' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_search_names_a_bounded_number_of_files() -> None:
    folders = " ".join(f"d{number}" for number in range(500))
    names = " ".join(f"-name n{number}" for number in range(500))
    assert 0 < len(facts_of(f"find {folders} {names} -delete").deletes) <= 200


DELETING = [
    *("rm x", "find -delete", "find . -name a -delete", "git rm a", "git clean -fd", "unlink a"),
    *(
        "del /q a",
        "Remove-Item a",
        "find . -name a | xargs rm",
        "python -c 'import os; os.remove(\"a\")'",
    ),
]
KEEPING = ["cat a", "git rm --cached a", "git clean -n", "echo rm a", "find . -name a"]


@pytest.mark.parametrize("command", [*DELETING, *KEEPING])
def test_the_effect_and_the_files_of_a_deletion_are_one_answer(command: str) -> None:
    facts = facts_of(command)
    assert ("delete" in facts.effects) == bool(facts.deletes) == (command in DELETING)
