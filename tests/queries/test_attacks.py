"""Free SQL as an attacker writes it: nothing outside is read, nothing written or set."""

from __future__ import annotations

import itertools
from pathlib import Path

from tests.queries.history import History, both

from hookstream.core.errors import HookstreamError
from hookstream.queries.runner import ask_sql, open_stream

MARK = "this-line-stands-outside"
READERS = """read_csv read_csv_auto read_text read_blob read_json read_json_auto read_json_objects
read_ndjson read_ndjson_auto read_ndjson_objects read_parquet parquet_scan parquet_schema
parquet_metadata parquet_kv_metadata parquet_file_metadata sniff_csv""".split()
PLACES = (
    "{outside}",
    "file://{outside}",
    "{folder}/../outside.csv",
    "{folder}/{partition}/../../../outside.csv",
    "{folder}/beside.csv",
    "{folder}/date=2026-11-21/beside.csv",
    "/proc/self/environ",
    "/etc/passwd",
    "https://127.0.0.1:9/x",
)
OTHERS = """
select * from '{outside}'
select * from glob('{parent}/*')
select * from query('from read_text(''{outside}'')')
select * from query_table('{outside}')
from (from read_text('{outside}'))
with x as (from read_text('{outside}')) select * from x
select (select content from read_text('{outside}'))
select * from events where exists (from read_text('{outside}'))
select getenv('PATH')
select * from duckdb_secrets()
select * from which_secret('s3://x', 's3')
copy events to '{parent}/made.csv'
copy (select 1) to '{parent}/made.parquet'
export database '{parent}/made'
attach '{parent}/made.db' as other
create table made as select 1
create secret s (type s3)
create macro m() as 1
install httpfs
load httpfs
set enable_external_access = true
set lock_configuration = false
set allowed_directories = ['/']
reset enable_external_access
pragma enable_profiling
call dbgen(sf = 1)
insert into broken_lines values ('a', 1, 'b')
update broken_lines set line = 1
delete from broken_lines
truncate broken_lines
drop view events
alter table broken_lines rename to gone
comment on view events is 'x'
with x as (insert into broken_lines values ('a', 1, 'b') returning file) from x
select 1; copy events to '{parent}/made.csv'
select 1 /* ; */ ; drop view events
explain analyze copy events to '{parent}/made.csv'
checkpoint
vacuum
begin transaction
""".strip().splitlines()


def statements(outside: Path, folder: Path) -> list[str]:
    partition = next(folder.glob("date=*/tool=*")).relative_to(folder)
    places = {
        "outside": outside, "folder": folder, "parent": outside.parent, "partition": partition
    }  # fmt: skip
    reads = [
        f"select * from {reader}('{place}')" for reader, place in itertools.product(READERS, PLACES)
    ]
    return [sql.format(**places) for sql in (*reads, *OTHERS)]


def test_no_statement_reads_or_changes_anything_outside(tmp_path: Path) -> None:
    h = History()
    h.ran("c1", "ls")
    folder = both(tmp_path, h)[1]
    outside = tmp_path / "outside.csv"
    for place in (outside, folder / "beside.csv", folder / "date=2026-11-21" / "beside.csv"):
        place.write_text(f"a\n{MARK}\n")
    before = sorted(tmp_path.rglob("*"))
    attacks = statements(outside, folder)
    assert len(attacks) >= 130
    answered = []
    with open_stream(folder, "select * from events") as stream:
        for sql in attacks:
            try:
                rows = ask_sql(stream, sql).rows
            except HookstreamError as error:
                assert len(str(error).splitlines()) <= 4, sql  # DuckDB's hint and caret
                assert MARK not in str(error)
                continue
            answered.append(sql)
            assert MARK not in str(rows) and "root:" not in str(rows), sql
        assert ask_sql(stream, "select count(*) from events").rows == [(2,)]
        assert ask_sql(stream, "from broken_lines").rows == []
    assert sorted(tmp_path.rglob("*")) == before
    assert [sql for sql in answered if str(outside) in sql or "/etc" in sql] == []
