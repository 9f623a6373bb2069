-- Rows of changed sessions as derived, those of others as stored.
create or replace view base.{table} as
from {database}fresh_{table}
union all by name
from stored.{table} anti join {database}changed_sessions using (machine, tool, session_id) {condition}
