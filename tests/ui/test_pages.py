"""Every page answers, filters narrow it, exports hold what it shows, errors are one line."""

import html
import io
import json
import re
import shutil
import sys
from collections import Counter
from datetime import date
from importlib import resources
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest
from tests.ui.conftest import client_of

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.ui import words
from hookstream.ui.cells import dollars, text_of
from hookstream.ui.filters import PageFilters
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.listing import GROUP_ROWS, listing
from hookstream.ui.pages import NAVIGATION, PAGES, page_of
from hookstream.ui.session import story
from hookstream.version import __version__

KEYS = [key for key in PAGES if page_of(key) is not None]


@pytest.mark.parametrize("key", [key for key, _ in NAVIGATION if key in ("", "sql", *KEYS)])
def test_every_page_of_the_navigation_answers(client, key):
    answer = client.get(f"/{key}")
    assert answer.status_code == 200, answer.text
    assert 'aria-current="page"' in answer.text


@pytest.mark.parametrize("key", KEYS)
def test_every_list_exports_the_rows_it_shows(client, lake, key):
    whole = json.loads(client.get(f"/{key}?export=json").content)
    table = pq.read_table(io.BytesIO(client.get(f"/{key}?export=parquet").content))
    assert table.num_rows == len(whole)
    lines = client.get(f"/{key}?export=csv").text.splitlines()
    assert len(lines) >= (len(whole) + 1 if whole else 0)


def test_denies_are_the_question_s_and_filters_narrow_them(client, lake):
    rows = json.loads(client.get("/denies?export=json").content)
    assert rows
    chosen = rows[0]
    session = json.loads(
        client.get(f"/denies?session={quote(chosen['session_id'])}&export=json").content
    )
    assert session == [row for row in rows if row["session_id"] == chosen["session_id"]]
    assert 0 < len(session) < len(rows)
    assert json.loads(client.get("/denies?until=2000-01-01&export=json").content) == []
    word = next(row["command"] for row in rows if row["command"])
    found = json.loads(client.get(f"/denies?q={quote(word)}&export=json").content)
    assert found and len(found) <= len(rows)


def test_a_column_heading_sorts_and_sorts_back(client):
    def times(sort: str) -> list[str]:
        rows = json.loads(client.get(f"/denies?sort={sort}&export=json").content)
        return [row["timestamp"] for row in rows]

    assert times("timestamp") == sorted(times("timestamp"))
    assert times("-timestamp") == sorted(times("timestamp"), reverse=True)
    answer = client.get("/denies?sort=timestmp")
    assert answer.status_code == 400 and "did you mean timestamp?" in answer.text


def test_what_is_shown_as_sql_gives_the_same_rows(client, lake):
    rows = json.loads(client.get("/denies?tool=claude-code&q=curl&export=json").content)
    made = listing(
        lake, page_of("denies"), PageFilters.read({"tool": "claude-code", "q": "curl"}, ())
    )
    assert made.sql.split("where")[-1].count("curl") > 1
    again = json.loads(client.get(f"/sql?export=json&sql={quote(made.sql)}").content)
    assert rows and again == rows


@pytest.mark.parametrize("key", KEYS)
def test_the_sql_of_every_page_opens_in_the_sql_page(client, lake, key):
    page = client.get(f"/{key}").text
    sql = html.unescape(page.split('name="sql" value="')[1].split('">')[0])
    answer = client.get(f"/sql?export=json&sql={quote(sql)}")
    assert answer.status_code == 200, answer.text
    assert len(json.loads(answer.content)) == len(
        json.loads(client.get(f"/{key}?export=json").content)
    )


def test_a_session_shows_its_calls_and_an_event_both_standards(client):
    deny = json.loads(client.get("/denies?tool=claude-code&export=json").content)[0]
    page = client.get(f"/session/{quote(deny['session_id'], safe='')}")
    assert page.status_code == 200
    assert "<svg" in page.text and "bar-denied" in page.text
    event = client.get(f"/event/{deny['event_id']}")
    assert "Agent Hooks 0.1.0" in event.text and deny["event_id"] in event.text
    assert client.get("/event/none").status_code == 404
    assert client.get("/session/none").status_code == 404


