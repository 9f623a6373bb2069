"""Every page answers, filters narrow it, exports hold what it shows, errors are one line."""

import io
import json
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest

from hookstream.ui.filters import Filters
from hookstream.ui.listing import listing
from hookstream.ui.pages import NAVIGATION, PAGES, page_of

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
    assert times("no_such_column") == times("-timestamp")


def test_what_is_shown_as_sql_gives_the_same_rows(client, lake):
    rows = json.loads(client.get("/denies?tool=claude-code&q=curl&export=json").content)
    made = listing(lake, page_of("denies"), Filters.read({"tool": "claude-code", "q": "curl"}, ()))
    assert made.sql.split("where")[-1].count("curl") > 1
    again = json.loads(client.get(f"/sql?export=json&sql={quote(made.sql)}").content)
    assert rows and again == rows


def test_a_session_shows_its_calls_and_an_event_both_standards(client):
    deny = json.loads(client.get("/denies?tool=claude-code&export=json").content)[0]
    page = client.get(f"/session/{quote(deny['session_id'], safe='')}")
    assert page.status_code == 200
    assert "<svg" in page.text and "bar-denied" in page.text
    event = client.get(f"/event/{deny['event_id']}")
    assert "Agent Hooks 0.1.0" in event.text and deny["event_id"] in event.text
    assert client.get("/event/none").status_code == 404
    assert client.get("/session/none").status_code == 404


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


def test_the_inventory_is_valid_cyclonedx(client):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = client.get("/inventory?export=cyclonedx").text
    names = {one["name"] for one in json.loads(text)["components"]}
    assert {"claude-code", "cursor"} <= names
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_a_session_is_found_by_its_machine_too(client):
    deny = json.loads(client.get("/denies?export=json").content)[0]
    assert deny["machine_id"]
    query = f"?machine={deny['machine_id']}&tool={deny['tool']}"
    page = client.get(f"/session/{quote(deny['session_id'], safe='')}{query}")
    assert page.status_code == 200 and "<rect" in page.text
