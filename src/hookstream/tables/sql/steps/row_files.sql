-- The files that hold a changed session's rows of a table; one, unless a refresh broke off.
create or replace table row_files as
select distinct machine, tool, session_id, filename
from read_parquet(getvariable('here'), hive_partitioning = false, filename = true)
semi join changed_sessions using (machine, tool, session_id)
