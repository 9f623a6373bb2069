-- A number for each session that events are told in, or that others belong to.
select row_number() over () as session, *
from (
    select coalesce(machine_id, '') as machine, tool, session_id from whole.events
    union
    select machine, tool, parent from whole.kin
)
