-- Rows reported a second time: those of changed sessions are looked for again.
create or replace table repeated as
from (select filename, file_row_number, machine, tool, session_id from changed_repeats)
union all by name
from stored.repeated anti join changed_sessions using (machine, tool, session_id)
