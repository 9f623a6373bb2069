"""The site has a page or an anchor for each name that a user meets, and no dead link."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs import build_site

import hookstream
from hookstream.cli.completion import every_command
from hookstream.configuration.catalog import TABLE
from hookstream.core.event import FACTS
from hookstream.lake.columns import COLUMNS
from hookstream.normalizers import VENDORS, WITHOUT_HOOKS, compiled
from hookstream.queries.catalog import shipped
from hookstream.sinks.reference import kinds

pytestmark = pytest.mark.long  # it builds the whole site
ROOT = Path(__file__).parents[1]
ANCHOR = re.compile(r'<a id="([^"]+)">')
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site") / "pages"
    build_site.main(target)
    return target


def anchors(page: Path) -> set[str]:
    """The anchors of a page: those that it names, and those of its headings, as Markdown spells
    them."""
    text = CODE.sub("", page.read_text("utf-8"))
    plain = [re.sub(r"<[^>]*>|`|\*", "", heading) for heading in HEADING.findall(text)]
    slugs = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", one).strip().lower()) for one in plain}
    return {*ANCHOR.findall(text), *slugs}


def test_every_command_and_option_has_its_place(site: Path) -> None:
    for name, command in every_command():
        outer, _, inner = name.partition(" ")
        there = anchors(site / "reference" / "commands" / f"{outer}.md")
        assert name.replace(" ", "-") in there
        for one in command.params:
            names = [*one.opts, *one.secondary_opts] if one.param_type_name == "option" else []
            wanted = {f"{inner}-{opt.strip('-')}".strip("-") for opt in names}
            assert wanted <= there, (name, wanted - there)


def test_every_setting_has_its_place(site: Path) -> None:
    assert {one.name for one in TABLE} <= anchors(site / "reference" / "settings.md")


def test_every_sink_and_option_has_its_place(site: Path) -> None:
    for kind in kinds():
        page = site / "reference" / "sinks" / f"{kind.name}.md"
        assert {one.name for one in kind.options} <= anchors(page)
        assert kind.example in page.read_text("utf-8")
        assert f"### `{kind.name}:`" not in (site / "sinks.md").read_text("utf-8")


def test_every_question_has_its_columns_meanings_and_an_answer(site: Path) -> None:
    empty = set()
    for name, question in shipped().items():
        text = (site / "reference" / "questions" / f"{name}.md").read_text("utf-8")
        rows = re.findall(r'^\| <a id="(\w+)"></a>`\1` \| (?:yes)? ?\| (.*) \|$', text, re.M)
        assert question.description in text
        assert rows and len(rows) == text.count("\n| <a id="), name
        assert [column for column, meaning in rows if not meaning] == []
        assert set(question.shows) <= {column for column, _ in rows}
        if "No rows" in text:
            empty.add(name)
    assert len(empty) <= 3, empty


def test_every_column_and_fact_has_its_place(site: Path) -> None:
    assert {*COLUMNS, *FACTS} <= anchors(site / "data-dictionary.md")


def test_every_client_and_event_has_its_place(site: Path) -> None:
    for key in (*VENDORS, *WITHOUT_HOOKS):
        page = site / "reference" / "clients" / f"{key}.md"
        assert page.exists()
        if key in VENDORS:
            assert set(compiled(key).vendor.events) <= anchors(page), key


def test_every_public_name_has_its_place(site: Path) -> None:
    there = anchors(site / "reference" / "python.md")
    wanted = {f"hookstream{name.lower()}" for name in hookstream.__all__ if name[0] != "_"}
    assert wanted <= there, wanted - there


def test_the_glossary_defines_each_word_once_and_in_order() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^\| ([^|]+) \| .+ \|$", text, re.MULTILINE)[2:]
    assert words == sorted(set(words), key=str.lower)
    assert len(words) == len({word.lower() for word in words}) > 60
    assert set(build_site.OURS) <= set(words)


def test_pages_with_our_words_lead_to_the_glossary(site: Path) -> None:
    """On the site by a tooltip, in the source by a link."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text("utf-8")
        used = [word for word in build_site.OURS if re.search(rf"(?<![`\w]){word}s?\b", text)]
        made = page.name in ("data-dictionary.md", "coverage.md", "glossary.md")
        assert made or len(used) < 3 or "glossary.md" in text, (page.name, used)
    shown = (site / "tables.md").read_text("utf-8")
    assert "*[lake]: a folder of Parquet parts" in shown


def test_no_link_is_dead(site: Path) -> None:
    known = {page: anchors(page) for page in site.rglob("*.md")}
    dead = []
    for page in known:
        for target in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
            path, _, anchor = target.partition("#")
            if ":" in path:
                continue
            other = (page.parent / path).resolve() if path else page
            if not other.exists() or (anchor and anchor not in known.get(other, ())):
                dead.append(f"{page.relative_to(site)}: {target}")
    assert dead == []


def pages_of(entry: Any) -> Iterator[str]:
    for inner in entry.values() if isinstance(entry, dict) else entry:
        if isinstance(inner, str):
            yield inner
        else:
            yield from pages_of(inner)


def test_the_navigation_has_every_page_once(site: Path) -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    parts = [next(iter(entry)) for entry in config["nav"]]
    assert parts == ["Home", "Tutorials", "How-to guides", "Reference", "Explanation"]
    listed = list(pages_of(build_site.expanded(config["nav"], site)))
    there = {str(page.relative_to(site)) for page in site.rglob("*.md")}
    assert sorted(listed) == sorted(there)


@pytest.mark.long
def test_mkdocs_builds_the_site_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="pip install -e .[docs]")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    build_site.main(tmp_path / "build" / "site-docs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "build/site/reference/questions/denies/index.html").exists()
