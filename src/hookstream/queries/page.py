"""A page of sections as Markdown, or as one HTML file that loads nothing."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from hookstream.queries.formats import MARKS, plain, text, visible
from hookstream.queries.runner import Result
from hookstream.queries.terminal import table

WIDE = 160
SPARKS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
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
figure { margin: .5rem 0; } svg { width: 100%; max-width: 46rem; height: 62px; fill: #47a; }
figcaption { font-size: 12px; opacity: .8; }
"""


class Section:
    """A table under a heading: `total` rows exist, `rows` are shown, `query` shows them all."""

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
        # The first column is time, newest first; the others are drawn over it.
        self.chart = False

    def rest(self) -> str:
        """Return how many rows are not shown, or nothing."""
        more = self.total - len(self.rows)
        return f"and {more} more" if more > 0 else ""


@dataclass(slots=True, eq=False)
class ReportPage:
    """A title, the period it covers, what could not be read, and its sections."""

    title: str
    period: str
    warnings: list[str]
    sections: list[Section]
    path: str


def cell(value: Any) -> str:
    """A value as visible text of at most WIDE characters."""
    shown = visible(value)
    return shown if len(shown) <= WIDE else shown[: WIDE - 1] + "\u2026"


def heading(column: str) -> str:
    return column.replace("_", " ")


def as_markdown(page: ReportPage) -> str:
    lines = [f"# {page.title}", "", page.period, ""]
    lines += [f"> {cell(warning).translate(MARKS)}\n" for warning in page.warnings]
    for section in page.sections:
        lines += [f"## {section.title}", ""]
        if section.intro:
            lines += [section.intro, ""]
        if not section.rows:
            lines += ["None.", ""]
            continue
        if section.chart:
            first, blank, *rest = _sparks(section)
            lines += [first, blank, "```", *rest, "```", ""]
            continue
        lines.append(_row([heading(column) for column in section.columns]))
        lines.append(_row(["---"] * len(section.columns)))
        lines += [_row([cell(v).translate(MARKS) for v in row]) for row in section.rows]
        lines.append("")
        if section.rest() and section.query:
            lines += [f"... {section.rest()}: `hookstream query {section.query} PATH`", ""]
    return "\n".join(lines)


def as_tables(page: ReportPage, width: int | None) -> str:
    """The page for a terminal: tables that fit it."""
    room = width or WIDE
    lines = [page.title, "=" * len(page.title), "", page.period, ""]
    lines += [fill(f"warning: {cell(warning)}", room) + "\n" for warning in page.warnings]
    for section in page.sections:
        lines += [section.title, "-" * len(section.title)]
        if section.intro:
            lines.append(fill(section.intro.replace("`", ""), room))
        if not section.rows:
            lines += ["None.", ""]
        elif section.chart:
            lines += [*_sparks(section, room), ""]
        else:
            result = Result.of(section.columns, section.rows, section.columns)
            lines.append(table(result, width, footer=False).rstrip("\n"))
            if section.rest() and section.query:
                lines.append(f"... {section.rest()}: hookstream query {section.query} PATH")
            lines.append("")
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_html(page: ReportPage) -> str:
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
    if section.chart:
        return [*lines, *_bars(section)]
    head = "".join(f"<th>{_safe(heading(column))}</th>" for column in section.columns)
    lines.append(f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>')
    for row in section.rows:
        lines.append(f"<tr>{''.join(_html_cell(value) for value in row)}</tr>")
    lines.append("</tbody></table></div>")
    if section.rest() and section.query:
        command = f"<code>hookstream query {_safe(section.query or '')} PATH</code>"
        lines.append(f"<p>... {section.rest()}: {command}</p>")
    return lines


def _series(section: Section) -> list[tuple[str, list[float]]]:
    """(name, values from the oldest on) of the columns after the time."""
    return [
        (name, [float(row[at] or 0) for row in reversed(section.rows)])
        for at, name in enumerate(section.columns)
        if at
    ]


def _sparks(section: Section, width: int = WIDE) -> list[str]:
    """A line for each column, of as many of the newest values as the width has room for."""
    first, last = cell(section.rows[-1][0]), cell(section.rows[0][0])
    lines = [f"{first} to {last}", ""]
    for name, values in _series(section):
        said = f"most {max(values):.0f}, sum {sum(values):.0f}"
        most = max(values) or 1
        drawn = "".join(SPARKS[int(value / most * (len(SPARKS) - 1))] for value in values)
        lines.append(f"{name:8} {drawn[-(width - len(said) - 10) :]} {said}")
    return lines


def _bars(section: Section) -> list[str]:
    """One drawing per column; its numbers are in the title of each bar and in the text below."""
    lines = []
    for name, values in _series(section):
        most, width = max(values) or 1, 720 / len(values)
        bars = "".join(
            f'<rect x="{n * width:.1f}" y="{60 - 58 * value / most:.1f}" '
            f'width="{max(width - 1, 1):.1f}" height="{58 * value / most:.1f}">'
            f"<title>{_safe(cell(row[0]))}: {value:.0f}</title></rect>"
            for n, (value, row) in enumerate(zip(values, reversed(section.rows), strict=True))
        )
        said = f"{_safe(heading(name))}: most {max(values):.0f}, sum {sum(values):.0f}"
        lines.append(
            f'<figure><svg viewBox="0 0 720 62" role="img" aria-label="{said}">{bars}</svg>'
            f"<figcaption>{said}</figcaption></figure>"
        )
    return lines


def as_json(page: ReportPage) -> str:
    """The page as one JSON object: sections with rows as objects."""
    fields = {
        "title": page.title,
        "period": page.period,
        "warnings": page.warnings,
        "sections": [
            {
                "title": section.title,
                "intro": section.intro,
                "query": section.query,
                "total": section.total,
                "rows": [
                    dict(zip(section.columns, map(plain, row), strict=True)) for row in section.rows
                ],
            }
            for section in page.sections
        ],
    }
    return json.dumps(fields, ensure_ascii=True, indent=1) + "\n"


def _html_cell(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="n">{_safe(text(value))}</td>'
    return f"<td>{_safe(cell(value))}</td>"


def _safe(shown: str) -> str:
    return html.escape(shown, quote=True)


WRITERS = {"markdown": as_markdown, "html": as_html, "json": as_json}