def test_a_session_and_an_event_are_exported_by_the_sql_that_is_shown(client):
    deny = json.loads(client.get("/denies?export=json").content)[0]
    session, event = quote(deny["session_id"], safe=""), quote(deny["event_id"])
    machine = quote(deny["machine_id"] or "", safe="")
    for address in (f"/session/{session}?machine={machine}", f"/event/{event}?"):
        page = client.get(address).text
        sql = re.search(r'name="sql" value="([^"]+)"', page)
        rows = json.loads(client.get(f"{address}&export=json").content)
        assert deny["event_id"] in {row["event_id"] for row in rows}
        again = client.get(f"/sql?export=json&sql={quote(html.unescape(sql[1]))}")
        assert json.loads(again.content) == rows
        assert pq.read_table(io.BytesIO(client.get(f"{address}&export=parquet").content)).num_rows


@pytest.mark.parametrize(
    "path",
    [
        "/denies?since=yesterday",
        "/sql?sql=drop+table+events",
        "/sql?sql=select+*+from+read_csv('/etc/passwd')",
        "/sql?sql=copy+events+to+'/tmp/x'",
        "/secrets?session=x&certainty=observed",
    ],
)
def test_what_cannot_be_answered_is_said_in_one_line(client, path):
    answer = client.get(path)
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text and "root:" not in answer.text
    if answer.status_code == 400:
        assert 'role="alert"' in answer.text


def test_unknown_pages_and_formats_are_not_found(client):
    assert client.get("/nothing").status_code == 404
    assert client.get("/denies?export=xlsx").status_code == 404
    assert client.get("/q/tools").status_code == 200


def test_the_inventory_says_which_hookstream_wrote_on_each_machine(client):
    rows = json.loads(client.get("/inventory?export=json").content)
    found = {(one["name"], one["version"]) for one in rows if one["kind"] == "capture"}
    assert found == {("hookstream", __version__)}


def test_the_inventory_is_valid_cyclonedx(client):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = client.get("/inventory?export=cyclonedx").text
    names = {one["name"] for one in json.loads(text)["components"]}
    assert {"claude-code", "cursor"} <= names
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_an_inventory_without_the_cyclonedx_package_names_the_extra(client, monkeypatch):
    monkeypatch.setitem(sys.modules, "cyclonedx.model", None)
    page = client.get("/inventory?export=cyclonedx")
    assert page.status_code == 400
    assert "pip install &#39;.[cyclonedx]&#39; in a clone" in page.text


def test_a_session_is_found_by_its_machine_too(client):
    deny = json.loads(client.get("/denies?export=json").content)[0]
    assert deny["machine_id"]
    query = f"?machine={deny['machine_id']}&tool={deny['tool']}"
    page = client.get(f"/session/{quote(deny['session_id'], safe='')}{query}")
    assert page.status_code == 200 and "<rect" in page.text


@pytest.mark.long
def test_rows_are_derived_once_for_a_state_of_the_lake(lake_path, tmp_path, monkeypatch):
    path = tmp_path / "lake"
    shutil.copytree(lake_path, path)
    opened = BrowsedLake(path, readers=1)
    with opened._reader() as reader:
        pass
    made = []
    real = reader._keep
    monkeypatch.setattr(
        reader,
        "_keep",
        lambda stream, sql, who: made.append(sql in reader.kept) or real(stream, sql, who),
    )
    client = client_of(opened)
    assert not all(made)
    made.clear()
    whole = json.loads(client.get("/denies?export=json").content)
    assert len(json.loads(client.get("/denies?tool=cursor&export=json").content)) < len(whole)
    assert made and all(made)
    part = next(path.rglob("*.parquet"))
    part.unlink()
    reader._checked_s = -1e9
    assert len(json.loads(client.get("/denies?export=json").content)) <= len(whole)
    assert not all(made)
    opened.close()


@pytest.mark.long
def test_few_derived_rows_are_kept_at_a_time(lake_path, monkeypatch):
    monkeypatch.setattr("hookstream.ui.lake.MOST_KEPT", 2)
    opened = BrowsedLake(lake_path, readers=1)
    for key in ("denies", "sessions", "loops", "denies"):
        assert client_of(opened).get(f"/{key}").status_code == 200
    tables = opened.ask("select count(*) from duckdb_tables() where table_name like 'kept_%'")
    assert tables.rows == [(2,)]
    opened.close()


