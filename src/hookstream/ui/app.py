"""The application: its routes, and the one place where a question's error becomes a page."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hookstream.core.errors import HookstreamError
from hookstream.lake.dictionary import MEANINGS
from hookstream.queries import costs
from hookstream.queries.catalog import queries
from hookstream.queries.errors import QueryError
from hookstream.rules.tuning import DetectOptions
from hookstream.ui import cells, words
from hookstream.ui.casebook import ROTATED, STATUSES
from hookstream.ui.costpage import FACETS as COST_FACETS
from hookstream.ui.costpage import cost_page, cost_rows
from hookstream.ui.export import TYPES, exported
from hookstream.ui.fates import fates
from hookstream.ui.filters import ADDING, OPERATORS, PAGE_ROWS, PageFilters, literal
from hookstream.ui.findings import groups_of, ids_of, query_of
from hookstream.ui.freshness import TablesWork
from hookstream.ui.inventory import bill_of_materials
from hookstream.ui.lake import Answer, BrowsedLake
from hookstream.ui.listing import ListPage, Relation, listing
from hookstream.ui.overview import overview
from hookstream.ui.pages import FOLDED, PAGES, QuestionPage, groups, page_of
from hookstream.ui.questions import FreeQuestions
from hookstream.ui.ruleeditor import RuleDraft, RuleEditor, Trial
from hookstream.ui.rulehits import NAME as FINDINGS
from hookstream.ui.rulehits import TYPES as FINDINGS_TYPES
from hookstream.ui.rulehits import RuleHits
from hookstream.ui.rulepage import RuleBook
from hookstream.ui.security import Guard, PageSecrets
from hookstream.ui.session import Story, sessions_of, sql_of, story
from hookstream.ui.sqlpage import EXAMPLES, Mistake, chart_of, mistake_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from hookstream.ui.conversation import Hits, OwnSessions
    from hookstream.ui.renewal import Renewal

MOST_SQL_ROWS = 1000
# The time ranges of the buttons.
SPANS = ("1h", "24h", "7d", "30d")
# Pages that may be loaded again by themselves: nothing is written on them at length.
LIVE = ("overview.html", "cost.html", "list.html", "findings.html", "session.html")
# Seconds until a page looks for what is being read or evaluated.
AGAIN_S = 3
SESSION_ROWS = 300
# Pages whose text is looked for in one's own conversations, too.
SEARCHED = ("search", "sessions")
SHOWN_DECISIONS = 5
FORM_BYTES = 1 << 16
OWN_TABLES = {FINDINGS: list(FINDINGS_TYPES.items()), costs.NAME: list(costs.TYPES.items())}
OWN_MEANINGS = {
    "events": "Every event of the stream, each once.",
    FINDINGS: "Hits of the rules with their status, as the page Findings shows.",
    costs.NAME: "Tokens and what they cost, as the page Cost adds them up.",
}


class Pages:
    """The handlers. Each is a plain function run in a thread: DuckDB does not await."""

    def __init__(
        self,
        lake: BrowsedLake,
        root: str = "",
        asked: DetectOptions | None = None,
        names: dict[str, str] | None = None,
        sessions: Callable[[], OwnSessions] | None = None,
        tables: TablesWork | None = None,
        renewal: Renewal | None = None,
    ) -> None:
        asked = asked or DetectOptions()
        self.lake = lake
        self.sessions = sessions() if sessions is not None else None
        self.renewal = renewal
        # The same pages over another lake and its tables.
        self.over: Callable[[BrowsedLake, TablesWork], Pages] = lambda lake, tables: Pages(
            lake, root, asked, names, sessions, tables, renewal
        )
        self.book = RuleBook(asked)
        self.tables = tables or TablesWork(lake)
        self.hits = RuleHits(lake, self.book, self.tables.wait)
        self.editor = RuleEditor(lake.path, self.book)
        self.questions = FreeQuestions(lake.path, lake.rules, self.hits.current)
        self.environment = Environment(
            loader=PackageLoader("hookstream.ui"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters.update(
            cell=partial(cells.text_of, names=names or {}), lines=cells.lines_of,
            with_marks=cells.with_marks, excerpt=cells.excerpt,
            cell_in=partial(cells.in_column, names=names or {}),
            short=cells.short, held=cells.held,
            at=cells.at, dollars=cells.dollars, marked=cells.marked, moment_of=cells.moment_of,
            is_about=cells.is_about, label=words.label, sentences=words.sentences,
        )  # fmt: skip
        self.environment.globals.update(
            root=root, groups=groups, folded=FOLDED, link_of=cells.link_of, class_of=cells.class_of,
            heading_class=cells.heading_class, opened_by=cells.opened_by, words=words,
            spans=SPANS, operators=OPERATORS,
            cleared=cleared, asked=asked_by, title_of=self.title_of,
            titles_first=self.titles_first, derived=self.tables, renewal=renewal,
            rulehits=self.hits,
        )  # fmt: skip

    def title_of(self, row: dict[str, Any]) -> str:
        """The first prompt of a row's session, where prompts may be shown."""
        if self.sessions is None or not row.get("session_id"):
            return ""
        return self.sessions.title(row.get("tool"), row["session_id"])

    def titles_first(self, shows: list[str], rows: list[dict[str, Any]]) -> list[str]:
        """The columns with that of sessions second, where a row's session has a title; all of
        them are the reader's own, so whose they are comes last."""
        if "session_id" not in shows or not any(self.title_of(row) for row in rows):
            return shows
        first, *rest = [name for name in shows if name not in ("session_id", "user_id")]
        return [first, "session_id", *rest, *(["user_id"] if "user_id" in shows else [])]

    def html(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        values.setdefault("filters", PageFilters())
        values.setdefault("path", f"/{values['here']}")
        live = template in LIVE and not values.get("problem") and not values.get("conversation")
        own = self.renewal is not None
        name = "your own lake" if own else self.lake.path.resolve().name
        # What a page lacks for a moment: it is loaded again when it may be there.
        is_behind = self.renewal is not None and self.renewal.is_running
        lacks = is_behind or (values.get("findings", 0) is None and self.hits.is_running)
        filters: PageFilters = values["filters"]
        again = filters.refresh or (AGAIN_S if lacks else 0)
        text = self.environment.get_template(template).render(
            lake=name, live=live, again=again if live else 0, newer=self.newer(), **values
        )
        return HTMLResponse(text.encode("utf-8", "replace"), status)

    def newer(self) -> int:
        """Count the files that are newer than one's own lake."""
        if self.renewal is not None:
            with suppress(OSError, HookstreamError):  # a page does not fail for it
                return self.renewal.newer(self.lake.path)
        return 0

    def close(self) -> None:
        """End what is asked; the lake is not read any more."""
        self.questions.close()
        self.lake.close()

    def overview(self, request: Request) -> Response:
        filters = PageFilters.read(request.query_params, ())
        made = overview(self.lake, filters, with_findings=self.hits.is_ready)
        kind = request.query_params.get("export", "")
        if kind and "sql" in made:
            return self.export(self.lake.ask(made["sql"]), kind, "overview")
        return self.html("overview.html", here="", title="Overview", filters=filters, **made)

    def listed(self, request: Request) -> Response:
        key = request.path_params["key"]
        page = page_of(key)
        if page is None:
            return self.missing(f"There is no page {key!r}.")
        query = request.query_params
        if page.kept and self.tables.blocks:
            return self.waiting(page.title, key)
        if key == FINDINGS and query.get("export"):
            self.hits.ready()
        elif key == FINDINGS and not self.hits.shown():
            return self.waiting(page.title, key)
        level = query.get("by", "")
        filters = replace(PageFilters.read(query), own=(("by", level),))
        problem = ""
        made: ListPage | None = None
        gathered: list[dict[str, Any]] | None = None
        try:
            page = page.apart(level)
            if added := filters.added(query):
                Relation(self.lake, page, added)
                return RedirectResponse(f"/{key}{added.query()}", 303)
        except QueryError as error:
            problem = str(error)
        try:
            if kind := query.get("export", ""):
                return self.exported(page, filters, kind)
            made = listing(self.lake, page, filters)
            if key == FINDINGS and level != "finding":
                gathered = groups_of(self.lake, filters)
        except QueryError as error:
            problem = str(error)
        return self.html(
            "findings.html" if key == FINDINGS else "list.html", 400 if problem else 200, here=key,
            title=page.title, page=page, filters=filters, made=made, page_rows=PAGE_ROWS,
            can_read=self.sessions is not None,
            hits=self.hits, statuses=STATUSES, problem=problem, gathered=gathered,
            query_of=query_of, decisions=self.lake.casebook.decisions(SHOWN_DECISIONS),
            adding={name: query.get(name, "") for name in ADDING},
            has_time=made.has_time if made else page.time is not None,
            levels=queries()[page.question].by if page.question in queries() else (),
            said=self.said(key, filters) if made is not None else None,
        )  # fmt: skip

    def said(self, key: str, filters: PageFilters) -> Hits | None:
        """Hits of the text that is sought in one's own conversations, where these may be shown."""
        is_sought = key in SEARCHED and filters.page == 1 and len(filters.text.strip()) > 1
        if self.sessions is None or not is_sought:
            return None
        return self.sessions.search(filters.text.strip())

    def cost(self, request: Request) -> Response:
        query = request.query_params
        filters = PageFilters.read(query, COST_FACETS)
        filters = replace(filters, own=(("by", query.get("by", "")),))
        if kind := query.get("export", ""):
            return self.export(cost_rows(self.lake, filters), kind, "cost")
        made = cost_page(self.lake, filters, query.get("by", ""))
        return self.html("cost.html", here="cost", title="Cost", filters=filters, **made)

    def exported(self, page: QuestionPage, filters: PageFilters, kind: str) -> Response:
        """All rows of a list with the columns chosen, as a file."""
        relation = Relation(self.lake, page, filters)
        if kind == "cyclonedx" and page.key == "inventory":
            relation = Relation(self.lake, page.apart("machine"), filters)
            rows = relation.rows().dicts()
            return _file(bill_of_materials(rows), "application/json", "inventory.cdx.json")
        return self.export(relation.exported(), kind, page.question)

    def every(self, request: Request) -> Response:
        filters = PageFilters.read(request.query_params)
        return self.html("questions.html", here="q", title="All questions", filters=filters)

    def export(self, answer: Answer, kind: str, name: str) -> Response:
        if kind not in TYPES:
            return self.missing(f"Unknown format {kind!r}; known: {', '.join(TYPES)}.")
        return _file(exported(answer, kind), TYPES[kind], f"{name}.{kind}")

    def session(self, request: Request) -> Response:
        query = request.query_params
        session_id = request.path_params["session_id"]
        filters = PageFilters.read(query, ())
        where = dict(filters.equal)
        machine, tool = where.get("machine_id", ""), where.get("tool", "")
        if sessions_of(self.lake, session_id, machine, tool) > 1:
            shared = urlencode({"session": session_id, "machine": machine, "tool": tool})
            return RedirectResponse(f"/sessions?{shared}", 303)
        made = story(self.lake, session_id, machine, tool)
        if made is None:
            return self.missing(f"No session {session_id!r} in this lake.")
        sql = sql_of(session_id, machine, tool)
        if kind := query.get("export", ""):
            return self.export(self.lake.ask(sql), kind, "session")
        at = query.get("at", "")
        page = filters.page if filters.page > 1 else _page_of(made, at)
        filters = replace(filters, page=page, own=(("at", at),))
        conversation = None
        around, sought = query.get("around", ""), query.get("find", "")[:200]
        if self.sessions is not None and query.get("conversation"):
            client = str(made.summary.get("tool") or tool)
            conversation = self.sessions.conversation(client, session_id, around)
        return self.html(
            "session.html", here="sessions", title=f"Session {session_id}", made=made, sql=sql,
            filters=filters, start=(page - 1) * SESSION_ROWS, rows=SESSION_ROWS, at=at,
            of_call=any(cells.is_about(row, at) for row in made.calls),
            path=f"/session/{quote(session_id, safe='')}", can_read=self.sessions is not None,
            conversation=conversation, around=around, sought=sought,
            fates=fates(made.calls, made.asks) if conversation else {},
        )  # fmt: skip

    def event(self, request: Request) -> Response:
        event_id = request.path_params["event_id"]
        answer = self.lake.ask("select * from events where event_id = ?", [event_id])
        sql = f"select * from events where event_id = {literal(event_id)}"
        rows = answer.dicts()
        if not rows:
            return self.missing(f"No event {event_id!r} in this lake.")
        if kind := request.query_params.get("export", ""):
            return self.export(answer, kind, "event")
        about = self.lake.ask(
            'select event_id, event_type, "timestamp" from events where about = ?'
            ' order by "timestamp" limit 20',
            [event_id],
        ).dicts()
        texts = {name: _pretty(rows[0].pop(name, None)) for name in ("agent_hooks", "aarts")}
        return self.html("event.html", here="search", title="Event", rows=rows, about=about,
                         texts=texts, sql=sql)  # fmt: skip

    def sql(self, request: Request) -> Response:
        query = request.query_params
        text, kind = query.get("sql", ""), query.get("export", "")
        tables = self.lake.tables() | OWN_TABLES
        answer: Answer | None = None
        mistake: Mistake | None = None
        if text.strip():
            try:
                answer = self.questions.ask(text, *([] if kind else [MOST_SQL_ROWS + 1]))
            except HookstreamError as error:
                mistake = mistake_of(text, error, tables)
            else:
                if kind:
                    return self.export(answer, kind, "query")
                self.lake.casebook.remember(text)
        chart = chart_of(answer, query.get("chart", "")) if answer is not None else None
        return self.html(
            "sql.html", 400 if mistake else 200, here="sql", title="SQL", text=text, answer=answer,
            mistake=mistake, chart=chart, examples=EXAMPLES, tables=tables, meanings=meanings(),
            described={*queries(), *OWN_MEANINGS}, asked=self.lake.casebook.questions(),
            most_rows=MOST_SQL_ROWS,
        )  # fmt: skip

    def forget_questions(self, form: dict[str, str]) -> Response:
        if form.get("forget") != "all":
            raise QueryError("nothing to forget: forget=all is missing")
        self.lake.casebook.forget_questions()
        return RedirectResponse("/sql", 303)

    def rule(self, request: Request) -> Response:
        name = request.path_params["name"]
        one = self.book.called(name)
        if one is None:
            return self.missing(f"No rule {name!r}.")
        if not self.hits.shown():
            return self.waiting(one.listed.rule.title, "rules")
        found = PageFilters(equal=(("rule", one.listed.rule.name),))
        made = listing(self.lake, PAGES[FINDINGS], found)
        return self.html(
            "rule.html", here="rules", title=one.listed.rule.title, one=one, rule=one.listed.rule,
            made=made, folder=self.editor.folder, hits=self.hits,
        )  # fmt: skip

    def rules(self, request: Request) -> Response:
        rows, unasked = self.book.rules, self.book.unasked
        if not self.hits.shown():
            return self.waiting("Rules", "rules")
        found = Counter(row["rule"] for row in self.hits.current())
        return self.html(
            "rules.html", here="rules", title="Rules", rows=rows, unasked=unasked, found=found,
            folder=self.editor.folder,
        )  # fmt: skip

    def new_rule(self, request: Request) -> Response:
        return self.edited(self.editor.begin(request.query_params.get("call", "")))

    def edit_rule(self, request: Request) -> Response:
        return self.edited(self.editor.open(request.path_params["name"]))

    def change_rule(self, form: dict[str, str]) -> Response:
        """Try the rule of a form on the lake, or save it; the form is never lost."""
        is_save = form.get("do") == "save"
        draft = RuleDraft(form.get("name", ""), form.get("rule", ""), form.get("cases", ""))
        try:
            draft = self.editor.read(form)
            trial = self.editor.check(draft, on_lake=not is_save)
            if is_save and trial.is_good:
                file = self.editor.save(draft)
                self.book.changed()
                self.hits.rules_changed()
                return RedirectResponse(f"/rule/{quote(file.stem)}", 303)
        except HookstreamError as error:
            return self.edited(draft, Trial([("", 0, str(error))]), is_save=is_save)
        return self.edited(draft, trial, is_save=is_save)

    def edited(
        self, draft: RuleDraft, trial: Trial | None = None, *, is_save: bool = False
    ) -> Response:
        title = f"Edit {draft.file.stem}" if draft.file else "New rule"
        return self.html(
            "rule_editor.html", 400 if trial and trial.problems else 200, here="rules",
            title=title, draft=draft, trial=trial, is_save=is_save, folder=self.editor.folder,
        )  # fmt: skip

    def change_finding(self, form: dict[str, str]) -> Response:
        """Set the status of one finding or of a group, or undo such a decision."""
        book = self.lake.casebook
        back = dict(parse_qsl(form.get("back", "").removeprefix("?"), max_num_fields=32))
        status, reason, expires = (form.get(n, "") for n in ("status", "reason", "expires"))
        if number := form.get("undo"):
            book.undo(number)
        elif finding := form.get("finding_id"):
            book.decide([finding], status, reason, expires, form.get("about", ""))
        else:
            ids = ids_of(self.lake, PageFilters.read(back), form)
            book.decide(ids, status, reason, expires, f"{form['title']}: {form['shown']}")
        self.lake.changed(FINDINGS)
        return RedirectResponse("/findings" + (f"?{urlencode(back)}" if back else ""), 303)

    def saved(self, request: Request) -> Response:
        rows = self.lake.casebook.searches()
        return self.html("saved.html", here="saved", title="Saved searches", rows=rows)

    def open_saved(self, request: Request) -> Response:
        name = request.path_params["name"]
        address = self.lake.casebook.address(name)
        if address is None:
            return self.missing(f"No saved search {name!r}.")
        return RedirectResponse(address, 303)

    def change_saved(self, form: dict[str, str]) -> Response:
        if form.get("remove"):
            self.lake.casebook.remove_search(form["remove"])
        else:
            self.lake.casebook.save_search(form.get("name", ""), form.get("address", ""))
        return RedirectResponse("/saved", 303)

    def change_secret(self, form: dict[str, str]) -> Response:
        self.lake.casebook.set_rotated(form.get("fingerprint", ""), form.get("rotated_on", ""))
        self.lake.changed(ROTATED)
        return RedirectResponse("/secrets", 303)

    def renewed(self, request: Request) -> Response:
        """Wait for a newer lake, then show it where the reader was."""
        if self.renewal is not None and self.renewal.is_running:
            text = "The files that are newer than this lake are being read."
            return self.html("waiting.html", here="", title="Newer files", text=text, share="")
        return RedirectResponse("/" + request.query_params.get("back", "").lstrip("/"), 303)

    def waiting(self, title: str, here: str) -> Response:
        """A page that loads itself again until what it needs has been derived."""
        if self.tables.blocks:
            text, share = "The tables of this lake are being built.", self.tables.share
        else:
            text, share = "The rules are being asked over this lake.", self.hits.share
        return self.html("waiting.html", here=here, title=title, text=text, share=share)

    def missing(self, text: str) -> Response:
        return self.html("error.html", 404, here="error", title="Not found", text=text)

    def failed(self, error: HookstreamError) -> Response:
        return self.html("error.html", 400, here="error", title="Not answered", text=str(error))


def create_app(
    lake: BrowsedLake,
    token: str,
    port: int,
    asked: DetectOptions | None = None,
    names: dict[str, str] | None = None,
    sessions: Callable[[], OwnSessions] | None = None,
    tables: TablesWork | None = None,
    renewal: Renewal | None = None,
) -> Starlette:
    """The ASGI application over a lake. `token` and `port` say which requests are the user's;
    `asked` are the rules and their tuning (None: the shipped ones), `names` the plain names of
    pseudonyms, `sessions` reads one's own, whose prompts may be shown, `tables` what brings the
    tables of the lake up to date, `renewal` what makes a newer one (None: nothing does). The state
    has the `pages` and the `session`; other pages put there are shown from then on."""
    session = PageSecrets(token, port)

    def route(path: str, handler: Callable[[Pages, Request], Response], derived: str = "") -> Route:
        """`derived` is the title of a page that is made of tables."""

        async def endpoint(request: Request) -> Response:
            pages: Pages = request.app.state.pages

            def call() -> Response:
                try:
                    if derived and pages.tables.blocks:
                        return pages.waiting(derived, path[1:])
                    return handler(pages, request)
                except HookstreamError as error:
                    return pages.failed(error)
                except Exception as error:  # the edge: a page, never a traceback
                    text = f"internal error: {type(error).__name__}; please report it"
                    return pages.html("error.html", 500, here="", title="Error", text=text)

            return await run_in_threadpool(call)

        return Route(path, endpoint, methods=["GET"])

    def change(path: str, handler: Callable[[Pages, dict[str, str]], Response]) -> Route:
        async def endpoint(request: Request) -> Response:
            pages: Pages = request.app.state.pages
            if int(request.headers.get("content-length") or FORM_BYTES + 1) > FORM_BYTES:
                return pages.missing("The form is too large.")
            body = (await request.body()).decode("utf-8", "replace")
            try:
                form = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=16))
                return await run_in_threadpool(handler, pages, form)
            except ValueError:
                return pages.missing("The form has too many fields.")
            except HookstreamError as error:
                return pages.failed(error)

        return Route(path, endpoint, methods=["POST"])

    def renew(pages: Pages, form: dict[str, str]) -> Response:
        if pages.renewal is None:
            return pages.missing("This lake is not made of the files of this machine.")

        pages.renewal.start()
        return RedirectResponse(f"/renewed?{urlencode({'back': form.get('back', '')})}", 303)

    static = StaticFiles(directory=str(resources.files("hookstream.ui") / "static"))
    app = Starlette(
        routes=[
            route("/", Pages.overview, "Overview"),
            change("/findings", Pages.change_finding),
            route("/cost", Pages.cost, "Cost"),
            route("/rules", Pages.rules, "Rules"),
            route("/rules/new", Pages.new_rule),
            route("/rules/edit/{name:path}", Pages.edit_rule),
            change("/rules/edit", Pages.change_rule),
            route("/rule/{name:path}", Pages.rule, "Rule"),
            change("/saved", Pages.change_saved),
            change("/secrets", Pages.change_secret),
            route("/saved", Pages.saved),
            route("/saved/{name:path}", Pages.open_saved),
            route("/sql", Pages.sql),
            change("/sql", Pages.forget_questions),
            route("/session/{session_id:path}", Pages.session, "Session"),
            route("/event/{event_id:path}", Pages.event),
            Mount("/static", static),
            route("/q", Pages.every),
            route("/renewed", Pages.renewed),
            change("/renewed", renew),
            route("/{key:path}", Pages.listed),
        ],
        middleware=[Middleware(Guard, session=session)],
    )
    app.state.pages = Pages(lake, session.root, asked, names, sessions, tables, renewal)
    app.state.session = session
    return app


def meanings() -> dict[str, str]:
    """The meaning of each column and named question, in a line."""
    return MEANINGS | OWN_MEANINGS | {name: one.description for name, one in queries().items()}


def cleared(filters: PageFilters) -> dict[str, None]:
    """The changes of a query that remove all that narrows the rows."""
    kept = {name for name, _ in filters.fields()} & {"sort", "columns", "facet", "tz"}
    return {name: None for name, _ in filters.fields() if name not in kept}


def asked_by(key: str) -> str:
    """The command that asks what the page of a key shows; empty if it is not a question."""
    page = page_of(key)
    named = page is not None and page.question in queries()
    return f"hookstream query {page.question} LAKE" if page and named else ""


def _page_of(made: Story, at: str) -> int:
    """The part of a long session that has an event or a call, from 1."""
    for rows in (made.calls, made.events):
        for number, row in enumerate(rows):
            if cells.is_about(row, at):
                return number // SESSION_ROWS + 1
    return 1


def _file(data: bytes, kind: str, name: str) -> Response:
    return Response(
        data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _pretty(text: str | None) -> str:
    if not text:
        return ""
    try:
        return json.dumps(json.loads(text), indent=2)
    except ValueError:
        return text
