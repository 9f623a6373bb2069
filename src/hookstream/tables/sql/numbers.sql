-- A number for each session that events are reported in: it replaces machine, client and session.
select row_number() over () as session, machine, tool, session_id
from (select distinct coalesce(machine_id, '') as machine, tool, session_id from base.events)