def test_counts_of_groups_are_those_of_the_rows(client, lake):
    rows = json.loads(client.get("/search?export=json").content)
    made = listing(lake, page_of("search"), PageFilters.read({}, ()))
    assert made.total == len(rows)
    for column, counted in made.groups.items():
        want = Counter(row[column] for row in rows)
        assert len(counted) == min(GROUP_ROWS, len(want))
        assert all(want[value] == count for value, count in counted)
        assert [count for _, count in counted] == sorted(want.values(), reverse=True)[:GROUP_ROWS]


@pytest.mark.parametrize("text", ["curl", "a", "deny", "no such text"])
def test_a_search_finds_what_the_sql_it_shows_finds(client, lake, text):
    filters = PageFilters.read({"q": text, "tool": "claude-code", "sort": "event_id"}, ())
    made = listing(lake, page_of("search"), filters)
    again = json.loads(client.get(f"/sql?export=json&sql={quote(made.sql)}").content)
    assert made.total == len(again)
    assert [row["event_id"] for row in made.answer.dicts()] == [
        row["event_id"] for row in again[:100]
    ]
    dated = PageFilters.read({"q": text, "tool": "claude-code", "since": "2000-01-01"}, ())
    assert listing(lake, page_of("search"), dated).total == made.total
    none = PageFilters.read({"q": text, "until": "2000-01-01"}, ())
    assert listing(lake, page_of("search"), none).total == 0


def test_an_event_is_found_by_its_id(client, lake):
    event = json.loads(client.get("/search?export=json").content)[0]["event_id"]
    found = listing(lake, page_of("search"), PageFilters.read({"q": event.upper()}, ()))
    assert event in [row["event_id"] for row in found.answer.dicts()]


@pytest.mark.long
def test_an_id_of_two_machines_is_two_sessions(tmp_path):
    record = {
        "vendor": "claude-code", "native_event": "UserPromptSubmit",
        "received_at": "2026-11-21T10:00:00Z",
        "payload": {"session_id": "same", "hook_event_name": "UserPromptSubmit", "prompt": "hi"},
    }  # fmt: skip
    source = tmp_path / "two.jsonl"
    source.write_text("".join(json.dumps({**record, "machine": m}) + "\n" for m in ("a", "b")))
    execute(Job([str(source)], [f"parquet:{tmp_path / 'lake'}"]))
    opened = BrowsedLake(tmp_path / "lake")
    client = client_of(opened)
    listed = client.get("/session/same")
    assert listed.url.path == f"{client.root}/sessions" and "<b>2</b> rows" in listed.text
    machine = opened.one("select min(machine_id) from events")
    assert client.get(f"/session/same?machine={machine}").url.path == f"{client.root}/session/same"
    opened.close()


@pytest.mark.long
def test_a_long_session_is_shown_in_pages(client, monkeypatch):
    monkeypatch.setattr("hookstream.ui.app.SESSION_ROWS", 5)
    deny = json.loads(client.get("/denies?tool=claude-code&export=json").content)[0]
    address = f"/session/{quote(deny['session_id'], safe='')}?machine={deny['machine_id']}"
    seen = []
    while address:
        page = client.get(address).text
        seen += re.findall(
            rf'href="{client.root}/event/([^"]+)">[^<]+</a></div></td>',
            page.split('id="events"')[1],
        )
        further = re.search(r'rel="next" href="([^"#]+)', page)
        path = address.partition("?")[0]
        address = path + further[1].replace("&amp;", "&") if further else ""
    events = client.get(f"/q/timeline?session={quote(deny['session_id'])}&export=json")
    assert len(seen) == len(set(seen)) > 5
    assert set(seen) == {row["event_id"] for row in json.loads(events.content)}


