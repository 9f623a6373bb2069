"""The README shows what its commands print, the table of coverage is that of the vendor tables, and
links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.documents import DOCS, ROOT
from tests.same_process import text_of

from hookstream.cli.app import MODULES
from hookstream.cli.coverage import markdown
from hookstream.normalizers import GUARDIANS, VENDORS
from hookstream.normalizers.client import client_of
from hookstream.pipeline.coverage import overview

README = ROOT / "README.md"
COVERAGE = DOCS / "coverage.md"


def marked(page: Path, mark: str) -> str:
    text = page.read_text("utf-8")
    return text.split(f"<!-- {mark} -->")[1].split(f"<!-- /{mark} -->")[0].strip()


def write(page: Path, mark: str, text: str) -> None:
    before, _, rest = page.read_text("utf-8").partition(f"<!-- {mark} -->")
    after = rest.partition(f"<!-- /{mark} -->")[2]
    page.write_text(f"{before}<!-- {mark} -->\n{text}\n<!-- /{mark} -->{after}", "utf-8")


def test_the_readme_names_every_client(request: pytest.FixtureRequest) -> None:
    """In the line of README's first paragraph, which is written here with --regenerate."""
    *titles, last = (client_of(key).title for key in VENDORS if key not in GUARDIANS)
    names = f"{', '.join(titles)} and {last}"
    if request.config.getoption("--regenerate"):
        text = (ROOT / "README.md").read_text("utf-8")
        text = re.sub(r"(<!-- clients -->).*?(<!-- /clients -->)", rf"\1{names}\2", text)
        (ROOT / "README.md").write_text(text, "utf-8")
    assert marked(ROOT / "README.md", "clients") == names


def test_the_coverage_table_is_the_one_the_tables_give(request: pytest.FixtureRequest) -> None:
    table = markdown(overview())
    if request.config.getoption("--regenerate"):
        write(COVERAGE, "coverage", table)
    assert marked(COVERAGE, "coverage") == table


COMMANDS = (
    "hookstream demo --keep out > /dev/null",
    'hookstream query "select tool, decided_by, count(*) as denies, count(*) filter (where '
    "executed_afterwards) as ran_anyway from denies where certainty = 'observed' "
    'group by all order by denies desc, tool limit 6" out/lake',
    "hookstream query bypasses out/lake --columns tool,denied_native,target,link,outcome --limit 4",
    "hookstream detect out/lake --summary --level high",
)


@pytest.mark.long
def test_the_answers_are_what_the_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = []
    for line in COMMANDS:
        words = shlex.split(line.partition(" > ")[0])
        done = text_of(*words[1:])
        assert done.returncode == 0, done.stderr
        answer = re.sub(r" +$", "", done.stdout, flags=re.MULTILINE) if words[1] != "demo" else ""
        shown.append(f"$ {line}\n{answer}")
    shutil.rmtree(tmp_path / "out")
    text = "```console\n" + "".join(shown) + "```"
    if request.config.getoption("--regenerate"):
        write(README, "answers", text)
    assert marked(README, "answers") == text


def test_every_command_the_readme_shows_exists() -> None:
    shown = set(re.findall(r"(?:`|^|\$ )hookstream ([a-z]+)\b", README.read_text("utf-8"), re.M))
    assert {"ui", "query", "detect", "demo"} <= shown <= {*MODULES, "hook"}


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    for page in [README, *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
