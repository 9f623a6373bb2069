"""The pages of the site that come from the code: one for each question, and the command line.

python docs/build_site.py    writes build/site-docs: a copy of docs/ and these pages
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from hookstream.cli.app import COMMANDS, app
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.lake.dictionary import MEANINGS
from hookstream.queries.catalog import Query, queries
from hookstream.queries.formats import as_markdown
from hookstream.queries.runner import Result, ask, open_stream
from hookstream.queries.stream import OpenStream

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "build" / "site-docs"
SAMPLES = ("claude-code", "codex", "cursor", "gemini-cli", "openclaw", "opencode", "aos")
ROWS = 4


def main() -> None:
    """Write all pages."""
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(ROOT / "docs", TARGET, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(ROOT / "SECURITY.md", TARGET / "security.md")
    write_questions(TARGET / "reference" / "questions")
    write_commands(TARGET / "reference" / "commands.md")


def write_questions(folder: Path) -> None:
    folder.mkdir(parents=True)
    rows = [
        "# Questions",
        "",
        "`hookstream query NAME LAKE`; each page has its columns and an answer.",
    ]
    with tempfile.TemporaryDirectory() as place:
        sources = [str(ROOT / "samples" / name) for name in SAMPLES]
        execute(Job(sources, [f"parquet:{place}/lake"], pseudonyms=Path(place) / "key"))
        with open_stream(f"{place}/lake") as stream:
            for name, question in queries().items():
                rows.append(f"- [{name}]({name}.md): {question.description}")
                (folder / f"{name}.md").write_text(page_of(stream, name, question), "utf-8")
    (folder / "index.md").write_text("\n".join(rows) + "\n", "utf-8")


def page_of(stream: OpenStream, name: str, question: Query) -> str:
    """Description, columns with their meaning, and the first rows over the samples."""
    answer = ask(stream, name, limit=ROWS)
    columns = [(column, MEANINGS.get(column, "")) for column in answer.columns]
    parts = [
        f"# {name}",
        question.description,
        question.notes,
        f"```sh\nhookstream query {name} LAKE\n```",
        "## Columns",
        as_markdown(["column", "meaning"], columns),
        f"## The first rows over the samples\n\n{example(answer)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def example(answer: Result) -> str:
    if not answer.rows:
        return "No rows: nothing in the samples answers it."
    shown = [answer.columns.index(name) for name in answer.shows or answer.columns]
    shown = [at for at in shown if any(row[at] is not None for row in answer.rows)][:8]
    rows = [tuple(row[at] for at in shown) for row in answer.rows]
    return as_markdown([answer.columns[at] for at in shown], rows)


def write_commands(path: Path) -> None:
    runner = CliRunner()
    parts = ["# Command line"]
    for section, commands in COMMANDS.items():
        parts.append(f"## {section}")
        for name in commands:
            text = runner.invoke(app, [name, "--help"], prog_name="hookstream").output
            parts.append(f"### {name}\n\n```text\n{text.strip()}\n```")
    path.write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