@pytest.mark.long
def test_a_session_that_opens_at_its_last_part_leads_to_the_one_before(client, monkeypatch):
    monkeypatch.setattr("hookstream.ui.app.SESSION_ROWS", 5)
    deny = json.loads(client.get("/denies?tool=claude-code&export=json").content)[0]
    address = f"/session/{quote(deny['session_id'], safe='')}?machine={deny['machine_id']}"
    path = address.partition("?")[0]
    last, page = address, client.get(address).text
    while further := re.search(r'rel="next" href="([^"#]+)', page):
        last = path + further[1].replace("&amp;", "&")
        page = client.get(last).text
    part = int(re.search(r"page=(\d+)", last)[1])
    event = re.findall(rf'href="{client.root}/event/([^"]+)">', page.split('id="events"')[1])[-1]
    page = client.get(f"{address}&at={event}").text
    assert 'class="here"' in page
    assert f"at={event}" in re.search(r'href="([^"]+refresh=30[^"]*)"', page)[1]
    before = re.search(r'rel="prev" href="([^"#]+)', page)[1]
    assert "at=" not in before and (part == 2 or f"page={part - 1}" in before)


def record(number: int, event: str, at: str, **payload) -> dict:
    given = {"session_id": "s", "hook_event_name": event, **payload}
    return {"vendor": "claude-code", "native_event": event, "received_at": at, "machine": "m",
            "payload": given}  # fmt: skip


def lake_of(folder, records) -> BrowsedLake:
    source = folder / "captured.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in records))
    execute(Job([str(source)], [f"parquet:{folder / 'lake'}"], now="2026-11-21T12:00:00Z"))
    return BrowsedLake(folder / "lake")


@pytest.mark.long
def test_a_question_is_shown_as_long_as_it_waited(tmp_path):
    call = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
    times = [f"2026-11-21T10:00:{second:02}Z" for second in (0, 2, 32, 33)]
    names = ("PreToolUse", "PermissionRequest", "PermissionDenied", "Stop")
    more = ({}, {}, {"reason": "not here"}, {})
    records = [
        record(n, name, at, **({} if name == "Stop" else call), **extra)
        for n, (name, at, extra) in enumerate(zip(names, times, more, strict=True))
    ]
    opened = lake_of(tmp_path, records)
    page = client_of(opened).get("/session/s").text
    title = re.search(r'<rect class="wait"[^>]* width="([0-9.]+)"[^>]*><title>([^<]+)', page)
    assert title and "denied after 30.0 s" in title[2]
    assert float(title[1]) > 400
    assert 'id="asks"' in page
    opened.close()


def test_usage_has_a_list_price_where_there_is_one(client, lake):
    from hookstream.queries.prices import Prices

    rows = json.loads(client.get("/usage?export=json").content)
    priced = [row for row in rows if row["cost_usd"] is not None]
    assert priced and {"repo", "user_id", "model_id", "cost_usd"} <= set(rows[0])
    for row in priced:
        tokens = tuple(row[n] or 0 for n in ("input_tokens", "output_tokens", "cache_read_tokens"))
        want = Prices().cost(row["tool"], row["model_id"], (*tokens, 0))
        assert abs(want - row["cost_usd"]) <= 0.001 + want / 100
    known = {row["model_id"] for row in priced}
    assert all(
        Prices().cost(row["tool"], row["model_id"], (1000, 0, 0, 0)) is None
        for row in rows
        if row["model_id"] and row["model_id"] not in known and row["input_tokens"]
    )


def test_the_sql_page_says_what_tables_and_columns_mean(client):
    from hookstream.lake.dictionary import MEANINGS
    from hookstream.queries.catalog import queries

    page = client.get("/sql").text
    schema = json.loads(re.search(r'id="schema">(.*?)</script>', page, re.DOTALL)[1])
    assert {"denies", "events", "sessions"} <= set(schema["tables"])
    assert schema["meanings"]["command"] == MEANINGS["command"]
    assert schema["meanings"]["denies"] == queries()["denies"].description


