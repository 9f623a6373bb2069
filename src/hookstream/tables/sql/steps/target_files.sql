-- The file that a changed session's rows of a table are written to, null where it has none yet.
create or replace table target_files as
select
    machine, tool, session_id, date,
    min(filename) filter (contains(filename, 'date=' || date)) as filename
from (from changed_dates semi join fresh_{table} using (machine, tool, session_id))
left join row_files using (machine, tool, session_id)
group by all
