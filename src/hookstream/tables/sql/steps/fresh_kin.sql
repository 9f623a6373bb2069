create or replace table whole.fresh_kin as
select k.*, s.session_id is not null as is_session
from whole.kin as k
left join (
    select distinct coalesce(machine_id, '') as machine, tool, session_id from whole.events
) as s using (machine, tool, session_id)