@pytest.mark.long
def test_a_row_counts_its_machines_and_orders_name_columns(client, lake, tmp_path):
    for key in KEYS:
        made = listing(lake, page_of(key), PageFilters.read({}, ()))
        assert made.sql.endswith(f"order by {page_of(key).order or '1'}"), key
    call = {"tool_name": "Bash", "tool_use_id": "t1"}
    hosts = ("usual.example", "usual.example", "rare.example", "usual.example")
    records = [
        {**record(n, "PreToolUse", f"2026-11-21T10:00:0{n}Z", **call, session_id=f"s{n}",
                  tool_input={"command": f"curl https://{host}/"}), "machine": f"m{n}"}
        for n, host in enumerate(hosts)
    ]  # fmt: skip
    opened = lake_of(tmp_path, records)
    rows = listing(opened, page_of("destinations"), PageFilters.read({}, ())).answer.dicts()
    assert [(row["host"], row["machines"]) for row in rows] == [
        ("rare.example", 1),
        ("usual.example", 3),
    ]
    assert not any(row["is_new"] for row in rows)  # on its first day a lake has nothing to compare
    client = client_of(opened)
    page = client.get("/destinations").text
    behind = re.search(r'class="apart" href="([^"]*usual[^"]*)"', page)[1].replace("&amp;", "&")
    machines = client.get(f"{behind.removeprefix(client.root)}&export=json").json()
    assert len({row["machine_id"] for row in machines}) == len(machines) == 3
    one = machines[0]["machine_id"]
    (row,) = client.get(f"/destinations?machine={one}&export=json").json()
    assert (row["host"], row["machines"], row["calls"]) == ("usual.example", 1, 1)
    assert client.get("/destinations?by=hour").status_code == 400
    opened.close()


@pytest.mark.long
def test_a_silent_machine_counts_as_one_on_the_overview(tmp_path):
    records = [
        {**record(n, "UserPromptSubmit", f"2026-11-{day}T10:00:00Z", prompt="hi",
                  session_id=f"s{n}"), "machine": f"m{n}"}
        for n, day in enumerate((11, 12, 21))
    ]  # fmt: skip
    opened = lake_of(tmp_path, records)
    page = client_of(opened).get("/").text
    assert re.search(
        r'gap=silent_machine" title="silent_machine">machines without an event for a day</a>'
        r'</td><td class="number">2<',
        page,
    )
    opened.close()


def test_groups_of_usage_add_up_the_cost(lake):
    made = listing(lake, page_of("usage"), PageFilters.read({}, ()))
    rows = lake.ask(
        f"select model_id, round(sum(cost_usd), 2) from ({page_of('usage').sql}) group by 1"
    )
    assert dict(made.groups["model_id"]) == dict(rows.rows)
    assert any(cost for _, cost in made.groups["model_id"])


def test_the_overview_exports_what_its_chart_shows(client):
    rows = json.loads(client.get("/?export=json").content)
    page = client.get("/").text
    series = json.loads(re.search(r'id="series">(.+?)</script>', page)[1])
    assert [(row["events"], row["denies"]) for row in rows] == [
        (events, denies) for _, events, denies in series if events or denies
    ]
    assert "Show the SQL" in page


def test_columns_without_a_value_are_named_not_shown(lake):
    made = listing(lake, page_of("denies"), PageFilters.read({}, ()))
    for name in made.empty:
        assert all(row[name] in (None, "", []) for row in made.answer.dicts())
        assert name not in made.shows
    assert {"timestamp", "what", "certainty"} <= set(made.shows)


def test_every_table_of_the_sql_page_has_each_column_once(lake):
    tables = lake.tables()
    assert {"calls", "events", "denies"} <= set(tables)
    for name, columns in tables.items():
        assert len({column for column, _ in columns}) == len(columns), name


def test_an_event_s_json_keeps_its_lines(client):
    deny = json.loads(client.get("/denies?tool=claude-code&export=json").content)[0]
    page = client.get(f"/event/{deny['event_id']}").text
    assert "{\n  &#34;" in page and "\\n  &#34;" not in page


def test_the_newest_events_are_looked_for_in_the_last_days_first(tmp_path, monkeypatch):
    days = {1: 3, 2: 130, 3: 2, 4: 260}
    at = [
        f"2026-11-{day:02}T{n // 60:02}:{n % 60:02}:00Z"
        for day, count in days.items()
        for n in range(count)
    ]
    lake = lake_of(tmp_path, [record(n, "SessionStart", when) for n, when in enumerate(at)])
    asked: list[object] = []
    real = BrowsedLake.ask

    def ask(self, sql, *rest, **more):
        if "limit 100" in sql:
            asked.append(more.get("dates"))
        return real(self, sql, *rest, **more)

    monkeypatch.setattr(BrowsedLake, "ask", ask)
    seen = []
    for page in range(1, 6):
        made = listing(lake, PAGES["search"], PageFilters(page=page))
        seen += [row["timestamp"] for row in made.answer.dicts()]
    whole = real(lake, 'select "timestamp" from events order by 1 desc').rows
    assert seen == [row[0] for row in whole] and len(seen) == len(at)
    # Two pages lie in the last day; for the others all days are asked: there are fewer than eight.
    one = (date(2026, 11, 4), date(2026, 11, 4))
    assert asked == [one, one, *[one, None] * 3]
    narrow = listing(lake, PAGES["search"], PageFilters(equal=(("event_type", "None"),)))
    assert narrow.answer.rows == [] and narrow.total == 0


