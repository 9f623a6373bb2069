"""A page of sections as Markdown, or as one HTML file that loads nothing."""

from __future__ import annotations

import html
from typing import Any

from hookstream.queries.formats import MARKS, text, visible

WIDE = 160
STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p { margin: .3rem 0; } .warning { border-left: 4px solid #c60; padding-left: .6rem; }
.none { opacity: .65; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem;
  border-bottom: 1px solid #8884; }
td { overflow-wrap: anywhere; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: 12px; }
"""


class Section:
    """A table under a heading: `total` rows exist, `rows` are shown, `query` shows them all."""

    __slots__ = ("columns", "intro", "query", "rows", "title", "total")

    def __init__(
        self,
        title: str,
        intro: str,
        columns: list[str],
        rows: list[tuple[Any, ...]],
        total: int,
        query: str | None,
    ) -> None:
        self.title = title
        self.intro = intro
        self.columns = columns
        self.rows = rows
        self.total = total
        self.query = query

    def rest(self) -> str:
        """How many rows are not shown, or nothing."""
        more = self.total - len(self.rows)
        return f"and {more} more" if more > 0 else ""


class Page:
    """A title, the period it covers, what could not be read, and its sections."""

    __slots__ = ("path", "period", "sections", "title", "warnings")

    def __init__(
        self, title: str, period: str, warnings: list[str], sections: list[Section], path: str
    ) -> None:
        self.title = title
        self.period = period
        self.warnings = warnings
        self.sections = sections
        self.path = path


def cell(value: Any) -> str:
    """A value as visible text of at most WIDE characters."""
    shown = visible(value)
    return shown if len(shown) <= WIDE else shown[: WIDE - 1] + "\u2026"


def heading(column: str) -> str:
    return column.replace("_", " ")


def as_markdown(page: Page) -> str:
    lines = [f"# {page.title}", "", page.period, ""]
    lines += [f"> {cell(warning).translate(MARKS)}\n" for warning in page.warnings]
    for section in page.sections:
        lines += [f"## {section.title}", ""]
        if section.intro:
            lines += [section.intro, ""]
        if not section.rows:
            lines += ["None.", ""]
            continue
        lines.append(_row([heading(column) for column in section.columns]))
        lines.append(_row(["---"] * len(section.columns)))
        lines += [_row([cell(v).translate(MARKS) for v in row]) for row in section.rows]
        lines.append("")
        if section.rest():
            lines += [f"... {section.rest()}: `hookstream query {section.query} PATH`", ""]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_html(page: Page) -> str:
    """Every text is escaped, and the page forbids itself to load or run anything."""
    body = [f"<h1>{_safe(page.title)}</h1>", f"<p>{_safe(page.period)}</p>"]
    body += [f'<p class="warning">{_safe(cell(warning))}</p>' for warning in page.warnings]
    for section in page.sections:
        body += _html_section(section)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_safe(page.title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _html_section(section: Section) -> list[str]:
    lines = [f"<h2>{_safe(section.title)}</h2>"]
    if section.intro:
        lines.append(f"<p>{_safe(section.intro)}</p>")
    if not section.rows:
        return [*lines, '<p class="none">None.</p>']
    head = "".join(f"<th>{_safe(heading(column))}</th>" for column in section.columns)
    lines.append(f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>')
    for row in section.rows:
        lines.append(f"<tr>{''.join(_html_cell(value) for value in row)}</tr>")
    lines.append("</tbody></table></div>")
    if section.rest():
        command = f"<code>hookstream query {_safe(section.query or '')} PATH</code>"
        lines.append(f"<p>... {section.rest()}: {command}</p>")
    return lines


def _html_cell(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="n">{_safe(text(value))}</td>'
    return f"<td>{_safe(cell(value))}</td>"


def _safe(shown: str) -> str:
    return html.escape(shown, quote=True)