@pytest.mark.parametrize(
    ("key", "is_narrowed"), [("permissions", False), ("gaps", False), ("denies", True)]
)
def test_only_pages_with_a_time_offer_a_range_of_it(client, key, is_narrowed):
    assert ('name="since"' in client.get(f"/{key}").text) is is_narrowed
    said = "The time range does not apply to this page." in client.get(f"/{key}?since=24h").text
    assert said is not is_narrowed


def test_every_gap_is_said_in_words(client):
    sql = (resources.files("hookstream.queries") / "gaps.sql").read_text("utf-8")
    known = set(re.findall(r"'([a-z_]+)' as gap", sql))
    assert len(known) > 12 and known <= set(words.GAPS)
    page = client.get("/").text
    for row in json.loads(client.get("/gaps?export=json").content):
        assert f'title="{row["gap"]}">{words.GAPS[row["gap"]]}</a>' in page


@pytest.mark.long
def test_a_list_without_rows_says_what_would_fill_it(tmp_path):
    client = client_of(lake_of(tmp_path, [record(0, "SessionStart", "2026-11-02T08:00:00Z")]))
    for key, text in words.EMPTY.items():
        page = client.get(f"/{key}").text
        assert html.escape(text) in page or "SessionStart" in page, key
        assert 'aria-label="Top values"' not in page
    page = client.get("/denies?q=x").text
    assert f'No row matches the filters. <a href="{client.root}/denies">' in page


def test_a_search_without_a_text_asks_for_it(client):
    hint = "Every event, the newest first: type what you look for."
    page = client.get("/search").text
    assert hint in page and "autofocus" in page
    for other in ("/search?q=curl", "/denies"):
        page = client.get(other).text
        assert hint not in page and "autofocus" not in page


def test_an_error_is_no_page_of_the_navigation(client):
    assert 'aria-current="page"' not in client.get("/nothing-here").text
    assert 'aria-current="page"' in client.get("/").text


def test_what_lists_begin_with_and_how_their_reasons_end(client):
    assert page_of("q/costs").order.startswith('"date" desc')
    rows = json.loads(client.get("/q/context_pressure?export=json").content)
    assert list(rows[0])[:2] == ["tool", "session_id"] and list(rows[0])[-1] == "machine_id"
    assert words.sentences(["no tool 'x'; there are a, ..."]).endswith("a, ...")


def test_columns_are_explained_and_values_are_for_people(client):
    page = client.get("/destinations").text
    assert f'title="{words.COLUMNS["machines"]}"' in page
    assert text_of(["a", "b"]) == "a, b" and text_of([{"a": 1}]) == '[{"a":1}]'
    assert dollars(0.1) == "$0.10" and dollars(None) == ""
    kinds = [row["kind"] for row in json.loads(client.get("/inventory?export=json").content)]
    assert kinds[0] == "client" and kinds[-1] == "capture"


def test_the_numbers_of_the_chart_have_times(client):
    page = client.get("/").text
    assert re.search(r'data-step="[a-z0-9 ]+"', page)
    assert re.search(r'<td class="time">20\d\d-\d\d-\d\d \d\d:\d\d</td>', page)


def test_a_prompt_and_a_compaction_are_drawn_once_however_many_events_tell_of_them(lake):
    told = Counter(
        lake.ask("select session_id from events where event_type like 'Context.Comp%'").rows
    )
    questions = Counter()
    for kind, table in (("compaction", "compactions"), ("prompt", "prompts")):
        for session, count in lake.ask(
            f"select session_id, count(*) from {table} group by all"
        ).rows:
            questions[table] += count
            marks = story(lake, session).marks
            assert sum(mark.kind == kind for mark in marks) == count, session
    assert questions["compactions"] < told.total()
    assert questions["prompts"]
